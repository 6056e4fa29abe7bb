//! The patterns of the learned evaluation: sets of squares whose contents are looked up together.
//!
//! A pattern is a list of squares, each of which is empty, of the first color or of the second. Read as base-three
//! digits they form the *index* of the pattern's configuration. Every distinct symmetric copy of a pattern is an
//! *instance*; all instances of a pattern share its weights. If a symmetry maps a pattern onto itself, two indices are
//! equivalent, and the smaller one has the weight.

use othello::{Board, Square, squares};

pub use crate::shape::Shape;
use crate::shape::{copies, parsed};

/// The patterns: their names and their squares, the first square being the lowest digit.
const LIST: [(&str, &str); PATTERN_COUNT] = [
    ("corner", "a1b1c1a2b2c2a3b3c3"),
    ("corner and half edge", "a1b1c1d1e1a2b2c2d2e2"),
    ("edge and X-squares", "a1b1c1d1e1f1g1h1b2g2"),
    ("triangle", "a1b1c1d1a2b2c2a3b3a4"),
    ("middle of the edge", "a1c1d1e1f1h1c2d2e2f2"),
    ("second line", "a2b2c2d2e2f2g2h2"),
    ("third line", "a3b3c3d3e3f3g3h3"),
    ("fourth line", "a4b4c4d4e4f4g4h4"),
    ("diagonal of 8", "a1b2c3d4e5f6g7h8"),
    ("diagonal of 7", "b1c2d3e4f5g6h7"),
    ("diagonal of 6", "c1d2e3f4g5h6"),
    ("diagonal of 5", "d1e2f3g4h5"),
    ("diagonal of 4", "e1f2g3h4"),
];

const PARSED: ([&str; PATTERN_COUNT], [Shape; PATTERN_COUNT]) = parsed(&LIST);

/// The names of the patterns.
pub static NAMES: [&str; PATTERN_COUNT] = PARSED.0;

/// The patterns.
pub static PATTERNS: [Shape; PATTERN_COUNT] = PARSED.1;

/// The number of patterns.
pub const PATTERN_COUNT: usize = 13;

/// The total number of instances of all patterns.
pub const INSTANCE_COUNT: usize = 54;

/// The number of instances, rounded up to fill the last vector.
pub const LANES: usize = 64;

/// An instance of a pattern.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    /// The index of its pattern.
    pub pattern: u8,
    /// Its squares.
    pub shape: Shape,
}

/// All instances, grouped by pattern.
pub static INSTANCES: [Instance; INSTANCE_COUNT] = {
    let (shapes, ends) = copies::<PATTERN_COUNT, INSTANCE_COUNT>(&PARSED.1);
    let mut instances = [Instance { pattern: 0, shape: Shape::NONE }; INSTANCE_COUNT];
    let (mut pattern, mut instance) = (0, 0);
    while instance < INSTANCE_COUNT {
        while instance == ends[pattern] {
            pattern += 1;
        }
        instances[instance] = Instance { pattern: pattern as u8, shape: shapes[instance] };
        instance += 1;
    }
    instances
};

/// Summand of the index of every instance for a disc of the first color on a square.
pub(crate) static SHARES: [[u16; LANES]; 64] = {
    let mut shares = [[0; LANES]; 64];
    let mut lane = 0;
    while lane < INSTANCE_COUNT {
        let shape = INSTANCES[lane].shape;
        let mut place = 0;
        let mut power = 1;
        while place < shape.size() {
            shares[shape.square(place).index()][lane] = power;
            power *= 3;
            place += 1;
        }
        lane += 1;
    }
    shares
};

/// The index of every instance, with the side to move as the first color: the indices of the weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Indices(pub [u16; LANES]);

impl Indices {
    /// The indices of a board.
    pub fn of(board: &Board) -> Self {
        let mut indices = Self([0; LANES]);
        for square in squares(board.player) {
            indices.add(square, 1);
        }
        for square in squares(board.opponent) {
            indices.add(square, 2);
        }
        indices
    }

    #[inline]
    fn add(&mut self, square: Square, digit: u16) {
        let shares = &SHARES[square.index() & 63];
        for (index, share) in self.0.iter_mut().zip(shares) {
            *index = index.wrapping_add(share.wrapping_mul(digit));
        }
    }
}

