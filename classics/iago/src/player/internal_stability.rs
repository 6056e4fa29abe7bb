//! Stable discs inside the board, found starting from the corners (Rosenbloom 1982, 4.4.1.2).

/// The 36 squares that are neither edge nor corner.
pub const INTERNAL: u64 = 0x007e_7e7e_7e7e_7e00;

/// The number of internal squares.
pub const INTERNAL_COUNT: i32 = 36;

const CORNERS: u64 = 0x8100_0000_0000_0081;
const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = COLUMN_A << 7;
const ROWS_1_8: u64 = 0xff00_0000_0000_00ff;

/// The discs of a side that the paper's algorithm finds stable: those in corners, and from there every disc that has a
/// stable one of its color, or the edge of the board, next to it along each of the four lines.
pub fn stable_discs(own: u64) -> u64 {
    let mut stable = own & CORNERS;
    if stable == 0 {
        return 0;
    }
    loop {
        let (west, east) = (stable & !COLUMN_A, stable & !COLUMN_H);
        let horizontal = east << 1 | west >> 1 | COLUMN_A | COLUMN_H;
        let vertical = stable << 8 | stable >> 8 | ROWS_1_8;
        let falling = east << 9 | west >> 9 | COLUMN_A | COLUMN_H | ROWS_1_8;
        let rising = west << 7 | east >> 7 | COLUMN_A | COLUMN_H | ROWS_1_8;
        let grown = stable | own & horizontal & vertical & falling & rising;
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// The stable internal discs of one side less those of the other.
pub fn internal_stability(own: u64, other: u64) -> i32 {
    let count = |discs: u64| (stable_discs(discs) & INTERNAL).count_ones() as i32;
    count(own) - count(other)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use othello::{Board, Rules, Square};

    use super::*;
    use crate::player::samples::paper_game;

    /// The algorithm as the paper words it: a set of squares to examine, and a mark for every square.
    fn stable_by_the_set(own: u64) -> u64 {
        let has = |marks: u64, column: i8, row: i8| {
            (0..8).contains(&column) && (0..8).contains(&row) && marks >> (row * 8 + column) & 1 == 1
        };
        let off = |column: i8, row: i8| !(0..8).contains(&column) || !(0..8).contains(&row);
        let mut marks = 0u64;
        let mut set = BTreeSet::new();
        for corner in [0u8, 7, 56, 63] {
            if own >> corner & 1 == 1 {
                marks |= 1 << corner;
                set.insert(corner);
            }
        }
        while let Some(element) = set.pop_first() {
            let (x, y) = ((element % 8) as i8, (element / 8) as i8);
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
                let (column, row) = (x + dx, y + dy);
                if !has(own, column, row) || has(marks, column, row) {
                    continue;
                }
                let is_stable = [(1, 0), (0, 1), (1, 1), (1, -1)].iter().all(|&(lx, ly)| {
                    [1, -1].iter().any(|&sign| {
                        let (near_x, near_y) = (column + sign * lx, row + sign * ly);
                        off(near_x, near_y) || has(marks, near_x, near_y)
                    })
                });
                if is_stable {
                    let square = (row * 8 + column) as u8;
                    marks |= 1 << square;
                    set.insert(square);
                }
            }
        }
        marks
    }

    #[test]
    fn sets_of_squares_find_what_the_algorithm_of_the_paper_finds() {
        let mut state = 7u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let discs = state ^ state >> 29;
            let dense = discs | discs.rotate_left(17) | discs.rotate_left(40);
            for own in [discs, dense, dense | 0xff, dense | 0x81] {
                assert_eq!(stable_discs(own), stable_by_the_set(own), "{own:x}");
            }
        }
    }

    #[test]
    fn the_game_of_figure_4_6_has_the_stable_discs_that_the_paper_names() {
        // REVERSI CHALLENGER against IAGO as the project keeps it; the paper's board is that of some move, with
        // b7, c7, f7 and g7 (or their images) found, and no more.
        let mut found = BTreeSet::new();
        for position in paper_game("PB[REVERSI CHALLENGER]").positions() {
            let Board { player, opponent } = position.board;
            let stable = (stable_discs(player) | stable_discs(opponent)) & INTERNAL;
            found.extend((0..8).map(|index| Board::new(stable, 0).transformed(index).player));
        }
        let figure: u64 = ["b7", "c7", "f7", "g7"].iter().map(|name| name.parse::<Square>().unwrap().bit()).sum();
        assert!(found.contains(&figure));
    }
}
