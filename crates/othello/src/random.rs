//! A random number generator that gives the same numbers for the same seed on every machine.
//!
//! Games, openings, samples and shuffles in the whole project depend on these numbers, and existing files were made
//! with them: neither the generator nor the method to draw a number below a bound may change.

/// The SplitMix64 generator: 64 bits of state, good enough to shuffle moves.
///
/// Constants from Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
///
/// ```
/// use othello::random::Random;
///
/// let mut dice = Random::new(1);
/// let eyes = 1 + dice.below(6);
/// assert!((1..=6).contains(&eyes));
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The generator for item number `index` of a run with this seed: items are independent of each other.
    pub fn of_item(seed: u64, index: u64) -> Self {
        let first = Self(seed).bits();
        Self(first ^ index.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`; for bounds up to 64 the distribution is uniform to within 2^-58.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number below `bound`, drawn from the lower half of the bits.
    pub fn below_u32(&mut self, bound: u32) -> u32 {
        ((u64::from(self.bits() as u32) * u64::from(bound)) >> 32) as u32
    }

    /// A number in the range from 0 (included) to 1 (excluded).
    pub fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
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
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn every_number_below_the_bound_occurs_about_equally_often() {
        let mut random = Random::of_item(1, 2);
        let mut counts = [[0; 6]; 3];
        for _ in 0..60_000 {
            counts[0][random.below(6)] += 1;
            counts[1][random.below_u32(6) as usize] += 1;
            counts[2][(6.0 * random.share()) as usize] += 1;
        }
        assert!(counts.iter().flatten().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    }
}
