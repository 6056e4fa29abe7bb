//! The position that a command is about: a board, which may begin with hyphens as options do, a game, or a game in a file.

use std::ffi::OsStr;
use std::path;

use clap::builder::{StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};

use crate::prelude::*;

/// The arguments that name a position.
#[derive(Args)]
pub(crate) struct Subject {
    /// A board as 64 characters X, O and -, with the side to move; a game such as f5d6c3; the name of an opening such as
    /// tiger; a file; - for standard input; or `start` for the starting position
    #[arg(value_name = "BOARD|GAME|FILE|NAME", allow_hyphen_values = true, value_parser = PositionWord)]
    what: String,

    /// The side to move, X or O, if it is not part of BOARD
    #[arg(value_name = "SIDE")]
    side: Option<String>,

    /// The position after the first N moves of the game
    #[arg(long = "move", value_name = "N", value_parser = number(0..=usize::MAX))]
    move_number: Option<usize>,

    /// Game number N in the file [default: 1]
    #[arg(long, value_name = "N", value_parser = number(1..=usize::MAX))]
    game: Option<usize>,
}

impl Subject {
    pub(crate) const START: &str = "start";

    /// The subject of commands that have arguments of their own.
    pub(crate) fn new(what: &str, game: Option<usize>) -> Self {
        Self { what: what.to_owned(), side: None, move_number: None, game }
    }

    pub(crate) fn record<B: RecordedBoard>(&self) -> Result<GameRecord<B>> {
        let mut record = self.whole_record()?;
        let length = record.game.line().len();
        if let Some(number) = self.move_number {
            ensure_usage!(number <= length, "the game has no move {number}; expected 0 to {length}");
            record.game.rewind();
            for _ in 0..number {
                record.game.redo();
            }
        }
        Ok(record)
    }

    /// The selected position; at the start of a game, before a pass that may be necessary.
    pub(crate) fn position<B: RecordedBoard>(&self) -> Result<Position<B>> {
        Ok(position_of(&self.record()?.game))
    }

    /// The file, if one is named; `-` is standard input.
    pub(crate) fn file(&self) -> Option<&Path> {
        let path = Path::new(&self.what);
        let is_file = self.side.is_none() && self.what != Self::START && !is_board(&self.what);
        (is_file && (self.is_standard_input() || path.exists())).then_some(path)
    }

    pub(crate) fn is_standard_input(&self) -> bool {
        self.side.is_none() && self.what == STANDARD_STREAM
    }

    /// Whether one game of the file or one position of the game is selected.
    pub(crate) fn chooses(&self) -> bool {
        self.move_number.is_some() || self.game.is_some()
    }

    fn whole_record<B: RecordedBoard>(&self) -> Result<GameRecord<B>> {
        let text = match &self.side {
            Some(side) => format!("{} {side}", self.what),
            None => self.what.clone(),
        };
        // A board followed by other text is still treated as a board, and parsing it reports what is wrong.
        if is_board(&text) || self.side.is_some() && is_board(&self.what) {
            self.refuse_game_number("a board")?;
            return Ok(GameRecord::new(Game::from_position(text.parse().map_err(UsageError::new)?)));
        }
        if let Some(side) = &self.side {
            bail_usage!("unexpected argument {side:?}: only a board is followed by the side to move");
        }
        if text == Self::START {
            self.refuse_game_number("the starting position")?;
            return Ok(GameRecord::default());
        }
        if let Some(path) = self.file() {
            return Ok(B::read_game(path, self.game.unwrap_or(1))?);
        }
        let record: GameRecord<B> = named_opening::transcript_or_name(&text, "board, file")?;
        // Only spaces and hyphens would be a game without moves, which cannot be intended.
        if record.game.line().is_empty() && record.game.start() == Position::start() {
            bail_usage!("no position given; expected a board, a game such as f5d6c3, or a file");
        }
        let is_named = opening_names::find(&text).is_some();
        self.refuse_game_number(if is_named { "the name of an opening" } else { "a game" })?;
        Ok(record)
    }

    fn refuse_game_number(&self, what: &str) -> Result<()> {
        ensure_usage!(self.game.is_none(), "--game needs a file, but {what} was given");
        Ok(())
    }
}

/// Whether a text is meant as a board, and not as a file that has such a name.
pub(crate) fn is_board(text: &str) -> bool {
    session::looks_like_board(text) && !Path::new(text).exists()
}

/// Whether a text looks like the path of a file.
pub(crate) fn looks_like_path(text: &str) -> bool {
    let is_address = text.contains("://");
    !is_address && !text.contains('\n') && (Path::new(text).extension().is_some() || text.contains(path::is_separator))
}

/// The current position; at the start, before a pass that may be necessary.
pub(crate) fn position_of<B: Rules>(game: &Game<B>) -> Position<B> {
    if game.move_count() == 0 { game.start() } else { game.position() }
}

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
