//! A store of labeled positions: a file to which positions are added block by block, sorted by the number of empty
//! squares, fewest first, so that a training reads only the positions it needs.
//!
//! A block is on the disk before its positions are reported as written. An incomplete block is removed when the store
//! is opened for writing. A damaged store, one of other labels, or another kind of file is refused.

use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use othello::Rules;
use storage::block::BlockHead;
use storage::format::GROWING_HEADER;
use storage::growing_file::{self, fill, lock, sync_folder};
use storage::{Difference, Fields, Fingerprint, Format};

use crate::labels::{LabeledPosition, POSITION_BYTES};
pub use crate::provenance::LabelSource;

const FORMAT: Format = Format { magic: b"EMILABEL", version: 1 };
/// The header of a block; its fields are the number of empty squares and the number of positions before it.
type FileHead = BlockHead<12>;
/// The length of the header of a block in bytes.
const HEAD_BYTES: usize = FileHead::BYTES;
/// The number of positions in a full block; the last block with a number of empty squares may have fewer.
pub const POSITIONS_IN_A_BLOCK: usize = 4096;
/// The maximum length of a payload in bytes.
const LONGEST_PAYLOAD: u32 = (POSITIONS_IN_A_BLOCK * POSITION_BYTES) as u32;
/// The maximum number of stores of games.
pub const MAX_STORES: usize = 1_000;

/// Why a store of labeled positions cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LabelStoreError {
    /// The operating system reported an error.
    #[error("cannot use {path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Another process is adding positions.
    #[error("{path} is in use: another process is adding positions to it")]
    InUse {
        /// The file.
        path: String,
    },
    /// Another kind of file.
    #[error("{path} is not a store of labeled positions: {found}; expected one that `emilia learn label` wrote")]
    NotAStore {
        /// The file.
        path: String,
        /// What was found.
        found: String,
    },
    /// The store is incomplete.
    #[error(
        "{path} is not finished: it ends at byte {offset}, without its last block; run the `emilia learn label` command \
         that made it again to finish it"
    )]
    Unfinished {
        /// The file.
        path: String,
        /// The end of the last complete block.
        offset: u64,
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
    /// It contains other positions or labels.
    #[error("{path} holds other labels: {difference}, or another file")]
    Foreign {
        /// The file.
        path: String,
        /// What differs.
        difference: Difference,
    },
}

/// Reads the source from the first block of a store.
fn source_of_payload(payload: &[u8]) -> Option<LabelSource> {
    Fingerprint::parse(Fields(payload).text()?).ok()?.data().ok()
}

/// The kind of content of a block.
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

/// The header of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Head {
    kind: Kind,
    /// The length of the payload in bytes.
    length: u32,
    /// The number of empty squares of its positions.
    empties: u32,
    /// The number of positions before it.
    before: u64,
    /// As stored in the file, with the checksum of the payload.
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

/// A block of positions and its offset.
#[derive(Clone, Copy, Debug)]
struct Place {
    head: Head,
    /// The offset of its payload.
    offset: u64,
}

/// The valid part of a file; only the headers of the blocks are read.
#[derive(Debug)]
struct Contents {
    file: File,
    path: String,
    source: Option<LabelSource>,
    places: Vec<Place>,
    positions: u64,
    /// The end of the last complete block.
    end: u64,
    is_complete: bool,
}

