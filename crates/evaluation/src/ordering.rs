//! A small pattern set for move ordering in the endgame.
//!
//! Near the end a search has no time for the whole evaluation, and does not need it: the moves should come first that
//! leave the opponent few replies and bad corners. The set has one pattern, the nine squares around a corner, one
//! weight for each of its configurations, and no phases. An index is computed from the board, without incremental
//! updates. The weights are fitted to the differences between the exact scores of the moves of one position
//! (`learning::ordering_fit`), not to the scores themselves.

use std::sync::LazyLock;

use othello::kernels;
use storage::Format;

use crate::patterns::{PATTERNS, WeightNumbers};

/// The weights; docs/learning.md has the command that made them.
static WEIGHTS: &[u8] = include_bytes!("../../../data/ordering.bin");

/// The value of the corners for the side to move, as far as it matters for move ordering.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderingSet {
    /// The value of each index; enough entries for any 16-bit index, so that no lookup needs a bounds check.
    values: Box<[i8; 1 << 16]>,
}

/// The format of the file; the word is the number of weights.
const FORMAT: Format = Format { magic: b"EMILIAOR", version: 1 };

impl OrderingSet {
    /// Weights are given in this fraction of a disc.
    pub const PER_DISC: i32 = 8;

    /// The number of weights: mirror images share one.
    pub const WEIGHT_COUNT: usize = (3usize.pow(9) + 3usize.pow(6)) / 2;

    /// The weight number of each index of a corner.
    pub fn weight_numbers() -> WeightNumbers {
        WeightNumbers::of(&PATTERNS[0])
    }

    /// The set with these weights, in eighths of a disc.
    pub fn new(weights: &[i8]) -> Self {
        let numbers = Self::weight_numbers().numbers;
        let mut values = vec![0; 1 << 16].into_boxed_slice();
        for (value, number) in values.iter_mut().zip(numbers) {
            *value = weights.get(number as usize).copied().unwrap_or(0);
        }
        Self { values: values.try_into().expect("as many values as an index can ask for") }
    }

    /// The set that is built into the program.
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<OrderingSet> = LazyLock::new(|| {
            OrderingSet::from_bytes(WEIGHTS).expect("the weights are whole when the program is built")
        });
        &SHIPPED
    }

    /// The value of the corners for the side to move, in eighths of a disc.
    #[inline]
    pub fn value(&self, player: u64, opponent: u64) -> i32 {
        let mut sum = 0;
        for index in kernels::corner_indices(player, opponent) {
            sum += i32::from(self.values[usize::from(index)]);
        }
        sum
    }

    /// Encodes weights as the bytes of a file.
    pub fn bytes_of(weights: &[i8]) -> Vec<u8> {
        let body: Vec<u8> = weights.iter().map(|weight| weight.cast_unsigned()).collect();
        FORMAT.seal([weights.len() as u32], &body)
    }

    /// Reads the bytes of a file; `None` if they are invalid.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let sealed = FORMAT.open::<1>(bytes).ok()?;
        let is_ours = sealed.words == [Self::WEIGHT_COUNT as u32];
        let body = is_ours.then(|| sealed.body(Self::WEIGHT_COUNT).ok()).flatten()?;
        let weights: Vec<i8> = body.iter().map(|byte| byte.cast_signed()).collect();
        Some(Self::new(&weights))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::{INSTANCES, Indices};
    use crate::tests::walk;

    fn some_weights() -> Vec<i8> {
        (0..OrderingSet::WEIGHT_COUNT).map(|number| (number * 7919 / 8) as i8).collect()
    }

    #[test]
    fn a_value_is_the_sum_of_the_weights_of_the_corner_patterns() {
        let weights = some_weights();
        let set = OrderingSet::new(&weights);
        let numbers = OrderingSet::weight_numbers();
        assert_eq!(numbers.count, weights.len());
        for seed in 0..30 {
            walk(seed, |board, _| {
                let lanes = INSTANCES.iter().zip(Indices::of(board).0).filter(|(instance, _)| instance.pattern == 0);
                let weight = |index: u16| weights[numbers.numbers[usize::from(index)] as usize];
                let expected: i32 = lanes.map(|(_, index)| i32::from(weight(index))).sum();
                assert_eq!(set.value(board.player, board.opponent), expected);
            });
        }
    }

    #[test]
    fn an_ordering_set_is_read_back_unchanged_and_damaged_ones_are_refused() {
        let weights = some_weights();
        let bytes = OrderingSet::bytes_of(&weights);
        assert_eq!(OrderingSet::from_bytes(&bytes), Some(OrderingSet::new(&weights)));
        assert_eq!(OrderingSet::from_bytes(&bytes[..bytes.len() - 1]), None);
        assert_eq!(OrderingSet::from_bytes(&bytes[..10]), None);
        for at in [0, 8, 12, 20, Format::sealed_header(1), bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_eq!(OrderingSet::from_bytes(&changed), None, "byte {at}");
        }
    }

    #[test]
    fn the_built_in_set_rates_a_corner_as_good_and_its_x_square_as_bad() {
        let values = &OrderingSet::shipped().values[..3usize.pow(9)];
        // The sum over all configurations of the corner with these digits on a1 and b2.
        let sum = |a1: usize, b2: usize| {
            let is_meant = |index: usize| index % 3 == a1 && index / 3usize.pow(4) % 3 == b2;
            (0..values.len()).filter(|&index| is_meant(index)).map(|index| i32::from(values[index])).sum::<i32>()
        };
        let corner = |a1: usize| (0..3).map(|b2| sum(a1, b2)).sum::<i32>();
        assert!(corner(1) > corner(2));
        assert!(sum(0, 1) < sum(0, 2));
    }
}
