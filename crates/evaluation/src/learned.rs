//! The learned evaluation: the sum of the pattern weights for the current phase of the game, and what the patterns add
//! together if the weights have interactions.

use std::sync::Arc;

use othello::regions::QuadrantParity;
use othello::{Board, Rules, Square};

use crate::balanced::BalancedIndices;
use crate::entry_tables::EntryTables;
use crate::patterns::{LANES, NAMES, PATTERN_COUNT};
use crate::table_layout::{FIRST_LANES, LENGTH, MOBILITY, OFFSETS, PARITY, REACH, numbers_of_entries, table};
use crate::weights::{Weights, mobility_number, phase};
use crate::{Evaluation, HandMade, ProbCut, Value};

/// Patterns, mobility and parity, with weights for every phase of the game.
#[derive(Clone, Debug)]
pub struct Learned {
    tables: Tables,
    probcut: Option<Arc<ProbCut>>,
}

/// The tables that the search reads.
#[derive(Clone, Debug)]
enum Tables {
    /// For each phase the weight of every index.
    Weights(Vec<WeightTable>),
    /// The weights and vectors of every index.
    WithInteractions(EntryTables),
}

/// The incrementally updated features: the indices from the point of view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PatternFeatures(BalancedIndices);

/// The values of one phase: those of the patterns in order, then mobility and parity.
type WeightTable = Box<[i16; LENGTH]>;

impl Learned {
    /// The evaluation with these weights.
    pub fn new(weights: &Weights) -> Self {
        let numbers = numbers_of_entries();
        let tables = match &weights.interactions {
            None => Tables::Weights(weights.phases.iter().map(|set| table(set, &numbers)).collect()),
            Some(interactions) => Tables::WithInteractions(EntryTables::new(&weights.phases, interactions, &numbers)),
        };
        Self { tables, probcut: weights.probcut.clone().map(Arc::new) }
    }

    /// The contributions to the value of a board: each pattern in all its places, mobility, parity, any interactions.
    ///
    /// If the side to move must pass, they are those of the position after the pass; a finished game has none.
    pub fn parts(&self, board: &Board) -> Vec<(&'static str, Value)> {
        if board.must_pass() {
            return self.parts(&board.pass()).into_iter().map(|(name, value)| (name, -value)).collect();
        }
        if board.is_over() {
            return Vec::new();
        }
        let phase = phase(board.empty_count());
        let indices = BalancedIndices::of(board).0;
        let weight = |entry: usize| match &self.tables {
            Tables::Weights(tables) => i32::from(tables[phase][entry]),
            Tables::WithInteractions(tables) => tables.weight(phase, entry),
        };
        let pattern = |pattern: usize| {
            let lanes = &indices[FIRST_LANES[pattern]..FIRST_LANES[pattern + 1]];
            lanes.iter().map(|&index| weight(OFFSETS[pattern] + usize::from(index))).sum()
        };
        let mut parts: Vec<_> =
            NAMES.iter().enumerate().map(|(number, &name)| (name, Value::new(pattern(number)))).collect();
        let mobility = mobility_number(board.moves().count_ones(), board.pass().moves().count_ones());
        parts.push(("mobility", Value::new(weight(MOBILITY + mobility))));
        let odd = QuadrantParity::of(board.empties()).bits().count_ones() as usize;
        parts.push(("parity", Value::new(weight(PARITY + odd))));
        if let Tables::WithInteractions(tables) = &self.tables {
            let weights: i32 = parts.iter().map(|(_, part)| part.parts()).sum();
            let together = tables.value(phase, &indices, mobility, odd) - weights;
            parts.push(("interactions", Value::new(together)));
        }
        parts
    }
}

