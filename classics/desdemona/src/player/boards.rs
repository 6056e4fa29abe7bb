//! The two boards that DESDEMONA plays on, and the simple features of each.

use std::sync::LazyLock;

use othello::{Board, CutBoard, Rules, Square};
use storage::DataFile;

use super::evaluation::{Evaluation, Mixture};
use super::search::{Found, Searcher};
use super::simple_features::{SIMPLE_COUNT, SimpleFeature};
use super::tables::{FILE_ON_8X8, FILE_ON_92, Tables};
use engine::interruption::Interruption;

/// A board that DESDEMONA plays on.
pub trait DesdemonaBoard: Rules {
    /// The stages of the game, of four moves each (section 3.2): 22 on the board of 92 squares, 15 on 8x8.
    const STAGES: usize = (Self::GEOMETRY.area() as usize - 4) / STAGE_MOVES;

    /// File of its tables.
    const FILE: &'static DataFile;

    /// The twelve simple features.
    fn simple_features() -> [SimpleFeature; SIMPLE_COUNT];

    /// The evaluation with the tables that ship.
    fn shipped() -> &'static Evaluation<Self>;

    /// Searches with that evaluation. It is defined here, and not inlined, so that it is compiled once and not in every
    /// crate that uses DESDEMONA.
    fn search(
        searcher: &mut Searcher<Self, &'static Evaluation<Self>>,
        board: &Self,
        depth: u32,
        interruption: &mut Interruption<'_>,
    ) -> Option<Found>;

    /// The stage of a position. A board without empty squares has the last.
    #[inline]
    fn stage(disc_count: u32) -> usize {
        (disc_count.saturating_sub(4) as usize / STAGE_MOVES).min(Self::STAGES - 1)
    }
}

/// The moves of a stage (section 3.2).
const STAGE_MOVES: usize = 4;

impl DesdemonaBoard for CutBoard {
    const FILE: &'static DataFile = &FILE_ON_92;

    /// The features of section 4.1, in the order of the paper. The last is the line that the cuts shorten.
    fn simple_features() -> [SimpleFeature; SIMPLE_COUNT] {
        [
            // Two parts of the rim that meet in the corner.
            feature::<Self>("7-length corner edge", corner_edge(), &[(0, 4), (3, 7)]),
            feature::<Self>("3 x 3 corner", corner_block(), &[]),
            feature::<Self>("4-length diagonal #1", diagonal(3, 0..4), &[]),
            feature::<Self>("4-length diagonal #2", diagonal(5, 1..5), &[]),
            feature::<Self>("7-length diagonal", diagonal(6, 0..7), &[]),
            feature::<Self>("8-length diagonal", diagonal(7, 0..8), &[]),
            feature::<Self>("9-length diagonal", diagonal(8, 0..9), &[]),
            feature::<Self>("10-length diagonal", diagonal(9, 0..10), &[]),
            // The line next to the rim.
            feature::<Self>("10-length horiz/vert #1", row(1, 0..10), &[(0, 10)]),
            feature::<Self>("10-length horiz/vert #2", row(2, 0..10), &[]),
            feature::<Self>("10-length horiz/vert #3", row(3, 0..10), &[]),
            feature::<Self>("8-length horiz/vert", row(4, 1..9), &[]),
        ]
    }

    fn shipped() -> &'static Evaluation<Self> {
        static SHIPPED: LazyLock<Evaluation<CutBoard>> = LazyLock::new(shipped);
        &SHIPPED
    }

    #[inline(never)]
    fn search(
        searcher: &mut Searcher<Self, &'static Evaluation<Self>>,
        board: &Self,
        depth: u32,
        interruption: &mut Interruption<'_>,
    ) -> Option<Found> {
        searcher.search(board, depth, interruption)
    }
}

impl DesdemonaBoard for Board {
    const FILE: &'static DataFile = &FILE_ON_8X8;

