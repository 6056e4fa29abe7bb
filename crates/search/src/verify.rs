//! Verification of solved positions: replays lines to the last disc, and solves positions again with other methods.
//!
//! ```
//! use evaluation::HandMade;
//! use othello::{Rules, SmallBoard};
//! use search::verify::{check_report, solve_again, SolveMethod};
//! use control::Control;
//! use search::{Searcher, HashTable};
//!
//! let board = SmallBoard::<4>::start();
//! let searcher = Searcher::new(HandMade, HashTable::new(1)?, 1);
//! let report = searcher.solve(&board, &Control::new());
//! check_report(&board, &report)?;
//! for method in SolveMethod::ALL {
//!     solve_again(&searcher, &board, &report, &method, &Control::new())?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use evaluation::Value;
use othello::{Rules, Score, Square};

use crate::compiled::CompiledSearch;
use crate::searcher::{Iteration, Question, SearchReport, Searcher, solving};
use crate::selectivity::Selectivity;
use crate::transposition::{HashTable, HashTableError};
use control::Control;

/// Reason why a line does not lead to its stated score.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    /// A move of the line is illegal.
    #[error("move {number} of the line, {square}, is illegal")]
    Illegal {
        /// The number of the move, from 1.
        number: usize,
        /// The name of the square.
        square: String,
    },
    /// The line ends before the game does.
    #[error("the line ends after {moves} moves with {empties} empty squares, but the game is not over there")]
    Unfinished {
        /// The number of moves in the line.
        moves: usize,
        /// The number of empty squares after them.
        empties: u32,
    },
    /// The line leads to a different score.
    #[error("the line ends with {played}, but {stated} was stated for it")]
    Score {
        /// The stated score.
        stated: Value,
        /// The score at the end of the line.
        played: Score,
    },
}

/// Reason why a report of an exact search is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReportError {
    /// The search did not reach the end, or was selective.
    #[error("the search was {depth} plies deep at {selectivity}, not to the end at 100%")]
    NotExact {
        /// Its search depth.
        depth: u32,
        /// Its selectivity.
        selectivity: Selectivity,
    },
    /// There are legal moves, but no line.
    #[error("there is no line, but the position has legal moves")]
    NoLine,
    /// A line is wrong.
    #[error("line {number}: {error}")]
    Line {
        /// The number of the line, from 1.
        number: usize,
        /// Error of the line.
        #[source]
        error: LineError,
    },
    /// A line is better than the one before it.
    #[error("line {number} ({value}) is listed after one with {before}")]
    Order {
        /// The number of the line, from 1.
        number: usize,
        /// Its value.
        value: Value,
        /// The value of the line before it.
        before: Value,
    },
    /// Two lines begin with the same move.
    #[error("two lines begin with {square}")]
    Repeated {
        /// The name of the square.
        square: String,
    },
}

/// Plays a line to its end, with forced passes, and compares the result with the stated value.
pub(crate) fn check_line<B: Rules>(board: &B, moves: &[Square], stated: Value) -> Result<(), LineError> {
    let mut board = *board;
    let mut own_turn = true;
    for (index, &square) in moves.iter().enumerate() {
        if board.must_pass() {
            board = board.pass();
            own_turn = !own_turn;
        }
        let Some(after) = board.play(square) else {
            let on_board = squares_have::<B>(square);
            let square =
                if on_board { B::GEOMETRY.square_name(square) } else { format!("square number {}", square.index()) };
            return Err(LineError::Illegal { number: index + 1, square });
        };
        board = after;
        own_turn = !own_turn;
    }
    if !board.is_over() {
        let empties = othello::SquareSet::count(board.empties());
        return Err(LineError::Unfinished { moves: moves.len(), empties });
    }
    let played = if own_turn { board.final_score() } else { -board.final_score() };
    if Value::of_score(played) != stated {
        return Err(LineError::Score { stated, played });
    }
    Ok(())
}

fn squares_have<B: Rules>(square: Square) -> bool {
    B::GEOMETRY.playable >> square.index() & 1 == 1
}

/// Checks a report of an exact search without a window: it has a line, the lines are sorted and begin with different
/// moves, and each of them leads to its value.
pub fn check_report<B: Rules>(board: &B, report: &SearchReport) -> Result<(), ReportError> {
    if !report.exact {
        let Iteration { depth, selectivity } = report.iteration;
        return Err(ReportError::NotExact { depth, selectivity });
    }
    if report.lines.is_empty() && !board.is_over() {
        return Err(ReportError::NoLine);
    }
    let passed = board.must_pass();
    let mut begun = Vec::new();
    for (index, line) in report.lines.iter().enumerate() {
        let number = index + 1;
        check_line(board, &line.moves, line.value).map_err(|error| ReportError::Line { number, error })?;
        let before = report.lines[index.saturating_sub(1)].value;
        // After a pass the lines are the opponent's, whose best one comes first.
        if if passed { line.value < before } else { line.value > before } {
            return Err(ReportError::Order { number, value: line.value, before });
        }
        let first = line.moves.first();
        if begun.contains(&first) {
            let square = first.map_or("no move".to_owned(), |&square| B::GEOMETRY.square_name(square));
            return Err(ReportError::Repeated { square });
        }
        begun.push(first);
    }
    Ok(())
}

