//! DESDEMONA's board of 92 squares: 10x10 with the two middle squares of every side cut out.

use core::fmt;

use crate::{Geometry, Rules, Square, squares};

const SIDE: u32 = 10;

/// The squares that are cut out: e1, f1, a5, j5, a6, j6, e10 and f10.
const CUTS: u128 = 1 << 4 | 1 << 5 | 1 << 40 | 1 << 49 | 1 << 50 | 1 << 59 | 1 << 94 | 1 << 95;

/// Columns b to i: a run of discs along a row or a diagonal that stays within them does not wrap around.
const INNER: u128 = PLAYABLE & !(COLUMN_A | COLUMN_A << 9);

const PLAYABLE: u128 = CutBoard::GEOMETRY.playable;

const COLUMN_A: u128 = {
    let mut column = 0;
    let mut row = 0;
    while row < SIDE {
        column |= 1 << (SIDE * row);
        row += 1;
    }
    column
};

/// The board of 92 squares as two sets of discs, the side to move first.
///
/// A line ends at a cut-out square, as it does at the edge of any board.
///
/// ```
/// use othello::{CutBoard, Rules};
///
/// assert_eq!(CutBoard::GEOMETRY.area(), 92);
/// assert_eq!(CutBoard::start().moves().count_ones(), 4);
/// assert!(CutBoard::GEOMETRY.parse_square("e1").is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CutBoard {
    player: u128,
    opponent: u128,
}

impl Rules for CutBoard {
    type Set = u128;

    const GEOMETRY: Geometry = {
        let whole = Geometry::square_board("cs221", SIDE as u8, SIDE as u8);
        Geometry { playable: whole.playable & !CUTS, ..whole }
    };
    const PLAYABLE: u128 = PLAYABLE;

    #[inline]
    fn from_discs(player: u128, opponent: u128) -> Self {
        debug_assert!(player & opponent == 0 && (player | opponent) & !PLAYABLE == 0);
        Self { player, opponent }
    }

    fn start() -> Self {
        // The four squares in the middle: e5 and f6 white, f5 and e6 black.
        Self::from_discs(1 << 45 | 1 << 54, 1 << 44 | 1 << 55)
    }

    #[inline]
    fn player(&self) -> u128 {
        self.player
    }

    #[inline]
    fn opponent(&self) -> u128 {
        self.opponent
    }

    #[inline]
    fn moves(&self) -> u128 {
        let inner = self.opponent & INNER;
        let found = reached(self.player, inner, 1)
            | reached(self.player, inner, 9)
            | reached(self.player, self.opponent, 10)
            | reached(self.player, inner, 11);
        found & self.empties()
    }

    #[inline]
    fn flips(&self, square: Square) -> u128 {
        let Some((up, down)) = RAYS.get(square.index()) else { return 0 };
        let mut flips = 0;
        for &ray in up {
            // The first square along the ray that is not an opponent's disc must hold a disc of the side to move.
            let end = ray & !self.opponent;
            let end = end & end.wrapping_neg() & self.player;
            flips |= ray & end.wrapping_sub(u128::from(end != 0));
        }
        for &ray in down {
            let end = (1 << 127) >> ((ray & !self.opponent) | 1).leading_zeros();
            // If it does, its negation shifted up covers everything above it.
            let end: u128 = end & ray & self.player;
            flips |= ray & (end << 1).wrapping_neg();
        }
        flips
    }

    #[inline]
    fn neighbors(set: u128) -> u128 {
        let beside = set | (set & !(COLUMN_A << 9)) << 1 | (set & !COLUMN_A) >> 1;
        (beside | beside << SIDE | beside >> SIDE) & PLAYABLE
    }

    #[inline]
    fn steps(set: u128) -> [u128; 4] {
        let (not_a, not_j) = (set & !COLUMN_A, set & !(COLUMN_A << 9));
        [not_j << 1, not_a << 9, set << 10, not_j << 11].map(|moved| moved & PLAYABLE)
    }

    fn transformed(&self, index: usize) -> Self {
        Self::from_discs(transform(self.player, index), transform(self.opponent, index))
    }
}

/// The squares just behind a run of opponent discs that begins next to a disc of the side to move, along one line in
/// both directions.
#[inline]
fn reached(player: u128, opponent: u128, step: u32) -> u128 {
    // Runs are at most eight long: one disc, two, four, eight.
    let mut up = opponent & (player << step);
    let mut down = opponent & (player >> step);
    up |= opponent & (up << step);
    down |= opponent & (down >> step);
    let pairs_up = opponent & (opponent << step);
    let pairs_down = pairs_up >> step;
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    let fours_up = pairs_up & (pairs_up << (2 * step));
    let fours_down = pairs_down & (pairs_down >> (2 * step));
    up |= fours_up & (up << (4 * step));
    down |= fours_down & (down >> (4 * step));
    (up << step) | (down >> step)
}

