//! A file in blocks that carry checksums, which are compared whenever a block is read. Its changes may be kept in memory: to
//! try what may fail halfway, and to read what has to be repaired first.
//!
//! redb has checksums of its own, but compares them only when the whole file is read. With a checksum in every block, a
//! read of the damaged part of a file of any size fails, and the rest need not be read first.
//!
//! The first block holds a signature and the header of the database, which is written in place: all of it lies in one
//! sector of the disk, so that a crash leaves the old header or the new one. A block that is being written during a crash
//! may have a wrong checksum; the database reads it only after it has written it again.

use std::collections::HashMap;
use std::io;
use std::ops::{Bound, Range};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use control::lock;
use redb::{BackendError, StorageBackend};

/// The first bytes of a file of sealed blocks.
pub(crate) const SIGNATURE: [u8; 16] = *b"Emilia book\0\r\n\x1a\x01";

/// The bytes of the database in a block: a page, which redb never writes in parts.
const BLOCK: u64 = 4096;
const SEAL: u64 = 4;
/// Offset of the second block.
const FIRST: u64 = 4096;
/// Range of the header of the database in the first block; its checksum follows.
const HEADER: Range<usize> = SIGNATURE.len()..508;
/// Size of the used part of the first block, its checksum included.
const SECTOR: usize = 512;

#[derive(Debug)]
pub(crate) struct Sealed<S> {
    inner: S,
    path: PathBuf,
    /// The changes, if the inner storage is only read.
    overlay: Option<Mutex<Overlay>>,
}

/// Changes of a storage that are kept in memory.
#[derive(Debug)]
struct Overlay {
    /// Number of visible blocks of the storage: it may have been cut and extended since.
    visible: u64,
    /// Number of blocks, if it has changed.
    blocks: Option<u64>,
    changed: HashMap<u64, Vec<u8>>,
}

impl Overlay {
    /// The content of a block, or `None` if it is that of the storage.
    fn block(&self, block: u64) -> io::Result<Option<Vec<u8>>> {
        match self.changed.get(&block) {
            Some(content) => Ok(Some(content.clone())),
            None if self.blocks.is_some_and(|blocks| block >= blocks) => Err(io::ErrorKind::UnexpectedEof.into()),
            None => Ok((block >= self.visible).then(|| vec![0; BLOCK as usize])),
        }
    }

    fn set_blocks(&mut self, blocks: u64, stored: u64) {
        self.visible = self.visible.min(stored).min(blocks);
        self.blocks = Some(blocks);
        self.changed.retain(|&block, _| block < blocks);
    }
}

/// Bytes that are not as they were written.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub(crate) struct WrongBytes {
    pub(crate) path: PathBuf,
    pub(crate) what: String,
}

/// A part of a block: the number of the block, the bytes in it, and where they are in the buffer.
struct Part {
    block: u64,
    within: Range<usize>,
    buffer: Range<usize>,
}

fn parts(offset: u64, length: usize) -> impl Iterator<Item = Part> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let at = offset + done as u64;
        let within = (at % BLOCK) as usize;
        let count = (BLOCK as usize - within).min(length - done);
        let part = Part { block: at / BLOCK, within: within..within + count, buffer: done..done + count };
        done += count;
        (count > 0).then_some(part)
    })
}

/// Offset of a block other than the first.
fn place(block: u64) -> u64 {
    FIRST + (block - 1) * (BLOCK + SEAL)
}

/// The checksum of a block, which is wrong anywhere else in the file.
fn seal(block: u64, content: &[u8]) -> [u8; SEAL as usize] {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&block.to_le_bytes());
    hasher.update(content);
    hasher.finalize().to_le_bytes()
}

impl<S: StorageBackend> Sealed<S> {
    /// Errors call the storage `path`.
    pub(crate) fn new(inner: S, path: &Path) -> Self {
        Self { inner, path: path.to_owned(), overlay: None }
    }

    /// The same with all changes kept in memory. To other programs it is a file that is being read.
    pub(crate) fn overlaid(inner: S, path: &Path) -> Self {
        let overlay = Overlay { visible: u64::MAX, blocks: None, changed: HashMap::new() };
        Self { overlay: Some(Mutex::new(overlay)), ..Self::new(inner, path) }
    }

