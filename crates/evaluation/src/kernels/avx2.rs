//! The sum of entries for AVX2: the 16 bytes in the 16 lanes of a register.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::entry::{BYTES, Entry, HIGH, LOW};
use crate::interactions::SHIFT;

const _: () = assert!(BYTES == 16 && LOW == 7 && HIGH == 15);

/// The sum of the entries of a position: 56 numbers of 8 bits cannot overflow one of 16.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntrySum(__m256i);

impl EntrySum {
    #[inline(always)]
    pub(crate) fn zero() -> Self {
        // SAFETY: this module is compiled only where AVX2 is part of the target.
        Self(unsafe { _mm256_setzero_si256() })
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, entry: &Entry) {
        // SAFETY: as above; an entry has the 16 bytes that are loaded, and is aligned to them.
        self.0 = unsafe {
            let numbers = _mm_load_si128(entry.0.as_ptr().cast());
            _mm256_add_epi16(self.0, _mm256_cvtepi8_epi16(numbers))
        };
    }

    /// The sum of the weights, and the product of the sum of the vectors with itself, in 128ths of a disc.
    #[inline(always)]
    pub(crate) fn value(self) -> i32 {
        // SAFETY: as above.
        unsafe {
            let (low, high) = (_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0));
            let weights =
                256 * i32::from(_mm_extract_epi16::<7>(high) as i16) + i32::from(_mm_extract_epi16::<7>(low) as i16);
            let numbers = _mm256_blend_epi16::<0b1000_0000>(self.0, _mm256_setzero_si256());
            let squares = _mm256_madd_epi16(numbers, numbers);
            // The positive numbers are in the lower half of the register.
            let squares = _mm_sub_epi32(_mm256_castsi256_si128(squares), _mm256_extracti128_si256::<1>(squares));
            let pairs = _mm_add_epi32(squares, _mm_unpackhi_epi64(squares, squares));
            let square = _mm_cvtsi128_si32(_mm_add_epi32(pairs, _mm_shuffle_epi32::<1>(pairs)));
            weights + (square >> SHIFT)
        }
    }
}
