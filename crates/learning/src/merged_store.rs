//! A store with the distinct games of several sources.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use storage::whole_file::{FileError, NewFile};

use crate::game_block::{Block, Kind};
use crate::game_store::{Form, Pending, Source, StoreError, header};
use crate::played_game::PlayedGame;

/// A store that is written atomically: it gets its name when it is complete.
#[derive(Debug)]
pub struct MergedStore {
    file: NewFile,
    sources: usize,
    pending: Option<Pending>,
    fingerprints: HashSet<u64>,
    bytes: u64,
}

impl MergedStore {
    /// Starts a store with this name, which must not exist.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        let file = NewFile::create_free(path).map_err(refused)?;
        let mut store = Self { file, sources: 0, pending: None, fingerprints: HashSet::new(), bytes: 0 };
        store.write(&header(Form::Complete))?;
        Ok(store)
    }

    /// Starts the games of another source.
    pub fn begin_source(&mut self, source: &Source) -> Result<(), StoreError> {
        self.flush()?;
        self.write(&source.block(self.sources).to_bytes())?;
        self.sources += 1;
        Ok(())
    }

    /// Adds a game of the current source unless it is a duplicate; returns whether it is new. Numbers must increase.
    pub fn add(&mut self, number: u64, game: &PlayedGame) -> Result<bool, StoreError> {
        if !self.fingerprints.insert(game.fingerprint()) {
            return Ok(false);
        }
        if self.pending.as_ref().is_none_or(|pending| !pending.reaches(number)) {
            self.flush()?;
        }
        let source = self.sources.saturating_sub(1);
        self.pending.get_or_insert_with(|| Pending::new(source, number)).add(number, Some(game));
        Ok(true)
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.fingerprints.len() as u64
    }

    /// Completes the file and renames it; returns its size in bytes.
    pub fn finish(mut self) -> Result<u64, StoreError> {
        self.flush()?;
        let first = self.games();
        let end = Block { kind: Kind::End, source: 0, first, span: 0, present: 0, payload: Vec::new() };
        self.write(&end.to_bytes())?;
        self.file.commit().map_err(refused)?;
        Ok(self.bytes)
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        match self.pending.take() {
            Some(mut pending) => self.write(&pending.take().to_bytes()),
            None => Ok(()),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.bytes += bytes.len() as u64;
        let path = self.file.path().display().to_string();
        self.file.write_all(bytes).map_err(|source| StoreError::Io { path, source })
    }
}

fn refused(error: FileError) -> StoreError {
    match error {
        FileError::Exists(path) => StoreError::Exists { path: path.display().to_string() },
        error => StoreError::File(error),
    }
}
