//! The learned evaluation: the sum of the pattern weights for the current phase of the game.

use std::sync::Arc;

use othello::regions::QuadrantParity;
use othello::{Board, Rules, Square};

use crate::balanced::{BalancedIndices, plain_indices};
use crate::patterns::{INSTANCE_COUNT, INSTANCES, LANES, NAMES, PATTERN_COUNT, PATTERNS};
use crate::weights::{Layout, MAX_MOVES, Weights, mobility_number, phase};
use crate::{Evaluation, HandMade, ProbCut, Value};

/// Patterns, mobility and parity, with weights for every phase of the game.
#[derive(Clone, Debug)]
pub struct Learned {
    /// For each phase the value of every index.
    tables: Vec<Table>,
    probcut: Option<Arc<ProbCut>>,
}

/// The incrementally updated features: the indices from the point of view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PatternFeatures(BalancedIndices);

/// The values of one phase: those of the patterns in order, then mobility and parity.
type Table = Box<[i16; LENGTH]>;

/// The offset of the values of each pattern in a table.
const OFFSETS: [usize; PATTERN_COUNT + 1] = {
    let mut offsets = [0; PATTERN_COUNT + 1];
    let mut pattern = 0;
    while pattern < PATTERN_COUNT {
        offsets[pattern + 1] = offsets[pattern] + PATTERNS[pattern].index_count();
        pattern += 1;
    }
    offsets
};

/// The first instance of each pattern.
const FIRST_LANES: [usize; PATTERN_COUNT + 1] = {
    let mut lanes = [0; PATTERN_COUNT + 1];
    let mut lane = 0;
    while lane < INSTANCE_COUNT {
        lanes[INSTANCES[lane].pattern as usize + 1] = lane + 1;
        lane += 1;
    }
    lanes
};

/// The offsets of the values of mobility and of parity in a table.
const MOBILITY: usize = OFFSETS[PATTERN_COUNT];
const PARITY: usize = MOBILITY + (MAX_MOVES + 1) * (MAX_MOVES + 1);
const USED: usize = PARITY + 5;

/// The number of values after the offset of each pattern: enough for any 16-bit index, so that no lookup needs a bounds
/// check.
const REACH: usize = 1 << 16;
const LENGTH: usize = if OFFSETS[PATTERN_COUNT - 1] + REACH > USED { OFFSETS[PATTERN_COUNT - 1] + REACH } else { USED };

impl Learned {
    /// The evaluation with these weights.
    pub fn new(weights: &Weights) -> Self {
        let layout = Layout::new();
        // The weight number of every entry of a table.
        let mut numbers = Vec::with_capacity(USED);
        for (pattern, weight_numbers) in PATTERNS.iter().zip(&layout.numbers) {
            let size = pattern.squares().count() as u32;
            numbers.extend(plain_indices(size).iter().map(|&index| weight_numbers[index as usize]));
        }
        numbers.extend(layout.mobility as u32..layout.count as u32);
        let table = |set: &Vec<i16>| {
            let mut table = vec![0; LENGTH].into_boxed_slice();
            for (value, &number) in table.iter_mut().zip(&numbers) {
                *value = set[number as usize];
            }
            table.try_into().expect("a table of the length of tables")
        };
        let tables = weights.phases.iter().map(table).collect();
        Self { tables, probcut: weights.probcut.clone().map(Arc::new) }
    }

