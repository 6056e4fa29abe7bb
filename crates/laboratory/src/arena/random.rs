//! Random numbers that are the same everywhere.

/// A small generator (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The generator of item number `index` of a run with this seed: items do not depend on each other.
    pub(crate) fn new(seed: u64, index: u64) -> Self {
        let mut random = Self(seed);
        let first = random.next();
        Self(first ^ index.wrapping_mul(0xd134_2543_de82_ef95))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.next() as u32) * u64::from(bound)) >> 32) as u32
    }
}
