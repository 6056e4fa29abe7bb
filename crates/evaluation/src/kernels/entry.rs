//! A weight and a vector in 16 bytes.

use crate::interactions::{DIMENSION, NEGATIVE, Vector};

pub(super) const BYTES: usize = 16;

/// The place of the low byte of the weight, after the positive numbers, and of the high byte, after the negative ones.
/// The weight is 256 times the high byte plus the low one, both with a sign, so that the bytes of many entries can be
/// added up like the numbers of their vectors.
pub(super) const LOW: usize = 7;
pub(super) const HIGH: usize = 15;

const _: () = assert!(DIMENSION - NEGATIVE == LOW && NEGATIVE == HIGH - LOW - 1 && BYTES == HIGH + 1);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(align(16))]
pub(crate) struct Entry(pub(super) [i8; BYTES]);

impl Entry {
    /// The largest weight that an entry can have; larger ones, which would be worth 255 discs, become this one.
    pub(crate) const LARGEST_WEIGHT: i16 = 127 * 256 + 127;

    pub(crate) fn new(weight: i16, vector: &Vector) -> Self {
        let weight = weight.min(Self::LARGEST_WEIGHT);
        let low = weight as i8;
        let high = (i32::from(weight) - i32::from(low)) >> 8;
        let (positive, negative) = vector.split_at(DIMENSION - NEGATIVE);
        let mut bytes = [0; BYTES];
        bytes[..LOW].copy_from_slice(positive);
        bytes[LOW] = low;
        bytes[LOW + 1..HIGH].copy_from_slice(negative);
        bytes[HIGH] = high as i8;
        Self(bytes)
    }

    pub(crate) fn weight(&self) -> i32 {
        256 * i32::from(self.0[HIGH]) + i32::from(self.0[LOW])
    }
}
