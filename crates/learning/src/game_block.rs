//! The blocks of a store of games, each with its own checksums, so that a torn or damaged block is detected.

use std::io::{self, Read};

use storage::Fields;
use storage::block::BlockHead;
use storage::growing_file::fill;

/// The maximum number of game numbers in a block: one bit each tells whether the game is present.
pub(crate) const MAX_NUMBERS: u64 = 64;

/// The header of a block; its fields are source, span, first number and the bits of the games.
type FileHead = BlockHead<24>;

/// The length of the header of a block in bytes.
const HEAD_BYTES: usize = FileHead::BYTES;

/// The maximum length of a payload: 64 games of 60 moves with at most 64 choices take less.
const LONGEST_PAYLOAD: u32 = 1 << 14;

/// The kind of content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The source of games.
    Source,
    /// Games.
    Games,
    /// The end of the store.
    End,
}

impl Kind {
    const ALL: [(Kind, [u8; 4]); 3] = [(Kind::Source, *b"FROM"), (Kind::Games, *b"GAME"), (Kind::End, *b"ENDS")];

    fn tag(self) -> [u8; 4] {
        Self::ALL.into_iter().find(|&(kind, _)| kind == self).map_or(*b"    ", |(_, tag)| tag)
    }
}

/// A block as stored in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    pub(crate) kind: Kind,
    /// The number of the source: of this one, or of that of the games.
    pub(crate) source: u32,
    /// The number of the first game; in the last block the number of games in the whole store.
    pub(crate) first: u64,
    /// The number of game numbers covered.
    pub(crate) span: u32,
    /// Bit `n` means that game `first + n` is present; the others are duplicates.
    pub(crate) present: u64,
    pub(crate) payload: Vec<u8>,
}

/// Why a block cannot be read.
#[derive(Debug)]
pub(crate) enum BlockError {
    Io(io::Error),
    /// The file ends inside the block: the number of bytes found and expected.
    Torn {
        found: usize,
        expected: usize,
    },
    /// The checksum is wrong.
    Damaged(String),
}

impl From<io::Error> for BlockError {
    fn from(error: io::Error) -> Self {
        BlockError::Io(error)
    }
}

impl Block {
    /// The bytes of the block.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut fields = [0; 24];
        fields[..4].copy_from_slice(&self.source.to_le_bytes());
        fields[4..8].copy_from_slice(&self.span.to_le_bytes());
        fields[8..16].copy_from_slice(&self.first.to_le_bytes());
        fields[16..].copy_from_slice(&self.present.to_le_bytes());
        FileHead::block(self.kind.tag(), fields, &self.payload)
    }

    /// Its length in bytes.
    pub(crate) fn length(&self) -> u64 {
        (HEAD_BYTES + self.payload.len()) as u64
    }

    /// The next block, or `None` at the end.
    pub(crate) fn read(reader: &mut impl Read) -> Result<Option<Self>, BlockError> {
        let mut head = [0; HEAD_BYTES];
        let found = fill(reader, &mut head)?;
        if found == 0 {
            return Ok(None);
        }
        if found < HEAD_BYTES {
            return Err(BlockError::Torn { found, expected: HEAD_BYTES });
        }
        let head = FileHead::read(&head).map_err(|damage| BlockError::Damaged(damage.to_string()))?;
        let Some((kind, _)) = Kind::ALL.into_iter().find(|(_, tag)| *tag == head.tag) else {
            return Err(BlockError::Damaged("a block is of a kind that this program does not know".to_owned()));
        };
        let length = head.length;
        if length > LONGEST_PAYLOAD {
            return Err(BlockError::Damaged(format!("a block claims to have {length} bytes")));
        }
        let mut payload = vec![0; length as usize];
        let found = fill(reader, &mut payload)?;
        if found < payload.len() {
            return Err(BlockError::Torn { found: HEAD_BYTES + found, expected: HEAD_BYTES + payload.len() });
        }
        head.check(&payload).map_err(|damage| BlockError::Damaged(damage.to_string()))?;
        let mut fields = Fields(&head.fields);
        let read = |fields: &mut Fields<'_>| {
            let (source, span) = (fields.u32()?, fields.u32()?);
            Some(Self { kind, source, span, first: fields.u64()?, present: fields.u64()?, payload })
        };
        read(&mut fields).map(Some).ok_or_else(|| BlockError::Damaged("a block has too few fields".to_owned()))
    }
}
