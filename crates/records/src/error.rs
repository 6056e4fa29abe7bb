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

/// A problem with a record.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// A move against the rules.
    #[error("move {number} is illegal: {error}")]
    IllegalMove {
        /// The number of the move, counted from 1, passes not counted.
        number: usize,
        /// The reason.
        error: IllegalMoveError,
    },
    /// A move on a square that does not exist on the board.
    #[error("move {number}: {error}")]
    UnknownSquare {
        /// The number of the move, counted from 1, passes not counted.
        number: usize,
        /// The text found instead of a square.
        error: ParseSquareError,
    },
    /// A move by the side that is not to move.
    #[error("move {number} is by {found}; expected a move by {expected}, whose turn it is")]
    WrongTurn {
        /// The number of the move, counted from 1, passes not counted.
        number: usize,
        /// The side that plays it in the record.
        found: Color,
        /// The side to move.
        expected: Color,
    },
    /// A pass in a position with legal moves.
    #[error("{found} passes before move {number}; expected a move by {expected}, who has one")]
    UnforcedPass {
        /// The number of the move expected instead, counted from 1, passes not counted.
        number: usize,
        /// The side that passes in the record.
        found: Color,
        /// The side to move.
        expected: Color,
    },
    /// A board that cannot be read.
    #[error(transparent)]
    Board(#[from] ParsePositionError),
    /// The record states a different number of black discs than its moves lead to.
    #[error("the record says that Black has {stated} discs at the end, but its {moves} moves lead to {counted}")]
    WrongDiscCount {
        /// The number that the record states.
        stated: u32,
        /// The number that the moves lead to, with the empty squares given to the winner.
        counted: u32,
        /// The number of moves.
        moves: usize,
    },
    /// The moves stop before the end of the game, at a different disc count than the record states.
    #[error(
        "the moves stop before the end of the game: after {moves} of them Black has {black} discs and White {white}, \
         but the record says that it ended {stated}-{}", 64_u32.saturating_sub(*stated)
    )]
    Unfinished {
        /// The number of moves.
        moves: usize,
        /// Black's discs after the moves.
        black: u32,
        /// White's discs after the moves.
        white: u32,
        /// Black's discs at the end, as stated in the record.
        stated: u32,
    },
    /// Something other than expected.
    #[error("found {found}; expected {expected}")]
    Malformed {
        /// The text or value in the record.
        found: String,
        /// The expected ones.
        expected: String,
    },
    /// A line or record that is too long to be a game.
    #[error("longer than {limit} bytes; expected a shorter game")]
    TooLong {
        /// The maximum length of a record in bytes.
        limit: usize,
    },
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
}

impl RecordProblem {
    pub(super) fn malformed(found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::Malformed { found: found.into(), expected: expected.into() }
    }
}

/// A record that could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A game from another position in a format that supports only the standard start.
    #[error("the game begins from another position; {format} only holds games from the standard start")]
    CustomStart {
        /// The format, as a noun with its article.
        format: &'static str,
    },
    /// A game of another board: Thor files hold games of the 8x8 board.
    #[error("the game was played on the {board} board; a Thor file only holds 8x8 games")]
    OtherBoard {
        /// The name of the board.
        board: &'static str,
    },
    /// A transcript without moves, which could not be read back as a game.
    #[error("the game has no moves; a transcript holds games with at least one")]
    NoMoves,
    /// A game of another year: a Thor file holds the games of one.
    #[error(
        "the game was played in {found}; the games of this Thor file are from {expected}, and a file holds only one year"
    )]
    OtherYear {
        /// The year of the game.
        found: u16,
        /// The year of the file.
        expected: u16,
    },
    /// A theoretical score of another depth: a Thor file has one depth for all.
    #[error("the theoretical score is for {found} empty squares; those of this Thor file are for {expected}")]
    OtherDepth {
        /// The number of empty squares of this record.
        found: u8,
        /// The number of empty squares of the file.
        expected: u8,
    },
    /// A score that is not the difference of any disc counts.
    #[error("the score {0} is impossible on the 8x8 board; expected an even number from -64 to +64")]
    ImpossibleScore(Score),
    /// Too many games, players or tournaments for the numbers of a Thor file.
    #[error("too many {what}s; a Thor file holds at most {limit}")]
    TooMany {
        /// The items of which there are too many.
        what: &'static str,
        /// The maximum number.
        limit: u64,
    },
    /// An output without a name: Thor games are written to three files.
    #[error("Thor games are written into three files side by side; expected the path of a .wtb file")]
    NeedsPath,
    /// The file could not be written.
    #[error("{0}")]
    Io(#[from] io::Error),
}
