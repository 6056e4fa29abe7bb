//! A transposition table of one search, or one that several workers share.
//!
//! Section 2.3 compares "local transposition tables" with "a shared-memory transposition table accessible by all
//! processors". The shared one consists of many small tables with a lock each, so that workers seldom meet.

use std::sync::{Arc, Mutex, MutexGuard};

use control::lock;
use othello::Board;

use super::settings::{Levels, Settings};
use super::transposition::{Bound, Entry, TranspositionTable};

/// The number of small tables, as a power of two, unless the whole table is smaller.
const PARTS: u32 = 10;

/// The smallest size of a part, as a power of two.
const SMALLEST_PART: u32 = 8;

/// A table of one search or of many.
#[derive(Clone, Debug)]
pub(crate) enum SearchTable {
    /// A table of one search alone.
    Own(TranspositionTable),
    /// Clones are the same table.
    Shared(Arc<SharedTable>),
}

impl SearchTable {
    /// An empty table of the size and kind that the settings name.
    pub(crate) fn new(settings: &Settings) -> Self {
        match settings.table {
            Some(bits) if settings.shared_table && settings.workers > 1 => {
                Self::Shared(Arc::new(SharedTable::new(bits, settings.levels)))
            }
            bits => Self::Own(TranspositionTable::with_levels(bits, settings.levels)),
        }
    }

    /// Clears everything.
    pub(crate) fn clear(&mut self) {
        match self {
            Self::Own(table) => table.clear(),
            Self::Shared(table) => table.parts().for_each(|mut part| part.clear()),
        }
    }

    /// A new search begins: any old entry may be overwritten.
    pub(crate) fn begin_search(&mut self) {
        match self {
            Self::Own(table) => table.begin_search(),
            Self::Shared(table) => table.parts().for_each(|mut part| part.begin_search()),
        }
    }

    /// The entry of a board.
    #[inline]
    pub(crate) fn find(&self, board: &Board) -> Option<Entry> {
        match self {
            Self::Own(table) => table.find(board),
            Self::Shared(table) => table.part(board).find(board),
        }
    }

    /// Stores the result for a board.
    #[inline]
    pub(crate) fn store(&mut self, board: &Board, depth: u32, value: i32, bound: Bound, best: Option<u8>) {
        match self {
            Self::Own(table) => table.store(board, depth, value, bound, best),
            Self::Shared(table) => table.part(board).store(board, depth, value, bound, best),
        }
    }
}

/// Small tables with a lock each.
#[derive(Debug)]
pub(crate) struct SharedTable(Vec<Mutex<TranspositionTable>>);

impl SharedTable {
    /// A table with two to this power entries.
    fn new(bits: u32, levels: Levels) -> Self {
        let parts = bits.saturating_sub(SMALLEST_PART).min(PARTS);
        Self((0..1 << parts).map(|_| Mutex::new(TranspositionTable::with_levels(Some(bits - parts), levels))).collect())
    }

    fn parts(&self) -> impl Iterator<Item = MutexGuard<'_, TranspositionTable>> {
        self.0.iter().map(|part| lock(part))
    }

    /// The part of a board: by the upper half of its hash, because the place inside of a part is the lower half.
    #[inline]
    fn part(&self, board: &Board) -> MutexGuard<'_, TranspositionTable> {
        let number = (board.hash64() >> 32) as usize & (self.0.len() - 1);
        // An entry is copied as a whole: a thread that panicked leaves no half of one.
        lock(&self.0[number])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::samples::boards;

    fn shared(bits: u32) -> SearchTable {
        SearchTable::new(&Settings { table: Some(bits), workers: 2, shared_table: true, ..Settings::default() })
    }

    #[test]
    fn clones_of_a_shared_table_are_one_table_and_others_are_not() {
        let mut one = shared(12);
        let other = one.clone();
        let mut own = SearchTable::new(&Settings { table: Some(12), ..Settings::default() });
        let copy = own.clone();
        let boards: Vec<_> = boards(50, 91).into_iter().filter(|board| board.disc_count() > 0).collect();
        for (number, board) in boards.iter().enumerate() {
            for table in [&mut one, &mut own] {
                table.begin_search();
                table.store(board, 5, number as i32, Bound::Exact, None);
            }
            assert_eq!(other.find(board).map(|entry| entry.value), Some(number as i16));
            assert_eq!(copy.find(board), None);
        }
        one.clear();
        assert!(boards.iter().all(|board| other.find(board).is_none()));
    }

    #[test]
    fn a_shared_table_keeps_as_many_boards_as_an_own_one() {
        let boards = boards(6000, 93);
        for bits in [8, 11, 14] {
            let mut own = SearchTable::new(&Settings { table: Some(bits), ..Settings::default() });
            let mut shared = shared(bits);
            let kept = [&mut own, &mut shared].map(|table| {
                boards.iter().for_each(|board| table.store(board, 1, 0, Bound::Exact, None));
                boards.iter().filter(|board| table.find(board).is_some()).count() as f64
            });
            assert!((0.9..1.1).contains(&(kept[1] / kept[0])), "{kept:?} with 2^{bits} entries");
        }
    }
}
