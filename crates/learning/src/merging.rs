//! Merging: the games of stores and of records into one store, no two alike.

use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use othello::records::files::records_of;
use othello::records::{Format, RecordError};
use serde::{Deserialize, Serialize};

use crate::error::LearnError;
use crate::game_store::{GameReader, MAGIC, Source};
use crate::merged_store::MergedStore;
use crate::played_game::{PlayedGame, PlayedGameError};

/// What became of the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// The games of the store, no two alike.
    pub games: u64,
    /// The positions in which a move was made.
    pub positions: u64,
    /// The bytes of the file.
    pub bytes: u64,
    /// Games that were there already.
    pub duplicates: u64,
    /// Records that were not played to their end.
    pub unfinished: u64,
    /// Records that begin with another position than the usual start.
    pub other_starts: u64,
    /// Records that cannot be read.
    pub bad: u64,
}

/// Who hears how a merge goes.
pub trait MergeWatch {
    /// So many games are in the store.
    fn taken(&mut self, games: u64);

    /// A record cannot be read.
    fn bad(&mut self, problem: &dyn Display);
}

/// Puts the games of stores and of files of records into a store with this name, which must be free.
pub fn merge(output: &Path, files: &[PathBuf], watch: &mut dyn MergeWatch) -> Result<Summary, LearnError> {
    // Looked at before anything is written: a wrong file should not come to light after half of the work.
    let stores = files.iter().map(|path| is_store(path)).collect::<Result<Vec<bool>, _>>()?;
    let mut merge = Merge { store: MergedStore::create(output)?, summary: Summary::default(), watch };
    for (path, is_store) in files.iter().zip(stores) {
        if is_store { merge.add_store(path)? } else { merge.add_records(path)? }
    }
    let Merge { store, summary, .. } = merge;
    let games = store.games();
    Ok(Summary { games, bytes: store.finish()?, ..summary })
}

/// A merge as it goes.
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
            // A record that says something wrong about its moves still has them.
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

/// Whether a file is a store, and not one of records.
fn is_store(path: &Path) -> Result<bool, LearnError> {
    let mut first = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut first))
        .map_err(|source| LearnError::Io { verb: "read", path: path.to_owned(), source })?;
    match Format::from_path(path) {
        _ if first == MAGIC => Ok(true),
        Some(_) => Ok(false),
        None => Err(LearnError::NotGames { path: path.to_owned() }),
    }
}
