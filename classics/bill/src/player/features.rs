//! The four features of a position: edge, current mobility, potential mobility and sequence penalty (section 4).
//!
//! The means of Table 1 have opposite signs for winners and losers, so a feature is the value of the side to move minus
//! that of its opponent. The edges are looked up once, since their table covers both sides.

use std::sync::LazyLock;

use othello::{Board, Color};

use super::edge_table::EdgeTable;
use super::line_moves::{LineMoves, number_of};
use super::line_values::{LineValues, LineWords};
use super::lines::LineIndices;

/// The number of features.
pub const FEATURE_COUNT: usize = 4;

/// The names of the features, in the order of the paper's text.
pub const FEATURE_NAMES: [&str; FEATURE_COUNT] = ["edge", "current mobility", "potential mobility", "sequence penalty"];

/// The features of a position for the side to move: more is better.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    /// The sum of the four edges.
    pub edge: i32,
    /// The value of the moves minus their cost.
    pub current_mobility: i32,
    /// Potential moves.
    pub potential_mobility: i32,
    /// The cost of the opponent's strings of discs minus that of its own.
    pub sequence: i32,
}

impl Features {
    /// The features as a vector.
    #[inline]
    pub fn vector(&self) -> [f32; FEATURE_COUNT] {
        [self.edge as f32, self.current_mobility as f32, self.potential_mobility as f32, self.sequence as f32]
    }
}

/// The squares of each kind, and the bonus for a move there before any penalty.
const LOCATION_BONUS: [(u64, i32); 5] = [
    // Corners: nearly always good.
    (0x8100_0000_0000_0081, 250),
    // X-squares: nearly worthless.
    (0x0042_0000_0000_4200, 30),
    // C-squares.
    (0x4281_0000_0000_8142, 60),
    // The other squares of the edge.
    (0x3c00_8181_8181_003c, 95),
    // Everything inside.
    (0x003c_7e7e_7e7e_3c00, 100),
];

/// Potential mobility and sequence penalty are small numbers that fit in a byte; this brings them to the scale of the
/// others, as in Table 1.
const BYTE_SCALE: i32 = 10;

/// The value of moves by their location: the unadjusted current mobility.
#[inline(always)]
fn unadjusted_mobility(moves: u64) -> i32 {
    let mut sum = 0;
    for (squares, bonus) in LOCATION_BONUS {
        sum += (moves & squares).count_ones() as i32 * bonus;
    }
    sum
}

/// The line tables, computed on first use.
static LINE_TABLES: LazyLock<(LineMoves, LineWords)> = LazyLock::new(|| (LineMoves::new(), LineWords::new()));

/// All tables from which features are looked up.
#[derive(Clone, Copy, Debug)]
pub struct FeatureTables<'a> {
    moves: &'static LineMoves,
    words: &'static LineWords,
    edges: &'a EdgeTable,
}

/// The results of the look-ups for one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Seen {
    /// The legal moves of the side to move.
    pub(crate) own_moves: u64,
    /// The legal moves that the other side would have.
    pub(crate) other_moves: u64,
    /// The features for the side to move.
    pub(crate) features: Features,
}

impl<'a> FeatureTables<'a> {
    /// The tables of the lines, and this one of the edges.
    pub fn new(edges: &'a EdgeTable) -> Self {
        let (moves, words) = &*LINE_TABLES;
        Self { moves, words, edges }
    }

    /// The features of a position.
    pub fn features(&self, board: &Board, turn: Color) -> Features {
        self.look(&LineIndices::new(board, turn), turn).features
    }

    /// The values of the lines for the side to move and for its opponent.
    pub fn line_values(&self, indices: &LineIndices, turn: Color) -> [LineValues; 2] {
        let values = self.words.values(indices);
        let side = number_of(turn);
        [values[side], values[side ^ 1]]
    }

    /// The legal moves of the side to move and of its opponent, by the line tables.
    #[inline]
    pub(crate) fn moves(&self, indices: &LineIndices, turn: Color) -> [u64; 2] {
        let moves = self.moves.moves(indices);
        let side = number_of(turn);
        [moves[side], moves[side ^ 1]]
    }

