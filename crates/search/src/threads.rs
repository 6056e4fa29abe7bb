//! Parallel search: Young Brothers Wait with helpful masters.
//!
//! A node is split only after its first move has been searched (the younger brothers wait), because in a well-ordered
//! tree the first move either refutes the node, and work on the others would be wasted, or sets the bound that lets
//! them be refuted quickly. The threads that join a split node take its remaining moves one by one. The thread that
//! split it, when no moves are left, helps the threads that still work below it and returns when all are done. A
//! refutation found by one thread stops the work of all others below that node.
//!
//! The alternative, in which every thread searches the same root and only the hash table is shared, is simpler but
//! gains less for exact endgames, whose trees are nearly minimal and leave little for a thread to find by chance. With
//! Young Brothers Wait the result is that of the same search on one thread, because every node's value is established
//! by the same comparisons; only the order of equal moves can differ.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::*};
use std::sync::{Arc, Condvar, Mutex};

use evaluation::{Evaluation, ProbCut};
use othello::Rules;

use crate::parameters::{SPLIT_MIN_DEPTH, SPLIT_MIN_DEPTH_TO_THE_END};
use crate::pvs::{BestMove, Node};
use crate::transposition::HashTable;
use crate::worker::{Candidate, Worker};
use control::{Control, lock, wait};

/// Whether there are threads: in WebAssembly a search has only the thread that runs it.
const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

pub(crate) struct Shared<'a, B: Rules<Set = u64>, E: Evaluation<B>> {
    pub(crate) table: &'a HashTable,
    pub(crate) evaluation: &'a E,
    pub(crate) probcut: &'a ProbCut,
    pub(crate) control: &'a Control,
    /// The split nodes that still have moves to search.
    open: Mutex<OpenSplits<B, E::Features>>,
    changed: Condvar,
    idle: AtomicUsize,
    finished: AtomicBool,
    nodes: AtomicU64,
}

type OpenSplits<B, F> = Vec<Arc<Split<B, F>>>;

/// A node whose moves are searched by several threads.
pub(crate) struct Split<B, F> {
    node: Node<B, F>,
    moves: Vec<Candidate>,
    next: AtomicUsize,
    beta: i32,
    progress: Mutex<Progress>,
    cut: AtomicBool,
    helpers: AtomicUsize,
    parent: Option<Arc<Split<B, F>>>,
}

#[derive(Clone, Copy)]
struct Progress {
    best: BestMove,
    alpha: i32,
}

impl<B, F> Split<B, F> {
    #[inline]
    pub(crate) fn is_cut(&self) -> bool {
        self.cut.load(Relaxed)
    }

    #[inline]
    pub(crate) fn parent(&self) -> Option<&Self> {
        self.parent.as_deref()
    }

    fn has_work(&self) -> bool {
        !self.is_cut() && self.next.load(Relaxed) < self.moves.len()
    }

    /// Guard of a helper that has joined this node: it leaves the node at the end.
    fn registration<'s>(&'s self, control: &'s Control) -> AtEnd<'s, impl Fn()> {
        let leave = || {
            self.helpers.fetch_sub(1, AcqRel);
        };
        AtEnd { control, then: leave }
    }

    fn is_below(&self, other: &Self) -> bool {
        std::iter::successors(self.parent(), |split| split.parent()).any(|split| std::ptr::eq(split, other))
    }
}

/// Calls a function when a thread has done its part, even if it panics: no other thread may wait for it forever. After a
/// panic the search ends, because the result of the thread is missing.
struct AtEnd<'s, F: Fn()> {
    control: &'s Control,
    then: F,
}

impl<F: Fn()> Drop for AtEnd<'_, F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.control.end();
        }
        (self.then)();
    }
}

impl<'a, B: Rules<Set = u64>, E: Evaluation<B>> Shared<'a, B, E>
where
    E::Features: Sync,
{
    pub(crate) fn new(table: &'a HashTable, evaluation: &'a E, probcut: &'a ProbCut, control: &'a Control) -> Self {
        Self {
            table,
            evaluation,
            probcut,
            control,
            open: Mutex::new(Vec::new()),
            changed: Condvar::new(),
            idle: AtomicUsize::new(0),
            finished: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        }
    }

    /// Runs a search with this number of threads, including the current one; only with the current one if there are no
    /// others.
    pub(crate) fn run<R>(&self, threads: usize, body: impl FnOnce(&mut Worker<'_, B, E>) -> R) -> R {
        if threads <= 1 || !HAS_THREADS {
            return body(&mut Worker::new(self));
        }
        let dismiss_helpers = || {
            // Under the lock, so that a helper about to wait cannot miss it.
            let _open = lock(&self.open);
            self.finished.store(true, Relaxed);
            self.changed.notify_all();
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // If the system provides no more threads, the existing ones do the work.
                let helper = std::thread::Builder::new().spawn_scoped(scope, || Worker::new(self).help());
                if helper.is_err() {
                    break;
                }
            }
            let _finish = AtEnd { control: self.control, then: dismiss_helpers };
            body(&mut Worker::new(self))
        })
    }

    /// Joins the open split node nearest to the root among those that fulfill the condition.
    fn join(
        &self,
        open: &[Arc<Split<B, E::Features>>],
        allowed: impl Fn(&Split<B, E::Features>) -> bool,
    ) -> Option<Arc<Split<B, E::Features>>> {
        let split =
            open.iter().filter(|split| split.has_work() && allowed(split)).max_by_key(|split| split.node.depth)?;
        split.helpers.fetch_add(1, AcqRel);
        Some(Arc::clone(split))
    }
}

