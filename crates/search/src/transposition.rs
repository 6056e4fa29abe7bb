//! The transposition table, shared by all threads without a lock.
//!
//! An entry holds the whole board, so that two positions are never taken for each other. Its words are
//! written one by one without synchronisation; the board's words are stored combined with the data and the
//! hash (Hyatt's trick), so that a mixture of two writes does not look like any position. The data alone
//! would not do: entries with equal data could lend each other a half of their boards.
//!
//! Entries come in pairs that share a cache line: the first keeps the search that was deeper, unless it
//! is from an earlier search; the second always takes the newest.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use evaluation::Value;
use othello::{Board, Rules, Square};

const WORDS_PER_ENTRY: usize = 4;
const WORDS_PER_BUCKET: usize = 2 * WORDS_PER_ENTRY;
const BUCKET_BYTES: usize = 8 * WORDS_PER_BUCKET;
const NO_SQUARE: u8 = 64;

/// The hash under which a position is stored.
///
/// The same discs are another position on a board of another size.
#[inline]
pub(crate) fn hash<B: Rules<Set = u64>>(player: u64, opponent: u64) -> u64 {
    Board::new(player, opponent).hash64() ^ (!B::PLAYABLE).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The value is at least this.
    pub lower: Value,
    /// The value is at most this.
    pub upper: Value,
    /// How many plies the bounds look ahead: the number of empty squares if to the end.
    pub depth: u8,
    /// The selectivity of that search, as the number of its level.
    pub selectivity: u8,
    /// The best move, which proves the lower bound if there is one, and another good one, if known.
    pub moves: [Option<Square>; 2],
}

impl Entry {
    fn pack(&self) -> u64 {
        let square = |square: Option<Square>| square.map_or(NO_SQUARE, |square| square.index() as u8);
        let [l0, l1] = (self.lower.parts() as i16).to_le_bytes();
        let [u0, u1] = (self.upper.parts() as i16).to_le_bytes();
        let [best, second] = self.moves.map(square);
        u64::from_le_bytes([l0, l1, u0, u1, self.depth, self.selectivity, best, second])
    }

    fn unpack(word: u64) -> Self {
        let [l0, l1, u0, u1, depth, selectivity, best, second] = word.to_le_bytes();
        let value = |bytes| Value::new(i32::from(i16::from_le_bytes(bytes)));
        let square = |index| (index < NO_SQUARE).then(|| Square::new(index));
        Self {
            lower: value([l0, l1]),
            upper: value([u0, u1]),
            depth,
            selectivity,
            moves: [square(best), square(second)],
        }
    }

    /// Whether the search behind the entry looked at least as far and as surely.
    #[inline]
    pub fn covers(&self, depth: u8, selectivity: u8) -> bool {
        self.depth >= depth && self.selectivity >= selectivity
    }
}

/// The result of a search, to be stored.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// How many plies the search looked ahead.
    pub depth: u8,
    /// The level of its selectivity.
    pub selectivity: u8,
    /// The window's lower end, in parts of a disc.
    pub alpha: i32,
    /// The window's upper end.
    pub beta: i32,
    /// The value found, fail-soft.
    pub value: i32,
    /// The best move.
    pub best: Square,
}

/// The table cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a transposition table of {megabytes} MB does not fit: {reason}")]
pub struct TableError {
    megabytes: usize,
    reason: String,
}

impl TableError {
    /// The system gave no memory for so many pairs of entries.
    pub(crate) fn refused(buckets: usize) -> Self {
        let megabytes = buckets.saturating_mul(BUCKET_BYTES) >> 20;
        Self { megabytes, reason: "the system gives no such memory".to_owned() }
    }
}

/// A transposition table of fixed size.
#[derive(Debug)]
pub struct Table {
    words: Box<[AtomicU64]>,
    /// Words to skip so that a bucket is one cache line.
    offset: usize,
    buckets: usize,
    age: AtomicU8,
}

impl Table {
    /// A table of so many megabytes; at least one bucket even for 0.
    pub fn new(megabytes: usize) -> Result<Self, TableError> {
        let fail = |reason: String| TableError { megabytes, reason };
        if let Some(available) = available_megabytes()
            && megabytes > available
        {
            return Err(fail(format!("the machine has {available} MB of memory available")));
        }
        let buckets = megabytes.checked_mul((1 << 20) / BUCKET_BYTES);
        buckets
            .and_then(|buckets| Self::with_buckets(buckets.max(1)))
            .ok_or_else(|| fail("the system gives no such memory".to_owned()))
    }

