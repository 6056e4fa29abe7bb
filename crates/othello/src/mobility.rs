//! Mobility: the moves that a side has now, and those that it may have later.
//!
//! Everything is counted for the side to move; use `board.pass()` for the other side.

use crate::{Rules, SquareSet};

/// The number of legal moves of the side to move.
#[inline]
pub fn mobility<B: Rules>(board: &B) -> u32 {
    board.moves().count()
}

/// The frontier discs of the side to move: those next to an empty square.
///
/// These are the discs that the opponent may be able to flip.
#[inline]
pub fn frontier<B: Rules>(board: &B) -> B::Set {
    board.player() & B::neighbors(board.empties())
}

/// The empty squares next to a disc of the opponent: all legal moves are among them.
#[inline]
pub fn potential_moves<B: Rules>(board: &B) -> B::Set {
    board.empties() & B::neighbors(board.opponent())
}

/// The number of pairs of adjacent squares with one square in `left` and the other in `right`; the sets must be
/// disjoint.
#[inline]
pub fn contacts<B: Rules>(left: B::Set, right: B::Set) -> u32 {
    let (left_steps, right_steps) = (B::steps(left), B::steps(right));
    // The sets are disjoint, so both directions of a line fit into one set, each pair represented by its higher square.
    (0..4).map(|line| ((left_steps[line] & right) | (right_steps[line] & left)).count()).sum()
}

/// The three measures of potential mobility of the IAGO paper (4.4.2.2), for the side to move.
///
/// ```
/// use othello::{Board, Rules, mobility::PotentialMobility};
///
/// let start = PotentialMobility::of(&Board::start());
/// assert_eq!(start, PotentialMobility { frontier_discs: 2, empty_neighbors: 10, contacts: 10 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PotentialMobility {
    /// The opponent's discs next to an empty square.
    pub frontier_discs: u32,
    /// The empty squares next to an opponent's disc.
    pub empty_neighbors: u32,
    /// The empty squares next to each of the opponent's discs, summed over the discs.
    pub contacts: u32,
}

impl PotentialMobility {
    /// The measures of this board.
    #[inline]
    pub fn of<B: Rules>(board: &B) -> Self {
        Self {
            frontier_discs: frontier(&board.pass()).count(),
            empty_neighbors: potential_moves(board).count(),
            contacts: contacts::<B>(board.opponent(), board.empties()),
        }
    }
}
