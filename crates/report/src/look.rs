//! Capabilities of the output: colours, discs beyond ASCII, or neither.
//!
//! No other place reads `NO_COLOR`, `CLICOLOR` or `CLICOLOR_FORCE`.

use std::env;
use std::io::IsTerminal;

/// When to print in colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set or CLICOLOR is 0; with CLICOLOR_FORCE also elsewhere.
    #[default]
    Auto,
    /// Also into files and pipes.
    Always,
    /// Nowhere.
    Never,
}

impl ColorChoice {
    /// All choices by their names on a command line.
    pub const ALL: [(&str, ColorChoice); 3] =
        [("auto", ColorChoice::Auto), ("always", ColorChoice::Always), ("never", ColorChoice::Never)];
}

/// Style in which a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// With ANSI colours.
    pub color: bool,
    /// With any colour, not only those of the 256-colour palette.
    pub true_color: bool,
    /// With round discs instead of X and O.
    pub unicode: bool,
}

impl Look {
    /// Plain ASCII, for files, pipes and other programs.
    pub const PLAIN: Look = Look { color: false, true_color: false, unicode: false };

    /// The look that suits this stream.
    pub fn of(stream: &impl IsTerminal, choice: ColorChoice) -> Self {
        Self::suiting(stream.is_terminal(), choice, |name| env::var(name).ok())
    }

    fn suiting(terminal: bool, choice: ColorChoice, variable: impl Fn(&str) -> Option<String>) -> Self {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let terminal = terminal && variable("TERM").is_none_or(|term| term != "dumb");
        let is_forced = variable("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        let color = match choice {
            ColorChoice::Auto if variable("NO_COLOR").is_some() => false,
            ColorChoice::Auto => is_forced || terminal && variable("CLICOLOR").is_none_or(|value| value != "0"),
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        };
        // The first of these that is set decides, as for every other program.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable).unwrap_or_default();
        let speaks_utf8 = locale.to_ascii_lowercase().replace('-', "").contains("utf8") || cfg!(windows);
        Self {
            color,
            true_color: color && variable("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit"),
            unicode: choice == ColorChoice::Always || (terminal && speaks_utf8),
        }
    }

    /// The text in the ANSI style of these parameters, if there is colour.
    pub fn styled(self, style: &str, text: &str) -> String {
        if self.color { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// The text in bold.
    pub fn bold(self, text: &str) -> String {
        self.styled("1", text)
    }

    /// The text in a fainter colour.
    pub fn dim(self, text: &str) -> String {
        self.styled("2", text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(terminal: bool, choice: ColorChoice, variables: &[(&str, &str)]) -> Look {
        Look::suiting(terminal, choice, |name| {
            variables.iter().find(|variable| variable.0 == name).map(|variable| variable.1.to_owned())
        })
    }

    const UTF8: (&str, &str) = ("LANG", "de_DE.UTF-8");

    #[test]
    fn a_terminal_gets_colour_and_discs_and_a_pipe_gets_neither() {
        let rich = look(true, ColorChoice::Auto, &[UTF8]);
        assert!(rich.color && rich.unicode && !rich.true_color);
        assert!(look(true, ColorChoice::Auto, &[UTF8, ("COLORTERM", "truecolor")]).true_color);
        assert_eq!(look(false, ColorChoice::Auto, &[UTF8, ("COLORTERM", "truecolor")]), Look::PLAIN);
    }

    #[test]
    fn no_color_takes_the_colour_and_leaves_the_discs() {
        for variables in [&[UTF8, ("NO_COLOR", "1")][..], &[UTF8]] {
            let choice = if variables.len() == 1 { ColorChoice::Never } else { ColorChoice::Auto };
            let plain = look(true, choice, variables);
            assert!(!plain.color && plain.unicode);
        }
        // By the convention, an empty value is none, and an explicit option is stronger.
        assert!(look(true, ColorChoice::Auto, &[("NO_COLOR", "")]).color);
        assert!(look(false, ColorChoice::Always, &[("NO_COLOR", "1")]).color);
    }

    #[test]
    fn clicolor_switches_colour_off_and_clicolor_force_switches_it_on() {
        let color = |terminal, variables: &[(&str, &str)]| look(terminal, ColorChoice::Auto, variables).color;
        assert!(!color(true, &[("CLICOLOR", "0")]));
        for value in ["1", ""] {
            assert!(color(true, &[("CLICOLOR", value)]));
            assert!(!color(false, &[("CLICOLOR", value)]));
        }
        // What is forced wins over the stream and over CLICOLOR, but not over NO_COLOR or an option.
        assert!(color(false, &[("CLICOLOR_FORCE", "1")]));
        assert!(color(true, &[("CLICOLOR_FORCE", "1"), ("CLICOLOR", "0")]));
        assert!(color(true, &[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")]));
        for value in ["0", ""] {
            assert!(!color(false, &[("CLICOLOR_FORCE", value)]));
            assert!(color(true, &[("CLICOLOR_FORCE", value)]));
        }
        assert!(!color(true, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
        assert!(!look(true, ColorChoice::Never, &[("CLICOLOR_FORCE", "1")]).color);
        // A pipe gets colors, but no characters that its reader may not support.
        assert!(!look(false, ColorChoice::Auto, &[UTF8, ("CLICOLOR_FORCE", "1")]).unicode);
    }

    #[test]
    fn terminals_that_know_ascii_only_get_ascii() {
        assert!(!look(true, ColorChoice::Auto, &[("LANG", "C")]).unicode);
        assert!(!look(true, ColorChoice::Auto, &[UTF8, ("LC_ALL", "C")]).unicode);
        assert_eq!(look(true, ColorChoice::Auto, &[UTF8, ("TERM", "dumb")]), Look::PLAIN);
    }
}
