//! Words that may be boards, which may begin with hyphens as options do.

use std::ffi::OsStr;

use clap::builder::{StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};

/// Parses a word that may be a board; a mistyped option is refused.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PositionWord;

impl TypedValueParser for PositionWord {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        let text = StringValueParser::new().parse_ref(command, argument, value)?;
        if is_option(&text) { Err(unexpected_option(command, &text)) } else { Ok(text) }
    }
}

/// Whether a word begins as an option does. Boards may have a letter after two hyphens, too: `--XO…`.
fn is_option(text: &str) -> bool {
    let name = text.strip_prefix("--").unwrap_or_default();
    name.starts_with(|symbol: char| symbol.is_ascii_alphabetic()) && !session::looks_like_board(text)
}

fn unexpected_option(command: &Command, text: &str) -> Error {
    let option = text.split_once('=').map_or(text, |(option, _)| option);
    let mut error = Error::new(ErrorKind::UnknownArgument).with_cmd(command);
    error.insert(ContextKind::InvalidArg, ContextValue::String(option.to_owned()));
    error.insert(ContextKind::Usage, ContextValue::StyledStr(command.clone().render_usage()));
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_and_moves_are_told_from_options() {
        for text in ["--wdl", "--names", "--move=3", "--x"] {
            assert!(is_option(text), "{text}");
        }
        let board = format!("--XO{}", "-".repeat(60));
        for text in [board.as_str(), "f5d6", "-- -- f5", "--", "-", "-x", "--------XO------"] {
            assert!(!is_option(text), "{text}");
        }
    }
}
