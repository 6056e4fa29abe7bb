//! Files that grow while they are written, by one process at a time.

use std::fs::{File, TryLockError};
use std::io::{self, Read};
use std::path::Path;

/// Keeps other processes from writing into a file, as long as it is open; whether nobody else does already.
pub fn lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        // Some file systems know no locks; then nobody watches.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether another process writes into a file.
pub fn is_locked(file: &File) -> bool {
    let is_locked = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
    let _ = file.unlock();
    is_locked
}

/// Makes sure that the name of a new file survives, too.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match File::open(folder) {
        // Systems that cannot open a folder as a file keep its names in other ways.
        Ok(folder) if cfg!(unix) => folder.sync_all(),
        _ => Ok(()),
    }
}

/// Reads until the buffer is full or the input ends; how much was read.
pub fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
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
