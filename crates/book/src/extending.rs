//! Extending a book by a plan, and settling it: searching the moves outside of the book of positions whose best move has
//! dropped.

use evaluation::Value;
use othello::{Board, Rules};

use crate::Book;
use crate::error::{BookError, Result};
use crate::graph::KnownMoves;
use crate::key::Key;
use crate::leaf_search::{LeafQuestion, LeafSearch};
use crate::planning::{Candidate, Extended, Lead, Plan, Step};
use crate::record::{Leaf, Record};

/// Number of positions of the book for each step of a plan: to make a plan, much of the book is read.
const POSITIONS_PER_STEP: u64 = 50;

/// The most steps that one plan serves.
const MAX_STEPS: u64 = 256;

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
    /// Extends the book by a plan until all of it is in the book, the book has `max` positions, or the search is
    /// stopped. `progress` receives the next step before it is made, and may end it.
    ///
    /// Small books are extended by the first candidate of a new plan at every step, large ones by many that are
    /// searched at the same time. The book is the same whatever number of threads the search has.
    pub fn extend(
        &mut self,
        plan: &Plan,
        max: u64,
        search: &mut dyn LeafSearch,
        progress: &mut dyn FnMut(&Step) -> bool,
    ) -> Result<Extended> {
        let mut added = 0;
        let root = plan.root;
        if self.lookup(&root)?.is_none() {
            if self.add(&root, search)? == Settled::Stopped {
                return Ok(Extended { added, settled: Settled::Stopped });
            }
            added += 1;
        }
        if self.settle(search)? == Settled::Stopped {
            return Ok(Extended { added, settled: Settled::Stopped });
        }
        loop {
            let snapshot = self.snapshot()?;
            let candidates = snapshot.candidates(plan, usize::MAX)?;
            let mut positions = snapshot.count()?;
            drop(snapshot);
            if candidates.is_empty() {
                return Ok(Extended { added, settled: Settled::Complete });
            }
            let steps = (positions / POSITIONS_PER_STEP).clamp(1, MAX_STEPS) as usize;
            let steps = &candidates[..steps.min(candidates.len())];
            for (index, batch) in steps.chunks(MAX_BATCH).enumerate() {
                let room = usize::try_from(max.saturating_sub(positions)).unwrap_or(usize::MAX);
                let batch = &batch[..batch.len().min(room)];
                let waiting = (candidates.len() - index * MAX_BATCH) as u64;
                let Some(&candidate) = batch.first() else {
                    return Ok(Extended { added, settled: Settled::Stopped });
                };
                if !progress(&Step { candidate, added, positions, waiting }) {
                    return Ok(Extended { added, settled: Settled::Stopped });
                }
                let followed = self.follow(batch, search)?;
                added += followed.added;
                positions += followed.added;
                if followed.settled == Settled::Stopped {
                    return Ok(Extended { added, ..followed });
                }
            }
        }
    }

    /// Follows moves out of the book: adds the positions after them, finds the best moves out of the book where that is
    /// to be done, and settles. The results of a search are on the disk before the next one begins.
    pub fn follow(&mut self, candidates: &[Candidate], search: &mut dyn LeafSearch) -> Result<Extended> {
        let mut boards = Vec::new();
        let mut wanted = Vec::new();
        for &Candidate { board, lead, .. } in candidates {
            match lead {
                Lead::Follow(square) => {
                    let after = board.play(square).ok_or(BookError::IllegalLeaf { square, board })?;
                    let after = if after.must_pass() { after.pass() } else { after };
                    if after.can_move() {
                        boards.push(after);
                    }
                }
                Lead::Search { above } => wanted.push((board, above)),
            }
        }
        if self.find_leaves(&wanted, search)? == Settled::Stopped {
            return Ok(Extended { added: 0, settled: Settled::Stopped });
        }
        let added = self.add_all(&boards, search)?;
        if added.settled == Settled::Stopped {
            return Ok(added);
        }
        Ok(Extended { settled: self.settle(search)?, ..added })
    }

    /// Finds the moves out of the book of which only a bound is known, if they are worth more than these values.
    fn find_leaves(&mut self, wanted: &[(Board, Value)], search: &mut dyn LeafSearch) -> Result<Settled> {
        let snapshot = self.snapshot()?;
        let mut questions = Vec::new();
        for (board, above) in wanted {
            let Some(position) = snapshot.lookup(board)? else { continue };
            // Another step of the same plan may have answered it.
            let Leaf::AtMost(up_to) = position.leaf else { continue };
            if !position.is_open && up_to > *above {
                let moves = KnownMoves::of(&snapshot.positions, board)?.outside;
                questions.push(LeafQuestion { board: *board, moves, above: *above, up_to });
            }
        }
        drop(snapshot);
        self.ask(&questions, search)
    }

    /// Searches the open positions, those with the most discs first and together, until none is left. Their answers are
    /// on the disk before the next searches begin.
    pub fn settle(&mut self, search: &mut dyn LeafSearch) -> Result<Settled> {
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

    /// Searches positions that do not depend on each other, and enters the answers, also if the search is stopped.
    pub(crate) fn ask(&mut self, questions: &[LeafQuestion], search: &mut dyn LeafSearch) -> Result<Settled> {
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
    fn next_questions(&self) -> Result<Vec<LeafQuestion>> {
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
