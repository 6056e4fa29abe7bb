//! The journal of a store of games: the games of the block that is not full yet, one block each, in a file beside the store.
//!
//! Every game is appended when it is added, so that a run that is killed loses none that was passed on. The journal names
//! the source of its games: that of another store is ignored, and so is everything after the first damage.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use storage::Format;
use storage::format::GROWING_HEADER;
use storage::growing_file::{self, fill, sync_folder};
use storage::same_file::true_path;
use storage::whole_file::{FileError, beside};

use crate::error::{LearnError, Result};
use crate::game_block::{Block, GAMES, MAX_NUMBERS};
use crate::game_store::Source;
use crate::played_game::PlayedGame;

const FORMAT: Format = Format { magic: b"EMIJOURN", version: 1 };

#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    /// The first bytes: the header and the source.
    beginning: Vec<u8>,
    file: Option<File>,
    is_synced: bool,
}

impl Journal {
    /// The journal of the store at this path; the file is created with the first game.
    pub(crate) fn beside(store: &Path, source: &Source) -> Self {
        let mut beginning = FORMAT.growing_header(0).to_vec();
        beginning.extend(source.block(0).to_bytes());
        Self { path: path_of(store), beginning, file: None, is_synced: true }
    }

    pub(crate) fn append(&mut self, block: &Block) -> Result<()> {
        let write = |mut file: &File| file.write_all(&block.to_bytes());
        let appended = match &self.file {
            Some(file) => write(file),
            None => self.create().and_then(|file| write(self.file.insert(file))),
        };
        self.is_synced = false;
        appended.map_err(LearnError::using(&self.path))
    }

    fn create(&self) -> io::Result<File> {
        let mut file = growing_file::open(&self.path)?;
        file.set_len(0)?;
        file.write_all(&self.beginning)?;
        sync_folder(&self.path)?;
        Ok(file)
    }

    /// Removes all games: their block is in the store.
    pub(crate) fn clear(&mut self) -> Result<()> {
        let Some(mut file) = self.file.as_ref() else { return Ok(()) };
        let length = self.beginning.len() as u64;
        let cleared = file.set_len(length).and_then(|()| file.seek(SeekFrom::Start(length)));
        self.is_synced = true;
        cleared.map(drop).map_err(LearnError::using(&self.path))
    }

    pub(crate) fn sync(&mut self) -> Result<()> {
        let synced = self.file.as_ref().filter(|_| !self.is_synced).map_or(Ok(()), File::sync_data);
        self.is_synced = true;
        synced.map_err(LearnError::using(&self.path))
    }

    /// Removes the file, unless it is of another kind.
    pub(crate) fn remove(&mut self) -> Result<()> {
        self.file = None;
        self.require_ours()?;
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(LearnError::using(&self.path)(error)),
            _ => Ok(()),
        }
    }

    /// Refuses a file of another kind under the name of the journal. A damaged or truncated journal is one.
    pub(crate) fn require_ours(&self) -> Result<()> {
        let mut first = Vec::new();
        let read = File::open(&self.path).and_then(|file| file.take(8).read_to_end(&mut first));
        match read {
            // The name is free.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(LearnError::using(&self.path)(error)),
            Ok(_) if FORMAT.magic.starts_with(&first) => Ok(()),
            Ok(_) => Err(FileError::Foreign(self.path.clone(), "the journal of a store of games".to_owned()).into()),
        }
    }
}

fn path_of(store: &Path) -> PathBuf {
    beside(&true_path(store), ".journal")
}

/// The games of the journal of a store that follow its games: those with the numbers from `next` on, without gaps, up to
/// the end of their block; `None` stands for a duplicate. Nothing is read after the first damage.
pub(crate) fn read(store: &Path, source: &Source, mut next: u64) -> Vec<(u64, Option<PlayedGame>)> {
    let mut found = Vec::new();
    let Some(mut reader) = open(&path_of(store), source) else { return found };
    let end = (next / MAX_NUMBERS + 1).saturating_mul(MAX_NUMBERS);
    while let Ok(Some(block)) = Block::read(&mut reader) {
        let games = block.games().filter(|_| block.tag == GAMES && block.source == 0);
        let Some(games) = games else { break };
        let after = block.first + u64::from(block.span);
        if block.first > next || after > end {
            break;
        }
        found.extend(games.into_iter().filter(|(number, _)| *number >= next));
        next = next.max(after);
    }
    found
}

/// The blocks of games of a journal, if it is one of this source.
fn open(path: &Path, source: &Source) -> Option<BufReader<File>> {
    // Checked before opening: opening a pipe would block.
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut reader = BufReader::new(File::open(path).ok()?);
    let mut first = [0; GROWING_HEADER];
    fill(&mut reader, &mut first).ok()?;
    FORMAT.open_growing(&first).ok()?;
    let of = Block::read(&mut reader).ok()??;
    (of == source.block(0)).then_some(reader)
}
