//! A store of games: a file to which games are added block by block.
//!
//! Blocks are cut by the numbers of their games alone, so that the same games give the same file, however long they took
//! and however often the run was interrupted. The games of a block that is not full yet are in a journal
//! beside the store, which is read with it. A truncated block is removed when the store is opened for writing, and its
//! games are played again: they are determined by their numbers. A damaged store, one of other games, or another kind of
//! file is refused.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use storage::format::GROWING_HEADER;
use storage::growing_file::{self, fill, sync_folder};
use storage::whole_file::FileError;
use storage::{Difference, Fields, Fingerprint, Format};

use crate::game_block::{Block, BlockError, Kind, MAX_NUMBERS};
use crate::journal::{self, Journal};
use crate::labeling::GameToLabel;
use crate::mixed_radix::{Packer, Unpacker};
use crate::played_game::PlayedGame;
pub use crate::provenance::Source;

const FORMAT: Format = Format { magic: b"EMIGAMES", version: 1 };
/// The first bytes of a store.
pub const MAGIC: [u8; 8] = *FORMAT.magic;
/// Maximum length of the name of a source, so that it fits into a block.
const MAX_NAME: usize = 2_000;

/// Whether a store is complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Games of one source are added as they are played.
    Growing,
    /// Everything is present, up to the last block, which marks the end.
    Complete,
}

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

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The operating system reported an error.
    #[error("cannot use {path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Another process is adding games.
    #[error("{path} is in use: another process is adding games to it")]
    InUse {
        /// The file.
        path: String,
    },
    /// Another kind of file.
    #[error("{path} is not a store of games: {found}; expected one that `emilia learn play` or `learn merge` wrote")]
    NotAStore {
        /// The file.
        path: String,
        /// What was found.
        found: String,
    },
    /// The file ends inside a block.
    #[error(
        "{path} is truncated: {found} bytes follow byte {offset}; expected at least {expected}. Only the `emilia learn play` \
         command that made it can continue it"
    )]
    Torn {
        /// The file.
        path: String,
        /// The end of the last complete block.
        offset: u64,
        /// The number of bytes after it.
        found: usize,
        /// The number of bytes expected.
        expected: usize,
    },
    /// The content is damaged.
    #[error("{path} is damaged after byte {offset}: {found}")]
    Damaged {
        /// The file.
        path: String,
        /// The end of the last valid block.
        offset: u64,
        /// What was found.
        found: String,
    },
    /// It contains other games.
    #[error("{path} holds other games: {difference}, or another file")]
    Foreign {
        /// The file.
        path: String,
        /// What differs.
        difference: Difference,
    },
    /// It is complete, so no games can be added.
    #[error("{path} is a merged store, to which no games can be added; choose another name")]
    Complete {
        /// The file.
        path: String,
    },
    /// It cannot be written.
    #[error(transparent)]
    File(FileError),
    /// The file exists and would be overwritten.
    #[error("{path} already exists; choose another name")]
    Exists {
        /// The file.
        path: String,
    },
}

pub(crate) fn header(form: Form) -> [u8; GROWING_HEADER] {
    FORMAT.growing_header((form == Form::Complete).into())
}

impl Source {
    pub(crate) fn block(&self, number: usize) -> Block {
        let payload = self.shortened().fingerprint().to_string().into_bytes();
        Block { kind: Kind::Source, source: number as u32, first: 0, span: 0, present: 0, payload }
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
    path: String,
    form: Form,
    /// The end of the last valid block.
    offset: u64,
    sources: Vec<Source>,
    /// For each source, the number after the last one read.
    next_numbers: Vec<u64>,
    games: u64,
    has_ended: bool,
}

impl Blocks {
    fn new(file: File, path: &Path) -> Result<Self, StoreError> {
        let path = path.display().to_string();
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut first = [0; GROWING_HEADER];
        let found = fill(&mut reader, &mut first).map_err(|source| StoreError::Io { path: path.clone(), source })?;
        let not_a_store = |found: String| StoreError::NotAStore { path: path.clone(), found };
        if found < GROWING_HEADER {
            let is_beginning = MAGIC.starts_with(&first[..found.min(8)]);
            return Err(if is_beginning {
                StoreError::Torn { path, offset: 0, found, expected: GROWING_HEADER }
            } else {
                not_a_store(format!("it has only {found} bytes"))
            });
        }
        let form = match FORMAT.open_growing(&first).map_err(|error| not_a_store(error.to_string()))? {
            0 => Form::Growing,
            1 => Form::Complete,
            form => return Err(not_a_store(format!("it has form {form}; this program reads forms 0 and 1"))),
        };
        Ok(Self {
            reader,
            path,
            form,
            offset: GROWING_HEADER as u64,
            sources: Vec::new(),
            next_numbers: Vec::new(),
            games: 0,
            has_ended: false,
        })
    }

