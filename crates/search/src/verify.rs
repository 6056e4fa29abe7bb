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
use othello::{Rules, Square, SquareSet};

use crate::compiled::CompiledSearch;
use crate::searcher::{Iteration, Question, SearchReport, Searcher, solving};
use crate::selectivity::Selectivity;
use crate::transposition::{BUCKETS_PER_MEGABYTE, HashTable, HashTableError};
use control::Control;

/// Reason why a report is wrong or was not confirmed, in a sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct VerifyError(String);

/// Plays a line to its end, with forced passes, and compares the result with the stated value.
fn check_line<B: Rules>(board: &B, moves: &[Square], stated: Value) -> Result<(), String> {
    let mut board = *board;
    let mut own_turn = true;
    for (index, &square) in moves.iter().enumerate() {
        if board.must_pass() {
            board = board.pass();
            own_turn = !own_turn;
        }
        let Some(after) = board.play(square) else {
            let is_on_board = B::GEOMETRY.playable >> square.index() & 1 == 1;
            let name =
                if is_on_board { B::GEOMETRY.square_name(square) } else { format!("square number {}", square.index()) };
            return Err(format!("move {} of the line, {name}, is illegal", index + 1));
        };
        board = after;
        own_turn = !own_turn;
    }
    if !board.is_over() {
        let (moves, empties) = (moves.len(), board.empties().count());
        return Err(format!(
            "the line ends after {moves} moves with {empties} empty squares, but the game is not over there"
        ));
    }
    let played = if own_turn { board.final_score() } else { -board.final_score() };
    if Value::of_score(played) != stated {
        return Err(format!("the line ends with {played}, but {stated} was stated for it"));
    }
    Ok(())
}

/// Checks a report of an exact search without a window: it has a line, the lines are sorted and begin with different
/// moves, and each of them leads to its value.
pub fn check_report<B: Rules>(board: &B, report: &SearchReport) -> Result<(), VerifyError> {
    let wrong = |sentence: String| Err(VerifyError(sentence));
    if !report.exact {
        let Iteration { depth, selectivity } = report.iteration;
        return wrong(format!("the search was {depth} plies deep at {selectivity}, not to the end at 100%"));
    }
    if report.lines.is_empty() && !board.is_over() {
        return wrong("there is no line, but the position has legal moves".to_owned());
    }
    let passed = board.must_pass();
    let mut begun = Vec::new();
    for (index, line) in report.lines.iter().enumerate() {
        let (number, value) = (index + 1, line.value);
        check_line(board, &line.moves, value).or_else(|error| wrong(format!("line {number}: {error}")))?;
        let before = report.lines[index.saturating_sub(1)].value;
        // After a pass the lines are the opponent's, whose best one comes first.
        if if passed { value < before } else { value > before } {
            return wrong(format!("line {number} ({value}) is listed after one with {before}"));
        }
        let first = line.moves.first();
        if begun.contains(&first) {
            let square = first.map_or("no move".to_owned(), |&square| B::GEOMETRY.square_name(square));
            return wrong(format!("two lines begin with {square}"));
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
        let refused = || HashTableError::refused(self.buckets / BUCKETS_PER_MEGABYTE);
        let table = HashTable::with_buckets(self.buckets).ok_or_else(refused)?;
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

/// Solves a position again with another method, for as many lines as an exact report has, and compares: every line must
/// have the same value, and must be correct in itself. Returns the second report.
pub fn solve_again<B: Rules<Set = u64>, E: CompiledSearch<B>>(
    searcher: &Searcher<E>,
    board: &B,
    report: &SearchReport,
    method: &SolveMethod,
    control: &Control,
) -> Result<SearchReport, VerifyError> {
    let wrong = |sentence: String| VerifyError(format!("{method}: {sentence}"));
    let question = Question { lines: report.lines.len(), ..Question::default() };
    let again = method.solve(searcher, board, &question, control).map_err(|error| VerifyError(error.to_string()))?;
    if control.is_stopped() && !again.exact {
        return Err(wrong("stopped before it finished".to_owned()));
    }
    check_report(board, &again).map_err(|error| wrong(error.to_string()))?;
    if again.lines.len() != report.lines.len() {
        return Err(wrong(format!("{} lines, not {}", again.lines.len(), report.lines.len())));
    }
    for (index, (stated, again)) in report.lines.iter().zip(&again.lines).enumerate() {
        if stated.value != again.value {
            return Err(wrong(format!("line {} is worth {}, not {}", index + 1, again.value, stated.value)));
        }
    }
    Ok(again)
}

#[cfg(test)]
mod tests {
    use evaluation::HandMade;
    use othello::{Board, SmallBoard};

    use super::*;
    use crate::{Line, negamax};

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
    fn wrong_reports_are_detected() {
        let (board, searcher, report) = solved();
        let error = |lines: &[Line]| {
            let report = SearchReport { lines: lines.to_vec(), ..report.clone() };
            check_report(&board, &report).unwrap_err().to_string()
        };
        let [line] = &report.lines[..] else { panic!("{report:?}") };
        let with = |moves: &[Square]| Line { moves: moves.to_vec(), ..line.clone() };
        let wrong = Line { value: Value::from_discs(-8.0), ..line.clone() };
        assert_eq!(error(std::slice::from_ref(&wrong)), "line 1: the line ends with -10, but -8.00 was stated for it");
        let (last, shorter) = line.moves.split_last().unwrap();
        assert!(error(&[with(shorter)]).contains("but the game is not over there"), "without {last}");
        assert!(error(&[with(&[line.moves[0]; 2])]).contains("move 2 of the line"));
        let illegal = "line 1: move 1 of the line, square number 0, is illegal";
        assert_eq!(error(&[with(&[Square::new(0)])]), illegal);
        assert!(error(&[line.clone(), line.clone()]).contains("two lines begin with"));
        assert_eq!(error(&[]), "there is no line, but the position has legal moves");
        let report = SearchReport { lines: vec![wrong], ..report.clone() };
        let error = solve_again(&searcher, &board, &report, &SolveMethod::NO_TABLE, &Control::new()).unwrap_err();
        assert_eq!(error.to_string(), "1 thread, no table: line 1 is worth -10.00, not -8.00");
        let question = Question { lines: 4, ..Question::default() };
        let all = SolveMethod::ONE_THREAD.solve(&searcher, &board, &question, &Control::new()).unwrap();
        assert_eq!(check_report(&board, &all), Ok(()));
    }

    #[test]
    fn a_stopped_search_proves_nothing() {
        let board = Board::start();
        let searcher = Searcher::new(HandMade, HashTable::with_buckets(1 << 10).unwrap(), 1);
        let control = Control::new().with_nodes(100_000);
        let report = searcher.solve(&board, &control);
        let error = check_report(&board, &report).unwrap_err().to_string();
        assert!(error.contains("not to the end at 100%"), "{error}");
        let error = solve_again(&searcher, &board, &report, &SolveMethod::STRAIGHT, &control).unwrap_err();
        assert!(error.to_string().ends_with("no selective search: stopped before it finished"), "{error}");
    }

    #[test]
    fn a_finished_game_has_nothing_to_check() {
        let board = Board::new(u64::MAX, 0);
        let searcher = Searcher::new(HandMade, HashTable::with_buckets(1).unwrap(), 1);
        let report = searcher.solve(&board, &Control::new());
        assert_eq!(check_report(&board, &report), Ok(()));
    }
}
