//! The 6x6 and 4x4 boards.

use crate::{Board, Geometry, Rules, Square};

/// A board of `N` by `N` squares, 6 or 4, in the middle of the 8x8 board.
///
/// A disc is flipped only between two discs, so the moves of the 8x8 board on squares of the small one are exactly its
/// own moves, with the same flips.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SmallBoard<const N: u8>(Board);

impl<const N: u8> SmallBoard<N> {
    /// The same discs on the 8x8 board.
    #[inline]
    pub const fn on_8x8(&self) -> Board {
        self.0
    }
}

impl<const N: u8> Rules for SmallBoard<N> {
    type Set = u64;

    const GEOMETRY: Geometry = {
        assert!(N == 4 || N == 6, "small boards are 4x4 or 6x6");
        Geometry::square_board(if N == 4 { "4x4" } else { "6x6" }, 8, N)
    };
    const PLAYABLE: u64 = Self::GEOMETRY.playable as u64;

    #[inline]
    fn from_discs(player: u64, opponent: u64) -> Self {
        debug_assert!((player | opponent) & !Self::PLAYABLE == 0);
        Self(Board::new(player, opponent))
    }

    fn start() -> Self {
        Self(Board::start())
    }

    #[inline]
    fn player(&self) -> u64 {
        self.0.player
    }

    #[inline]
    fn opponent(&self) -> u64 {
        self.0.opponent
    }

    #[inline]
    fn moves(&self) -> u64 {
        self.0.moves() & Self::PLAYABLE
    }

    #[inline]
    fn flips(&self, square: Square) -> u64 {
        self.0.flips(square)
    }

    #[inline]
    fn neighbors(set: u64) -> u64 {
        Board::neighbors(set) & Self::PLAYABLE
    }

    #[inline]
    fn steps(set: u64) -> [u64; 4] {
        Board::steps(set).map(|moved| moved & Self::PLAYABLE)
    }

    fn transformed(&self, index: usize) -> Self {
        Self(self.0.transformed(index))
    }
}
