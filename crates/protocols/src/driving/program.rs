//! An external program: its command, its folder and its first input.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// An external program and how it is set up.
///
/// ```
/// use protocols::driving::ExternalProgram;
///
/// let program = ExternalProgram::from_command("/opt/ntest/ntest x s10")?;
/// assert_eq!(program.name, "ntest");
/// let program = ExternalProgram { setup: vec!["set contempt 0".to_owned()], ..program };
/// assert_eq!(program.command, ["/opt/ntest/ntest", "x", "s10"]);
/// # Ok::<(), protocols::driving::CommandError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalProgram {
    /// The name of the player in records and tables.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The folder in which it runs, and from which a relative path of the program is meant.
    pub dir: Option<PathBuf>,
    /// Lines to send when it has started.
    pub setup: Vec<String>,
    /// Time limit for its start, and for the beginning of a game: loading a large book may take a while.
    pub start_limit: Duration,
    /// Time limit for the answer to a command that needs no search: a program that takes longer hangs.
    pub patience: Duration,
}

/// The text is not a command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// There is nothing to start.
    #[error("the command is empty; expected a program and its arguments")]
    Empty,
    /// A quotation mark is not closed.
    #[error("the command {0:?} has an unclosed quotation mark")]
    OpenQuotation(String),
}

impl ExternalProgram {
    const DEFAULT_LIMIT: Duration = Duration::from_secs(30);

    /// The program of a command line: words between blanks, with quotation marks around a word with blanks. Its name is
    /// the file name of the program.
    pub fn from_command(command: &str) -> Result<Self, CommandError> {
        let command = words(command)?;
        let program = command.first().ok_or(CommandError::Empty)?;
        let name = Path::new(program).file_stem().map_or(program.clone(), |name| name.to_string_lossy().into_owned());
        let (start_limit, patience) = (Self::DEFAULT_LIMIT, Self::DEFAULT_LIMIT);
        Ok(Self { name, command, dir: None, setup: Vec::new(), start_limit, patience })
    }

    pub(super) fn to_command(&self) -> std::io::Result<Command> {
        let (program, arguments) = self.command.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
        // Systems differ in whether a relative path is looked up before or after the folder is entered.
        let dir = self.dir.as_ref().map(std::path::absolute).transpose()?;
        let is_path = Path::new(program).components().count() > 1;
        let mut command = match &dir {
            Some(dir) if is_path => Command::new(dir.join(program)),
            _ => Command::new(program),
        };
        command.args(arguments);
        if let Some(dir) = dir {
            command.current_dir(dir);
        }
        Ok(command)
    }
}

/// The words of a command line, quotation marks taken off.
fn words(text: &str) -> Result<Vec<String>, CommandError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quotation = None;
    for symbol in text.chars() {
        match quotation {
            Some(mark) if symbol == mark => quotation = None,
            Some(_) => word.get_or_insert_default().push(symbol),
            None if symbol == '"' || symbol == '\'' => {
                quotation = Some(symbol);
                // Nothing between quotation marks is a word too.
                word.get_or_insert_default();
            }
            None if symbol.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(symbol),
        }
    }
    if quotation.is_some() {
        return Err(CommandError::OpenQuotation(text.to_owned()));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_at_blanks_outside_of_quotation_marks() {
        for (text, expected) in [
            ("ntest x s10", vec!["ntest", "x", "s10"]),
            ("  a\tb  ", vec!["a", "b"]),
            ("'my engine' --name \"it's\" ''", vec!["my engine", "--name", "it's", ""]),
            ("a'b c'd", vec!["ab cd"]),
        ] {
            assert_eq!(words(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn a_command_that_names_nothing_is_refused() {
        assert_eq!(ExternalProgram::from_command("  "), Err(CommandError::Empty));
        let message = ExternalProgram::from_command("a 'b").unwrap_err().to_string();
        assert_eq!(message, "the command \"a 'b\" has an unclosed quotation mark");
    }

    #[test]
    fn a_relative_program_is_looked_for_in_its_folder() {
        let program =
            ExternalProgram { dir: Some("/opt/x".into()), ..ExternalProgram::from_command("./ntest x").unwrap() };
        let command = program.to_command().unwrap();
        assert_eq!(Path::new(command.get_program()), Path::new("/opt/x/./ntest"));
        let program =
            ExternalProgram { dir: Some("/opt/x".into()), ..ExternalProgram::from_command("gtp-rhino").unwrap() };
        assert_eq!(program.to_command().unwrap().get_program(), "gtp-rhino");
    }
}
