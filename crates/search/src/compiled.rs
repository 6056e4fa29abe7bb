//! Compiles the search with an evaluation once, in the crate that implements [`CompiledSearch`].
//!
//! The search is generic over the board and the evaluation, and every crate that uses such a pair would compile it
//! again. Only the root of a search goes through this trait, so it costs nothing during the search.

use std::sync::Arc;

use evaluation::handmade::Trial;
use evaluation::{EvaluatedBoard, Evaluation, HandMade, Learned, ProbCut};
use othello::{Board, Rules, SmallBoard};

use crate::root::Root;
use crate::searcher::{Iteration, Question, SearchReport, negated};
use crate::threads::Shared;
use crate::transposition::HashTable;
use control::{Control, clock::Moment};

/// A call of [`Searcher::search`](crate::Searcher::search) with all its parameters.
#[derive(Debug)]
pub struct SearchRequest<'a, B = Board> {
    pub(crate) table: &'a HashTable,
    pub(crate) probcut: &'a ProbCut,
    pub(crate) threads: usize,
    pub(crate) board: &'a B,
    pub(crate) question: &'a Question,
    pub(crate) control: &'a Control,
}

/// Chooses the next iteration from the reports so far, or `None` to end.
pub type Next<'n> = dyn FnMut(&[SearchReport]) -> Option<Iteration> + 'n;

/// An evaluation that can be used for searches on a board.
///
/// Implement it for concrete types, in the crate of the evaluation:
///
/// ```
/// use evaluation::{Evaluation, Value};
/// use othello::{Board, Rules, Square};
/// use search::{CompiledSearch, Next, SearchReport, SearchRequest};
///
/// /// Counts discs.
/// struct Greedy;
///
/// impl Evaluation for Greedy {
///     type Features = ();
///     fn features(&self, _: &Board) {}
///     fn played(&self, (): &(), _: &Board, _: Square, _: u64) {}
///     fn passed(&self, (): &()) {}
///     fn evaluate(&self, board: &Board, (): &()) -> Value {
///         Value::of_score(board.final_score())
///     }
/// }
///
/// impl CompiledSearch for Greedy {
///     #[inline(never)]
///     fn search(&self, request: &SearchRequest<'_>, next: &mut Next<'_>) -> SearchReport {
///         request.run(self, next)
///     }
/// }
/// ```
pub trait CompiledSearch<B: Rules<Set = u64> = Board>: Evaluation<B> {
    /// Calls [`SearchRequest::run`] with this evaluation. It must not be inlined: crates that use the evaluation should link
    /// the search, not compile it.
    fn search(&self, request: &SearchRequest<'_, B>, next: &mut Next<'_>) -> SearchReport;
}

impl<B: Rules<Set = u64>> SearchRequest<'_, B> {
    /// Searches with this evaluation: the generic search itself.
    pub fn run<E: Evaluation<B, Features: Sync>>(&self, evaluation: &E, next: &mut Next<'_>) -> SearchReport {
        let start = Moment::now();
        self.table.start_search();
        if self.board.must_pass() {
            let window = self.question.window.map(|(low, high)| (-high, -low));
            let question = Question { window, ..*self.question };
            let after_pass = SearchRequest { board: &self.board.pass(), question: &question, ..*self };
            let mut seen = Vec::new();
            let report = after_pass.run(evaluation, &mut |reports| {
                seen.truncate(0);
                seen.extend(reports.iter().cloned().map(negated));
                next(&seen)
            });
            return negated(report);
        }
        let shared = Shared::new(self.table, evaluation, self.probcut, self.control);
        let report =
            shared.run(self.threads, |worker| Root::new(worker, *self.board, self.question, start).search(next));
        self.table.end_search(shared.add_nodes(0));
        report
    }
}

/// A board with evaluations to search with: the default one, and the hand-made one.
pub trait SearchableBoard: EvaluatedBoard<Shipped: CompiledSearch<Self>> {
    /// Searches with the hand-made evaluation.
    fn search_with_handmade(request: &SearchRequest<'_, Self>, next: &mut Next<'_>) -> SearchReport;
}

macro_rules! searchable_boards {
    ($($board:ty),+) => {$(
        impl SearchableBoard for $board {
            #[inline(never)]
            fn search_with_handmade(request: &SearchRequest<'_, Self>, next: &mut Next<'_>) -> SearchReport {
                request.run(&HandMade, next)
            }
        }
    )+};
}

searchable_boards!(Board, SmallBoard<6>, SmallBoard<4>);

impl<B: SearchableBoard> CompiledSearch<B> for HandMade {
    fn search(&self, request: &SearchRequest<'_, B>, next: &mut Next<'_>) -> SearchReport {
        B::search_with_handmade(request, next)
    }
}

/// Implements the trait for the evaluations of the evaluation crate, which cannot depend on this one.
macro_rules! compile_search {
    ($($evaluation:ty),+) => {$(
        impl CompiledSearch for $evaluation {
            #[inline(never)]
            fn search(&self, request: &SearchRequest<'_>, next: &mut Next<'_>) -> SearchReport {
                request.run(self, next)
            }
        }
    )+};
}

compile_search!(Learned, Trial);

/// Implements the trait for smart pointers to an evaluation.
macro_rules! search_behind {
    ($($pointer:ty),+) => {$(
        impl<B: Rules<Set = u64>, E: CompiledSearch<B> + ?Sized> CompiledSearch<B> for $pointer {
            fn search(&self, request: &SearchRequest<'_, B>, next: &mut Next<'_>) -> SearchReport {
                (**self).search(request, next)
            }
        }
    )+};
}

search_behind!(&E, Arc<E>);
