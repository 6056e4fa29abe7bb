//! A square, identified by its number on a board.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::error::Error;
use core::fmt;
use core::str::FromStr;

/// A square, numbered from the top left corner in reading order.
///
/// On the 8x8 board a1 is 0, h1 is 7, a2 is 8 and h8 is 63; `Display` and `FromStr` use the names of that board. Other
/// boards name their squares with their [`Geometry`](crate::Geometry).
///
/// ```
/// # use othello::Square;
/// let square: Square = "F5".parse()?;
/// assert_eq!(square, Square::new(37));
/// assert_eq!(square.to_string(), "f5");
/// # Ok::<(), othello::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with this number; numbers are below 128 on every board.
    #[inline]
    pub const fn new(index: u8) -> Self {
        debug_assert!(index < 128);
        Self(index)
    }

    /// The square of the 8x8 board in this column (0 is a) and row (0 is 1).
    #[inline]
    pub const fn at(column: u8, row: u8) -> Self {
        debug_assert!(column < 8 && row < 8);
        Self(row * 8 + column)
    }

    /// The number of the square.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The column on the 8x8 board: 0 is a.
    #[inline]
    pub const fn column(self) -> u8 {
        self.0 & 7
    }

    /// The row on the 8x8 board: 0 is 1.
    #[inline]
    pub const fn row(self) -> u8 {
        self.0 >> 3
    }

    /// The set that contains only this square of the 8x8 board.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// The 64 squares of the 8x8 board in reading order.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64).map(Square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column()), self.row() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Square({}, {self})", self.0)
    }
}

/// The text is not the name of a square of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseSquareError {
    text: String,
    expected: String,
}

impl Error for ParseSquareError {}

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, expected } = self;
        write!(f, "{text:?} is not a square: expected {expected}")
    }
}

impl ParseSquareError {
    pub(crate) fn new(text: &str, expected: &str) -> Self {
        // Long texts are truncated.
        Self { text: text.chars().take(20).collect(), expected: expected.to_owned() }
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let [column, row] = *text.as_bytes() {
            let column = column.to_ascii_lowercase().wrapping_sub(b'a');
            let row = row.wrapping_sub(b'1');
            if column < 8 && row < 8 {
                return Ok(Square::at(column, row));
            }
        }
        Err(ParseSquareError::new(text, "a letter a-h and a digit 1-8, such as f5"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_reads_back_from_its_name() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.to_string().to_uppercase().parse(), Ok(square));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "a", "a0", "a9", "i1", "a1 ", "é1", "11", "aa"] {
            assert!(text.parse::<Square>().is_err(), "{text:?}");
        }
    }
}
