//! The record of a position, and its stored form.

use std::fmt;

use evaluation::Value;
use othello::Square;
use search::{Iteration, Selectivity};

use crate::error::{BookError, Result};

/// The search behind a value: its depth and the confidence of its selective pruning, written as `20@73%`. The deeper
/// one is the greater, then the one with the higher confidence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Effort {
    /// The search depth in plies.
    pub depth: u8,
    /// The selectivity of the search.
    pub selectivity: Selectivity,
}

impl Effort {
    /// No search at all: a value from elsewhere.
    pub const NONE: Effort = Effort { depth: 0, selectivity: Selectivity::LOWEST };

    /// A search of this depth and selectivity.
    pub const fn new(depth: u8, selectivity: Selectivity) -> Self {
        Self { depth, selectivity }
    }

    /// The search that proves a score with this many empty squares.
    pub const fn solving(empties: u8) -> Self {
        Self { depth: empties, selectivity: Selectivity::EXACT }
    }

    /// Whether such a search proves its values in a position with this many empty squares.
    pub fn is_exact(self, empties: u8) -> bool {
        self.depth >= empties && self.selectivity.is_exact()
    }
}

impl From<Iteration> for Effort {
    fn from(iteration: Iteration) -> Self {
        Self { depth: iteration.depth.min(64) as u8, selectivity: iteration.selectivity }
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}@{}", self.depth, self.selectivity))
    }
}

/// The moves that lead neither to a position of the book nor to the end of the game, whose score is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Leaf {
    /// There are no such moves.
    Covered,
    /// The best of them, with its value for the side to move.
    Best {
        /// The move.
        square: Square,
        /// Value for the side to move.
        value: Value,
    },
    /// None of them is worth more than this. It is not known which is the best, because the best of them has entered the book.
    AtMost(Value),
}

impl Leaf {
    /// The value of the best of these moves, or the bound on it.
    pub fn value(self) -> Option<Value> {
        match self {
            Self::Covered => None,
            Self::Best { value, .. } | Self::AtMost(value) => Some(value),
        }
    }

    /// The best of these moves, if it is known.
    pub fn square(self) -> Option<Square> {
        match self {
            Self::Best { square, .. } => Some(square),
            Self::Covered | Self::AtMost(_) => None,
        }
    }

    pub(crate) fn moved(self, to: impl FnOnce(Square) -> Square) -> Self {
        match self {
            Self::Best { square, value } => Self::Best { square: to(square), value },
            leaf => leaf,
        }
    }
}

pub(crate) const RECORD_BYTES: usize = 12;

/// Stored data of a position, in the orientation of its key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    pub(crate) value: Value,
    pub(crate) leaf: Leaf,
    /// The search behind the leaf, or behind the value of a solved position.
    pub(crate) effort: Effort,
    pub(crate) games: u32,
    /// The value was proven by a search of this position, whatever its moves are worth.
    pub(crate) is_solved: bool,
    /// The value is proven, by a search of this position or by those of its moves.
    pub(crate) is_exact: bool,
    /// The value is only a bound: the moves outside the book have to be searched.
    pub(crate) is_open: bool,
}

const COVERED: u8 = 64;
const AT_MOST: u8 = 65;
const SOLVED: u8 = 1;
const EXACT: u8 = 2;
const OPEN: u8 = 4;

impl Record {
    pub(crate) fn to_bytes(self) -> [u8; RECORD_BYTES] {
        let parts = |value: Value| (value.parts() as i16).to_le_bytes();
        let [v0, v1] = parts(self.value);
        let [l0, l1] = parts(self.leaf.value().unwrap_or_default());
        let leaf = match self.leaf {
            Leaf::Covered => COVERED,
            Leaf::AtMost(_) => AT_MOST,
            Leaf::Best { square, .. } => square.index() as u8,
        };
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let flags = flag(self.is_solved, SOLVED) | flag(self.is_exact, EXACT) | flag(self.is_open, OPEN);
        let [g0, g1, g2, g3] = self.games.to_le_bytes();
        [v0, v1, l0, l1, leaf, self.effort.depth, self.effort.selectivity.percent(), flags, g0, g1, g2, g3]
    }

    pub(crate) fn from_bytes(bytes: &[u8; RECORD_BYTES]) -> Result<Self> {
        let [v0, v1, l0, l1, leaf, depth, percent, flags, games @ ..] = *bytes;
        let value = |bytes| {
            let value = Value::new(i32::from(i16::from_le_bytes(bytes)));
            let is_valid = value == value.clamped();
            is_valid.then_some(value).ok_or_else(|| BookError::damaged(format!("a value of {value} discs")))
        };
        let leaf = match leaf {
            COVERED => Leaf::Covered,
            AT_MOST => Leaf::AtMost(value([l0, l1])?),
            square @ ..64 => Leaf::Best { square: Square::new(square), value: value([l0, l1])? },
            other => return Err(BookError::damaged(format!("a move to square {other}"))),
        };
        let selectivity = Selectivity::from_percent(percent);
        if selectivity.percent() != percent || flags & !(SOLVED | EXACT | OPEN) != 0 {
            return Err(BookError::damaged(format!("a search of {depth}@{percent}% with flags {flags}")));
        }
        Ok(Self {
            value: value([v0, v1])?,
            leaf,
            effort: Effort { depth, selectivity },
            games: u32::from_le_bytes(games),
            is_solved: flags & SOLVED != 0,
            is_exact: flags & EXACT != 0,
            is_open: flags & OPEN != 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_record_reads_back_from_its_bytes(
            value in -8192i32..=8192, leaf in -8192i32..=8192, square in 0u8..66, depth in 0u8..=64, level in 0usize..6,
            games: u32, flags in 0u8..8
        ) {
            let leaf = match square {
                64 => Leaf::Covered,
                65 => Leaf::AtMost(Value::new(leaf)),
                square => Leaf::Best { square: Square::new(square), value: Value::new(leaf) },
            };
            let selectivity = Selectivity::all().nth(level).expect("a level");
            let record = Record {
                value: Value::new(value),
                leaf,
                effort: Effort { depth, selectivity },
                games,
                is_solved: flags & 1 != 0,
                is_exact: flags & 2 != 0,
                is_open: flags & 4 != 0,
            };
            prop_assert_eq!(Record::from_bytes(&record.to_bytes()).expect("a record"), record);
        }

        #[test]
        fn no_bytes_make_a_record_panic(bytes: [u8; RECORD_BYTES]) {
            if let Ok(record) = Record::from_bytes(&bytes) {
                // The value of a leaf that has none is not kept.
                prop_assert_eq!(&record.to_bytes()[4..], &bytes[4..]);
            }
        }
    }

    #[test]
    fn the_deeper_search_is_the_greater_effort_and_confidence_decides_between_equals() {
        let effort = |depth, percent| Effort::new(depth, Selectivity::from_percent(percent));
        assert!(effort(20, 73) > effort(18, 100));
        assert!(effort(20, 98) > effort(20, 73));
        assert_eq!(effort(20, 73).to_string(), "20@73%");
        assert!(effort(24, 100).is_exact(24) && !effort(24, 99).is_exact(24) && !effort(23, 100).is_exact(24));
    }
}
