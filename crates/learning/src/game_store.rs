//! A store of games: a file to which games are added block by block.
//!
//! The bounds of blocks depend only on the numbers of games, so that the same games give the same file, with or without
//! interruptions. The games of a block that is not full yet are in a journal beside the store, which is read with it. A
//! truncated block is removed when the store is opened for writing, and its games, which are determined by their numbers,
//! are played again. A damaged store, one of other games, or another kind of file is refused.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use storage::format::GROWING_HEADER;
use storage::growing_file::{self, fill, sync_folder};
use storage::{Fields, Fingerprint, Format};

use crate::error::{FileProblem, LearnError, Result};
use crate::game_block::{Block, BlockError, GAMES, MAX_NUMBERS, Pending, SOURCE};
use crate::journal::{self, Journal};
use crate::labeling::GameToLabel;
use crate::played_game::PlayedGame;
pub use crate::provenance::Source;

const FORMAT: Format = Format { magic: b"EMIGAMES", version: 1 };
/// The first bytes of a store.
pub(crate) const MAGIC: [u8; 8] = *FORMAT.magic;
/// Maximum length of the name of a source, so that it fits into a block.
const MAX_NAME: usize = 2_000;

/// A game of a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredGame {
    /// The index of its source in [`GameReader::sources`].
    pub source: usize,
    /// Its number in the source, from 0.
    pub number: u64,
    /// The game.
    pub game: PlayedGame,
}

/// The header of a complete store, or of one to which the games of one source are added as they are played.
pub(crate) fn header(is_complete: bool) -> [u8; GROWING_HEADER] {
    FORMAT.growing_header(is_complete.into())
}

/// Opens a file to add to it, or creates it, and locks it; `doing` is reported by other processes that find it locked.
pub(crate) fn open_locked(path: &Path, doing: &'static str) -> Result<File> {
    let file = growing_file::open(path).map_err(LearnError::using(path))?;
    let is_locked = growing_file::lock(&file).map_err(LearnError::using(path))?;
    if is_locked { Ok(file) } else { Err(FileProblem::InUse(doing).of(path)) }
}

impl Source {
    pub(crate) fn block(&self, number: u32) -> Block {
        let payload = Fingerprint::of(&self.shortened()).to_string().into_bytes();
        Block { tag: SOURCE, source: number, first: 0, span: 0, present: 0, payload }
    }

    /// The source with its name shortened to fit into a block.
    fn shortened(&self) -> Self {
        let mut short = self.clone();
        if let Self::Records { name } = &mut short {
            name.truncate(name.floor_char_boundary(MAX_NAME));
        }
        short
    }

    fn of_block(block: &Block) -> Option<Self> {
        Fingerprint::parse(Fields(&block.payload).text()?).ok()?.data().ok()
    }
}

/// The blocks of a store in order, checked.
#[derive(Debug)]
struct Blocks {
    reader: BufReader<File>,
    path: PathBuf,
    /// Whether everything is present, up to a last block that marks the end.
    is_complete: bool,
    /// The end of the last valid block.
    offset: u64,
    sources: Vec<Source>,
    /// For each source, the number after the last one read.
    next_numbers: Vec<u64>,
    games: u64,
    has_ended: bool,
}

impl Blocks {
    fn new(file: File, path: &Path) -> Result<Self> {
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut first = [0; GROWING_HEADER];
        let found = fill(&mut reader, &mut first).map_err(LearnError::using(path))?;
        let not_a_store = |found: String| FileProblem::NoGameStore(found).of(path);
        if found < GROWING_HEADER {
            let is_beginning = MAGIC.starts_with(&first[..found.min(8)]);
            return Err(if is_beginning {
                FileProblem::Torn { offset: 0, found, expected: GROWING_HEADER }.of(path)
            } else {
                not_a_store(format!("it has only {found} bytes"))
            });
        }
        let form = FORMAT.open_growing(&first).map_err(|error| not_a_store(error.to_string()))?;
        if form > 1 {
            return Err(not_a_store(format!("it has form {form}; this program reads forms 0 and 1")));
        }
        Ok(Self {
            reader,
            path: path.to_owned(),
            is_complete: form == 1,
            offset: GROWING_HEADER as u64,
            sources: Vec::new(),
            next_numbers: Vec::new(),
            games: 0,
            has_ended: false,
        })
    }

