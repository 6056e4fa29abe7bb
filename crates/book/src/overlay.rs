//! A file whose changes are kept in memory: to try what may fail halfway.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The bytes that are kept together.
const BLOCK: u64 = 4096;

/// A file that is only read, with the changes in memory.
#[derive(Debug)]
pub(crate) struct Overlay {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: File,
    /// How much of the file is visible: it may have been cut and extended since.
    visible: u64,
    length: u64,
    changed: HashMap<u64, Vec<u8>>,
}

impl Overlay {
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self { state: Mutex::new(State { file, visible: length, length, changed: HashMap::new() }) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The content of a block.
    fn block(&mut self, index: u64) -> io::Result<Vec<u8>> {
        if let Some(block) = self.changed.get(&index) {
            return Ok(block.clone());
        }
        let mut block = Vec::with_capacity(BLOCK as usize);
        let start = index * BLOCK;
        if start < self.visible {
            self.file.seek(SeekFrom::Start(start))?;
            (&self.file).take(BLOCK.min(self.visible - start)).read_to_end(&mut block)?;
        }
        block.resize(BLOCK as usize, 0);
        Ok(block)
    }

    /// Calls a function with every block of a range: its number, and the bytes of the range in it.
    fn for_each_block(
        &mut self,
        offset: u64,
        length: usize,
        mut call: impl FnMut(&mut Self, u64, std::ops::Range<usize>, usize) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut done = 0;
        while done < length {
            let at = offset + done as u64;
            let within = (at % BLOCK) as usize;
            let count = (BLOCK as usize - within).min(length - done);
            call(self, at / BLOCK, within..within + count, done)?;
            done += count;
        }
        Ok(())
    }
}

impl redb::StorageBackend for Overlay {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().length)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut state = self.state();
        if offset.checked_add(out.len() as u64).is_none_or(|end| end > state.length) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        state.for_each_block(offset, out.len(), |state, index, range, done| {
            let count = range.len();
            out[done..done + count].copy_from_slice(&state.block(index)?[range]);
            Ok(())
        })
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        let mut state = self.state();
        state.length = length;
        if length < state.visible {
            state.visible = length;
        }
        let blocks = length.div_ceil(BLOCK);
        state.changed.retain(|&index, _| index < blocks);
        if !length.is_multiple_of(BLOCK)
            && let Some(block) = state.changed.get_mut(&(blocks - 1))
        {
            block[(length % BLOCK) as usize..].fill(0);
        }
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut state = self.state();
        state.length = state.length.max(offset.saturating_add(data.len() as u64));
        state.for_each_block(offset, data.len(), |state, index, range, done| {
            let mut block = state.block(index)?;
            let count = range.len();
            block[range].copy_from_slice(&data[done..done + count]);
            state.changed.insert(index, block);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use othello::random::Random;
    use redb::StorageBackend;

    use super::*;

    #[test]
    fn an_overlay_reads_as_a_file_that_is_really_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut random = Random::new(1);
        let mut bytes: Vec<u8> = (0..20_000).map(|_| random.bits() as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        let original = bytes.clone();
        let overlay = Overlay::new(&path).unwrap();
        for _ in 0..300 {
            match random.below(4) {
                0 => {
                    let length = random.below(40_000);
                    overlay.set_len(length as u64).unwrap();
                    bytes.resize(length, 0);
                }
                1 | 2 => {
                    let data: Vec<u8> = (0..random.below(9000)).map(|_| random.bits() as u8).collect();
                    let offset = random.below(bytes.len().saturating_sub(data.len()).max(1));
                    if offset + data.len() <= bytes.len() {
                        overlay.write(offset as u64, &data).unwrap();
                        bytes[offset..offset + data.len()].copy_from_slice(&data);
                    }
                }
                _ => {
                    let mut out = vec![1; bytes.len()];
                    overlay.read(0, &mut out).unwrap();
                    assert!(out == bytes);
                    assert!(overlay.read(1, &mut out).is_err() || bytes.is_empty());
                }
            }
        }
        assert!(std::fs::read(&path).unwrap() == original);
    }
}
