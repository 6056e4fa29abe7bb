//! Random numbers that are the same on every machine for the same seed.

/// The SplitMix64 generator: 64 bits of state, good enough to shuffle moves.
///
/// Constants from Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
#[derive(Clone, Debug)]
pub(crate) struct RandomSource(u64);

impl RandomSource {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`, each equally likely but for a part in 2^58 with at most 64 of them.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Brings the items into a random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_that_the_authors_publish() {
        // The first outputs for seed 1234567 of the authors' reference program.
        let mut source = RandomSource::new(1_234_567);
        assert_eq!(source.next(), 6_457_827_717_110_365_317);
        assert_eq!(source.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn every_number_below_the_bound_comes_about_equally_often() {
        let mut source = RandomSource::new(1);
        let mut counts = [0; 6];
        for _ in 0..60_000 {
            counts[source.below(6)] += 1;
        }
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    }
}
