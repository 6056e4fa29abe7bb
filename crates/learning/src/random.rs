//! Random numbers that are the same everywhere.

/// A small generator (SplitMix64): one for every game, so that games do not depend on each other.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The generator of item number `index` of a run with this seed.
    pub(crate) fn new(seed: u64, index: u64) -> Self {
        let mut random = Self(seed);
        let first = random.next();
        Self(first ^ index.wrapping_mul(0xd134_2543_de82_ef95))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.next() as u32) * u64::from(bound)) >> 32) as u32
    }

    /// A number of at least 0 and below 1.
    pub(crate) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
