//! The index of a database of games as a file, of which a question reads what it needs.
//!
//! A header, and blocks with checksums of their own ([`storage::block`]): where the games come from (`SRCE`), what was left
//! out (`LEFT`), the names of players, events and openings (`NAME`), the strengths of the players (`RATE`), the games (`GAME`), and for every number of discs a column (`DISC`) with an
//! entry for every game: the key of the position that it reached with this number of discs, and the move that followed. `docs/formats.md`
//! has the layout.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use othello::{Color, Square};
use storage::block::{BlockDamage, BlockHead};
use storage::format::GROWING_HEADER;
use storage::{Fingerprint, Format, FormatError};

use super::position_key::KEY_BITS;
use super::{LeftOut, Strength};

pub(super) const FORMAT: Format = Format { magic: b"EMLGAMES", version: 1 };

pub(super) mod tag {
    /// Fingerprint of the sources of the index.
    pub(in super::super) const SOURCES: [u8; 4] = *b"SRCE";
    /// Counts of games left out, as a JSON object.
    pub(in super::super) const LEFT_OUT: [u8; 4] = *b"LEFT";
    /// Names as a JSON array; the field states their kind.
    pub(in super::super) const NAMES: [u8; 4] = *b"NAME";
    pub(in super::super) const STRENGTHS: [u8; 4] = *b"RATE";
    pub(in super::super) const GAMES: [u8; 4] = *b"GAME";
    /// The positions with a number of discs, which is the field.
    pub(in super::super) const COLUMN: [u8; 4] = *b"DISC";
}

pub(super) type Head = BlockHead<1>;

/// The numbers of discs that a position can have: those of a game from the starting position.
pub(super) const DISCS: std::ops::RangeInclusive<u32> = 4..=64;

/// The length of a game in its block.
pub(super) const GAME_BYTES: usize = 21;

/// The length of an entry of a column: the key in 5 bytes, and the move.
pub(super) const ENTRY_BYTES: usize = 6;

/// In place of a move: the game ended there.
pub(super) const NO_MOVE: u8 = 64;

/// In place of a move: the game had no position with this number of discs.
pub(super) const NO_POSITION: u8 = 255;

/// In place of a number or a score that is not known.
const UNKNOWN_SCORE: i8 = i8::MIN;
const UNKNOWN_RATING: i16 = i16::MIN;
const NO_OPENING: u16 = u16::MAX;

