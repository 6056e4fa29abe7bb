//! What can be wrong with a record.

use std::fmt;
use std::io;

use crate::records::{GameRecord, ParsePositionError};
use crate::{Color, IllegalMoveError, ParseSquareError, Score};

/// A record that could not be read: in which file, where in it, and what is wrong.
///
/// The records around it are not affected: a reader goes on with the next one.
#[derive(Debug, thiserror::Error)]
#[error("{name}, {place}: {problem}")]
pub struct RecordError {
    /// The file or other source of the record.
    pub name: String,
    /// Where the record is.
    pub place: Place,
    /// What is wrong with it.
    pub problem: RecordProblem,
    /// The record itself, if it could be read whole and only says something wrong about its moves.
    pub record: Option<Box<GameRecord>>,
}

impl RecordError {
    pub(super) fn new(name: &str, place: Place, problem: RecordProblem) -> Self {
        Self { name: name.to_owned(), place, problem, record: None }
    }
}

/// Where in a file a record is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A line, counted from 1: where the record begins.
    Line(u64),
    /// A record, counted from 1, in a file that has no lines.
    Record(u64),
    /// The header before the records.
    Header,
    /// The end of the file, after the last whole record.
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

/// What is wrong with a record.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// A move against the rules.
    #[error("move {number} is illegal: {error}")]
    IllegalMove {
        /// The number of the move, counted from 1, passes not counted.
        number: usize,
        /// Why it is illegal.
        error: IllegalMoveError,
    },
    /// A move on a square that the board does not have.
    #[error("move {number}: {error}")]
    UnknownSquare {
        /// The number of the move, counted from 1, passes not counted.
        number: usize,
        /// What was found instead of a square.
        error: ParseSquareError,
    },
    /// A move by the side whose turn it is not.
    #[error("move {number} is by {found}; expected a move by {expected}, whose turn it is")]
    WrongTurn {
        /// The number of the move, counted from 1, passes not counted.
        number: usize,
        /// Who plays it in the record.
        found: Color,
        /// Whose turn it is.
        expected: Color,
    },
    /// A pass where there are moves.
    #[error("{found} passes before move {number}; expected a move by {expected}, who has one")]
    UnforcedPass {
        /// The number of the move that should have been, counted from 1, passes not counted.
        number: usize,
        /// Who passes in the record.
        found: Color,
        /// Whose turn it is.
        expected: Color,
    },
    /// A board that cannot be read.
    #[error(transparent)]
    Board(#[from] ParsePositionError),
    /// Black's discs as the record counts them are not those at the end of its moves.
    #[error("the record says that Black has {stated} discs at the end, but its {moves} moves lead to {counted}")]
    WrongDiscCount {
        /// What the record says.
        stated: u32,
        /// What the moves lead to, with the empty squares given to the winner.
        counted: u32,
        /// How many moves there are.
        moves: usize,
    },
    /// The moves stop before the end of the game, at another count of discs than the record states.
    #[error(
        "the moves stop before the end of the game: after {moves} of them Black has {black} discs and White {white}, \
         but the record says that it ended {stated}-{}", 64_u32.saturating_sub(*stated)
    )]
    Unfinished {
        /// How many moves there are.
        moves: usize,
        /// Black's discs after them.
        black: u32,
        /// White's discs after them.
        white: u32,
        /// Black's discs at the end, as the record says.
        stated: u32,
    },
    /// One thing where another should be.
    #[error("found {found}; expected {expected}")]
    Malformed {
        /// What the record has.
        found: String,
        /// What it should have.
        expected: String,
    },
    /// A line or record that is too long to be a game.
    #[error("longer than {limit} bytes; expected a shorter game")]
    TooLong {
        /// The most bytes that a record may have.
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
    /// The format knows the usual start position only.
    #[error("the game begins from another position; {format} only holds games from the usual start")]
    CustomStart {
        /// The format, as a noun with its article.
        format: &'static str,
    },
    /// A line without moves would not be read back as a game.
    #[error("the game has no moves; a transcript holds games with at least one")]
    NoMoves,
    /// A Thor file is about one year.
    #[error(
        "the game was played in {found}; the games of this Thor file are from {expected}, and a file holds only one year"
    )]
    OtherYear {
        /// The year of the game.
        found: u16,
        /// The year of the file.
        expected: u16,
    },
    /// A Thor file has one depth for its theoretical scores.
    #[error("the theoretical score is for {found} empty squares; those of this Thor file are for {expected}")]
    OtherDepth {
        /// The empty squares of this record.
        found: u8,
        /// The empty squares of the file.
        expected: u8,
    },
    /// A score that no count of discs gives.
    #[error("the score {0} is impossible on the 8x8 board; expected an even number from -64 to +64")]
    ImpossibleScore(Score),
    /// A Thor file numbers its games, players and tournaments, and the numbers have run out.
    #[error("too many {what}s; a Thor file holds at most {limit}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many there may be.
        limit: u64,
    },
    /// Thor games are three files, which need names.
    #[error("Thor games are written into three files side by side; expected the path of a .wtb file")]
    NeedsPath,
    /// The file could not be written.
    #[error("{0}")]
    Io(#[from] io::Error),
}
