//! `cargo xtask verify-search`: the solver against plain negamax, and against itself in other configurations.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use evaluation::{HandMade, Value};
use othello::{Board, Score, SmallBoard};
use search::samples::{Origin, Samples};
use search::verify::{SolveMethod, check_report, solve_again};
use search::{Control, Question, Report, SearchableBoard, Searcher, Table, negamax, solving};

/// Compare the solver with plain negamax on random positions, and with itself on one and two threads, tiny and no table
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Positions with 8 to 14 empties to compare with plain negamax
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    positions: u64,
    /// Positions with 16 to 18 empties to solve again in every other configuration
    #[arg(long, value_name = "N", default_value_t = 20)]
    again: u64,
    /// Skip this many positions of both kinds: those that an interrupted run has reported as done
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: u64,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// Positions are made in batches that depend on the seed and their number only, whatever thread takes them.
const BATCH: u64 = 20;

/// Further differences are counted, not printed.
const PRINTED: u64 = 10;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let seed = |batch: u64| arguments.seed.wrapping_mul(0xd605_bbb5_8c8a_bc3d) ^ batch;
    let mut failed = 0;
    failed += in_batches("compared with negamax", arguments.skip, arguments.positions, BATCH, |batch, size| {
        // The 8x8 board matters most; on 4x4 a game begins with 12 empties.
        let seed = seed(batch);
        match batch % 10 {
            0..7 => compare_with_negamax::<Board>(seed, size, 14),
            7 | 8 => compare_with_negamax::<SmallBoard<6>>(seed, size, 14),
            _ => compare_with_negamax::<SmallBoard<4>>(seed, size, 12),
        }
    });
    failed += in_batches("solved in five configurations", arguments.skip, arguments.again, 1, |batch, _| {
        let mut samples = Samples::<Board>::new(!seed(batch));
        let board = samples.position(Origin::ALL[(batch / 3 % 4) as usize], 16 + (batch % 3) as u32);
        solve_in_all_manners(&board).into_iter().collect()
    });
    ensure!(failed == 0, "{failed} positions were solved incorrectly");
    Ok(())
}

/// Solves positions with one searcher, so that its table carries over from each to the next.
fn compare_with_negamax<B: SearchableBoard>(seed: u64, size: u64, most_empties: u32) -> Vec<String> {
    let mut samples = Samples::<B>::new(seed);
    // Almost no table, one that is always full, and a large one.
    let buckets = [1, 1 << 6, 1 << 14][seed as usize % 3];
    let Some(table) = Table::with_buckets(buckets) else { return vec!["no memory for a table".to_owned()] };
    let searcher = Searcher::new(HandMade, table, 1);
    let mut differences = Vec::new();
    for number in 0..size {
        let empty_count = 8 + samples.below(most_empties - 7);
        let origin = Origin::ALL[samples.below(4) as usize];
        let board = samples.position(origin, empty_count);
        if let Err(difference) = compare(&searcher, &board, number % 16 == 0) {
            differences.push(format!("{difference}, {buckets} buckets: {board:?}"));
        }
    }
    differences
}

/// Compares the score, the result and the line of a position, and, if requested, the score of every move.
fn compare<B: SearchableBoard>(searcher: &Searcher<HandMade>, board: &B, every_move: bool) -> Result<(), String> {
    let ask = |question: Question| -> Report {
        let empty_count = board.empties().count_ones();
        searcher.search(board, &question, &Control::new(), &mut |reports| solving(empty_count, reports))
    };
    let result = ask(Question { window: Some((-1, 1)), ..Question::default() });
    let exact = ask(Question::default());
    check_report(board, &exact).map_err(|error| error.to_string())?;
    if let (Some(result), Some(exact)) = (result.lines.first(), exact.lines.first()) {
        confirm(board, exact.value)?;
        if result.value.parts().signum() != exact.value.parts().signum() {
            return Err(format!("{}, but as a win, draw or loss {}", exact.value, result.value));
        }
    }
    if every_move && board.can_move() {
        let report = ask(Question { lines: 64, ..Question::default() });
        check_report(board, &report).map_err(|error| error.to_string())?;
        if report.lines.len() != board.moves().count_ones() as usize {
            return Err(format!("{} lines for {} moves", report.lines.len(), board.moves().count_ones()));
        }
        for line in &report.lines {
            let square = line.moves[0];
            let after = board.after(square, board.flips(square));
            confirm(&after, -line.value).map_err(|error| format!("{}: {error}", B::GEOMETRY.square_name(square)))?;
        }
    }
    Ok(())
}

/// Whether plain negamax finds the same value.
fn confirm<B: SearchableBoard>(board: &B, value: Value) -> Result<(), String> {
    let claimed = Score::new((value.parts() / Value::PER_DISC) as i8);
    if Value::of_score(claimed) == value && negamax::is_score(board, claimed) {
        return Ok(());
    }
    Err(format!("{value}, but negamax has {}", negamax::score(board)))
}

fn solve_in_all_manners<B: SearchableBoard>(board: &B) -> Option<String> {
    let solve = || -> Result<()> {
        let searcher = Searcher::new(HandMade, Table::new(64)?, 1);
        let report = searcher.solve(board, &Control::new());
        check_report(board, &report)?;
        for method in SolveMethod::ALL {
            solve_again(&searcher, board, &report, &method, &Control::new())?;
        }
        Ok(())
    };
    solve().err().map(|error| format!("{error:#}: {board:?}"))
}

/// Processes all batches on all processors, shows progress, prints the first differences, and returns their number.
fn in_batches(what: &str, skip: u64, total: u64, size: u64, work: impl Fn(u64, u64) -> Vec<String> + Sync) -> u64 {
    let start = Instant::now();
    let first = skip.min(total) / size;
    let next = AtomicU64::new(first);
    let done = AtomicU64::new(first * size);
    let differences = Mutex::new(0);
    let finished = AtomicBool::new(false);
    let processors = thread::available_parallelism().map_or(1, usize::from) as u64;
    thread::scope(|scope| {
        let workers: Vec<_> = (0..processors)
            .map(|_| {
                scope.spawn(|| {
                    loop {
                        let batch = next.fetch_add(1, Relaxed);
                        let Some(left) = total.checked_sub(batch * size).filter(|&left| left > 0) else { return };
                        for difference in work(batch, size.min(left)) {
                            let mut count = differences.lock().unwrap_or_else(PoisonError::into_inner);
                            *count += 1;
                            if *count <= PRINTED {
                                eprintln!("difference: {difference}");
                            }
                        }
                        done.fetch_add(size.min(left), Relaxed);
                    }
                })
            })
            .collect();
        let is_terminal = std::io::stderr().is_terminal();
        let interval = Duration::from_secs(if is_terminal { 1 } else { 30 });
        let mut shown = Instant::now();
        while !finished.load(Relaxed) {
            thread::sleep(Duration::from_millis(20));
            finished.store(workers.iter().all(|worker| worker.is_finished()), Relaxed);
            if shown.elapsed() > interval {
                shown = Instant::now();
                let (before, after) = if is_terminal { ("\r", "") } else { ("", "\n") };
                eprint!("{before}{} of {total} positions {what}{after}", done.load(Relaxed));
            }
        }
        if is_terminal {
            eprint!("\r\x1b[K");
        }
    });
    let differences = differences.into_inner().unwrap_or_else(PoisonError::into_inner);
    let count = total - first * size;
    println!("{count} positions {what}: {differences} differences in {:.1} s", start.elapsed().as_secs_f64());
    differences
}
