//! A position solved to its end, compared with the score in its problem file and solved again for confirmation.

use control::Control;
use othello::{Rules, Score, Square, SquareSet};
use records::obf::{MoveScore, Problem};
use search::verify::{self, SolveMethod, VerifyError};
use search::{CompiledSearch, HashTableError, Question, SearchReport, Searcher};

use crate::clock::Moment;
use crate::{Estimate, Outcome};

/// Reason why a position has no solution.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The line of play of the solution by this method does not lead to the score.
    #[error("the solver contradicts itself ({0}): {1}")]
    Contradiction(String, VerifyError),
    /// Solved again by this method, it has other values: the earlier ones, then the others.
    #[error("solved again with {0}, the position is worth {2}, not {1}")]
    Disagreement(String, String, String),
    /// The search ended by itself before the end of the game.
    #[error("the search ended after {0} without a proof")]
    Unproven(String),
    /// There is no memory for another table.
    #[error(transparent)]
    Table(#[from] HashTableError),
}

/// The question about every problem.
#[derive(Clone, Copy, Debug)]
pub struct Inquiry {
    /// Only whether it is won, drawn or lost.
    pub outcome_only: bool,
    /// The scores of all moves instead of the best one's alone.
    pub all_moves: bool,
    /// Solve it again in other ways and compare.
    pub verify: bool,
}

impl Inquiry {
    fn question(&self) -> Question {
        Question {
            lines: if self.all_moves { usize::MAX } else { 1 },
            moves: None,
            // Scores are whole numbers: just below and just above a draw.
            window: self.outcome_only.then_some((-1, 1)),
        }
    }
}

/// Whether a value agrees with a score, as far as it determines one.
fn agrees(value: Estimate, score: Score) -> bool {
    match value {
        Estimate::Solved(own) => own == score,
        Estimate::Proven(outcome) => outcome == Outcome::from(score),
        Estimate::Discs { .. } | Estimate::Chance { .. } | Estimate::Points(_) => false,
    }
}

/// A move of the position with what follows.
#[derive(Clone, Debug)]
pub struct SolvedLine {
    /// The move, or nothing for a pass or at the end of a game.
    pub square: Option<Square>,
    /// Value for the side to move: a score, or the outcome alone.
    pub value: Estimate,
    /// The moves of best play from it on, itself included.
    pub line: Vec<Square>,
    /// The score in the problem file.
    pub stated: Option<Score>,
}

impl SolvedLine {
    /// Whether it agrees with the problem file, if that has a score.
    pub fn agrees(&self) -> bool {
        self.stated.is_none_or(|score| agrees(self.value, score))
    }
}

/// A solved position.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The moves, the best first: that one alone, or all.
    pub answers: Vec<SolvedLine>,
    /// The best score that the problem file names.
    pub stated: Option<Score>,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken, from the clearing of the hash table to the answer.
    pub seconds: f64,
}

impl Solution {
    /// Whether all values agree with the problem file, as far as that has scores.
    pub fn agrees(&self) -> bool {
        let best = self.answers.first();
        let best_agrees = self.stated.is_none_or(|score| best.is_some_and(|best| agrees(best.value, score)));
        best_agrees && self.answers.iter().all(SolvedLine::agrees)
    }
}

/// Result of solving a position.
#[derive(Clone, Debug)]
pub enum SolveEnding {
    /// It is solved.
    Solved(Solution),
    /// It was interrupted; this is what was known by then, and not proven.
    Interrupted(SearchReport),
}

/// Solves a problem under this control, whose stop flag interrupts it; `notify` receives the progress in a few words.
pub fn solve<B: Rules<Set = u64>, E: CompiledSearch<B>>(
    searcher: &Searcher<E>,
    problem: &Problem<B>,
    inquiry: &Inquiry,
    control: &Control,
    notify: &mut dyn FnMut(&str),
) -> Result<SolveEnding, SolveError> {
    let board = problem.position.board;
    let empty_count = board.empties().count();
    let question = inquiry.question();
    let start = Moment::now();
    // Every problem from the same state, so that its nodes do not depend on those before it.
    searcher.table.clear();
    let report = searcher.search(&board, &question, control, &mut |reports| {
        if let Some(report) = reports.last() {
            notify(&summary(report));
        }
        search::solving(empty_count, reports)
    });
    if !report.exact {
        let is_stopped = control.stop().is_set();
        return if is_stopped {
            // The nodes of the report are those of finished iterations; others were searched since then.
            let nodes = control.nodes().max(report.nodes);
            Ok(SolveEnding::Interrupted(SearchReport { nodes, elapsed: start.elapsed(), ..report }))
        } else {
            Err(SolveError::Unproven(summary(&report)))
        };
    }
    let report = SearchReport { elapsed: start.elapsed(), ..report };
    if !inquiry.outcome_only {
        check(&board, &report, "as asked for")?;
    }
    if inquiry.verify && !confirm(searcher, &board, &report, inquiry, control, notify)? {
        return Ok(SolveEnding::Interrupted(report));
    }
    Ok(SolveEnding::Solved(solution(problem, &report, inquiry)))
}

