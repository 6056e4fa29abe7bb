//! The blocks of a store of games: each with its own checksums, so that a torn or damaged one shows.

use std::io::{self, Read};

use crate::checksum::crc32;

/// How many game numbers a block covers at most: one bit each says whether the game is there.
pub(crate) const MOST_NUMBERS: u64 = 64;

/// The bytes before the payload of a block.
pub(crate) const HEAD_BYTES: usize = 40;

/// No block of ours has a longer payload: 64 games of 60 moves among at most 64 take less.
const LONGEST_PAYLOAD: u32 = 1 << 14;

/// What a block holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Where games come from.
    Source,
    /// Games.
    Games,
    /// Nothing: the store ends here.
    End,
}

impl Kind {
    const ALL: [(Kind, [u8; 4]); 3] = [(Kind::Source, *b"FROM"), (Kind::Games, *b"GAME"), (Kind::End, *b"ENDS")];

    fn tag(self) -> [u8; 4] {
        Self::ALL.into_iter().find(|&(kind, _)| kind == self).map_or(*b"    ", |(_, tag)| tag)
    }
}

/// A block as it stands in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    pub(crate) kind: Kind,
    /// The number of the source: of this one, or of that of the games.
    pub(crate) source: u32,
    /// The number of the first game; at the end the number of games in the whole store.
    pub(crate) first: u64,
    /// How many game numbers are covered.
    pub(crate) span: u32,
    /// Bit `n` says that game `first + n` is there; the others were played before.
    pub(crate) present: u64,
    pub(crate) payload: Vec<u8>,
}

/// Why there is no block.
#[derive(Debug)]
pub(crate) enum BlockError {
    Io(io::Error),
    /// The file ends inside the block: this much is there of so much.
    Torn {
        found: usize,
        expected: usize,
    },
    /// The bytes are not those that were written.
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
        let mut bytes = Vec::with_capacity(HEAD_BYTES + self.payload.len());
        bytes.extend(self.kind.tag());
        bytes.extend((self.payload.len() as u32).to_le_bytes());
        bytes.extend(self.source.to_le_bytes());
        bytes.extend(self.span.to_le_bytes());
        bytes.extend(self.first.to_le_bytes());
        bytes.extend(self.present.to_le_bytes());
        bytes.extend(crc32(&self.payload).to_le_bytes());
        bytes.extend(crc32(&bytes).to_le_bytes());
        bytes.extend(&self.payload);
        bytes
    }

    /// How many bytes it takes.
    pub(crate) fn length(&self) -> u64 {
        (HEAD_BYTES + self.payload.len()) as u64
    }

    /// The next block, or nothing at the end.
    pub(crate) fn read(reader: &mut impl Read) -> Result<Option<Self>, BlockError> {
        let mut head = [0; HEAD_BYTES];
        let found = fill(reader, &mut head)?;
        if found == 0 {
            return Ok(None);
        }
        if found < HEAD_BYTES {
            return Err(BlockError::Torn { found, expected: HEAD_BYTES });
        }
        let word = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("four bytes"));
        let long = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("eight bytes"));
        let (stated, computed) = (word(36), crc32(&head[..36]));
        let kind = Kind::ALL.into_iter().find(|(_, tag)| head.starts_with(tag)).map(|(kind, _)| kind);
        if stated != computed {
            let found = format!("the head of a block has the checksum {computed:08x} instead of {stated:08x}");
            return Err(BlockError::Damaged(found));
        }
        let Some(kind) = kind else {
            return Err(BlockError::Damaged("a block is of a kind that this program does not know".to_owned()));
        };
        let length = word(4);
        if length > LONGEST_PAYLOAD {
            return Err(BlockError::Damaged(format!("a block claims to have {length} bytes")));
        }
        let mut payload = vec![0; length as usize];
        let found = fill(reader, &mut payload)?;
        if found < payload.len() {
            return Err(BlockError::Torn { found: HEAD_BYTES + found, expected: HEAD_BYTES + payload.len() });
        }
        let (stated, computed) = (word(32), crc32(&payload));
        if stated != computed {
            let found = format!("a block has the checksum {computed:08x} instead of {stated:08x}");
            return Err(BlockError::Damaged(found));
        }
        let block = Self { kind, source: word(8), span: word(12), first: long(16), present: long(24), payload };
        Ok(Some(block))
    }
}

/// Reads until the buffer is full or the input ends; how much was read.
pub(crate) fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
