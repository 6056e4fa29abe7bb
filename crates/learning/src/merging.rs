//! Merging: the distinct games of stores and records in one store.

use std::collections::HashSet;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use records::files::{expand_paths, records_of};
use records::{Format, RecordError};
use serde::{Deserialize, Serialize};
use storage::whole_file::NewFile;

use crate::error::{FileProblem, LearnError, Result};
use crate::game_block::{Block, END, Pending};
use crate::game_store::{GameReader, MAGIC, Source, header};
use crate::played_game::{PlayedGame, PlayedGameError};

/// Statistics of a merge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// The number of distinct games in the store.
    pub games: u64,
    /// The number of positions in which a move was made.
    pub positions: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The number of duplicate games.
    pub duplicates: u64,
    /// The number of records of unfinished games.
    pub unfinished: u64,
    /// The number of records with a custom start position.
    pub other_starts: u64,
    /// The number of records that cannot be read.
    pub bad: u64,
}

/// An observer of a merge.
pub trait MergeWatch {
    /// Called with the number of games in the store.
    fn taken(&mut self, games: u64);

    /// Called for a record that cannot be read.
    fn bad(&mut self, problem: &dyn Display);
}

/// Writes the games of stores and record files to a new store; without a game there is none.
pub fn merge(output: &Path, files: &[PathBuf], watch: &mut dyn MergeWatch) -> Result<Summary> {
    // Checked before anything is written: a wrong file should not be noticed halfway through the work.
    let stores = files.iter().map(|path| is_store(path)).collect::<Result<Vec<bool>, _>>()?;
    let mut merge = Merge { store: MergedStore::create(output)?, summary: Summary::default(), watch };
    for (path, is_store) in files.iter().zip(stores) {
        if is_store { merge.add_store(path)? } else { merge.add_records(path)? }
    }
    let Merge { store, summary, .. } = merge;
    let games = store.games();
    if games == 0 {
        return Ok(summary);
    }
    Ok(Summary { games, bytes: store.finish()?, ..summary })
}

struct Merge<'w> {
    store: MergedStore,
    summary: Summary,
    watch: &'w mut dyn MergeWatch,
}

impl Merge<'_> {
    fn add_store(&mut self, path: &Path) -> Result<()> {
        let mut reader = GameReader::open(path)?;
        let mut begun = None;
        while let Some(stored) = reader.next() {
            let stored = stored?;
            if begun != Some(stored.source) {
                self.store.begin_source(&reader.sources()[stored.source])?;
                begun = Some(stored.source);
            }
            self.add(stored.number, &stored.game)?;
        }
        Ok(())
    }

    fn add_records(&mut self, path: &Path) -> Result<()> {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        self.store.begin_source(&Source::Records { name })?;
        for (number, record) in (0..).zip(records_of(path, None)?) {
            // A record that states something wrong about its moves still contains them.
            let game = match record {
                Ok(record) => record.game,
                Err(RecordError { record: Some(record), .. }) => record.game,
                Err(error) => {
                    self.refuse(&error);
                    continue;
                }
            };
            match PlayedGame::of_record(&game) {
                Ok(game) => self.add(number, &game)?,
                Err(PlayedGameError::Unfinished(_)) => self.summary.unfinished += 1,
                Err(PlayedGameError::OtherStart) => self.summary.other_starts += 1,
                Err(error) => self.refuse(&error),
            }
        }
        Ok(())
    }

    fn refuse(&mut self, problem: &dyn Display) {
        self.summary.bad += 1;
        self.watch.bad(problem);
    }

    fn add(&mut self, number: u64, game: &PlayedGame) -> Result<()> {
        if self.store.add(number, game)? {
            self.summary.positions += game.moves().len() as u64;
        } else {
            self.summary.duplicates += 1;
        }
        self.watch.taken(self.store.games());
        Ok(())
    }
}

/// The files to merge: those named, and for a folder the stores and record files in it, sorted by name.
pub fn files_to_merge(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.append(&mut expand_paths(std::slice::from_ref(path))?);
            continue;
        }
        let mut found = Vec::new();
        for entry in fs::read_dir(path).map_err(LearnError::io("read", path))? {
            let entry = entry.map_err(LearnError::io("read", path))?;
            let file = entry.path();
            // A name that begins with a dot is hidden, and may be the temporary file of a store.
            let is_candidate = file.is_file() && !entry.file_name().as_encoded_bytes().starts_with(b".");
            if !is_candidate {
                continue;
            }
            if Format::is_readable(&file) || begins_as_store(&file)? {
                found.push(file);
            }
        }
        if found.is_empty() {
            return Err(FileProblem::NothingToMerge.of(path));
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

fn begins_as_store(path: &Path) -> Result<bool> {
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut first));
    read.map_err(LearnError::io("read", path))?;
    Ok(first == MAGIC)
}

/// Whether a file is a store, and not a file of records.
pub fn is_store(path: &Path) -> Result<bool> {
    if begins_as_store(path)? {
        return Ok(true);
    }
    if Format::is_readable(path) { Ok(false) } else { Err(LearnError::NotGames(path.to_owned())) }
}

/// A store that is written atomically: it gets its name when it is complete.
#[derive(Debug)]
pub(crate) struct MergedStore {
    file: NewFile,
    sources: u32,
    pending: Option<Pending>,
    fingerprints: HashSet<u64>,
    bytes: u64,
}

impl MergedStore {
    /// Starts a store with this name, which must not exist.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let file = NewFile::create_free(path)?;
        let mut store = Self { file, sources: 0, pending: None, fingerprints: HashSet::new(), bytes: 0 };
        store.write(&header(true))?;
        Ok(store)
    }

    /// Starts the games of another source.
    pub(crate) fn begin_source(&mut self, source: &Source) -> Result<()> {
        self.flush()?;
        self.write(&source.block(self.sources).to_bytes())?;
        self.sources += 1;
        Ok(())
    }

    /// Adds a game of the current source unless it is a duplicate; returns whether it is new. Numbers must increase.
    pub(crate) fn add(&mut self, number: u64, game: &PlayedGame) -> Result<bool> {
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

    pub(crate) fn games(&self) -> u64 {
        self.fingerprints.len() as u64
    }

    /// Completes the file and renames it; returns its size in bytes.
    pub(crate) fn finish(mut self) -> Result<u64> {
        self.flush()?;
        let first = self.games();
        let end = Block { tag: END, source: 0, first, span: 0, present: 0, payload: Vec::new() };
        self.write(&end.to_bytes())?;
        self.file.commit()?;
        Ok(self.bytes)
    }

    fn flush(&mut self) -> Result<()> {
        match self.pending.take() {
            Some(mut pending) => self.write(&pending.take().to_bytes()),
            None => Ok(()),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes).map_err(LearnError::using(self.file.path()))
    }
}
