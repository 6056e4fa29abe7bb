//! Nodes per second of midgame searches, with the hand-made evaluation and with the learned one.
//!
//! Run with `cargo bench -p search --bench midgame`, or with the weights of a file as `EMILIA_WEIGHTS=weights.bin cargo
//! bench -p search --bench midgame`. Without a file the learned evaluation has pseudorandom weights: its search trees
//! are those of a poor player, but the cost per node is the same. A measurement searches all positions once, each with
//! an empty hash table; the counter is nodes.

use control::Control;
use divan::Bencher;
use divan::counter::ItemsCount;
use evaluation::weights::Weights;
use evaluation::{HandMade, Learned};
use othello::Board;
use search::samples::{Origin, Samples};
use search::{CompiledSearch, HashTable, Iteration, Question, Searcher, Selectivity};

const DEPTH: u32 = 8;
const POSITIONS: usize = 8;
const EMPTIES: u32 = 36;

fn main() {
    divan::main();
}

fn weights() -> Weights {
    if let Some(path) = std::env::var_os("EMILIA_WEIGHTS") {
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("cannot read {path:?}: {error}"));
        return Weights::from_bytes(&bytes).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    }
    // Small pseudorandom numbers: the hash of the index of a weight.
    let mut weights = Weights::zero();
    for (phase, set) in weights.phases.iter_mut().enumerate() {
        for (number, weight) in set.iter_mut().enumerate() {
            let hash = ((phase << 32 | number) as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            *weight = (hash >> 58) as i16 - 32;
        }
    }
    weights
}

fn boards() -> Vec<Board> {
    let mut samples = Samples::<Board>::new(7);
    (0..POSITIONS).map(|_| samples.position_with_moves(Origin::SensibleGame, EMPTIES)).collect()
}

/// The number of nodes to search all positions.
fn search_all<E: CompiledSearch>(searcher: &Searcher<E>, boards: &[Board]) -> u64 {
    let search = |board: &Board| {
        searcher.table.clear();
        let mut depths = (2..=DEPTH).step_by(2);
        let mut next = |_: &[_]| depths.next().map(|depth| Iteration { depth, selectivity: Selectivity::EXACT });
        searcher.search(board, &Question::default(), &Control::new(), &mut next).nodes
    };
    boards.iter().map(search).sum()
}

fn measure<E: CompiledSearch>(bencher: Bencher, evaluation: E) {
    let searcher = Searcher::new(evaluation, HashTable::with_buckets(1 << 16).expect("four megabytes"), 1);
    let boards = boards();
    let nodes = search_all(&searcher, &boards);
    bencher.counter(ItemsCount::new(nodes)).bench_local(|| search_all(&searcher, &boards));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn hand_made(bencher: Bencher) {
    measure(bencher, HandMade);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn learned(bencher: Bencher) {
    measure(bencher, Learned::new(&weights()));
}
