//! The effect of move ordering and of selective searches before the proof: nodes and time to solve fixed positions.
//!
//! Run with `cargo bench -p search --bench ordering`. First comes a table of node counts, which are the same in every
//! run and on every machine: the nodes to solve the same positions with 14, 16 and 18 empties, with different
//! evaluations for move ordering, and with or without selective searches before the proof. Then the times, by divan: a
//! measurement solves all positions of a row once.
//!
//! To try an idea about move ordering: note the nodes and the time of the first row (`hand-made`), change
//! `midgame.rs`, `endgame.rs` or `parameters.rs`, run again; the goal is fewer nodes in less time. To try an evaluation,
//! add it here as a variant.

use control::Control;
use divan::Bencher;
use evaluation::{Evaluation, HandMade, Value};
use othello::{Board, Rules, Square};
use search::samples::{Origin, Samples};
use search::{
    CompiledSearch, HashTable, Iteration, Next, Question, SearchReport, SearchRequest, Searcher, Selectivity, solving,
};

const EMPTIES: [u32; 3] = [14, 16, 18];
const POSITIONS: usize = 12;

fn main() {
    // Only in a complete run: a single measurement or a list should not have to wait for this.
    if std::env::args().skip(1).all(|argument| argument == "--bench") {
        node_table();
    }
    divan::main();
}

/// An evaluation without any knowledge: the ordering is left with mobility, parity, killers and history.
struct Nothing;

/// The current disc difference, as a beginner would count.
struct DiscCount;

/// Only the legal moves of both sides.
struct Mobility;

macro_rules! stateless_evaluation {
    ($name:ty, $evaluate:expr) => {
        impl Evaluation for $name {
            type Features = ();

            fn features(&self, _: &Board) {}

            fn played(&self, (): &(), _: &Board, _: Square, _: u64) {}

            fn passed(&self, (): &()) {}

            fn evaluate(&self, board: &Board, (): &()) -> Value {
                let evaluate: fn(&Board) -> i32 = $evaluate;
                Value::new(evaluate(board) * Value::PER_DISC).clamped()
            }
        }

        impl CompiledSearch for $name {
            #[inline(never)]
            fn search(&self, request: &SearchRequest<'_>, next: &mut Next<'_>) -> SearchReport {
                request.run(self, next)
            }
        }
    };
}

stateless_evaluation!(Nothing, |_| 0);
stateless_evaluation!(DiscCount, |board| board.player.count_ones() as i32 - board.opponent.count_ones() as i32);
stateless_evaluation!(Mobility, |board| {
    2 * (board.moves().count_ones() as i32 - board.pass().moves().count_ones() as i32)
});

fn boards(empty_count: u32) -> Vec<Board> {
    let mut samples = Samples::<Board>::new(u64::from(empty_count));
    (0..POSITIONS).map(|_| samples.position_with_moves(Origin::SensibleGame, empty_count)).collect()
}

/// The number of nodes to solve all positions, each with an empty hash table.
fn solve_all<E: CompiledSearch>(evaluation: &E, boards: &[Board], straight: bool) -> u64 {
    let solve = |board: &Board| {
        let table = HashTable::with_buckets(1 << 14).expect("a megabyte");
        let searcher = Searcher::new(evaluation, table, 1);
        let empty_count = board.empty_count();
        let to_the_end = Iteration { depth: empty_count, selectivity: Selectivity::EXACT };
        let mut next = |reports: &[SearchReport]| match straight {
            true => (!reports.last()?.exact).then_some(to_the_end),
            false => solving(empty_count, reports),
        };
        searcher.search(board, &Question::default(), &Control::new(), &mut next).nodes
    };
    boards.iter().map(solve).sum()
}

fn solve_variant(variant: &str, boards: &[Board]) -> u64 {
    match variant {
        "hand-made" => solve_all(&HandMade, boards, false),
        "hand-made, straight to the proof" => solve_all(&HandMade, boards, true),
        "mobility" => solve_all(&Mobility, boards, false),
        "nothing" => solve_all(&Nothing, boards, false),
        _ => solve_all(&DiscCount, boards, false),
    }
}

const VARIANTS: [&str; 5] = ["hand-made", "hand-made, straight to the proof", "mobility", "nothing", "discs"];

fn node_table() {
    println!("thousand nodes to solve {POSITIONS} positions, by number of empties");
    print!("{:34}", "");
    EMPTIES.iter().for_each(|empties| print!("{empties:>10}"));
    println!();
    for variant in VARIANTS {
        print!("{variant:34}");
        for empties in EMPTIES {
            print!("{:>10}", solve_variant(variant, &boards(empties)) / 1000);
        }
        println!();
    }
    println!();
}

#[divan::bench(args = VARIANTS, sample_count = 5, sample_size = 1)]
fn fourteen_empties(bencher: Bencher, variant: &str) {
    let boards = boards(14);
    bencher.bench_local(|| solve_variant(variant, &boards));
}

#[divan::bench(args = VARIANTS, sample_count = 3, sample_size = 1)]
fn sixteen_empties(bencher: Bencher, variant: &str) {
    let boards = boards(16);
    bencher.bench_local(|| solve_variant(variant, &boards));
}
