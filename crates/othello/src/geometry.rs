//! The shape of a board and the names of its squares.

use alloc::format;
use alloc::string::String;

use crate::{ParseSquareError, Square};

/// The squares of a board and their names.
///
/// Squares are numbered on a grid of `stride` columns. The small boards lie in the middle of the 8x8 grid, so that they
/// share its symmetries and quadrants; their square names still begin at a1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry {
    /// The name of the board on the command line.
    pub name: &'static str,
    /// Columns of the grid on which squares are numbered.
    pub stride: u8,
    /// Columns and rows of the board itself.
    pub side: u8,
    /// The number of grid columns to the left of the board, equal to the number of grid rows above it.
    pub margin: u8,
    /// The squares that can be played on.
    pub playable: u128,
}

impl Geometry {
    /// A square board of `side` columns, in the middle of a grid of `stride` columns.
    pub(crate) const fn square_board(name: &'static str, stride: u8, side: u8) -> Self {
        let margin = (stride - side) / 2;
        let mut playable = 0;
        let mut row = 0;
        while row < side {
            let line = (1u128 << side) - 1;
            playable |= line << ((row + margin) * stride + margin);
            row += 1;
        }
        Self { name, stride, side, margin, playable }
    }

    /// The number of squares that can be played on.
    pub const fn area(&self) -> u32 {
        self.playable.count_ones()
    }

    /// The square at this column and row of the board, or `None` if the board does not have it.
    #[inline]
    pub const fn square_at(&self, column: u8, row: u8) -> Option<Square> {
        if column >= self.side || row >= self.side {
            return None;
        }
        let index = (row + self.margin) * self.stride + column + self.margin;
        if self.playable >> index & 1 == 0 {
            return None;
        }
        Some(Square::new(index))
    }

    /// The column and row of a square on the board.
    #[inline]
    pub const fn column_row(&self, square: Square) -> (u8, u8) {
        let index = square.index() as u8;
        (index % self.stride - self.margin, index / self.stride - self.margin)
    }

    /// The name of a square: a letter for the column and a number for the row.
    pub fn square_name(&self, square: Square) -> String {
        let (column, row) = self.column_row(square);
        format!("{}{}", char::from(b'a' + column), row + 1)
    }

    /// The square with this name.
    ///
    /// ```
    /// # use othello::{Rules, SmallBoard};
    /// let six = SmallBoard::<6>::GEOMETRY;
    /// let square = six.parse_square("c3")?;
    /// assert_eq!(six.square_name(square), "c3");
    /// assert!(six.parse_square("g1").is_err());
    /// # Ok::<(), othello::ParseSquareError>(())
    /// ```
    pub fn parse_square(&self, text: &str) -> Result<Square, ParseSquareError> {
        let parse = || {
            let (&column, row) = text.as_bytes().split_first()?;
            if row.is_empty() || row.len() > 2 || row[0] == b'0' {
                return None;
            }
            let column = column.to_ascii_lowercase().checked_sub(b'a')?;
            let mut number = 0;
            for digit in row {
                number = number * 10 + digit.checked_sub(b'0').filter(|&digit| digit < 10)?;
            }
            self.square_at(column, number.checked_sub(1)?)
        };
        parse().ok_or_else(|| self.square_error(text))
    }

    /// The square named at the beginning of a text, and the length of its name.
    pub fn leading_square(&self, text: &str) -> Option<(Square, usize)> {
        let bytes = text.as_bytes();
        if !bytes.first()?.is_ascii_alphabetic() {
            return None;
        }
        let digits = bytes[1..].iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
        // The longest name wins: on a board of ten rows, a10 is not a1 and a move number.
        (1..=digits).rev().find_map(|digits| {
            let square = self.parse_square(&text[..=digits]).ok()?;
            Some((square, digits + 1))
        })
    }

    /// The error for a text that is not the name of a square.
    pub fn square_error(&self, text: &str) -> ParseSquareError {
        let last = char::from(b'a' + self.side - 1);
        let mut expected = format!("a letter a-{last} and a number 1-{} on the {} board", self.side, self.name);
        if self.area() < u32::from(self.side).pow(2) {
            expected.push_str(", other than the squares it lacks");
        }
        ParseSquareError::new(text, &expected)
    }

    /// The playable squares in reading order.
    pub fn squares(&self) -> crate::Squares<u128> {
        crate::squares(self.playable)
    }
}