    /// The corresponding features: the same corner, six diagonals and four lines, one of which is the whole edge,
    /// because no cut divides it.
    fn simple_features() -> [SimpleFeature; SIMPLE_COUNT] {
        [
            feature::<Self>("7-length corner edge", corner_edge(), &[]),
            feature::<Self>("3 x 3 corner", corner_block(), &[]),
            feature::<Self>("3-length diagonal", diagonal(2, 0..3), &[]),
            feature::<Self>("4-length diagonal", diagonal(3, 0..4), &[]),
            feature::<Self>("5-length diagonal", diagonal(4, 0..5), &[]),
            feature::<Self>("6-length diagonal", diagonal(5, 0..6), &[]),
            feature::<Self>("7-length diagonal", diagonal(6, 0..7), &[]),
            feature::<Self>("8-length diagonal", diagonal(7, 0..8), &[]),
            feature::<Self>("8-length horiz/vert #1", row(1, 0..8), &[(0, 8)]),
            feature::<Self>("8-length horiz/vert #2", row(2, 0..8), &[]),
            feature::<Self>("8-length horiz/vert #3", row(3, 0..8), &[]),
            feature::<Self>("8-length edge", row(0, 0..8), &[(0, 8)]),
        ]
    }

    fn shipped() -> &'static Evaluation<Self> {
        static SHIPPED: LazyLock<Evaluation<Board>> = LazyLock::new(shipped);
        &SHIPPED
    }

    #[inline(never)]
    fn search(
        searcher: &mut Searcher<Self, &'static Evaluation<Self>>,
        board: &Self,
        depth: u32,
        interruption: &mut Interruption<'_>,
    ) -> Option<Found> {
        searcher.search(board, depth, interruption)
    }
}

/// The evaluation with the tables that ship; a test reads both files.
fn shipped<B: DesdemonaBoard>() -> Evaluation<B> {
    let tables = Tables::read::<B>(B::FILE.bytes());
    let tables = tables.unwrap_or_else(|error| panic!("the tables that ship are whole: {error}"));
    Evaluation::new(&tables, Mixture::Both)
}

/// A row and a column of the board, as the paper writes squares.
type Place = (u8, u8);

fn feature<B: Rules>(name: &'static str, places: Vec<Place>, edges: &[(usize, usize)]) -> SimpleFeature {
    let square = |&(row, column): &Place| -> Square {
        B::GEOMETRY.square_at(column, row).unwrap_or_else(|| panic!("({row}, {column}) of {name} is on the board"))
    };
    SimpleFeature {
        name,
        squares: places.iter().map(square).collect(),
        edges: edges.iter().map(|&(from, to)| from..to).collect(),
    }
}

/// From (3, 0) up to the corner (0, 0) and on to (0, 3).
fn corner_edge() -> Vec<Place> {
    vec![(3, 0), (2, 0), (1, 0), (0, 0), (0, 1), (0, 2), (0, 3)]
}

fn corner_block() -> Vec<Place> {
    (0..3).flat_map(|row| (0..3).map(move |column| (row, column))).collect()
}

/// The squares whose row and column have this sum, in these rows.
fn diagonal(sum: u8, rows: std::ops::Range<u8>) -> Vec<Place> {
    rows.map(|row| (row, sum - row)).collect()
}

fn row(row: u8, columns: std::ops::Range<u8>) -> Vec<Place> {
    columns.map(|column| (row, column)).collect()
}

#[cfg(test)]
mod tests {
    use othello::{SquareSet, squares};

    use super::*;

    #[test]
    fn stages_are_four_moves_long_and_fill_the_game() {
        assert_eq!((CutBoard::STAGES, Board::STAGES), (22, 15));
        assert_eq!([4, 7, 8, 91, 92].map(CutBoard::stage), [0, 0, 1, 21, 21]);
        assert_eq!([0, 4, 8, 63, 64].map(Board::stage), [0, 0, 1, 14, 14]);
    }

    #[test]
    fn the_features_have_the_lengths_of_their_names_and_lie_on_the_board() {
        fn lengths<B: DesdemonaBoard>() -> Vec<usize> {
            B::simple_features().iter().map(|feature| feature.squares.len()).collect()
        }
        assert_eq!(lengths::<CutBoard>(), [7, 9, 4, 4, 7, 8, 9, 10, 10, 10, 10, 8]);
        assert_eq!(lengths::<Board>(), [7, 9, 3, 4, 5, 6, 7, 8, 8, 8, 8, 8]);
    }

