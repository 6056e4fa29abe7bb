//! The transposition table: one entry per place, with the whole board as the lock (section 2.1).
//!
//! "Unlike other programs, KEYANO stores the entire position into the hash table as the hash lock", so that two
//! positions are never confused. The paper has entries of 20 bytes; with today's alignment they have 24. It does not
//! give a replacement rule: here the later position replaces the earlier one, unless it was searched less deeply for
//! the same move of the game.
//!
//! "The transposition table is not subdivided into a two-level table as advocated by other researchers. The benefits
//! […] are less than 1%". To measure that, there is one with two levels and as many entries in total: of the two entries
//! of a place, the first keeps the deepest result of the current search, the second takes what the first refuses or gives
//! up.

use othello::Board;

use super::settings::Levels;

/// The kind of a stored value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
    /// The value is this.
    Exact,
}

impl Bound {
    /// The kind of a value found with this window.
    #[inline]
    pub(crate) fn of(value: i32, alpha: i32, beta: i32) -> Self {
        match () {
            () if value >= beta => Bound::Lower,
            () if value <= alpha => Bound::Upper,
            () => Bound::Exact,
        }
    }
}

/// An entry of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    player: u64,
    opponent: u64,
    /// In hundredths of a disc.
    pub(crate) value: i16,
    /// The plies searched.
    pub(crate) depth: u8,
    /// The best move, or 64 for none.
    best: u8,
    pub(crate) bound: Bound,
    /// The number of the search that found it.
    age: u8,
}

/// No searched board is without discs.
const NOTHING: Entry = Entry { player: 0, opponent: 0, value: 0, depth: 0, best: 64, bound: Bound::Exact, age: 0 };

impl Entry {
    /// The best move, by its number.
    #[inline]
    pub(crate) fn best(&self) -> Option<u8> {
        (self.best < 64).then_some(self.best)
    }

    /// Whether it is the entry of this board.
    #[inline]
    fn is_of(&self, board: &Board) -> bool {
        self.player == board.player && self.opponent == board.opponent
    }

    /// Whether it stays where another result of this depth would replace it: it is of the same search, and deeper.
    #[inline]
    fn keeps(&self, depth: u32, age: u8) -> bool {
        self.age == age && u32::from(self.depth) > depth
    }

    /// The value, if it is sufficient for a search of this depth with this window.
    #[inline]
    pub(crate) fn answer(&self, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let value = i32::from(self.value);
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        (decides && u32::from(self.depth) >= depth).then_some(value)
    }
}

/// The table.
#[derive(Clone, Debug)]
pub(crate) struct TranspositionTable {
    /// A power of two, or empty.
    entries: Vec<Entry>,
    levels: Levels,
    age: u8,
}

impl TranspositionTable {
    /// A table with two to this power entries, at least two, or one that stores nothing.
    pub(crate) fn with_levels(bits: Option<u32>, levels: Levels) -> Self {
        Self { entries: bits.map_or(Vec::new(), |bits| vec![NOTHING; 1 << bits]), levels, age: 0 }
    }

