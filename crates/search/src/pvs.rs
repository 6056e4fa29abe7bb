//! Principal variation search: the tree from the root down to the last plies of the midgame or the last dozen empties
//! of the endgame.
//!
//! The same search serves both. Values are in parts of a disc; a search as deep as the number of empty squares reaches
//! the end of the game and returns exact scores in the same unit.

use evaluation::{Evaluation, Value};
use othello::{Rules, Square, squares};

use crate::endgame::{EndgamePosition, stability_bound};
use crate::parameters::{
    ENDGAME_MAX_EMPTIES, ENHANCED_CUTOFF_MIN_DEPTH, INTERNAL_DEEPENING_MIN_DEPTH, LOCAL_TABLE_MAX_EMPTIES,
    NEAR_LEAF_DEPTH,
};
use crate::selectivity::Selectivity;
use crate::transposition::{self, SearchResult};
use crate::worker::{Candidate, Worker, take_best};

/// Below every value.
pub(crate) const NO_VALUE: i32 = -Value::INFINITE.parts();

#[derive(Clone, Copy, Debug)]
pub(crate) struct BestMove {
    pub(crate) value: i32,
    pub(crate) square: Square,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<B, F> {
    pub(crate) board: B,
    pub(crate) features: F,
    pub(crate) depth: u32,
    pub(crate) selectivity: Selectivity,
    /// The evaluation of the board for the side to move, if it is known.
    pub(crate) static_value: Option<i32>,
}

impl<'a, B: Rules<Set = u64>, E: Evaluation<B>> Worker<'a, B, E>
where
    E::Features: Sync,
{
    /// The value of a position within a window, fail-soft.
    pub(crate) fn search(&mut self, node: &Node<B, E::Features>, alpha: i32, beta: i32) -> i32 {
        let board = &node.board;
        let empties = board.empties();
        let empty_count = empties.count_ones();
        let to_the_end = node.depth >= empty_count;
        if to_the_end {
            if beta - alpha == 1 && empty_count <= ENDGAME_MAX_EMPTIES as u32 {
                let alpha = alpha.div_euclid(Value::PER_DISC);
                return Value::PER_DISC * self.solve_endgame(EndgamePosition::of(board), alpha);
            }
            if empty_count == 0 {
                return Value::of_score(board.final_score()).parts();
            }
        } else if node.depth <= NEAR_LEAF_DEPTH {
            let deviations = self.leaf_deviations(node.selectivity, alpha, beta);
            return self.near_leaf(node, (alpha, beta), deviations);
        }
        self.inner_node(node, alpha, beta)
    }

    /// The value of a node with the hash table, ProbCut and the other ways to avoid searching its moves.
    fn inner_node(&mut self, node: &Node<B, E::Features>, alpha: i32, beta: i32) -> i32 {
        let Node { ref board, depth, selectivity, .. } = *node;
        let (player, opponent) = (board.player(), board.opponent());
        let empty_count = board.empties().count_ones();
        let to_the_end = depth >= empty_count;
        let null_window = beta - alpha == 1;
        self.last.nodes += 1;
        self.poll_regularly();
        if self.is_interrupted() {
            return alpha;
        }

        let moves = board.moves();
        if moves == 0 {
            if !board.pass().can_move() {
                return Value::of_score(board.final_score()).parts();
            }
            return -self.inner_node(&self.passed_node(node), -beta, -alpha);
        }
        if let Some(bound) = self.stability_cut(player, opponent, alpha, empty_count) {
            return bound;
        }

        let hash = transposition::hash::<B>(player, opponent);
        let mut table_moves = [None; 2];
        if let Some(entry) = self.shared.table.probe(player, opponent, hash) {
            table_moves = entry.moves;
            if entry.covers(depth as u8, selectivity.level()) {
                let (lower, upper) = (entry.lower.parts(), entry.upper.parts());
                if lower >= beta || lower == upper {
                    return lower;
                }
                if upper <= alpha {
                    return upper;
                }
            }
        }
        if null_window
            && !selectivity.is_exact()
            && let Some(bound) = self.probcut(node, alpha, to_the_end)
        {
            return bound;
        }

        let begin = self.push_candidates(board, moves);
        if null_window && let Some(bound) = self.enhanced_transposition_cut(node, begin, beta) {
            self.candidates.truncate(begin);
            return bound;
        }
        if !null_window && table_moves[0].is_none() && depth >= INTERNAL_DEEPENING_MIN_DEPTH && moves.count_ones() > 1 {
            // Internal iterative deepening: a shallower search finds a move to search first.
            let shallower = Node { depth: depth.min(empty_count) / 2, ..*node };
            self.inner_node(&shallower, alpha, beta);
            if let Some(entry) = self.shared.table.probe(player, opponent, hash) {
                table_moves = entry.moves;
            }
        }
        let unscored = self.score_first_moves(node, begin, table_moves, to_the_end);

        let mut best = BestMove { value: NO_VALUE, square: self.candidates[begin].square };
        let mut raised_alpha = alpha;
        let end = self.candidates.len();
        for index in begin..end {
            if unscored == Some(index) {
                self.score_moves(node, index, table_moves, to_the_end);
            }
            if index > begin && self.can_split(depth, to_the_end, end - index) {
                best = self.split(node, index, best, (raised_alpha, beta));
                break;
            }
            let candidate = take_best(&mut self.candidates[index..end]);
            let value = self.search_child(node, &candidate, index == begin, raised_alpha, beta);
            if self.is_interrupted() {
                self.candidates.truncate(begin);
                return best.value.max(alpha);
            }
            if value > best.value {
                best = BestMove { value, square: candidate.square };
                raised_alpha = raised_alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        self.candidates.truncate(begin);
        if self.is_interrupted() {
            return best.value.max(alpha);
        }
        if best.value >= beta {
            self.record_cutoff(empty_count, best.square, depth);
        }
        self.store(node, hash, (alpha, beta), best);
        best.value
    }

    /// Stores the result of a search with this window in the hash table.
    pub(crate) fn store(
        &self,
        node: &Node<B, E::Features>,
        hash: u64,
        (alpha, beta): (i32, i32),
        BestMove { value, square }: BestMove,
    ) {
        let Node { ref board, depth, selectivity, .. } = *node;
        let found =
            SearchResult { depth: depth as u8, selectivity: selectivity.level(), alpha, beta, value, best: square };
        self.shared.table.store(board.player(), board.opponent(), hash, found);
    }

    /// Appends the moves to the candidates and returns the index of the first one.
    pub(crate) fn push_candidates(&mut self, board: &B, moves: u64) -> usize {
        let begin = self.candidates.len();
        for square in squares(moves) {
            let flips = board.flips(square);
            self.candidates.push(Candidate { square, flips, score: 0, static_value: None });
        }
        begin
    }

    /// The value of a move: the first with the full window, the others with a null window and again if they exceed it.
    pub(crate) fn search_child(
        &mut self,
        node: &Node<B, E::Features>,
        candidate: &Candidate,
        first: bool,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let child = self.child_node(node, candidate, node.depth - 1);
        if first {
            return -self.search(&child, -beta, -alpha);
        }
        let value = -self.search(&child, -alpha - 1, -alpha);
        if value > alpha && value < beta && !self.is_interrupted() {
            return -self.search(&child, -beta, -alpha);
        }
        value
    }

    /// The node of searching the position after a move.
    #[inline]
    pub(crate) fn child_node(
        &self,
        node: &Node<B, E::Features>,
        candidate: &Candidate,
        depth: u32,
    ) -> Node<B, E::Features> {
        let &Candidate { square, flips, static_value, .. } = candidate;
        Node {
            board: node.board.after(square, flips),
            features: self.shared.evaluation.played(&node.features, &node.board, square, flips),
            depth,
            selectivity: node.selectivity,
            static_value,
        }
    }

    /// The node of searching the same position with the other side to move.
    #[inline]
    pub(crate) fn passed_node(&self, node: &Node<B, E::Features>) -> Node<B, E::Features> {
        let features = self.shared.evaluation.passed(&node.features);
        // An evaluation may count the turn.
        Node { board: node.board.pass(), features, static_value: None, ..*node }
    }

    /// Whether the opponent's stable discs alone keep the value at or below alpha.
    fn stability_cut(&self, player: u64, opponent: u64, alpha: i32, empty_count: u32) -> Option<i32> {
        let alpha = alpha.div_euclid(Value::PER_DISC);
        let bound = stability_bound::<B>(player, opponent, alpha, empty_count as usize)?;
        Some(bound * Value::PER_DISC)
    }

    /// Whether the hash table already contains a move that is good enough (enhanced transposition cutoff).
    fn enhanced_transposition_cut(&self, node: &Node<B, E::Features>, begin: usize, beta: i32) -> Option<i32> {
        let depth = node.depth - 1;
        if depth < ENHANCED_CUTOFF_MIN_DEPTH
            || (node.depth >= node.board.empties().count_ones() && depth <= LOCAL_TABLE_MAX_EMPTIES as u32)
        {
            // The children are not in this table.
            return None;
        }
        // The entries are in main memory: all of them are on their way before the first one is needed.
        for candidate in &self.candidates[begin..] {
            let child = node.board.after(candidate.square, candidate.flips);
            self.shared.table.prefetch(transposition::hash::<B>(child.player(), child.opponent()));
        }
        for candidate in &self.candidates[begin..] {
            let child = node.board.after(candidate.square, candidate.flips);
            let (player, opponent) = (child.player(), child.opponent());
            let hash = transposition::hash::<B>(player, opponent);
            if let Some(entry) = self.shared.table.probe(player, opponent, hash)
                && entry.covers(depth as u8, node.selectivity.level())
                && -entry.upper.parts() >= beta
            {
                return Some(-entry.upper.parts());
            }
        }
        None
    }
}
