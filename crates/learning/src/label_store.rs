//! A store of labelled positions: a file to which positions are added, a block at a time, all those with one empty
//! square first, then those with two, and so on, so that a training reads only what it learns from.
//!
//! A block is on the disk before its positions are reported written. One that was not written to its end is cut off
//! when the store is opened to go on. A damaged store, one of other labels, or a file of something else is refused.

use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use othello::Rules;
use storage::block::BlockHead;
use storage::format::GROWING_HEADER;
use storage::growing_file::{self, fill, lock, sync_folder};
use storage::{Difference, Fields, Fingerprint, Format};

use crate::labels::{Label, LabelledPosition, POSITION_BYTES};
use crate::legacy_description;
pub use crate::provenance::LabelSource;

/// The format: in version 1 the first block says in words what decided the labels, since version 2 as data.
const FORMAT: Format = Format { magic: b"EMILABEL", oldest: 1, newest: 2 };
/// The version that is written.
const VERSION: u16 = FORMAT.newest as u16;
/// The head of a block; its fields are the empty squares of its positions and the number of positions before it.
type FileHead = BlockHead<12>;
/// The bytes before the payload of a block.
const HEAD_BYTES: usize = FileHead::BYTES;
/// The positions of a block that is not the last with its number of empty squares.
pub const POSITIONS_IN_A_BLOCK: usize = 4096;
/// No block has a longer payload.
const LONGEST_PAYLOAD: u32 = (POSITIONS_IN_A_BLOCK * POSITION_BYTES) as u32;
/// The most stores of games that the positions come from.
pub const MOST_STORES: usize = 1_000;

/// Why a store of labelled positions cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LabelStoreError {
    /// The system refused.
    #[error("cannot use {path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// The system's error.
        source: io::Error,
    },
    /// Another process adds positions.
    #[error("{path} is in use: another process is adding positions to it")]
    InUse {
        /// The file.
        path: String,
    },
    /// It is something else.
    #[error("{path} is not a store of labeled positions: {found}; expected one that `emilia learn label` wrote")]
    NotAStore {
        /// The file.
        path: String,
        /// What was found.
        found: String,
    },
    /// Positions are missing.
    #[error(
        "{path} is not finished: it ends at byte {offset}, without its last block; run the `emilia learn label` command \
         that made it again to finish it"
    )]
    Unfinished {
        /// The file.
        path: String,
        /// Where the last whole block ends.
        offset: u64,
    },
    /// What stands in it was not written so.
    #[error("{path} is damaged after byte {offset}: {found}")]
    Damaged {
        /// The file.
        path: String,
        /// Where the last good block ends.
        offset: u64,
        /// What was found.
        found: String,
    },
    /// It has other positions or labels.
    #[error("{path} holds other labels: {difference}, or another file")]
    Foreign {
        /// The file.
        path: String,
        /// What differs.
        difference: Difference,
    },
}

/// What the first block of a store says.
fn source_of_payload(payload: &[u8], version: u16) -> Option<LabelSource> {
    if version > 1 {
        return Fingerprint::parse(Fields(payload).text()?).ok()?.data().ok();
    }
    let mut fields = Fields(payload);
    let set = fields.u8()?;
    let stores = fields.u16()?;
    let games = (0..stores).map(|_| fields.u64()).collect::<Option<_>>()?;
    let source = legacy_description::labels(games, fields.text()?)?;
    (source.labels().iter().fold(0, |set, label: &Label| set | label.bit()) == set).then_some(source)
}

/// What a block holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Source,
    Positions,
    End,
}

impl Kind {
    const ALL: [(Kind, [u8; 4]); 3] = [(Kind::Source, *b"FROM"), (Kind::Positions, *b"POSI"), (Kind::End, *b"ENDS")];

    fn tag(self) -> [u8; 4] {
        Self::ALL.into_iter().find(|&(kind, _)| kind == self).map_or(*b"    ", |(_, tag)| tag)
    }
}

/// The head of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Head {
    kind: Kind,
    /// The bytes behind the head.
    length: u32,
    /// The empty squares of its positions.
    empties: u32,
    /// How many positions come before it.
    before: u64,
    /// As it stands in the file, with the checksum of what is behind it.
    file: FileHead,
}

