//! The rules of Othello, the same for every board.

use core::fmt::Debug;
use core::hash::Hash;

use crate::{Geometry, Score, Square, SquareSet};

/// A board with the rules of Othello, from the point of view of the side to move.
///
/// Implemented by the 8x8 [`Board`](crate::Board), the [`SmallBoard`](crate::SmallBoard)s and the
/// 92-square [`CutBoard`](crate::CutBoard).
pub trait Rules: Copy + Debug + Eq + Ord + Hash + Send + Sync + 'static {
    /// The integer type for sets of squares of this board.
    type Set: SquareSet;

    /// The shape of the board.
    const GEOMETRY: Geometry;

    /// All playable squares.
    const PLAYABLE: Self::Set;

    /// The board with these discs of the side to move and of its opponent.
    ///
    /// The sets must be disjoint and lie on the board; [`Rules::checked`] checks this.
    fn from_discs(player: Self::Set, opponent: Self::Set) -> Self;

    /// The start of a game: Black to move.
    fn start() -> Self;

    /// The discs of the side to move.
    fn player(&self) -> Self::Set;

    /// The discs of the other side.
    fn opponent(&self) -> Self::Set;

    /// The legal moves of the side to move.
    fn moves(&self) -> Self::Set;

    /// The discs that the side to move would flip by playing on this empty square; empty if the move is illegal.
    fn flips(&self, square: Square) -> Self::Set;

    /// The squares adjacent to a square of the set in any of the eight directions; they may include squares of the set
    /// itself.
    fn neighbors(set: Self::Set) -> Self::Set;

    /// The set shifted by one square in each of the four directions of increasing square numbers: right, down-left,
    /// down, down-right. Squares shifted off the board are dropped.
    fn steps(set: Self::Set) -> [Self::Set; 4];

    /// The board transformed by symmetry number `index`, 0 (identity) to 7.
    fn transformed(&self, index: usize) -> Self;

    /// Like [`Rules::from_discs`], but `None` if the sets overlap or leave the board.
    fn checked(player: Self::Set, opponent: Self::Set) -> Option<Self> {
        let fits = (player & opponent).is_empty() && ((player | opponent) & !Self::PLAYABLE).is_empty();
        fits.then(|| Self::from_discs(player, opponent))
    }

    /// The squares without a disc.
    #[inline]
    fn empties(&self) -> Self::Set {
        Self::PLAYABLE & !(self.player() | self.opponent())
    }

    /// The board after this move, from the other side's point of view, or `None` if the move is illegal.
    #[inline]
    fn play(&self, square: Square) -> Option<Self> {
        let index_fits = square.index() < 8 * size_of::<Self::Set>();
        if !index_fits || !self.empties().has(square) {
            return None;
        }
        let flips = self.flips(square);
        (!flips.is_empty()).then(|| self.after(square, flips))
    }

    /// The board after a move that flips these discs, from the other side's point of view.
    #[inline]
    fn after(&self, square: Square, flips: Self::Set) -> Self {
        Self::from_discs(self.opponent() ^ flips, self.player() ^ flips ^ Self::Set::only(square))
    }

    /// The board before a move that flipped these discs: the inverse of [`Rules::after`].
    #[inline]
    fn before(&self, square: Square, flips: Self::Set) -> Self {
        Self::from_discs(self.opponent() ^ flips ^ Self::Set::only(square), self.player() ^ flips)
    }

    /// The same discs from the other side's point of view.
    #[inline]
    fn pass(&self) -> Self {
        Self::from_discs(self.opponent(), self.player())
    }

    /// Whether the side to move has a legal move.
    #[inline]
    fn can_move(&self) -> bool {
        !self.moves().is_empty()
    }

    /// Whether the side to move has to pass: it has no legal move, but its opponent has.
    #[inline]
    fn must_pass(&self) -> bool {
        !self.can_move() && self.pass().can_move()
    }

    /// Whether neither side has a legal move.
    #[inline]
    fn is_over(&self) -> bool {
        !self.can_move() && !self.pass().can_move()
    }

    /// The disc difference with the empty squares given to the winner, as if the game ended here.
    #[inline]
    fn final_score(&self) -> Score {
        Score::of_counts(self.player().count(), self.opponent().count(), self.empties().count())
    }

    /// The smallest of the eight symmetric images of the board: equal for boards that are the same up to symmetry.
    fn canonical(&self) -> Self {
        (1..8).map(|index| self.transformed(index)).fold(*self, Self::min)
    }
}