    fn wrong(&self, what: String) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, WrongBytes { path: self.path.clone(), what })
    }

    fn block(&self, block: u64) -> io::Result<Vec<u8>> {
        if let Some(overlay) = &self.overlay
            && let Some(content) = lock(overlay).block(block)?
        {
            return Ok(content);
        }
        if block == 0 {
            return self.header();
        }
        let mut bytes = vec![0; (BLOCK + SEAL) as usize];
        self.inner.read(place(block), &mut bytes)?;
        let sealed = bytes.split_off(BLOCK as usize);
        match sealed == seal(block, &bytes) {
            true => Ok(bytes),
            false => Err(self.wrong(format!("the checksum of block {block} is wrong"))),
        }
    }

    fn header(&self) -> io::Result<Vec<u8>> {
        let mut sector = [0; SECTOR];
        self.inner.read(0, &mut sector)?;
        if sector[HEADER.end..] != seal(0, &sector[..HEADER.end]) {
            return Err(self.wrong("the checksum of its header is wrong".to_owned()));
        }
        let mut block = vec![0; BLOCK as usize];
        block[..HEADER.len()].copy_from_slice(&sector[HEADER]);
        Ok(block)
    }

    /// Writes a block. All of a file is zero before it is written.
    fn write_block(&self, block: u64, content: &[u8]) -> io::Result<()> {
        if let Some(overlay) = &self.overlay {
            lock(overlay).changed.insert(block, content.to_vec());
            return Ok(());
        }
        if block > 0 {
            return self.inner.write(place(block), &[content, &seal(block, content)].concat());
        }
        let (header, rest) = content.split_at(HEADER.len());
        if rest.iter().any(|&byte| byte != 0) {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "the header of the database is too long"));
        }
        let mut sector = [&SIGNATURE, header].concat();
        let sealed = seal(0, &sector);
        sector.extend(sealed);
        self.inner.write(0, &sector)
    }

    /// The length of the inner storage without its checksums.
    fn stored_len(&self) -> io::Result<u64> {
        let length = self.inner.len()?;
        match length.checked_sub(FIRST) {
            _ if length == 0 => Ok(0),
            Some(blocks) if blocks.is_multiple_of(BLOCK + SEAL) => Ok(BLOCK + blocks / (BLOCK + SEAL) * BLOCK),
            _ => Err(self.wrong(format!("its length of {length} bytes is not one that a book has"))),
        }
    }

    /// Whether nothing was written to a block yet.
    fn is_blank(&self, block: u64) -> io::Result<bool> {
        if let Some(overlay) = &self.overlay
            && lock(overlay).block(block)?.is_some()
        {
            return Ok(false);
        }
        let (start, length) = if block == 0 { (0, SECTOR) } else { (place(block), (BLOCK + SEAL) as usize) };
        let mut bytes = vec![0; length];
        self.inner.read(start, &mut bytes)?;
        Ok(bytes.iter().all(|&byte| byte == 0))
    }
}

impl<S: StorageBackend> StorageBackend for Sealed<S> {
    fn len(&self) -> io::Result<u64> {
        if let Some(blocks) = self.overlay.as_ref().and_then(|overlay| lock(overlay).blocks) {
            return Ok(blocks * BLOCK);
        }
        self.stored_len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        for Part { block, within, buffer } in parts(offset, out.len()) {
            out[buffer].copy_from_slice(&self.block(block)?[within]);
        }
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        if !length.is_multiple_of(BLOCK) {
            return Err(io::Error::new(io::ErrorKind::Unsupported, format!("{length} bytes are not whole blocks")));
        }
        let blocks = length / BLOCK;
        match &self.overlay {
            Some(overlay) => {
                lock(overlay).set_blocks(blocks, self.stored_len()? / BLOCK);
                Ok(())
            }
            None => self.inner.set_len(if blocks == 0 { 0 } else { place(blocks) }),
        }
    }

    fn sync_data(&self) -> io::Result<()> {
        if self.overlay.is_some() { Ok(()) } else { self.inner.sync_data() }
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        for Part { block, within, buffer } in parts(offset, data.len()) {
            if within.len() == BLOCK as usize {
                self.write_block(block, &data[buffer])?;
                continue;
            }
            let mut content = if self.is_blank(block)? { vec![0; BLOCK as usize] } else { self.block(block)? };
            content[within].copy_from_slice(&data[buffer]);
            self.write_block(block, &content)?;
        }
        Ok(())
    }

    fn close(&self) -> io::Result<()> {
        self.inner.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        match self.overlay {
            Some(_) => self.inner.try_lock_shared_range(start, end),
            None => self.inner.try_lock_range(start, end),
        }
    }

    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.inner.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        match self.overlay {
            Some(_) => self.inner.lock_shared_range(start, end),
            None => self.inner.lock_range(start, end),
        }
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.inner.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.inner.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.inner.query_lock_range(start, end)
    }
}

#[cfg(test)]
mod tests {
    use othello::random::Random;
    use redb::backends::InMemoryBackend;

    use super::*;

    fn sealed() -> Sealed<InMemoryBackend> {
        Sealed::new(InMemoryBackend::new(), Path::new("test.book"))
    }

