//! The probability of a legal move to an edge that flips no disc of the edge, counted in games (Lee and Mahajan 1990,
//! section 4.1).
//!
//! Each edge and square is counted separately. Edges that are rare in the games are estimated from others with the same
//! squares around the move.

use crate::player::edge_table::{EDGE_ENTRIES, is_certain, is_empty, mirrored};
use crate::player::lines::{EDGE_SQUARES, EDGES, LineIndices};
use othello::{Board, Color, Rules};

/// Counts for one edge or for many: how often a square was empty, and how often a move to it was legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Count {
    seen: u32,
    legal: u32,
}

/// Statistics of access to edges.
#[derive(Clone, Debug)]
pub struct EdgeAccess {
    counts: Vec<[Count; EDGE_SQUARES]>,
    positions: u64,
}

/// An edge that was seen less often than this is estimated more from similar edges than from itself.
const ENOUGH: f32 = 20.0;

/// The surroundings of a square in the first half of the edge, nearest first: places of the edge, 8 being the X-square.
const AROUND: [(usize, [usize; 3]); 5] =
    [(0, [8, 1, 2]), (1, [0, 2, 8]), (2, [1, 3, 0]), (3, [2, 4, 1]), (8, [0, 1, 2])];

/// The number of kinds of squares with their surroundings.
const CONTEXTS: usize = AROUND.len() * 27;

/// The square seen from the other end of the edge.
fn mirrored_square(square: usize) -> usize {
    match square {
        8 => 9,
        9 => 8,
        _ => 7 - square,
    }
}

/// The surroundings of a square of an edge, the same for both ends.
fn context(index: usize, square: usize) -> usize {
    let found = AROUND.iter().enumerate().find(|(_, (place, _))| *place == square);
    let Some((kind, (_, around))) = found else { return context(mirrored(index), mirrored_square(square)) };
    around.iter().fold(kind, |context, &place| 3 * context + index / 3usize.pow(place as u32) % 3)
}

impl EdgeAccess {
    /// No counts yet.
    pub fn new() -> Self {
        Self { counts: vec![[Count::default(); EDGE_SQUARES]; EDGE_ENTRIES], positions: 0 }
    }

    /// The number of positions counted.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Counts the four edges of a position for its side to move.
    pub fn add(&mut self, board: &Board) {
        self.positions += 1;
        let moves = board.moves();
        let indices = LineIndices::new(board, Color::Black);
        for (edge, index) in EDGES.iter().zip(indices.edges()) {
            let index = usize::from(index);
            for (square, &place) in edge.iter().enumerate() {
                if is_empty(index, square) && !is_certain(index, square) {
                    let count = &mut self.counts[index][square];
                    count.seen += 1;
                    count.legal += (moves >> place & 1) as u32;
                }
            }
        }
    }

    /// The probabilities for every edge, seen from the side to move.
    pub fn probabilities(&self) -> Vec<[f32; EDGE_SQUARES]> {
        let both_ends = |index: usize, square: usize| {
            let (one, other) = (self.counts[index][square], self.counts[mirrored(index)][mirrored_square(square)]);
            Count { seen: one.seen + other.seen, legal: one.legal + other.legal }
        };
        let mut alike = vec![(0u64, 0u64); CONTEXTS];
        for index in 0..EDGE_ENTRIES {
            for square in 0..EDGE_SQUARES {
                let count = self.counts[index][square];
                let alike = &mut alike[context(index, square)];
                alike.0 += u64::from(count.seen);
                alike.1 += u64::from(count.legal);
            }
        }
        let of_square = |index: usize, square: usize| {
            let (seen, legal) = alike[context(index, square)];
            // The default for what never occurred in games is one half.
            let mean = (legal as f32 + 0.5) / (seen as f32 + 1.0);
            let Count { seen, legal } = both_ends(index, square);
            (legal as f32 + ENOUGH * mean) / (seen as f32 + ENOUGH)
        };
        (0..EDGE_ENTRIES).map(|index| std::array::from_fn(|square| of_square(index, square))).collect()
    }
}

impl Default for EdgeAccess {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use search::samples::{Origin, Samples};

    use super::*;

    #[test]
    fn access_is_the_share_of_legal_moves_counted_square_by_square() {
        let mut samples = Samples::<Board>::new(1);
        let mut access = EdgeAccess::new();
        // How often a corner next to an empty edge was legal, counted by hand.
        let (mut seen, mut legal) = (0u32, 0u32);
        for number in 0..20_000 {
            let board: Board = samples.position(Origin::RandomGame, 20 + number % 30);
            access.add(&board);
            let discs = board.player | board.opponent;
            for edge in EDGES {
                let is_bare = edge.iter().all(|&square| discs >> square & 1 == 0);
                for corner in [edge[0], edge[7]].into_iter().filter(|_| is_bare) {
                    seen += 1;
                    legal += (board.moves() >> corner & 1) as u32;
                }
            }
        }
        let probabilities = access.probabilities();
        let expected = legal as f32 / seen as f32;
        assert!((probabilities[0][0] - expected).abs() < 0.01, "{} {expected}", probabilities[0][0]);
        assert_eq!(access.positions(), 20_000);
        // Both ends have equal values, and all values are probabilities.
        for index in (0..EDGE_ENTRIES).step_by(7) {
            for square in 0..EDGE_SQUARES {
                let found = probabilities[index][square];
                assert!((0.0..=1.0).contains(&found));
                assert_eq!(found, probabilities[mirrored(index)][mirrored_square(square)]);
            }
        }
    }

    #[test]
    fn an_x_square_next_to_an_empty_corner_gives_the_opponent_access() {
        let mut samples = Samples::<Board>::new(2);
        let mut access = EdgeAccess::new();
        for number in 0..20_000 {
            access.add(&samples.position(Origin::SensibleGame, 15 + number % 30));
        }
        let probabilities = access.probabilities();
        let (of_opponent, empty) = (2 * 3usize.pow(8), 0);
        assert!(probabilities[of_opponent][0] > 2.0 * probabilities[empty][0]);
    }
}
