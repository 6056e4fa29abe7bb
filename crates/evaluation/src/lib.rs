//! Evaluation: estimates the final disc difference of a position.

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

    /// How well shallow searches with this evaluation predict deep ones; by default the parameters of the hand-made
    /// evaluation.
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