#[inline(always)]
fn pattern_sum<const PATTERN: usize>(table: &[i16; LENGTH], indices: &[u16; LANES]) -> i32 {
    let values: &[i16; REACH] = table[OFFSETS[PATTERN]..].first_chunk().expect("a table reaches so far");
    let mut sum = 0;
    for &index in &indices[FIRST_LANES[PATTERN]..FIRST_LANES[PATTERN + 1]] {
        sum += i32::from(values[usize::from(index)]);
    }
    sum
}

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
        let phase = phase(empties.count_ones());
        let mobility = mobility_number(own, other);
        let odd = QuadrantParity::of(empties).bits().count_ones() as usize;
        let sum = match &self.tables {
            Tables::Weights(tables) => {
                let table = &tables[phase];
                sum(table, &features.0.0) + i32::from(table[MOBILITY + mobility]) + i32::from(table[PARITY + odd])
            }
            Tables::WithInteractions(tables) => tables.value(phase, &features.0.0, mobility, odd),
        };
        // An estimate must not reach the value of a finished game.
        Value::new(sum.clamp(-63 * Value::PER_DISC, 63 * Value::PER_DISC))
    }

    fn probcut(&self) -> Arc<ProbCut> {
        self.probcut.clone().unwrap_or_else(|| Evaluation::<Board>::probcut(&HandMade))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interactions::{DIMENSION, Interactions, NEGATIVE, Vector};
    use crate::patterns::INSTANCES;
    use crate::tests::{arbitrary_interactions, arbitrary_weights, walk};
    use crate::weights::Layout;

    /// Sum of the values of pairs of configurations, pair by pair, in 256ths of 128ths of a disc, and half of the
    /// square of each vector, which the weights do not include.
    fn slow_pairs(vectors: &[&Vector]) -> (i32, i32) {
        let product = |one: &Vector, other: &Vector| -> i32 {
            let terms = one.iter().zip(other).enumerate().map(|(place, (&one, &other))| {
                let sign = if place < DIMENSION - NEGATIVE { 1 } else { -1 };
                sign * i32::from(one) * i32::from(other)
            });
            terms.sum()
        };
        let mut pairs = 0;
        for (place, one) in vectors.iter().enumerate() {
            pairs += vectors[..place].iter().map(|other| 2 * product(one, other)).sum::<i32>();
        }
        (pairs, vectors.iter().map(|one| product(one, one)).sum())
    }

    /// The value of a board computed from its squares and the packed weights alone.
    fn slow_value(weights: &Weights, layout: &Layout, board: &Board) -> i32 {
        if board.must_pass() {
            return -slow_value(weights, layout, &board.pass());
        }
        let phase = phase(board.empties().count_ones());
        let set = &weights.phases[phase];
        let mut numbers = Vec::new();
        for instance in &INSTANCES {
            let (mut index, mut power) = (0, 1);
            for square in instance.shape.squares() {
                let digit =
                    usize::from(board.player & square.bit() != 0) + 2 * usize::from(board.opponent & square.bit() != 0);
                index += digit * power;
                power *= 3;
            }
            numbers.push(layout.numbers[usize::from(instance.pattern)][index] as usize);
        }
        numbers.push(layout.mobility(board.moves().count_ones(), board.pass().moves().count_ones()));
        let odd =
            othello::regions::QUADRANTS.iter().filter(|&quadrant| (board.empties() & quadrant).count_ones() % 2 == 1);
        numbers.push(layout.parity + odd.count());
        let sum: i32 = numbers.iter().map(|&number| i32::from(set[number])).sum();
        let Some(interactions) = &weights.interactions else { return sum };
        let stage = &interactions.stages[interactions.stage(phase)];
        let (pairs, itself) = slow_pairs(&numbers.iter().map(|&number| &stage[number]).collect::<Vec<_>>());
        sum + (pairs + itself).div_euclid(256)
    }

    #[test]
    fn values_kept_along_games_are_those_of_the_boards_alone() {
        // Numbers as large as possible would overflow if anything can.
        for (stages, largest) in [(0, 0), (1, 20), (6, 20), (30, 127)] {
            let interactions = (stages > 0).then(|| arbitrary_interactions(stages, largest));
            compare_along_games(&Weights { interactions, ..arbitrary_weights() });
        }
        let mut interactions = Interactions::zero(1);
        interactions.stages[0].fill([127; DIMENSION]);
        compare_along_games(&Weights { interactions: Some(interactions), ..arbitrary_weights() });
    }

    fn compare_along_games(weights: &Weights) {
        let layout = Layout::new();
        let learned = Learned::new(weights);
        for seed in 0..20 {
            let mut features = None;
            let last = walk(seed, |board, square| {
                let found = features.unwrap_or_else(|| learned.features(board));
                let value = learned.evaluate(board, &found);
                let expected = slow_value(weights, &layout, board).clamp(-63 * 128, 63 * 128);
                assert_eq!(value.parts(), expected);
                let parts: i32 = learned.parts(board).iter().map(|(_, part)| part.parts()).sum();
                assert_eq!(parts.clamp(-63 * 128, 63 * 128), expected);
                assert_eq!(learned.evaluate(board, &learned.features(board)), value);
                features = Some(match square {
                    Some(square) => learned.played(&found, board, square, board.flips(square)),
                    None => learned.passed(&found),
                });
            });
            let features = features.expect("a game has moves");
            assert_eq!(learned.evaluate(&last, &features), Value::of_score(last.final_score()));
        }
    }
}
