//! The file format of Edax's opening books (`book.dat`): its records, and what its levels mean.
//!
//! A file is a header and positions, little-endian, without padding except in the date. `docs/formats.md` has the
//! layout. The boards are in the orientation of [`othello::Rules::canonical`], squares are numbered as ours.

use othello::Board;
use search::Selectivity;

use crate::record::Effort;

/// Reason why a file is not a book of Edax.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EdaxError {
    /// The file begins otherwise.
    #[error("not an Edax book: it does not begin with XADEKOOB")]
    NotABook,
    /// The format has another version.
    #[error("an Edax book of version {0}; expected version 4")]
    Version(u8),
    /// The file ends within a record: that of the position with this number from 1, or 0 for the header.
    #[error("the Edax book is truncated: position {0} is incomplete")]
    Truncated(u64),
    /// A position cannot be one.
    #[error("position {position} of the Edax book is invalid: {reason}")]
    Invalid {
        /// The number of the position, from 1.
        position: u64,
        /// Description of the fault.
        reason: String,
    },
}

/// The bytes of a header.
pub(crate) const HEADER_BYTES: usize = 42;

/// The bytes of a position without its links and its leaf.
const FIXED_BYTES: usize = 40;

/// The first bytes of a file: two words as a little-endian machine writes them.
const MAGIC: [u8; 8] = *b"XADEKOOB";

const VERSION: u8 = 4;

/// The settings at the beginning of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EdaxHeader {
    /// The second number of the version of the program.
    pub release: u8,
    /// Year, month, day, hour, minute and second; the last byte means nothing.
    pub date: [u8; 8],
    /// The level of the searches.
    pub level: i32,
    /// Positions with fewer empty squares are not added.
    pub n_empties: i32,
    /// The error that is assumed of midgame searches, in discs.
    pub midgame_error: i32,
    /// The error that is assumed of selective endgame searches, in discs.
    pub endcut_error: i32,
    /// Verbosity of the program's output.
    pub verbosity: i32,
    /// The number of positions.
    pub n_nodes: i32,
}

impl EdaxHeader {
    /// A header with the default settings of Edax and this date and time.
    pub fn new(year: u16, [month, day, hour, minute, second]: [u8; 5]) -> Self {
        let [y0, y1] = year.to_le_bytes();
        let date = [y0, y1, month, day, hour, minute, second, 0];
        Self { release: 4, date, level: 21, n_empties: 24, midgame_error: 2, endcut_error: 1, verbosity: 0, n_nodes: 0 }
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, EdaxError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(EdaxError::NotABook);
        }
        let mut fields = Fields { bytes, at: MAGIC.len() };
        let truncated = || EdaxError::Truncated(0);
        let version = fields.byte().ok_or_else(truncated)?;
        if version != VERSION {
            return Err(EdaxError::Version(version));
        }
        let mut read = || -> Option<Self> {
            Some(Self {
                release: fields.byte()?,
                date: fields.take()?,
                level: i32::from_le_bytes(fields.take()?),
                n_empties: i32::from_le_bytes(fields.take()?),
                midgame_error: i32::from_le_bytes(fields.take()?),
                endcut_error: i32::from_le_bytes(fields.take()?),
                verbosity: i32::from_le_bytes(fields.take()?),
                n_nodes: i32::from_le_bytes(fields.take()?),
            })
        };
        read().ok_or_else(truncated)
    }

    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let Self { release, date, level, n_empties, midgame_error, endcut_error, verbosity, n_nodes } = self;
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, release]);
        bytes.extend(date);
        for number in [level, n_empties, midgame_error, endcut_error, verbosity, n_nodes] {
            bytes.extend(number.to_le_bytes());
        }
        bytes
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EdaxLink {
    /// In discs for the side to move.
    pub(crate) score: i8,
    /// A square, [`EdaxLink::PASS`] or [`EdaxLink::NO_MOVE`].
    pub(crate) square: u8,
}