/// The weight number of each index of a pattern: indices that are equivalent by symmetry share one.
#[derive(Clone, Debug)]
pub struct WeightNumbers {
    /// The weight number of each index.
    pub numbers: Vec<u32>,
    /// The number of weights.
    pub count: usize,
}

impl WeightNumbers {
    /// The weight numbers of a pattern.
    pub fn of(pattern: &Shape) -> Self {
        // Each symmetry that maps the pattern onto itself, as a permutation of its digits.
        let permutations: Vec<Vec<usize>> = (0..8)
            .filter(|&symmetry| pattern.transformed(symmetry).set() == pattern.set())
            .map(|symmetry| {
                let moved = pattern.transformed(symmetry);
                moved.squares().filter_map(|square| pattern.squares().position(|other| other == square)).collect()
            })
            .collect();
        let images: Vec<Vec<u32>> = permutations.iter().map(|permutation| permuted(permutation)).collect();
        let mut numbers = vec![0; pattern.index_count()];
        let mut count = 0;
        for index in 0..pattern.index_count() {
            let least = images.iter().map(|images| images[index] as usize).min();
            match least {
                Some(least) if least < index => numbers[index] = numbers[least],
                _ => {
                    numbers[index] = count as u32;
                    count += 1;
                }
            }
        }
        Self { numbers, count }
    }
}

/// For every index the one with the same digits, each moved to its place in `permutation`.
fn permuted(permutation: &[usize]) -> Vec<u32> {
    translated(permutation.iter().map(|&place| [0, 1, 2].map(|digit| digit * 3u32.pow(place as u32))))
}

/// For every index the sum of the values of its digits, which are given as those of 0, 1 and 2, the lowest place first.
pub(crate) fn translated(places: impl Iterator<Item = [u32; 3]>) -> Vec<u32> {
    // Place by place: each additional place triples the number of indices.
    places.fold(vec![0], |sums, [zero, one, two]| {
        [zero, one, two].iter().flat_map(|digit| sums.iter().map(move |sum| sum + digit)).collect()
    })
}

#[cfg(test)]
mod tests {
    use othello::symmetry::transform;

    use super::*;
    use crate::tests::walk;

    /// An index computed from the board square by square.
    fn slow_index(board: &Board, shape: &Shape) -> u16 {
        let mut index = 0;
        for square in shape.squares().collect::<Vec<_>>().into_iter().rev() {
            let digit =
                if board.player & square.bit() != 0 { 1 } else { 2 * u16::from(board.opponent & square.bit() != 0) };
            index = 3 * index + digit;
        }
        index
    }

    #[test]
    fn indices_are_those_read_off_the_board() {
        let compare = |board: &Board| {
            let indices = Indices::of(board);
            for (lane, instance) in INSTANCES.iter().enumerate() {
                assert_eq!(indices.0[lane], slow_index(board, &instance.shape));
            }
        };
        for seed in 0..50 {
            compare(&walk(seed, |board, _| compare(board)));
        }
    }

    #[test]
    fn symmetric_boards_have_the_same_weights() {
        let numbers: Vec<_> = PATTERNS.iter().map(WeightNumbers::of).collect();
        let weights_of = |board: &Board| {
            let indices = Indices::of(board);
            let mut weights: Vec<_> = INSTANCES
                .iter()
                .zip(indices.0)
                .map(|(instance, index)| {
                    (instance.pattern, numbers[usize::from(instance.pattern)].numbers[usize::from(index)])
                })
                .collect();
            weights.sort_unstable();
            weights
        };
        walk(3, |board, _| {
            for symmetry in 1..8 {
                let other = Board::new(transform(board.player, symmetry), transform(board.opponent, symmetry));
                assert_eq!(weights_of(board), weights_of(&other));
            }
        });
    }

    #[test]
    fn a_pattern_that_is_its_own_mirror_image_has_half_the_weights() {
        // Half of the indices that differ from their mirror image, and all those that do not.
        let sizes = [9, 10, 10, 10, 10, 8, 8, 8, 8, 7, 6, 5, 4];
        let fixed = [6, 10, 5, 6, 5, 4, 4, 4, 4, 4, 3, 3, 2];
        assert_eq!(PATTERNS.len(), sizes.len());
        for (pattern, (size, fixed)) in PATTERNS.iter().zip(sizes.into_iter().zip(fixed)) {
            assert_eq!(WeightNumbers::of(pattern).count, (3usize.pow(size) + 3usize.pow(fixed)) / 2);
        }
    }
}
