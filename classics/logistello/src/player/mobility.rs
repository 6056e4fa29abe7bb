//! Mobility and potential mobility, approximated by a sum of line values (Buro 1997, "Mobility").
//!
//! Each line contributes its empty squares that would flip discs along it. A move that flips in several directions is
//! counted once per line, one that flips only along a diagonal of three squares not at all.
//!
//! Potential mobility: the pairs of an empty square and an opponent's disc next to it on the line, where the disc has
//! another square behind it, so that it might be bracketed later, and the empty square does not flip anything along the
//! line now. The paper says only "which might be used to flip an opponent's disc".

use std::sync::LazyLock;

use super::patterns::{EDGE, LINE_COUNT, PLACES, PLACES_OF, centre, digits};

/// The squares of the shortest and of the longest line.
const SIZES: std::ops::RangeInclusive<usize> = 4..=8;

/// The mobility of a side on a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LineMobility {
    /// The empty squares that flip something along the line.
    pub moves: i32,
    /// The pairs of empty squares and opponent's discs that are potential moves.
    pub potential: i32,
}

impl LineMobility {
    /// The mobility on a line of the side with the discs +1.
    pub fn of(line: &[i8]) -> Self {
        let mut found = Self::default();
        for (place, _) in line.iter().enumerate().filter(|&(_, &disc)| disc == 0) {
            let behind: Vec<i8> = line[place + 1..].to_vec();
            let before: Vec<i8> = line[..place].iter().rev().copied().collect();
            let rays = [behind, before];
            let flips = rays.iter().any(|ray| flips_along(ray));
            found.moves += i32::from(flips);
            if !flips {
                let pairs = rays.iter().filter(|ray| ray.len() >= 2 && ray[0] == -1);
                found.potential += pairs.count() as i32;
            }
        }
        found
    }
}

/// Whether a disc placed before these squares would flip some of them.
fn flips_along(ray: &[i8]) -> bool {
    let run = ray.iter().take_while(|&&disc| disc == -1).count();
    run > 0 && ray.get(run) == Some(&1)
}

/// For every index of lines of each size: the mobility of the first color minus that of the second.
#[derive(Clone, Debug)]
pub struct LineTables {
    sizes: Vec<Vec<Difference>>,
}

/// Moves of the first color on a line, minus those of the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Difference {
    /// Of moves.
    pub moves: i8,
    /// Of potential moves.
    pub potential: i8,
}

impl LineTables {
    /// The tables, which need no learning.
    pub fn get() -> &'static LineTables {
        static TABLES: LazyLock<LineTables> = LazyLock::new(|| LineTables { sizes: SIZES.map(table).collect() });
        &TABLES
    }

    /// The differences on lines of this many squares, the one with the lowest index first.
    pub fn of_size(&self, size: usize) -> &[Difference] {
        &self.sizes[size.clamp(*SIZES.start(), *SIZES.end()) - SIZES.start()]
    }

    /// The difference on one of the 34 lines; on edges there is no potential mobility.
    #[inline]
    pub fn on_slot(&self, slot: usize, index: i16) -> Difference {
        let size = PLACES[slot % LINE_COUNT].size();
        let table = self.of_size(size);
        let found = table.get((i32::from(index) + centre(size)) as usize).copied().unwrap_or_default();
        if slot < PLACES_OF[EDGE + 1] { Difference { potential: 0, ..found } } else { found }
    }
}

fn table(size: usize) -> Vec<Difference> {
    let difference = |index: i32| {
        let line = digits(index, size);
        let turned: Vec<i8> = line.iter().map(|disc| -disc).collect();
        let (first, second) = (LineMobility::of(&line), LineMobility::of(&turned));
        Difference { moves: (first.moves - second.moves) as i8, potential: (first.potential - second.potential) as i8 }
    };
    (-centre(size)..=centre(size)).map(difference).collect()
}

#[cfg(test)]
mod tests {
    use othello::{Board, Rules, Square, squares};
    use search::samples::{Origin, Samples};

    use super::*;
    use crate::player::indices::Indices;

    fn line(text: &str) -> Vec<i8> {
        text.chars()
            .map(|symbol| match symbol {
                'X' => 1,
                'O' => -1,
                _ => 0,
            })
            .collect()
    }