    /// The contributions to the value of a board: each pattern in all its places, mobility and parity.
    ///
    /// If the side to move must pass, they are those of the position after the pass; a finished game has none.
    pub fn parts(&self, board: &Board) -> Vec<(&'static str, Value)> {
        if board.must_pass() {
            return self.parts(&board.pass()).into_iter().map(|(name, value)| (name, -value)).collect();
        }
        if board.is_over() {
            return Vec::new();
        }
        let table = &self.tables[phase(board.empty_count())];
        let indices = BalancedIndices::of(board).0;
        let pattern = |pattern: usize| {
            let lanes = &indices[FIRST_LANES[pattern]..FIRST_LANES[pattern + 1]];
            lanes.iter().map(|&index| i32::from(table[OFFSETS[pattern] + usize::from(index)])).sum()
        };
        let mut parts: Vec<_> =
            NAMES.iter().enumerate().map(|(number, &name)| (name, Value::new(pattern(number)))).collect();
        let own = board.moves().count_ones();
        let other = board.pass().moves().count_ones();
        parts.push(("mobility", Value::new(table[MOBILITY + mobility_number(own, other)].into())));
        let odd = QuadrantParity::of(board.empties()).bits().count_ones() as usize;
        parts.push(("parity", Value::new(table[PARITY + odd].into())));
        parts
    }
}

/// The sum of the values of the instances of one pattern.
#[inline(always)]
fn pattern_sum<const PATTERN: usize>(table: &[i16; LENGTH], indices: &[u16; LANES]) -> i32 {
    let values: &[i16; REACH] = table[OFFSETS[PATTERN]..].first_chunk().expect("a table reaches so far");
    let mut sum = 0;
    for &index in &indices[FIRST_LANES[PATTERN]..FIRST_LANES[PATTERN + 1]] {
        sum += i32::from(values[usize::from(index)]);
    }
    sum
}

/// The sum of the values of all instances.
#[inline(always)]
fn sum(table: &[i16; LENGTH], indices: &[u16; LANES]) -> i32 {
    const { assert!(PATTERN_COUNT == 13) };
    pattern_sum::<0>(table, indices)
        + pattern_sum::<1>(table, indices)
        + pattern_sum::<2>(table, indices)
        + pattern_sum::<3>(table, indices)
        + pattern_sum::<4>(table, indices)
        + pattern_sum::<5>(table, indices)
        + pattern_sum::<6>(table, indices)
        + pattern_sum::<7>(table, indices)
        + pattern_sum::<8>(table, indices)
        + pattern_sum::<9>(table, indices)
        + pattern_sum::<10>(table, indices)
        + pattern_sum::<11>(table, indices)
        + pattern_sum::<12>(table, indices)
}

impl Evaluation for Learned {
    type Features = PatternFeatures;

    #[inline]
    fn features(&self, board: &Board) -> PatternFeatures {
        PatternFeatures(BalancedIndices::of(board))
    }

    #[inline]
    fn played(&self, features: &PatternFeatures, _board: &Board, square: Square, flips: u64) -> PatternFeatures {
        PatternFeatures(features.0.after(square, flips))
    }

    #[inline]
    fn passed(&self, features: &PatternFeatures) -> PatternFeatures {
        PatternFeatures(features.0.passed())
    }

    #[inline]
    fn evaluate(&self, board: &Board, features: &PatternFeatures) -> Value {
        let empties = board.empties();
        let (own, other) = (board.moves().count_ones(), board.pass().moves().count_ones());
        if own == 0 {
            // Positions in which the side to move has no legal move were not used for training.
            return if other == 0 {
                Value::of_score(board.final_score())
            } else {
                -self.evaluate(&board.pass(), &self.passed(features))
            };
        }
        let table = &self.tables[phase(empties.count_ones())];
        let sum = sum(table, &features.0.0)
            + i32::from(table[MOBILITY + mobility_number(own, other)])
            + i32::from(table[PARITY + QuadrantParity::of(empties).bits().count_ones() as usize]);
        // An estimate must not reach the value of a finished game.
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

    /// The value of a board computed from its squares and the packed weights alone.
    fn slow_value(weights: &Weights, layout: &Layout, board: &Board) -> i32 {
        if board.must_pass() {
            return -slow_value(weights, layout, &board.pass());
        }
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
            assert_eq!(learned.evaluate(&board, &features), Value::of_score(board.final_score()));
        }
    }
}
