//! The learned evaluation: the sum of what the patterns on the board are worth in this phase of the game.

use std::sync::Arc;

use othello::regions::QuadrantParity;
use othello::{Board, Rules, Square};

use crate::patterns::{INSTANCE_COUNT, INSTANCES, Indices, PATTERN_COUNT, PATTERNS, exchanged};
use crate::weights::{Layout, MOST_MOVES, Weights, mobility_number, phase};
use crate::{Evaluation, HandMade, ProbCut, Value};

/// Patterns, mobility and parity, with weights for every phase of the game.
#[derive(Clone, Debug)]
pub struct Learned {
    /// For each phase what every index is worth when the first colour is to move, then when the second is.
    tables: Vec<[Box<[i16]>; 2]>,
    probcut: Option<Arc<ProbCut>>,
}

/// What a search carries along: the indices, and whose digits are the second ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PatternFeatures {
    indices: Indices,
    /// Whether the second colour is to move.
    is_second: bool,
}

/// Where the values of each pattern begin in a table.
const OFFSETS: [u32; PATTERN_COUNT + 1] = {
    let mut offsets = [0; PATTERN_COUNT + 1];
    let mut pattern = 0;
    while pattern < PATTERN_COUNT {
        offsets[pattern + 1] = offsets[pattern] + PATTERNS_SIZES[pattern];
        pattern += 1;
    }
    offsets
};

const PATTERNS_SIZES: [u32; PATTERN_COUNT] =
    [19_683, 59_049, 59_049, 59_049, 59_049, 6_561, 6_561, 6_561, 6_561, 2_187, 729, 243, 81];

/// Where the values of each instance begin in a table.
static INSTANCE_OFFSETS: [u32; INSTANCE_COUNT] = {
    let mut offsets = [0; INSTANCE_COUNT];
    let mut instance = 0;
    while instance < INSTANCE_COUNT {
        offsets[instance] = OFFSETS[INSTANCES[instance].pattern as usize];
        instance += 1;
    }
    offsets
};

/// Where the values of mobility and of parity begin in a table, and its length.
const MOBILITY: usize = OFFSETS[PATTERN_COUNT] as usize;
const PARITY: usize = MOBILITY + (MOST_MOVES + 1) * (MOST_MOVES + 1);
const LENGTH: usize = PARITY + 5;

impl Learned {
    /// The evaluation with these weights.
    pub fn new(weights: &Weights) -> Self {
        let layout = Layout::new();
        // The number of the weight of every entry of a table, for both colours to move.
        let mut numbers = [Vec::with_capacity(LENGTH), Vec::with_capacity(LENGTH)];
        for (pattern, weight_numbers) in PATTERNS.iter().zip(&layout.numbers) {
            numbers[0].extend_from_slice(weight_numbers);
            numbers[1].extend((0..pattern.index_count()).map(|index| weight_numbers[exchanged(index)]));
        }
        for numbers in &mut numbers {
            numbers.extend(layout.mobility as u32..layout.count as u32);
        }
        let table = |set: &[i16], numbers: &[u32]| numbers.iter().map(|&number| set[number as usize]).collect();
        let tables = weights.phases.iter().map(|set| [table(set, &numbers[0]), table(set, &numbers[1])]).collect();
        Self { tables, probcut: weights.probcut.clone().map(Arc::new) }
    }
}

impl Evaluation for Learned {
    type Features = PatternFeatures;

    #[inline]
    fn features(&self, board: &Board) -> PatternFeatures {
        PatternFeatures { indices: Indices::of(board), is_second: false }
    }

    #[inline]
    fn played(&self, features: &PatternFeatures, _board: &Board, square: Square, flips: u64) -> PatternFeatures {
        let indices = features.indices.after(square, flips, !features.is_second);
        PatternFeatures { indices, is_second: !features.is_second }
    }

    #[inline]
    fn passed(&self, features: &PatternFeatures) -> PatternFeatures {
        PatternFeatures { is_second: !features.is_second, ..*features }
    }

    #[inline]
    fn evaluate(&self, board: &Board, features: &PatternFeatures) -> Value {
        let empties = board.empties();
        let table = &self.tables[phase(empties.count_ones())][usize::from(features.is_second)];
        let mut sum = 0;
        for (offset, index) in INSTANCE_OFFSETS.iter().zip(&features.indices.0) {
            sum += i32::from(table[(offset + u32::from(*index)) as usize]);
        }
        let (own, other) = (board.moves().count_ones(), board.pass().moves().count_ones());
        sum += i32::from(table[MOBILITY + mobility_number(own, other)]);
        sum += i32::from(table[PARITY + QuadrantParity::of(empties).bits().count_ones() as usize]);
        // A guess is never as sure as a finished game.
        Value::new(sum.clamp(-63 * Value::PER_DISC, 63 * Value::PER_DISC))
    }

    fn probcut(&self) -> Arc<ProbCut> {
        self.probcut.clone().unwrap_or_else(|| Evaluation::<Board>::probcut(&HandMade))
    }
}

#[cfg(test)]
mod tests {
    use othello::squares;

    use super::*;

    fn some_weights() -> Weights {
        let mut weights = Weights::zero();
        let mut seed = 1u64;
        for set in &mut weights.phases {
            for weight in set {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *weight = (seed >> 56) as i16 - 128;
            }
        }
        weights
    }

    /// The value of a board from its squares and the packed weights alone.
    fn slow_value(weights: &Weights, layout: &Layout, board: &Board) -> i32 {
        let set = &weights.phases[phase(board.empties().count_ones())];
        let mut sum = 0;
        for instance in &INSTANCES {
            let (mut index, mut power) = (0, 1);
            for square in instance.shape.squares() {
                let digit =
                    usize::from(board.player & square.bit() != 0) + 2 * usize::from(board.opponent & square.bit() != 0);
                index += digit * power;
                power *= 3;
            }
            sum += i32::from(set[layout.numbers[usize::from(instance.pattern)][index] as usize]);
        }
        sum += i32::from(set[layout.mobility(board.moves().count_ones(), board.pass().moves().count_ones())]);
        let odd =
            othello::regions::QUADRANTS.iter().filter(|&quadrant| (board.empties() & quadrant).count_ones() % 2 == 1);
        sum + i32::from(set[layout.parity + odd.count()])
    }

    #[test]
    fn the_sizes_of_the_tables_are_those_of_the_patterns() {
        for (pattern, size) in PATTERNS.iter().zip(PATTERNS_SIZES) {
            assert_eq!(pattern.index_count(), size as usize);
        }
    }

    #[test]
    fn values_kept_along_games_are_those_of_the_boards_alone() {
        let weights = some_weights();
        let layout = Layout::new();
        let learned = Learned::new(&weights);
        for seed in 0..20u64 {
            let mut board = Board::start();
            let mut features = learned.features(&board);
            let mut random = seed;
            while !board.is_over() {
                let value = learned.evaluate(&board, &features);
                let expected = slow_value(&weights, &layout, &board).clamp(-63 * 128, 63 * 128);
                assert_eq!(value.parts(), expected);
                assert_eq!(learned.evaluate(&board, &learned.features(&board)), value);
                if board.must_pass() {
                    features = learned.passed(&features);
                    board = board.pass();
                    continue;
                }
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let moves = board.moves();
                let square = squares(moves).nth((random >> 33) as usize % moves.count_ones() as usize).unwrap();
                let flips = board.flips(square);
                features = learned.played(&features, &board, square, flips);
                board = board.after(square, flips);
            }
        }
    }
}