    #[test]
    fn the_features_of_the_92_squares_lie_where_the_paper_draws_them() {
        // Section 4.1, feature by feature, with our interpretation of its squares where a figure is missing. Each
        // letter marks the squares of a feature; a point marks a square that the board lacks.
        let drawings = [
            // A: corner edge, B: 8-length line.
            (
                "AAAA..----
                 A---------
                 A---------
                 A---------
                 .BBBBBBBB.
                 .--------.
                 ----------
                 ----------
                 ----------
                 ----..----",
                [('A', 0), ('B', 11)].as_slice(),
            ),
            // C: corner block, D: 7-length diagonal, E: 9-length diagonal.
            (
                "CCC-..D-E-
                 CCC--D-E--
                 CCC-D-E---
                 ---D-E----
                 .-D-E----.
                 .D-E-----.
                 D-E-------
                 -E--------
                 E---------
                 ----..----",
                [('C', 1), ('D', 4), ('E', 6)].as_slice(),
            ),
            // F: 4-length diagonal #1, G: 4-length diagonal #2, H: 8-length diagonal, I: 10-length diagonal.
            (
                "---F..-H-I
                 --F-G-H-I-
                 -F-G-H-I--
                 F-G-H-I---
                 .G-H-I---.
                 .-H-I----.
                 -H-I------
                 H-I-------
                 -I--------
                 I---..----",
                [('F', 2), ('G', 3), ('H', 5), ('I', 7)].as_slice(),
            ),
            // K, L, M: the 10-length lines.
            (
                "----..----
                 KKKKKKKKKK
                 LLLLLLLLLL
                 MMMMMMMMMM
                 .--------.
                 .--------.
                 ----------
                 ----------
                 ----------
                 ----..----",
                [('K', 8), ('L', 9), ('M', 10)].as_slice(),
            ),
        ];
        let features = CutBoard::simple_features();
        let mut drawn_features = 0;
        for (drawing, letters) in drawings {
            let rows: Vec<Vec<char>> = drawing.split_whitespace().map(|row| row.chars().collect()).collect();
            let places = |wanted: char| {
                let marks = rows
                    .iter()
                    .enumerate()
                    .flat_map(|(y, row)| row.iter().enumerate().map(move |(x, mark)| (x, y, mark)));
                let found = marks.filter(|&(_, _, &mark)| mark == wanted);
                found.map(|(x, y, _)| CutBoard::GEOMETRY.square_at(x as u8, y as u8)).collect::<Vec<_>>()
            };
            assert!(places('.').iter().all(Option::is_none) && places('.').len() == 8);
            for &(letter, number) in letters {
                let mut expected: Vec<Square> =
                    places(letter).into_iter().map(|square| square.expect("a square")).collect();
                let mut found = features[number].squares.clone();
                expected.sort();
                found.sort();
                assert_eq!(found, expected, "{}", features[number].name);
                drawn_features += 1;
            }
        }
        assert_eq!(drawn_features, SIMPLE_COUNT);
    }

    #[test]
    fn the_straight_features_of_the_92_squares_reach_from_rim_to_rim() {
        // Beyond both ends of a line there is no square, or the feature would be longer.
        for feature in &CutBoard::simple_features()[2..] {
            let ends = [[0, 1], [feature.squares.len() - 1, feature.squares.len() - 2]];
            for [end, before] in ends.map(|places| places.map(|place| feature.squares[place])) {
                let [(x, y), (from_x, from_y)] = [end, before].map(|square| CutBoard::GEOMETRY.column_row(square));
                let beyond = (2 * x).checked_sub(from_x).zip((2 * y).checked_sub(from_y));
                let square = beyond.and_then(|(x, y)| CutBoard::GEOMETRY.square_at(x, y));
                assert_eq!(square, None, "{}", feature.name);
            }
        }
    }

    #[test]
    fn together_the_features_look_at_every_square() {
        fn covered<B: DesdemonaBoard>() -> B::Set {
            let patterns = super::super::Patterns::new::<B>(B::simple_features());
            let squares = patterns.images().iter().flat_map(|image| image.squares.clone());
            squares.fold(B::Set::EMPTY, |set, square| set | B::Set::only(square))
        }
        assert_eq!(covered::<CutBoard>(), CutBoard::PLAYABLE);
        assert_eq!(squares(covered::<Board>()).count(), 64);
    }

    #[test]
    fn the_tables_that_ship_can_be_read() {
        CutBoard::shipped();
        Board::shipped();
    }
}