impl Head {
    fn of_bytes(bytes: &[u8; HEAD_BYTES]) -> Result<Self, String> {
        let file = FileHead::read(bytes).map_err(|damage| damage.to_string())?;
        let kind = Kind::ALL.into_iter().find(|(_, tag)| *tag == file.tag).map(|(kind, _)| kind);
        let kind = kind.ok_or("a block is of a kind that this program does not know")?;
        let mut fields = Fields(&file.fields);
        let (empties, before) = (fields.u32().unwrap_or_default(), fields.u64().unwrap_or_default());
        let head = Self { kind, length: file.length, empties, before, file };
        if head.length > LONGEST_PAYLOAD || kind == Kind::Positions && !head.has_positions() {
            return Err(format!("a block claims to have {} bytes", head.length));
        }
        Ok(head)
    }

    fn has_positions(&self) -> bool {
        self.length > 0 && (self.length as usize).is_multiple_of(POSITION_BYTES)
    }

    fn positions(&self) -> u64 {
        u64::from(self.length) / POSITION_BYTES as u64
    }
}

/// A block of positions and where it stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    head: Head,
    /// Where its payload begins.
    offset: u64,
}

/// What a file holds, as far as it is whole; only the heads of the blocks are looked at.
#[derive(Debug)]
struct Contents {
    file: File,
    path: String,
    version: u16,
    source: Option<LabelSource>,
    places: Vec<Place>,
    positions: u64,
    /// Where the last whole block ends.
    end: u64,
    is_complete: bool,
}

impl Contents {
    fn read(file: File, path: &Path) -> Result<Self, LabelStoreError> {
        let path = path.display().to_string();
        let length = file.metadata().map_err(|source| LabelStoreError::Io { path: path.clone(), source })?.len();
        let (version, places) = (VERSION, Vec::new());
        let mut contents = Self { file, path, version, source: None, places, positions: 0, end: 0, is_complete: false };
        let mut header = [0; GROWING_HEADER];
        let found = contents.read_at(0, &mut header)?;
        if found < GROWING_HEADER {
            if FORMAT.magic.starts_with(&header[..found.min(8)]) {
                return Ok(contents);
            }
            return Err(contents.not_a_store(format!("it has only {found} bytes")));
        }
        match FORMAT.open_growing(&header) {
            Ok((version, _)) => contents.version = version,
            Err(error) => return Err(contents.not_a_store(error.to_string())),
        }
        contents.end = GROWING_HEADER as u64;
        loop {
            let mut head = [0; HEAD_BYTES];
            let found = contents.read_at(contents.end, &mut head)?;
            if found < HEAD_BYTES {
                if contents.is_complete && found > 0 {
                    return Err(contents.damaged("there is data after the last block"));
                }
                return Ok(contents);
            }
            let head = Head::of_bytes(&head).map_err(|found| contents.damaged(&found))?;
            let offset = contents.end + HEAD_BYTES as u64;
            let end = offset + u64::from(head.length);
            if end > length {
                return Ok(contents);
            }
            contents.accept(Place { head, offset })?;
            contents.end = end;
        }
    }

    /// Checks that a block is due and takes it in.
    fn accept(&mut self, place: Place) -> Result<(), LabelStoreError> {
        let Head { kind, empties, before, .. } = place.head;
        if self.is_complete {
            return Err(self.damaged("there is data after the last block"));
        }
        if before != self.positions {
            let found = format!("a block follows {before} positions, and there are {}", self.positions);
            return Err(self.damaged(&found));
        }
        match (kind, &self.source) {
            (Kind::Source, None) => {
                let payload = self.payload(&place)?;
                let source = source_of_payload(&payload, self.version);
                self.source = Some(source.ok_or_else(|| self.damaged("the source of the positions is missing"))?);
            }
            (Kind::Positions, Some(_)) => {
                let last = self.places.last().map_or(0, |last| last.head.empties);
                if empties < last || empties > 60 {
                    let found = format!("positions with {empties} empty squares follow those with {last}");
                    return Err(self.damaged(&found));
                }
                self.positions += place.head.positions();
                self.places.push(place);
            }
            (Kind::End, Some(_)) => self.is_complete = true,
            _ => return Err(self.damaged("a block is in the wrong place")),
        }
        Ok(())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, LabelStoreError> {
        let mut file = &self.file;
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| fill(&mut file, buffer));
        read.map_err(|source| LabelStoreError::Io { path: self.path.clone(), source })
    }

