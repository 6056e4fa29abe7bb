//! A searcher: an evaluation, a hash table and threads, with the questions it answers.

use std::sync::Arc;
use std::time::Duration;

use control::Control;
use evaluation::{Cuts, Evaluation, ProbCut, Value};
use othello::{Rules, Square};

use crate::compiled::{CompiledSearch, Next, SearchRequest};
use crate::parameters::{
    DECIDED_LEAD, DECIDED_MIN_DEPTH, SELECTIVE_SOLVING_MIN_EMPTIES, last_midgame_depth, selective_steps,
};
use crate::selectivity::Selectivity;
use crate::transposition::HashTable;

/// An evaluation, a hash table and threads, ready to search.
#[derive(Debug)]
pub struct Searcher<E> {
    /// The hash table, which is kept from one search to the next and may be used by other searchers, too.
    pub table: Arc<HashTable>,
    /// The evaluation of leaves.
    pub evaluation: E,
    /// The ProbCut parameters, if not those of the evaluation.
    pub probcut: Option<Arc<ProbCut>>,
    /// The number of search threads; always one in WebAssembly.
    pub threads: usize,
}

/// The options of a search of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// The number of best moves that get an exact value and a line (multi-PV); at least one.
    pub lines: usize,
    /// The moves to search, or `None` for all.
    pub moves: Option<u64>,
    /// Determine only whether the value is below, within or above this window, in parts of a disc. A value outside is
    /// reported as the nearer bound of the window.
    pub window: Option<(i32, i32)>,
}

impl Default for Question {
    fn default() -> Self {
        Self { lines: 1, moves: None, window: None }
    }
}

/// One search of the root, with its depth and selectivity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// The search depth in plies; with at least the number of empty squares the search reaches the end of the game.
    pub depth: u32,
    /// The selectivity of the search.
    pub selectivity: Selectivity,
}

/// A move with its expected continuation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The value for the side to move.
    pub value: Value,
    /// The moves, including the first one; passes are left out.
    pub moves: Vec<Square>,
}

/// The result of an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchReport {
    /// Depth and selectivity of the search.
    pub iteration: Iteration,
    /// Whether the values are proven: to the end of the game and without selectivity.
    pub exact: bool,
    /// The best moves, best first.
    pub lines: Vec<Line>,
    /// The number of nodes since the search began, counted as in Edax and NTest: positions searched, down to the one
    /// with a single empty square, and positions created only for move ordering in the endgame.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
}

impl SearchReport {
    /// The best move, if there is one.
    pub fn best_move(&self) -> Option<Square> {
        self.lines.first().and_then(|line| line.moves.first().copied())
    }
}

impl<E> Searcher<E> {
    /// A searcher with this hash table, its own or a shared one, and number of threads.
    pub fn new(evaluation: E, table: impl Into<Arc<HashTable>>, threads: usize) -> Self {
        Self { table: table.into(), evaluation, probcut: None, threads: threads.max(1) }
    }

    /// Searches a position in the iterations that `next` chooses, and returns the last report.
    ///
    /// `next` gets the reports so far and returns the next iteration, or `None` to end. If the control stops the search
    /// within an iteration, the last report is that of the iteration before it; only if the interrupted one has already
    /// found a better move, and one line was requested, that move with its value replaces the line. There is always a
    /// first report: it rates the moves by a search of one ply. A position in which the side to move must pass is
    /// searched after the pass; if the game is over, the report has no lines.
    pub fn search<B: Rules<Set = u64>>(
        &self,
        board: &B,
        question: &Question,
        control: &Control,
        next: &mut Next<'_>,
    ) -> SearchReport
    where
        E: CompiledSearch<B>,
    {
        let probcut = self.probcut();
        let request =
            SearchRequest { table: &self.table, probcut: &probcut, threads: self.threads, board, question, control };
        self.evaluation.search(&request, next)
    }

    /// Kind of searches that ProbCut prunes.
    pub fn cuts<B: Rules>(&self) -> Cuts
    where
        E: Evaluation<B>,
    {
        self.probcut().cuts
    }

    fn probcut<B: Rules>(&self) -> Arc<ProbCut>
    where
        E: Evaluation<B>,
    {
        self.probcut.clone().unwrap_or_else(|| self.evaluation.probcut())
    }

    /// The exact score of a position with its line, found with increasing selectivity levels.
    pub fn solve<B: Rules<Set = u64>>(&self, board: &B, control: &Control) -> SearchReport
    where
        E: CompiledSearch<B>,
    {
        let empty_count = board.empties().count_ones();
        self.search(board, &Question::default(), control, &mut |reports| solving(empty_count, reports))
    }
}

/// The iterations that lead to an exact score fastest: a midgame search to order the moves, then searches to the end at
/// increasing selectivity levels.
pub fn solving(empty_count: u32, reports: &[SearchReport]) -> Option<Iteration> {
    let last = reports.last()?;
    if last.exact || reports.len() == 1 && empty_count == 0 {
        return None;
    }
    let is_decided = last.iteration.depth >= DECIDED_MIN_DEPTH
        && last.lines.first().is_some_and(|line| line.value.parts().abs() >= DECIDED_LEAD * Value::PER_DISC);
    let midgame_depth = if is_decided { 0 } else { last_midgame_depth(empty_count) };
    let to_the_end = |selectivity| Iteration { depth: empty_count, selectivity };
    if last.iteration.depth < empty_count && last.iteration.depth < midgame_depth {
        let depth = (last.iteration.depth + 2).min(midgame_depth);
        return Some(Iteration { depth, selectivity: Selectivity::LOWEST });
    }
    if empty_count < SELECTIVE_SOLVING_MIN_EMPTIES {
        return Some(to_the_end(Selectivity::EXACT));
    }
    if last.iteration.depth < empty_count {
        return Some(to_the_end(Selectivity::LOWEST));
    }
    let done = last.iteration.selectivity.percent();
    let next = selective_steps(empty_count)
        .iter()
        .find(|&&percent| percent > done)
        .map_or(Selectivity::EXACT, |&percent| Selectivity::from_percent(percent));
    Some(to_the_end(next))
}

pub(crate) fn negated(mut report: SearchReport) -> SearchReport {
    for line in &mut report.lines {
        line.value = -line.value;
    }
    report
}
