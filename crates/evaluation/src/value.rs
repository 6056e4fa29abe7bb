//! The value of a position: an estimate of the final disc difference.

use std::fmt;
use std::ops::{Add, Neg, Sub};

use othello::Score;

/// An expected final disc difference in 128ths of a disc, from the point of view of one side.
///
/// A [`Score`] is a fact and a value an estimate: conversions are explicit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Value(i32);

impl Value {
    /// The number of value units per disc.
    pub const PER_DISC: i32 = 128;
    /// No side is ahead.
    pub const EVEN: Value = Value(0);
    /// The value of all 64 discs.
    pub const MAX: Value = Value(64 * Self::PER_DISC);
    /// The value of losing all 64 discs.
    pub const MIN: Value = Value(-64 * Self::PER_DISC);
    /// Greater than every value: the bound of a search without a bound.
    pub const INFINITE: Value = Value(Self::MAX.0 + 1);

    /// The value of this many 128ths of a disc.
    #[inline]
    pub const fn new(parts: i32) -> Self {
        Self(parts)
    }

    /// The value of this many discs.
    pub fn from_discs(discs: f32) -> Self {
        Self((discs * Self::PER_DISC as f32).round() as i32).clamped()
    }

    /// The value in 128ths of a disc.
    #[inline]
    pub const fn parts(self) -> i32 {
        self.0
    }

    /// The value in discs.
    pub fn discs(self) -> f32 {
        self.0 as f32 / Self::PER_DISC as f32
    }

    /// The value limited to the possible results of a game.
    #[inline]
    pub fn clamped(self) -> Self {
        self.clamp(Self::MIN, Self::MAX)
    }

    /// The value of a known score.
    #[inline]
    pub const fn of_score(score: Score) -> Self {
        Self(score.discs() * Self::PER_DISC)
    }
}

impl Neg for Value {
    type Output = Value;

    #[inline]
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl Add for Value {
    type Output = Value;

    #[inline]
    fn add(self, other: Value) -> Value {
        Value(self.0 + other.0)
    }
}

impl Sub for Value {
    type Output = Value;

    #[inline]
    fn sub(self, other: Value) -> Value {
        Value(self.0 - other.0)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:+.2}", self.discs()))
    }
}