/// The squares visible from each square, up to the edge or a cut: in the four directions of increasing square numbers,
/// then in the opposite ones.
static RAYS: [([u128; 4], [u128; 4]); 100] = {
    let mut rays = [([0; 4], [0; 4]); 100];
    let mut square = 0;
    while square < 100 {
        let (column, row) = (square as i32 % 10, square as i32 / 10);
        rays[square] = (
            [ray(column, row, 1, 0), ray(column, row, -1, 1), ray(column, row, 0, 1), ray(column, row, 1, 1)],
            [ray(column, row, -1, 0), ray(column, row, 1, -1), ray(column, row, 0, -1), ray(column, row, -1, -1)],
        );
        square += 1;
    }
    rays
};

const fn ray(mut column: i32, mut row: i32, step_x: i32, step_y: i32) -> u128 {
    let mut ray = 0;
    loop {
        column += step_x;
        row += step_y;
        if column < 0 || column >= 10 || row < 0 || row >= 10 {
            return ray;
        }
        let bit = 1 << (row * 10 + column);
        if PLAYABLE & bit == 0 {
            return ray;
        }
        ray |= bit;
    }
}

/// Applies symmetry number `index` to a set, numbered as in [`symmetry`](crate::symmetry).
fn transform(set: u128, index: usize) -> u128 {
    let last = SIDE as u8 - 1;
    squares(set).fold(0, |image, square| {
        let (mut column, mut row) = CutBoard::GEOMETRY.column_row(square);
        if index & 4 != 0 {
            (column, row) = (row, column);
        }
        if index & 2 != 0 {
            row = last - row;
        }
        if index & 1 != 0 {
            column = last - column;
        }
        image | 1 << (SIDE as u8 * row + column)
    })
}

/// The ten rows, `*` for a disc of the side to move, `o` for its opponent's, a space where there is no square.
impl fmt::Debug for CutBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in 0..SIDE * SIDE {
            if index > 0 && index % SIDE == 0 {
                f.write_str("/")?;
            }
            let bit = 1 << index;
            f.write_str(if self.player & bit != 0 {
                "*"
            } else if self.opponent & bit != 0 {
                "o"
            } else if PLAYABLE & bit != 0 {
                "-"
            } else {
                " "
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &str) -> u128 {
        names.split(' ').fold(0, |set, name| set | 1 << CutBoard::GEOMETRY.parse_square(name).unwrap().index())
    }

    #[test]
    fn every_square_reads_back_from_its_name_and_the_missing_ones_are_refused() {
        let geometry = CutBoard::GEOMETRY;
        assert_eq!(geometry.squares().count(), 92);
        for square in geometry.squares() {
            assert_eq!(geometry.parse_square(&geometry.square_name(square)), Ok(square));
        }
        for name in ["e1", "f1", "a5", "j5", "a6", "j6", "e10", "f10", "k1", "a11", "a0", "a01", "a100"] {
            assert!(geometry.parse_square(name).is_err(), "{name}");
        }
        let refusal = geometry.parse_square("e1").unwrap_err().to_string();
        assert_eq!(
            refusal,
            "\"e1\" is not a square: expected a letter a-j and a number 1-10 on the cs221 board, \
             other than the squares it lacks"
        );
    }

    #[test]
    fn a_line_ends_where_squares_are_cut_out() {
        // On row 1 the squares e1 and f1 are missing between d1 and g1.
        let board = CutBoard::from_discs(set("a1 g1"), set("b1 c1 h1 i1"));
        assert_eq!(board.moves(), set("d1 j1"));
        let blocked = CutBoard::from_discs(set("g1"), set("b1 c1 d1"));
        assert_eq!(blocked.moves(), 0);
        assert!(CutBoard::GEOMETRY.squares().all(|square| blocked.play(square).is_none()));
    }

    #[test]
    fn lines_do_not_wrap_around_the_sides() {
        // j2 and a3 have neighboring numbers, and so have i2 and j2.
        let board = CutBoard::from_discs(set("h2"), set("i2 j2"));
        assert_eq!(board.moves(), 0);
        let board = CutBoard::from_discs(set("c3"), set("b3 a3"));
        assert_eq!(board.moves(), 0);
    }

    #[test]
    fn a_whole_row_of_ten_is_flipped() {
        let board = CutBoard::from_discs(set("a2"), set("b2 c2 d2 e2 f2 g2 h2 i2"));
        assert_eq!(board.moves(), set("j2"));
        let after = board.play(CutBoard::GEOMETRY.parse_square("j2").unwrap()).unwrap();
        assert_eq!(after.opponent(), set("a2 b2 c2 d2 e2 f2 g2 h2 i2 j2"));
    }
}