    /// The games of the next block, empty for other blocks, `None` at the end.
    fn next(&mut self) -> Result<Option<Vec<StoredGame>>> {
        let is_unfinished = if self.is_complete { !self.has_ended } else { self.sources.is_empty() };
        let block = match Block::read(&mut self.reader) {
            Ok(Some(_)) if self.has_ended => return Err(self.damaged("there is data after the last block")),
            Ok(Some(block)) => block,
            Ok(None) if is_unfinished => return Err(self.torn(0, 1)),
            Ok(None) => return Ok(None),
            Err(BlockError::Io(source)) => return Err(LearnError::using(&self.path)(source)),
            Err(BlockError::Torn(found, expected)) => return Err(self.torn(found, expected)),
            Err(BlockError::Damaged(found)) => return Err(self.damaged(&found)),
        };
        let games = self.content(&block).map_err(|found| self.damaged(&found))?;
        self.offset += block.length();
        Ok(Some(games))
    }

    fn torn(&self, found: usize, expected: usize) -> LearnError {
        FileProblem::Torn { offset: self.offset, found, expected }.of(&self.path)
    }

    fn damaged(&self, found: &str) -> LearnError {
        FileProblem::Damaged(self.offset, found.to_owned()).of(&self.path)
    }

    fn content(&mut self, block: &Block) -> Result<Vec<StoredGame>, String> {
        let source = block.source as usize;
        match block.tag {
            SOURCE => {
                if source != self.sources.len() {
                    return Err(format!("source {source} follows {} others", self.sources.len()));
                }
                self.sources.push(Source::of_block(block).ok_or("a source has no description that can be read")?);
                self.next_numbers.push(0);
                Ok(Vec::new())
            }
            GAMES => {
                let next = *self.next_numbers.get(source).ok_or_else(|| format!("there is no source {source}"))?;
                let is_gap = !self.is_complete && block.first != next;
                if block.first < next || is_gap {
                    return Err(format!("found game {} where game {next} was expected", block.first));
                }
                let games = stored(source, block.games().ok_or("a block has invalid moves")?);
                self.next_numbers[source] = block.first + u64::from(block.span);
                self.games += games.len() as u64;
                Ok(games)
            }
            // The end.
            _ if block.first != self.games => {
                Err(format!("the last block states {} games, but there are {}", block.first, self.games))
            }
            _ => {
                self.has_ended = true;
                Ok(Vec::new())
            }
        }
    }
}

/// The games of a source without the numbers of duplicates.
fn stored(source: usize, games: Vec<(u64, Option<PlayedGame>)>) -> Vec<StoredGame> {
    let game = |(number, game): (u64, Option<PlayedGame>)| Some(StoredGame { source, number, game: game? });
    games.into_iter().filter_map(game).collect()
}

/// The games of a store in order; ends after an error.
#[derive(Debug)]
pub struct GameReader {
    blocks: Blocks,
    games: std::vec::IntoIter<StoredGame>,
    /// Whether games are being added: then the last block may be incomplete.
    is_growing: bool,
    is_over: bool,
}

impl GameReader {
    /// Opens a store. A store that is being written can be read, too, with the games of its journal.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(LearnError::using(path))?;
        let is_growing = growing_file::is_locked(&file);
        Ok(Self { blocks: Blocks::new(file, path)?, games: Vec::new().into_iter(), is_growing, is_over: false })
    }

    /// Reads the games that wait in the journal for their block.
    fn read_journal(&mut self) {
        self.is_over = true;
        let Blocks { path, is_complete, sources, next_numbers, .. } = &self.blocks;
        if let (false, [source], [next]) = (is_complete, &sources[..], &next_numbers[..]) {
            self.games = stored(0, journal::read(path, source, *next)).into_iter();
        }
    }

    /// The sources of the games read so far.
    pub fn sources(&self) -> &[Source] {
        &self.blocks.sources
    }

    /// A game of this store, with the number of empty squares from which its source played exactly.
    pub(crate) fn with_source(&self, stored: StoredGame) -> Result<GameToLabel> {
        let source = self.blocks.sources.get(stored.source);
        let source = source.ok_or_else(|| self.blocks.damaged(&format!("there is no source {}", stored.source)))?;
        Ok(GameToLabel { game: stored.game, exact_from: source.exact_from() })
    }
}

