//! The final result of a game.

use alloc::format;
use core::fmt;
use core::ops::Neg;

/// A final disc difference from the point of view of one side, with the empty squares given to the winner.
///
/// It is in -64..=64 on the 8x8 board. Estimates by an evaluation have a different type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i8);

impl Score {
    /// A drawn game.
    pub const DRAW: Score = Score(0);

    /// The score of this disc difference.
    #[inline]
    pub const fn new(difference: i8) -> Self {
        Self(difference)
    }

    /// The score of a finished game from its two disc counts and its empty squares.
    #[inline]
    pub const fn of_counts(own: u32, other: u32, empty: u32) -> Self {
        let difference = own as i32 - other as i32;
        Self((difference + difference.signum() * empty as i32) as i8)
    }

    /// The disc difference.
    #[inline]
    pub const fn discs(self) -> i32 {
        self.0 as i32
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:+}", self.0))
    }
}
