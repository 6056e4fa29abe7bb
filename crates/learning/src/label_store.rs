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
use storage::growing_file::{fill, sync_folder};
use storage::{Fields, Fingerprint, Format};

use crate::error::{FileProblem, LearnError, Result};
use crate::game_store::open_locked;
use crate::labels::{LabeledPosition, POSITION_BYTES};
pub(crate) use crate::provenance::LabelSource;

const FORMAT: Format = Format { magic: b"EMILABEL", version: 1 };
/// The header of a block; its fields are the number of empty squares and the number of positions before it.
type FileHead = BlockHead<12>;
const HEAD_BYTES: usize = FileHead::BYTES;
/// The number of positions in a full block; the last block with a number of empty squares may have fewer.
const POSITIONS_IN_A_BLOCK: usize = 4096;
const LONGEST_PAYLOAD: u32 = (POSITIONS_IN_A_BLOCK * POSITION_BYTES) as u32;
pub(crate) const MAX_STORES: usize = 1_000;

/// The tags of blocks: the source of the positions, positions, the end of the store.
const SOURCE: [u8; 4] = *b"FROM";
const POSITIONS: [u8; 4] = *b"POSI";
const END: [u8; 4] = *b"ENDS";

#[derive(Clone, Copy, Debug)]
struct Head {
    /// The number of empty squares of its positions.
    empties: u32,
    /// The number of positions before it.
    before: u64,
    /// As stored in the file, with the tag, the length and the checksum of the payload.
    file: FileHead,
}

impl Head {
    fn of_bytes(bytes: &[u8; HEAD_BYTES]) -> Result<Self, String> {
        let file = FileHead::read(bytes).map_err(|damage| damage.to_string())?;
        let FileHead { tag, length, .. } = file;
        if ![SOURCE, POSITIONS, END].contains(&tag) {
            return Err("a block is of a kind that this program does not know".to_owned());
        }
        let has_positions = length > 0 && (length as usize).is_multiple_of(POSITION_BYTES);
        if length > LONGEST_PAYLOAD || tag == POSITIONS && !has_positions {
            return Err(format!("a block claims to have {length} bytes"));
        }
        let mut fields = Fields(&file.fields);
        let (empties, before) = (fields.u32().unwrap_or_default(), fields.u64().unwrap_or_default());
        Ok(Self { empties, before, file })
    }
}

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
    path: PathBuf,
    source: Option<LabelSource>,
    places: Vec<Place>,
    positions: u64,
    /// The end of the last complete block.
    end: u64,
    is_complete: bool,
}

impl Contents {
    fn read(file: File, path: &Path) -> Result<Self> {
        let path = path.to_owned();
        let length = file.metadata().map_err(LearnError::using(&path))?.len();
        let places = Vec::new();
        let mut contents = Self { file, path, source: None, places, positions: 0, end: 0, is_complete: false };
        let mut header = [0; GROWING_HEADER];
        let found = contents.read_at(0, &mut header)?;
        let not_a_store = |found: String| FileProblem::NoLabelStore(found).of(&contents.path);
        if found < GROWING_HEADER {
            if FORMAT.magic.starts_with(&header[..found.min(8)]) {
                return Ok(contents);
            }
            return Err(not_a_store(format!("it has only {found} bytes")));
        }
        FORMAT.open_growing(&header).map_err(|error| not_a_store(error.to_string()))?;
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
            let end = offset + u64::from(head.file.length);
            if end > length {
                return Ok(contents);
            }
            contents.accept(Place { head, offset })?;
            contents.end = end;
        }
    }

    /// Checks that a block is expected here and adds it.
    fn accept(&mut self, place: Place) -> Result<()> {
        let Head { empties, before, file } = place.head;
        if self.is_complete {
            return Err(self.damaged("there is data after the last block"));
        }
        if before != self.positions {
            let found = format!("a block follows {before} positions, and there are {}", self.positions);
            return Err(self.damaged(&found));
        }
        match (file.tag, &self.source) {
            (SOURCE, None) => {
                let payload = self.payload(&place)?;
                let text = Fields(&payload).text().and_then(|text| Fingerprint::parse(text).ok());
                let source = text.and_then(|fingerprint| fingerprint.data().ok());
                self.source = Some(source.ok_or_else(|| self.damaged("the source of the positions is missing"))?);
            }
            (POSITIONS, Some(_)) => {
                let last = self.places.last().map_or(0, |last| last.head.empties);
                if empties < last || empties > 60 {
                    let found = format!("positions with {empties} empty squares follow those with {last}");
                    return Err(self.damaged(&found));
                }
                self.positions += u64::from(file.length) / POSITION_BYTES as u64;
                self.places.push(place);
            }
            (END, Some(_)) => self.is_complete = true,
            _ => return Err(self.damaged("a block is in the wrong place")),
        }
        Ok(())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let mut file = &self.file;
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| fill(&mut file, buffer));
        read.map_err(LearnError::using(&self.path))
    }

    /// The payload of a block, checked.
    fn payload(&self, place: &Place) -> Result<Vec<u8>> {
        let mut payload = vec![0; place.head.file.length as usize];
        let found = self.read_at(place.offset, &mut payload)?;
        match place.head.file.check(&payload[..found]) {
            Ok(()) => Ok(payload),
            Err(damage) => Err(self.damaged_block(place, damage.to_string())),
        }
    }

    fn damaged_block(&self, place: &Place, found: String) -> LearnError {
        FileProblem::Damaged(place.offset - HEAD_BYTES as u64, found).of(&self.path)
    }

    fn positions_of(&self, place: &Place, take: &mut dyn FnMut(&LabeledPosition)) -> Result<()> {
        let payload = self.payload(place)?;
        let games = self.source.as_ref().map_or(0, LabelSource::game_count);
        for bytes in payload.chunks_exact(POSITION_BYTES) {
            let position = bytes.try_into().ok().and_then(LabeledPosition::read).filter(|position| {
                let is_due = position.board.empty_count() == place.head.empties && u64::from(position.game) < games;
                is_due && position.board.can_move()
            });
            take(&position.ok_or_else(|| self.damaged_block(place, "a block has an invalid position".to_owned()))?);
        }
        Ok(())
    }

    /// Iterates over the positions with these numbers of empty squares, and reads no others.
    fn positions(&self, empties: &RangeInclusive<u32>, take: &mut dyn FnMut(&LabeledPosition)) -> Result<()> {
        let mut places = self.places.iter().filter(|place| empties.contains(&place.head.empties));
        places.try_for_each(|place| self.positions_of(place, take))
    }

    fn damaged(&self, found: &str) -> LearnError {
        FileProblem::Damaged(self.end, found.to_owned()).of(&self.path)
    }
}

