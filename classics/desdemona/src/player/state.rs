//! A position with the indices of its configurations, updated along the path of a search.

use othello::{Rules, Square};

use super::simple_features::{Indices, Patterns};

/// A position with what the search updates along the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State<B> {
    /// The discs, from the side to move's point of view.
    pub board: B,
    /// Whether the first side is to move: the one that the numbers of the configurations call 0.
    pub(super) is_first: bool,
    pub(super) indices: Indices,
}

impl<B: Rules> State<B> {
    /// A position whose side to move is the first side.
    pub fn new(patterns: &Patterns, board: B) -> Self {
        Self { board, is_first: true, indices: patterns.indices(board.player(), board.opponent()) }
    }

    /// The numbers of its configurations.
    pub fn indices(&self) -> &Indices {
        &self.indices
    }

    /// The position after a move that flips these discs.
    #[inline]
    pub fn after(&self, patterns: &Patterns, square: Square, flips: B::Set) -> Self {
        let mut indices = self.indices;
        patterns.place(&mut indices, square, self.is_first);
        patterns.flip(&mut indices, flips);
        Self { board: self.board.after(square, flips), is_first: !self.is_first, indices }
    }

    /// The position after a pass.
    #[inline]
    pub fn pass(&self) -> Self {
        Self { board: self.board.pass(), is_first: !self.is_first, indices: self.indices }
    }
}
