//! Merging: the distinct games of stores and records in one store.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use records::files::{expand_paths, records_of};
use records::{Format, RecordError};
use serde::{Deserialize, Serialize};

use crate::error::LearnError;
use crate::game_store::{GameReader, MAGIC, Source};
use crate::merged_store::MergedStore;
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

/// Writes the games of stores and of record files to a store with this name, which must not exist. Without a game
/// there is no store.
pub fn merge(output: &Path, files: &[PathBuf], watch: &mut dyn MergeWatch) -> Result<Summary, LearnError> {
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

/// A merge in progress.
struct Merge<'w> {
    store: MergedStore,
    summary: Summary,
    watch: &'w mut dyn MergeWatch,
}

impl Merge<'_> {
    fn add_store(&mut self, path: &Path) -> Result<(), LearnError> {
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

    fn add_records(&mut self, path: &Path) -> Result<(), LearnError> {
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
                Err(PlayedGameError::Unfinished { .. }) => self.summary.unfinished += 1,
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

    fn add(&mut self, number: u64, game: &PlayedGame) -> Result<(), LearnError> {
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
pub fn files_to_merge(paths: &[PathBuf]) -> Result<Vec<PathBuf>, LearnError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.append(&mut expand_paths(std::slice::from_ref(path))?);
            continue;
        }
        let unreadable = |path: &Path| {
            let path = path.to_owned();
            move |source| LearnError::Io { verb: "read", path, source }
        };
        let mut found = Vec::new();
        for entry in fs::read_dir(path).map_err(unreadable(path))? {
            let entry = entry.map_err(unreadable(path))?;
            let file = entry.path();
            // A name that begins with a dot is hidden, and may be the temporary file of a store.
            let is_candidate = file.is_file() && !entry.file_name().as_encoded_bytes().starts_with(b".");
            if !is_candidate {
                continue;
            }
            if Format::is_readable(&file) || begins_as_store(&file).map_err(unreadable(&file))? {
                found.push(file);
            }
        }
        if found.is_empty() {
            return Err(LearnError::NothingToMerge { path: path.clone() });
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

/// Whether a file begins like a store.
fn begins_as_store(path: &Path) -> io::Result<bool> {
    let mut first = Vec::new();
    File::open(path)?.take(MAGIC.len() as u64).read_to_end(&mut first)?;
    Ok(first == MAGIC)
}

/// Whether a file is a store, and not a file of records.
pub fn is_store(path: &Path) -> Result<bool, LearnError> {
    let begins_as_store =
        begins_as_store(path).map_err(|source| LearnError::Io { verb: "read", path: path.to_owned(), source })?;
    if begins_as_store {
        return Ok(true);
    }
    if Format::is_readable(path) { Ok(false) } else { Err(LearnError::NotGames { path: path.to_owned() }) }
}
