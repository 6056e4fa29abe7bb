//! The header that all Thor files begin with.

use std::io::Read;

use storage::growing_file::fill;

use crate::{Date, RecordProblem};

pub(super) const HEADER_LENGTH: usize = 16;

/// The first 16 bytes of a `.wtb`, `.jou` or `.trn` file; numbers are little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// The creation date: century, year within the century, month, day.
    pub(super) created: [u8; 4],
    /// The number of games; 0 in a file of names.
    pub(super) games: u32,
    /// The number of names; 0 in a file of games.
    pub(super) names: u16,
    /// The year in which the games were played; 0 in a file of names.
    pub(super) year: u16,
    /// The side length of the board, where 0 means 8, too.
    pub(super) board_size: u8,
    /// 1 if the games are problems for one player, otherwise 0.
    pub(super) kind: u8,
    /// The number of empty squares from which the theoretical scores were computed; 0 if unknown.
    pub(super) depth: u8,
}

impl Header {
    pub(super) fn read(reader: &mut impl Read) -> Result<Self, RecordProblem> {
        let mut bytes = [0; HEADER_LENGTH];
        let length = fill(reader, &mut bytes)?;
        if length < HEADER_LENGTH {
            let expected = format!("the {HEADER_LENGTH} bytes of a Thor header");
            return Err(RecordProblem::malformed(super::counted_bytes(length), expected));
        }
        Ok(Self::from_bytes(&bytes))
    }

    /// Decodes the bytes of a header.
    pub fn from_bytes(bytes: &[u8; HEADER_LENGTH]) -> Self {
        let [a, b, c, d, e, f, g, h, i, j, k, l, board_size, kind, depth, _] = *bytes;
        let (created, games) = ([a, b, c, d], u32::from_le_bytes([e, f, g, h]));
        let [names, year] = [[i, j], [k, l]].map(u16::from_le_bytes);
        Self { created, games, names, year, board_size, kind, depth }
    }

    /// The bytes of the header.
    pub fn to_bytes(&self) -> [u8; HEADER_LENGTH] {
        let mut bytes = [0; HEADER_LENGTH];
        bytes[0..4].copy_from_slice(&self.created);
        bytes[4..8].copy_from_slice(&self.games.to_le_bytes());
        bytes[8..10].copy_from_slice(&self.names.to_le_bytes());
        bytes[10..12].copy_from_slice(&self.year.to_le_bytes());
        bytes[12..15].copy_from_slice(&[self.board_size, self.kind, self.depth]);
        bytes
    }

    pub(super) fn created_on(date: Option<Date>) -> [u8; 4] {
        date.map_or([0; 4], |date| {
            let year = date.year();
            [(year / 100) as u8, (year % 100) as u8, date.month().unwrap_or(0), date.day().unwrap_or(0)]
        })
    }
}