    /// What a block holds, checked.
    fn payload(&self, place: &Place) -> Result<Vec<u8>, LabelStoreError> {
        let mut payload = vec![0; place.head.length as usize];
        let found = self.read_at(place.offset, &mut payload)?;
        match place.head.file.check(&payload[..found]) {
            Ok(()) => Ok(payload),
            Err(damage) => {
                let (path, offset) = (self.path.clone(), place.offset - HEAD_BYTES as u64);
                Err(LabelStoreError::Damaged { path, offset, found: damage.to_string() })
            }
        }
    }

    /// Hands out the positions of a block.
    fn positions_of(&self, place: &Place, take: &mut dyn FnMut(&LabelledPosition)) -> Result<(), LabelStoreError> {
        let payload = self.payload(place)?;
        let games = self.source.as_ref().map_or(0, LabelSource::game_count);
        for bytes in payload.chunks_exact(POSITION_BYTES) {
            let position = bytes.try_into().ok().and_then(LabelledPosition::read).filter(|position| {
                let is_due = position.board.empty_count() == place.head.empties && u64::from(position.game) < games;
                is_due && position.board.can_move()
            });
            let Some(position) = position else {
                let (path, offset) = (self.path.clone(), place.offset - HEAD_BYTES as u64);
                let found = "a block has an invalid position".to_owned();
                return Err(LabelStoreError::Damaged { path, offset, found });
            };
            take(&position);
        }
        Ok(())
    }

    fn not_a_store(&self, found: String) -> LabelStoreError {
        LabelStoreError::NotAStore { path: self.path.clone(), found }
    }

    fn damaged(&self, found: &str) -> LabelStoreError {
        LabelStoreError::Damaged { path: self.path.clone(), offset: self.end, found: found.to_owned() }
    }
}

/// Whether a file begins as a store of labelled positions does.
pub fn is_label_store(path: &Path) -> io::Result<bool> {
    let mut first = [0; FORMAT.magic.len()];
    let found = fill(&mut BufReader::new(File::open(path)?), &mut first)?;
    Ok(found == first.len() && first == *FORMAT.magic)
}

/// A finished store, to be read as often as needed.
#[derive(Debug)]
pub struct LabelReader {
    contents: Contents,
    source: LabelSource,
}

impl LabelReader {
    /// Opens a store, which must be finished.
    pub fn open(path: &Path) -> Result<Self, LabelStoreError> {
        let broken = |source| LabelStoreError::Io { path: path.display().to_string(), source };
        let contents = Contents::read(File::open(path).map_err(broken)?, path)?;
        match contents.source.clone() {
            Some(source) if contents.is_complete => Ok(Self { source, contents }),
            _ => Err(LabelStoreError::Unfinished { path: contents.path, offset: contents.end }),
        }
    }

    /// What the labels are and where the positions come from.
    pub fn source(&self) -> &LabelSource {
        &self.source
    }

    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        self.contents.positions
    }

    /// Hands out the positions with so many empty squares, and reads no others.
    pub fn read(
        &self,
        empties: RangeInclusive<u32>,
        mut take: impl FnMut(&LabelledPosition),
    ) -> Result<(), LabelStoreError> {
        let contents = &self.contents;
        let places: Vec<_> =
            contents.places.iter().filter(|place| empties.contains(&place.head.empties)).copied().collect();
        places.iter().try_for_each(|place| contents.positions_of(place, &mut take))
    }
}

/// A store to which positions are added.
#[derive(Debug)]
pub struct LabelStore {
    contents: Contents,
    path: PathBuf,
    was_torn: bool,
    /// The positions of the block to come, which have so many empty squares.
    pending: Vec<u8>,
    pending_empties: u32,
}

/// What a store holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LabelTally {
    /// The positions.
    pub positions: u64,
    /// The bytes of the file.
    pub bytes: u64,
}

impl LabelStore {
    /// What an unfinished or finished store says of itself, or nothing if nothing is there yet.
    pub fn source(path: &Path) -> Result<Option<LabelSource>, LabelStoreError> {
        match File::open(path) {
            Ok(file) => Ok(Contents::read(file, path)?.source),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(LabelStoreError::Io { path: path.display().to_string(), source }),
        }
    }