    /// The games of the next block, empty for other blocks, `None` at the end.
    fn next(&mut self) -> Result<Option<Vec<StoredGame>>, StoreError> {
        let block = match Block::read(&mut self.reader) {
            Ok(Some(_)) if self.has_ended => return Err(self.damaged("there is data after the last block")),
            Ok(Some(block)) => block,
            Ok(None) if self.form == Form::Complete && !self.has_ended => return Err(self.torn(0, 1)),
            Ok(None) if self.form == Form::Growing && self.sources.is_empty() => return Err(self.torn(0, 1)),
            Ok(None) => return Ok(None),
            Err(BlockError::Io(source)) => return Err(StoreError::Io { path: self.path.clone(), source }),
            Err(BlockError::Torn { found, expected }) => return Err(self.torn(found, expected)),
            Err(BlockError::Damaged(found)) => return Err(self.damaged(&found)),
        };
        let games = self.content(&block).map_err(|found| self.damaged(&found))?;
        self.offset += block.length();
        Ok(Some(games))
    }

    fn torn(&self, found: usize, expected: usize) -> StoreError {
        StoreError::Torn { path: self.path.clone(), offset: self.offset, found, expected }
    }

    fn damaged(&self, found: &str) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), offset: self.offset, found: found.to_owned() }
    }

    fn content(&mut self, block: &Block) -> Result<Vec<StoredGame>, String> {
        let source = block.source as usize;
        match block.kind {
            Kind::Source => {
                if source != self.sources.len() {
                    return Err(format!("source {source} follows {} others", self.sources.len()));
                }
                self.sources.push(Source::of_block(block).ok_or("a source has no description that can be read")?);
                self.next_numbers.push(0);
                Ok(Vec::new())
            }
            Kind::End => {
                if block.first != self.games {
                    return Err(format!("the last block states {} games, but there are {}", block.first, self.games));
                }
                self.has_ended = true;
                Ok(Vec::new())
            }
            Kind::Games => {
                let next = *self.next_numbers.get(source).ok_or_else(|| format!("there is no source {source}"))?;
                let is_gap = self.form == Form::Growing && block.first != next;
                if block.first < next || is_gap {
                    return Err(format!("found game {} where game {next} was expected", block.first));
                }
                let games = block.games().ok_or("a block has invalid moves")?;
                self.next_numbers[source] = block.first + u64::from(block.span);
                self.games += games.len() as u64;
                Ok(games)
            }
        }
    }
}

impl Block {
    /// The games, if the content is valid.
    pub(crate) fn games(&self) -> Option<Vec<StoredGame>> {
        let is_span = (1..=MAX_NUMBERS).contains(&self.span.into()) && self.first.checked_add(64).is_some();
        if !is_span || self.present.checked_shr(self.span).unwrap_or(0) != 0 {
            return None;
        }
        let mut unpacker = Unpacker::new(&self.payload);
        let games: Option<Vec<_>> = (0..u64::from(self.span))
            .filter(|bit| self.present >> bit & 1 == 1)
            .map(|bit| {
                let game = PlayedGame::unpack(&mut unpacker)?;
                Some(StoredGame { source: self.source as usize, number: self.first + bit, game })
            })
            .collect();
        games.filter(|_| unpacker.is_done())
    }
}

/// The games of the next block.
#[derive(Debug)]
pub(crate) struct Pending {
    source: usize,
    first: u64,
    span: u32,
    present: u64,
    packer: Packer,
}

impl Pending {
    pub(crate) fn new(source: usize, first: u64) -> Self {
        Self { source, first, span: 0, present: 0, packer: Packer::new() }
    }

    /// Whether the game with this number fits into the block.
    pub(crate) fn reaches(&self, number: u64) -> bool {
        (self.first + u64::from(self.span)..self.first + MAX_NUMBERS).contains(&number)
    }

    /// Adds the game with this number, which must fit, or skips the number of a duplicate.
    pub(crate) fn add(&mut self, number: u64, game: Option<&PlayedGame>) {
        let bit = (number - self.first) as u32;
        self.span = bit + 1;
        if let Some(game) = game {
            self.present |= 1 << bit;
            game.pack(&mut self.packer);
        }
    }

