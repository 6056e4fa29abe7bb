//! The transposition table: what positions were found to be worth in this iteration, exactly or as a bound
//! (section 1.3).

/// What is known of the value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least this: a reply was found that made the others needless.
    AtLeast,
    /// The value is at most this: no move came up to what the side to move has elsewhere.
    AtMost,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    value: i32,
    iteration: u16,
    bound: Bound,
}

/// Values by position, forgotten between iterations.
///
/// The paper clears the table after every iteration (section 1.3.2), because a value of the last one would keep the
/// search from looking further. Entries here carry the number of their iteration, so that clearing costs nothing.
#[derive(Clone)]
pub(super) struct TranspositionTable {
    entries: Vec<Entry>,
    iteration: u16,
}

impl TranspositionTable {
    /// A million entries of 16 bytes: a third of the 47 MB that the original took up.
    pub(super) const USUAL_BITS: u32 = 20;

    /// A table of 2 to the power of `bits` entries.
    pub(super) fn new(bits: u32) -> Self {
        let nothing = Entry { key: 0, value: 0, iteration: 0, bound: Bound::Exact };
        Self { entries: vec![nothing; 1 << bits], iteration: 1 }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.iteration = match self.iteration.checked_add(1) {
            Some(next) => next,
            None => {
                // Entries of the first iterations would seem new again.
                self.entries.iter_mut().for_each(|entry| entry.iteration = 0);
                1
            }
        };
    }

    /// What was found of the position with this key in this iteration.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<(i32, Bound)> {
        let entry = &self.entries[self.place(key)];
        (entry.key == key && entry.iteration == self.iteration).then_some((entry.value, entry.bound))
    }

    /// Keeps what was found, in place of what stood there.
    #[inline]
    pub(super) fn keep(&mut self, key: u64, value: i32, bound: Bound) {
        let place = self.place(key);
        self.entries[place] = Entry { key, value, iteration: self.iteration, bound };
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
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
