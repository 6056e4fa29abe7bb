//! What can be wrong with a record.

use std::fmt;
use std::io;

use crate::records::ParsePositionError;
use crate::{IllegalMoveError, ParseSquareError};

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
    /// More or fewer bytes or records than there should be.
    #[error("found {found}; expected {expected}")]
    Malformed {
        /// What the record has.
        found: String,
        /// What it should have.
        expected: String,
    },
    /// A line or record that is too long to be a game.
    #[error("longer than {limit} bytes; expected a game, which is shorter")]
    TooLong {
        /// The most bytes that a record may have.
        limit: usize,
    },
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
}

impl RecordProblem {
    /// A record that has one thing where another should be.
    pub fn malformed(found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::Malformed { found: found.into(), expected: expected.into() }
    }
}