/// Reason why an index cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The operating system reported an error.
    #[error("cannot read {}", .0.display())]
    Unreadable(PathBuf, #[source] io::Error),
    /// It is another kind of file, of another version, or damaged.
    #[error("{} is not an index of games", .0.display())]
    Foreign(PathBuf, #[source] FormatError),
    /// A block is damaged.
    #[error("the index {} is damaged", .0.display())]
    Damaged(PathBuf, #[source] BlockDamage),
    /// The blocks are whole, but not what they should be; with the missing or wrong part.
    #[error("the index {} is incomplete: {}", .0.display(), .1)]
    Incomplete(PathBuf, String),
}

/// A game of the index, with numbers for its names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GameEntry {
    pub(super) black: u32,
    pub(super) white: u32,
    pub(super) event: u32,
    /// 0 if it is unknown.
    year: u16,
    score: Option<i8>,
    pub(super) opening: Option<u16>,
    pub(super) black_rating: Option<i16>,
    pub(super) white_rating: Option<i16>,
}

impl GameEntry {
    pub(super) fn new(names: [u32; 3], year: Option<u16>, score: Option<i32>, opening: Option<u16>) -> Self {
        let [black, white, event] = names;
        Self {
            black,
            white,
            event,
            year: year.unwrap_or_default(),
            score: score.and_then(|score| i8::try_from(score).ok()).filter(|&score| score != UNKNOWN_SCORE),
            opening: opening.filter(|&number| number != NO_OPENING),
            black_rating: None,
            white_rating: None,
        }
    }

    pub(super) fn has_ratings(&self) -> bool {
        self.black_rating.is_some() || self.white_rating.is_some()
    }

    pub(super) fn year(&self) -> Option<u16> {
        (self.year > 0).then_some(self.year)
    }

    pub(super) fn score_of(&self, color: Color) -> Option<i32> {
        let score = self.score.map(i32::from);
        if color == Color::Black { score } else { score.map(|score| -score) }
    }

    pub(super) fn to_bytes(self) -> [u8; GAME_BYTES] {
        let mut bytes = [0; GAME_BYTES];
        bytes[0..4].copy_from_slice(&self.black.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.white.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.event.to_le_bytes());
        bytes[12..14].copy_from_slice(&self.year.to_le_bytes());
        bytes[14..16].copy_from_slice(&self.opening.unwrap_or(NO_OPENING).to_le_bytes());
        bytes[16..18].copy_from_slice(&self.black_rating.unwrap_or(UNKNOWN_RATING).to_le_bytes());
        bytes[18..20].copy_from_slice(&self.white_rating.unwrap_or(UNKNOWN_RATING).to_le_bytes());
        bytes[20] = self.score.unwrap_or(UNKNOWN_SCORE) as u8;
        bytes
    }

    fn from_bytes(bytes: &[u8; GAME_BYTES]) -> Self {
        let word = |index: usize| u16::from_le_bytes([bytes[index], bytes[index + 1]]);
        let number = |index: usize| u32::from(word(index)) | u32::from(word(index + 2)) << 16;
        let rating = |index: usize| Some(word(index) as i16).filter(|&rating| rating != UNKNOWN_RATING);
        Self {
            black: number(0),
            white: number(4),
            event: number(8),
            year: word(12),
            opening: Some(word(14)).filter(|&number| number != NO_OPENING),
            black_rating: rating(16),
            white_rating: rating(18),
            score: Some(bytes[20] as i8).filter(|&score| score != UNKNOWN_SCORE),
        }
    }
}

/// Entry of a column for a game that had a position with its number of discs.
pub(super) struct ColumnEntry {
    pub(super) key: u64,
    /// The move that followed, in the canonical orientation; `None` if the game ended there.
    pub(super) next: Option<Square>,
}

impl ColumnEntry {
    /// The entry with these bytes; `None` if the game had no such position.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut word = [0; 8];
        word.get_mut(..ENTRY_BYTES)?.copy_from_slice(bytes.get(..ENTRY_BYTES)?);
        let word = u64::from_le_bytes(word);
        let next = (word >> KEY_BITS) as u8;
        let key = word & ((1 << KEY_BITS) - 1);
        (next != NO_POSITION).then(|| Self { key, next: (next < NO_MOVE).then(|| Square::new(next)) })
    }
}

#[derive(Debug)]
enum Bytes {
    File(File),
    Memory(Vec<u8>),
}

/// A block that has not been read yet.
#[derive(Clone, Copy, Debug)]
struct Place {
    head: Head,
    offset: u64,
}

/// The index of a database of games.
#[derive(Debug)]
pub struct Index {
    path: PathBuf,
    bytes: Bytes,
    columns: Vec<Option<Place>>,
    sources: Fingerprint,
    left_out: LeftOut,
    pub(super) players: Vec<String>,
    pub(super) events: Vec<String>,
    pub(super) openings: Vec<String>,
    pub(super) games: Vec<GameEntry>,
    pub(super) games_of_players: Vec<u32>,
    pub(super) strengths: Vec<Option<Strength>>,
}

impl Index {
    /// The bytes with which every index begins.
    pub const BEGINNING: &[u8] = FORMAT.magic;

