//! A small generator of random numbers: the same numbers from the same seed on every machine.

/// SplitMix64: one addition and a mixing of the bits.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The generator number `stream` of a seed; streams are independent of each other.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed);
        let start = random.bits();
        Self(start ^ stream.wrapping_mul(0xd605_bbb5_8c8a_bc3d))
    }

    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which must not be 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // The bias of the multiplication is far below what any test could notice.
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// Whether an event of `chances` in 256 happens.
    pub(crate) fn happens(&mut self, chances: usize) -> bool {
        self.below(256) < chances
    }
}
