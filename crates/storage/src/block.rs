//! The blocks of a growing file, each with its own checksums, so that a torn or damaged block is detected.
//!
//! A block consists of a header and a payload. The header has a four-letter tag, the length of the payload (32 bits),
//! fields specific to the format, the CRC-32 of the payload, and the CRC-32 of the header before it.

use crate::checksum::crc32;
use crate::format::Fields;

/// The header of a block with `FIELDS` bytes of format-specific fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockHead<const FIELDS: usize> {
    /// The kind of content.
    pub tag: [u8; 4],
    /// The length of the payload in bytes.
    pub length: u32,
    /// The format-specific fields.
    pub fields: [u8; FIELDS],
    checksum: u32,
}

/// Damage of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BlockDamage {
    /// The header has the second checksum, but states the first.
    #[error("the header of a block has the checksum {1:08x} instead of {0:08x}")]
    Head(u32, u32),
    /// The payload has the second checksum, but the header states the first.
    #[error("a block has the checksum {1:08x} instead of {0:08x}")]
    Payload(u32, u32),
}

impl<const FIELDS: usize> BlockHead<FIELDS> {
    /// The length of the header in bytes.
    pub const BYTES: usize = FIELDS + 16;

    /// The bytes of a block with this payload.
    pub fn block(tag: [u8; 4], fields: [u8; FIELDS], payload: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::BYTES + payload.len());
        bytes.extend(tag);
        bytes.extend((payload.len() as u32).to_le_bytes());
        bytes.extend(fields);
        bytes.extend(crc32(payload).to_le_bytes());
        bytes.extend(crc32(&bytes).to_le_bytes());
        bytes.extend(payload);
        bytes
    }

    /// Reads a header of exactly [`BYTES`](Self::BYTES) bytes.
    pub fn read(bytes: &[u8]) -> Result<Self, BlockDamage> {
        let (head, sum) = bytes.split_at(bytes.len().saturating_sub(4));
        let (stated, computed) = (Fields(sum).u32().unwrap_or_default(), crc32(head));
        let parse = || {
            let mut fields = Fields(head);
            let tag = fields.bytes(4)?.try_into().ok()?;
            let length = fields.u32()?;
            Some(Self { tag, length, fields: fields.bytes(FIELDS)?.try_into().ok()?, checksum: fields.u32()? })
        };
        parse().filter(|_| stated == computed).ok_or(BlockDamage::Head(stated, computed))
    }

    /// Checks the payload against its checksum.
    pub fn check(&self, payload: &[u8]) -> Result<(), BlockDamage> {
        let (stated, computed) = (self.checksum, crc32(payload));
        if stated == computed { Ok(()) } else { Err(BlockDamage::Payload(stated, computed)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_read_back_unchanged_and_every_changed_byte_is_detected() {
        let block = BlockHead::<4>::block(*b"TEXT", [1, 2, 3, 4], b"a payload");
        let read = |block: &[u8]| -> Result<BlockHead<4>, BlockDamage> {
            let (head, payload) = block.split_at(BlockHead::<4>::BYTES);
            let head = BlockHead::read(head)?;
            head.check(payload)?;
            Ok(head)
        };
        let head = read(&block).unwrap();
        assert_eq!((head.tag, head.length, head.fields), (*b"TEXT", 9, [1, 2, 3, 4]));
        for at in 0..block.len() {
            let mut changed = block.clone();
            changed[at] ^= 8;
            assert!(read(&changed).is_err(), "byte {at}");
        }
    }
}
