//! The default evaluation: learned on the 8x8 board, hand-made on the smaller ones.
//!
//! The weights of the learned evaluation are part of the library if its feature `shipped-weights` is enabled, which is
//! the default. Otherwise they are supplied at run time: `install` makes them the default ones, and
//! [`Weights::from_bytes`] with [`EvaluatedBoard::WEIGHTED`] any others.

use std::fmt;
use std::sync::Arc;
#[cfg(feature = "shipped-weights")]
use std::sync::LazyLock;
#[cfg(any(test, not(feature = "shipped-weights")))]
use std::sync::OnceLock;

use othello::{Board, Rules, SmallBoard};

use crate::weights::Weights;
use crate::{Evaluation, HandMade, Learned, Value};

/// The weights, compressed; data/README.md has the commands that made them.
#[cfg(feature = "shipped-weights")]
static WEIGHTS: &[u8] = include_bytes!("../../../data/weights.bin.zst");

/// The weights that ship with the program, decompressed when they are used for the first time.
#[cfg(feature = "shipped-weights")]
pub fn shipped_weights() -> &'static Weights {
    static SHIPPED: LazyLock<Weights> =
        LazyLock::new(|| Weights::from_bytes(WEIGHTS).expect("the weights are whole when the program is built"));
    &SHIPPED
}

/// The default evaluation of the 8x8 board was requested before its weights were installed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the weights of Emilia's evaluation are not loaded")]
pub struct NoWeights;

/// An evaluation that the host supplies after the program has started.
#[cfg(any(test, not(feature = "shipped-weights")))]
struct Installed(OnceLock<Arc<Learned>>);

#[cfg(any(test, not(feature = "shipped-weights")))]
impl Installed {
    const fn new() -> Self {
        Self(OnceLock::new())
    }

    fn install(&self, weights: &Weights) {
        self.0.get_or_init(|| Arc::new(Learned::new(weights)));
    }

    fn get(&self) -> Result<Arc<Learned>, NoWeights> {
        self.0.get().cloned().ok_or(NoWeights)
    }
}

#[cfg(not(feature = "shipped-weights"))]
static INSTALLED: Installed = Installed::new();

/// Makes these weights the default ones. Only the first call has an effect, so that no two players differ in them.
#[cfg(not(feature = "shipped-weights"))]
pub fn install(weights: &Weights) {
    INSTALLED.install(weights);
}

/// A board with an evaluation.
pub trait EvaluatedBoard: Rules<Set = u64> {
    /// The default evaluation.
    type Shipped: Evaluation<Self, Features: Sync> + Clone + fmt::Debug;

    /// Creates such an evaluation from other weights, if there are weights for the board.
    const WEIGHTED: Option<fn(&Weights) -> Self::Shipped>;

    /// Whether the scales of [`winning`](crate::winning) were measured on this board with the default evaluation.
    const HAS_WINNING_PROBABILITY: bool;

    /// The default evaluation.
    #[cfg(feature = "shipped-weights")]
    fn shipped() -> Self::Shipped;

    /// The default evaluation, if its weights are part of the library or were installed.
    fn available() -> Result<Self::Shipped, NoWeights>;

    /// The contributions to a value, with their names.
    fn parts(evaluation: &Self::Shipped, board: &Self) -> Vec<(&'static str, Value)>;
}

impl EvaluatedBoard for Board {
    type Shipped = Arc<Learned>;

    const WEIGHTED: Option<fn(&Weights) -> Arc<Learned>> = Some(|weights| Arc::new(Learned::new(weights)));
    const HAS_WINNING_PROBABILITY: bool = true;

    #[cfg(feature = "shipped-weights")]
    fn shipped() -> Arc<Learned> {
        static LEARNED: LazyLock<Arc<Learned>> = LazyLock::new(|| Arc::new(Learned::new(shipped_weights())));
        LEARNED.clone()
    }

    #[cfg(feature = "shipped-weights")]
    fn available() -> Result<Arc<Learned>, NoWeights> {
        Ok(Self::shipped())
    }

    #[cfg(not(feature = "shipped-weights"))]
    fn available() -> Result<Arc<Learned>, NoWeights> {
        INSTALLED.get()
    }

    fn parts(evaluation: &Arc<Learned>, board: &Board) -> Vec<(&'static str, Value)> {
        evaluation.parts(board)
    }
}

impl<const N: u8> EvaluatedBoard for SmallBoard<N> {
    type Shipped = HandMade;

    const WEIGHTED: Option<fn(&Weights) -> HandMade> = None;
    const HAS_WINNING_PROBABILITY: bool = false;

    #[cfg(feature = "shipped-weights")]
    fn shipped() -> HandMade {
        HandMade
    }

    fn available() -> Result<HandMade, NoWeights> {
        Ok(HandMade)
    }

    fn parts(_evaluation: &HandMade, board: &Self) -> Vec<(&'static str, Value)> {
        HandMade::parts(board)
    }
}

#[cfg(all(test, feature = "shipped-weights"))]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_weights_are_valid_and_small_and_have_probcut_parameters() {
        let weights = shipped_weights();
        assert!(weights.probcut.is_some());
        assert!(weights.interactions.is_some());
        assert!(WEIGHTS.len() <= 25_000_000);
        let plain = weights.to_bytes();
        assert_eq!(Weights::from_bytes(&plain).as_ref(), Ok(weights));
        assert!(weights.phases.iter().all(|phase| phase.iter().any(|&weight| weight != 0)));
    }

    #[test]
    fn the_lite_weights_are_valid_and_smaller_and_have_no_interactions() {
        let file: &[u8] = include_bytes!("../../../data/weights-lite.bin.zst");
        assert!(file.len() <= 4_000_000);
        let weights = Weights::from_bytes(file).expect("whole weights");
        assert!(weights.probcut.is_some() && weights.interactions.is_none());
    }

    #[test]
    fn a_changed_byte_of_the_compressed_weights_never_changes_a_weight_unnoticed() {
        // Some bits of the first bytes have no meaning.
        for at in (0..6).map(|part| 4 + part * (WEIGHTS.len() - 5) / 5) {
            let mut changed = WEIGHTS.to_vec();
            changed[at] ^= 0x10;
            let weights = Weights::from_bytes(&changed);
            assert!(weights.is_err() || weights.as_ref() == Ok(shipped_weights()) && at < 8, "byte {at}");
        }
    }

    #[test]
    fn installed_weights_evaluate_like_those_that_ship_and_only_the_first_ones_count() {
        let installed = Installed::new();
        assert_eq!(installed.get().err(), Some(NoWeights));
        installed.install(shipped_weights());
        installed.install(&Weights::zero());
        let (found, shipped) = (installed.get().expect("they are installed"), Board::shipped());
        let board = Board::start();
        let value = |learned: &Learned| learned.evaluate(&board, &learned.features(&board));
        assert_eq!(value(&found), value(&shipped));
        assert_ne!(value(&found), value(&Learned::new(&Weights::zero())));
    }

    #[test]
    fn the_parts_of_a_value_add_up_to_it() {
        let evaluation = Board::shipped();
        let mut board = Board::start();
        while !board.is_over() {
            if board.must_pass() {
                board = board.pass();
            }
            let value = evaluation.evaluate(&board, &evaluation.features(&board));
            let sum: i32 = Board::parts(&evaluation, &board).iter().map(|(_, part)| part.parts()).sum();
            assert_eq!(sum.clamp(-63 * Value::PER_DISC, 63 * Value::PER_DISC), value.parts());
            let square = othello::squares(board.moves()).last().expect("the side to move can move");
            board = board.after(square, board.flips(square));
        }
    }
}
