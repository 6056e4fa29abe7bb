//! The sum of entries in portable Rust.

use super::entry::{BYTES, Entry, HIGH, LOW};
use crate::interactions::SHIFT;

/// The sum of the entries of a position: 56 numbers of 8 bits cannot overflow one of 16.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntrySum([i16; BYTES]);

impl EntrySum {
    #[inline(always)]
    pub(crate) fn zero() -> Self {
        Self([0; BYTES])
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, entry: &Entry) {
        for (sum, &number) in self.0.iter_mut().zip(&entry.0) {
            *sum += i16::from(number);
        }
    }

    /// The sum of the weights, and the product of the sum of the vectors with itself, in 128ths of a disc.
    #[inline(always)]
    pub(crate) fn value(self) -> i32 {
        let squares = |sums: &[i16]| sums.iter().map(|&sum| i32::from(sum) * i32::from(sum)).sum::<i32>();
        let square = squares(&self.0[..LOW]) - squares(&self.0[LOW + 1..HIGH]);
        let weights = 256 * i32::from(self.0[HIGH]) + i32::from(self.0[LOW]);
        weights + (square >> SHIFT)
    }
}
