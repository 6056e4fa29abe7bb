//! Notes in the file of a book: what a caller has to remember about unfinished work.

use crate::BookError;
use crate::editor::Editor;
use crate::snapshot::Snapshot;
use crate::tables::guarded;

/// The name of a note in the table about the book.
fn full_name(name: &str) -> String {
    format!("note {name}")
}

impl Editor<'_> {
    /// Writes a note, or replaces it.
    pub(crate) fn set_note(&mut self, name: &str, content: &[u8]) -> Result<(), BookError> {
        self.set_about(&full_name(name), content)
    }

    /// Removes a note, if there is one.
    pub fn remove_note(&mut self, name: &str) -> Result<(), BookError> {
        guarded(|| {
            self.about.remove(full_name(name).as_str())?;
            Ok(())
        })
    }
}

impl Snapshot {
    /// The number in a note; 0 if there is none.
    pub fn noted_number(&self, name: &str) -> Result<u64, BookError> {
        let content = self.note(name)?;
        Ok(content.and_then(|content| content.try_into().ok()).map_or(0, u64::from_le_bytes))
    }

    /// The note of this name.
    pub fn note(&self, name: &str) -> Result<Option<Vec<u8>>, BookError> {
        guarded(|| Ok(self.about.get(full_name(name).as_str())?.map(|content| content.value().to_vec())))
    }
}
