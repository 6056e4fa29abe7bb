//! A small hash table local to one thread, for positions near the end.
//!
//! Near the end there are too many positions for a shared table in main memory: its latency would cost more than it
//! saves. One table for each number of empty squares, small enough for the processor's cache, still catches most
//! transpositions, because they are close together in the search.

use othello::Square;

use crate::parameters::{LOCAL_TABLE_BITS, LOCAL_TABLE_MAX_EMPTIES, LOCAL_TABLE_MIN_EMPTIES};

#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalEntry {
    player: u64,
    opponent: u64,
    pub(crate) lower: i8,
    pub(crate) upper: i8,
    pub(crate) best: u8,
}

impl LocalEntry {
    const EMPTY: Self = Self { player: u64::MAX, opponent: u64::MAX, lower: -64, upper: 64, best: 64 };

    pub(crate) fn best(&self) -> Option<Square> {
        (self.best < 64).then(|| Square::new(self.best))
    }
}

#[derive(Debug)]
pub(crate) struct LocalTables {
    tables: Vec<LocalEntry>,
}

impl LocalTables {
    pub(crate) fn new() -> Self {
        Self {
            tables: vec![
                LocalEntry::EMPTY;
                (LOCAL_TABLE_MAX_EMPTIES - LOCAL_TABLE_MIN_EMPTIES + 1) << LOCAL_TABLE_BITS
            ],
        }
    }

    /// The slot of a position in the table for its number of empty squares.
    #[inline]
    pub(crate) fn index(hash: u64, empty_count: usize) -> usize {
        ((empty_count - LOCAL_TABLE_MIN_EMPTIES) << LOCAL_TABLE_BITS) + (hash >> (64 - LOCAL_TABLE_BITS)) as usize
    }

    /// Whether the entry may be that of a position with these discs of the side to move.
    #[inline]
    pub(crate) fn is_similar(&self, index: usize, player: u64) -> bool {
        self.tables[index].player == player
    }

    #[inline]
    pub(crate) fn probe(&self, index: usize, player: u64, opponent: u64) -> Option<&LocalEntry> {
        let entry = &self.tables[index];
        (entry.player == player && entry.opponent == opponent).then_some(entry)
    }

    #[inline]
    pub(crate) fn store(
        &mut self,
        index: usize,
        player: u64,
        opponent: u64,
        score: i32,
        alpha: i32,
        best: Option<Square>,
    ) {
        let entry = &mut self.tables[index];
        if entry.player != player || entry.opponent != opponent {
            *entry = LocalEntry { player, opponent, ..LocalEntry::EMPTY };
        }
        entry.best = best.map_or(64, |square| square.index() as u8);
        if score > alpha {
            entry.lower = entry.lower.max(score as i8);
        } else {
            entry.upper = entry.upper.min(score as i8);
        }
    }
}