    #[test]
    fn moves_of_a_line_are_those_seen_by_eye() {
        let moves = |text: &str| LineMobility::of(&line(text)).moves;
        assert_eq!(moves("-OX-----"), 1);
        assert_eq!(moves("-OXO----"), 2);
        // One square that flips to both sides is one move of the line.
        assert_eq!(moves("XO-OX"), 1);
        assert_eq!(moves("-OOOOOOX"), 1);
        assert_eq!(moves("-OOOOOOO"), 0);
        assert_eq!(moves("XX--OO--"), 0);
    }

    #[test]
    fn potential_moves_of_a_line_are_those_counted_by_hand() {
        let potential = |text: &str| LineMobility::of(&line(text)).potential;
        // Both neighbors of the disc are potential moves.
        assert_eq!(potential("---O----"), 2);
        assert_eq!(potential("------O-"), 2);
        // Nothing lies behind a disc at the end of the line.
        assert_eq!(potential("-------O"), 0);
        // A square that flips now is no longer a potential move.
        assert_eq!(potential("-OX-----"), 0);
        assert_eq!(potential("-OXO----"), 0);
        // The empty square between the two counts for both of them, the outer two for one each.
        assert_eq!(potential("-O-O----"), 4);
    }

    /// Mobility square by square from the board: for every empty square the lines along which it flips, diagonals of
    /// three squares and less left out.
    fn counted(board: &Board) -> i32 {
        const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
        let disc = |column: i32, row: i32| {
            if !(0..8).contains(&column) || !(0..8).contains(&row) {
                return None;
            }
            let bit = Square::at(column as u8, row as u8).bit();
            Some(i32::from(board.player & bit != 0) - i32::from(board.opponent & bit != 0))
        };
        let mut count = 0;
        for square in squares(board.empties()) {
            let (column, row) = (i32::from(square.column()), i32::from(square.row()));
            for (dx, dy) in STEPS {
                let length = |sign: i32| {
                    (1..8).take_while(|k| disc(column + sign * k * dx, row + sign * k * dy).is_some()).count()
                };
                if 1 + length(1) + length(-1) < 4 {
                    continue;
                }
                let flips = |sign: i32| {
                    let run = (1..8)
                        .take_while(|k| disc(column + sign * k * dx, row + sign * k * dy) == Some(-1))
                        .count() as i32;
                    run > 0 && disc(column + sign * (run + 1) * dx, row + sign * (run + 1) * dy) == Some(1)
                };
                count += i32::from(flips(1) || flips(-1));
            }
        }
        count
    }

    fn approximated(board: &Board) -> Difference {
        let indices = Indices::of(board);
        let tables = LineTables::get();
        (0..LINE_COUNT).map(|slot| tables.on_slot(slot, indices.slot(slot))).fold(
            Difference::default(),
            |sum, found| Difference { moves: sum.moves + found.moves, potential: sum.potential + found.potential },
        )
    }

    #[test]
    fn the_sum_of_the_lines_counts_every_move_once_for_each_line_it_flips_along() {
        let mut samples = Samples::<Board>::new(5);
        for number in 0..3000u32 {
            let origin = Origin::ALL[number as usize % 4];
            let board = samples.position(origin, number % 61);
            let found = approximated(&board);
            assert_eq!(i32::from(found.moves), counted(&board) - counted(&board.pass()), "{board:?}");
            let turned = approximated(&board.pass());
            assert_eq!((turned.moves, turned.potential), (-found.moves, -found.potential));
            // Against the exact mobility: each move counts up to four times, or not at all if it flips along a diagonal
            // of three squares only, where it turns an X-square.
            let exact = board.moves().count_ones() as i32;
            let x_squares =
                Square::all().filter(|square| ["b2", "g2", "b7", "g7"].contains(&square.to_string().as_str()));
            let x_squares = x_squares.fold(0, |set, square| set | square.bit());
            let over_x = squares(board.moves()).filter(|&square| board.flips(square) & x_squares != 0).count() as i32;
            assert!((exact - over_x..=4 * exact).contains(&counted(&board)), "{board:?}");
        }
    }

