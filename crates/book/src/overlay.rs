//! A file whose changes are kept in memory: to try what may fail halfway, and to read what has to be repaired first.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::ops::Bound;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

use control::lock;
use redb::backends::FileBackend;
use redb::{BackendError, StorageBackend};

/// The bytes that are kept together.
const BLOCK: u64 = 4096;

/// A file that is only read, with the changes in memory. Programs that want to change it see it as one that is being read: every
/// lock is a shared one.
#[derive(Debug)]
pub(crate) struct Overlay {
    file: FileBackend,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Number of visible bytes of the file: it may have been cut and extended since.
    visible: u64,
    length: u64,
    changed: HashMap<u64, Vec<u8>>,
}

impl Overlay {
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let file = FileBackend::new(file).map_err(io::Error::other)?;
        Ok(Self { file, state: Mutex::new(State { visible: length, length, changed: HashMap::new() }) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// The content of a block.
    fn block(&self, state: &State, index: u64) -> io::Result<Vec<u8>> {
        if let Some(block) = state.changed.get(&index) {
            return Ok(block.clone());
        }
        let mut block = vec![0; BLOCK as usize];
        let start = index * BLOCK;
        if start < state.visible {
            let count = BLOCK.min(state.visible - start) as usize;
            self.file.read(start, &mut block[..count])?;
        }
        Ok(block)
    }
}

/// The blocks of a range of bytes: the number of each, its bytes in the range, and how many bytes of it come before.
fn blocks(offset: u64, length: usize) -> impl Iterator<Item = (u64, std::ops::Range<usize>, usize)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        if done >= length {
            return None;
        }
        let at = offset + done as u64;
        let within = (at % BLOCK) as usize;
        let count = (BLOCK as usize - within).min(length - done);
        done += count;
        Some((at / BLOCK, within..within + count, done - count))
    })
}

impl StorageBackend for Overlay {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().length)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let state = self.state();
        let end = offset.checked_add(out.len() as u64).filter(|&end| end <= state.length);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        let is_changed = |(index, _, _)| state.changed.contains_key(&index);
        if end <= state.visible && !blocks(offset, out.len()).any(is_changed) {
            // Nearly all of a large file.
            drop(state);
            return self.file.read(offset, out);
        }
        for (index, range, done) in blocks(offset, out.len()) {
            out[done..done + range.len()].copy_from_slice(&self.block(&state, index)?[range]);
        }
        Ok(())
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
        for (index, range, done) in blocks(offset, data.len()) {
            let mut block = self.block(&state, index)?;
            let count = range.len();
            block[range].copy_from_slice(&data[done..done + count]);
            state.changed.insert(index, block);
        }
        Ok(())
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_shared_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.query_lock_range(start, end)
    }
}

#[cfg(test)]
mod tests {
    use othello::random::Random;

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
