//! Pattern indices during a search: from the point of view of the side to move, in balanced ternary.
//!
//! A square of the opponent is the digit 0, an empty one 1, one of the side to move 2. When the sides change, every
//! digit `d` becomes `2 - d`, and an index becomes the largest index minus itself: one subtraction for all. So one
//! table serves both sides.

use othello::{Board, Square, squares};

use crate::patterns::{INSTANCE_COUNT, INSTANCES, LANES, SHARES, translated};

/// The index of every instance from the point of view of the side to move; unused lanes stay 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub(crate) struct BalancedIndices(pub(crate) [u16; LANES]);

const LARGEST: BalancedIndices = {
    let mut largest = [0; LANES];
    let mut lane = 0;
    while lane < INSTANCE_COUNT {
        largest[lane] = INSTANCES[lane].shape.index_count() as u16 - 1;
        lane += 1;
    }
    BalancedIndices(largest)
};

impl BalancedIndices {
    #[inline]
    pub(crate) fn of(board: &Board) -> Self {
        // All squares empty, then one more for each disc of the side to move and one less for each of the opponent.
        let (own, other) = (shares(board.player), shares(board.opponent));
        let lane = |lane: usize| (LARGEST.0[lane] / 2).wrapping_add(own[lane]).wrapping_sub(other[lane]);
        Self(std::array::from_fn(lane))
    }

    /// The indices after a move, from the other side's point of view.
    #[inline]
    pub(crate) fn after(&self, square: Square, flips: u64) -> Self {
        let flipped = shares(flips);
        let placed = &SHARES[square.index() & 63];
        let mut after = LARGEST;
        for lane in 0..LANES {
            let own = self.0[lane].wrapping_add(placed[lane]).wrapping_add(flipped[lane] << 1);
            after.0[lane] = after.0[lane].wrapping_sub(own);
        }
        after
    }

    /// The same board from the other side's point of view.
    #[inline]
    pub(crate) fn passed(&self) -> Self {
        let mut passed = LARGEST;
        for lane in 0..LANES {
            passed.0[lane] = passed.0[lane].wrapping_sub(self.0[lane]);
        }
        passed
    }
}

/// The sum over these squares of the change of the indices by one digit.
#[inline]
fn shares(set: u64) -> [u16; LANES] {
    let mut sums = [0u16; LANES];
    for square in squares(set) {
        let shares = &SHARES[square.index() & 63];
        for lane in 0..LANES {
            sums[lane] = sums[lane].wrapping_add(shares[lane]);
        }
    }
    sums
}

/// For every index of a pattern with this number of squares, the equivalent index in [`crate::patterns`], where empty
/// squares are 0, those of the side to move 1 and the opponent's 2.
pub(crate) fn plain_indices(size: u32) -> Vec<u32> {
    translated((0..size).map(|place| [2, 0, 1].map(|digit| digit * 3u32.pow(place))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::Indices;
    use crate::tests::walk;

    /// The index of each instance with the digits of `patterns`.
    fn plain(indices: &BalancedIndices) -> Vec<u16> {
        let digits = |mut index: u16, size: usize| {
            let digits = std::iter::repeat_with(move || {
                let digit = index % 3;
                index /= 3;
                [2, 0, 1][usize::from(digit)]
            });
            digits.take(size).zip(0..).map(|(digit, place)| digit * 3u16.pow(place)).sum()
        };
        let lanes = INSTANCES.iter().zip(indices.0);
        lanes.map(|(instance, index)| digits(index, instance.shape.squares().count())).collect()
    }

    #[test]
    fn the_translation_is_digit_by_digit() {
        // Opponent, empty, own, own: 0 + 1*3 + 2*9 + 2*27 in balanced ternary, and 2 + 0*3 + 1*9 + 1*27 in `patterns`.
        assert_eq!(plain_indices(4)[75], 38);
        let mut all = plain_indices(5);
        all.sort_unstable();
        assert!(all.into_iter().eq(0..243));
    }

    #[test]
    fn indices_kept_along_a_game_are_those_read_off_the_board() {
        for seed in 0..50 {
            let mut indices = None;
            let last = walk(seed, |board, square| {
                let found = indices.unwrap_or_else(|| BalancedIndices::of(board));
                assert_eq!(plain(&found), Indices::of(board).0[..INSTANCE_COUNT]);
                assert_eq!(found, BalancedIndices::of(board));
                assert!(found.0[INSTANCE_COUNT..].iter().all(|&index| index == 0));
                indices = Some(match square {
                    Some(square) => found.after(square, othello::Rules::flips(board, square)),
                    None => found.passed(),
                });
            });
            assert_eq!(indices, Some(BalancedIndices::of(&last)));
        }
    }
}