    #[test]
    fn on_every_square_the_lines_count_exactly_the_legal_moves_but_those_over_three_squares() {
        let mut samples = Samples::<Board>::new(6);
        for number in 0..1000u32 {
            let board = samples.position(Origin::ALL[number as usize % 4], number % 61);
            let mut times = [0; 64];
            for place in &PLACES[..LINE_COUNT] {
                let on_line = place.squares().fold(0, |set, square| set | square.bit());
                let discs: Vec<i8> = place
                    .squares()
                    .map(|square| {
                        i8::from(board.player & square.bit() != 0) - i8::from(board.opponent & square.bit() != 0)
                    })
                    .collect();
                // The moves of the line are the squares of it from which the rules flip discs of it.
                let flipping: Vec<Square> = place
                    .squares()
                    .filter(|&square| board.empties() & square.bit() != 0)
                    .filter(|&square| board.flips(square) & on_line != 0)
                    .collect();
                assert_eq!(LineMobility::of(&discs).moves, flipping.len() as i32, "{board:?}");
                flipping.iter().for_each(|square| times[square.index()] += 1);
            }
            for square in Square::all() {
                let is_legal = board.moves() & square.bit() != 0;
                let is_counted = times[square.index()] > 0;
                // A move that no line counts flips an X-square from a square two away from the corner, and nothing else.
                let x_squares = 0x0042_0000_0000_4200;
                let next_to_corner = 0x2400_8100_0081_0024;
                let is_over_three =
                    square.bit() & next_to_corner != 0 && board.flips(square) & !x_squares == 0 && is_legal;
                assert!(times[square.index()] <= 4, "{square} on {board:?}");
                assert!(is_legal || !is_counted, "{square} on {board:?}");
                assert!(!is_legal || is_counted || is_over_three, "{square} on {board:?}");
            }
        }
    }

    /// Potential mobility from the board: pairs of an empty square and an opponent's disc next to it, with another square
    /// behind the disc, where the empty square flips nothing along that line; edges and diagonals of three squares left out.
    fn potential_by_squares(board: &Board) -> i32 {
        let on_board = |column: i32, row: i32| (0..8).contains(&column) && (0..8).contains(&row);
        let has = |set: u64, column: i32, row: i32| on_board(column, row) && set >> (8 * row + column) & 1 == 1;
        let mut count = 0;
        for square in squares(board.empties()) {
            let (column, row) = (i32::from(square.column()), i32::from(square.row()));
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let is_edge = dy == 0 && (row == 0 || row == 7) || dx == 0 && (column == 0 || column == 7);
                let line = (-7..8).map(|k| (column + k * dx, row + k * dy)).filter(|&(x, y)| on_board(x, y));
                let line = line.fold(0u64, |set, (x, y)| set | 1 << (8 * y + x));
                if is_edge || line.count_ones() < 4 || board.flips(square) & line != 0 {
                    continue;
                }
                let pairs = |sign: i32| {
                    let beyond = on_board(column + 2 * sign * dx, row + 2 * sign * dy);
                    beyond && has(board.opponent, column + sign * dx, row + sign * dy)
                };
                count += i32::from(pairs(1)) + i32::from(pairs(-1));
            }
        }
        count
    }

    #[test]
    fn the_sum_of_the_lines_counts_every_potential_move_off_the_edges_once() {
        let mut samples = Samples::<Board>::new(7);
        for number in 0..3000u32 {
            let board = samples.position(Origin::ALL[number as usize % 4], number % 61);
            let expected = potential_by_squares(&board) - potential_by_squares(&board.pass());
            assert_eq!(i32::from(approximated(&board).potential), expected, "{board:?}");
        }
    }

    #[test]
    fn at_the_start_both_sides_have_the_same() {
        assert_eq!(approximated(&Board::start()), Difference::default());
        let after = Board::start().play("f5".parse().expect("a square")).expect("a move");
        // By hand: White can move d6, f4 and f6, each along one line, Black (on d5, e5, f5, e4 with White on d4) c3, c4
        // and d3, likewise.
        assert_eq!(approximated(&after).moves, 0);
    }

    #[test]
    fn edges_have_no_potential_mobility() {
        let tables = LineTables::get();
        assert_eq!(tables.on_slot(0, 27).potential, 0);
        assert_ne!(tables.on_slot(PLACES_OF[EDGE + 1], 27).potential, 0);
    }
}
