//! The 8x8 board.

use core::fmt;

use crate::{Geometry, Rules, Square, kernels, symmetry};

const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = COLUMN_A << 7;

// Odd constants without structure: the fractional parts of the golden ratio and of the square root of 3.
const HASH_PLAYER: u64 = 0x9e37_79b9_7f4a_7c15;
const HASH_OPPONENT: u64 = 0xbb67_ae85_84ca_a73b;

/// Multiplies to 128 bits and folds the halves together, so that every input bit reaches every
/// output bit.
#[inline]
const fn folded(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

/// The 8x8 board as two sets of discs, the side to move first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// The discs of the side to move.
    pub player: u64,
    /// The discs of the other side.
    pub opponent: u64,
}

impl Board {
    /// The board with these discs; the sets must be disjoint.
    #[inline]
    pub const fn new(player: u64, opponent: u64) -> Self {
        debug_assert!(player & opponent == 0);
        Self { player, opponent }
    }

    /// The number of discs on the board.
    #[inline]
    pub const fn disc_count(&self) -> u32 {
        (self.player | self.opponent).count_ones()
    }

    /// The number of empty squares.
    #[inline]
    pub const fn empty_count(&self) -> u32 {
        64 - self.disc_count()
    }

    /// A 64-bit hash of the discs: the same on every machine and in every build.
    #[inline]
    pub const fn hash64(&self) -> u64 {
        folded(self.player ^ HASH_OPPONENT, HASH_PLAYER)
            ^ folded(self.opponent ^ HASH_PLAYER, HASH_OPPONENT).rotate_left(29)
    }
}

impl Rules for Board {
    type Set = u64;

    const GEOMETRY: Geometry = Geometry::square_board("8x8", 8, 8);
    const PLAYABLE: u64 = u64::MAX;

    #[inline]
    fn from_discs(player: u64, opponent: u64) -> Self {
        Self::new(player, opponent)
    }

    fn start() -> Self {
        Self::new(0x0000_0008_1000_0000, 0x0000_0010_0800_0000)
    }

    #[inline]
    fn player(&self) -> u64 {
        self.player
    }

    #[inline]
    fn opponent(&self) -> u64 {
        self.opponent
    }

    #[inline]
    fn moves(&self) -> u64 {
        kernels::moves(self.player, self.opponent)
    }

    #[inline]
    fn flips(&self, square: Square) -> u64 {
        kernels::flips(self.player, self.opponent, square)
    }

    #[inline]
    fn neighbors(set: u64) -> u64 {
        let beside = set | (set & !COLUMN_H) << 1 | (set & !COLUMN_A) >> 1;
        beside | beside << 8 | beside >> 8
    }

    #[inline]
    fn steps(set: u64) -> [u64; 4] {
        let (not_a, not_h) = (set & !COLUMN_A, set & !COLUMN_H);
        [not_h << 1, not_a << 7, set << 8, not_h << 9]
    }

    fn transformed(&self, index: usize) -> Self {
        Self::new(symmetry::transform(self.player, index), symmetry::transform(self.opponent, index))
    }
}

/// The 64 squares in reading order, `*` for a disc of the side to move and `o` for its opponent's.
impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..8 {
            if row > 0 {
                f.write_str("/")?;
            }
            for column in 0..8 {
                let bit = Square::at(column, row).bit();
                let disc = match (self.player & bit != 0, self.opponent & bit != 0) {
                    (true, _) => "*",
                    (_, true) => "o",
                    _ => "-",
                };
                f.write_str(disc)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::squares;

    #[test]
    fn positions_of_the_first_nine_plies_do_not_collide() {
        let mut boards = HashSet::from([Board::start()]);
        let mut all = boards.clone();
        for _ in 0..8 {
            boards = boards
                .iter()
                .flat_map(|board| squares(board.moves()).map(|square| board.play(square).unwrap()))
                .collect();
            all.extend(&boards);
        }
        let hashes: HashSet<u64> = all.iter().map(Board::hash64).collect();
        assert_eq!(hashes.len(), all.len());
        // The low and the high bits index hash tables, so they must be well distributed, too.
        for shift in [0, 44] {
            let buckets: HashSet<u64> = hashes.iter().map(|hash| hash >> shift & 0xf_ffff).collect();
            let expected = (1 << 20) as f64 * (1.0 - (-(all.len() as f64) / (1 << 20) as f64).exp());
            assert!(
                (buckets.len() as f64 / expected - 1.0).abs() < 0.01,
                "{} buckets, {expected} expected",
                buckets.len()
            );
        }
    }
}
