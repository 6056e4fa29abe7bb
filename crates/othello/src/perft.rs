//! Perft: the number of move sequences of a given length, the standard test of a move generator.

use crate::{Rules, SquareSet, squares};

/// The way to count a forced pass. Both conventions are in use; they differ from depth 9 on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassCounts {
    /// A pass is a ply like any move.
    AsPly,
    /// A pass costs no ply: the depth counts discs placed.
    Free,
}

/// The number of leaves `depth` plies below the board; a game that ends earlier is one leaf.
///
/// The last ply is counted in bulk, from the set of legal moves.
///
/// ```
/// use othello::perft::{PassCounts, perft};
/// use othello::{Board, Rules};
///
/// assert_eq!(perft(&Board::start(), 9, PassCounts::AsPly), 3_005_288);
/// assert_eq!(perft(&Board::start(), 9, PassCounts::Free), 3_005_320);
/// ```
pub fn perft<B: Rules>(board: &B, depth: u32, passes: PassCounts) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = board.moves();
    if moves.is_empty() {
        let passed = board.pass();
        if !passed.can_move() {
            return 1;
        }
        return match passes {
            PassCounts::AsPly => perft(&passed, depth - 1, passes),
            PassCounts::Free => perft(&passed, depth, passes),
        };
    }
    if depth == 1 {
        return u64::from(moves.count());
    }
    squares(moves).map(|square| perft(&board.after(square, board.flips(square)), depth - 1, passes)).sum()
}