impl EdaxLink {
    pub(crate) const PASS: u8 = 64;
    pub(crate) const NO_MOVE: u8 = 65;
    pub(crate) const NONE: EdaxLink = EdaxLink { score: -127, square: Self::NO_MOVE };
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EdaxPosition {
    pub(crate) board: Board,
    /// Lines below it that end in a win, a draw and a loss, and all lines below it.
    pub(crate) counts: [u32; 4],
    /// In discs for the side to move.
    pub(crate) value: i16,
    /// The value less the error that is assumed.
    pub(crate) lower: i16,
    /// The value and the error that is assumed.
    pub(crate) upper: i16,
    /// The level of the search behind it.
    pub(crate) level: u8,
    /// The moves to other positions of the book.
    pub(crate) links: Vec<EdaxLink>,
    /// The best other move.
    pub(crate) leaf: EdaxLink,
}

impl EdaxPosition {
    /// Reads the position that begins at this place, and returns where the next one begins.
    pub(crate) fn from_bytes(bytes: &[u8], at: usize) -> Option<(Self, usize)> {
        let mut fields = Fields { bytes, at };
        let player = u64::from_le_bytes(fields.take()?);
        let opponent = u64::from_le_bytes(fields.take()?);
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = u32::from_le_bytes(fields.take()?);
        }
        let value = i16::from_le_bytes(fields.take()?);
        let lower = i16::from_le_bytes(fields.take()?);
        let upper = i16::from_le_bytes(fields.take()?);
        let link_count = fields.byte()?;
        let level = fields.byte()?;
        let links = (0..link_count).map(|_| fields.link()).collect::<Option<Vec<_>>>()?;
        let leaf = fields.link()?;
        let board = Board { player, opponent };
        Some((Self { board, counts, value, lower, upper, level, links, leaf }, fields.at))
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(FIXED_BYTES + 2 * self.links.len() + 2);
        bytes.extend(self.board.player.to_le_bytes());
        bytes.extend(self.board.opponent.to_le_bytes());
        for count in self.counts {
            bytes.extend(count.to_le_bytes());
        }
        for number in [self.value, self.lower, self.upper] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([self.links.len().min(255) as u8, self.level]);
        for link in self.links.iter().take(255).chain([&self.leaf]) {
            bytes.extend([link.score as u8, link.square]);
        }
        bytes
    }
}

struct Fields<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(N)?)?.try_into().ok()?;
        self.at += N;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take().map(|[byte]| byte)
    }

    fn link(&mut self) -> Option<EdaxLink> {
        self.take().map(|[score, square]| EdaxLink { score: score as i8, square })
    }
}

/// From which level on the end is searched with which confidence: level, then percent and empty squares.
const ENDS: [(u8, &[(u8, u8)]); 9] = [
    (11, &[(100, 21), (98, 24)]),
    (13, &[(100, 21), (98, 24), (87, 27)]),
    (19, &[(100, 24), (98, 27), (87, 30)]),
    (22, &[(100, 24), (99, 27), (95, 30), (73, 33)]),
    (25, &[(100, 27), (98, 30), (87, 33)]),
    (28, &[(100, 27), (99, 30), (95, 33), (73, 36)]),
    (30, &[(100, 30), (98, 33), (87, 36)]),
    (32, &[(100, 30), (99, 33), (95, 36), (73, 39)]),
    (34, &[(100, 30), (99, 33), (98, 36), (87, 39)]),
];

pub(crate) const STRONGEST_LEVEL: u8 = 60;

/// The search that Edax makes at a level with this many empty squares.
pub(crate) fn effort(level: u8, empties: u8) -> Effort {
    let to_the_end = |percent| Effort::new(empties, Selectivity::from_percent(percent));
    let end = match level {
        0 => return Effort::new(0, Selectivity::EXACT),
        1..=10 if empties <= 2 * level => Some(100),
        1..=10 => return Effort::new(level, Selectivity::EXACT),
        36..STRONGEST_LEVEL => {
            // Every three empty squares beyond the level less six cost one step of confidence.
            let beyond = empties.saturating_sub(level - 6).div_ceil(3);
            [100, 99, 98, 95, 87, 73].get(usize::from(beyond)).copied()
        }
        STRONGEST_LEVEL.. => Some(100),
        _ => {
            let (_, ends) = ENDS.iter().rev().find(|(from, _)| level >= *from).unwrap_or(&ENDS[0]);
            ends.iter().find(|(_, most)| empties <= *most).map(|&(percent, _)| percent)
        }
    };
    end.map_or(Effort::new(level, Selectivity::LOWEST), to_the_end)
}

/// The highest level whose search is at most this one.
pub(crate) fn level(wanted: Effort, empties: u8) -> u8 {
    (0..=STRONGEST_LEVEL).rev().find(|&level| effort(level, empties) <= wanted).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn levels_search_as_edax_documents_them() {
        // From the table that `edax -help` and its documentation describe.
        for row in include_str!("tests/edax-levels.txt").lines().skip(1) {
            let [level, empties, expected] = row.split(' ').collect::<Vec<_>>()[..] else { panic!("{row}") };
            assert_eq!(effort(level.parse().unwrap(), empties.parse().unwrap()).to_string(), expected, "{row}");
        }
        for level in 0..=STRONGEST_LEVEL {
            for empties in 0..=60 {
                assert!(super::level(effort(level, empties), empties) >= level || level == 0);
            }
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = EdaxHeader::from_bytes(&bytes);
            let _ = EdaxHeader::from_bytes(&[&MAGIC[..], &[VERSION], &bytes].concat());
            if let Some((position, end)) = EdaxPosition::from_bytes(&bytes, 0) {
                prop_assert_eq!(&position.to_bytes()[..], &bytes[..end]);
            }
        }
    }
}
