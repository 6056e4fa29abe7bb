//! The gain from LOGISTELLO's implementation techniques: combined tables, incremental indices, undoing moves instead of
//! copying positions (Buro 1997, "Implementation Aspects").
//!
//! Run with `cargo bench -p logistello --bench logistello`. One measurement has a thousand evaluations, so microseconds
//! in the table are nanoseconds per evaluation. Searches have six plies from each of eight positions and count nodes;
//! the gain from combining tables is the ratio of the nodes per second of the two searches (paper: about 1.75).

use control::Control;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use evaluation::Evaluation;
use logistello::indices::Indices;
use logistello::{Form, Logistello, Tables};
use othello::{Board, Rules, Square, squares};
use search::samples::{Origin, Samples};
use search::{HashTable, Iteration, Question, Searcher, Selectivity};

fn main() {
    divan::main();
}

/// Evaluations in one measurement.
const CALLS: usize = 1000;

/// The number of leaves.
const LEAVES: usize = 16 * CALLS;

const DEPTH: u32 = 6;
const POSITIONS: usize = 8;

/// A move that leads to a leaf, and the position before it.
#[derive(Clone, Copy)]
struct Leaf {
    before: Board,
    square: Square,
    flips: u64,
}

impl Leaf {
    fn board(&self) -> Board {
        self.before.after(self.square, self.flips)
    }
}

/// The moves of positions two plies after positions of sensible games, in search order.
fn leaves() -> Vec<Leaf> {
    let mut samples = Samples::<Board>::new(1);
    let mut leaves = Vec::new();
    while leaves.len() < LEAVES {
        let empties = 20 + samples.below(21);
        collect(&samples.position_with_moves(Origin::SensibleGame, empties), 3, &mut leaves);
    }
    leaves.truncate(LEAVES);
    leaves
}

fn collect(board: &Board, depth: u32, leaves: &mut Vec<Leaf>) {
    for square in squares(board.moves()) {
        let flips = board.flips(square);
        if depth == 1 {
            leaves.push(Leaf { before: *board, square, flips });
        } else {
            collect(&board.after(square, flips), depth - 1, leaves);
        }
    }
}

fn evaluation(combined: bool) -> Logistello {
    Logistello::new(&Tables::shipped(), Form { combined, ..Form::default() })
}

fn along_a_path(bencher: Bencher, evaluation: &Logistello) {
    let leaves: Vec<(Leaf, Indices)> =
        leaves().into_iter().map(|leaf| (leaf, evaluation.features(&leaf.before))).collect();
    let mut parts = leaves.chunks_exact(CALLS).cycle();
    bencher.counter(ItemsCount::new(CALLS)).bench_local(|| {
        for (leaf, indices) in parts.next().into_iter().flatten() {
            let indices = evaluation.played(indices, &leaf.before, leaf.square, leaf.flips);
            black_box(evaluation.evaluate(&leaf.board(), &indices));
        }
    });
}

#[divan::bench]
fn evaluation_with_combined_tables(bencher: Bencher) {
    along_a_path(bencher, &evaluation(true));
}

#[divan::bench]
fn evaluation_with_separate_tables(bencher: Bencher) {
    along_a_path(bencher, &evaluation(false));
}

#[divan::bench]
fn indices_from_the_board(bencher: Bencher) {
    let boards: Vec<Board> = leaves().iter().map(Leaf::board).collect();
    let mut parts = boards.chunks_exact(CALLS).cycle();
    bencher.counter(ItemsCount::new(CALLS)).bench_local(|| {
        for board in parts.next().into_iter().flatten() {
            black_box(Indices::of(board));
        }
    });
}

#[divan::bench]
fn indices_copied_and_moved(bencher: Bencher) {
    let leaves: Vec<(Leaf, Indices)> = leaves().into_iter().map(|leaf| (leaf, Indices::of(&leaf.before))).collect();
    let mut parts = leaves.chunks_exact(CALLS).cycle();
    bencher.counter(ItemsCount::new(CALLS)).bench_local(|| {
        for (leaf, indices) in parts.next().into_iter().flatten() {
            let mut copy = *indices;
            copy.play(leaf.square, leaf.flips);
            black_box(copy);
        }
    });
}

#[divan::bench]
fn indices_moved_and_taken_back(bencher: Bencher) {
    let leaves: Vec<(Leaf, Indices)> = leaves().into_iter().map(|leaf| (leaf, Indices::of(&leaf.before))).collect();
    let mut parts: Vec<Vec<(Leaf, Indices)>> = leaves.chunks_exact(CALLS).map(<[_]>::to_vec).collect();
    let mut number = 0;
    bencher.counter(ItemsCount::new(CALLS)).bench_local(|| {
        let count = parts.len();
        for (leaf, indices) in &mut parts[number % count] {
            indices.play(leaf.square, leaf.flips);
            black_box(&indices);
            indices.undo(leaf.square, leaf.flips);
        }
        number += 1;
    });
}

fn searches(bencher: Bencher, evaluation: Logistello) {
    let mut samples = Samples::<Board>::new(7);
    let boards: Vec<Board> = (0..POSITIONS).map(|_| samples.position_with_moves(Origin::SensibleGame, 36)).collect();
    let searcher = Searcher::new(evaluation, HashTable::with_buckets(1 << 15).expect("a small table"), 1);
    let search_all = || -> u64 {
        let search = |board: &Board| {
            searcher.table.clear();
            let mut depths = (2..=DEPTH).step_by(2);
            let mut next = |_: &[_]| depths.next().map(|depth| Iteration { depth, selectivity: Selectivity::EXACT });
            searcher.search(board, &Question::default(), &Control::new(), &mut next).nodes
        };
        boards.iter().map(search).sum()
    };
    let nodes = search_all();
    bencher.counter(ItemsCount::new(nodes)).bench_local(search_all);
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn search_with_combined_tables(bencher: Bencher) {
    searches(bencher, evaluation(true));
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn search_with_separate_tables(bencher: Bencher) {
    searches(bencher, evaluation(false));
}