impl Iterator for GameReader {
    type Item = Result<StoredGame>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.games.next() {
                return Some(Ok(game));
            }
            if self.is_over {
                return None;
            }
            match self.blocks.next() {
                Ok(Some(games)) => self.games = games.into_iter(),
                Ok(None) => self.read_journal(),
                Err(error) if self.is_growing && is_torn(&error) => self.read_journal(),
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

fn is_torn(error: &LearnError) -> bool {
    matches!(error, LearnError::Unusable { problem: FileProblem::Torn { .. }, .. })
}

/// A store to which the games of one source are added in the order of their numbers.
#[derive(Debug)]
pub struct GameStore {
    file: File,
    path: PathBuf,
    pending: Pending,
    journal: Journal,
    /// The beginning of the last block, if more games belong to it.
    unfinished: Option<u64>,
    fingerprints: HashSet<u64>,
    tally: Tally,
    was_torn: bool,
}

/// The content of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The number of the next game.
    pub next_number: u64,
    /// The number of distinct games.
    pub games: u64,
    /// The number of positions in which a move was made.
    pub positions: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
}

impl GameStore {
    /// Opens the store of this source, or creates it. Games that a run left in its journal are taken up.
    pub fn open(path: &Path, source: &Source) -> Result<Self> {
        let broken = LearnError::using(path);
        let mut store = Self {
            file: open_locked(path, "adding games to it")?,
            path: path.to_owned(),
            pending: Pending::new(0, 0),
            journal: Journal::beside(path, source),
            unfinished: None,
            fingerprints: HashSet::new(),
            tally: Tally::default(),
            was_torn: false,
        };
        store.journal.require_ours()?;
        store.read(source)?;
        let length = store.file.metadata().map_err(broken)?.len();
        if store.tally.bytes < length {
            store.was_torn = true;
            store.cut(store.tally.bytes)?;
        }
        store.file.seek(SeekFrom::End(0)).map_err(broken)?;
        if store.tally.bytes == 0 {
            let mut bytes = header(false).to_vec();
            bytes.extend(source.block(0).to_bytes());
            store.append(&bytes)?;
            sync_folder(path).map_err(broken)?;
        }
        store.take_up_journal(source)?;
        Ok(store)
    }

    /// Reads the existing content; a torn end is ignored.
    fn read(&mut self, source: &Source) -> Result<()> {
        let file = self.file.try_clone().map_err(LearnError::using(&self.path))?;
        let mut blocks = match Blocks::new(file, &self.path) {
            Err(error) if is_torn(&error) => return Ok(()),
            blocks => blocks?,
        };
        if blocks.is_complete {
            return Err(FileProblem::Merged.of(&self.path));
        }
        let expected = Fingerprint::of(&source.shortened());
        loop {
            let games = match blocks.next() {
                Err(error) if is_torn(&error) => return Ok(()),
                games => games?,
            };
            let Some(games) = games else { return Ok(()) };
            let found = blocks.sources.first().map(Fingerprint::of);
            if let Some(difference) = found.and_then(|found| found.difference(&expected)) {
                return Err(FileProblem::OtherGames(difference).of(&self.path));
            }
            for StoredGame { game, .. } in games {
                self.fingerprints.insert(game.fingerprint());
                self.tally.games += 1;
                self.tally.positions += game.moves().len() as u64;
            }
            self.tally.next_number = blocks.next_numbers.first().copied().unwrap_or(0);
            self.unfinished = (!self.tally.next_number.is_multiple_of(MAX_NUMBERS)).then_some(self.tally.bytes);
            self.tally.bytes = blocks.offset;
            self.pending = Pending::new(0, self.tally.next_number);
        }
    }

    fn take_up_journal(&mut self, source: &Source) -> Result<()> {
        for (_, game) in journal::read(&self.path, source, self.tally.next_number) {
            self.fingerprints.extend(game.as_ref().map(PlayedGame::fingerprint));
            self.hold(game.as_ref());
        }
        self.flush()
    }

    /// Takes the next number into the next block, with its game unless it is a duplicate.
    fn hold(&mut self, game: Option<&PlayedGame>) {
        self.pending.add(self.tally.next_number, game);
        self.tally.next_number += 1;
        if let Some(game) = game {
            self.tally.games += 1;
            self.tally.positions += game.moves().len() as u64;
        }
    }

    /// The games that were added: they are in the file or in its journal.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Whether the end of the file was incomplete and was removed.
    pub fn was_torn(&self) -> bool {
        self.was_torn
    }