/// A method to solve a position that shares little with the default one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolveMethod {
    /// The number of buckets of the hash table; with one bucket there is practically no table.
    pub buckets: usize,
    /// The number of search threads.
    pub threads: usize,
    /// Whether selective searches come before the exact one.
    pub selective: bool,
}

impl SolveMethod {
    /// One thread and a hash table of 16 MB.
    pub const ONE_THREAD: SolveMethod = SolveMethod { buckets: 1 << 18, threads: 1, selective: true };
    /// Two threads and a hash table of 16 MB.
    pub const TWO_THREADS: SolveMethod = SolveMethod { threads: 2, ..Self::ONE_THREAD };
    /// No selective search before the exact one.
    pub const STRAIGHT: SolveMethod = SolveMethod { selective: false, ..Self::ONE_THREAD };
    /// A hash table in which entries are overwritten all the time.
    pub(crate) const TINY_TABLE: SolveMethod = SolveMethod { buckets: 1 << 8, ..Self::ONE_THREAD };
    /// Practically no hash table. It takes many times as long beyond twenty empty squares.
    pub const NO_TABLE: SolveMethod = SolveMethod { buckets: 1, ..Self::ONE_THREAD };

    /// All of these methods.
    pub const ALL: [SolveMethod; 5] =
        [Self::ONE_THREAD, Self::TWO_THREADS, Self::STRAIGHT, Self::TINY_TABLE, Self::NO_TABLE];

    /// Solves a position with this method, with the evaluation of a searcher but a separate hash table.
    pub fn solve<B: Rules<Set = u64>, E: CompiledSearch<B>>(
        &self,
        searcher: &Searcher<E>,
        board: &B,
        question: &Question,
        control: &Control,
    ) -> Result<SearchReport, HashTableError> {
        let table = HashTable::with_buckets(self.buckets).ok_or_else(|| HashTableError::refused(self.buckets))?;
        let own =
            Searcher { probcut: searcher.probcut.clone(), ..Searcher::new(&searcher.evaluation, table, self.threads) };
        let empty_count = board.empties().count_ones();
        Ok(own.search(board, question, control, &mut |reports| {
            if self.selective {
                return solving(empty_count, reports);
            }
            let done = reports.last().is_some_and(|report| report.exact);
            (!done).then_some(Iteration { depth: empty_count, selectivity: Selectivity::EXACT })
        }))
    }
}

impl fmt::Display for SolveMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threads = if self.threads == 1 { "thread" } else { "threads" };
        let entries = if self.buckets == 1 { "no table".to_owned() } else { format!("{} entries", 2 * self.buckets) };
        write!(f, "{} {threads}, {entries}", self.threads)?;
        if !self.selective {
            write!(f, ", no selective search")?;
        }
        Ok(())
    }
}

/// Reason why solving a position again did not confirm a report.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VerifyError {
    /// The second search has a different value for this line.
    #[error("{method}: line {number} is worth {again}, not {stated}")]
    Value {
        /// The method of the second search.
        method: SolveMethod,
        /// The number of the line, from 1.
        number: usize,
        /// The value in the report.
        stated: Value,
        /// The value of the second search.
        again: Value,
    },
    /// The second search has more or fewer lines.
    #[error("{method}: {again} lines, not {stated}")]
    Lines {
        /// The method of the second search.
        method: SolveMethod,
        /// The number of lines in the report.
        stated: usize,
        /// The number of lines of the second search.
        again: usize,
    },
    /// The report of the second search is wrong in itself.
    #[error("{method}: {error}")]
    Report {
        /// The method of the second search.
        method: SolveMethod,
        /// Error of the report.
        #[source]
        error: ReportError,
    },
    /// The search was stopped before its end.
    #[error("{method}: stopped before it finished")]
    Stopped {
        /// The method of the second search.
        method: SolveMethod,
    },
    /// There is not enough memory for the hash table.
    #[error(transparent)]
    Table(#[from] HashTableError),
}

