//! How likely moves to the edges are, counted in games: what IAGO's edge table is computed with.

use heritage::iago::edge::{EDGE_LENGTH, Edge, Owner};
use heritage::iago::edge_probabilities::{EdgeProbabilities, PROBABILITY_COUNT};
use heritage::iago::edges_of;
use othello::{Board, Rules};

/// How often the side to move could move to an empty square of an edge without flipping along it, case by case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeMoveTally {
    seen: [u64; PROBABILITY_COUNT],
    possible: [u64; PROBABILITY_COUNT],
    positions: u64,
}

impl Default for EdgeMoveTally {
    fn default() -> Self {
        Self { seen: [0; PROBABILITY_COUNT], possible: [0; PROBABILITY_COUNT], positions: 0 }
    }
}

impl EdgeMoveTally {
    /// Counts the edges of a position for its side to move.
    pub fn add(&mut self, board: &Board) {
        self.positions += 1;
        let moves = board.moves();
        for (edge, squares) in edges_of(board) {
            self.add_edge(edge, |place| moves & squares[place].bit() != 0);
        }
    }

    fn add_edge(&mut self, edge: Edge, can_move: impl Fn(usize) -> bool) {
        for square in (0..EDGE_LENGTH).filter(|&square| edge.at(square).is_none()) {
            // What flips along the edge is always possible and asks for no probability.
            if edge.flips(square, Owner::Own) == 0
                && let Some(place) = EdgeProbabilities::place(edge, square)
            {
                self.seen[place] += 1;
                self.possible[place] += u64::from(can_move(square));
            }
        }
    }

    /// How many positions were counted.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// How often each case was seen.
    pub fn seen(&self) -> &[u64] {
        &self.seen
    }

    /// The shares of the cases in which the move was possible. One more of either kind is added, so that a case
    /// that was never seen is even.
    pub fn probabilities(&self) -> EdgeProbabilities {
        let shares: Vec<f64> =
            self.seen.iter().zip(&self.possible).map(|(&seen, &possible)| share(possible, seen)).collect();
        EdgeProbabilities::from_values(&shares).unwrap_or_else(|| EdgeProbabilities::constant(0.5))
    }
}

fn share(possible: u64, seen: u64) -> f64 {
    (possible as f64 + 1.0) / (seen as f64 + 2.0)
}
