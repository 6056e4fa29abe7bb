//! Merging books.

use crate::editor::Editor;
use crate::graph::KnownMoves;
use crate::position::{BookPosition, Inserted};
use crate::{Book, BookError, Snapshot};

/// Changes made by merging a book into another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Merged {
    /// Positions that are new.
    pub new: u64,
    /// Positions that got the result of a deeper search.
    pub improved: u64,
    /// Positions that were known as well or better.
    pub known: u64,
}

impl Merged {
    pub(crate) fn count(&mut self, inserted: Inserted) {
        match inserted {
            Inserted::New => self.new += 1,
            Inserted::Improved => self.improved += 1,
            Inserted::Known => self.known += 1,
        }
    }
}

/// The positions that are merged between two commits.
const PORTION: u64 = 20_000;

impl Book {
    /// Merges another book into this one: of a position that is in both, the deeper search wins, and games are added
    /// up. `progress` receives the number of positions done and may stop the merge: all positions done until then are
    /// kept.
    pub fn merge(&mut self, other: &Snapshot, progress: &mut dyn FnMut(u64) -> bool) -> Result<Merged, BookError> {
        self.merge_noting(other, None, progress)
    }

    /// The same with a note of this name in the book, which contains the number of positions done: with it, a call with
    /// the same book resumes, so that no game is counted twice. The caller removes the note when nothing is left to do.
    pub fn merge_noting(
        &mut self,
        other: &Snapshot,
        note: Option<&str>,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Merged, BookError> {
        let mut merged = Merged::default();
        let mut done = note.map_or(Ok(0), |note| self.snapshot()?.noted_number(note))?;
        // Those with the most discs first: then the values of all moves are there when a position enters.
        let mut records = other.records_backwards().skip(done as usize);
        let mut goes_on = true;
        while goes_on {
            let before = done;
            self.update(|editor| {
                for item in records.by_ref().take(PORTION as usize) {
                    let (key, record) = item?;
                    merged.count(editor.merge_position(&BookPosition::stored(&key, &record))?);
                    done += 1;
                }
                editor.note_done(note, done)
            })?;
            goes_on = done - before == PORTION && progress(done);
        }
        Ok(merged)
    }
}

impl Editor<'_> {
    /// Inserts a position of another book.
    pub(crate) fn merge_position(&mut self, position: &BookPosition) -> Result<Inserted, BookError> {
        let mut finding = position.finding();
        if finding.leaf == crate::Leaf::Covered && !position.is_solved {
            // If this book lacks some of the moves, their values are at most that of the position.
            let known = KnownMoves::of(self.positions(), &position.board)?;
            if known.outside != 0 {
                finding.leaf = crate::Leaf::AtMost(position.value);
            }
        }
        self.insert(&position.board, &finding)
    }
}
