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

    #[test]
    fn the_look_follows_the_stream_the_option_and_the_environment() {
        use ColorChoice::{Always, Auto, Never};
        for (terminal, choice, variables, expected) in [
            (true, Auto, "LANG=de_DE.UTF-8", "color unicode"),
            (true, Auto, "LANG=de_DE.UTF-8 COLORTERM=truecolor", "color unicode true_color"),
            (false, Auto, "LANG=de_DE.UTF-8 COLORTERM=truecolor", ""),
            // NO_COLOR leaves the discs. By the convention, an empty value is none, and an explicit option is stronger.
            (true, Auto, "LANG=de_DE.UTF-8 NO_COLOR=1", "unicode"),
            (true, Never, "LANG=de_DE.UTF-8", "unicode"),
            (true, Auto, "NO_COLOR=", "color"),
            (false, Always, "NO_COLOR=1", "color unicode"),
            (true, Auto, "CLICOLOR=0", ""),
            (true, Auto, "CLICOLOR=1", "color"),
            (true, Auto, "CLICOLOR=", "color"),
            (false, Auto, "CLICOLOR=1", ""),
            (false, Auto, "CLICOLOR=", ""),
            // CLICOLOR_FORCE wins over the stream and over CLICOLOR, but not over NO_COLOR or an option.
            (false, Auto, "CLICOLOR_FORCE=1", "color"),
            (true, Auto, "CLICOLOR_FORCE=1 CLICOLOR=0", "color"),
            (true, Auto, "CLICOLOR_FORCE=1 TERM=dumb", "color"),
            (false, Auto, "CLICOLOR_FORCE=0", ""),
            (false, Auto, "CLICOLOR_FORCE=", ""),
            (true, Auto, "CLICOLOR_FORCE=0", "color"),
            (true, Auto, "CLICOLOR_FORCE=", "color"),
            (true, Auto, "CLICOLOR_FORCE=1 NO_COLOR=1", ""),
            (true, Never, "CLICOLOR_FORCE=1", ""),
            // A pipe gets colors, but no characters that its reader may not support; nor does a terminal with ASCII only.
            (false, Auto, "LANG=de_DE.UTF-8 CLICOLOR_FORCE=1", "color"),
            (true, Auto, "LANG=C", "color"),
            (true, Auto, "LANG=de_DE.UTF-8 LC_ALL=C", "color"),
            (true, Auto, "LANG=de_DE.UTF-8 TERM=dumb", ""),
        ] {
            let variable = |name: &str| {
                let mut pairs = variables.split(' ').filter_map(|pair| pair.split_once('='));
                pairs.find(|pair| pair.0 == name).map(|pair| pair.1.to_owned())
            };
            let look = Look::suiting(terminal, choice, variable);
            let has = |name| expected.split(' ').any(|part| part == name);
            let expected = Look { color: has("color"), true_color: has("true_color"), unicode: has("unicode") };
            assert_eq!(look, expected, "{terminal} {choice:?} {variables}");
        }
    }
}
