//! The transposition table: the values found for positions in this iteration, exact or as a bound (section 1.3).

use othello::Rules;

/// Known bounds on the value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// Exact.
    Exact,
    /// The value is at least this: a move caused a cutoff.
    AtLeast,
    /// The value is at most this: no move reached alpha.
    AtMost,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    value: i32,
    iteration: u16,
    bound: Bound,
}

/// Values by position, cleared between iterations.
///
/// The paper clears the table after every iteration (section 1.3.2), because a value of the last one would stop the
/// search from going further. Entries here carry the number of their iteration, so that clearing costs nothing.
#[derive(Clone)]
pub(super) struct TranspositionTable {
    entries: Vec<Entry>,
    iteration: u16,
}

impl TranspositionTable {
    /// A million entries of 16 bytes: a third of the 47 MB of the original.
    pub(super) const DEFAULT_BITS: u32 = 20;

    /// A table of 2 to the power of `bits` entries.
    pub(super) fn new(bits: u32) -> Self {
        let nothing = Entry { key: 0, value: 0, iteration: 0, bound: Bound::Exact };
        Self { entries: vec![nothing; 1 << bits], iteration: 1 }
    }

    /// Clears everything.
    pub(super) fn clear(&mut self) {
        self.iteration = match self.iteration.checked_add(1) {
            Some(next) => next,
            None => {
                // Entries of the first iterations would appear to be current.
                self.entries.iter_mut().for_each(|entry| entry.iteration = 0);
                1
            }
        };
    }

    /// The entry for the position with this key, if it is from this iteration.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<(i32, Bound)> {
        let entry = &self.entries[self.place(key)];
        (entry.key == key && entry.iteration == self.iteration).then_some((entry.value, entry.bound))
    }

    /// Stores a result, replacing any previous entry.
    #[inline]
    pub(super) fn keep(&mut self, key: u64, value: i32, bound: Bound) {
        let place = self.place(key);
        self.entries[place] = Entry { key, value, iteration: self.iteration, bound };
    }

    /// Place of the entry of a key.
    #[inline]
    pub(super) fn place(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }
}

/// Number of look-ups in the table, by their results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lookups {
    /// All look-ups.
    pub all: u64,
    /// Look-ups that found an entry with the key of the position.
    pub hits: u64,
    /// Look-ups whose entry was made for another position with the same key.
    pub false_hits: u64,
}

/// The positions of the entries, kept beside the table to tell false hits from true ones.
#[derive(Clone)]
pub(super) struct Audit<B> {
    boards: Vec<B>,
    pub(super) lookups: Lookups,
}

impl<B: Rules> Audit<B> {
    /// Nothing counted yet, for a table of 2 to the power of `bits` entries.
    pub(super) fn new(bits: u32) -> Self {
        Self { boards: vec![B::start(); 1 << bits], lookups: Lookups::default() }
    }

    /// Counts a look-up of a position at its place in the table.
    pub(super) fn count(&mut self, place: usize, board: &B, is_hit: bool) {
        self.lookups.all += 1;
        self.lookups.hits += u64::from(is_hit);
        self.lookups.false_hits += u64::from(is_hit && self.boards[place] != *board);
    }

    /// Notes whose entry is at a place.
    pub(super) fn keep(&mut self, place: usize, board: &B) {
        self.boards[place] = *board;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_until_the_table_is_cleared_or_the_place_is_taken() {
        let mut table = TranspositionTable::new(4);
        assert_eq!(table.find(3), None);
        table.keep(3, -5, Bound::AtLeast);
        assert_eq!(table.find(3), Some((-5, Bound::AtLeast)));
        assert_eq!(table.find(3 + 16), None, "another position at the same place");
        table.keep(3 + 16, 7, Bound::Exact);
        assert_eq!((table.find(3), table.find(19)), (None, Some((7, Bound::Exact))));
        table.clear();
        assert_eq!(table.find(19), None);
    }

    #[test]
    fn nothing_comes_back_after_more_iterations_than_can_be_counted() {
        let mut table = TranspositionTable::new(2);
        table.keep(1, 9, Bound::Exact);
        for _ in 0..70_000 {
            table.clear();
            assert_eq!(table.find(1), None);
            assert_eq!(table.find(0), None);
        }
    }

    #[test]
    fn an_entry_takes_sixteen_bytes() {
        assert_eq!(size_of::<Entry>(), 16);
    }
}
