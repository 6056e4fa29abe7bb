//! The probabilities of moves to the edges, counted in games, for IAGO's edge table.

use crate::player::edge::{EDGE_LENGTH, Edge, Owner};
use crate::player::edge_probabilities::{EdgeProbabilities, PROBABILITY_COUNT};
use crate::player::edges_of;
use othello::{Board, Rules};

/// Number of possible moves to empty squares of an edge that flip nothing along it, case by case.
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
            // Moves that flip along the edge are always legal and need no probability.
            if edge.flips(square, Owner::Own) == 0
                && let Some(place) = EdgeProbabilities::place(edge, square)
            {
                self.seen[place] += 1;
                self.possible[place] += u64::from(can_move(square));
            }
        }
    }

    /// The number of positions counted.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Count of each case.
    pub fn seen(&self) -> &[u64] {
        &self.seen
    }

    /// The shares of the cases in which the move was legal. One case of either kind is added, so that a case that never
    /// occurred has probability one half.
    pub fn probabilities(&self) -> EdgeProbabilities {
        let shares: Vec<f64> =
            self.seen.iter().zip(&self.possible).map(|(&seen, &possible)| share(possible, seen)).collect();
        EdgeProbabilities::from_values(&shares).unwrap_or_else(|| EdgeProbabilities::constant(0.5))
    }
}

fn share(possible: u64, seen: u64) -> f64 {
    (possible as f64 + 1.0) / (seen as f64 + 2.0)
}

#[cfg(test)]
mod tests {
    use othello::Square;

    use super::*;

    #[test]
    fn only_moves_that_flip_nothing_along_the_edge_are_counted() {
        let set = |names: &[&str]| names.iter().map(|name| name.parse::<Square>().unwrap().bit()).sum();
        // Black can play c1 over c2 to c3, and f1 along the top.
        let board = Board::new(set(&["c3", "d1"]), set(&["c2", "e1"]));
        let mut tally = EdgeMoveTally::default();
        tally.add(&board);
        assert_eq!(tally.positions(), 1);
        let top = Edge::from_text("---XO---");
        let c1 = EdgeProbabilities::place(top, 2).unwrap();
        assert_eq!((tally.seen[c1], tally.possible[c1]), (1, 1));
        let b1 = EdgeProbabilities::place(top, 1).unwrap();
        // b1 and g1, and the twelve corresponding squares of three empty edges.
        assert_eq!((tally.seen[b1], tally.possible[b1]), (8, 0));
        // f1 flips e1 and is certain: six squares beside two discs, less that one, are open.
        let open: u64 = tally.seen.iter().sum();
        assert_eq!(open, 4 * 6 - 2 - 1);
    }

    #[test]
    fn probabilities_are_shares_and_even_for_what_was_never_seen() {
        assert_eq!(EdgeMoveTally::default().probabilities(), EdgeProbabilities::constant(0.5));
        let mut tally = EdgeMoveTally::default();
        tally.add(&Board::start());
        let place = EdgeProbabilities::place(Edge::default(), 3).unwrap();
        assert_eq!(tally.seen[place], 8);
        assert_eq!(tally.probabilities().values()[place], 0.1);
    }
}