    /// Looks everything up.
    #[inline]
    pub(crate) fn look(&self, indices: &LineIndices, turn: Color) -> Seen {
        let [own_moves, other_moves] = self.moves(indices, turn);
        let [own, other] = self.line_values(indices, turn);
        let difference = |own: u32, other: u32| own as i32 - other as i32;
        let features = Features {
            edge: self.edges.value(indices, number_of(turn)),
            current_mobility: unadjusted_mobility(own_moves)
                - unadjusted_mobility(other_moves)
                - difference(own.move_penalty, other.move_penalty),
            potential_mobility: BYTE_SCALE * difference(own.potential_mobility, other.potential_mobility),
            sequence: BYTE_SCALE * difference(other.sequence_penalty, own.sequence_penalty),
        };
        Seen { own_moves, other_moves, features }
    }
}

#[cfg(test)]
mod tests {
    use othello::{Rules, squares};
    use search::samples::{Origin, Samples};

    use super::super::edge_table::EDGE_ENTRIES;
    use super::super::line_values::line_values;
    use super::*;

    /// A number for every edge, different for different edges.
    fn edge_values() -> Vec<i16> {
        (0..EDGE_ENTRIES).map(|index| (index * 7919 % 2001) as i16 - 1000).collect()
    }

    /// The board of eight rows, `X` for the side to move and `O` for its opponent.
    fn drawn(rows: [&str; 8]) -> Board {
        let set = |symbol: char| {
            let squares = rows.concat();
            squares.char_indices().filter(|&(_, found)| found == symbol).fold(0, |set, (square, _)| set | 1 << square)
        };
        Board::new(set('X'), set('O'))
    }

    #[test]
    fn the_features_of_a_drawn_position_are_those_counted_by_hand() {
        let empty = "--------";
        let board = drawn([empty, empty, empty, "-XOO----", empty, empty, empty, empty]);
        let edges = EdgeTable::new(&edge_values());
        let found = FeatureTables::new(&edges).features(&board, Color::Black);
        // e4 lies inside (100) and flips two discs of the fourth row (4 + 2 * 4 + 1) with the empty f4 behind it (3); a4 lies
        // on the edge (95) and flips one (4 + 4), and behind it the board ends.
        assert_eq!(found.current_mobility, (100 - 13 - 3) - (95 - 8));
        // Next to c4 there are c3 and c5 in the column, b3 and d5 on a diagonal of seven, b5 and d3 on one of six. Next to
        // d4 there are e4 in the row, d3 and d5, c3 and e5 on the diagonal of eight, which may add 3 at most, c5 and e3 on
        // one of seven. Next to b4 there are a4, b3 and b5, a3 and c5 on a diagonal of six, a5 and c3 on one of five.
        let next_to_c4 = (1 + 1) + (4 + 1) + (2 + 2);
        let next_to_d4 = 1 + (5 + 1) + 3 + (1 + 1);
        let next_to_b4 = 5 + (2 + 1) + (5 + 2) + (3 + 1);
        assert_eq!(found.potential_mobility, 10 * (next_to_c4 + next_to_d4 - next_to_b4));
        // Black has single discs on four lines (1 each); White a string of two in the fourth row (1), and each of its discs
        // is alone in its column and on two diagonals.
        let (black, white) = (4, 1 + 2 * 3);
        assert_eq!(found.sequence, 10 * (white - black));
        // Four empty edges.
        assert_eq!(found.edge, 4 * i32::from(edge_values()[0]));
    }

