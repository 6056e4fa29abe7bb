//! Parity: regions of empty squares that a side cannot play into (section 3.1, Mobility).
//!
//! The empty squares form regions, connected in any of the eight directions. A side that can play into a region neither
//! now nor with the second of two consecutive moves has lost it: its opponent can save those moves until a pass is
//! forced.
//!
//! Only regions with an odd number of squares are counted, unless all are asked for: those change who moves last. The
//! paper does not say so, but calls it parity; lost regions with an even number say little about the score, and late in
//! the game they are misleading.

use othello::regions::regions;
use othello::{Board, Rules, SquareSet, squares};

use super::settings::Regions;

/// The paper's penalty for a lost region, in hundredths of a point of mobility.
///
/// It is "the value which led to the best correlation to the final disc differential" there. The scale of points
/// depends on the regression, so the best value differs for other games: [`Tables`](super::Tables) have their own.
pub const LOST_REGION_OF_THE_PAPER: i32 = 6400;

/// The squares that the side to move can play on now, or with the second of two consecutive moves.
#[inline]
pub fn access(board: &Board) -> u64 {
    let moves = board.moves();
    squares(moves).fold(moves, |reach, square| reach | board.after(square, board.flips(square)).pass().moves())
}

/// The potential parity-losing regions of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Parity {
    /// The regions that the side to move has lost.
    pub own: u8,
    /// The regions that its opponent has lost.
    pub other: u8,
}

impl Parity {
    /// The regions of this board with an odd number of squares.
    #[inline]
    pub fn of(board: &Board) -> Self {
        Self::counting(board, Regions::Odd)
    }

    /// The regions of this board that count.
    #[inline]
    pub fn counting(board: &Board, counted: Regions) -> Self {
        let (own, other) = (access(board), access(&board.pass()));
        let mut parity = Self::default();
        for region in regions::<Board>(board.empties()) {
            if counted == Regions::All || region.count() % 2 == 1 {
                parity.own += u8::from(region & own == 0);
                parity.other += u8::from(region & other == 0);
            }
        }
        parity
    }

    /// The same, seen from the other side.
    #[inline]
    #[must_use]
    pub fn turned(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    /// Addition to the mobility, given the penalty for a lost region. The paper only describes the losses of the
    /// side to move; for a symmetric value the opponent's losses are added.
    #[inline]
    pub fn value(self, lost_region: i32) -> i32 {
        lost_region * (i32::from(self.other) - i32::from(self.own))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use othello::reference::{Place, ReferenceBoard};

    use super::*;
    use crate::player::samples::{boards, drawn};

    #[test]
    fn a_corner_that_only_one_side_can_take_is_lost_to_the_other() {
        // a1: Black flips b1 to g1 towards h1. White finds black discs next to it and no white one behind them.
        let filled = "********";
        let board = drawn(["-oooooo*", filled, filled, filled, filled, filled, filled, filled]);
        assert_eq!(Parity::of(&board), Parity { own: 0, other: 1 });
        assert_eq!(Parity::of(&board).value(LOST_REGION_OF_THE_PAPER), 6400);
        assert_eq!(Parity::of(&board.pass()), Parity { own: 1, other: 0 });
        assert_eq!(Parity::of(&board).turned().value(LOST_REGION_OF_THE_PAPER), -6400);
    }

    #[test]
    fn a_region_that_a_second_move_opens_is_not_lost() {
        // Black can play h1, over h2 to h3, and then a1, over b1 to g1 to the disc on h1. White can play nowhere.
        let filled = "********";
        let board = drawn(["-oooooo-", "*******o", filled, filled, filled, filled, filled, filled]);
        assert_eq!(board.moves(), 1 << 7, "h1 alone");
        assert_eq!(access(&board), 1 << 7 | 1);
        assert_eq!(Parity::of(&board), Parity { own: 0, other: 2 });
    }

    #[test]
    fn a_region_is_open_if_one_of_its_squares_is_and_even_ones_do_not_count() {
        // a1, a2 and b2 are one region, into which Black plays at a1 and White nowhere.
        let filled = "********";
        let three = drawn(["-oooooo*", "--******", filled, filled, filled, filled, filled, filled]);
        assert_eq!(regions::<Board>(three.empties()).count(), 1);
        assert_eq!(Parity::of(&three), Parity { own: 0, other: 1 });
        // a1 and b2 touch at their corners.
        let two = drawn(["-oooooo*", "*-******", filled, filled, filled, filled, filled, filled]);
        assert_eq!(Parity::of(&two), Parity::default());
        assert_eq!(Parity::counting(&two, Regions::All), Parity { own: 0, other: 1 });
    }

    #[test]
    fn full_boards_have_no_regions_and_lonely_discs_lose_them_all() {
        assert_eq!(Parity::of(&Board::new(u64::MAX, 0)), Parity::default());
        assert_eq!(Parity::of(&Board::new(0, 0)), Parity::default(), "64 squares are even");
        assert_eq!(Parity::of(&Board::new(1, 0)), Parity { own: 1, other: 1 });
    }

    /// The same by the slow rules.
    fn slowly(board: &Board, counted: Regions) -> Parity {
        let mut reference = ReferenceBoard::start("8x8").expect("8x8");
        for place in reference.places() {
            let bit = 1 << (place.1 * 8 + place.0);
            let disc = if board.player & bit != 0 { b'X' } else { b'O' };
            reference.put(place, if (board.player | board.opponent) & bit != 0 { disc } else { b'-' });
        }
        let reach = |reference: &ReferenceBoard| -> HashSet<Place> {
            let first = reference.moves();
            let second = first.iter().filter_map(|&place| reference.play(place)).flat_map(|after| after.pass().moves());
            first.iter().copied().chain(second).collect()
        };
        let lost = |reference: &ReferenceBoard| {
            let reach = reach(reference);
            let regions = reference.regions();
            let counted = regions.iter().filter(|region| counted == Regions::All || region.len() % 2 == 1);
            counted.filter(|region| region.iter().all(|place| !reach.contains(place))).count() as u8
        };
        Parity { own: lost(&reference), other: lost(&reference.pass()) }
    }

    #[test]
    fn regions_and_access_are_those_of_the_slow_rules() {
        let mut found = [0; 2];
        for board in boards(1500, 5) {
            let parity = Parity::of(&board);
            assert_eq!(parity, slowly(&board, Regions::Odd), "{board:?}");
            assert_eq!(Parity::counting(&board, Regions::All), slowly(&board, Regions::All), "{board:?}");
            found[usize::from(parity.own > 0)] += 1;
        }
        assert!(found.iter().all(|&count| count > 50), "both kinds are among them: {found:?}");
    }
}
