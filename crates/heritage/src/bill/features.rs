//! The four features of a position: edge, current mobility, potential mobility and sequence penalty (section 4).
//!
//! The means of Table 1 have opposite signs for winners and losers, so a feature is taken to be what the side to move
//! has, less what its opponent has. The edges are looked up once, since their table knows both sides.

use std::sync::LazyLock;

use othello::{Board, Color};

use super::edge_table::EdgeTable;
use super::line_moves::{LineMoves, number_of};
use super::line_values::{LineValues, LineWords};
use super::lines::LineIndices;

/// How many features there are.
pub const FEATURE_COUNT: usize = 4;

/// What the features are called, in the order of the paper's text.
pub const FEATURE_NAMES: [&str; FEATURE_COUNT] = ["edge", "current mobility", "potential mobility", "sequence penalty"];

/// The features of a position, seen from the side to move: more is better for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    /// The sum of the four edges.
    pub edge: i32,
    /// Worth of the moves less what they cost.
    pub current_mobility: i32,
    /// Moves to come.
    pub potential_mobility: i32,
    /// What the opponent's strings of discs cost it, less what the own ones cost.
    pub sequence: i32,
}

impl Features {
    /// The features as a vector.
    #[inline]
    pub fn vector(&self) -> [f32; FEATURE_COUNT] {
        [self.edge as f32, self.current_mobility as f32, self.potential_mobility as f32, self.sequence as f32]
    }
}

/// The squares of a kind, and what a move there is worth before any penalty: the bonus for its location.
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

/// Potential mobility and sequence penalty count in small numbers, so as to fit in a byte; this brings them to the
/// scale of the others, where Table 1 has them.
const BYTE_SCALE: i32 = 10;

/// The worth of some moves by their location: the unadjusted current mobility.
#[inline(always)]
fn unadjusted_mobility(moves: u64) -> i32 {
    let mut sum = 0;
    for (squares, bonus) in LOCATION_BONUS {
        sum += (moves & squares).count_ones() as i32 * bonus;
    }
    sum
}

/// The tables of the lines, which are computed when they are first needed.
static LINE_TABLES: LazyLock<(LineMoves, LineWords)> = LazyLock::new(|| (LineMoves::new(), LineWords::new()));

/// All tables from which features are looked up.
#[derive(Clone, Copy, Debug)]
pub struct FeatureTables<'a> {
    moves: &'static LineMoves,
    words: &'static LineWords,
    edges: &'a EdgeTable,
}

/// What the look-ups of one position say.
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