impl Contents {
    fn read(file: File, path: &Path) -> Result<Self, LabelStoreError> {
        let path = path.display().to_string();
        let length = file.metadata().map_err(|source| LabelStoreError::Io { path: path.clone(), source })?.len();
        let places = Vec::new();
        let mut contents = Self { file, path, source: None, places, positions: 0, end: 0, is_complete: false };
        let mut header = [0; GROWING_HEADER];
        let found = contents.read_at(0, &mut header)?;
        if found < GROWING_HEADER {
            if FORMAT.magic.starts_with(&header[..found.min(8)]) {
                return Ok(contents);
            }
            return Err(contents.not_a_store(format!("it has only {found} bytes")));
        }
        if let Err(error) = FORMAT.open_growing(&header) {
            return Err(contents.not_a_store(error.to_string()));
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

    /// Checks that a block is expected here and adds it.
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
                let source = source_of_payload(&payload);
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

    /// The payload of a block, checked.
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

    /// Iterates over the positions of a block.
    fn positions_of(&self, place: &Place, take: &mut dyn FnMut(&LabeledPosition)) -> Result<(), LabelStoreError> {
        let payload = self.payload(place)?;
        let games = self.source.as_ref().map_or(0, LabelSource::game_count);
        for bytes in payload.chunks_exact(POSITION_BYTES) {
            let position = bytes.try_into().ok().and_then(LabeledPosition::read).filter(|position| {
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

/// Whether a file begins like a store of labeled positions.
pub fn is_label_store(path: &Path) -> io::Result<bool> {
    let mut first = [0; FORMAT.magic.len()];
    let found = fill(&mut BufReader::new(File::open(path)?), &mut first)?;
    Ok(found == first.len() && first == *FORMAT.magic)
}

/// A complete store, for reading.
#[derive(Debug)]
pub struct LabelReader {
    contents: Contents,
    source: LabelSource,
}

impl LabelReader {
    /// Opens a store, which must be complete.
    pub fn open(path: &Path) -> Result<Self, LabelStoreError> {
        let broken = |source| LabelStoreError::Io { path: path.display().to_string(), source };
        let contents = Contents::read(File::open(path).map_err(broken)?, path)?;
        match contents.source.clone() {
            Some(source) if contents.is_complete => Ok(Self { source, contents }),
            _ => Err(LabelStoreError::Unfinished { path: contents.path, offset: contents.end }),
        }
    }

    /// The kinds of labels and the source of the positions.
    pub fn source(&self) -> &LabelSource {
        &self.source
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.contents.positions
    }

    /// Iterates over the positions with this number of empty squares, and reads no others.
    pub fn read(
        &self,
        empties: RangeInclusive<u32>,
        mut take: impl FnMut(&LabeledPosition),
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
    /// The positions of the next block, and their number of empty squares.
    pending: Vec<u8>,
    pending_empties: u32,
}

/// The content of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LabelTally {
    /// The number of positions.
    pub positions: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
}

impl LabelStore {
    /// The source of a complete or incomplete store; `None` if the file does not exist.
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
            let mut bytes = FORMAT.growing_header(0).to_vec();
            bytes.extend(block(Kind::Source, 0, 0, source.fingerprint().to_string().as_bytes()));
            store.append(&bytes)?;
            sync_folder(path).map_err(broken)?;
        }
        Ok(store)
    }

    /// The content of the file, which is safe on the disk.
    pub fn tally(&self) -> LabelTally {
        LabelTally { positions: self.contents.positions, bytes: self.contents.end }
    }

    /// Whether the end of the file was incomplete and was removed.
    pub fn was_torn(&self) -> bool {
        self.was_torn
    }

    /// Whether the store is complete.
    pub fn is_complete(&self) -> bool {
        self.contents.is_complete
    }

    /// The positions with this number of empty squares that are in the store.
    pub fn written(&self, empties: u32) -> Result<Vec<LabeledPosition>, LabelStoreError> {
        let places: Vec<_> =
            self.contents.places.iter().filter(|place| place.head.empties == empties).copied().collect();
        let mut positions = Vec::new();
        for place in &places {
            self.contents.positions_of(place, &mut |position| positions.push(*position))?;
        }
        Ok(positions)
    }

    /// The error for unexpected content.
    pub(crate) fn differs(&self, found: &str) -> LabelStoreError {
        self.contents.damaged(found)
    }

    /// Adds a position; returns whether a block was completed and written. The number of empty squares must not
    /// decrease.
    pub fn add(&mut self, position: &LabeledPosition) -> Result<bool, LabelStoreError> {
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

    /// Writes the positions of an incomplete block: the last one with this number of empty squares.
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
