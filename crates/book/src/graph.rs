//! The graph of the book: which positions a move leads to, what the moves of a position are worth, who its parents are.

use evaluation::Value;
use othello::{Board, Rules, Score, Square, squares};

use crate::error::Result;
use crate::key::{Key, parent_places};
use crate::record::{Leaf, Record};
use crate::tables::ReadPositions;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Successor {
    /// A position in which a side has a choice of moves.
    Position {
        key: Key,
        /// The opponent has to pass, so that the same side moves again and values keep their sign.
        same_side: bool,
    },
    /// To the end of the game, with this score for the side that made the move.
    End(Score),
}

impl Successor {
    pub(crate) fn of(board: &Board, square: Square) -> Option<Self> {
        let after = board.play(square)?;
        if after.can_move() {
            return Some(Self::Position { key: Key::of(&after).0, same_side: false });
        }
        let after_pass = after.pass();
        if after_pass.can_move() {
            return Some(Self::Position { key: Key::of(&after_pass).0, same_side: true });
        }
        Some(Self::End(after_pass.final_score()))
    }
}

/// The value of a position as seen by the side that moved to it.
pub(crate) fn seen_from_parent(value: Value, same_side: bool) -> Value {
    if same_side { value } else { -value }
}

/// Values of the moves of a position to other positions of the book, and to the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KnownMoves {
    pub(crate) value: Option<Value>,
    pub(crate) are_exact: bool,
    /// The legal moves that are not among them.
    pub(crate) outside: u64,
}

impl KnownMoves {
    pub(crate) fn of(positions: &impl ReadPositions, board: &Board) -> Result<Self> {
        let mut known = Self { value: None, are_exact: true, outside: 0 };
        for square in squares(board.moves()) {
            let value = match Successor::of(board, square) {
                Some(Successor::Position { key, same_side }) => match positions.record(&key)? {
                    Some(record) => {
                        known.are_exact &= record.is_exact;
                        seen_from_parent(record.value, same_side)
                    }
                    None => {
                        known.outside |= square.bit();
                        continue;
                    }
                },
                Some(Successor::End(score)) => Value::of_score(score),
                None => continue,
            };
            known.value = known.value.max(Some(value));
        }
        Ok(known)
    }

    /// The leaf after some of the moves entered the book; `None` if no move has a value.
    pub(crate) fn fitted(&self, leaf: Leaf) -> Option<Leaf> {
        if self.outside == 0 {
            return Some(Leaf::Covered);
        }
        match leaf {
            // The record states that no move is outside: then nothing is known of those that are.
            Leaf::Covered => self.value.map(Leaf::AtMost),
            Leaf::Best { square, value } if self.outside & square.bit() == 0 => Some(Leaf::AtMost(value)),
            leaf => Some(leaf),
        }
    }

    /// The record made true: its leaf fits these moves, and value and flags follow from both.
    pub(crate) fn applied_to(&self, key: &Key, record: &Record) -> Option<Record> {
        // Of a solved position, the score is a bound on every move.
        let leaf = self.fitted(record.leaf).or(record.is_solved.then_some(Leaf::AtMost(record.value)))?;
        let mut record = Record { leaf, ..*record };
        if record.is_solved {
            return Some(Record { is_exact: true, is_open: false, ..record });
        }
        record.is_open = matches!(leaf, Leaf::AtMost(bound) if Some(bound) > self.value);
        record.value = self.value.max(leaf.value())?;
        let leaf_is_exact = leaf == Leaf::Covered || record.effort.is_exact(key.empties());
        record.is_exact = self.are_exact && leaf_is_exact && !record.is_open;
        Some(record)
    }
}

/// The positions of the book with a move to this one, which need not be in the book itself.
pub(crate) fn parents(positions: &impl ReadPositions, key: &Key) -> Result<Vec<(Key, Record)>> {
    let mut parents = Vec::new();
    for place in parent_places(&key.board()) {
        let (first, last) = Key::with_occupied(place.occupied);
        for (parent, record) in positions.between(&first, &last, usize::MAX, false)? {
            let board = parent.board();
            let leads_here = |square| matches!(Successor::of(&board, square), Some(Successor::Position { key: child, .. }) if child == *key);
            if squares(place.squares & board.moves()).any(leads_here) {
                parents.push((parent, record));
            }
        }
    }
    Ok(parents)
}
