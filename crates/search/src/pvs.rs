//! Principal variation search: the tree from the root down to the last plies of the midgame or the last dozen empties
//! of the endgame.
//!
//! The same search serves both. Values are in parts of a disc; a search as deep as the number of empty squares reaches
//! the end of the game and returns exact scores in the same unit.

use std::ops::Range;

use evaluation::{Cuts, Evaluation, Value};
use othello::{Rules, Square, squares};

use crate::endgame::{EndgamePosition, MAX_EMPTIES, stability_bound};
use crate::local_table::LocalTables;
use crate::ordering::{Candidate, take_best};
use crate::selectivity::Selectivity;
use crate::transposition::{self, Found};
use crate::worker::Worker;

/// Below every value.
pub(crate) const NO_VALUE: i32 = -Value::INFINITE.parts();

/// The parameters of the search of one node.
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
            if beta - alpha == 1 && empty_count <= MAX_EMPTIES as u32 {
                let alpha = alpha.div_euclid(Value::PER_DISC);
                return Value::PER_DISC * self.solve_endgame(EndgamePosition::of(board), alpha);
            }
            if empty_count == 0 {
                return Value::of_score(board.final_score()).parts();
            }
        } else if node.depth <= Self::NEAR_LEAF {
            let deviations = self.leaf_deviations(node.selectivity, alpha, beta);
            return self.near_leaf(node, (alpha, beta), deviations);
        }
        self.node(node, alpha, beta, None)
    }

    /// The search of an inner node; at the root only the moves in `allowed` are searched.
    pub(crate) fn node(&mut self, node: &Node<B, E::Features>, alpha: i32, beta: i32, allowed: Option<u64>) -> i32 {
        let Node { ref board, depth, selectivity, .. } = *node;
        let (player, opponent) = (board.player(), board.opponent());
        let empties = board.empties();
        let empty_count = empties.count_ones();
        let to_the_end = depth >= empty_count;
        let null_window = beta - alpha == 1;
        self.last.nodes += 1;
        self.poll_regularly();
        if self.is_interrupted() {
            return alpha;
        }

        let mut moves = board.moves();
        if moves == 0 {
            if !board.pass().can_move() {
                return Value::of_score(board.final_score()).parts();
            }
            return -self.node(&self.passed_node(node), -beta, -alpha, None);
        }
        if let Some(allowed) = allowed {
            moves &= allowed;
        }

        if allowed.is_none()
            && let Some(bound) = self.stability_cut(player, opponent, alpha, empty_count)
        {
            return bound;
        }

        let hash = transposition::hash::<B>(player, opponent);
        let mut table_moves = [None; 2];
        if let Some(entry) = self.shared.table.probe(player, opponent, hash) {
            table_moves = entry.moves;
            if allowed.is_none() && entry.covers(depth as u8, selectivity.level()) {
                let (lower, upper) = (entry.lower.parts(), entry.upper.parts());
                if lower >= beta || lower == upper {
                    return lower;
                }
                if upper <= alpha {
                    return upper;
                }
            }
        }

        // At the root a move is needed, not only a bound.
        let may_cut = null_window && allowed.is_none();
        if may_cut
            && !selectivity.is_exact()
            && let Some(bound) = self.probcut(node, alpha, to_the_end)
        {
            return bound;
        }

        let begin = self.candidates.len();
        for square in squares(moves) {
            let flips = board.flips(square);
            self.candidates.push(Candidate { square, flips, score: 0, static_value: None });
        }
        if may_cut && let Some(bound) = self.enhanced_transposition_cut(node, begin, beta) {
            self.candidates.truncate(begin);
            return bound;
        }
        let mut first_unrated = None;
        if moves.count_ones() > 1 {
            if !null_window && table_moves[0].is_none() && depth > 6 && allowed.is_none() {
                // Without a move from an earlier iteration a shallower search finds one.
                let shallower = Node { depth: depth.min(empty_count) / 2, ..*node };
                self.node(&shallower, alpha, beta, None);
                if let Some(entry) = self.shared.table.probe(player, opponent, hash) {
                    table_moves = entry.moves;
                }
            }
            // If the move from the hash table refutes the node, the others need no rating.
            let known = if to_the_end || self.shared.probcut.cuts != Cuts::Everywhere { None } else { table_moves[0] };
            let known =
                known.and_then(|square| self.candidates[begin..].iter().position(|found| found.square == square));
            if let Some(known) = known {
                self.candidates.swap(begin, begin + known);
                self.candidates[begin].score = i32::MAX;
                first_unrated = Some(begin + 1);
            } else {
                self.score_moves(node, begin, table_moves, to_the_end);
            }
        }

        let mut best = NO_VALUE;
        let mut best_move = self.candidates[begin].square;
        let mut alpha_now = alpha;
        let end = self.candidates.len();
        for index in begin..end {
            if first_unrated == Some(index) {
                self.score_moves(node, index, table_moves, to_the_end);
            }
            if index > begin && self.can_split(depth, to_the_end, end - index) {
                self.candidates[index..end].sort_by_key(|candidate| -candidate.score);
                let rest = self.candidates[index..end].to_vec();
                let outcome = self.split(node, rest, best, best_move, (alpha_now, beta));
                if allowed.is_some() && outcome.0 > alpha_now {
                    self.note_progress(begin..index, outcome);
                }
                (best, best_move) = outcome;
                break;
            }
            let candidate = take_best(&mut self.candidates[index..end]);
            let value = self.search_child(node, &candidate, best == NO_VALUE, alpha_now, beta);
            if self.is_interrupted() {
                self.candidates.truncate(begin);
                return best.max(alpha);
            }
            if value > best {
                best = value;
                best_move = candidate.square;
                if allowed.is_some() && value > alpha_now {
                    self.note_progress(begin..index, (value, best_move));
                }
                alpha_now = alpha_now.max(value);
                if value >= beta {
                    break;
                }
            } else if allowed.is_some() && value < best && best > alpha && Some(candidate.square) == self.root_reference
            {
                // A move that was searched before the reference is better.
                self.root_progress = Some((best_move, best));
            }
        }
        self.candidates.truncate(begin);
        if self.is_interrupted() {
            return best.max(alpha);
        }
        if best >= beta {
            self.record_cutoff(empty_count, best_move, depth);
        }
        if let Some(allowed) = allowed {
            self.root_move = Some(best_move);
            if allowed & board.moves() != board.moves() {
                // The value of some of the moves is not the value of the position.
                return best;
            }
        }
        self.shared.table.store(
            player,
            opponent,
            hash,
            Found { depth: depth as u8, selectivity: selectivity.level(), alpha, beta, value: best, best: best_move },
        );
        best
    }

    /// Notes the best move of the root so far, if the move of the iteration before is among those `searched`: without
    /// it, there is nothing to be better than.
    fn note_progress(&mut self, searched: Range<usize>, (value, square): (i32, Square)) {
        if self.candidates[searched].iter().any(|candidate| Some(candidate.square) == self.root_reference) {
            self.root_progress = Some((square, value));
        }
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
        if depth < 3 || (node.depth >= node.board.empties().count_ones() && depth <= LocalTables::MAX as u32) {
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
