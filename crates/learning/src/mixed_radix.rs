//! Packs numbers below known bounds into words: a choice among three takes log2(3) bits.
//!
//! Digits fill a 64-bit word as long as the product of their bounds, which the reader has, too, fits into it.

#[derive(Clone, Debug)]
pub(crate) struct Packer {
    bytes: Vec<u8>,
    word: u64,
    /// The product of the bounds of the digits in the word.
    product: u64,
}

impl Packer {
    pub(crate) fn new() -> Self {
        Self { bytes: Vec::new(), word: 0, product: 1 }
    }

    /// Adds a digit, which must be below its bound.
    pub(crate) fn push(&mut self, digit: u64, bound: u64) {
        debug_assert!(digit < bound);
        match self.product.checked_mul(bound) {
            Some(product) => {
                self.word += digit * self.product;
                self.product = product;
            }
            None => {
                self.bytes.extend(self.word.to_le_bytes());
                (self.word, self.product) = (digit, bound);
            }
        }
    }

    /// All digits as bytes.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        if self.product > 1 {
            self.bytes.extend(self.word.to_le_bytes());
        }
        self.bytes
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Unpacker<'a> {
    words: std::slice::ChunksExact<'a, u8>,
    word: u64,
    product: u64,
    is_empty: bool,
}

impl<'a> Unpacker<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { words: bytes.chunks_exact(8), word: 0, product: 1, is_empty: true }
    }

    /// The next digit with this bound, or `None` if there are no more.
    pub(crate) fn pop(&mut self, bound: u64) -> Option<u64> {
        if bound == 1 {
            return Some(0);
        }
        match self.product.checked_mul(bound).filter(|_| !self.is_empty) {
            Some(product) => self.product = product,
            None if self.word == 0 => {
                let word = self.words.next()?;
                self.word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
                self.product = bound;
                self.is_empty = false;
            }
            // The word contains more than its digits can encode: invalid data.
            None => return None,
        }
        let digit = self.word % bound;
        self.word /= bound;
        Some(digit)
    }

    /// Whether all bytes were read and nothing remains.
    pub(crate) fn is_done(&self) -> bool {
        self.word == 0 && self.words.len() == 0 && self.words.remainder().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn digits_with_any_bounds_are_read_back(pairs in prop::collection::vec((any::<u64>(), 1..u64::MAX, 0..64u32), 0..300)) {
            let digits: Vec<(u64, u64)> = pairs
                .into_iter()
                .map(|(digit, bound, shift)| {
                    let bound = (bound >> shift).max(1);
                    (digit % bound, bound)
                })
                .collect();
            let mut packer = Packer::new();
            for &(digit, bound) in &digits {
                packer.push(digit, bound);
            }
            let bytes = packer.finish();
            let mut unpacker = Unpacker::new(&bytes);
            for (digit, bound) in digits {
                prop_assert_eq!(unpacker.pop(bound), Some(digit));
            }
            prop_assert!(unpacker.is_done());
        }
    }

    #[test]
    fn forty_choices_among_three_take_one_word() {
        // 3^40 < 2^64 < 3^41.
        let mut packer = Packer::new();
        for digit in 0..40 {
            packer.push(digit % 3, 3);
        }
        assert_eq!(packer.clone().finish().len(), 8);
        packer.push(2, 3);
        assert_eq!(packer.finish().len(), 16);
    }
}
