//! Assessments of the moves of a position by the book, and which of them replace those of a search.

use engine::{DiscScale, Estimate, Progress};
use evaluation::Value;
use othello::{Board, Rules, Square, symmetric_moves};

use crate::Snapshot;
use crate::error::Result;
use crate::position::{BookMove, Destination, estimate};
use crate::record::Effort;

/// Assessments of the moves of a position: each is better founded than a search's, unless that has proven a value.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Assessments {
    /// The moves whose values are known, the best first.
    moves: Vec<Progress>,
    /// Upper bound on the values of all other moves, if the book has one.
    others: Option<Value>,
    /// Whether there are other moves.
    has_others: bool,
}

impl Snapshot {
    /// Assesses the moves of a position, or of the one after the pass if the side to move has to pass.
    pub fn assessments(&self, board: &Board) -> Result<Assessments> {
        let board = if board.must_pass() { board.pass() } else { *board };
        let found = self.lookup(&board)?;
        let mut known = self.valued_moves(&board)?;
        // From a position outside of the book, only moves into it count, not those that end the game.
        known.retain(|known| found.is_some() || known.destination == Destination::Book);
        // The leaf is one square; moves that are the same by symmetry have its value.
        if let Some(leaf) = known.iter().position(|known| known.destination == Destination::Leaf) {
            let symmetric = symmetric_moves(&board, known[leaf].square);
            let others = symmetric.into_iter().map(|square| BookMove { square, ..known[leaf] });
            known.splice(leaf + 1..leaf + 1, others.collect::<Vec<_>>());
        }
        let mut moves = Vec::with_capacity(known.len());
        for book_move in &known {
            let mut line = vec![book_move.square];
            let mut effort = Effort::NONE;
            if let Some(after) = board.play(book_move.square).filter(|after| !after.is_over()) {
                line.extend(self.best_line(&after)?);
                effort = match (book_move.destination, found) {
                    (Destination::Book, _) => self.lookup(&after)?.map_or(Effort::NONE, |found| found.effort),
                    (Destination::Leaf, Some(found)) => found.effort,
                    _ => Effort::NONE,
                };
            }
            moves.push(Progress {
                depth: u32::from(effort.depth),
                selectivity: u32::from(effort.selectivity.percent()),
                value: Some(book_move.estimate()),
                book_games: Some(book_move.games),
                line,
                ..Progress::default()
            });
        }
        let best_known = known.first().map(|best| best.value);
        let others = found.and_then(|found| {
            // The value of an open position is a bound on all moves, and that of a solved one need not be that of a
            // known one.
            if best_known.is_none_or(|best| best < found.value) { Some(found.value) } else { found.leaf.value() }
        });
        Ok(Assessments { moves, others, has_others: known.len() < board.moves().count_ones() as usize })
    }
}

impl Assessments {
    /// Whether the book has neither a value nor a bound for any move.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.others.is_none()
    }

    /// The moves whose values are known, the best first.
    pub fn moves(&self) -> &[Progress] {
        &self.moves
    }

    /// The assessment of a move, if the book has one.
    pub fn of(&self, square: Square) -> Option<&Progress> {
        self.moves.iter().find(|known| known.line.first() == Some(&square))
    }

    /// Whether the `count` best moves are known, whatever a search finds.
    pub fn suffice(&self, count: usize, scale: DiscScale) -> bool {
        if !self.has_others {
            return !self.moves.is_empty();
        }
        let last = count.checked_sub(1).and_then(|last| self.moves.get(last)).and_then(|last| last.value);
        match (last, self.others) {
            (Some(last), Some(others)) => scale.discs(last) >= scale.discs(estimate(others, false)),
            _ => false,
        }
    }

    /// The better founded assessment of the move that a search has assessed. Where the book has none, the search's is
    /// shown, but not above the bound of the book: its searches of that position were the deeper ones.
    pub fn complete(&self, searched: Progress, scale: DiscScale) -> Progress {
        if let Some(known) = searched.line.first().and_then(|&square| self.of(square)) {
            return searched.or_better(known.clone());
        }
        let bound = self.others.map(|others| estimate(others, false));
        let is_above = |value: Estimate| bound.is_some_and(|bound| scale.discs(value) > scale.discs(bound));
        match searched.value {
            Some(Estimate::Solved(_) | Estimate::Proven(_)) | None => searched,
            Some(value) if is_above(value) => Progress { value: bound, ..searched },
            Some(_) => searched,
        }
    }

    /// The best moves by these assessments of a search and by the book: all that the book has, and those of the search
    /// completed; the best first, and at most `count`.
    pub fn merged(&self, searched: Vec<Progress>, count: usize, scale: DiscScale) -> Vec<Progress> {
        let mut merged = self.moves.clone();
        for progress in searched {
            let completed = self.complete(progress, scale);
            match merged.iter_mut().find(|known| known.line.first() == completed.line.first()) {
                Some(known) => *known = completed,
                None => merged.push(completed),
            }
        }
        let worth = |progress: &Progress| progress.value.map_or(f64::NEG_INFINITY, |value| scale.discs(value));
        // Of equal moves, those of the book come first.
        merged.sort_by(|one, other| {
            let by_origin = other.book_games.is_some().cmp(&one.book_games.is_some());
            worth(other).total_cmp(&worth(one)).then(by_origin)
        });
        merged.truncate(count);
        merged
    }
}