    /// The block; the next games start a new one.
    pub(crate) fn take(&mut self) -> Block {
        let next = Self::new(self.source, self.first + u64::from(self.span));
        let Self { source, first, span, present, packer } = std::mem::replace(self, next);
        Block { kind: Kind::Games, source: source as u32, first, span, present, payload: packer.finish() }
    }
}

/// The games of a store in order; ends after an error.
#[derive(Debug)]
pub struct GameReader {
    blocks: Blocks,
    games: std::vec::IntoIter<StoredGame>,
    path: PathBuf,
    /// Whether games are being added: then the last block may be incomplete.
    is_growing: bool,
    is_over: bool,
}

impl GameReader {
    /// Opens a store. A store that is being written can be read, too, with the games of its journal.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let file = File::open(path).map_err(|source| StoreError::Io { path: path.display().to_string(), source })?;
        let is_growing = growing_file::is_locked(&file);
        let blocks = Blocks::new(file, path)?;
        Ok(Self { blocks, games: Vec::new().into_iter(), path: path.to_owned(), is_growing, is_over: false })
    }

    /// Reads the games that wait in the journal for their block.
    fn read_journal(&mut self) {
        self.is_over = true;
        if let (Form::Growing, [source], [next]) =
            (self.blocks.form, &self.blocks.sources[..], &self.blocks.next_numbers[..])
        {
            let games: Vec<_> = journal::read(&self.path, source, *next).into_iter().flatten().collect();
            self.games = games.into_iter();
        }
    }

    /// The sources of the games read so far.
    pub fn sources(&self) -> &[Source] {
        &self.blocks.sources
    }

    /// A game of this store, with the number of empty squares from which its source played exactly.
    pub fn with_source(&self, stored: StoredGame) -> Result<GameToLabel, StoreError> {
        let source = self.blocks.sources.get(stored.source);
        let source = source.ok_or_else(|| self.blocks.damaged(&format!("there is no source {}", stored.source)))?;
        Ok(GameToLabel { game: stored.game, exact_from: source.exact_from() })
    }
}

