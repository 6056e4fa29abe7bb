//! Regions of connected empty squares and their parity, which decides the side that can have the last move in each.

use crate::{Rules, Square, SquareSet};

/// The region around an empty square: all empty squares connected to it in the eight directions.
#[inline]
fn region_of<B: Rules>(empties: B::Set, square: Square) -> B::Set {
    let mut region = B::Set::only(square);
    loop {
        let grown = region | (B::neighbors(region) & empties);
        if grown == region {
            return region;
        }
        region = grown;
    }
}

/// The regions of the empty squares, in the order of their lowest squares.
///
/// ```
/// use othello::{Board, Rules, regions::regions};
///
/// let corners = 0x8100_0000_0000_0081;
/// let board = Board::from_discs(!corners, 0);
/// assert_eq!(regions::<Board>(board.empties()).count(), 4);
/// ```
#[inline]
pub fn regions<B: Rules>(empties: B::Set) -> Regions<B> {
    Regions { left: empties }
}

/// The iterator that [`regions`] returns.
#[derive(Clone, Debug)]
pub struct Regions<B: Rules> {
    left: B::Set,
}

impl<B: Rules> Iterator for Regions<B> {
    type Item = B::Set;

    #[inline]
    fn next(&mut self) -> Option<B::Set> {
        let region = region_of::<B>(self.left, self.left.first()?);
        self.left &= !region;
        Some(region)
    }
}

/// The quadrants of the 8x8 board: those of a1, h1, a8 and h8.
pub const QUADRANTS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// The parity of the number of empty squares in each quadrant of the 8x8 board: a cheap approximation of the regions
/// that a move updates in one step.
///
/// ```
/// use othello::{Square, regions::QuadrantParity};
///
/// let empties = 0x8000_0000_0000_0083; // a1, b1, h1 and h8
/// let parity = QuadrantParity::of(empties);
/// assert_eq!(parity.odd_squares() & empties, 0x8000_0000_0000_0080);
/// let after = parity.after(Square::at(7, 0));
/// assert_eq!(after, QuadrantParity::of(empties & !0x80));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct QuadrantParity(u8);

impl QuadrantParity {
    /// The parity of these empty squares.
    #[inline]
    pub const fn of(empties: u64) -> Self {
        let mut bits = 0;
        let mut quadrant = 0;
        while quadrant < 4 {
            bits |= ((empties & QUADRANTS[quadrant]).count_ones() & 1) << quadrant;
            quadrant += 1;
        }
        Self(bits as u8)
    }

    /// The parity once this square is filled.
    #[inline]
    pub const fn after(self, square: Square) -> Self {
        let index = square.index();
        Self(self.0 ^ 1 << ((index >> 2 & 1) | (index >> 4 & 2)))
    }

    /// All squares of the quadrants with an odd number of empties.
    #[inline]
    pub const fn odd_squares(self) -> u64 {
        ODD_SQUARES[self.0 as usize & 15]
    }

    /// One bit per quadrant, in the order of [`QUADRANTS`], set if the number of empty squares is odd.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether this square lies in a quadrant with an odd number of empties.
    #[inline]
    pub const fn is_odd(self, square: Square) -> bool {
        self.odd_squares() & square.bit() != 0
    }
}

static ODD_SQUARES: [u64; 16] = {
    let mut sets = [0; 16];
    let mut parity = 0;
    while parity < 16 {
        let mut quadrant = 0;
        while quadrant < 4 {
            if parity >> quadrant & 1 == 1 {
                sets[parity] |= QUADRANTS[quadrant];
            }
            quadrant += 1;
        }
        parity += 1;
    }
    sets
};
