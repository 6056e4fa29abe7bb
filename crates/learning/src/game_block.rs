//! The blocks of a store of games, each with its own checksums, so that a torn or damaged block is detected.

use std::io::{self, Read};

use storage::Fields;
use storage::block::BlockHead;
use storage::growing_file::fill;

use crate::mixed_radix::{Packer, Unpacker};
use crate::played_game::PlayedGame;

/// The maximum number of game numbers in a block: one bit each tells whether the game is present.
pub(crate) const MAX_NUMBERS: u64 = 64;

/// The header of a block; its fields are source, span, first number and the bits of the games.
type FileHead = BlockHead<24>;

const HEAD_BYTES: usize = FileHead::BYTES;

/// The maximum length of a payload: 64 games of 60 moves with at most 64 choices take less.
const LONGEST_PAYLOAD: u32 = 1 << 14;

/// The tags of blocks: the source of games, games, the end of the store.
pub(crate) const SOURCE: [u8; 4] = *b"FROM";
pub(crate) const GAMES: [u8; 4] = *b"GAME";
pub(crate) const END: [u8; 4] = *b"ENDS";

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    pub(crate) tag: [u8; 4],
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

#[derive(Debug)]
pub(crate) enum BlockError {
    Io(io::Error),
    /// The file ends inside the block: the number of bytes found and expected.
    Torn(usize, usize),
    Damaged(String),
}

impl Block {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut fields = [0; 24];
        fields[..4].copy_from_slice(&self.source.to_le_bytes());
        fields[4..8].copy_from_slice(&self.span.to_le_bytes());
        fields[8..16].copy_from_slice(&self.first.to_le_bytes());
        fields[16..].copy_from_slice(&self.present.to_le_bytes());
        FileHead::block(self.tag, fields, &self.payload)
    }

    /// Its length in bytes.
    pub(crate) fn length(&self) -> u64 {
        (HEAD_BYTES + self.payload.len()) as u64
    }

    pub(crate) fn read(reader: &mut impl Read) -> Result<Option<Self>, BlockError> {
        let damaged = |text: String| BlockError::Damaged(text);
        let mut head = [0; HEAD_BYTES];
        let found = fill(reader, &mut head).map_err(BlockError::Io)?;
        if found == 0 {
            return Ok(None);
        }
        if found < HEAD_BYTES {
            return Err(BlockError::Torn(found, HEAD_BYTES));
        }
        let head = FileHead::read(&head).map_err(|damage| damaged(damage.to_string()))?;
        if ![SOURCE, GAMES, END].contains(&head.tag) {
            return Err(damaged("a block is of a kind that this program does not know".to_owned()));
        }
        let length = head.length;
        if length > LONGEST_PAYLOAD {
            return Err(damaged(format!("a block claims to have {length} bytes")));
        }
        let mut payload = vec![0; length as usize];
        let found = fill(reader, &mut payload).map_err(BlockError::Io)?;
        if found < payload.len() {
            return Err(BlockError::Torn(HEAD_BYTES + found, HEAD_BYTES + payload.len()));
        }
        head.check(&payload).map_err(|damage| damaged(damage.to_string()))?;
        let mut fields = Fields(&head.fields);
        let read = || {
            let (source, span) = (fields.u32()?, fields.u32()?);
            Some(Self { tag: head.tag, source, span, first: fields.u64()?, present: fields.u64()?, payload })
        };
        read().map(Some).ok_or_else(|| damaged("a block has too few fields".to_owned()))
    }

    /// The games by number, `None` for duplicates, if the content is valid.
    pub(crate) fn games(&self) -> Option<Vec<(u64, Option<PlayedGame>)>> {
        let is_span = (1..=MAX_NUMBERS).contains(&self.span.into()) && self.first.checked_add(64).is_some();
        if !is_span || self.present.checked_shr(self.span).unwrap_or(0) != 0 {
            return None;
        }
        let mut unpacker = Unpacker::new(&self.payload);
        let games: Option<Vec<_>> = (0..u64::from(self.span))
            .map(|bit| {
                let is_present = self.present >> bit & 1 == 1;
                let game = if is_present { Some(PlayedGame::unpack(&mut unpacker)?) } else { None };
                Some((self.first + bit, game))
            })
            .collect();
        games.filter(|_| unpacker.is_done())
    }
}

#[derive(Debug)]
pub(crate) struct Pending {
    /// The block, without its payload.
    pub(crate) block: Block,
    packer: Packer,
}

impl Pending {
    pub(crate) fn new(source: u32, first: u64) -> Self {
        let block = Block { tag: GAMES, source, first, span: 0, present: 0, payload: Vec::new() };
        Self { block, packer: Packer::new() }
    }

    fn next_number(&self) -> u64 {
        self.block.first + u64::from(self.block.span)
    }

    pub(crate) fn reaches(&self, number: u64) -> bool {
        (self.next_number()..self.block.first + MAX_NUMBERS).contains(&number)
    }

    /// Adds the game with this number, which must fit, or skips the number of a duplicate.
    pub(crate) fn add(&mut self, number: u64, game: Option<&PlayedGame>) {
        let bit = (number - self.block.first) as u32;
        self.block.span = bit + 1;
        if let Some(game) = game {
            self.block.present |= 1 << bit;
            game.pack(&mut self.packer);
        }
    }

    /// The block; the next games start a new one.
    pub(crate) fn take(&mut self) -> Block {
        let next = Self::new(self.block.source, self.next_number());
        let Self { block, packer } = std::mem::replace(self, next);
        Block { payload: packer.finish(), ..block }
    }
}