/// Solves a position again with another method, for as many lines as an exact report has, and compares: every line must
/// have the same value, and must be correct in itself. Returns the second report.
pub fn solve_again<B: Rules<Set = u64>, E: CompiledSearch<B>>(
    searcher: &Searcher<E>,
    board: &B,
    report: &SearchReport,
    method: &SolveMethod,
    control: &Control,
) -> Result<SearchReport, VerifyError> {
    let method = *method;
    let question = Question { lines: report.lines.len(), ..Question::default() };
    let again = method.solve(searcher, board, &question, control)?;
    if control.is_stopped() && !again.exact {
        return Err(VerifyError::Stopped { method });
    }
    check_report(board, &again).map_err(|error| VerifyError::Report { method, error })?;
    if again.lines.len() != report.lines.len() {
        return Err(VerifyError::Lines { method, stated: report.lines.len(), again: again.lines.len() });
    }
    for (index, (stated, again)) in report.lines.iter().zip(&again.lines).enumerate() {
        let (number, stated, again) = (index + 1, stated.value, again.value);
        if stated != again {
            return Err(VerifyError::Value { method, number, stated, again });
        }
    }
    Ok(again)
}

#[cfg(test)]
mod tests {
    use evaluation::HandMade;
    use othello::{Board, SmallBoard};

    use super::*;
    use crate::negamax;

    fn solved() -> (SmallBoard<4>, Searcher<HandMade>, SearchReport) {
        let board = SmallBoard::<4>::start();
        let searcher = Searcher::new(HandMade, HashTable::with_buckets(1 << 10).unwrap(), 1);
        let report = searcher.solve(&board, &Control::new());
        (board, searcher, report)
    }

    #[test]
    fn the_solved_4x4_board_passes_every_check() {
        let (board, searcher, report) = solved();
        assert_eq!(report.lines[0].value, Value::of_score(negamax::score(&board)));
        assert_eq!(check_report(&board, &report), Ok(()));
        for method in SolveMethod::ALL {
            let again = solve_again(&searcher, &board, &report, &method, &Control::new()).unwrap();
            assert_eq!(again.lines[0].value, report.lines[0].value);
        }
    }

    #[test]
    fn a_wrong_value_is_detected() {
        let (board, searcher, mut report) = solved();
        report.lines[0].value = Value::from_discs(-8.0);
        let error = check_report(&board, &report).unwrap_err();
        assert_eq!(error.to_string(), "line 1: the line ends with -10, but -8.00 was stated for it");
        let error = solve_again(&searcher, &board, &report, &SolveMethod::NO_TABLE, &Control::new()).unwrap_err();
        assert_eq!(error.to_string(), "1 thread, no table: line 1 is worth -10.00, not -8.00");
    }

    #[test]
    fn a_line_that_stops_early_or_is_illegal_is_detected() {
        let (board, _, mut report) = solved();
        let all = report.lines[0].moves.clone();
        report.lines[0].moves.pop();
        let error = check_report(&board, &report).unwrap_err();
        assert!(error.to_string().contains("but the game is not over there"), "{error}");
        report.lines[0].moves = vec![all[0], all[0]];
        let error = check_report(&board, &report).unwrap_err();
        assert!(error.to_string().contains("move 2 of the line"), "{error}");
        report.lines[0].moves = vec![Square::new(0)];
        let error = check_report(&board, &report).unwrap_err();
        assert_eq!(error.to_string(), "line 1: move 1 of the line, square number 0, is illegal");
    }

    #[test]
    fn unsorted_or_repeated_lines_are_detected() {
        let (board, searcher, report) = solved();
        let question = Question { lines: 4, ..Question::default() };
        let mut all = SolveMethod::ONE_THREAD.solve(&searcher, &board, &question, &Control::new()).unwrap();
        assert_eq!(check_report(&board, &all), Ok(()));
        all.lines = vec![report.lines[0].clone(), report.lines[0].clone()];
        assert!(matches!(check_report(&board, &all), Err(ReportError::Repeated { .. })));
        all.lines.clear();
        assert_eq!(check_report(&board, &all), Err(ReportError::NoLine));
    }

    #[test]
    fn a_stopped_search_proves_nothing() {
        let board = Board::start();
        let searcher = Searcher::new(HandMade, HashTable::with_buckets(1 << 10).unwrap(), 1);
        let control = Control::new().with_nodes(100_000);
        let report = searcher.solve(&board, &control);
        assert!(matches!(check_report(&board, &report), Err(ReportError::NotExact { .. })));
        let error = solve_again(&searcher, &board, &report, &SolveMethod::STRAIGHT, &control).unwrap_err();
        assert_eq!(error, VerifyError::Stopped { method: SolveMethod::STRAIGHT });
    }

    #[test]
    fn a_finished_game_has_nothing_to_check() {
        let board = Board::new(u64::MAX, 0);
        let searcher = Searcher::new(HandMade, HashTable::with_buckets(1).unwrap(), 1);
        let report = searcher.solve(&board, &Control::new());
        assert_eq!(check_report(&board, &report), Ok(()));
    }
}