    /// Clears everything.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(NOTHING);
    }

    /// A new search begins: any old entry may be overwritten.
    pub(crate) fn begin_search(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    #[inline]
    fn place(&self, board: &Board) -> usize {
        let place = board.hash64() as usize & (self.entries.len().wrapping_sub(1));
        match self.levels {
            Levels::One => place,
            // The first of the two.
            Levels::Two => place & !1,
        }
    }

    /// The entry of a board.
    #[inline]
    pub(crate) fn find(&self, board: &Board) -> Option<Entry> {
        let place = self.place(board);
        let entry = self.entries.get(place)?;
        if entry.is_of(board) {
            return Some(*entry);
        }
        match self.levels {
            Levels::One => None,
            Levels::Two => self.entries.get(place + 1).filter(|entry| entry.is_of(board)).copied(),
        }
    }

    /// Stores the result for a board.
    #[inline]
    pub(crate) fn store(&mut self, board: &Board, depth: u32, value: i32, bound: Bound, best: Option<u8>) {
        let (mut place, age) = (self.place(board), self.age);
        let Some(first) = self.entries.get(place).copied() else { return };
        let mut known = first;
        if self.levels == Levels::Two && !first.is_of(board) {
            let second = self.entries[place + 1];
            known = second;
            if first.keeps(depth, age) {
                place += 1;
            } else {
                // What gives way stays as the latest result, unless it is of an earlier search.
                self.entries[place + 1] = if first.age == age { first } else { NOTHING };
            }
        } else if !first.is_of(board) && first.keeps(depth, age) {
            return;
        }
        let known = if known.is_of(board) { known.best } else { NOTHING.best };
        let Board { player, opponent } = *board;
        self.entries[place] = Entry {
            player,
            opponent,
            value: value as i16,
            depth: depth as u8,
            best: best.unwrap_or(known),
            bound,
            age,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::samples::boards;

    #[test]
    fn another_board_at_the_same_place_is_never_taken_for_the_first() {
        let mut table = TranspositionTable::with_levels(Some(8), Levels::One);
        let boards: Vec<_> = boards(3000, 31).into_iter().filter(|board| board.disc_count() > 0).collect();
        for (number, board) in boards.iter().enumerate() {
            table.begin_search();
            table.store(board, 5, number as i32, Bound::Exact, Some((number % 64) as u8));
            let found = table.find(board).unwrap();
            assert_eq!((found.value, found.best()), (number as i16, Some((number % 64) as u8)));
        }
        // 256 slots: of 3,000 boards most are gone, and none is found with another's value.
        let mut kept = 0;
        for (number, board) in boards.iter().enumerate() {
            if let Some(found) = table.find(board) {
                assert_eq!(boards[found.value as usize], *board, "{number}");
                kept += 1;
            }
        }
        assert!(kept <= 300, "{kept}");
    }

    #[test]
    fn deeper_results_of_the_same_search_stay_and_older_ones_go() {
        let mut table = TranspositionTable::with_levels(Some(8), Levels::One);
        let first = Board::new(1, 2);
        let rival =
            (3..100_000).map(|bits| Board::new(bits << 2, 1)).find(|rival| table.place(rival) == table.place(&first));
        let rival = rival.expect("256 places are soon taken");
        table.store(&first, 6, 10, Bound::Lower, None);
        table.store(&rival, 3, 20, Bound::Lower, None);
        assert!(table.find(&first).is_some() && table.find(&rival).is_none());
        table.begin_search();
        table.store(&rival, 3, 20, Bound::Lower, None);
        assert!(table.find(&first).is_none() && table.find(&rival).is_some());
        table.clear();
        assert!(table.find(&rival).is_none());
    }

    #[test]
    fn two_levels_keep_the_deepest_result_of_a_place_and_the_latest() {
        let mut table = TranspositionTable::with_levels(Some(8), Levels::Two);
        // What a place should have, kept in plain lists: the boards stored there in this search, in order.
        let boards: Vec<_> = boards(2000, 37).into_iter().filter(|board| board.disc_count() > 0).collect();
        let mut stored: std::collections::HashMap<usize, Vec<(u32, Board)>> = std::collections::HashMap::new();
        table.begin_search();
        for (number, board) in boards.iter().enumerate() {
            let depth = (number * 7 % 11) as u32;
            let place = stored.entry(table.place(board)).or_default();
            if place.iter().any(|(_, other)| other == board) {
                continue;
            }
            table.store(board, depth, number as i32, Bound::Exact, None);
            place.push((depth, *board));
            assert!(table.find(board).is_some(), "the latest is there");
            let deepest = place.iter().map(|(depth, _)| *depth).max().unwrap();
            let kept = place.iter().rfind(|(depth, _)| *depth == deepest).unwrap();
            assert_eq!(table.find(&kept.1).map(|found| u32::from(found.depth)), Some(deepest), "so is the deepest");
            let found = place.iter().filter(|(_, board)| table.find(board).is_some()).count();
            assert_eq!(found, place.len().min(2));
        }
        assert!(stored.len() == 128 && stored.values().all(|place| place.len() > 2));
    }

    #[test]
    fn bounds_decide_only_where_they_reach() {
        let mut table = TranspositionTable::with_levels(Some(8), Levels::One);
        let board = Board::new(4, 8);
        let mut answer = |bound, depth, alpha, beta| {
            table.store(&board, 6, 100, bound, None);
            table.find(&board).unwrap().answer(depth, alpha, beta)
        };
        assert_eq!(answer(Bound::Exact, 6, -500, 500), Some(100));
        assert_eq!(answer(Bound::Exact, 7, -500, 500), None);
        assert_eq!(answer(Bound::Lower, 6, -500, 100), Some(100));
        assert_eq!(answer(Bound::Lower, 6, -500, 101), None);
        assert_eq!(answer(Bound::Upper, 6, 100, 200), Some(100));
        assert_eq!(answer(Bound::Upper, 6, 99, 200), None);
        assert_eq!(
            [Bound::of(5, 1, 5), Bound::of(1, 1, 5), Bound::of(3, 1, 5)],
            [Bound::Lower, Bound::Upper, Bound::Exact]
        );
    }

    #[test]
    fn a_table_that_is_off_keeps_nothing() {
        let mut table = TranspositionTable::with_levels(None, Levels::Two);
        let board = Board::new(4, 8);
        table.store(&board, 6, 100, Bound::Exact, None);
        assert!(table.find(&board).is_none());
    }
}
