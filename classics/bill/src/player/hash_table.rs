//! The hash table: positions seen before, each with its best move (section 3.2).
//!
//! It stores no values: BILL's table orders moves and cuts nothing off.

use othello::{Board, Square};

/// The best moves of positions.
#[derive(Clone, Debug)]
pub struct HashTable {
    /// The upper bits of the position's hash, and the move in the lowest byte; 0 is an empty entry.
    entries: Vec<u64>,
}

/// The bits of an entry that hold the move: a number from 1 to 64.
const MOVE: u64 = 0xff;

impl HashTable {
    /// A table of at most this many megabytes, at least 64 KB.
    pub fn new(megabytes: usize) -> Self {
        const LEAST: usize = 1 << 13;
        let wanted = megabytes.saturating_mul(1 << 20) / size_of::<u64>();
        let count = if wanted <= LEAST { LEAST } else { 1 << wanted.ilog2() };
        Self { entries: vec![0; count] }
    }

    /// Clears everything.
    pub fn clear(&mut self) {
        self.entries.fill(0);
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        // The lowest byte is not part of an entry, so it can be used for the index.
        hash as usize & (self.entries.len() - 1)
    }

    /// The move that was best when this position was seen before.
    #[inline]
    pub fn best_move(&self, board: &Board) -> Option<Square> {
        let hash = board.hash64();
        let entry = self.entries[self.place(hash)];
        let number = (entry & MOVE) as u8;
        ((entry ^ hash) & !MOVE == 0 && (1..=64).contains(&number)).then(|| Square::new(number - 1))
    }

    /// Stores the best move of a position, replacing any previous entry.
    #[inline]
    pub fn store(&mut self, board: &Board, best: Square) {
        let hash = board.hash64();
        let place = self.place(hash);
        self.entries[place] = hash & !MOVE | (best.index() as u64 + 1);
    }
}

#[cfg(test)]
mod tests {
    use othello::{Rules, squares};
    use search::samples::{Origin, Samples};

    use super::*;

    #[test]
    fn a_position_is_found_again_with_its_move() {
        let mut table = HashTable::new(1);
        let mut samples = Samples::<Board>::new(5);
        let mut known = Vec::new();
        for number in 0..500 {
            let board: Board = samples.position_with_moves(Origin::RandomGame, 10 + number % 40);
            let best = squares(board.moves()).last().unwrap();
            assert!(table.best_move(&board).is_none_or(|found| found == best));
            table.store(&board, best);
            known.push((board, best));
        }
        let kept = known.iter().filter(|(board, best)| table.best_move(board) == Some(*best)).count();
        assert!(kept > 490, "{kept}");
        table.clear();
        assert!(known.iter().all(|(board, _)| table.best_move(board).is_none()));
    }

    #[test]
    fn tables_of_any_size_can_be_made() {
        for megabytes in [0, 1, 3] {
            let mut table = HashTable::new(megabytes);
            assert!(table.entries.len().is_power_of_two() && table.entries.len() * 8 <= megabytes.max(1) << 20);
            let board = Board::start();
            table.store(&board, Square::new(63));
            assert_eq!(table.best_move(&board), Some(Square::new(63)));
        }
    }
}
