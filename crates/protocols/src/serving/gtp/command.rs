//! A line of GTP: the number, the command and its arguments.

use othello::Color;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Command {
    /// The number that the answer repeats, if there is one.
    pub(crate) id: Option<u32>,
    /// The name of the command; empty if only a number was sent.
    pub(crate) name: String,
    /// The words after the name.
    pub(crate) arguments: Vec<String>,
}

/// Reads a line; nothing if it has no command, only blanks or a remark.
pub(crate) fn parse(line: &str) -> Option<Command> {
    // Remarks begin with #, tabulators are blanks, and control characters are to be dropped.
    let line = line.split('#').next().unwrap_or_default();
    let text: String =
        line.replace('\t', " ").chars().filter(|symbol| !symbol.is_control() || *symbol == ' ').collect();
    let mut words = text.split_whitespace().peekable();
    let id = words.peek()?.parse().ok();
    if id.is_some() {
        words.next();
    }
    let name = words.next().unwrap_or_default().to_owned();
    Some(Command { id, name, arguments: words.map(str::to_owned).collect() })
}

impl Command {
    /// The arguments, if this is their number.
    pub(crate) fn exactly<const N: usize>(&self) -> Result<[&str; N], Failure> {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        arguments.try_into().map_err(|_| SYNTAX.into())
    }
}

/// Failure response to a command: the text after the question mark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Failure(pub(crate) String);

/// The response that the protocol prescribes for invalid arguments.
pub(crate) const SYNTAX: &str = "syntax error";

impl<T: ToString> From<T> for Failure {
    fn from(reason: T) -> Self {
        Self(reason.to_string())
    }
}

/// Reads `b`, `black`, `w` or `white`, in any case.
pub(crate) fn color(text: &str) -> Result<Color, Failure> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        _ => Err(SYNTAX.into()),
    }
}

pub(crate) fn is_pass(text: &str) -> bool {
    text.eq_ignore_ascii_case("pass")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_number_a_command_and_arguments() {
        let command = parse("12 play  b\tf5 # the first move").unwrap();
        assert_eq!((command.id, command.name.as_str()), (Some(12), "play"));
        assert_eq!(command.exactly::<2>(), Ok(["b", "f5"]));
        assert_eq!(command.exactly::<1>(), Err(SYNTAX.into()));
        assert_eq!(parse("name").unwrap().id, None);
        assert_eq!(parse("7").unwrap(), Command { id: Some(7), name: String::new(), arguments: Vec::new() });
    }

    #[test]
    fn blanks_remarks_and_control_characters_are_no_commands() {
        for line in ["", "   ", "# hello", "\0\x01\r", "\t#"] {
            assert_eq!(parse(line), None, "{line:?}");
        }
        assert_eq!(parse("na\0me\r").unwrap().name, "name");
        // A number that is too large is no number.
        assert_eq!(parse("99999999999 name").unwrap().name, "99999999999");
    }
}