fn check<B: Rules<Set = u64>>(board: &B, report: &SearchReport, method: &str) -> Result<(), SolveError> {
    verify::check_report(board, report).map_err(|error| SolveError::Contradiction(method.to_owned(), error))
}

/// An iteration in a few words: `24@98% +4.00`.
pub fn summary(report: &SearchReport) -> String {
    let best = report.lines.first().map_or(String::new(), |line| format!(" {}", line.value));
    format!("{}@{}{best}", report.iteration.depth, report.iteration.selectivity)
}

/// Solves a position again with a table of another size, with another number of threads and without
/// selective searches; false if interrupted.
fn confirm<B: Rules<Set = u64>, E: CompiledSearch<B>>(
    searcher: &Searcher<E>,
    board: &B,
    report: &SearchReport,
    inquiry: &Inquiry,
    control: &Control,
    notify: &mut dyn FnMut(&str),
) -> Result<bool, SolveError> {
    let question = inquiry.question();
    let other_threads = if searcher.threads == 1 { SolveMethod::TWO_THREADS } else { SolveMethod::ONE_THREAD };
    let other_table = SolveMethod { buckets: SolveMethod::ONE_THREAD.buckets / 8, ..SolveMethod::ONE_THREAD };
    for method in [other_table, other_threads, SolveMethod::STRAIGHT] {
        notify(&format!("again with {method}"));
        let again_control = Control::new().with_stop(control.stop().clone());
        let again = method.solve(searcher, board, &question, &again_control)?;
        if !again.exact {
            return Ok(false);
        }
        if !inquiry.outcome_only {
            check(board, &again, &method.to_string())?;
        }
        let values = |report: &SearchReport| {
            let value = |line: &search::Line| Estimate::of_line(report, line, &question);
            report.lines.iter().map(value).collect::<Vec<_>>()
        };
        let (first, second) = (values(report), values(&again));
        if first != second {
            let shown = |values: Vec<Estimate>| values.iter().map(Estimate::to_string).collect::<Vec<_>>().join(" ");
            return Err(SolveError::Disagreement(method.to_string(), shown(first), shown(second)));
        }
    }
    Ok(true)
}

fn solution<B: Rules<Set = u64>>(problem: &Problem<B>, report: &SearchReport, inquiry: &Inquiry) -> Solution {
    let board = problem.position.board;
    let score_of = |square: Option<Square>| {
        problem.scores.iter().find(|scored| scored.square == square).map(|scored: &MoveScore| scored.score)
    };
    let mut answers: Vec<_> = report
        .lines
        .iter()
        .map(|line| {
            let square = line.moves.first().copied();
            let value = Estimate::of_line(report, line, &inquiry.question());
            SolvedLine { square, value, line: line.moves.clone(), stated: score_of(square) }
        })
        .collect();
    if board.must_pass() {
        // The lines are the opponent's; our one move is the pass.
        answers.truncate(1);
        for answer in &mut answers {
            answer.square = None;
            answer.stated = score_of(None);
        }
    }
    if answers.is_empty() {
        let score = board.final_score();
        let value = if inquiry.outcome_only { Estimate::Proven(score.into()) } else { Estimate::Solved(score) };
        answers.push(SolvedLine { square: None, value, line: Vec::new(), stated: None });
    }
    Solution {
        answers,
        stated: problem.scores.iter().map(|scored| scored.score).max(),
        nodes: report.nodes,
        seconds: report.elapsed.as_secs_f64(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use control::Stop;
    use evaluation::HandMade;
    use othello::{Board, Position};
    use search::HashTable;

    use super::*;

    #[test]
    fn an_interrupted_solution_counts_the_nodes_of_the_search_that_was_cut_off() {
        // A search polls its stop flag every few hundred nodes.
        let polls = AtomicU64::new(0);
        let stop = Stop::with_poll(move || polls.fetch_add(1, Ordering::Relaxed) == 1000);
        let searcher = Searcher::new(HandMade, HashTable::with_buckets(1 << 10).expect("a small table"), 1);
        let problem = Problem { position: Position::<Board>::start(), scores: Vec::new(), comment: String::new() };
        let inquiry = Inquiry { outcome_only: false, all_moves: false, verify: false };
        let control = Control::new().with_stop(stop);
        let SolveEnding::Interrupted(report) =
            solve(&searcher, &problem, &inquiry, &control, &mut |_| {}).expect("no contradiction")
        else {
            panic!("the start is not solved in a few nodes");
        };
        assert!(report.nodes >= 100_000, "{report:?}");
        assert!(report.elapsed > std::time::Duration::ZERO);
    }
}
