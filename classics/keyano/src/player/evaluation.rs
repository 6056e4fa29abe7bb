//! The evaluation: the expected final disc difference, a weighted sum of four features (section 3).

use othello::{Board, Rules, Square};

use super::mobility::{Curves, Mobility};
use super::parity::Parity;
use super::patterns::{Indices, Pattern, edge_kind};
use super::settings::Counting;
use super::tables::{Feature, ONE, Tables};
use engine::explanation::{Explanation, Part};

/// Values are in hundredths of a disc.
pub const DISC: i32 = 100;

/// The maximum evaluation, below a win of all discs.
pub const MOST: i32 = 64 * DISC - 1;

/// A position with what the evaluation needs, updated along the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexedBoard {
    /// The discs.
    pub board: Board,
    /// The pattern indices.
    pub indices: Indices,
}

impl IndexedBoard {
    /// The position with these discs.
    pub fn of(board: Board) -> Self {
        Self { board, indices: Indices::of(&board) }
    }

    /// The position after a move that flips these discs, seen from the other side.
    #[inline]
    #[must_use]
    pub fn after(&self, square: Square, flips: u64) -> Self {
        Self { board: self.board.after(square, flips), indices: self.indices.after(square, flips) }
    }

    /// The position seen from the other side.
    #[inline]
    #[must_use]
    pub fn passed(&self) -> Self {
        Self { board: self.board.pass(), indices: self.indices.passed() }
    }
}

/// The evaluation: the tables and how moves are counted.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation<'a> {
    tables: &'a Tables,
    counting: Counting,
    /// The penalty for a lost region, in hundredths of a point of mobility.
    lost_region: i32,
}

impl<'a> Evaluation<'a> {
    /// The evaluation by these tables.
    pub fn new(tables: &'a Tables, counting: Counting) -> Self {
        Self { tables, counting, lost_region: tables.lost_region }
    }

    /// The same with another penalty for a lost region, in hundredths of a point.
    #[must_use]
    pub fn with_lost_region(self, lost_region: i32) -> Self {
        Self { lost_region, ..self }
    }

    /// The mobility of the side to move.
    #[inline]
    fn mobility(&self, board: &Board) -> Mobility {
        match self.counting {
            Counting::Approximate => Mobility::approximate(board),
            Counting::Exact => Mobility::exact(board),
        }
    }

    fn curves(&self) -> &'a Curves {
        match self.counting {
            Counting::Approximate => &self.tables.approximate,
            Counting::Exact => &self.tables.exact,
        }
    }

    /// The sum of the values of a pattern at all its places.
    #[inline]
    fn pattern(&self, indices: &Indices, pattern: Pattern) -> i32 {
        let values = &self.tables.values[pattern as usize];
        (0..pattern.symmetries().len())
            .map(|instance| i32::from(values[indices.configuration(pattern, instance)]))
            .sum()
    }

    /// The sum of the values of the four edges with ten squares, each of the kind that applies to it.
    #[inline]
    fn edges(&self, position: &IndexedBoard) -> i32 {
        let occupied = position.board.player | position.board.opponent;
        (0..4)
            .map(|side| {
                let pattern = edge_kind(occupied, side);
                let configuration = position.indices.configuration(pattern, side);
                i32::from(self.tables.values[pattern as usize][configuration])
            })
            .sum()
    }

    /// The four features, with parity as computed some plies above.
    #[inline]
    pub fn features(&self, position: &IndexedBoard, parity: Parity) -> [i32; Feature::COUNT] {
        let IndexedBoard { board, indices } = position;
        let curves = self.curves();
        let own = curves.value(&self.mobility(board));
        let other = curves.value(&self.mobility(&board.pass()));
        let vectors = self.pattern(indices, Pattern::Edge)
            + self.pattern(indices, Pattern::SecondLine)
            + self.pattern(indices, Pattern::Diagonal8)
            + self.pattern(indices, Pattern::Diagonal7);
        [
            own - other + parity.value(self.lost_region),
            vectors,
            self.pattern(indices, Pattern::Corner),
            self.edges(position),
        ]
    }

    /// The value of the position for the side to move, in hundredths of a disc.
    #[inline]
    pub fn value(&self, position: &IndexedBoard, parity: Parity) -> i32 {
        let weights = &self.tables.weights[position.board.disc_count() as usize];
        let features = self.features(position, parity);
        let sum: i64 = features.iter().zip(weights).map(|(&value, &weight)| i64::from(value) * i64::from(weight)).sum();
        ((sum / i64::from(ONE)) as i32).clamp(-MOST, MOST)
    }

    /// The value with all its parts.
    pub fn explanation(&self, board: &Board, counts_parity: bool) -> Explanation {
        let position = IndexedBoard::of(*board);
        let parity = if counts_parity { Parity::of(board) } else { Parity::default() };
        let (own, other) = (self.mobility(board), self.mobility(&board.pass()));
        let curves = self.curves();
        let weights = self.tables.weights[board.disc_count() as usize].map(|weight| f64::from(weight) / f64::from(ONE));
        let features = self.features(&position, parity);
        let hundredths = |value: i32| f64::from(value) / f64::from(DISC);
        let weighted = |feature: Feature| {
            let index = feature as usize;
            Part::weighted(feature.name(), hundredths(features[index]), weights[index])
        };
        let counted = match self.counting {
            Counting::Approximate => "flipping directions",
            Counting::Exact => "legal moves",
        };
        let mut parts = vec![
            Part::plain(format!("{counted}, own"), own.whole()),
            Part::plain(format!("{counted}, opponent's"), other.whole()),
            Part::plain("whole board, points", hundredths(curves.of_whole(&own) - curves.of_whole(&other))),
            Part::plain("four quarters, points", hundredths(curves.of_quarters(&own) - curves.of_quarters(&other))),
            Part::plain("regions lost, own", parity.own),
            Part::plain("regions lost, opponent's", parity.other),
            Part::plain("parity, points", hundredths(parity.value(self.lost_region))),
            weighted(Feature::Mobility),
        ];
        for pattern in [Pattern::Edge, Pattern::SecondLine, Pattern::Diagonal8, Pattern::Diagonal7] {
            parts.push(Part::plain(
                format!("{}s", pattern.name()),
                hundredths(self.pattern(&position.indices, pattern)),
            ));
        }
        parts.extend([Feature::Vectors, Feature::Corners].map(weighted));
        let occupied = board.player | board.opponent;
        for pattern in [Pattern::EdgeWithX, Pattern::EdgeWithCentre] {
            let count = (0..4).filter(|&side| edge_kind(occupied, side) == pattern).count() as u32;
            parts.push(Part::plain(pattern.name().replacen("edge", "edges", 1), count));
        }
        parts.push(weighted(Feature::Edges));
        Explanation { parts, value: hundredths(self.value(&position, parity)), unit: "discs", win_probability: None }
    }
}

