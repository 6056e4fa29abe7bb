//! The evaluation that ships with the program: learned on the usual board, hand-made on the smaller ones.

use std::fmt;
use std::sync::{Arc, LazyLock};

use othello::{Board, Rules, SmallBoard};

use crate::weights::Weights;
use crate::{Evaluation, HandMade, Learned, Value};

/// The weights; docs/learning.md has the commands that made them.
static WEIGHTS: &[u8] = include_bytes!("../../../data/weights.bin");

/// The weights that ship with the program.
pub fn shipped_weights() -> Weights {
    Weights::from_bytes(WEIGHTS).expect("the weights are whole when the program is built")
}

/// A board that Emilia knows how to judge.
pub trait EvaluatedBoard: Rules<Set = u64> {
    /// How it is judged unless another way is asked for.
    type Shipped: Evaluation<Self, Features: Sync> + Clone + fmt::Debug;

    /// How other weights make such an evaluation, if there are weights for the board.
    const WEIGHTED: Option<fn(&Weights) -> Self::Shipped>;

    /// Whether the scales of [`winning`](crate::winning) were measured on this board with the evaluation that ships.
    const HAS_CHANCES: bool;

    /// The evaluation that ships with the program.
    fn shipped() -> Self::Shipped;

    /// The parts of a value by what they are parts for.
    fn parts(evaluation: &Self::Shipped, board: &Self) -> Vec<(&'static str, Value)>;
}

impl EvaluatedBoard for Board {
    type Shipped = Arc<Learned>;

    const WEIGHTED: Option<fn(&Weights) -> Arc<Learned>> = Some(|weights| Arc::new(Learned::new(weights)));
    const HAS_CHANCES: bool = true;

    fn shipped() -> Arc<Learned> {
        static LEARNED: LazyLock<Arc<Learned>> = LazyLock::new(|| Arc::new(Learned::new(&shipped_weights())));
        LEARNED.clone()
    }

    fn parts(evaluation: &Arc<Learned>, board: &Board) -> Vec<(&'static str, Value)> {
        evaluation.parts(board)
    }
}

impl<const N: u8> EvaluatedBoard for SmallBoard<N> {
    type Shipped = HandMade;

    const WEIGHTED: Option<fn(&Weights) -> HandMade> = None;
    const HAS_CHANCES: bool = false;

    fn shipped() -> HandMade {
        HandMade
    }

    fn parts(_evaluation: &HandMade, board: &Self) -> Vec<(&'static str, Value)> {
        HandMade::parts(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_that_ship_are_whole_and_small_and_have_their_probcut() {
        let weights = Weights::from_bytes(WEIGHTS).unwrap();
        assert!(weights.probcut.is_some());
        assert!(WEIGHTS.len() <= 15_000_000);
        assert!(weights.phases.iter().all(|phase| phase.iter().any(|&weight| weight != 0)));
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
