//! Mobility as KEYANO counts it: by directions in which discs can be flipped (section 3.1, Mobility).
//!
//! A square from which discs flip in three directions counts three times: that is *approximate mobility*. The paper
//! takes it from BILL, whose 38 line tables it describes; here the same number is computed with bitboards, one per
//! direction, which is faster than look-ups on today's machines.

use othello::regions::QUADRANTS;
use othello::{Board, Rules};

/// The maximum number of directions; more count as this many.
pub const MAX_DIRECTIONS: usize = 35;

/// The values of a curve: for 0 to [`MAX_DIRECTIONS`] directions.
pub const CURVE_LENGTH: usize = MAX_DIRECTIONS + 1;

/// The squares of columns b to g: a disc on the left or right rim is never flipped sideways.
const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// For each of the eight directions the empty squares from which the side to move flips discs that way.
#[inline]
pub fn direction_sets(board: &Board) -> [u64; 8] {
    let Board { player, opponent } = *board;
    let empties = board.empties();
    let inner = opponent & INNER_COLUMNS;
    let mut sets = [0; 8];
    for (line, (shift, flippable)) in [(1, inner), (7, inner), (8, opponent), (9, inner)].into_iter().enumerate() {
        // At most six discs are between two others.
        let mut up = flippable & (player << shift);
        let mut down = flippable & (player >> shift);
        for _ in 0..5 {
            up |= flippable & (up << shift);
            down |= flippable & (down >> shift);
        }
        sets[2 * line] = (up << shift) & empties;
        sets[2 * line + 1] = (down >> shift) & empties;
    }
    sets
}

/// The mobility of the side to move: a number for each quarter of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mobility {
    /// The numbers for the quarters of a1, h1, a8 and h8.
    pub quarters: [u32; 4],
}

impl Mobility {
    /// The approximate mobility: directions in which discs flip, counted at the square of the move.
    #[inline]
    pub fn approximate(board: &Board) -> Self {
        // The eight sets are added square by square, in binary: one set for each digit of the sums.
        let [a, b, c, d, e, f, g, h] = direction_sets(board);
        let (ones_1, twos_1) = three(a, b, c);
        let (ones_2, twos_2) = three(d, e, f);
        let (ones_3, twos_3) = three(g, h, ones_1);
        let (ones, twos_4) = two(ones_2, ones_3);
        let (twos_5, fours_1) = three(twos_1, twos_2, twos_3);
        let (twos, fours_2) = two(twos_4, twos_5);
        let (fours, eights) = two(fours_1, fours_2);
        let quarters = QUADRANTS.map(|quarter| {
            let count = |set: u64| (set & quarter).count_ones();
            count(ones) + 2 * count(twos) + 4 * count(fours) + 8 * count(eights)
        });
        Self { quarters }
    }

    /// The exact mobility: legal moves.
    #[inline]
    pub fn exact(board: &Board) -> Self {
        let moves = board.moves();
        Self { quarters: QUADRANTS.map(|quarter| (moves & quarter).count_ones()) }
    }

    /// The number for the whole board.
    #[inline]
    pub fn whole(&self) -> u32 {
        self.quarters.iter().sum()
    }
}

/// Adds three bits in every place: the low digit of the sums and the high one.
#[inline]
fn three(a: u64, b: u64, c: u64) -> (u64, u64) {
    (a ^ b ^ c, (a & b) | (c & (a ^ b)))
}

/// Adds two bits in every place.
#[inline]
fn two(a: u64, b: u64) -> (u64, u64) {
    (a ^ b, a & b)
}

/// The value of a number of directions, in hundredths of a point; four points of difference between the sides are one
/// disc (Figure 1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Curves {
    /// For the whole board.
    pub whole: [i16; CURVE_LENGTH],
    /// For a quarter of it.
    pub quarter: [i16; CURVE_LENGTH],
}

impl Curves {
    /// The value of one side's mobility on the whole board.
    #[inline]
    pub fn of_whole(&self, mobility: &Mobility) -> i32 {
        self.whole[(mobility.whole() as usize).min(MAX_DIRECTIONS)].into()
    }

    /// The value of one side's mobility in the four quarters together.
    #[inline]
    pub fn of_quarters(&self, mobility: &Mobility) -> i32 {
        mobility.quarters.iter().map(|&count| i32::from(self.quarter[(count as usize).min(MAX_DIRECTIONS)])).sum()
    }

    /// The value of one side's mobility: whole board and quarters with equal weight (section 3.1).
    #[inline]
    pub fn value(&self, mobility: &Mobility) -> i32 {
        self.of_whole(mobility) + self.of_quarters(mobility)
    }
}

#[cfg(test)]
mod tests {
    use othello::{Square, squares};

    use super::*;
    use crate::player::samples::boards;

    /// The directions in which a move flips discs, by walking over the board.
    fn directions_by_walking(board: &Board, square: Square) -> u32 {
        let disc = |x: i32, y: i32| {
            let on_board = (0..8).contains(&x) && (0..8).contains(&y);
            let bit = if on_board { Square::at(x as u8, y as u8).bit() } else { 0 };
            (board.player & bit != 0, board.opponent & bit != 0)
        };
        let mut count = 0;
        for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
            let (mut x, mut y) = (i32::from(square.column()) + dx, i32::from(square.row()) + dy);
            let mut crossed = 0;
            while disc(x, y).1 {
                (x, y, crossed) = (x + dx, y + dy, crossed + 1);
            }
            count += u32::from(crossed > 0 && disc(x, y).0);
        }
        count
    }

    #[test]
    fn approximate_mobility_counts_the_directions_of_exactly_the_legal_moves() {
        for board in boards(2000, 11) {
            let sets = direction_sets(&board);
            let mut expected = [0; 4];
            for square in squares(board.empties()) {
                let directions = directions_by_walking(&board, square);
                let found = sets.iter().filter(|&&set| set & square.bit() != 0).count() as u32;
                assert_eq!(found, directions, "{square} on {board:?}");
                assert_eq!(found > 0, board.moves() & square.bit() != 0, "{square} on {board:?}");
                let quarter = usize::from(square.column() >= 4) + 2 * usize::from(square.row() >= 4);
                expected[quarter] += directions;
            }
            assert_eq!(sets.iter().fold(0, |all, set| all | set), board.moves());
            assert_eq!(Mobility::approximate(&board).quarters, expected, "{board:?}");
            assert_eq!(Mobility::exact(&board).whole(), board.moves().count_ones());
        }
    }

    #[test]
    fn a_disc_that_flips_in_all_eight_directions_counts_eight_times() {
        // d4 is empty, white all around it, black around those.
        let centre = Square::at(3, 3).bit();
        let ring = Board::neighbors(centre) & !centre;
        let board = Board::new(Board::neighbors(ring) & !ring & !centre, ring);
        assert_eq!(Mobility::approximate(&board).quarters, [8, 0, 0, 0]);
        assert_eq!(Mobility::exact(&board).quarters, [1, 0, 0, 0]);
    }

    #[test]
    fn more_directions_than_the_curve_has_count_as_its_last() {
        let mut curves = Curves { whole: [0; CURVE_LENGTH], quarter: [0; CURVE_LENGTH] };
        curves.whole[MAX_DIRECTIONS] = 500;
        curves.quarter[MAX_DIRECTIONS] = 70;
        assert_eq!(curves.value(&Mobility { quarters: [40, 0, 3, 99] }), 500 + 2 * 70);
    }
}
