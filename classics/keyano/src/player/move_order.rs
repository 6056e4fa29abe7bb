//! Move ordering: killers, and a fixed order of squares by their history (section 2.1).
//!
//! "Although the killer moves are used in the standard way, the history heuristic information is used to determine a
//! static move ordering for a given tree search. Only between iterations of iterative deepening are the move lists
//! sorted by the history heuristic information."

use othello::{Square, squares};

/// The maximum number of moves of a position.
pub(crate) const MAX_MOVES: usize = 64;

/// The number of killers per ply, as in Slate and Atkin.
const KILLERS: usize = 2;

/// The number of plies with their own killers, including passes.
const PLIES: usize = 128;

/// The order of squares before anything is known: corners, the rest of the edges, the middle, then the squares next to
/// the corners. The paper does not give the initial order; this is the order at the start of a game.
const FIRST_RANKS: [u8; 64] = {
    #[rustfmt::skip]
    const QUARTER: [[u8; 4]; 4] = [
        [0, 7, 1, 2],
        [7, 8, 6, 5],
        [1, 6, 3, 4],
        [2, 5, 4, 4],
    ];
    let mut ranks = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (x, y) = (square % 8, square / 8);
        ranks[square] = 7 * QUARTER[if y < 4 { y } else { 7 - y }][if x < 4 { x } else { 7 - x }];
        square += 1;
    }
    ranks
};

/// Moves in the order in which they are tried.
#[derive(Clone, Debug)]
pub(crate) struct MoveList {
    squares: [u8; MAX_MOVES],
    count: usize,
}

impl MoveList {
    /// The moves.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = Square> + '_ {
        self.squares[..self.count].iter().map(|&square| Square::new(square))
    }
}

/// Statistics of good moves.
#[derive(Clone, Debug)]
pub(crate) struct MoveOrder {
    killers: [[u8; KILLERS]; PLIES],
    /// For each side, the history score of each square.
    history: [[u64; 64]; 2],
    /// For each side, the rank of each square.
    ranks: [[u8; 64]; 2],
    uses_killers: bool,
    uses_history: bool,
}

impl MoveOrder {
    /// Nothing is known yet.
    pub(crate) fn new(uses_killers: bool, uses_history: bool) -> Self {
        Self {
            killers: [[64; KILLERS]; PLIES],
            history: [[0; 64]; 2],
            ranks: [FIRST_RANKS; 2],
            uses_killers,
            uses_history,
        }
    }

    /// A new position is searched: its plies differ from the last, and old history counts less.
    pub(crate) fn begin_search(&mut self) {
        self.killers = [[64; KILLERS]; PLIES];
        self.history.iter_mut().flatten().for_each(|merit| *merit /= 8);
        self.sort();
    }

    /// Sorts the lists of squares by history, between iterations.
    pub(crate) fn sort(&mut self) {
        if !self.uses_history {
            return;
        }
        for (ranks, history) in self.ranks.iter_mut().zip(&self.history) {
            let mut list: [u8; 64] = std::array::from_fn(|square| square as u8);
            list.sort_by_key(|&square| {
                (std::cmp::Reverse(history[usize::from(square)]), FIRST_RANKS[usize::from(square)])
            });
            for (rank, &square) in list.iter().enumerate() {
                ranks[usize::from(square)] = rank as u8;
            }
        }
    }

    /// The moves of a position, the table's first, then the killers of its ply, then by rank.
    #[inline]
    pub(crate) fn moves(&self, moves: u64, side: usize, ply: usize, best: Option<u8>) -> MoveList {
        let mut list = MoveList { squares: [0; MAX_MOVES], count: 0 };
        let mut keys = [0u8; MAX_MOVES];
        let ranks = &self.ranks[side & 1];
        let killers = &self.killers[ply & (PLIES - 1)];
        for square in squares(moves) {
            let number = square.index() as u8;
            let key = match () {
                () if best == Some(number) => 0,
                () if self.uses_killers && killers[0] == number => 1,
                () if self.uses_killers && killers[1] == number => 2,
                () => 3 + ranks[square.index() & 63],
            };
            let mut place = list.count;
            while place > 0 && keys[place - 1] > key {
                keys[place] = keys[place - 1];
                list.squares[place] = list.squares[place - 1];
                place -= 1;
            }
            keys[place] = key;
            list.squares[place] = number;
            list.count += 1;
        }
        list
    }

    /// Rewards a move that was best or caused a cutoff by two to the power of the depth (Schaeffer 1989).
    #[inline]
    pub(crate) fn reward(&mut self, square: Square, side: usize, ply: usize, depth: u32, cut_off: bool) {
        self.history[side & 1][square.index() & 63] += 1 << depth.min(40);
        let killers = &mut self.killers[ply & (PLIES - 1)];
        let number = square.index() as u8;
        if cut_off && killers[0] != number {
            *killers = [number, killers[0]];
        }
    }
}

#[cfg(test)]
mod tests {
    use othello::{Board, Rules};

    use super::*;

    fn names(list: &MoveList) -> Vec<String> {
        list.iter().map(|square| square.to_string()).collect()
    }

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn the_tables_move_comes_first_then_killers_then_the_list() {
        let moves = Board::start().moves();
        let mut order = MoveOrder::new(true, true);
        assert_eq!(names(&order.moves(moves, 0, 3, None)), ["d3", "c4", "f5", "e6"]);
        order.reward(square("f5"), 0, 3, 2, true);
        order.reward(square("e6"), 0, 3, 2, true);
        assert_eq!(names(&order.moves(moves, 0, 3, None)), ["e6", "f5", "d3", "c4"]);
        let best = Some(square("c4").index() as u8);
        assert_eq!(names(&order.moves(moves, 0, 3, best)), ["c4", "e6", "f5", "d3"]);
        assert_eq!(names(&order.moves(moves, 0, 4, None)), ["d3", "c4", "f5", "e6"], "another ply");
        let mut without = MoveOrder::new(false, true);
        without.reward(square("e6"), 0, 3, 2, true);
        assert_eq!(names(&without.moves(moves, 0, 3, None)), ["d3", "c4", "f5", "e6"]);
    }

    #[test]
    fn history_changes_the_list_only_between_iterations() {
        let moves = Board::start().moves();
        let mut order = MoveOrder::new(false, true);
        order.reward(square("e6"), 0, 1, 3, true);
        order.reward(square("f5"), 0, 2, 5, false);
        order.reward(square("c4"), 1, 2, 9, true);
        assert_eq!(names(&order.moves(moves, 0, 1, None)), ["d3", "c4", "f5", "e6"]);
        order.sort();
        // By hand: f5 has 32 and e6 has 8 for this side, the others nothing; c4 has 512 for the other side.
        assert_eq!(names(&order.moves(moves, 0, 1, None)), ["f5", "e6", "d3", "c4"]);
        assert_eq!(names(&order.moves(moves, 1, 1, None)), ["c4", "d3", "f5", "e6"]);
        let mut without = MoveOrder::new(false, false);
        without.reward(square("e6"), 0, 1, 3, true);
        without.sort();
        assert_eq!(names(&without.moves(moves, 0, 1, None)), ["d3", "c4", "f5", "e6"]);
    }

    #[test]
    fn at_first_corners_come_before_edges_and_x_squares_last() {
        let order = MoveOrder::new(true, true);
        let row = (1 << 16) - 1;
        let list = names(&order.moves(row, 0, 0, None));
        assert_eq!(list[..2], ["a1", "h1"]);
        assert_eq!(list[14..], ["b2", "g2"]);
    }
}
