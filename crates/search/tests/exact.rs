//! Exact scores against the plain negamax.

use evaluation::{HandMade, Value};
use othello::{Board, Rules};
use search::samples::{Origin, Samples};
use search::verify::check_report;
use search::{Control, Searcher, Table, negamax};

fn searcher(buckets: usize, threads: usize) -> Searcher<HandMade> {
    Searcher::new(HandMade, Table::with_buckets(buckets).unwrap(), threads)
}

/// Solves positions with one searcher, whose table carries over from each to the next, and compares.
fn agrees_with_negamax<B: Rules<Set = u64>>(seed: u64, buckets: usize, empties: &[u32], count: usize) {
    let mut samples = Samples::<B>::new(seed);
    let searcher = searcher(buckets, 1);
    for index in 0..count {
        let empty_count = empties[index % empties.len()];
        let board = samples.position(Origin::ALL[index / empties.len() % 4], empty_count);
        let report = searcher.solve(&board, &Control::new());
        check_report(&board, &report).unwrap_or_else(|error| panic!("{error}: {board:?}"));
        if let Some(line) = report.lines.first() {
            assert_eq!(line.value, Value::of_score(negamax::score(&board)), "{board:?}");
        }
    }
}

#[test]
fn positions_of_eight_to_ten_empties_agree_with_negamax() {
    agrees_with_negamax::<Board>(1, 1 << 12, &[8, 9, 10], 2400);
}

#[test]
fn positions_of_eleven_to_fourteen_empties_agree_with_negamax() {
    agrees_with_negamax::<Board>(2, 1 << 12, &[11, 12], 160);
    agrees_with_negamax::<Board>(3, 1 << 12, &[13, 14], 16);
}
