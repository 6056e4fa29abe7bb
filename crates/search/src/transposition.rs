//! The hash table (transposition table), shared by all threads without a lock.
//!
//! An entry contains the whole board, so that two positions are never confused. Its words are written one by one
//! without synchronization; the words of the board are stored XORed with the data and the hash (Hyatt's trick), so that
//! a mixture of two writes does not match any position. The data alone would not suffice: two entries with equal data
//! could exchange halves of their boards.
//!
//! Clearing the table starts a new generation without touching the memory: entries of an earlier generation are read as
//! empty and are overwritten like empty ones.
//!
//! Entries come in pairs that share a cache line: the first keeps the deeper search, unless it is from an earlier
//! search; the second always takes the newest.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use evaluation::Value;
use othello::{Board, Rules, Square, kernels};

const WORDS_PER_ENTRY: usize = 4;
const WORDS_PER_BUCKET: usize = 2 * WORDS_PER_ENTRY;
const BUCKET_BYTES: usize = 8 * WORDS_PER_BUCKET;
pub(crate) const BUCKETS_PER_MEGABYTE: usize = (1 << 20) / BUCKET_BYTES;
const NO_SQUARE: u8 = 64;

/// The hash under which a position is stored.
///
/// The same discs on a board of another size are a different position.
#[inline]
pub(crate) fn hash<B: Rules<Set = u64>>(player: u64, opponent: u64) -> u64 {
    Board::new(player, opponent).hash64() ^ (!B::PLAYABLE).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The stored result for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashEntry {
    /// The value is at least this.
    pub lower: Value,
    /// The value is at most this.
    pub upper: Value,
    /// The search depth of the bounds in plies: the number of empty squares for a search to the end.
    pub depth: u8,
    /// The selectivity level of that search.
    pub selectivity: u8,
    /// The best move, which proves the lower bound if there is one, and a second good move, if known.
    pub moves: [Option<Square>; 2],
}

impl HashEntry {
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

    /// Whether the search behind the entry had at least this depth and selectivity.
    #[inline]
    pub fn covers(&self, depth: u8, selectivity: u8) -> bool {
        self.depth >= depth && self.selectivity >= selectivity
    }
}

/// The result of a search, to be stored.
#[derive(Clone, Copy, Debug)]
pub struct SearchResult {
    /// Search depth in plies.
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

/// The table cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a hash table of {megabytes} MB does not fit into memory: {reason}")]
pub struct HashTableError {
    megabytes: usize,
    reason: String,
}

impl HashTableError {
    pub(crate) fn refused(megabytes: usize) -> Self {
        Self { megabytes, reason: "the system gives no such memory".to_owned() }
    }
}

/// A hash table of fixed size.
#[derive(Debug)]
pub struct HashTable {
    words: Box<[AtomicU64]>,
    /// Words to skip so that a bucket is one cache line.
    offset: usize,
    buckets: usize,
    /// The stamp of entries written now: the generation, and in the lowest byte the age, which counts searches.
    stamp: AtomicU64,
    /// For a shared table, the number of nodes that were searched at its current age.
    nodes_of_age: Option<AtomicU64>,
}

/// Ages are counted from 1, so that no search has the stamp of entries that were never written.
const FIRST_AGE: u64 = 1;
const AGE_BITS: u32 = 8;
const AGE_MASK: u64 = (1 << AGE_BITS) - 1;

/// A value combined with the key of an entry, so that an entry of an earlier generation does not match any position,
/// even if another thread has written its stamp but not yet its board.
#[inline]
fn salt(stamp: u64) -> u64 {
    (stamp >> AGE_BITS).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl HashTable {
    /// A table of this size in MB; at least one bucket even for 0.
    pub fn new(megabytes: usize) -> Result<Self, HashTableError> {
        if let Some(available) = available_megabytes()
            && megabytes > available
        {
            let reason = format!("the machine has {available} MB of memory available");
            return Err(HashTableError { megabytes, reason });
        }
        let buckets = megabytes.checked_mul(BUCKETS_PER_MEGABYTE);
        let table = buckets.and_then(|buckets| Self::with_buckets(buckets.max(1)));
        table.ok_or_else(|| HashTableError::refused(megabytes))
    }

    /// Turns the table into one that several players share. None of them clears it for the others. Its entries do not
    /// age with every search, which would be often while a deep search runs, but when about as many nodes were searched
    /// as it has entries.
    #[must_use]
    pub fn shared(self) -> Self {
        Self { nodes_of_age: Some(AtomicU64::new(0)), ..self }
    }

    /// A table with this number of buckets, each a pair of entries.
    pub fn with_buckets(buckets: usize) -> Option<Self> {
        let count = buckets.checked_add(1)?.checked_mul(WORDS_PER_BUCKET)?;
        let words = bytemuck::allocation::try_zeroed_slice_box::<AtomicU64>(count).ok()?;
        let misplaced = words.as_ptr().addr() % BUCKET_BYTES;
        let offset = (BUCKET_BYTES - misplaced) % BUCKET_BYTES / 8;
        Some(Self { words, offset, buckets, stamp: AtomicU64::new(FIRST_AGE), nodes_of_age: None })
    }

    /// Marks everything stored so far as older than what will be stored from now on, unless the table is shared.
    pub(crate) fn start_search(&self) {
        if self.nodes_of_age.is_none() {
            self.grow_older();
        }
    }

    /// Counts the nodes of a search that has ended, by which a shared table grows older.
    pub(crate) fn end_search(&self, nodes: u64) {
        let Some(nodes_of_age) = &self.nodes_of_age else { return };
        let entries = 2 * self.buckets as u64;
        if nodes_of_age.fetch_add(nodes, Relaxed) + nodes >= entries {
            nodes_of_age.store(0, Relaxed);
            self.grow_older();
        }
    }

    fn grow_older(&self) {
        let stamp = self.stamp.load(Relaxed);
        let age = ((stamp + 1) & AGE_MASK).max(FIRST_AGE);
        self.stamp.store(stamp & !AGE_MASK | age, Relaxed);
    }

    /// Clears the table, in constant time. A shared table stays as it is, because others use it.
    pub fn clear(&self) {
        if self.nodes_of_age.is_some() {
            return;
        }
        let generation = (self.stamp.load(Relaxed) >> AGE_BITS) + 1;
        self.stamp.store(generation << AGE_BITS | FIRST_AGE, Relaxed);
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &[AtomicU64] {
        // The high part of the product distributes the hash over any number of buckets.
        let bucket = ((u128::from(hash) * self.buckets as u128) >> 64) as usize;
        let start = self.offset + bucket * WORDS_PER_BUCKET;
        &self.words[start..start + WORDS_PER_BUCKET]
    }

    /// Starts to fetch the memory that the position with this hash is stored in, so that a later [`HashTable::probe`] does
    /// not have to wait for it.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        kernels::prefetch(&self.bucket(hash)[0]);
    }

    /// The stored result for the position with these discs and this hash.
    #[inline]
    pub fn probe(&self, player: u64, opponent: u64, hash: u64) -> Option<HashEntry> {
        let stamp = self.stamp.load(Relaxed);
        let bucket = self.bucket(hash);
        bucket.chunks_exact(WORDS_PER_ENTRY).find_map(|words| Self::read(words, player, opponent, hash, stamp))
    }

    /// The content of an entry, if it belongs to the position and to the generation of this stamp.
    #[inline]
    fn read(words: &[AtomicU64], player: u64, opponent: u64, hash: u64, stamp: u64) -> Option<HashEntry> {
        let data = words[2].load(Relaxed);
        let key = hash ^ data ^ salt(stamp);
        let fits = words[0].load(Relaxed) ^ key == player
            && words[1].load(Relaxed) ^ key == opponent
            && words[3].load(Relaxed) >> AGE_BITS == stamp >> AGE_BITS;
        (fits && data != 0).then(|| HashEntry::unpack(data))
    }

    /// Stores the result of a search of the position with these discs and this hash.
    pub fn store(&self, player: u64, opponent: u64, hash: u64, found: SearchResult) {
        let SearchResult { depth, selectivity, alpha, beta, value, best } = found;
        let lower = if value > alpha { Value::new(value) } else { Value::MIN };
        let upper = if value < beta { Value::new(value) } else { Value::MAX };
        let best = Some(best);
        let mut entry = HashEntry { lower, upper, depth, selectivity, moves: [best, None] };
        let stamp = self.stamp.load(Relaxed);
        let bucket = self.bucket(hash);
        let write = |words: &[AtomicU64], entry: &HashEntry| {
            let data = entry.pack();
            let key = hash ^ data ^ salt(stamp);
            words[0].store(player ^ key, Relaxed);
            words[1].store(opponent ^ key, Relaxed);
            words[2].store(data, Relaxed);
            words[3].store(stamp, Relaxed);
        };
        for words in bucket.chunks_exact(WORDS_PER_ENTRY) {
            if let Some(old) = Self::read(words, player, opponent, hash, stamp) {
                let [old_best, old_second] = old.moves;
                entry.moves = if best == old_best { [best, old_second] } else { [best, old_best] };
                let agrees = old.lower.max(lower) <= old.upper.min(upper);
                // If a search with another window disagrees, only the newest is kept.
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
        let old = HashEntry::unpack(deep[2].load(Relaxed));
        let weight = |entry: &HashEntry| u32::from(entry.depth) * 8 + u32::from(entry.selectivity);
        if deep[3].load(Relaxed) != stamp || weight(&old) <= weight(&entry) {
            // The replaced entry is still worth more than the one in the second slot.
            for (from, to) in deep.iter().zip(recent) {
                to.store(from.load(Relaxed), Relaxed);
            }
            write(deep, &entry);
        } else {
            write(recent, &entry);
        }
    }
}

fn available_megabytes() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes >> 10)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use othello::SmallBoard;

    use super::*;
    use crate::samples::{Origin, Samples};

    fn found(alpha: i32, beta: i32, value: i32, best: u8) -> SearchResult {
        SearchResult { depth: 20, selectivity: 5, alpha, beta, value, best: Square::new(best) }
    }

    /// A result that identifies the board it was stored for.
    fn signature(board: &Board) -> SearchResult {
        let hash = board.hash64();
        let value = (hash % 8192) as i32 - 4096;
        let best = Square::new((hash >> 20 & 63) as u8);
        let depth = (hash >> 30 & 31) as u8 + 1;
        SearchResult { depth, selectivity: (hash >> 40 & 3) as u8, alpha: -9000, beta: 9000, value, best }
    }

    fn is_signed(entry: &HashEntry, board: &Board) -> bool {
        let SearchResult { depth, selectivity, value, best, .. } = signature(board);
        let value = Value::new(value);
        (entry.depth, entry.selectivity, entry.lower, entry.upper) == (depth, selectivity, value, value)
            && entry.moves[0] == Some(best)
    }

    #[test]
    fn an_entry_reads_back_with_its_bounds() {
        let table = HashTable::with_buckets(16).unwrap();
        assert_eq!(table.probe(1, 2, 77), None);
        table.store(1, 2, 77, found(0, 10, 5, 63));
        let entry = table.probe(1, 2, 77).unwrap();
        assert_eq!((entry.lower.parts(), entry.upper.parts()), (5, 5));
        assert_eq!((entry.depth, entry.selectivity), (20, 5));
        assert_eq!(entry.moves, [Some(Square::new(63)), None]);
        assert_eq!(table.probe(2, 1, 77), None);
        let words = || table.words.iter().map(|word| word.load(Relaxed)).collect::<Vec<_>>();
        let before = words();
        table.clear();
        assert_eq!(words(), before, "clearing does not write to the memory of the table");
        assert_eq!(table.probe(1, 2, 77), None);
    }

    #[test]
    fn a_cleared_table_answers_like_a_new_one_whatever_it_held_before() {
        /// Stores and probes the same positions in each table; the results show how entries were replaced.
        fn answers(table: &HashTable) -> Vec<Option<HashEntry>> {
            let mut samples = Samples::<Board>::new(5);
            let boards: Vec<_> = (0..400).map(|_| samples.position(Origin::RandomGame, 30)).collect();
            let mut answers = Vec::new();
            for (index, board) in boards.iter().enumerate() {
                if index % 50 == 0 {
                    table.start_search();
                }
                store(table, board, signature(board));
                answers.extend(boards.iter().map(|board| probe(table, board)));
            }
            answers
        }
        let table = HashTable::with_buckets(16).unwrap();
        let expected = answers(&table);
        // More often than ages can be distinguished.
        for _ in 0..300 {
            table.clear();
        }
        for _ in 0..3 {
            table.clear();
            assert_eq!(answers(&table), expected);
        }
        assert_eq!(answers(&HashTable::with_buckets(16).unwrap()), expected);
    }

    #[test]
    fn bounds_of_equal_searches_meet_and_others_never_mix() {
        let shallower = |result| SearchResult { depth: 10, ..result };
        let (min, max) = (Value::MIN.parts(), Value::MAX.parts());
        // Results stored in turn; then the bounds and the first move of the entry.
        let cases: &[(&[SearchResult], (i32, i32), u8)] = &[
            // Values at or beyond the window are bounds only.
            (&[found(0, 10, 0, 1)], (min, 0), 1),
            (&[found(0, 10, 10, 1)], (10, max), 1),
            // The move that proves the lower bound stays the first one.
            (&[found(4, 5, 5, 30), found(9, 10, 9, 40), found(5, 6, 5, 50)], (5, 5), 30),
            // A later search that contradicts replaces the earlier one.
            (&[found(4, 5, 5, 30), found(5, 6, 5, 50), found(6, 7, 7, 20)], (7, max), 20),
            // Another depth, another selectivity.
            (&[found(4, 5, 5, 30), shallower(found(9, 10, 9, 40))], (min, 9), 40),
            (&[shallower(found(9, 10, 9, 40)), found(4, 5, 5, 30)], (5, max), 30),
            (
                &[shallower(found(9, 10, 9, 40)), shallower(SearchResult { selectivity: 2, ..found(4, 5, 5, 30) })],
                (5, max),
                30,
            ),
        ];
        for &(results, bounds, best) in cases {
            let table = HashTable::with_buckets(1).unwrap();
            results.iter().for_each(|&result| table.store(1, 2, 77, result));
            let entry = table.probe(1, 2, 77).unwrap();
            assert_eq!((entry.lower.parts(), entry.upper.parts()), bounds, "{results:?}");
            assert_eq!(entry.moves[0], Some(Square::new(best)), "{results:?}");
            let SearchResult { depth, selectivity, .. } = results[results.len() - 1];
            assert_eq!((entry.depth, entry.selectivity), (depth, selectivity), "{results:?}");
            assert!(entry.covers(depth, selectivity) && entry.covers(depth - 1, selectivity - 1));
            assert!(!entry.covers(depth + 1, 0) && !entry.covers(0, selectivity + 1));
        }
    }

    #[test]
    fn the_same_discs_on_a_board_of_another_size_are_another_position() {
        let (player, opponent) = (Board::start().player, Board::start().opponent);
        let hashes = [
            hash::<Board>(player, opponent),
            hash::<SmallBoard<6>>(player, opponent),
            hash::<SmallBoard<4>>(player, opponent),
        ];
        let table = HashTable::with_buckets(1).unwrap();
        for stored in hashes {
            table.clear();
            table.store(player, opponent, stored, found(0, 10, 5, 19));
            for probed in hashes {
                assert_eq!(table.probe(player, opponent, probed).is_some(), probed == stored);
            }
        }
    }

    /// Stores this many shallow results.
    fn fill(table: &HashTable, count: u64) {
        for number in 0..count {
            table.store(number + 4, 2, number, SearchResult { depth: 5, ..found(0, 10, 5, 1) });
        }
    }

    #[test]
    fn the_deeper_entry_outlives_many_shallower_ones_of_its_search_only() {
        let table = HashTable::with_buckets(1).unwrap();
        table.start_search();
        table.store(1, 2, 77, found(0, 10, 5, 1));
        fill(&table, 100);
        assert!(table.probe(1, 2, 77).is_some());
        table.start_search();
        fill(&table, 3);
        assert_eq!(table.probe(1, 2, 77), None);
    }

    #[test]
    fn a_shared_table_is_not_cleared_and_grows_older_with_the_nodes_searched() {
        let table = HashTable::with_buckets(1).unwrap().shared();
        table.store(1, 2, 77, found(0, 10, 5, 1));
        table.clear();
        table.start_search();
        table.end_search(1);
        fill(&table, 3);
        assert!(table.probe(1, 2, 77).is_some(), "one node is less than the two entries of the table");
        table.end_search(1);
        fill(&table, 3);
        assert_eq!(table.probe(1, 2, 77), None);
    }

    #[test]
    fn a_table_that_does_not_fit_is_refused_with_a_reason() {
        for megabytes in [1 << 40, usize::MAX] {
            let error = HashTable::new(megabytes).unwrap_err();
            assert!(error.to_string().starts_with("a hash table of "), "{error}");
        }
        assert!(HashTable::new(0).unwrap().probe(1, 2, 77).is_none());
    }

    fn store(table: &HashTable, board: &Board, result: SearchResult) {
        table.store(board.player, board.opponent, board.hash64(), result);
    }

    fn probe(table: &HashTable, board: &Board) -> Option<HashEntry> {
        table.probe(board.player, board.opponent, board.hash64())
    }

    /// The first words of a table: both sides of the board, and the data.
    fn words(table: &HashTable) -> [u64; 3] {
        [0, 1, 2].map(|word| table.words[table.offset + word].load(Relaxed))
    }

    /// The words of an entry.
    fn words_of(board: &Board, result: SearchResult) -> [u64; 3] {
        let table = HashTable::with_buckets(1).unwrap();
        store(&table, board, result);
        words(&table)
    }

    /// The positions that a mixture of the entries of two others would match, if the words were XORed with the data
    /// alone.
    fn mixtures(boards: &[Board], result_of: impl Fn(&Board) -> SearchResult) -> Vec<Board> {
        let mut mixtures = Vec::new();
        for a in boards {
            for b in boards {
                let torn = words_of(a, result_of(a))[2] ^ words_of(b, result_of(b))[2];
                for player in [a.player, a.player ^ torn] {
                    let opponents = [b.opponent, b.opponent ^ torn, a.opponent ^ torn];
                    mixtures.extend(opponents.map(|opponent| Board { player, opponent }));
                }
            }
        }
        mixtures.retain(|board| !boards.contains(board));
        mixtures
    }

    fn some_boards(count: usize) -> Vec<Board> {
        let mut samples = Samples::<Board>::new(5);
        (0..count).map(|index| samples.position(Origin::ALL[index % 3], 20)).collect()
    }

    #[test]
    fn no_mixture_of_two_writes_looks_like_a_position() {
        let boards = some_boards(40);
        for equal_data in [true, false] {
            let result_of = |board: &Board| if equal_data { found(0, 10, 5, 19) } else { signature(board) };
            let strangers = mixtures(&boards, result_of);
            let torn = HashTable::with_buckets(1).unwrap();
            for pair in boards.windows(2) {
                let written = [&pair[0], &pair[1]].map(|board| words_of(board, result_of(board)));
                for choice in 0..8 {
                    for word in 0..3 {
                        torn.words[torn.offset + word].store(written[choice >> word & 1][word], Relaxed);
                    }
                    for (board, whole) in pair.iter().zip(written) {
                        // A word that is equal in both writes cannot be torn.
                        let is_whole = words(&torn) == whole;
                        assert_eq!(probe(&torn, board).is_some(), is_whole, "{board:?} from parts {choice:03b}");
                    }
                    for board in &strangers {
                        assert_eq!(probe(&torn, board), None, "{board:?} was never stored");
                    }
                }
            }
        }
    }

    #[test]
    fn concurrent_writers_never_leave_an_entry_of_a_position_that_was_not_stored() {
        let boards = some_boards(6);
        let strangers = mixtures(&boards, signature);
        for buckets in [1, 2, 5] {
            let (table, done) = (HashTable::with_buckets(buckets).unwrap(), AtomicBool::new(false));
            let write = |seed| {
                let mut random = Samples::<Board>::new(seed);
                for _ in 0..400_000 {
                    let board = &boards[random.below(boards.len() as u32) as usize];
                    store(&table, board, signature(board));
                }
                done.store(true, Relaxed);
            };
            std::thread::scope(|scope| {
                scope.spawn(|| write(1));
                scope.spawn(|| write(2));
                let mut hits = 0;
                loop {
                    // The pass after the last store finds entries even if the writers ended before the first pass.
                    let last = done.load(Relaxed);
                    for board in &boards {
                        if let Some(entry) = probe(&table, board) {
                            assert!(is_signed(&entry, board), "{entry:?} is not that of {board:?}");
                            hits += 1;
                        }
                    }
                    for board in &strangers {
                        assert_eq!(probe(&table, board), None, "{board:?} was never stored");
                    }
                    if last {
                        break;
                    }
                }
                assert!(hits > 0);
            });
        }
    }
}
