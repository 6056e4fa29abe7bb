//! The last plies of a midgame search, and move ordering above them.

use evaluation::{Cuts, Evaluation, Value};
use othello::mobility::potential_moves;
use othello::regions::QuadrantParity;
use othello::{Rules, Square, squares};

use crate::parameters::{
    HISTORY, HISTORY_LIMIT, KILLER, MAX_HISTORY, MOBILITY, MOBILITY_TO_THE_END, ODD_QUADRANT, ordering_depth,
};
use crate::pvs::{NO_VALUE, Node};
use crate::selectivity::Selectivity;
use crate::worker::{CORNERS, Candidate, Worker, take_best};

impl<'a, B: Rules<Set = u64>, E: Evaluation<B>> Worker<'a, B, E>
where
    E::Features: Sync,
{
    /// A search of a few plies: alpha-beta, with the moves first that leave the opponent the least mobility. With
    /// `deviations`, positions whose evaluation is that far outside the window are not searched at all; the window is
    /// a null window then.
    pub(crate) fn near_leaf(
        &mut self,
        node: &Node<B, E::Features>,
        (mut alpha, beta): (i32, i32),
        deviations: Option<f32>,
    ) -> i32 {
        self.last.nodes += 1;
        let board = &node.board;
        if node.depth == 0 {
            if board.player() == 0 {
                // Wiped out: evaluations need not recognize this end of the game.
                return Value::of_score(board.final_score()).parts();
            }
            return self.static_value(node);
        }
        let moves = board.moves();
        if moves == 0 {
            if !board.pass().can_move() {
                return Value::of_score(board.final_score()).parts();
            }
            return -self.near_leaf(&self.passed_node(node), (-beta, -alpha), deviations);
        }
        if let Some(deviations) = deviations
            && let Some(bound) = self.leaf_cut(node, deviations, alpha)
        {
            return bound;
        }
        if node.depth == 1 {
            return self.last_ply(node, moves, beta);
        }
        let empty_count = board.empties().count_ones();
        let killers = self.killers[empty_count as usize & 63];
        let begin = self.candidates.len();
        for square in squares(moves) {
            let flips = board.flips(square);
            let killer = i32::from(killers[0] == Some(square)) * 2 + i32::from(killers[1] == Some(square));
            let score = killer - mobility_score(&board.after(square, flips));
            self.candidates.push(Candidate { square, flips, score, static_value: None });
        }
        let end = self.candidates.len();
        let mut best = NO_VALUE;
        for index in begin..end {
            let candidate = take_best(&mut self.candidates[index..end]);
            let child = self.child_node(node, &candidate, node.depth - 1);
            let value = -self.near_leaf(&child, (-beta, -alpha), deviations);
            if value > best {
                best = value;
                if value >= beta {
                    self.record_cutoff(empty_count, candidate.square, node.depth);
                    break;
                }
                alpha = alpha.max(value);
            }
        }
        self.candidates.truncate(begin);
        best
    }

    /// The best value one ply ahead, or one that reaches beta: killer moves and corners first. An order by mobility
    /// would cost more than the evaluations that it saves.
    fn last_ply(&mut self, node: &Node<B, E::Features>, mut moves: u64, beta: i32) -> i32 {
        let board = &node.board;
        let empty_count = board.empties().count_ones();
        let [first, second] = self.killers[empty_count as usize & 63].map(|killer| killer.map_or(0, Square::bit));
        let mut best = NO_VALUE;
        for set in [first, second, CORNERS, u64::MAX] {
            for square in squares(moves & set) {
                let candidate = Candidate { square, flips: board.flips(square), score: 0, static_value: None };
                let value = -self.near_leaf(&self.child_node(node, &candidate, 0), (-beta, -best), None);
                if value > best {
                    best = value;
                    if value >= beta {
                        self.record_cutoff(empty_count, square, node.depth);
                        return best;
                    }
                }
            }
            moves &= !set;
        }
        best
    }

    /// The evaluation of the position, if it is not known yet.
    #[inline]
    pub(crate) fn static_value(&self, node: &Node<B, E::Features>) -> i32 {
        node.static_value.unwrap_or_else(|| self.shared.evaluation.evaluate(&node.board, &node.features).parts())
    }

    /// Scores the candidates from index `begin` on, unless the move from the hash table is among them: if it refutes the
    /// node, the others need no score. Then it comes first, and the index of the next one is returned.
    #[inline]
    pub(crate) fn score_first_moves(
        &mut self,
        node: &Node<B, E::Features>,
        begin: usize,
        table_moves: [Option<Square>; 2],
        to_the_end: bool,
    ) -> Option<usize> {
        if self.candidates.len() - begin == 1 {
            return None;
        }
        // Searches to the end and the classic programs score all moves first.
        let first = table_moves[0].filter(|_| !to_the_end && self.shared.probcut.cuts == Cuts::Everywhere);
        let first = first.and_then(|square| self.candidates[begin..].iter().position(|found| found.square == square));
        let Some(first) = first else {
            self.score_moves(node, begin, table_moves, to_the_end);
            return None;
        };
        self.candidates.swap(begin, begin + first);
        self.candidates[begin].score = i32::MAX;
        Some(begin + 1)
    }

    /// Scores the candidates from index `begin` on, so that the most promising is searched first.
    pub(crate) fn score_moves(
        &mut self,
        node: &Node<B, E::Features>,
        begin: usize,
        table_moves: [Option<Square>; 2],
        to_the_end: bool,
    ) {
        let empties = node.board.empties();
        let empty_count = empties.count_ones();
        let parity = QuadrantParity::of(empties);
        let killers = self.killers[empty_count as usize & 63];
        let look_ahead = ordering_depth(node.depth, to_the_end);
        for index in begin..self.candidates.len() {
            let candidate = self.candidates[index];
            let square = candidate.square;
            let score = if Some(square) == table_moves[0] {
                i32::MAX
            } else if Some(square) == table_moves[1] {
                i32::MAX - 1
            } else {
                let child = Node { selectivity: Selectivity::EXACT, ..self.child_node(node, &candidate, look_ahead) };
                let value = -self.search(&child, -Value::INFINITE.parts(), Value::INFINITE.parts());
                if look_ahead == 0 {
                    self.candidates[index].static_value = Some(-value);
                }
                let killer = i32::from(killers[0] == Some(square)) * 2 + i32::from(killers[1] == Some(square));
                let history = self.history[empty_count as usize & 1][square.index() & 63].min(MAX_HISTORY);
                let odd = if to_the_end { i32::from(parity.is_odd(square)) } else { 0 };
                let mobility_weight = if to_the_end { MOBILITY_TO_THE_END } else { MOBILITY };
                let mobility = mobility_weight * mobility_score(&child.board);
                value - mobility + KILLER * killer + HISTORY * history as i32 + ODD_QUADRANT * odd
            };
            self.candidates[index].score = score;
        }
    }

    /// Records that a move refuted the position before it.
    #[inline]
    pub(crate) fn record_cutoff(&mut self, empty_count: u32, square: Square, depth: u32) {
        let killers = &mut self.killers[empty_count as usize & 63];
        if killers[0] != Some(square) {
            *killers = [Some(square), killers[0]];
        }
        let history = &mut self.history[empty_count as usize & 1];
        let credit = &mut history[square.index() & 63];
        *credit += depth * depth;
        if *credit > HISTORY_LIMIT {
            for credit in history {
                *credit /= 2;
            }
        }
    }
}

/// The mobility of the side to move: its moves, with corners counted twice, and its potential moves, in sixteenths.
#[inline]
pub(crate) fn mobility_score<B: Rules<Set = u64>>(board: &B) -> i32 {
    let moves = board.moves();
    let open = potential_moves(board);
    (4 * (moves.count_ones() + (moves & CORNERS).count_ones()) + open.count_ones()) as i32
}
