//! `cargo xtask crosscheck`: every kernel and every board against the reference of the rules.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use othello::random::Random;
use othello::{Board, CutBoard, Rules, SmallBoard, SquareSet, kernels, squares};

use crate::agreement::{Differences, compare, compare_with_kernels, square, to_reference};

/// Compare every kernel and every board with the slow reference on random positions
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many positions to compare
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    positions: u64,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// Positions are made in batches that depend on the seed and their number only, whatever thread takes
/// them.
const BATCH: u64 = 1_000;

/// Further differences are counted, not printed.
const PRINTED: usize = 10;

/// What the threads have found so far.
#[derive(Default)]
struct Findings {
    positions: BTreeMap<&'static str, u64>,
    differences: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let start = Instant::now();
    let batches = arguments.positions.div_ceil(BATCH);
    let next_batch = AtomicU64::new(0);
    let done = AtomicU64::new(0);
    let findings = Mutex::new(Findings::default());
    let work = || {
        loop {
            let batch = next_batch.fetch_add(1, Ordering::Relaxed);
            if batch >= batches {
                return;
            }
            let size = BATCH.min(arguments.positions - batch * BATCH);
            let (board, differences) = check_batch(&mut Random::of_item(arguments.seed, batch), batch, size);
            let mut findings = findings.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            for difference in differences {
                if findings.differences < PRINTED as u64 {
                    eprintln!("difference: {difference}");
                }
                findings.differences += 1;
            }
            *findings.positions.entry(board).or_default() += size;
            done.fetch_add(size, Ordering::Relaxed);
        }
    };
    let threads = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let is_terminal = std::io::stderr().is_terminal();
        let interval = Duration::from_secs(if is_terminal { 1 } else { 30 });
        let mut shown = Instant::now();
        while !workers.iter().all(|worker| worker.is_finished()) {
            thread::sleep(Duration::from_millis(20));
            if shown.elapsed() > interval {
                shown = Instant::now();
                let done = done.load(Ordering::Relaxed);
                let (before, after) = if is_terminal { ("\r", "") } else { ("", "\n") };
                eprint!("{before}{done} of {} positions compared{after}", arguments.positions);
            }
        }
        if is_terminal {
            eprint!("\r\x1b[K");
        }
    });
    let findings = findings.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let shares: Vec<_> = findings.positions.iter().map(|(board, count)| format!("{count} on {board}")).collect();
    let names: Vec<_> = kernels::BUILT.iter().map(|kernel| kernel.name).collect();
    println!(
        "{} positions ({}), kernels {}: {} differences in {:.1} s",
        arguments.positions,
        shares.join(", "),
        names.join(" and "),
        findings.differences,
        start.elapsed().as_secs_f64()
    );
    ensure!(findings.differences == 0, "{} differences from the reference", findings.differences);
    Ok(())
}

/// Compares the positions of one batch, all on the same board.
fn check_batch(random: &mut Random, batch: u64, size: u64) -> (&'static str, Differences) {
    // The 8x8 board matters most.
    let differences = match batch % 5 {
        0 | 1 => check_positions::<Board>(random, size, compare_with_kernels),
        2 => check_positions::<SmallBoard<6>>(random, size, compare_with_kernels),
        3 => check_positions::<SmallBoard<4>>(random, size, compare_with_kernels),
        _ => check_positions::<CutBoard>(random, size, compare),
    };
    let names = [
        Board::GEOMETRY.name,
        Board::GEOMETRY.name,
        SmallBoard::<6>::GEOMETRY.name,
        SmallBoard::<4>::GEOMETRY.name,
        CutBoard::GEOMETRY.name,
    ];
    (names[(batch % 5) as usize], differences)
}

/// Half the positions come from random games, the others are arbitrary, some of them with a single empty square.
fn check_positions<B: Rules>(random: &mut Random, size: u64, compare: fn(&B) -> Differences) -> Differences {
    let mut differences = Vec::new();
    let mut game = B::start();
    for number in 0..size {
        let board = match number % 8 {
            0..4 => {
                game = next_of_game(random, &game);
                game
            }
            4..7 => arbitrary(random),
            _ => with_one_empty(random),
        };
        differences.extend(compare(&board));
    }
    differences
}

/// The board after a random move or a forced pass, or a new game.
fn next_of_game<B: Rules>(random: &mut Random, board: &B) -> B {
    // The reference chooses: a wrong move generator must not influence its own test.
    let reference = to_reference(board);
    let moves = reference.moves();
    if !moves.is_empty() {
        let square = square::<B>(moves[random.below(moves.len())]);
        board.after(square, board.flips(square))
    } else if reference.must_pass() {
        board.pass()
    } else {
        B::start()
    }
}

/// A board with random discs, from nearly empty to nearly full, evenly mixed or nearly of one color.
fn arbitrary<B: Rules>(random: &mut Random) -> B {
    let filled = random.below(257);
    let own = random.below(257);
    let mut player = B::Set::EMPTY;
    let mut opponent = B::Set::EMPTY;
    for square in squares(B::PLAYABLE) {
        if random.below(256) < filled {
            let side = if random.below(256) < own { &mut player } else { &mut opponent };
            *side |= B::Set::only(square);
        }
    }
    B::from_discs(player, opponent)
}

/// A full board of random discs except for one square.
fn with_one_empty<B: Rules>(random: &mut Random) -> B {
    let empty = random.below(B::PLAYABLE.count() as usize);
    // Long runs of one color are rare among evenly mixed discs.
    let own = random.below(257);
    let mut player = B::Set::EMPTY;
    let mut opponent = B::Set::EMPTY;
    for (number, square) in squares(B::PLAYABLE).enumerate() {
        if number != empty {
            let side = if random.below(256) < own { &mut player } else { &mut opponent };
            *side |= B::Set::only(square);
        }
    }
    B::from_discs(player, opponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_and_boards_agree_with_the_reference() {
        for batch in 0..10 {
            let (board, differences) = check_batch(&mut Random::of_item(7, batch), batch, BATCH);
            assert!(differences.is_empty(), "{board}: {differences:?}");
        }
    }
}
