//! The time of one call of each kernel, over many different positions, and the speed of perft.
//!
//! Run with `cargo bench -p othello`. The first three measure a thousand calls at a time: microseconds in the table are
//! nanoseconds per call.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use othello::kernels::{self, Kernel};
use othello::perft::{PassCounts, perft};
use othello::random::Random;
use othello::{Board, Rules, Square, squares};

fn main() {
    divan::main();
}

const CALLS: usize = 1000;

/// Enough positions that no branch predictor can memorize them.
const CASES: usize = 16 * CALLS;

/// Positions of random games, each with one of its legal moves.
fn game_positions() -> Vec<(Board, Square)> {
    let mut random = Random::new(1);
    let mut cases = Vec::new();
    let mut board = Board::start();
    while cases.len() < CASES {
        let moves = board.moves();
        if moves != 0 {
            let square = squares(moves).nth(random.below(moves.count_ones() as usize)).expect("a move");
            cases.push((board, square));
            board = board.play(square).expect("a legal move");
        } else {
            board = if board.must_pass() { board.pass() } else { Board::start() };
        }
    }
    // In random order, so that consecutive positions are unrelated.
    for index in (1..cases.len()).rev() {
        cases.swap(index, random.below(index + 1));
    }
    cases
}

fn last_positions() -> Vec<(u64, Square)> {
    let mut random = Random::new(1);
    (0..CASES)
        .map(|_| {
            let square = Square::new(random.below(64) as u8);
            (random.bits() & !square.bit(), square)
        })
        .collect()
}

/// A kernel by its index in the build, so that its functions are known to the compiler and inlined as in the program.
struct Numbered<const NUMBER: usize>;

impl<const NUMBER: usize> Numbered<NUMBER> {
    const KERNEL: Kernel = kernels::BUILT[if NUMBER < kernels::BUILT.len() { NUMBER } else { 0 }];

    fn flips(bencher: Bencher) {
        measure(bencher, &game_positions(), |&(board, square)| {
            (Self::KERNEL.flips)(board.player, board.opponent, square)
        });
    }

    fn moves(bencher: Bencher) {
        measure(bencher, &game_positions(), |&(board, _)| (Self::KERNEL.moves)(board.player, board.opponent));
    }

    fn last_flip_count(bencher: Bencher) {
        measure(bencher, &last_positions(), |&(player, square)| (Self::KERNEL.last_flip_count)(player, square));
    }
}

/// Measures a thousand calls, with different cases each time.
fn measure<C, R>(bencher: Bencher, cases: &[C], call: impl Fn(&C) -> R) {
    let mut parts = cases.chunks_exact(CALLS).cycle();
    bencher.counter(ItemsCount::new(CALLS)).bench_local(|| {
        for case in parts.next().unwrap_or_default() {
            // One result at a time: otherwise the compiler may process several positions together.
            black_box(call(case));
        }
    });
}

/// Runs a benchmark of the kernel with this name.
macro_rules! of_kernel {
    ($name:ident, $benchmark:ident, $bencher:ident) => {
        match kernels::BUILT.iter().position(|kernel| kernel.name == $name) {
            Some(1) => Numbered::<1>::$benchmark($bencher),
            Some(2) => Numbered::<2>::$benchmark($bencher),
            _ => Numbered::<0>::$benchmark($bencher),
        }
    };
}

fn kernel_names() -> impl Iterator<Item = &'static str> {
    kernels::BUILT.iter().map(|kernel| kernel.name)
}

#[divan::bench(args = kernel_names(), sample_count = 200, sample_size = 64)]
fn flips(bencher: Bencher, name: &str) {
    of_kernel!(name, flips, bencher)
}

#[divan::bench(args = kernel_names(), sample_count = 200, sample_size = 64)]
fn moves(bencher: Bencher, name: &str) {
    of_kernel!(name, moves, bencher)
}

#[divan::bench(args = kernel_names(), sample_count = 200, sample_size = 64)]
fn last_flip_count(bencher: Bencher, name: &str) {
    of_kernel!(name, last_flip_count, bencher)
}

/// Leaves from the start, without hash tables, the last ply counted in bulk.
#[divan::bench(args = [9, 10, 11], sample_count = 5, sample_size = 1)]
fn perft_8x8(bencher: Bencher, depth: u32) {
    let start = Board::start();
    let leaves = perft(&start, depth, PassCounts::AsPly);
    bencher.counter(ItemsCount::new(leaves)).bench_local(|| perft(black_box(&start), depth, PassCounts::AsPly));
}
