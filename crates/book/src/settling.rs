//! Searching what has to be searched: the moves outside of the book of positions whose best move has dropped.

use evaluation::Value;
use othello::{Board, Rules};

use crate::graph::KnownMoves;
use crate::key::Key;
use crate::leaf_search::{LeafAnswer, LeafQuestion, LeafSearch};
use crate::position::Position;
use crate::record::Leaf;
use crate::{Book, BookError};

/// How settling a book ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settled {
    /// No position is open: every value is that of a move.
    Complete,
    /// The search was stopped; the positions that are still open are searched the next time.
    Stopped,
}

impl Book {
    /// Searches the open positions, those with the most discs first, until none is left.
    ///
    /// Every answer is on the disk before the next search begins.
    pub fn settle(&mut self, search: &mut dyn LeafSearch) -> Result<Settled, BookError> {
        while let Some((question, _)) = self.next_question()? {
            let Some(answer) = search.search(&question) else { return Ok(Settled::Stopped) };
            self.count_search();
            self.answer(&question, &answer)?;
        }
        Ok(Settled::Complete)
    }

    /// What has to be searched next, with the position that it is about, if any is open.
    pub fn next_question(&self) -> Result<Option<(LeafQuestion, Position)>, BookError> {
        let snapshot = self.snapshot()?;
        let Some(position) = snapshot.deepest_open()? else { return Ok(None) };
        let known = KnownMoves::of(&snapshot.positions, &position.board)?;
        let up_to = position.leaf.value().unwrap_or(Value::INFINITE);
        let above = known.value.unwrap_or(-Value::INFINITE);
        Ok(Some((LeafQuestion { board: position.board, moves: known.outside, above, up_to }, position)))
    }

    /// Enters the answer to a question about an open position.
    pub fn answer(&mut self, question: &LeafQuestion, answer: &LeafAnswer) -> Result<(), BookError> {
        let leaf = if answer.value > question.above {
            Leaf::Best { square: answer.square, value: answer.value.min(question.up_to).clamped() }
        } else {
            Leaf::AtMost(question.above)
        };
        self.update(|editor| editor.set_leaf(&question.board, leaf, answer.effort))
    }

    /// Searches the moves of a position that are not in the book yet, and what they are worth without any bound; `None`
    /// if all moves are known or if the search was stopped.
    pub(crate) fn search_outside(&self, board: &Board, search: &mut dyn LeafSearch) -> Result<Outside, BookError> {
        debug_assert!(board.can_move());
        let board = Key::of(board).0.board();
        let known = KnownMoves::of(&self.snapshot()?.positions, &board)?;
        if known.outside == 0 {
            return Ok(Outside::Nothing);
        }
        let answer = search.search(&LeafQuestion::unbounded(board, known.outside));
        Ok(answer.map_or(Outside::Stopped, |answer| Outside::Found(board, answer)))
    }
}

/// What was found about the moves of a position that are not in the book.
pub(crate) enum Outside {
    /// There are none.
    Nothing,
    /// The best of them, with the board in the orientation of the answer.
    Found(Board, LeafAnswer),
    /// The search was stopped.
    Stopped,
}
