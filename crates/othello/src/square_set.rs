//! Sets of squares, one bit per square.

use core::fmt::Debug;
use core::hash::Hash;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

use crate::Square;

/// A set of squares, in which bit `i` stands for square number `i`: `u64` up to 8x8, `u128` for larger boards.
pub trait SquareSet:
    Copy
    + Debug
    + Default
    + Eq
    + Ord
    + Hash
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + BitXorAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// The empty set.
    const EMPTY: Self;

    /// The set of one square.
    fn only(square: Square) -> Self;

    /// The number of squares.
    fn count(self) -> u32;

    /// The square with the lowest number.
    fn first(self) -> Option<Square>;

    /// The set without the square that has the lowest number.
    fn without_first(self) -> Self;

    /// Whether the set is empty.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether the square is in the set.
    #[inline]
    fn has(self, square: Square) -> bool {
        !(self & Self::only(square)).is_empty()
    }
}

macro_rules! square_set {
    ($($integer:ty),*) => {$(
        impl SquareSet for $integer {
            const EMPTY: Self = 0;

            #[inline]
            fn only(square: Square) -> Self {
                1 << square.index()
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn first(self) -> Option<Square> {
                (self != 0).then(|| Square::new(self.trailing_zeros() as u8))
            }

            #[inline]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    )*};
}

square_set!(u64, u128);

/// The squares of a set, lowest number first.
///
/// ```
/// # use othello::{squares, Board, Rules};
/// let names: Vec<_> = squares(Board::start().moves()).map(|square| square.to_string()).collect();
/// assert_eq!(names, ["d3", "c4", "f5", "e6"]);
/// ```
#[inline]
pub fn squares<S: SquareSet>(set: S) -> Squares<S> {
    Squares(set)
}

/// The iterator that [`squares`] returns.
#[derive(Clone, Debug)]
pub struct Squares<S>(S);

impl<S: SquareSet> Iterator for Squares<S> {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0 = self.0.without_first();
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl<S: SquareSet> ExactSizeIterator for Squares<S> {}