    /// Adds the next game, unless it is a duplicate; returns whether a block was completed and written. The games of an
    /// incomplete block are in the journal: they survive the end of this process, and after [`sync`](Self::sync) that of
    /// the machine, too.
    pub fn add(&mut self, game: &PlayedGame) -> Result<bool> {
        self.resume_block()?;
        let game = self.fingerprints.insert(game.fingerprint()).then_some(game);
        let number = self.tally.next_number;
        self.hold(game);
        let is_full = self.tally.next_number.is_multiple_of(MAX_NUMBERS);
        if is_full {
            let bytes = self.pending.take().to_bytes();
            self.append(&bytes)?;
            self.journal.clear()?;
        } else {
            let mut entry = Pending::new(0, number);
            entry.add(number, game);
            self.journal.append(&entry.take())?;
        }
        Ok(is_full)
    }

    /// Moves the last block of the file into the journal if more games belong to it.
    fn resume_block(&mut self) -> Result<()> {
        let Some(offset) = self.unfinished.take() else { return Ok(()) };
        self.file.seek(SeekFrom::Start(offset)).map_err(LearnError::using(&self.path))?;
        let block = match Block::read(&mut &self.file) {
            Ok(block) => block,
            Err(BlockError::Io(source)) => return Err(LearnError::using(&self.path)(source)),
            Err(_) => None,
        };
        let games = block.and_then(|block| Some((block.games()?, block)));
        let Some((games, block)) = games else {
            let found = "its last block was changed by another process".to_owned();
            return Err(FileProblem::Damaged(offset, found).of(&self.path));
        };
        // The journal must be on the disk before the block is removed from the file.
        self.journal.append(&block)?;
        self.journal.sync()?;
        self.cut(offset)?;
        self.pending = Pending::new(0, block.first);
        for (number, game) in games {
            self.pending.add(number, game.as_ref());
        }
        Ok(())
    }

    fn cut(&mut self, length: u64) -> Result<()> {
        let cut = self.file.set_len(length).and_then(|()| self.file.sync_all());
        let cut = cut.and_then(|()| self.file.seek(SeekFrom::Start(length)));
        self.tally.bytes = length;
        cut.map(drop).map_err(LearnError::using(&self.path))
    }

    /// Waits until the games of the journal are on the disk.
    pub fn sync(&mut self) -> Result<()> {
        self.journal.sync()
    }

    /// Writes the incomplete block at the end of a run; later games are still added to it.
    pub fn flush(&mut self) -> Result<()> {
        if self.pending.block.span > 0 {
            let offset = self.tally.bytes;
            let bytes = self.pending.take().to_bytes();
            self.append(&bytes)?;
            self.unfinished = (!self.tally.next_number.is_multiple_of(MAX_NUMBERS)).then_some(offset);
        }
        self.journal.remove()
    }

    fn append(&mut self, bytes: &[u8]) -> Result<()> {
        let written = self.file.write_all(bytes).and_then(|()| self.file.sync_data());
        self.tally.bytes += bytes.len() as u64;
        written.map_err(LearnError::using(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game_block::END;
    use crate::tests::TestFile;

    /// Arbitrary blocks with correct checksums.
    fn any_block() -> impl Strategy<Value = Block> {
        let tag = prop_oneof![Just(SOURCE), Just(GAMES), Just(END)];
        let numbers = prop_oneof![0..200u64, any::<u64>()];
        let payload = prop::collection::vec(any::<u8>(), 0..80);
        (tag, 0..3u32, numbers, prop_oneof![0..70u32, any::<u32>()], any::<u64>(), payload).prop_map(
            |(tag, source, first, span, present, payload)| {
                // Few games or many: a block of arbitrary moves is hardly ever one of 64 games.
                let present = present & ((1 << (present >> 58)) - 1);
                Block { tag, source, first, span, present, payload }
            },
        )
    }

    proptest! {
        #[test]
        fn blocks_with_arbitrary_content_are_valid_games_or_refused(
            is_complete in any::<bool>(),
            blocks in prop::collection::vec(any_block(), 0..6),
            number in any::<u64>(),
        ) {
            let path = TestFile::new(&format!("any-blocks-{number:x}"));
            let mut bytes = header(is_complete).to_vec();
            bytes.extend(Source::Records { name: "any".to_owned() }.block(0).to_bytes());
            blocks.iter().for_each(|block| bytes.extend(block.to_bytes()));
            std::fs::write(&path, bytes).expect("a file");
            let results: Vec<_> = GameReader::open(&path).expect("a store").collect();
            // Nothing comes after an error.
            prop_assert!(results.iter().rev().skip(1).all(Result::is_ok));
            for stored in results.iter().flatten() {
                prop_assert!(stored.game.moves().len() >= 9);
            }
        }
    }
}