impl Iterator for GameReader {
    type Item = Result<StoredGame, StoreError>;

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
                Err(StoreError::Torn { .. }) if self.is_growing => self.read_journal(),
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
    }
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
    pub fn open(path: &Path, source: &Source) -> Result<Self, StoreError> {
        let broken = |source| StoreError::Io { path: path.display().to_string(), source };
        let file = growing_file::open(path).map_err(broken)?;
        lock(&file, path)?;
        let mut store = Self {
            file,
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
            let mut bytes = header(Form::Growing).to_vec();
            bytes.extend(source.block(0).to_bytes());
            store.append(&bytes)?;
            sync_folder(path).map_err(broken)?;
        }
        store.take_up_journal(source)?;
        Ok(store)
    }

    /// Reads the existing content; a torn end is ignored.
    fn read(&mut self, source: &Source) -> Result<(), StoreError> {
        let path = self.path.display().to_string();
        let file = self.file.try_clone().map_err(|source| StoreError::Io { path: path.clone(), source })?;
        let mut blocks = match Blocks::new(file, &self.path) {
            Ok(blocks) => blocks,
            Err(StoreError::Torn { .. }) => return Ok(()),
            Err(error) => return Err(error),
        };
        if blocks.form == Form::Complete {
            return Err(StoreError::Complete { path });
        }
        let expected = source.shortened().fingerprint();
        loop {
            let games = match blocks.next() {
                Ok(Some(games)) => games,
                Ok(None) | Err(StoreError::Torn { .. }) => return Ok(()),
                Err(error) => return Err(error),
            };
            let found = blocks.sources.first().map(Source::fingerprint);
            if let Some(difference) = found.and_then(|found| found.difference(&expected)) {
                return Err(StoreError::Foreign { path, difference });
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

    /// Moves the games of the journal into the file.
    fn take_up_journal(&mut self, source: &Source) -> Result<(), StoreError> {
        for stored in journal::read(&self.path, source, self.tally.next_number) {
            let game = stored.as_ref().map(|stored| &stored.game);
            self.fingerprints.extend(game.map(PlayedGame::fingerprint));
            self.hold(game);
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
    pub fn add(&mut self, game: &PlayedGame) -> Result<bool, StoreError> {
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
    fn resume_block(&mut self) -> Result<(), StoreError> {
        let Some(offset) = self.unfinished.take() else { return Ok(()) };
        let broken = |source| StoreError::Io { path: self.path.display().to_string(), source };
        self.file.seek(SeekFrom::Start(offset)).map_err(broken)?;
        let block = match Block::read(&mut &self.file) {
            Ok(Some(block)) => block,
            Err(BlockError::Io(source)) => return Err(broken(source)),
            _ => return Err(self.changed(offset)),
        };
        let games = block.games().ok_or_else(|| self.changed(offset))?;
        // On the disk before it leaves the file.
        self.journal.append(&block)?;
        self.journal.sync()?;
        self.cut(offset)?;
        self.pending = Pending::new(0, block.first);
        let mut games = games.iter().peekable();
        for number in block.first..block.first + u64::from(block.span) {
            let game = games.next_if(|stored| stored.number == number).map(|stored| &stored.game);
            self.pending.add(number, game);
        }
        Ok(())
    }

    fn changed(&self, offset: u64) -> StoreError {
        let found = "its last block was changed by another process".to_owned();
        StoreError::Damaged { path: self.path.display().to_string(), offset, found }
    }

    /// Removes what follows this byte.
    fn cut(&mut self, length: u64) -> Result<(), StoreError> {
        let cut = self.file.set_len(length).and_then(|()| self.file.sync_all());
        let cut = cut.and_then(|()| self.file.seek(SeekFrom::Start(length)));
        self.tally.bytes = length;
        cut.map(drop).map_err(|source| StoreError::Io { path: self.path.display().to_string(), source })
    }

    /// Waits until the games of the journal are on the disk.
    pub fn sync(&mut self) -> Result<(), StoreError> {
        self.journal.sync()
    }

    /// Writes the games of an incomplete block: the run ends. If games follow nevertheless, they are added to it.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        if self.pending.span > 0 {
            let offset = self.tally.bytes;
            let bytes = self.pending.take().to_bytes();
            self.append(&bytes)?;
            self.unfinished = (!self.tally.next_number.is_multiple_of(MAX_NUMBERS)).then_some(offset);
        }
        self.journal.remove()
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let written = self.file.write_all(bytes).and_then(|()| self.file.sync_data());
        self.tally.bytes += bytes.len() as u64;
        written.map_err(|source| StoreError::Io { path: self.path.display().to_string(), source })
    }
}

/// Locks the file against writing by other processes.
pub(crate) fn lock(file: &File, path: &Path) -> Result<(), StoreError> {
    let path = path.display().to_string();
    match growing_file::lock(file) {
        Ok(true) => Ok(()),
        Ok(false) => Err(StoreError::InUse { path }),
        Err(source) => Err(StoreError::Io { path, source }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Arbitrary blocks with correct checksums.
    fn any_block() -> impl Strategy<Value = Block> {
        let kind = prop_oneof![Just(Kind::Source), Just(Kind::Games), Just(Kind::End)];
        let numbers = prop_oneof![0..200u64, any::<u64>()];
        let payload = prop::collection::vec(any::<u8>(), 0..80);
        (kind, 0..3u32, numbers, prop_oneof![0..70u32, any::<u32>()], any::<u64>(), payload).prop_map(
            |(kind, source, first, span, present, payload)| {
                // Few games or many: a block of arbitrary moves is hardly ever one of 64 games.
                let present = present & ((1 << (present >> 58)) - 1);
                Block { kind, source, first, span, present, payload }
            },
        )
    }

    proptest! {
        #[test]
        fn blocks_with_arbitrary_content_are_valid_games_or_refused(
            form in prop_oneof![Just(Form::Growing), Just(Form::Complete)],
            blocks in prop::collection::vec(any_block(), 0..6),
            number in any::<u64>(),
        ) {
            let path = std::env::temp_dir().join(format!("emilia-any-blocks-{}-{number:x}", std::process::id()));
            let mut bytes = header(form).to_vec();
            bytes.extend(Source::Records { name: "any".to_owned() }.block(0).to_bytes());
            blocks.iter().for_each(|block| bytes.extend(block.to_bytes()));
            std::fs::write(&path, bytes).expect("a file");
            let results: Vec<_> = GameReader::open(&path).expect("a store").collect();
            std::fs::remove_file(&path).expect("a file");
            // Nothing comes after an error.
            prop_assert!(results.iter().rev().skip(1).all(Result::is_ok));
            for stored in results.iter().flatten() {
                prop_assert!(stored.game.moves().len() >= 9);
            }
        }
    }
}
