//! Merging books, and notes in a book: what a caller has to remember about unfinished work.

use crate::editor::Editor;
use crate::error::{BookError, Result};
use crate::graph::KnownMoves;
use crate::position::{BookPosition, Inserted};
use crate::tables::guarded;
use crate::{Book, Snapshot};

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

/// Changes made by importing positions of another format.
#[derive(Debug, Default)]
pub struct Imported {
    /// The positions.
    pub merged: Merged,
    /// Faults of skipped positions, up to [`Imported::MAX_FAULTS`].
    pub faults: Vec<BookError>,
    /// The number of positions that were skipped.
    pub fault_count: u64,
}

impl Imported {
    /// Maximum number of faults that are listed.
    pub const MAX_FAULTS: usize = 100;

    pub(crate) fn fault(&mut self, fault: impl Into<BookError>) {
        self.fault_count += 1;
        if self.faults.len() < Self::MAX_FAULTS {
            self.faults.push(fault.into());
        }
    }
}

/// The positions that are merged between two commits.
const PORTION: u64 = 10_000;

impl Book {
    /// Merges another book into this one: of a position that is in both, the deeper search wins, and games are added
    /// up. `progress` receives the number of positions done and may stop: all positions done until then are kept.
    ///
    /// With a note of this name, which contains the number of positions done, a call with the same book resumes, so that no
    /// game is counted twice; the caller removes the note when all are done.
    pub fn merge(
        &mut self,
        other: &Snapshot,
        note: Option<&str>,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Merged> {
        let mut merged = Merged::default();
        // Those with the most discs first: then the values of all moves are there when a position enters.
        self.in_portions(other.records_backwards(), note, progress, |editor, item, _| {
            let (key, record) = item?;
            merged.count(editor.merge_position(&BookPosition::stored(&key, &record))?);
            Ok(())
        })?;
        Ok(merged)
    }

    /// Makes a change for each item, with its number from 1, in portions that are on the disk before the next one
    /// begins.
    pub(crate) fn in_portions<T>(
        &mut self,
        items: impl Iterator<Item = T>,
        note: Option<&str>,
        progress: &mut dyn FnMut(u64) -> bool,
        mut change: impl FnMut(&mut Editor<'_>, T, u64) -> Result<()>,
    ) -> Result<()> {
        let mut done = note.map_or(Ok(0), |note| self.snapshot()?.noted_number(note))?;
        let mut items = items.skip(done as usize);
        loop {
            let before = done;
            self.update(|editor| {
                for item in items.by_ref().take(PORTION as usize) {
                    done += 1;
                    change(editor, item, done)?;
                }
                note.map_or(Ok(()), |name| editor.set_note(name, &done.to_le_bytes()))
            })?;
            if done - before < PORTION || !progress(done) {
                return Ok(());
            }
        }
    }
}

impl Editor<'_> {
    pub(crate) fn merge_position(&mut self, position: &BookPosition) -> Result<Inserted> {
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

    pub(crate) fn set_note(&mut self, name: &str, content: &[u8]) -> Result<()> {
        self.set_about(&full_name(name), content)
    }

    /// Removes a note, if there is one.
    pub fn remove_note(&mut self, name: &str) -> Result<()> {
        guarded(|| {
            self.about.remove(full_name(name).as_str())?;
            Ok(())
        })
    }
}

impl Snapshot {
    /// The number in a note; 0 if there is none.
    pub fn noted_number(&self, name: &str) -> Result<u64> {
        let content = self.note(name)?;
        Ok(content.and_then(|content| content.try_into().ok()).map_or(0, u64::from_le_bytes))
    }

    /// The note of this name.
    pub fn note(&self, name: &str) -> Result<Option<Vec<u8>>> {
        guarded(|| Ok(self.about.get(full_name(name).as_str())?.map(|content| content.value().to_vec())))
    }
}

fn full_name(name: &str) -> String {
    format!("note {name}")
}
