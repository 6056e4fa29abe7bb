//! The hash table compared with other layouts: the cost of a probe and a store, and the hit rate.
//!
//! Run with `cargo bench -p search --bench table_layouts`. First comes a table of hit rates, which is the same in every
//! run: a recorded sequence of probes and stores of a search is replayed against each layout at several sizes, and a
//! hit is a probe that finds its position with at least the required depth. Then the times, by divan: a measurement
//! replays ten thousand operations, so that microseconds in the table are tenths of a nanosecond per operation;
//! `cached` is a table that fits into the second-level cache, `memory` one that fits into no cache.
//!
//! To try another layout, implement `Layout` for it here, and move it to `transposition.rs` if it wins.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use divan::Bencher;
use divan::counter::ItemsCount;
use othello::{Board, Rules, Square, squares};
use search::samples::{Origin, Samples};
use search::{HashTable, SearchResult};

fn main() {
    // Only in a complete run: a single measurement or a list should not have to wait for this.
    if std::env::args().skip(1).all(|argument| argument == "--bench") {
        hit_rates();
    }
    divan::main();
}

/// A memory layout of entries.
trait Layout {
    const NAME: &'static str;

    /// A table of about this many bytes.
    fn with_bytes(bytes: usize) -> Self;

    /// The depth stored for the position, or 0.
    fn probe(&self, board: &Board, hash: u64) -> u8;

    fn store(&self, board: &Board, hash: u64, depth: u8);
}

/// The table of the search: pairs of entries in a cache line, one for the deepest and one for the newest.
impl Layout for HashTable {
    const NAME: &'static str = "pairs, deep and recent";

    fn with_bytes(bytes: usize) -> Self {
        HashTable::with_buckets(bytes / 64).expect("memory for a table")
    }

    fn probe(&self, board: &Board, hash: u64) -> u8 {
        self.probe(board.player, board.opponent, hash).map_or(0, |entry| entry.depth)
    }

    fn store(&self, board: &Board, hash: u64, depth: u8) {
        let best = Square::new((hash & 63) as u8);
        let found = SearchResult { depth, selectivity: 5, alpha: 0, beta: 1, value: 1, best };
        self.store(board.player, board.opponent, hash, found);
    }
}

/// `WAYS` entries of 32 bytes share a bucket; the shallowest is replaced.
struct Ways<const WAYS: usize> {
    words: Box<[[AtomicU64; 4]]>,
    buckets: usize,
}

impl<const WAYS: usize> Ways<WAYS> {
    fn bucket(&self, hash: u64) -> &[[AtomicU64; 4]] {
        let start = ((u128::from(hash) * self.buckets as u128) >> 64) as usize * WAYS;
        &self.words[start..start + WAYS]
    }

    fn holds(entry: &[AtomicU64; 4], board: &Board, hash: u64) -> Option<u8> {
        let data = entry[2].load(Relaxed);
        let key = hash ^ data;
        let fits = entry[0].load(Relaxed) ^ key == board.player && entry[1].load(Relaxed) ^ key == board.opponent;
        (fits && data != 0).then_some(data as u8)
    }
}

impl<const WAYS: usize> Layout for Ways<WAYS> {
    const NAME: &'static str = match WAYS {
        1 => "direct, always replaced",
        2 => "pairs, shallowest replaced",
        _ => "fours, shallowest replaced",
    };

    fn with_bytes(bytes: usize) -> Self {
        let buckets = bytes / (32 * WAYS);
        let words = (0..buckets * WAYS).map(|_| [const { AtomicU64::new(0) }; 4]).collect();
        Self { words, buckets }
    }

    fn probe(&self, board: &Board, hash: u64) -> u8 {
        self.bucket(hash).iter().find_map(|entry| Self::holds(entry, board, hash)).unwrap_or(0)
    }

    fn store(&self, board: &Board, hash: u64, depth: u8) {
        let bucket = self.bucket(hash);
        let own = bucket.iter().find(|entry| Self::holds(entry, board, hash).is_some());
        let entry = own.or_else(|| bucket.iter().min_by_key(|entry| entry[2].load(Relaxed) as u8));
        let Some(entry) = entry else { return };
        let data = u64::from(depth) | hash << 8;
        entry[0].store(board.player ^ hash ^ data, Relaxed);
        entry[1].store(board.opponent ^ hash ^ data, Relaxed);
        entry[2].store(data, Relaxed);
    }
}

/// Half the memory per entry: part of the hash stands for the board, so that positions can be confused.
struct Signature {
    words: Box<[[AtomicU64; 4]]>,
}

impl Signature {
    fn bucket(&self, hash: u64) -> &[AtomicU64; 4] {
        &self.words[((u128::from(hash) * self.words.len() as u128) >> 64) as usize]
    }
}

impl Layout for Signature {
    const NAME: &'static str = "fours of 8 bytes, signature";

    fn with_bytes(bytes: usize) -> Self {
        Self { words: (0..bytes / 32).map(|_| [const { AtomicU64::new(0) }; 4]).collect() }
    }

