//! A position of the book, as its users see it.

use engine::Estimate;
use evaluation::Value;
use othello::symmetry::{inverse, transform_square};
use othello::{Board, Rules, Score, Square};
use serde::Serialize;

use crate::key::Key;
use crate::record::{Effort, Leaf, Record};

/// The entry of a position in the book.
///
/// The side to move always has a legal move: a position in which it has to pass is the one after the pass, with the
/// sign of its value changed. The end of a game needs no entry, because its score is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookPosition {
    /// The board, in the orientation of the request.
    pub board: Board,
    /// Value for the side to move: that of the best move, in the book, to the end, or out of the book.
    pub value: Value,
    /// Its moves that do not lead to positions of the book.
    pub leaf: Leaf,
    /// The search behind the leaf, or behind the value of a solved position.
    pub effort: Effort,
    /// The number of games that were counted.
    pub games: u32,
    /// The value was proven by a search of this position: the values of its moves do not change it.
    pub is_solved: bool,
    /// The value is proven, by a search of this position or by those of its moves.
    pub is_exact: bool,
    /// The value is only an upper bound, until the moves outside of the book are searched.
    pub is_open: bool,
}

impl BookPosition {
    pub(crate) fn stored(key: &Key, record: &Record) -> Self {
        let Record { value, leaf, effort, games, is_solved, is_exact, is_open } = *record;
        Self { board: key.board(), value, leaf, effort, games, is_solved, is_exact, is_open }
    }

    /// The position in the orientation of a board, which the symmetry turns into the board of the key.
    pub(crate) fn oriented(board: &Board, symmetry: usize, key: &Key, record: &Record) -> Self {
        let stored = Self::stored(key, record);
        let leaf = stored.leaf.moved(|square| transform_square(square, inverse(symmetry)));
        Self { board: *board, leaf, ..stored }
    }

    /// The position in the orientation of [`Rules::canonical`].
    pub fn canonical(&self) -> Self {
        let (board, symmetry) =
            (0..8).map(|index| (self.board.transformed(index), index)).min().unwrap_or((self.board, 0));
        let leaf = self.leaf.moved(|square| transform_square(square, symmetry));
        Self { board, leaf, ..*self }
    }

    /// Its value: a score if it is proven, else an expected one.
    pub fn estimate(&self) -> Estimate {
        estimate(self.value, self.is_exact)
    }

    /// The finding with which the position can be inserted again.
    pub fn finding(&self) -> Finding {
        let solved = self.is_solved.then(|| Score::new((self.value.parts() / Value::PER_DISC) as i8));
        Finding { leaf: self.leaf, effort: self.effort, solved, games: self.games }
    }
}

/// Search results for a position that enters the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The best of its moves, or of those that are not in the book yet.
    pub leaf: Leaf,
    /// The search behind it.
    pub effort: Effort,
    /// The proven score of the position.
    pub solved: Option<Score>,
    /// The number of games to count.
    pub games: u32,
}

impl Finding {
    /// The best move and its value, found by a search.
    pub fn best(square: Square, value: Value, effort: Effort) -> Self {
        Self { leaf: Leaf::Best { square, value }, effort, solved: None, games: 0 }
    }
}

/// Changes made by inserting a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inserted {
    /// The position is new.
    New,
    /// It was in the book, and the search behind the new finding is the deeper one.
    Improved,
    /// It was in the book, with a search as deep.
    Known,
}

/// Target of a move of a position of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Destination {
    /// To a position of the book.
    Book,
    /// To the end of the game.
    End,
    /// Out of the book: the leaf.
    Leaf,
}

/// A move of a position of the book whose value is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub square: Square,
    /// Value for the side to move.
    pub value: Value,
    /// Target of the move.
    pub destination: Destination,
    /// Whether the value is proven.
    pub is_exact: bool,
    /// The number of games that were counted after it.
    pub games: u32,
}

impl BookMove {
    /// Its value: a score if it is proven, else an expected one.
    pub fn estimate(&self) -> Estimate {
        estimate(self.value, self.is_exact)
    }
}

/// A value as a score if it is proven, else as an expected one.
pub(crate) fn estimate(value: Value, is_exact: bool) -> Estimate {
    if is_exact && value.parts() % Value::PER_DISC == 0 {
        return Estimate::Solved(Score::new((value.parts() / Value::PER_DISC) as i8));
    }
    Estimate::Discs { hundredths: (value.discs() * 100.0).round() as i32 }
}
