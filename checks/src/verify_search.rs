//! `cargo xtask verify-search`: the solver against plain negamax, and against itself in other configurations.

use anyhow::{Result, ensure};
use control::Control;
use evaluation::{HandMade, Value};
use othello::{Board, Score, SmallBoard};
use search::samples::{Origin, Samples};
use search::verify::{SolveMethod, check_report, solve_again};
use search::{HashTable, Question, SearchReport, SearchableBoard, Searcher, negamax, solving};

use crate::batches::Batches;

/// Compare the solver with plain negamax on random positions, and with itself on one and two threads, tiny and no table
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Positions with 8 to 14 empties to compare with plain negamax
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    positions: u64,
    /// Positions with 16 to 20 empties to solve again in every other configuration
    #[arg(long, value_name = "N", default_value_t = 20)]
    again: u64,
    /// Skip this many positions of both kinds: those that an interrupted run has reported as done
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: u64,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// Positions that one searcher solves.
const BATCH: u64 = 20;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let seed = |batch: u64| arguments.seed.wrapping_mul(0xd605_bbb5_8c8a_bc3d) ^ batch;
    let batches = |what, total, size| Batches { what, total, skip: arguments.skip, size };
    let compared = batches("compared with negamax", arguments.positions, BATCH).process(|batch, size| {
        // The 8x8 board matters most; on 4x4 a game begins with 12 empties.
        let seed = seed(batch);
        match batch % 10 {
            0..7 => compare_with_negamax::<Board>(seed, size, 14),
            7 | 8 => compare_with_negamax::<SmallBoard<6>>(seed, size, 14),
            _ => compare_with_negamax::<SmallBoard<4>>(seed, size, 12),
        }
    });
    let again = batches("solved in five configurations", arguments.again, 1).process(|batch, _| {
        let mut samples = Samples::<Board>::new(!seed(batch));
        let board = samples.position(Origin::ALL[(batch / 5 % 4) as usize], 16 + (batch % 5) as u32);
        solve_in_all_manners(&board).into_iter().collect()
    });
    let failed = compared + again;
    ensure!(failed == 0, "{failed} positions were solved incorrectly");
    Ok(())
}

/// Solves positions with one searcher, so that its table carries over from each to the next.
fn compare_with_negamax<B: SearchableBoard>(seed: u64, size: u64, max_empties: u32) -> Vec<String> {
    let mut samples = Samples::<B>::new(seed);
    // Almost no table, one that is always full, and a large one.
    let buckets = [1, 1 << 6, 1 << 14][seed as usize % 3];
    let Some(table) = HashTable::with_buckets(buckets) else { return vec!["no memory for a table".to_owned()] };
    let searcher = Searcher::new(HandMade, table, 1);
    let mut differences = Vec::new();
    for number in 0..size {
        let empty_count = 8 + samples.below(max_empties - 7);
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
    let ask = |question: Question| -> SearchReport {
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
        let searcher = Searcher::new(HandMade, HashTable::new(64)?, 1);
        let report = searcher.solve(board, &Control::new());
        check_report(board, &report)?;
        for method in SolveMethod::ALL {
            solve_again(&searcher, board, &report, &method, &Control::new())?;
        }
        Ok(())
    };
    solve().err().map(|error| format!("{error:#}: {board:?}"))
}