/// KEYANO's evaluation of a position with the shipped tables.
pub fn explain(board: &Board) -> Explanation {
    Evaluation::new(Tables::shipped(), Counting::Approximate).explanation(board, true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::samples::boards;

    fn shipped() -> Evaluation<'static> {
        Evaluation::new(Tables::shipped(), Counting::Approximate)
    }

    #[test]
    fn the_weighted_parts_of_an_explanation_make_the_value() {
        for board in boards(400, 21) {
            let explanation = explain(&board);
            let sum: f64 = explanation.parts.iter().filter_map(|part| Some(part.value * part.weight?)).sum();
            let expected = sum.clamp(-63.99, 63.99);
            assert!((expected - explanation.value).abs() < 0.02, "{sum} and {} on {board:?}", explanation.value);
            let value = shipped().value(&IndexedBoard::of(board), Parity::of(&board));
            assert_eq!((explanation.value * 100.0).round() as i32, value);
        }
    }

    #[test]
    fn a_board_and_its_symmetric_images_are_worth_the_same() {
        for board in boards(200, 23) {
            let value = |board: Board| shipped().value(&IndexedBoard::of(board), Parity::of(&board));
            assert!((1..8).all(|index| value(board.transformed(index)) == value(board)), "{board:?}");
        }
    }

    #[test]
    fn pattern_features_are_sums_of_values_read_square_by_square() {
        // A value for every configuration of every pattern, different for different ones.
        let mut tables = Tables::blank();
        for (kind, values) in tables.values.iter_mut().enumerate() {
            for (configuration, value) in values.iter_mut().enumerate() {
                *value = ((configuration * 7919 + kind * 1237) % 12_001) as i16 - 6000;
            }
        }
        let value = |pattern: Pattern, names: &str, board: &Board| {
            let digit = |name: &str| {
                let bit = name.parse::<Square>().expect("a square").bit();
                1 + usize::from(board.player & bit != 0) - usize::from(board.opponent & bit != 0)
            };
            let configuration =
                names.split(' ').enumerate().map(|(place, name)| digit(name) * 3usize.pow(place as u32)).sum::<usize>();
            i32::from(tables.values[pattern as usize][configuration])
        };
        // The places, written out: each read from its beginning.
        let vectors = [
            (Pattern::Edge, "a1 b1 c1 d1 e1 f1 g1 h1"),
            (Pattern::Edge, "a1 a2 a3 a4 a5 a6 a7 a8"),
            (Pattern::Edge, "a8 b8 c8 d8 e8 f8 g8 h8"),
            (Pattern::Edge, "h1 h2 h3 h4 h5 h6 h7 h8"),
            (Pattern::SecondLine, "a2 b2 c2 d2 e2 f2 g2 h2"),
            (Pattern::SecondLine, "b1 b2 b3 b4 b5 b6 b7 b8"),
            (Pattern::SecondLine, "a7 b7 c7 d7 e7 f7 g7 h7"),
            (Pattern::SecondLine, "g1 g2 g3 g4 g5 g6 g7 g8"),
            (Pattern::Diagonal8, "a1 b2 c3 d4 e5 f6 g7 h8"),
            (Pattern::Diagonal8, "h1 g2 f3 e4 d5 c6 b7 a8"),
            (Pattern::Diagonal7, "b1 c2 d3 e4 f5 g6 h7"),
            (Pattern::Diagonal7, "a2 b3 c4 d5 e6 f7 g8"),
            (Pattern::Diagonal7, "g1 f2 e3 d4 c5 b6 a7"),
            (Pattern::Diagonal7, "h2 g3 f4 e5 d6 c7 b8"),
        ];
        let corners = [
            "a1 b1 c1 a2 b2 c2 a3 b3 c3",
            "h1 g1 f1 h2 g2 f2 h3 g3 f3",
            "a8 b8 c8 a7 b7 c7 a6 b6 c6",
            "h8 g8 f8 h7 g7 f7 h6 g6 f6",
        ];
        // The squares marked N, then the two kinds of edges with ten squares.
        let edges = [
            ("c2 d2 e2 f2", "a1 b1 c1 d1 e1 f1 g1 h1", "b2 g2", "d2 e2"),
            ("b3 b4 b5 b6", "a1 a2 a3 a4 a5 a6 a7 a8", "b2 b7", "b4 b5"),
            ("c7 d7 e7 f7", "a8 b8 c8 d8 e8 f8 g8 h8", "b7 g7", "d7 e7"),
            ("g3 g4 g5 g6", "h1 h2 h3 h4 h5 h6 h7 h8", "g2 g7", "g4 g5"),
        ];
        let evaluation = Evaluation::new(&tables, Counting::Approximate);
        let mut kinds = [0; 2];
        for board in boards(500, 31) {
            let found = evaluation.features(&IndexedBoard::of(board), Parity::default());
            let vectors: i32 = vectors.iter().map(|&(pattern, names)| value(pattern, names, &board)).sum();
            let corners: i32 = corners.iter().map(|names| value(Pattern::Corner, names, &board)).sum();
            let mut of_edges = 0;
            for (marked, edge, x_squares, centre) in edges {
                let is_empty = |name: &str| board.empties() & name.parse::<Square>().expect("a square").bit() != 0;
                let is_bare = marked.split(' ').all(is_empty);
                kinds[usize::from(is_bare)] += 1;
                of_edges += if is_bare {
                    value(Pattern::EdgeWithX, &format!("{edge} {x_squares}"), &board)
                } else {
                    value(Pattern::EdgeWithCentre, &format!("{edge} {centre}"), &board)
                };
            }
            assert_eq!(found[1..], [vectors, corners, of_edges], "{board:?}");
        }
        assert!(kinds.iter().all(|&count| count > 100), "{kinds:?}");
    }

    #[test]
    fn incremental_features_are_those_computed_from_scratch_on_random_walks_with_undone_moves() {
        let mut samples = search::samples::Samples::<Board>::new(37);
        let mut path = vec![IndexedBoard::of(Board::start())];
        for _ in 0..5000 {
            let &position = path.last().expect("the walk never goes back beyond the start");
            let board = position.board;
            let parity = Parity::of(&board);
            assert_eq!(shipped().features(&position, parity), shipped().features(&IndexedBoard::of(board), parity));
            if path.len() > 1 && (board.is_over() || samples.below(4) == 0) {
                path.pop();
            } else if board.must_pass() {
                path.push(position.passed());
            } else {
                let moves = board.moves();
                let square = othello::squares(moves).nth(samples.below(moves.count_ones()) as usize).expect("a move");
                path.push(position.after(square, board.flips(square)));
            }
        }
    }

    #[test]
    fn mobility_is_whole_board_plus_quarters_plus_parity() {
        // Curves that count: one point per direction on the whole board, ten in a quarter.
        let mut tables = Tables::blank();
        tables.approximate.whole = std::array::from_fn(|count| 100 * count as i16);
        tables.approximate.quarter = std::array::from_fn(|count| (1000 * count as i32).min(30_000) as i16);
        tables.weights = vec![[ONE / 4, 0, 0, 0]; 65];
        let evaluation = Evaluation::new(&tables, Counting::Approximate);
        for board in boards(300, 29) {
            let (own, other) = (Mobility::approximate(&board), Mobility::approximate(&board.pass()));
            if own.whole().max(other.whole()) > 30 {
                continue;
            }
            let difference = own.whole() as i32 - other.whole() as i32;
            let parity = Parity::of(&board);
            let features = evaluation.features(&IndexedBoard::of(board), parity);
            assert_eq!(features[0], 1100 * difference + parity.value(6400), "{board:?}");
            assert_eq!(evaluation.value(&IndexedBoard::of(board), parity), (features[0] / 4).clamp(-MOST, MOST));
        }
    }

    #[test]
    fn odd_boards_have_values_too() {
        for board in [Board::new(0, 0), Board::new(u64::MAX, 0), Board::new(0, u64::MAX), Board::new(1, 0)] {
            assert!(shipped().value(&IndexedBoard::of(board), Parity::of(&board)).abs() <= MOST);
            explain(&board);
        }
    }
}
