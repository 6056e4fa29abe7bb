//! Shapes: lists of squares whose contents are looked up together, and their copies under the symmetries of the board.

use othello::Square;
use othello::symmetry::transform_square;

const MAX_SQUARES: usize = 12;

/// A list of squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    squares: [u8; MAX_SQUARES],
    size: u8,
}

impl Shape {
    /// The empty shape.
    pub const NONE: Shape = Shape { squares: [0; MAX_SQUARES], size: 0 };

    /// Parses a sequence of square names: `a1b1c1`.
    ///
    /// # Panics
    /// If there are more than twelve; shapes are constants, so that this shows when the program is built.
    pub const fn parse(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut squares = [0; MAX_SQUARES];
        let mut place = 0;
        while 2 * place < bytes.len() {
            squares[place] = (bytes[2 * place] - b'a') + 8 * (bytes[2 * place + 1] - b'1');
            place += 1;
        }
        Self { squares, size: place as u8 }
    }

    /// The shape transformed by a symmetry of the board, square by square.
    pub const fn transformed(&self, symmetry: usize) -> Self {
        let mut squares = [0; MAX_SQUARES];
        let mut place = 0;
        while place < self.size as usize {
            squares[place] = transform_square(self.square(place), symmetry).index() as u8;
            place += 1;
        }
        Self { squares, size: self.size }
    }

    /// The squares as a set.
    pub const fn set(&self) -> u64 {
        let mut set = 0;
        let mut place = 0;
        while place < self.size as usize {
            set |= 1 << self.squares[place];
            place += 1;
        }
        set
    }

    /// The number of squares.
    pub const fn size(&self) -> usize {
        self.size as usize
    }

    /// The square at an index of the list.
    pub const fn square(&self, place: usize) -> Square {
        Square::new(self.squares[place])
    }

    /// The squares in their order.
    pub fn squares(&self) -> impl ExactSizeIterator<Item = Square> + '_ {
        self.squares[..self.size()].iter().map(|&square| Square::new(square))
    }

    /// The number of configurations: each square is empty or has a disc of one of two colors.
    pub(crate) const fn index_count(&self) -> usize {
        3usize.pow(self.size as u32)
    }

    /// The largest balanced index; the smallest is its negative.
    pub const fn center(&self) -> i32 {
        (3i32.pow(self.size as u32) - 1) / 2
    }

    /// The configuration of the shape as a number in balanced ternary: the first square is the highest digit, +1 for a
    /// disc of the first color, -1 for one of the second.
    pub fn balanced_index(&self, first: u64, second: u64) -> i32 {
        let digit = |square: Square| i32::from(first & square.bit() != 0) - i32::from(second & square.bit() != 0);
        self.squares().fold(0, |index, square| 3 * index + digit(square))
    }
}

/// Splits a list of names and shapes.
pub const fn parsed<const SHAPES: usize>(
    list: &[(&'static str, &str); SHAPES],
) -> ([&'static str; SHAPES], [Shape; SHAPES]) {
    let (mut names, mut shapes) = ([""; SHAPES], [Shape::NONE; SHAPES]);
    let mut number = 0;
    while number < SHAPES {
        names[number] = list[number].0;
        shapes[number] = Shape::parse(list[number].1);
        number += 1;
    }
    (names, shapes)
}

/// The symmetric copies of shapes that cover different squares, by shape, and the index after the last copy of each.
///
/// # Panics
/// If there are not so many.
pub const fn copies<const SHAPES: usize, const COPIES: usize>(
    shapes: &[Shape; SHAPES],
) -> ([Shape; COPIES], [usize; SHAPES]) {
    let (mut copies, mut ends) = ([Shape::NONE; COPIES], [0; SHAPES]);
    let mut count = 0;
    let mut number = 0;
    while number < SHAPES {
        let first = count;
        let mut symmetry = 0;
        while symmetry < 8 {
            let shape = shapes[number].transformed(symmetry);
            let mut is_new = true;
            let mut other = first;
            while other < count {
                is_new &= copies[other].set() != shape.set();
                other += 1;
            }
            if is_new {
                copies[count] = shape;
                count += 1;
            }
            symmetry += 1;
        }
        ends[number] = count;
        number += 1;
    }
    assert!(count == COPIES);
    (copies, ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_that_cover_the_same_squares_count_once() {
        // A corner has four places, a line of the second row four, a 2x4 corner eight, the long diagonal two.
        let (_, shapes) = parsed(&[
            ("corner", "a1b1a2b2"),
            ("line", "a2b2c2d2e2f2g2h2"),
            ("2x4", "a1b1c1d1a2b2c2d2"),
            ("x", "a1b2c3d4e5f6g7h8"),
        ]);
        let (all, ends) = copies::<4, 18>(&shapes);
        assert_eq!(ends, [4, 8, 16, 18]);
        let corners = all[..4].iter().fold(0, |set, shape| set | shape.set());
        assert_eq!(corners, 0xc3c3_0000_0000_c3c3);
        assert_eq!(all[16].squares().map(|square| square.to_string()).collect::<String>(), "a1b2c3d4e5f6g7h8");
    }
}
