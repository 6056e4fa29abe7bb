//! One thread's part of a search.

use std::sync::Arc;

use evaluation::{Evaluation, OrderingSet};
use othello::{Rules, Square};

use crate::last_empties::LastEmpties;
use crate::local_table::LocalTables;
use crate::ordering::Candidate;
use crate::threads::{Shared, Split};

/// What a thread keeps for itself while it searches.
pub(crate) struct Worker<'a, B: Rules<Set = u64>, E: Evaluation<B>> {
    pub(crate) shared: &'a Shared<'a, B, E>,
    pub(crate) local: LocalTables,
    pub(crate) last: LastEmpties<B>,
    /// What puts the moves of endings in order.
    pub(crate) ordering: &'static OrderingSet,
    /// The moves of all nodes on the path, those of the deepest node last.
    pub(crate) candidates: Vec<Candidate>,
    /// Moves that refuted other positions with the same number of empty squares.
    pub(crate) killers: [[Option<Square>; 2]; 64],
    /// How often a square refuted, for the two sides.
    pub(crate) history: [[u32; 64]; 2],
    /// How many ProbCut searches the path stands in.
    pub(crate) probes: u32,
    /// The best move that the search of the root found.
    pub(crate) root_move: Option<Square>,
    /// The split node whose moves this thread shares with others.
    pub(crate) split: Option<Arc<Split<B, E::Features>>>,
    /// The nodes that the shared count already has from this thread.
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
            probes: 0,
            root_move: None,
            split: None,
            counted: 0,
        }
    }

    /// The nodes between two looks at clock and limits: a dozen microseconds, against which the look is cheap.
    const NODES_BETWEEN_LOOKS: u64 = 256;

    /// Whether what this thread is doing is no longer wanted.
    #[inline]
    pub(crate) fn interrupted(&self) -> bool {
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

    /// Now and then, looks whether time or nodes have run out.
    #[inline]
    pub(crate) fn tick(&mut self) {
        if self.last.nodes - self.counted >= Self::NODES_BETWEEN_LOOKS {
            self.look();
        }
    }

    /// Looks whether time or nodes have run out, and returns the nodes of all threads so far.
    pub(crate) fn look(&mut self) -> u64 {
        let nodes = self.count_nodes();
        self.shared.control.check(nodes);
        nodes
    }

    /// Adds what this thread has searched to the common count, and returns it.
    pub(crate) fn count_nodes(&mut self) -> u64 {
        let new = self.last.nodes - self.counted;
        self.counted = self.last.nodes;
        self.shared.add_nodes(new)
    }
}