    /// The straight lines of the board as lists of squares, with the kind of each: rows and columns by their distance from
    /// the rim, diagonals from the longest on.
    fn all_lines() -> Vec<(usize, Vec<usize>)> {
        let mut lines = Vec::new();
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for start in 0..64i32 {
                let on_board = |step: i32| {
                    let (x, y) = (start % 8 + step * dx, start / 8 + step * dy);
                    ((0..8).contains(&x) && (0..8).contains(&y)).then_some((8 * y + x) as usize)
                };
                let line: Vec<usize> = (0..8).map_while(on_board).collect();
                if on_board(-1).is_none() && line.len() >= 3 {
                    let number = if dx == 0 { start % 8 } else { start / 8 } as usize;
                    let kind = if dx == 0 || dy == 0 { number.min(7 - number) } else { 12 - line.len() };
                    lines.push((kind, line));
                }
            }
        }
        lines
    }

    #[test]
    fn features_looked_up_are_those_counted_line_by_line_and_move_by_move() {
        let values = edge_values();
        let edges = EdgeTable::new(&values);
        let tables = FeatureTables::new(&edges);
        let lines = all_lines();
        assert_eq!(lines.len(), 38);
        // The value of a move by its square, drawn for a quarter of the board.
        let quarter = [[250, 60, 95, 95], [60, 30, 100, 100], [95, 100, 100, 100], [95, 100, 100, 100]];
        let bonus = |square: usize| {
            let (column, row) = (square % 8, square / 8);
            quarter[row.min(7 - row)][column.min(7 - column)]
        };
        let mut samples = Samples::<Board>::new(15);
        for number in 0..2000 {
            let board: Board = samples.position(Origin::ALL[number % 4], (number / 4 % 60) as u32);
            let side = |board: &Board| {
                let places = |line: &[usize], set: u64| {
                    line.iter()
                        .enumerate()
                        .fold(0, |places, (place, square)| places | ((set >> square & 1) as u16) << place)
                };
                let mut mobility: i32 = squares(board.moves()).map(|square| bonus(square.index())).sum();
                let (mut potential, mut sequence) = (0, 0);
                for (kind, line) in &lines {
                    let found = line_values(*kind, places(line, board.player), places(line, board.opponent));
                    mobility -= found.move_penalty as i32;
                    potential += 10 * found.potential_mobility as i32;
                    sequence += 10 * found.sequence_penalty as i32;
                }
                [mobility, potential, sequence]
            };
            let (own, other) = (side(&board), side(&board.pass()));
            // The edges from corner to corner, the X-squares next to them last, own discs 1 and the opponent's 2.
            let rim = [(0, 1, 8), (56, 1, -8), (0, 8, 1), (7, 8, -1)];
            let edge = rim.iter().map(|&(start, step, inwards)| {
                let squares =
                    (0..8).map(|place| start + step * place).chain([1, 6].map(|place| start + step * place + inwards));
                let digit = |square: i32| (board.player >> square & 1) + 2 * (board.opponent >> square & 1);
                let index =
                    squares.enumerate().map(|(place, square)| digit(square) as usize * 3usize.pow(place as u32));
                i32::from(values[index.sum::<usize>()])
            });
            let expected = Features {
                edge: edge.sum(),
                current_mobility: own[0] - other[0],
                potential_mobility: own[1] - other[1],
                sequence: other[2] - own[2],
            };
            for turn in [Color::Black, Color::White] {
                assert_eq!(tables.features(&board, turn), expected, "{board:?}");
            }
        }
    }

    #[test]
    fn incremental_features_are_those_computed_from_scratch_on_random_walks_with_undone_moves() {
        let edges = EdgeTable::new(&edge_values());
        let tables = FeatureTables::new(&edges);
        let mut samples = Samples::<Board>::new(16);
        for _ in 0..40 {
            let mut path = vec![(Board::start(), Color::Black, LineIndices::new(&Board::start(), Color::Black))];
            for _ in 0..120 {
                let &(board, turn, indices) = path.last().expect("the walk never goes back beyond the start");
                let seen = tables.look(&indices, turn);
                assert_eq!(seen.features, tables.features(&board, turn), "{board:?}");
                assert_eq!([seen.own_moves, seen.other_moves], [board.moves(), board.pass().moves()]);
                if path.len() > 1 && (samples.below(4) == 0 || board.is_over()) {
                    path.pop();
                } else if board.must_pass() {
                    path.push((board.pass(), !turn, indices));
                } else {
                    let moves = board.moves();
                    let square = squares(moves).nth(samples.below(moves.count_ones()) as usize).expect("a move");
                    let flips = board.flips(square);
                    path.push((board.after(square, flips), !turn, indices.after(square.index(), flips, turn)));
                }
            }
        }
    }
}
