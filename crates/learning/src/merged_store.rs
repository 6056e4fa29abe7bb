//! Games of several sources put into one store, no two alike.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use storage::growing_file::sync_folder;

use crate::game_block::{Block, Kind};
use crate::game_store::{Form, Pending, Source, StoreError, header, lock};
use crate::played_game::PlayedGame;

/// A store that is written as a whole: under its name it appears when it is complete.
#[derive(Debug)]
pub struct MergedStore {
    file: BufWriter<File>,
    path: PathBuf,
    unfinished: Unfinished,
    sources: usize,
    pending: Option<Pending>,
    fingerprints: HashSet<u64>,
    bytes: u64,
}

/// The file under its preliminary name; gone if the store is not finished.
#[derive(Debug)]
struct Unfinished {
    path: PathBuf,
    is_finished: bool,
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_finished {
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl MergedStore {
    /// Begins a store with this name, which must be free.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        if path.symlink_metadata().is_ok() {
            return Err(StoreError::Exists { path: path.display().to_string() });
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".unfinished");
        let preliminary = path.with_file_name(name);
        let broken = |source| StoreError::Io { path: preliminary.display().to_string(), source };
        // What a killed process has left under this name is written again.
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&preliminary).map_err(broken)?;
        lock(&file, &preliminary)?;
        file.set_len(0).map_err(broken)?;
        let unfinished = Unfinished { path: preliminary, is_finished: false };
        let mut store = Self {
            file: BufWriter::with_capacity(1 << 16, file),
            path: path.to_owned(),
            unfinished,
            sources: 0,
            pending: None,
            fingerprints: HashSet::new(),
            bytes: 0,
        };
        store.write(&header(Form::Complete))?;
        Ok(store)
    }

    /// Begins with the games of another source.
    pub fn begin_source(&mut self, source: &Source) -> Result<(), StoreError> {
        self.flush()?;
        self.write(&source.block(self.sources).to_bytes())?;
        self.sources += 1;
        Ok(())
    }

    /// Adds a game of the current source, unless it was there before; whether it is new. Numbers must rise.
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

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.fingerprints.len() as u64
    }

    /// Completes the file and gives it its name; how many bytes it has.
    pub fn finish(mut self) -> Result<u64, StoreError> {
        self.flush()?;
        let first = self.games();
        let end = Block { kind: Kind::End, source: 0, first, span: 0, present: 0, payload: Vec::new() };
        self.write(&end.to_bytes())?;
        let finished = self
            .file
            .flush()
            .and_then(|()| self.file.get_ref().sync_all())
            .and_then(|()| fs::rename(&self.unfinished.path, &self.path))
            .and_then(|()| sync_folder(&self.path));
        finished.map_err(|source| self.failed(source))?;
        self.unfinished.is_finished = true;
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
        self.file.write_all(bytes).map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> StoreError {
        StoreError::Io { path: self.path.display().to_string(), source }
    }
}
