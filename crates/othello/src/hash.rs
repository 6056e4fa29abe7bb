//! A fast hash of two disc sets.

// Odd constants without structure: the fractional parts of the golden ratio and of the square root of 3.
const PLAYER: u64 = 0x9e37_79b9_7f4a_7c15;
const OPPONENT: u64 = 0xbb67_ae85_84ca_a73b;

/// Multiplies to 128 bits and folds the halves together, so that every input bit reaches every
/// output bit.
#[inline]
const fn folded(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

#[inline]
pub(crate) const fn hash64(player: u64, opponent: u64) -> u64 {
    folded(player ^ OPPONENT, PLAYER) ^ folded(opponent ^ PLAYER, OPPONENT).rotate_left(29)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::{Board, Rules, squares};

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