    /// Opens an index: reads the names and the games, and leaves the positions for later.
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        let unreadable = |source| IndexError::Unreadable(path.to_owned(), source);
        // A pipe would be waited for.
        let found = fs::metadata(path).map_err(unreadable)?;
        if !found.is_file() {
            return Err(unreadable(io::Error::other("it is not a regular file")));
        }
        let file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        Self::read(path.to_owned(), Bytes::File(file), length)
    }

    /// The index with these bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, IndexError> {
        let length = bytes.len() as u64;
        Self::read(PathBuf::from("in memory"), Bytes::Memory(bytes), length)
    }

    fn read(path: PathBuf, bytes: Bytes, length: u64) -> Result<Self, IndexError> {
        let mut index = Self {
            path,
            bytes,
            columns: vec![None; *DISCS.end() as usize + 1],
            sources: Fingerprint::of(&()),
            left_out: LeftOut::default(),
            players: Vec::new(),
            events: Vec::new(),
            openings: Vec::new(),
            games: Vec::new(),
            games_of_players: Vec::new(),
            strengths: Vec::new(),
        };
        let header = GROWING_HEADER.min(usize::try_from(length).unwrap_or(usize::MAX));
        let header = index.bytes_at(0, header)?.into_owned();
        let foreign = |source| IndexError::Foreign(index.path.clone(), source);
        // A file that ends within its header is truncated, and may be written again.
        let short = FormatError::Length { found: header.len(), expected: GROWING_HEADER };
        if !header.starts_with(&FORMAT.magic[..header.len().min(FORMAT.magic.len())]) {
            return Err(foreign(FormatError::Foreign { magic: FORMAT.magic }));
        }
        let header: [u8; GROWING_HEADER] = header.try_into().map_err(|_| foreign(short))?;
        FORMAT.open_growing(&header).map_err(foreign)?;
        index.read_blocks(length)?;
        if !index.games.iter().all(|game| index.has_names_of(game)) {
            return Err(index.incomplete("names are missing"));
        }
        if index.strengths.len() != index.players.len() {
            return Err(index.incomplete("strengths of players are missing"));
        }
        for game in &index.games {
            for player in [game.black, game.white] {
                if let Some(count) = index.games_of_players.get_mut(player as usize) {
                    *count += 1;
                }
            }
        }
        Ok(index)
    }

    fn read_blocks(&mut self, length: u64) -> Result<(), IndexError> {
        let mut offset = GROWING_HEADER as u64;
        while offset < length {
            if length - offset < Head::BYTES as u64 {
                return Err(self.incomplete("it ends within a block"));
            }
            let head = self.bytes_at(offset, Head::BYTES)?;
            let head = Head::read(&head).map_err(|source| self.damaged(source))?;
            offset += Head::BYTES as u64;
            if length - offset < u64::from(head.length) {
                return Err(self.incomplete("it ends within a block"));
            }
            self.take(Place { head, offset })?;
            offset += u64::from(head.length);
        }
        let column = self.games.len() * ENTRY_BYTES;
        let missing = DISCS
            .into_iter()
            .find(|&discs| self.columns[discs as usize].is_none_or(|place| place.head.length as usize != column));
        match missing {
            Some(discs) => Err(self.incomplete(&format!("the positions with {discs} discs are missing"))),
            None => Ok(()),
        }
    }

    fn has_names_of(&self, game: &GameEntry) -> bool {
        let has = |names: &[String], number: u32| (number as usize) < names.len();
        has(&self.players, game.black)
            && has(&self.players, game.white)
            && has(&self.events, game.event)
            && game.opening.is_none_or(|number| has(&self.openings, number.into()))
    }

    /// Reads a block, or notes where it is.
    fn take(&mut self, place: Place) -> Result<(), IndexError> {
        let Head { tag, fields: [field], .. } = place.head;
        if tag == tag::COLUMN {
            if let Some(column) = self.columns.get_mut(usize::from(field)) {
                *column = Some(place);
            }
            return Ok(());
        }
        let payload = self.payload(place)?.into_owned();
        let broken = || self.incomplete(&format!("the block {} cannot be read", String::from_utf8_lossy(&tag)));
        match tag {
            tag::SOURCES => {
                let text = std::str::from_utf8(&payload).map_err(|_| broken())?;
                self.sources = Fingerprint::parse(text).map_err(|_| broken())?;
            }
            tag::LEFT_OUT => self.left_out = serde_json::from_slice(&payload).map_err(|_| broken())?,
            tag::NAMES => {
                let names: Vec<String> = serde_json::from_slice(&payload).map_err(|_| broken())?;
                match field {
                    0 => {
                        self.games_of_players = vec![0; names.len()];
                        self.players = names;
                    }
                    1 => self.events = names,
                    _ => self.openings = names,
                }
            }
            tag::GAMES => {
                let (games, []) = payload.as_chunks() else { return Err(broken()) };
                self.games = games.iter().map(GameEntry::from_bytes).collect();
            }
            tag::STRENGTHS => {
                let (strengths, []) = payload.as_chunks() else { return Err(broken()) };
                self.strengths = strengths.iter().copied().map(Strength::from_bytes).collect();
            }
            // A later version may add blocks.
            _ => {}
        }
        Ok(())
    }

    /// The games that reached a position with this number of discs and this key, with the move that followed in each.
    pub(super) fn games_at(
        &self,
        discs: u32,
        key: u64,
    ) -> Result<impl Iterator<Item = (usize, Option<Square>)>, IndexError> {
        let column = self.column(discs)?;
        let entries = column.chunks_exact(ENTRY_BYTES).enumerate();
        let found = entries.filter_map(|(number, entry)| {
            let entry = ColumnEntry::read(entry)?;
            (entry.key == key).then_some((number, entry.next))
        });
        Ok(found.collect::<Vec<_>>().into_iter())
    }

    pub(super) fn column(&self, discs: u32) -> Result<Cow<'_, [u8]>, IndexError> {
        let place = self.columns.get(discs as usize).copied().flatten();
        place.map_or(Ok(Cow::Borrowed(&[])), |place| self.payload(place))
    }

    fn payload(&self, place: Place) -> Result<Cow<'_, [u8]>, IndexError> {
        let payload = self.bytes_at(place.offset, place.head.length as usize)?;
        place.head.check(&payload).map_err(|source| self.damaged(source))?;
        Ok(payload)
    }

    fn bytes_at(&self, offset: u64, length: usize) -> Result<Cow<'_, [u8]>, IndexError> {
        let unreadable = |source| IndexError::Unreadable(self.path.clone(), source);
        match &self.bytes {
            Bytes::Memory(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..));
                let found = rest.and_then(|rest| rest.get(..length));
                found.map(Cow::Borrowed).ok_or_else(|| unreadable(io::ErrorKind::UnexpectedEof.into()))
            }
            Bytes::File(file) => {
                let mut bytes = vec![0; length];
                let mut file = file;
                file.seek(SeekFrom::Start(offset)).map_err(unreadable)?;
                file.read_exact(&mut bytes).map_err(unreadable)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }

    fn damaged(&self, source: BlockDamage) -> IndexError {
        IndexError::Damaged(self.path.clone(), source)
    }

    pub(super) fn incomplete(&self, what: &str) -> IndexError {
        IndexError::Incomplete(self.path.clone(), what.to_owned())
    }

    /// Fingerprint of the sources of the index.
    pub fn sources(&self) -> &Fingerprint {
        &self.sources
    }

    /// Counts of games left out when it was made.
    pub fn left_out(&self) -> LeftOut {
        self.left_out
    }

    /// Number of games.
    pub fn game_count(&self) -> u64 {
        self.games.len() as u64
    }

    /// Strength of the player with this name, by the results of its games.
    pub fn strength(&self, name: &str) -> Option<Strength> {
        self.strength_of(self.players.iter().position(|known| known == name)?)
    }

    pub(super) fn strength_of(&self, number: usize) -> Option<Strength> {
        self.strengths.get(number).copied().flatten()
    }

    /// Number of games with ratings of their players.
    pub fn rated_games(&self) -> u64 {
        self.games.iter().filter(|game| game.has_ratings()).count() as u64
    }

    /// Number of players with a strength.
    pub fn rated_players(&self) -> u64 {
        self.strengths.iter().flatten().count() as u64
    }

    /// Number of players; unknown ones have an empty name.
    pub fn player_count(&self) -> u64 {
        self.players.iter().filter(|name| !name.is_empty()).count() as u64
    }
}