    #[test]
    fn blocks_read_as_they_were_written() {
        let mut random = Random::new(3);
        let mut plain = vec![0; 20 * BLOCK as usize];
        let storage = sealed();
        assert_eq!(storage.len().unwrap(), 0);
        storage.set_len(plain.len() as u64).unwrap();
        for block in 0..20 {
            storage.write(block * BLOCK, &[0; BLOCK as usize]).unwrap();
        }
        for _ in 0..500 {
            let start = random.below(plain.len());
            let length = random.below(plain.len() - start).min(9000);
            let (offset, end) = (start as u64, start + length);
            // There is room for the header, and for nothing behind it.
            let is_possible = start < HEADER.len() && end <= HEADER.len() || start >= BLOCK as usize;
            let data: Vec<u8> = (0..length).map(|_| random.bits() as u8 | 1).collect();
            if is_possible {
                storage.write(offset, &data).unwrap();
                plain[start..end].copy_from_slice(&data);
            }
            let mut read = vec![0; length];
            storage.read(offset, &mut read).unwrap();
            assert!(read == plain[start..end]);
        }
        assert_eq!(storage.len().unwrap(), plain.len() as u64);
        assert!(storage.write(1000, &[1]).is_err());
        assert!(storage.set_len(5000).is_err());
        assert!(storage.read(plain.len() as u64 - 1, &mut [0; 2]).is_err());
    }

    #[test]
    fn every_changed_byte_is_noticed_in_its_block_and_only_there() {
        let storage = sealed();
        storage.set_len(4 * BLOCK).unwrap();
        let mut random = Random::new(4);
        let header: Vec<u8> = (0..320).map(|_| random.bits() as u8).collect();
        storage.write(0, &header).unwrap();
        for block in 1..4 {
            let content: Vec<u8> = (0..BLOCK).map(|_| random.bits() as u8).collect();
            storage.write(block * BLOCK, &content).unwrap();
        }
        let all = storage.inner.len().unwrap();
        for at in (0..all).filter(|at| !(SECTOR as u64..FIRST).contains(at)) {
            let mut byte = [0];
            storage.inner.read(at, &mut byte).unwrap();
            storage.inner.write(at, &[byte[0] ^ (1 << random.below(8))]).unwrap();
            let damaged = if at < FIRST { 0 } else { 1 + (at - FIRST) / (BLOCK + SEAL) };
            for block in 0..4 {
                let outcome = storage.read(block * BLOCK, &mut [0; 64]);
                assert_eq!(outcome.is_err(), block == damaged, "byte {at}, block {block}");
            }
            storage.inner.write(at, &byte).unwrap();
        }
        // A block in the place of another one, and one of zeros.
        let mut bytes = vec![0; (BLOCK + SEAL) as usize];
        storage.inner.read(place(1), &mut bytes).unwrap();
        storage.inner.write(place(2), &bytes).unwrap();
        storage.inner.write(place(3), &vec![0; bytes.len()]).unwrap();
        let outcomes = [1, 2, 3].map(|block| storage.read(block * BLOCK, &mut [0; 64]).is_ok());
        assert_eq!(outcomes, [true, false, false]);
    }

    #[test]
    fn changes_in_memory_read_as_those_of_a_file() {
        let mut random = Random::new(1);
        let storage = sealed();
        storage.set_len(5 * BLOCK).unwrap();
        let mut bytes: Vec<u8> = (0..5 * BLOCK).map(|_| random.bits() as u8).collect();
        bytes[HEADER.len()..BLOCK as usize].fill(0);
        storage.write(0, &bytes).unwrap();
        let stored = |inner: &InMemoryBackend| {
            let mut stored = vec![0; inner.len().unwrap() as usize];
            inner.read(0, &mut stored).unwrap();
            stored
        };
        let original = stored(&storage.inner);
        let overlaid = Sealed::overlaid(storage.inner, Path::new("test.book"));
        for _ in 0..300 {
            match random.below(4) {
                0 => {
                    let length = random.below(10) * BLOCK as usize;
                    overlaid.set_len(length as u64).unwrap();
                    bytes.resize(length, 0);
                }
                1 | 2 => {
                    let data: Vec<u8> = (0..random.below(9000)).map(|_| random.bits() as u8).collect();
                    let offset = random.below(bytes.len().saturating_sub(data.len()).max(1));
                    if offset + data.len() <= bytes.len() {
                        overlaid.write(offset as u64, &data).unwrap();
                        bytes[offset..offset + data.len()].copy_from_slice(&data);
                    }
                }
                _ => {
                    let mut out = vec![1; bytes.len()];
                    overlaid.read(0, &mut out).unwrap();
                    assert!(out == bytes);
                    assert!(overlaid.read(1, &mut out).is_err() || bytes.is_empty());
                }
            }
            assert_eq!(overlaid.len().unwrap(), bytes.len() as u64);
        }
        assert!(stored(&overlaid.inner) == original);
    }

    #[test]
    fn a_length_between_blocks_is_refused() {
        let storage = sealed();
        storage.set_len(4 * BLOCK).unwrap();
        for length in [1, 4095, 4097, place(3) - 1, place(3) + 1] {
            storage.inner.set_len(length).unwrap();
            assert!(storage.len().unwrap_err().to_string().contains(&length.to_string()));
        }
    }
}
