//! The hand-made evaluation: well-known features, weighted by the phase of the game.
//!
//! The features were chosen by hand; their weights come from a regression on games of our own, by `emilia learn
//! handmade`, which writes `handmade_weights.rs`.

use othello::mobility::{frontier, potential_moves};
use othello::{Geometry, Rules, Square, stability};

use crate::handmade_weights::WEIGHTS;
use crate::{Evaluation, Value};

/// Mobility, stability, corners and the squares next to them, and parity, weighted by phase.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandMade;

/// The number of features.
pub const FEATURE_COUNT: usize = 22;

/// The number of sets of weights, one for every four empty squares.
pub const PHASE_COUNT: usize = 16;

/// The names of the features, in order. A difference is the count of the side to move minus the opponent's.
pub const FEATURE_NAMES: [&str; FEATURE_COUNT] = [
    "side to move",
    "last move of the game",
    "own moves",
    "opponent's moves",
    "mobility",
    "potential moves",
    "potential mobility",
    "frontier discs",
    "stable discs",
    "own corner moves",
    "opponent's corner moves",
    "no own move",
    "no opponent's move",
    "corners",
    "X-squares at an empty corner",
    "X-squares at a taken corner",
    "C-squares at an empty corner",
    "C-squares at a taken corner",
    "A- and B-squares",
    "second line",
    "centre",
    "discs",
];

/// The set of weights for a number of empty squares.
pub fn phase(empty_count: u32) -> usize {
    // A board without discs does not get a separate phase.
    ((empty_count / 4) as usize).min(PHASE_COUNT - 1)
}

struct Kinds {
    corners: u64,
    x_squares: u64,
    c_squares: u64,
    edges: u64,
    second_line: u64,
}

impl Kinds {
    const fn of(geometry: &Geometry) -> Self {
        let mut kinds = Self { corners: 0, x_squares: 0, c_squares: 0, edges: 0, second_line: 0 };
        let mut row = 0;
        while row < geometry.side {
            let mut column = 0;
            while column < geometry.side {
                if let Some(square) = geometry.square_at(column, row) {
                    // The distances from the nearest edges, the smaller one first.
                    let last = geometry.side - 1;
                    let x = if column * 2 > last { last - column } else { column };
                    let y = if row * 2 > last { last - row } else { row };
                    let bit = square.bit();
                    match if x < y { (x, y) } else { (y, x) } {
                        (0, 0) => kinds.corners |= bit,
                        (0, 1) => kinds.c_squares |= bit,
                        (0, _) => kinds.edges |= bit,
                        (1, 1) => kinds.x_squares |= bit,
                        (1, _) => kinds.second_line |= bit,
                        _ => {}
                    }
                }
                column += 1;
            }
            row += 1;
        }
        kinds
    }
}

#[inline]
fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// The relative difference of two counts, in 64ths, as IAGO compares mobilities.
#[inline]
fn share(own: i32, other: i32) -> i32 {
    64 * (own - other) / (own + other + 2)
}

impl HandMade {
    /// The features of a board from the point of view of the side to move.
    #[inline]
    pub fn features<B: Rules<Set = u64>>(board: &B) -> [i32; FEATURE_COUNT] {
        struct KindsOf<B>(B);
        impl<B: Rules<Set = u64>> KindsOf<B> {
            const KINDS: Kinds = Kinds::of(&B::GEOMETRY);
        }
        let kinds = &KindsOf::<B>::KINDS;
        let passed = board.pass();
        let (own, other) = (board.player(), board.opponent());
        let empties = board.empties();
        let (moves, replies) = (board.moves(), passed.moves());
        let (own_open, other_open) = (count(potential_moves(board)), count(potential_moves(&passed)));
        let stable = |own: u64, other: u64| {
            if B::PLAYABLE == u64::MAX {
                stability::stable_discs(own, other)
            } else {
                stability::stable_discs_within(own, other, B::PLAYABLE)
            }
        };
        let empty_corners = empties & kinds.corners;
        let exposed = B::neighbors(empty_corners);
        let sheltered = !exposed;
        let difference = |set: u64| count(own & set) - count(other & set);
        [
            1,
            if count(empties) % 2 == 1 { 1 } else { -1 },
            count(moves),
            count(replies),
            share(count(moves), count(replies)),
            own_open - other_open,
            share(own_open, other_open),
            count(frontier(board)) - count(frontier(&passed)),
            count(stable(own, other)) - count(stable(other, own)),
            count(moves & kinds.corners),
            count(replies & kinds.corners),
            i32::from(moves == 0),
            i32::from(replies == 0),
            difference(kinds.corners),
            difference(kinds.x_squares & exposed),
            difference(kinds.x_squares & sheltered),
            difference(kinds.c_squares & exposed),
            difference(kinds.c_squares & sheltered),
            difference(kinds.edges),
            difference(kinds.second_line),
            difference(!(kinds.corners | kinds.x_squares | kinds.c_squares | kinds.edges | kinds.second_line)),
            count(own) - count(other),
        ]
    }

