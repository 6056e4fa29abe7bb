//! Common parts of the solver tests: searchers, options, and the true results by plain negamax.

// Every test file uses only a part of this module.
#![allow(dead_code)]

use control::Control;
use evaluation::{HandMade, Value};
use othello::{Rules, Score, Square};
use search::verify::check_report;
use search::{HashTable, Question, SearchReport, SearchableBoard, Searcher, negamax, solving};

pub(crate) fn searcher(buckets: usize, threads: usize) -> Searcher<HandMade> {
    Searcher::new(HandMade, HashTable::with_buckets(buckets).unwrap(), threads)
}

/// Solves a position with these options.
pub(crate) fn answer<B: SearchableBoard>(
    searcher: &Searcher<HandMade>,
    board: &B,
    question: &Question,
) -> SearchReport {
    let empty_count = board.empties().count_ones();
    searcher.search(board, question, &Control::new(), &mut |reports| solving(empty_count, reports))
}

/// Solves a position and compares score and line with plain negamax.
pub(crate) fn assert_solved<B: SearchableBoard>(searcher: &Searcher<HandMade>, board: &B) {
    assert_solution(board, &searcher.solve(board, &Control::new()));
}

/// Compares a report of an exact search with plain negamax.
pub(crate) fn assert_solution<B: SearchableBoard>(board: &B, report: &SearchReport) {
    check_report(board, report).unwrap_or_else(|error| panic!("{error}: {board:?}"));
    match report.lines.first() {
        Some(line) => {
            let score = Score::new((line.value.parts() / Value::PER_DISC) as i8);
            let right = Value::of_score(score) == line.value && negamax::is_score(board, score);
            assert!(right, "{}, but negamax has {}: {board:?}", line.value, negamax::score(board));
        }
        None => assert!(board.is_over(), "{board:?}"),
    }
}

pub(crate) fn truth<B: Rules>(board: &B, square: Square) -> Score {
    -negamax::score(&board.play(square).expect("a legal move"))
}