    fn probe(&self, _: &Board, hash: u64) -> u8 {
        let words = self.bucket(hash).iter().map(|word| word.load(Relaxed));
        words.filter(|word| word ^ hash << 8 < 256).map(|word| word as u8).next().unwrap_or(0)
    }

    fn store(&self, _: &Board, hash: u64, depth: u8) {
        let bucket = self.bucket(hash);
        let own = bucket.iter().find(|word| word.load(Relaxed) ^ hash << 8 < 256);
        let word = own.or_else(|| bucket.iter().min_by_key(|word| word.load(Relaxed) as u8));
        if let Some(word) = word {
            word.store(hash << 8 | u64::from(depth), Relaxed);
        }
    }
}

/// An operation of a search on its table.
#[derive(Clone, Copy)]
struct Operation {
    board: Board,
    hash: u64,
    depth: u8,
    is_store: bool,
}

/// The operations of a search of this depth: alpha-beta with mobility as evaluation, which probes at every node before
/// it generates the moves and stores after them.
fn record(depth: u8, count: usize) -> Vec<Operation> {
    let mut samples = Samples::<Board>::new(u64::from(depth));
    let mut trace = Vec::with_capacity(count);
    while trace.len() < count {
        let board = samples.position_with_moves(Origin::SensibleGame, 24);
        visit(&board, depth, -6400, 6400, count, &mut trace);
    }
    trace
}

fn visit(board: &Board, depth: u8, mut alpha: i32, beta: i32, count: usize, trace: &mut Vec<Operation>) -> i32 {
    let moves = board.moves();
    if depth == 0 || moves == 0 || trace.len() >= count {
        return moves.count_ones() as i32 - board.pass().moves().count_ones() as i32;
    }
    let hash = board.hash64();
    trace.push(Operation { board: *board, hash, depth, is_store: false });
    let mut children: Vec<_> = squares(moves).map(|square| board.after(square, board.flips(square))).collect();
    children.sort_by_key(|child| child.moves().count_ones());
    for child in children {
        alpha = alpha.max(-visit(&child, depth - 1, -beta, -alpha, count, trace));
        if alpha >= beta {
            break;
        }
    }
    trace.push(Operation { board: *board, hash, depth, is_store: true });
    alpha
}

/// Replays operations and counts the probes and the hits.
fn replay<L: Layout>(table: &L, trace: &[Operation]) -> (u64, u64) {
    let (mut probes, mut hits) = (0, 0);
    let mut last = 0u64;
    for operation in trace {
        let Operation { ref board, hash, depth, is_store } = *operation;
        // The next position of a search depends on the result for this one: the hash depends on the last depth, which
        // the shift eliminates again.
        let hash = hash ^ (black_box(last) >> 63);
        if is_store {
            table.store(board, hash, depth);
        } else {
            let found = table.probe(board, hash);
            probes += 1;
            hits += u64::from(found >= depth);
            last = u64::from(found);
        }
    }
    (probes, hits)
}

const KILOBYTES: [usize; 4] = [64, 512, 4096, 65536];

fn hit_rates() {
    let trace = record(10, 2_000_000);
    println!("hits in percent of {} operations, by size of the table in KB", trace.len());
    print!("{:30}", "");
    KILOBYTES.iter().for_each(|kilobytes| print!("{kilobytes:>10}"));
    println!();
    fn row<L: Layout>(trace: &[Operation]) {
        print!("{:30}", L::NAME);
        for kilobytes in KILOBYTES {
            let (probes, hits) = replay(&L::with_bytes(kilobytes << 10), trace);
            print!("{:>10.2}", 100.0 * hits as f64 / probes as f64);
        }
        println!();
    }
    row::<HashTable>(&trace);
    row::<Ways<1>>(&trace);
    row::<Ways<2>>(&trace);
    row::<Ways<4>>(&trace);
    row::<Signature>(&trace);
    println!();
}

/// The number of operations in one measurement.
const OPERATIONS: usize = 10_000;

fn measure<L: Layout>(bencher: Bencher, bytes: usize) {
    let mut trace = record(9, 200 * OPERATIONS);
    trace.truncate(200 * OPERATIONS);
    // In random order, so that a table in memory is accessed as by a search with many branches.
    let mut samples = Samples::<Board>::new(1);
    for index in (1..trace.len()).rev() {
        trace.swap(index, samples.below(index as u32 + 1) as usize);
    }
    let table = L::with_bytes(bytes);
    replay(&table, &trace);
    let mut next = 0;
    bencher.counter(ItemsCount::new(OPERATIONS)).bench_local(|| {
        let chunk = &trace[next..next + OPERATIONS];
        next = (next + OPERATIONS) % trace.len();
        black_box(replay(&table, chunk))
    });
}

#[divan::bench(types = [HashTable, Ways<1>, Ways<2>, Ways<4>, Signature])]
fn cached<L: Layout>(bencher: Bencher) {
    measure::<L>(bencher, 256 << 10);
}

#[divan::bench(types = [HashTable, Ways<1>, Ways<2>, Ways<4>, Signature])]
fn memory<L: Layout>(bencher: Bencher) {
    measure::<L>(bencher, 256 << 20);
}
