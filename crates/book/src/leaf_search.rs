//! Searching the moves of a position that are not in the book.

use evaluation::Value;
use othello::{Board, Square};
use search::{CompiledSearch, Control, Iteration, Question, Report, Searcher, Selectivity, Stop, solving};

use crate::record::Effort;

/// Which moves of a position to search, and which values matter.
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

    /// Whether all values matter.
    pub fn is_unbounded(&self) -> bool {
        self.above < Value::MIN && self.up_to > Value::MAX
    }
}

/// The best of the moves that were searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeafAnswer {
    /// The move.
    pub square: Square,
    /// What it is worth to the side to move. Outside of the window of the question, any value on the same side of it
    /// says the same.
    pub value: Value,
    /// The search behind it.
    pub effort: Effort,
}

/// Searches the moves that are not in the book.
pub trait LeafSearch {
    /// The best of these moves, or `None` if the search was stopped. There is at least one move.
    fn search(&mut self, question: &LeafQuestion) -> Option<LeafAnswer>;
}

/// Any function that answers is a search.
impl<F: FnMut(&LeafQuestion) -> Option<LeafAnswer>> LeafSearch for F {
    fn search(&mut self, question: &LeafQuestion) -> Option<LeafAnswer> {
        self(question)
    }
}

/// Searches with Emilia's search, always to the same depth and selectivity, and to the end when that is near.
#[derive(Debug)]
pub struct EngineSearch<E> {
    /// The searcher with its evaluation, table and threads.
    pub searcher: Searcher<E>,
    /// The depth and the selectivity of every search before the end is near.
    pub midgame: Iteration,
    /// Positions with at most this many empty squares are solved exactly.
    pub solve_from: u32,
    /// Stops the search.
    pub stop: Stop,
}

impl<E: CompiledSearch> EngineSearch<E> {
    /// A search of this depth and selectivity, which solves positions with at most as many empty squares as that.
    pub fn new(searcher: Searcher<E>, midgame: Iteration, stop: Stop) -> Self {
        Self { searcher, midgame, solve_from: midgame.depth, stop }
    }

    /// Whether a search with this many empty squares goes to the end.
    fn solves(&self, empties: u32) -> bool {
        empties <= self.solve_from
    }

    /// The iteration after these reports.
    fn next(&self, empties: u32, reports: &[Report]) -> Option<Iteration> {
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

    /// Whether a report is what was asked for.
    fn is_complete(&self, empties: u32, report: &Report) -> bool {
        if self.solves(empties) {
            return report.exact;
        }
        let Iteration { depth, selectivity } = report.iteration;
        depth >= self.midgame.depth.min(empties) && selectivity >= self.midgame.selectivity
    }
}

impl<E: CompiledSearch> LeafSearch for EngineSearch<E> {
    fn search(&mut self, question: &LeafQuestion) -> Option<LeafAnswer> {
        let LeafQuestion { board, moves, above, up_to } = *question;
        let empties = board.empty_count();
        let window = (!question.is_unbounded()).then_some((above.parts(), up_to.parts()));
        let asked = Question { lines: 1, moves: Some(moves), window };
        let control = Control::new().with_stop(self.stop.clone());
        // Every position from the same state, so that a book that is resumed is the same book.
        self.searcher.table.clear();
        let report = self.searcher.search(&board, &asked, &control, &mut |reports| self.next(empties, reports));
        if control.is_stopped() || !self.is_complete(empties, &report) {
            return None;
        }
        let line = report.lines.first()?;
        Some(LeafAnswer { square: *line.moves.first()?, value: line.value.clamped(), effort: report.iteration.into() })
    }
}
