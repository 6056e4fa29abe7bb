//! Searching what has to be searched: the moves outside of the book of positions whose best move has dropped.

use evaluation::Value;

use crate::graph::KnownMoves;
use crate::key::Key;
use crate::leaf_search::{LeafQuestion, LeafSearch};
use crate::record::{Leaf, Record};
use crate::{Book, BookError};

/// The most questions that are searched before their answers are written.
pub(crate) const MAX_BATCH: usize = 32;

/// Result of settling a book.
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
    /// Positions with the same number of discs are searched together; their answers are on the disk before the next
    /// searches begin.
    pub fn settle(&mut self, search: &mut dyn LeafSearch) -> Result<Settled, BookError> {
        loop {
            let questions = self.next_questions()?;
            if questions.is_empty() {
                return Ok(Settled::Complete);
            }
            if self.ask(&questions, search)? == Settled::Stopped {
                return Ok(Settled::Stopped);
            }
            self.count_searches(questions.len() as u64);
        }
    }

    /// Searches the moves outside of the book of positions that do not depend on each other, and enters the answers.
    /// Answers that came before the search was stopped are kept.
    pub(crate) fn ask(
        &mut self,
        questions: &[LeafQuestion],
        search: &mut dyn LeafSearch,
    ) -> Result<Settled, BookError> {
        let answers = search.search_all(questions);
        let answered = answers.iter().flatten().count();
        let found = questions.iter().zip(&answers).filter_map(|(question, answer)| Some((question, (*answer)?)));
        self.update(|editor| {
            for (question, answer) in found {
                let leaf = if answer.value > question.above {
                    Leaf::Best { square: answer.square, value: answer.value.min(question.up_to).clamped() }
                } else {
                    Leaf::AtMost(question.above)
                };
                editor.set_leaf(&question.board, leaf, answer.effort)?;
            }
            Ok(())
        })?;
        Ok(if answered < questions.len() { Settled::Stopped } else { Settled::Complete })
    }

    /// The next questions to search: the moves outside of the book of open positions that do not depend on each other.
    fn next_questions(&self) -> Result<Vec<LeafQuestion>, BookError> {
        let snapshot = self.snapshot()?;
        let open = snapshot.deepest_open(MAX_BATCH)?;
        let question = |(key, record): &(Key, Record)| {
            let board = key.board();
            let known = KnownMoves::of(&snapshot.positions, &board)?;
            let up_to = record.leaf.value().unwrap_or(Value::INFINITE);
            let above = known.value.unwrap_or(-Value::INFINITE);
            Ok(LeafQuestion { board, moves: known.outside, above, up_to })
        };
        open.iter().map(question).collect()
    }
}
