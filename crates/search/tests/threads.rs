//! Parallel search: always the same score as on one thread, and always terminating.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use control::Control;
use evaluation::{Evaluation, HandMade, Value};
use othello::{Board, Rules, SmallBoard, Square};
use search::samples::{Origin, Samples};
use search::verify::check_report;
use search::{
    CompiledSearch, HashTable, Iteration, Next, Question, SearchReport, SearchRequest, SearchableBoard, Searcher,
    Selectivity,
};

use crate::solving::{answer, searcher};

/// Solves each position on one thread and repeatedly on several, with fresh and with used hash tables.
fn repeated<B: SearchableBoard>(seed: u64, empty_count: u32, positions: usize, repetitions: usize) {
    let mut samples = Samples::<B>::new(seed);
    for index in 0..positions {
        let board = samples.position_with_moves(Origin::ALL[index % 2], empty_count);
        let alone = searcher(1 << 12, 1).solve(&board, &Control::new());
        check_report(&board, &alone).unwrap_or_else(|error| panic!("{error}: {board:?}"));
        for repetition in 0..repetitions {
            // More threads than processors: they are preempted at any point.
            let several = searcher([1 << 12, 1, 1 << 6][repetition % 3], 2 + repetition % 3);
            for _ in 0..2 {
                let report = several.solve(&board, &Control::new());
                check_report(&board, &report).unwrap_or_else(|error| panic!("{error}: {board:?}"));
                assert_eq!(report.lines[0].value, alone.lines[0].value, "{board:?}");
            }
        }
    }
}

#[test]
fn several_threads_repeatedly_find_the_score_of_one_thread() {
    repeated::<Board>(1, 17, 6, 6);
    repeated::<Board>(2, 18, 4, 3);
}

#[test]
fn several_threads_find_the_score_of_one_thread_on_the_6x6_board() {
    repeated::<SmallBoard<6>>(3, 17, 8, 6);
}

#[test]
fn several_threads_give_every_move_the_value_of_one_thread() {
    let mut samples = Samples::<Board>::new(4);
    for index in 0..4 {
        let board = samples.position_with_moves(Origin::ALL[index % 2], 16);
        let question = Question { lines: 64, ..Question::default() };
        let mut values: Vec<_> = [1, 2, 4].map(|threads| answer(&searcher(1 << 12, threads), &board, &question)).into();
        for report in &values {
            check_report(&board, report).unwrap_or_else(|error| panic!("{error}: {board:?}"));
        }
        let by_square = |report: &SearchReport| {
            let mut values: Vec<_> = report.lines.iter().map(|line| (line.moves[0], line.value)).collect();
            values.sort();
            values
        };
        let first = by_square(&values.remove(0));
        assert!(values.iter().all(|report| by_square(report) == first), "{board:?}");
    }
}

#[test]
fn many_short_parallel_searches_all_terminate() {
    let mut samples = Samples::<Board>::new(5);
    let searcher = searcher(1 << 10, 4);
    for index in 0..400 {
        let empty_count = 1 + samples.below(50);
        let board = samples.position_with_moves(Origin::ALL[index % 4], empty_count);
        let depth = 1 + samples.below(8);
        let report = searcher.search(&board, &Question::default(), &Control::new(), &mut |reports| {
            (reports.len() < 3).then_some(Iteration { depth, selectivity: Selectivity::LOWEST })
        });
        assert!(board.play(report.lines[0].moves[0]).is_some());
    }
}

#[test]
fn one_thread_searches_the_same_nodes_in_every_run() {
    let mut samples = Samples::<Board>::new(6);
    for index in 0..10 {
        let solved = samples.position_with_moves(Origin::ALL[index % 2], 14);
        let searched = samples.position_with_moves(Origin::ALL[index % 2], 34);
        let run = || {
            let searcher = searcher(1 << 10, 1);
            let exact = searcher.solve(&solved, &Control::new());
            // The hash table is no longer empty.
            let midgame = searcher.search(&searched, &Question::default(), &Control::new(), &mut |reports| {
                let depth = 2 * reports.len() as u32;
                (depth <= 8).then_some(Iteration { depth, selectivity: Selectivity::from_percent(73) })
            });
            (exact.nodes, exact.lines, midgame.nodes, midgame.lines)
        };
        assert_eq!(run(), run(), "{solved:?} and {searched:?}");
    }
}

/// An evaluation that panics after this many calls, in whatever thread that happens.
struct Failing(AtomicU64);

impl Evaluation for Failing {
    type Features = ();

    fn features(&self, _: &Board) {}

    fn played(&self, (): &(), _: &Board, _: Square, _: u64) {}

    fn passed(&self, (): &()) {}

    fn evaluate(&self, board: &Board, (): &()) -> Value {
        let calls = self.0.fetch_sub(1, Relaxed);
        assert!(calls > 0, "the evaluation fails as it should");
        HandMade.evaluate(board, &())
    }
}

impl CompiledSearch for Failing {
    #[inline(never)]
    fn search(&self, request: &SearchRequest<'_>, next: &mut Next<'_>) -> SearchReport {
        request.run(self, next)
    }
}

#[test]
fn a_panic_in_one_thread_ends_the_search_of_all() {
    let mut samples = Samples::<Board>::new(8);
    let board = samples.position_with_moves(Origin::SensibleGame, 40);
    for calls in [10, 5_000, 5_000, 20_000, 40_000, 60_000] {
        let searcher = Searcher::new(Failing(AtomicU64::new(calls)), HashTable::with_buckets(1 << 12).unwrap(), 3);
        let search = || {
            searcher.search(&board, &Question::default(), &Control::new(), &mut |reports| {
                Some(Iteration { depth: reports.last()?.iteration.depth + 1, selectivity: Selectivity::EXACT })
            })
        };
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(search)).is_err());
    }
}