/// Whether a file begins like a store of labeled positions.
pub(crate) fn is_label_store(path: &Path) -> io::Result<bool> {
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
    pub fn open(path: &Path) -> Result<Self> {
        let contents = Contents::read(File::open(path).map_err(LearnError::using(path))?, path)?;
        match contents.source.clone() {
            Some(source) if contents.is_complete => Ok(Self { source, contents }),
            _ => Err(FileProblem::Unfinished(contents.end).of(path)),
        }
    }

    pub(crate) fn source(&self) -> &LabelSource {
        &self.source
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.contents.positions
    }

    /// Iterates over the positions with this number of empty squares, and reads no others.
    pub fn read(&self, empties: RangeInclusive<u32>, mut take: impl FnMut(&LabeledPosition)) -> Result<()> {
        self.contents.positions(&empties, &mut take)
    }
}

/// A store to which positions are added.
#[derive(Debug)]
pub struct LabelStore {
    contents: Contents,
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
    pub(crate) fn source(path: &Path) -> Result<Option<LabelSource>> {
        match File::open(path) {
            Ok(file) => Ok(Contents::read(file, path)?.source),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(LearnError::using(path)(error)),
        }
    }

    pub(crate) fn open(path: &Path, source: &LabelSource) -> Result<Self> {
        let broken = LearnError::using(path);
        let mut contents = Contents::read(open_locked(path, "adding positions to it")?, path)?;
        let (found, expected) = (contents.source.as_ref().map(Fingerprint::of), Fingerprint::of(source));
        if let Some(difference) = found.and_then(|found| found.difference(&expected)) {
            return Err(FileProblem::OtherLabels(difference).of(path));
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
        let mut store = Self { contents, was_torn, pending: Vec::new(), pending_empties: 0 };
        if is_new {
            store.contents.source = Some(source.clone());
            let mut bytes = FORMAT.growing_header(0).to_vec();
            bytes.extend(block(SOURCE, 0, 0, expected.to_string().as_bytes()));
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

    pub(crate) fn is_complete(&self) -> bool {
        self.contents.is_complete
    }

    /// The positions with this number of empty squares that are in the store.
    pub(crate) fn written(&self, empties: u32) -> Result<Vec<LabeledPosition>> {
        let mut positions = Vec::new();
        self.contents.positions(&(empties..=empties), &mut |position| positions.push(*position))?;
        Ok(positions)
    }

    pub(crate) fn differs(&self, found: &str) -> LearnError {
        self.contents.damaged(found)
    }

    /// Adds a position, whose number of empty squares must not decrease; returns whether a block was written.
    pub(crate) fn add(&mut self, position: &LabeledPosition) -> Result<bool> {
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
    pub(crate) fn flush(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let payload = std::mem::take(&mut self.pending);
        let bytes = block(POSITIONS, self.pending_empties, self.contents.positions, &payload);
        self.append(&bytes)?;
        self.contents.positions += (payload.len() / POSITION_BYTES) as u64;
        Ok(())
    }

    pub(crate) fn finish(&mut self) -> Result<()> {
        self.flush()?;
        if !self.contents.is_complete {
            let bytes = block(END, 0, self.contents.positions, &[]);
            self.append(&bytes)?;
            self.contents.is_complete = true;
        }
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> Result<()> {
        let Contents { file, end, .. } = &mut self.contents;
        let written =
            file.seek(SeekFrom::Start(*end)).and_then(|_| file.write_all(bytes)).and_then(|()| file.sync_data());
        *end += bytes.len() as u64;
        written.map_err(LearnError::using(&self.contents.path))
    }
}

fn block(tag: [u8; 4], empties: u32, before: u64, payload: &[u8]) -> Vec<u8> {
    let mut fields = [0; 12];
    fields[..4].copy_from_slice(&empties.to_le_bytes());
    fields[4..].copy_from_slice(&before.to_le_bytes());
    FileHead::block(tag, fields, payload)
}
