//! Searching the moves of a position that are not in the book.

use std::sync::atomic::{AtomicUsize, Ordering};

use control::{Control, Stop};
use evaluation::Value;
use othello::{Board, Square};
use search::{CompiledSearch, HashTable, Iteration, Question, SearchReport, Searcher, Selectivity, solving};

use crate::record::Effort;

/// The moves of a position to search, and the values that matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeafQuestion {
    /// The position.
    pub board: Board,
    /// The moves to search: the legal ones that are not in the book.
    pub moves: u64,
    /// Moves that are worth at most this do not matter: one in the book is as good.
    pub above: Value,
    /// No move is worth more than this.
    pub up_to: Value,
}

impl LeafQuestion {
    /// What is the best of these moves worth?
    pub fn unbounded(board: Board, moves: u64) -> Self {
        Self { board, moves, above: -Value::INFINITE, up_to: Value::INFINITE }
    }

    pub(crate) fn is_unbounded(&self) -> bool {
        self.above < Value::MIN && self.up_to > Value::MAX
    }
}

/// The best of the moves that were searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeafAnswer {
    /// The move.
    pub square: Square,
    /// Value for the side to move; values outside of the window of the question are only bounds.
    pub value: Value,
    /// The search behind it.
    pub effort: Effort,
}

/// Searches the moves that are not in the book.
pub trait LeafSearch {
    /// The best of these moves, or `None` if the search was stopped. There is at least one move.
    fn search(&mut self, question: &LeafQuestion) -> Option<LeafAnswer>;

    /// The answers to several questions, in their order; they may be searched in any order, or at the same time.
    fn search_all(&mut self, questions: &[LeafQuestion]) -> Vec<Option<LeafAnswer>> {
        questions.iter().map(|question| self.search(question)).collect()
    }
}

/// Any function that answers is a search.
impl<F: FnMut(&LeafQuestion) -> Option<LeafAnswer>> LeafSearch for F {
    fn search(&mut self, question: &LeafQuestion) -> Option<LeafAnswer> {
        self(question)
    }
}

/// Emilia's searches, always to the same depth and selectivity, and to the end when that is near. Each question is
/// searched by one thread with an empty hash table, so that a book does not depend on the number of threads.
pub type EngineSearch<E> = SeveralSearches<EngineSearcher<E>>;

/// One of the searches of an [`EngineSearch`], with its own hash table.
#[derive(Debug)]
pub struct EngineSearcher<E> {
    searcher: Searcher<E>,
    /// The depth and the selectivity of every search before the end is near.
    midgame: Iteration,
    /// Positions with at most this many empty squares are solved exactly.
    solve_from: u32,
    stop: Stop,
}

impl<E: CompiledSearch + Clone> EngineSearch<E> {
    /// Searches of this depth, one for each table, which solve positions with at most `solve_from` empty squares.
    pub fn new(evaluation: E, tables: Vec<HashTable>, midgame: Iteration, solve_from: u32, stop: Stop) -> Self {
        let searcher = |table| {
            let searcher = Searcher::new(evaluation.clone(), table, 1);
            EngineSearcher { searcher, midgame, solve_from, stop: stop.clone() }
        };
        Self(tables.into_iter().map(searcher).collect())
    }
}

impl<E> EngineSearcher<E> {
    fn solves(&self, empties: u32) -> bool {
        empties <= self.solve_from
    }

    /// The iteration after these reports.
    fn next(&self, empties: u32, reports: &[SearchReport]) -> Option<Iteration> {
        if self.solves(empties) {
            return solving(empties, reports);
        }
        let last = reports.last()?.iteration;
        let goal = Iteration { depth: self.midgame.depth.clamp(1, empties), ..self.midgame };
        if reports.len() > 1 && last == goal || goal.depth == 1 {
            return None;
        }
        // Two plies at a time, so that all searches end with the same side to move.
        let depth = if reports.len() == 1 { 2 - goal.depth % 2 } else { last.depth + 2 };
        let selectivity = if depth < goal.depth { Selectivity::LOWEST } else { goal.selectivity };
        Some(Iteration { depth: depth.min(goal.depth), selectivity })
    }

    fn is_complete(&self, empties: u32, report: &SearchReport) -> bool {
        if self.solves(empties) {
            return report.exact;
        }
        let Iteration { depth, selectivity } = report.iteration;
        depth >= self.midgame.depth.min(empties) && selectivity >= self.midgame.selectivity
    }
}

impl<E: CompiledSearch> LeafSearch for EngineSearcher<E> {
    fn search(&mut self, question: &LeafQuestion) -> Option<LeafAnswer> {
        let LeafQuestion { board, moves, above, up_to } = *question;
        let empties = board.empty_count();
        let window = (!question.is_unbounded()).then_some((above.parts(), up_to.parts()));
        let asked = Question { lines: 1, moves: Some(moves), window };
        let control = Control::new().with_stop(self.stop.clone());
        self.searcher.table.clear();
        let report = self.searcher.search(&board, &asked, &control, &mut |reports| self.next(empties, reports));
        if control.is_stopped() || !self.is_complete(empties, &report) {
            return None;
        }
        let line = report.lines.first()?;
        Some(LeafAnswer { square: *line.moves.first()?, value: line.value.clamped(), effort: report.iteration.into() })
    }
}

/// Several searches, each of which answers one question at a time.
#[derive(Debug)]
pub struct SeveralSearches<S>(pub Vec<S>);

impl<S: LeafSearch + Send> LeafSearch for SeveralSearches<S> {
    fn search(&mut self, question: &LeafQuestion) -> Option<LeafAnswer> {
        self.0.first_mut()?.search(question)
    }

    fn search_all(&mut self, questions: &[LeafQuestion]) -> Vec<Option<LeafAnswer>> {
        let next = AtomicUsize::new(0);
        let work = |searcher: &mut S| {
            let mut answers = Vec::new();
            while let number = next.fetch_add(1, Ordering::Relaxed)
                && let Some(question) = questions.get(number)
            {
                answers.push((number, searcher.search(question)));
            }
            answers
        };
        let mut answers = vec![None; questions.len()];
        std::thread::scope(|scope| {
            let workers: Vec<_> = self.0.iter_mut().map(|searcher| scope.spawn(|| work(searcher))).collect();
            for worker in workers {
                match worker.join() {
                    Ok(found) => found.into_iter().for_each(|(number, answer)| answers[number] = answer),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        answers
    }
}
