//! The time of one evaluation, from a board alone and incrementally along a path of a search, and of loading the
//! weights.
//!
//! Run with `cargo bench -p evaluation`. The positions are the leaves of small searches, in search order, because
//! neighboring leaves share most of their table lookups. The weights are arbitrary: they determine the value, not the
//! time. A thousand evaluations are one measurement: microseconds in the table are nanoseconds per evaluation.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use evaluation::interactions::Interactions;
use evaluation::weights::Weights;
use evaluation::{Evaluation, HandMade, Learned};
use othello::random::Random;
use othello::{Board, Rules, Square, squares};

fn main() {
    divan::main();
}

/// The number of evaluations in one measurement.
const CALLS: usize = 1000;

const LEAVES: usize = 64 * CALLS;

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

/// The leaves of searches three plies deep, from positions of random games with 20 to 40 empty squares.
fn leaves() -> Vec<Leaf> {
    let mut random = Random::new(1);
    let mut leaves = Vec::new();
    while leaves.len() < LEAVES {
        let mut board = Board::start();
        let empties = 20 + random.below(21) as u32;
        while board.empty_count() > empties && board.can_move() {
            let moves = board.moves();
            let square = squares(moves).nth(random.below(moves.count_ones() as usize)).expect("a move");
            board = board.play(square).expect("a legal move");
        }
        collect(&board, 3, &mut leaves);
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

fn weights() -> Weights {
    let mut random = Random::new(1);
    let mut weights = Weights::zero();
    for weight in weights.phases.iter_mut().flatten() {
        *weight = (random.bits() >> 56) as i16 - 128;
    }
    weights
}

/// The same weights with arbitrary vectors for six stages of the game.
fn weights_with_interactions() -> Weights {
    let mut random = Random::new(2);
    let mut interactions = Interactions::zero(6);
    for number in interactions.stages.iter_mut().flatten().flatten() {
        *number = (random.bits() >> 60) as i8 - 8;
    }
    Weights { interactions: Some(interactions), ..weights() }
}

fn from_the_board<E: Evaluation>(bencher: Bencher, evaluation: &E) {
    let boards: Vec<Board> = leaves().iter().map(Leaf::board).collect();
    let mut parts = boards.chunks_exact(CALLS).cycle();
    bencher.counter(ItemsCount::new(CALLS)).bench_local(|| {
        for board in parts.next().into_iter().flatten() {
            black_box(evaluation.evaluate(board, &evaluation.features(board)));
        }
    });
}

fn along_a_path<E: Evaluation>(bencher: Bencher, evaluation: &E) {
    let leaves: Vec<(Leaf, E::Features)> =
        leaves().into_iter().map(|leaf| (leaf, evaluation.features(&leaf.before))).collect();
    let mut parts = leaves.chunks_exact(CALLS).cycle();
    bencher.counter(ItemsCount::new(CALLS)).bench_local(|| {
        for (leaf, features) in parts.next().into_iter().flatten() {
            let features = evaluation.played(features, &leaf.before, leaf.square, leaf.flips);
            black_box(evaluation.evaluate(&leaf.board(), &features));
        }
    });
}

#[divan::bench]
fn hand_made(bencher: Bencher) {
    from_the_board(bencher, &HandMade);
}

#[divan::bench]
fn learned_from_the_board(bencher: Bencher) {
    from_the_board(bencher, &Learned::new(&weights()));
}

#[divan::bench]
fn learned_along_a_path(bencher: Bencher) {
    along_a_path(bencher, &Learned::new(&weights()));
}

#[divan::bench]
fn interactions_from_the_board(bencher: Bencher) {
    from_the_board(bencher, &Learned::new(&weights_with_interactions()));
}

#[divan::bench]
fn interactions_along_a_path(bencher: Bencher) {
    along_a_path(bencher, &Learned::new(&weights_with_interactions()));
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn weights_from_bytes(bencher: Bencher) {
    let bytes = weights().to_bytes();
    bencher.bench_local(|| Weights::from_bytes(black_box(&bytes)).is_ok());
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn learned_from_weights(bencher: Bencher) {
    let weights = weights();
    bencher.bench_local(|| Learned::new(black_box(&weights)));
}