    /// A table of so many pairs of entries.
    pub fn with_buckets(buckets: usize) -> Option<Self> {
        let count = buckets.checked_add(1)?.checked_mul(WORDS_PER_BUCKET)?;
        let words = bytemuck::allocation::try_zeroed_slice_box::<AtomicU64>(count).ok()?;
        let misplaced = words.as_ptr().addr() % BUCKET_BYTES;
        let offset = (BUCKET_BYTES - misplaced) % BUCKET_BYTES / 8;
        Some(Self { words, offset, buckets, age: AtomicU8::new(1) })
    }

    /// Makes what is stored so far older than what will be stored from now on.
    pub fn start_search(&self) {
        // Age 0 is that of entries never written.
        let age = self.age.load(Relaxed).wrapping_add(1).max(1);
        self.age.store(age, Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for word in &self.words {
            word.store(0, Relaxed);
        }
        self.age.store(1, Relaxed);
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &[AtomicU64] {
        // The high part of the product spreads the hash over any number of buckets.
        let bucket = ((u128::from(hash) * self.buckets as u128) >> 64) as usize;
        let start = self.offset + bucket * WORDS_PER_BUCKET;
        &self.words[start..start + WORDS_PER_BUCKET]
    }

    /// What is known of the position with these discs and this hash.
    #[inline]
    pub fn probe(&self, player: u64, opponent: u64, hash: u64) -> Option<Entry> {
        let bucket = self.bucket(hash);
        bucket.chunks_exact(WORDS_PER_ENTRY).find_map(|words| Self::read(words, player, opponent, hash))
    }

    /// What an entry says, if it belongs to the position.
    #[inline]
    fn read(words: &[AtomicU64], player: u64, opponent: u64, hash: u64) -> Option<Entry> {
        let data = words[2].load(Relaxed);
        let key = hash ^ data;
        let fits = words[0].load(Relaxed) ^ key == player && words[1].load(Relaxed) ^ key == opponent;
        (fits && data != 0).then(|| Entry::unpack(data))
    }

    /// Stores what a search found of the position with these discs and this hash.
    pub fn store(&self, player: u64, opponent: u64, hash: u64, found: Found) {
        let Found { depth, selectivity, alpha, beta, value, best } = found;
        let lower = if value > alpha { Value::new(value) } else { Value::MIN };
        let upper = if value < beta { Value::new(value) } else { Value::MAX };
        let best = Some(best);
        let mut entry = Entry { lower, upper, depth, selectivity, moves: [best, None] };
        let age = u64::from(self.age.load(Relaxed));
        let bucket = self.bucket(hash);
        let write = |words: &[AtomicU64], entry: &Entry| {
            let data = entry.pack();
            let key = hash ^ data;
            words[0].store(player ^ key, Relaxed);
            words[1].store(opponent ^ key, Relaxed);
            words[2].store(data, Relaxed);
            words[3].store(age, Relaxed);
        };
        for words in bucket.chunks_exact(WORDS_PER_ENTRY) {
            if let Some(old) = Self::read(words, player, opponent, hash) {
                let [old_best, old_second] = old.moves;
                entry.moves = if best == old_best { [best, old_second] } else { [best, old_best] };
                let agrees = old.lower.max(lower) <= old.upper.min(upper);
                // When a search of another width disagrees, only the newest is kept.
                if old.depth == depth && old.selectivity == selectivity && agrees {
                    entry.lower = old.lower.max(lower);
                    entry.upper = old.upper.min(upper);
                    if old.lower > lower && best != old_best {
                        // The first move is always the one that proves the lower bound.
                        entry.moves = [old_best, best];
                    }
                }
                write(words, &entry);
                return;
            }
        }
        let (deep, recent) = bucket.split_at(WORDS_PER_ENTRY);
        let old = Entry::unpack(deep[2].load(Relaxed));
        let weight = |entry: &Entry| u32::from(entry.depth) * 8 + u32::from(entry.selectivity);
        if deep[3].load(Relaxed) != age || weight(&old) <= weight(&entry) {
            // The entry that gives way is still worth more than what stands in the second place.
            for (from, to) in deep.iter().zip(recent) {
                to.store(from.load(Relaxed), Relaxed);
            }
            write(deep, &entry);
        } else {
            write(recent, &entry);
        }
    }
}

/// The memory that can still be had, where the system tells.
fn available_megabytes() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes >> 10)
}