impl<B: Rules<Set = u64>, E: Evaluation<B>> Shared<'_, B, E> {
    /// Adds nodes of one thread and returns the current total of all threads.
    pub(crate) fn add_nodes(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Relaxed) + nodes
    }
}

impl<'a, B: Rules<Set = u64>, E: Evaluation<B>> Worker<'a, B, E>
where
    E::Features: Sync,
{
    /// Whether to share the remaining moves of a node with other threads.
    #[inline]
    pub(crate) fn can_split(&self, depth: u32, to_the_end: bool, remaining: usize) -> bool {
        let min_depth = if to_the_end { SPLIT_MIN_DEPTH_TO_THE_END } else { SPLIT_MIN_DEPTH };
        depth >= min_depth && remaining >= 2 && self.shared.idle.load(Relaxed) > 0
    }

    /// Searches the candidates of a node from this index on together with idle threads.
    pub(crate) fn split(
        &mut self,
        node: &Node<B, E::Features>,
        index: usize,
        best: BestMove,
        (alpha, beta): (i32, i32),
    ) -> BestMove {
        let moves = &mut self.candidates[index..];
        moves.sort_by_key(|candidate| -candidate.score);
        let split = Arc::new(Split {
            node: *node,
            moves: moves.to_vec(),
            next: AtomicUsize::new(0),
            beta,
            progress: Mutex::new(Progress { best, alpha }),
            cut: AtomicBool::new(false),
            helpers: AtomicUsize::new(0),
            parent: self.split.clone(),
        });
        lock(&self.shared.open).push(Arc::clone(&split));
        self.shared.changed.notify_all();
        self.work_on(&split);
        lock(&self.shared.open).retain(|open| !Arc::ptr_eq(open, &split));
        while split.helpers.load(Acquire) > 0 {
            let below = self.shared.join(&lock(&self.shared.open), |open| open.is_below(&split));
            match below {
                Some(below) => {
                    let _registration = below.registration(self.shared.control);
                    self.work_on(&below);
                }
                None => {
                    // A hook that pauses the helpers must pause this thread, too, or it would wait busily for them.
                    self.shared.control.stop().poll();
                    std::thread::yield_now();
                }
            }
        }
        lock(&split.progress).best
    }

    /// Searches moves of a split node until there are none left.
    fn work_on(&mut self, split: &Arc<Split<B, E::Features>>) {
        let outer = self.split.replace(Arc::clone(split));
        let probcut_nesting = self.probcut_nesting;
        while !self.is_interrupted() {
            let Some(candidate) = split.moves.get(split.next.fetch_add(1, Relaxed)) else { break };
            let alpha = lock(&split.progress).alpha;
            let value = self.search_child(&split.node, candidate, false, alpha, split.beta);
            if self.is_interrupted() {
                break;
            }
            let mut progress = lock(&split.progress);
            if value > progress.best.value {
                progress.best = BestMove { value, square: candidate.square };
                progress.alpha = progress.alpha.max(value);
                if value >= split.beta {
                    split.cut.store(true, Relaxed);
                }
            }
        }
        self.probcut_nesting = probcut_nesting;
        self.split = outer;
    }

    /// Helps at split nodes until the search is finished.
    fn help(&mut self) {
        loop {
            let split = {
                let mut open = lock(&self.shared.open);
                loop {
                    if self.shared.finished.load(Relaxed) {
                        return;
                    }
                    if let Some(split) = self.shared.join(&open, |_| true) {
                        break split;
                    }
                    self.shared.idle.fetch_add(1, Relaxed);
                    open = wait(&self.shared.changed, open);
                    self.shared.idle.fetch_sub(1, Relaxed);
                }
            };
            let _registration = split.registration(self.shared.control);
            self.work_on(&split);
            self.count_nodes();
        }
    }
}
