//! What the output can show: colours, discs beyond ASCII, or neither.

use std::env;
use std::io::IsTerminal;

use clap::ValueEnum;

/// When to print in colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Also into files and pipes.
    Always,
    /// Nowhere.
    Never,
}

/// How a board is drawn.
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
    #[cfg(test)]
    pub const PLAIN: Look = Look { color: false, true_color: false, unicode: false };

    /// The look that suits this stream.
    pub fn of(stream: &impl IsTerminal, choice: ColorChoice) -> Self {
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let terminal = stream.is_terminal() && variable("TERM").is_none_or(|term| term != "dumb");
        let color = match choice {
            ColorChoice::Auto => terminal && variable("NO_COLOR").is_none(),
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