    /// Opens the store of this source, or creates it.
    pub fn open(path: &Path, source: &LabelSource) -> Result<Self, LabelStoreError> {
        let broken = |source| LabelStoreError::Io { path: path.display().to_string(), source };
        let file = growing_file::open(path).map_err(broken)?;
        if !lock(&file).map_err(broken)? {
            return Err(LabelStoreError::InUse { path: path.display().to_string() });
        }
        let mut contents = Contents::read(file, path)?;
        let found = contents.source.as_ref().map(LabelSource::fingerprint);
        if let Some(difference) = found.and_then(|found| found.difference(&source.fingerprint())) {
            return Err(LabelStoreError::Foreign { path: path.display().to_string(), difference });
        }
        let length = contents.file.metadata().map_err(broken)?.len();
        let was_torn = contents.end < length;
        let is_new = contents.source.is_none();
        if is_new {
            contents.end = 0;
        }
        if was_torn || is_new {
            contents.file.set_len(contents.end).and_then(|()| contents.file.sync_all()).map_err(broken)?;
        }
        let path_buffer = path.to_owned();
        let mut store = Self { contents, path: path_buffer, was_torn, pending: Vec::new(), pending_empties: 0 };
        if is_new {
            store.contents.source = Some(source.clone());
            store.contents.version = VERSION;
            let mut bytes = FORMAT.growing_header(VERSION, 0).to_vec();
            bytes.extend(block(Kind::Source, 0, 0, source.fingerprint().to_string().as_bytes()));
            store.append(&bytes)?;
            sync_folder(path).map_err(broken)?;
        }
        Ok(store)
    }

    /// What the file holds: every position of it survives whatever happens.
    pub fn tally(&self) -> LabelTally {
        LabelTally { positions: self.contents.positions, bytes: self.contents.end }
    }

    /// Whether the file had an end that was not written completely and had to be cut off.
    pub fn was_torn(&self) -> bool {
        self.was_torn
    }

    /// Whether everything is there.
    pub fn is_complete(&self) -> bool {
        self.contents.is_complete
    }

    /// The positions with so many empty squares that are there already.
    pub fn written(&self, empties: u32) -> Result<Vec<LabelledPosition>, LabelStoreError> {
        let places: Vec<_> =
            self.contents.places.iter().filter(|place| place.head.empties == empties).copied().collect();
        let mut positions = Vec::new();
        for place in &places {
            self.contents.positions_of(place, &mut |position| positions.push(*position))?;
        }
        Ok(positions)
    }

    /// Says that what is there is not what it should be.
    pub(crate) fn differs(&self, found: &str) -> LabelStoreError {
        self.contents.damaged(found)
    }

    /// Adds a position; whether a block was completed and written. The empty squares never get fewer.
    pub fn add(&mut self, position: &LabelledPosition) -> Result<bool, LabelStoreError> {
        let empties = position.board.empty_count();
        if empties != self.pending_empties {
            self.flush()?;
            self.pending_empties = empties;
        }
        position.write(&mut self.pending);
        let is_full = self.pending.len() == POSITIONS_IN_A_BLOCK * POSITION_BYTES;
        if is_full {
            self.flush()?;
        }
        Ok(is_full)
    }

    /// Writes the positions that wait for their block to be full: no more with so many empty squares come.
    pub fn flush(&mut self) -> Result<(), LabelStoreError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let payload = std::mem::take(&mut self.pending);
        let bytes = block(Kind::Positions, self.pending_empties, self.contents.positions, &payload);
        self.append(&bytes)?;
        self.contents.positions += (payload.len() / POSITION_BYTES) as u64;
        Ok(())
    }

    /// Writes the last block.
    pub fn finish(&mut self) -> Result<(), LabelStoreError> {
        self.flush()?;
        if !self.contents.is_complete {
            let bytes = block(Kind::End, 0, self.contents.positions, &[]);
            self.append(&bytes)?;
            self.contents.is_complete = true;
        }
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), LabelStoreError> {
        let Contents { file, end, .. } = &mut self.contents;
        let written =
            file.seek(SeekFrom::Start(*end)).and_then(|_| file.write_all(bytes)).and_then(|()| file.sync_data());
        *end += bytes.len() as u64;
        written.map_err(|source| LabelStoreError::Io { path: self.path.display().to_string(), source })
    }
}

fn block(kind: Kind, empties: u32, before: u64, payload: &[u8]) -> Vec<u8> {
    let mut fields = [0; 12];
    fields[..4].copy_from_slice(&empties.to_le_bytes());
    fields[4..].copy_from_slice(&before.to_le_bytes());
    FileHead::block(kind.tag(), fields, payload)
}