    /// The contributions to a value, with the names of their features.
    pub fn parts<B: Rules<Set = u64>>(board: &B) -> Vec<(&'static str, Value)> {
        let weights = &WEIGHTS[phase(count(board.empties()) as u32)];
        let features = Self::features(board);
        let part = |index: usize| Value::new(features[index] * i32::from(weights[index]));
        FEATURE_NAMES.iter().enumerate().map(|(index, &name)| (name, part(index))).collect()
    }
}

/// One set of weights per phase, in 128ths of a disc.
pub type Weights = [[i16; FEATURE_COUNT]; PHASE_COUNT];

#[inline]
fn weighted<B: Rules<Set = u64>>(weights: &Weights, board: &B) -> Value {
    let weights = &weights[phase(count(board.empties()) as u32)];
    let features = HandMade::features(board);
    let sum = features.iter().zip(weights).map(|(&feature, &weight)| feature * i32::from(weight)).sum();
    Value::new(sum).clamped()
}

/// The same features with custom weights, for finding better ones.
#[derive(Clone, Copy, Debug)]
pub struct Trial(pub Weights);

impl Trial {
    /// Mobility and corners by rule of thumb, for the first games of self-play.
    pub fn rule_of_thumb() -> Self {
        let mut weights = [0; FEATURE_COUNT];
        for (name, weight) in [("mobility", 32), ("potential mobility", 24), ("corners", 1024), ("stable discs", 64)] {
            let index = FEATURE_NAMES.iter().position(|&known| known == name).expect("a known feature");
            weights[index] = weight;
        }
        Self([weights; PHASE_COUNT])
    }
}

macro_rules! evaluation_without_features {
    ($name:ty, |$this:ident| $weights:expr) => {
        impl<B: Rules<Set = u64>> Evaluation<B> for $name {
            type Features = ();

            fn features(&self, _: &B) {}

            fn played(&self, (): &(), _: &B, _: Square, _: u64) {}

            fn passed(&self, (): &()) {}

            fn evaluate(&self, board: &B, (): &()) -> Value {
                let $this = self;
                weighted($weights, board)
            }
        }
    };
}

evaluation_without_features!(HandMade, |_this| &WEIGHTS);
evaluation_without_features!(Trial, |this| &this.0);

#[cfg(test)]
mod tests {
    use othello::{Board, Position, SmallBoard};

    use super::*;

    #[test]
    fn symmetric_boards_have_equal_features() {
        let position: Position = "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O".parse().unwrap();
        for index in 0..8 {
            assert_eq!(HandMade::features(&position.board.transformed(index)), HandMade::features(&position.board));
        }
    }

    #[test]
    fn the_parts_add_up_to_the_value() {
        let position: Position = "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O".parse().unwrap();
        let sum: i32 = HandMade::parts(&position.board).iter().map(|(_, part)| part.parts()).sum();
        assert_eq!(HandMade.evaluate(&position.board, &()).parts(), sum);
    }

    #[test]
    fn a_board_without_discs_has_a_value_too() {
        assert_eq!(HandMade::parts(&Board::new(0, 0)).len(), FEATURE_COUNT);
        HandMade.evaluate(&Board::new(0, 0), &());
    }

    #[test]
    fn the_kinds_of_squares_are_those_of_the_board() {
        let eight = Kinds::of(&Board::GEOMETRY);
        assert_eq!(eight.corners, 0x8100_0000_0000_0081);
        assert_eq!(eight.x_squares, 0x0042_0000_0000_4200);
        assert_eq!(eight.c_squares, 0x4281_0000_0000_8142);
        let six = Kinds::of(&SmallBoard::<6>::GEOMETRY);
        assert_eq!(six.corners, 0x0042_0000_0000_4200);
        assert_eq!(six.x_squares, 0x0000_2400_0024_0000);
    }
}
