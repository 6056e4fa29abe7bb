//! Errors in records.

use std::fmt;
use std::io;

use crate::GameRecord;
use othello::{Color, IllegalMoveError, ParsePositionError, ParseSquareError, Score};

/// A record that could not be read: the file, the place in it, and the problem.
///
/// The other records are not affected: a reader continues with the next one.
#[derive(Debug, thiserror::Error)]
#[error("{name}, {place}: {problem}")]
pub struct RecordError {
    /// The file or other source of the record.
    pub name: String,
    /// The place of the record in it.
    pub place: Place,
    /// The problem.
    pub problem: RecordProblem,
    /// The record itself, if it could be read completely and only states something wrong about its moves.
    pub record: Option<Box<GameRecord>>,
}

impl RecordError {
    pub(super) fn new(name: &str, place: Place, problem: RecordProblem) -> Self {
        Self { name: name.to_owned(), place, problem, record: None }
    }
}

/// The beginning of a text, for a message.
pub(crate) fn brief(text: &str) -> String {
    text.chars().take(20).collect()
}

/// The place of a record in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// The line on which the record begins, counted from 1.
    Line(u64),
    /// A record, counted from 1, in a file without lines.
    Record(u64),
    /// The header before the records.
    Header,
    /// The end of the file, after the last complete record.
    End,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Record(record) => write!(f, "record {record}"),
            Place::Header => f.write_str("header"),
            Place::End => f.write_str("end of file"),
        }
    }
}

/// A problem with a record. Moves are counted from 1, passes are not.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// The move with this number is against the rules.
    #[error("move {0} is illegal: {1}")]
    IllegalMove(usize, IllegalMoveError),
    /// The move with this number is on a square that does not exist on the board.
    #[error("move {0}: {1}")]
    UnknownSquare(usize, ParseSquareError),
    /// The move with this number is by this side, which is not to move.
    #[error("move {0} is by {1}; expected a move by {turn}, whose turn it is", turn = !*.1)]
    WrongTurn(usize, Color),
    /// A pass in a position with legal moves.
    #[error("{found} passes before move {number}; expected a move by {expected}, who has one")]
    UnforcedPass {
        /// The number of the move expected instead.
        number: usize,
        /// The side that passes in the record.
        found: Color,
        /// The side to move.
        expected: Color,
    },
    /// A board that cannot be read.
    #[error(transparent)]
    Board(#[from] ParsePositionError),
    /// The moves lead to another number of discs than the record states, or stop before the end of the game.
    #[error("{0}")]
    WrongResult(String),
    /// A text or value in the record other than the expected one.
    #[error("found {0}; expected {1}")]
    Malformed(String, String),
    /// A line or record that is too long to be a game: longer than this number of bytes.
    #[error("longer than {0} bytes; expected a shorter game")]
    TooLong(usize),
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
}

impl RecordProblem {
    pub(super) fn malformed(found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::Malformed(found.into(), expected.into())
    }
}

/// A record that could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A game from another position in this format, a noun with its article, which supports only the standard start.
    #[error("the game begins from another position; {0} only holds games from the standard start")]
    CustomStart(&'static str),
    /// A game of the board with this name: Thor files hold games of the 8x8 board.
    #[error("the game was played on the {0} board; a Thor file only holds 8x8 games")]
    OtherBoard(&'static str),
    /// A transcript without moves, which could not be read back as a game.
    #[error("the game has no moves; a transcript holds games with at least one")]
    NoMoves,
    /// A game of the first year in a Thor file of the second: a file holds the games of one.
    #[error("the game was played in {0}; the games of this Thor file are from {1}, and a file holds only one year")]
    OtherYear(u16, u16),
    /// A theoretical score for the first number of empty squares in a Thor file for the second.
    #[error("the theoretical score is for {0} empty squares; those of this Thor file are for {1}")]
    OtherDepth(u8, u8),
    /// A score that is not the difference of any disc counts.
    #[error("the score {0} is impossible on the 8x8 board; expected an even number from -64 to +64")]
    ImpossibleScore(Score),
    /// Too many games, players or tournaments for the numbers of a Thor file, which has at most this many.
    #[error("too many {0}s; a Thor file holds at most {1}")]
    TooMany(&'static str, u64),
    /// An output without a name: Thor games are written to three files.
    #[error("Thor games are written into three files side by side; expected the path of a .wtb file")]
    NeedsPath,
    /// The file could not be written.
    #[error("{0}")]
    Io(#[from] io::Error),
}
