//! The two colors.

use core::fmt;
use core::ops::Not;

/// The color of a side: Black, which moves first, or White.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// The side with the black discs; it makes the first move of a game.
    Black,
    /// The side with the white discs.
    White,
}

impl Color {
    /// The disc in the notation of OBF and GGF boards: `X` or `O`.
    pub const fn disc(self) -> char {
        match self {
            Color::Black => 'X',
            Color::White => 'O',
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Color::Black => "Black",
            Color::White => "White",
        })
    }
}
