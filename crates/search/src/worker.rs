//! One thread's part of a search, and the candidates that it orders.

use std::sync::Arc;

use evaluation::{Evaluation, OrderingSet};
use othello::{Rules, Square};

use crate::last_empties::LastEmpties;
use crate::local_table::LocalTables;
use crate::parameters::NODES_BETWEEN_POLLS;
use crate::threads::{Shared, Split};

pub(crate) struct Worker<'a, B: Rules<Set = u64>, E: Evaluation<B>> {
    pub(crate) shared: &'a Shared<'a, B, E>,
    pub(crate) local: LocalTables,
    pub(crate) last: LastEmpties<B>,
    /// The pattern set for move ordering in the endgame.
    pub(crate) ordering: &'static OrderingSet,
    /// The moves of all nodes on the path, those of the deepest node last.
    pub(crate) candidates: Vec<Candidate>,
    /// Killer moves by number of empty squares.
    pub(crate) killers: [[Option<Square>; 2]; 64],
    /// History: how often a square was a refutation, for both sides.
    pub(crate) history: [[u32; 64]; 2],
    /// The number of ProbCut searches on the current path.
    pub(crate) probcut_nesting: u32,
    /// The split node whose moves this thread shares with others.
    pub(crate) split: Option<Arc<Split<B, E::Features>>>,
    /// The nodes of this thread that are already in the shared count.
    counted: u64,
}

impl<'a, B: Rules<Set = u64>, E: Evaluation<B>> Worker<'a, B, E> {
    pub(crate) fn new(shared: &'a Shared<'a, B, E>) -> Self {
        Self {
            shared,
            local: LocalTables::new(),
            last: LastEmpties::default(),
            ordering: OrderingSet::shipped(),
            candidates: Vec::with_capacity(1024),
            killers: [[None; 2]; 64],
            history: [[0; 64]; 2],
            probcut_nesting: 0,
            split: None,
            counted: 0,
        }
    }

    /// Whether the work of this thread is no longer needed.
    #[inline]
    pub(crate) fn is_interrupted(&self) -> bool {
        if self.shared.control.is_stopped() {
            return true;
        }
        let mut split = self.split.as_deref();
        while let Some(node) = split {
            if node.is_cut() {
                return true;
            }
            split = node.parent();
        }
        false
    }

    /// Periodically checks whether time or nodes have run out.
    #[inline]
    pub(crate) fn poll_regularly(&mut self) {
        if self.last.nodes - self.counted >= NODES_BETWEEN_POLLS {
            self.poll();
        }
    }

    /// Checks whether time or nodes have run out, and returns the nodes of all threads so far.
    pub(crate) fn poll(&mut self) -> u64 {
        let nodes = self.count_nodes();
        self.shared.control.check(nodes);
        nodes
    }

    /// Adds the nodes of this thread to the shared count, and returns it.
    pub(crate) fn count_nodes(&mut self) -> u64 {
        let new = self.last.nodes - self.counted;
        self.counted = self.last.nodes;
        self.shared.add_nodes(new)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) square: Square,
    pub(crate) flips: u64,
    pub(crate) score: i32,
    /// The evaluation of the position after the move, for the side to move there, if it is known.
    pub(crate) static_value: Option<i32>,
}

pub(crate) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Moves the most promising candidate to the front and returns it.
#[inline]
pub(crate) fn take_best(candidates: &mut [Candidate]) -> Candidate {
    let mut best = 0;
    for index in 1..candidates.len() {
        if candidates[index].score > candidates[best].score {
            best = index;
        }
    }
    candidates.swap(0, best);
    candidates[0]
}
