//! Evaluation: estimates the final disc difference of a position.
//!
//! # Design
//!
//! - **`patterns`** are sets of squares whose contents are looked up together; `weights` holds their values and the
//!   weight file.
//! - **`Learned`** adds up 54 look-ups. The search updates the indices along the path, in balanced ternary from the
//!   side to move's point of view (`balanced.rs`): when the side changes, a single subtraction over all of them gives
//!   the other side's, so that one table serves both. Tables cover every 16-bit index, so that no look-up needs a
//!   bounds check.
//! - **`interactions`** are a second kind of weights: every configuration also has a vector of 14 bytes, shared by
//!   several phases, and the products of all pairs of vectors are added to the value. That is half the square of their
//!   sum, so that it costs the same look-ups, of 16 bytes instead of 2, and one dot product: an entry is a vector with
//!   its weight (`kernels/entry.rs`; `kernels` has the `unsafe` of this crate), and phases with the same weights share
//!   a table of entries (`entry_tables.rs`). All arithmetic is in integers, with the same result on every machine.
//!   `table_layout.rs` is the order of the entries in both kinds of tables.
//! - **`shipped`** is Emilia's default evaluation on each board: `Learned` with the weights of `data/weights.bin.zst`
//!   on 8x8, `HandMade` on the smaller ones; the page without a server loads the smaller `data/weights-lite.bin.zst`,
//!   without interactions. The weights are a Cargo feature (`shipped-weights`, on by default; `engine` has it too);
//!   without it the host installs them once (`evaluation::install`), and `EvaluatedBoard::available` says whether it
//!   has. They are decompressed on first use, once per process (`compression.rs`), which takes 0.2 s with the tables
//!   that are made of them.
//! - **`probcut`** holds figures for how well shallow searches predict deep ones. It is part of the evaluation, not of
//!   the search, so that weights are never used with figures measured for others.
//! - **`winning`** converts a value into a probability; searches and files use values.

mod balanced;
mod compression;
mod entry_tables;
pub mod handmade;
mod handmade_probcut;
mod handmade_weights;
pub mod interactions;
mod kernels;
mod learned;
pub mod ordering;
pub mod patterns;
pub mod probcut;
pub mod shape;
mod shipped;
mod table_layout;
mod value;
pub mod weights;
pub mod winning;
mod winning_scales;

use std::sync::{Arc, LazyLock};

use othello::{Board, Rules, Square};

pub use handmade::HandMade;
pub use learned::{Learned, PatternFeatures};
pub use ordering::OrderingSet;
pub use probcut::{Cuts, ProbCut};
#[cfg(not(feature = "shipped-weights"))]
pub use shipped::install;
#[cfg(feature = "shipped-weights")]
pub use shipped::shipped_weights;
pub use shipped::{EvaluatedBoard, NoWeights};
pub use value::Value;

/// An evaluation of positions from the point of view of the side to move.
///
/// A search carries [`Features`](Evaluation::Features) along its path, so that a pattern evaluation only updates the
/// indices that a move changes.
pub trait Evaluation<B: Rules = Board>: Send + Sync {
    /// The incrementally updated features.
    type Features: Copy + Send;

    /// The features of a board.
    fn features(&self, board: &B) -> Self::Features;

    /// The features after a move on `board` that flips `flips`, from the other side's point of view.
    fn played(&self, features: &Self::Features, board: &B, square: Square, flips: B::Set) -> Self::Features;

    /// The features after a pass, from the other side's point of view.
    fn passed(&self, features: &Self::Features) -> Self::Features;

    /// The expected final disc difference for the side to move.
    fn evaluate(&self, board: &B, features: &Self::Features) -> Value;

    /// Accuracy of shallow searches with this evaluation as predictions of deep ones; by default the parameters of the
    /// hand-made evaluation.
    fn probcut(&self) -> Arc<ProbCut> {
        static HAND_MADE: LazyLock<Arc<ProbCut>> = LazyLock::new(|| {
            let (midgame, endgame) = (handmade_probcut::MIDGAME.spreads(), handmade_probcut::ENDGAME.spreads());
            Arc::new(ProbCut { cuts: Cuts::Everywhere, midgame, endgame })
        });
        HAND_MADE.clone()
    }
}

/// Implements the trait for pointers to an evaluation: several searchers can share large weights.
macro_rules! evaluation_behind {
    ($pointer:ty) => {
        impl<B: Rules, E: Evaluation<B> + ?Sized> Evaluation<B> for $pointer {
            type Features = E::Features;

            #[inline]
            fn features(&self, board: &B) -> Self::Features {
                (**self).features(board)
            }

            #[inline]
            fn played(&self, features: &Self::Features, board: &B, square: Square, flips: B::Set) -> Self::Features {
                (**self).played(features, board, square, flips)
            }

            #[inline]
            fn passed(&self, features: &Self::Features) -> Self::Features {
                (**self).passed(features)
            }

            #[inline]
            fn evaluate(&self, board: &B, features: &Self::Features) -> Value {
                (**self).evaluate(board, features)
            }

            fn probcut(&self) -> Arc<ProbCut> {
                (**self).probcut()
            }
        }
    };
}

evaluation_behind!(&E);
evaluation_behind!(Arc<E>);

#[cfg(test)]
mod tests {
    //! Helpers of the tests.

    use othello::random::Random;
    use othello::squares;

    use super::*;
    use crate::interactions::Interactions;
    use crate::weights::Weights;

    pub(crate) fn arbitrary_weights() -> Weights {
        let mut random = Random::new(1);
        let mut weights = Weights::zero();
        weights.phases.iter_mut().flatten().for_each(|weight| *weight = (random.bits() >> 53) as i16 - 1024);
        weights
    }

    /// Interactions with numbers from `-largest` to `largest`.
    pub(crate) fn arbitrary_interactions(stages: usize, largest: i8) -> Interactions {
        let mut random = Random::new(7);
        let mut interactions = Interactions::zero(stages);
        for number in interactions.stages.iter_mut().flatten().flatten() {
            *number = (random.below(2 * largest as usize + 1) as i32 - i32::from(largest)) as i8;
        }
        interactions
    }

    /// Visits the positions of a random game with the moves that follow, `None` for a pass; returns the last position.
    pub(crate) fn walk(seed: u64, mut visit: impl FnMut(&Board, Option<Square>)) -> Board {
        let mut random = Random::new(seed);
        let mut board = Board::start();
        while !board.is_over() {
            let moves = board.moves();
            let number = random.below(moves.count_ones().max(1) as usize);
            let square = squares(moves).nth(number);
            visit(&board, square);
            board = square.map_or_else(|| board.pass(), |square| board.after(square, board.flips(square)));
        }
        board
    }
}
