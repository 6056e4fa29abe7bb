//! Files that grow while they are written, by one process at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::Path;

use crate::same_file::folder_of;
use crate::whole_file::require_regular;

/// Opens a file for reading and appending, or creates it. Pipes and devices are refused, because they cannot be
/// resumed.
pub fn open(path: &Path) -> io::Result<File> {
    // Checked before opening: opening a pipe would block, and opening a device may have side effects.
    if let Ok(found) = fs::metadata(path) {
        require_regular(&found)?;
    }
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    require_regular(&file.metadata()?)?;
    Ok(file)
}

/// Opens an existing file like [`open`], without creating one.
pub fn open_existing(path: &Path) -> io::Result<Option<File>> {
    match fs::metadata(path) {
        Ok(_) => open(path).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Creates a file that must not exist; a symbolic link counts as existing.
pub fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create_new(true).open(path)
}

/// Locks a file against writing by other processes while it is open; false if another process has locked it.
pub fn lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        // Some file systems do not support locks; then other processes are not kept out.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether another process has locked a file.
pub fn is_locked(file: &File) -> bool {
    let is_locked = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
    let _ = file.unlock();
    is_locked
}

/// Syncs the folder of a new file, so that its name survives a power failure, too.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    match File::open(folder_of(path)) {
        // Systems that cannot open a folder as a file do not need this.
        Ok(folder) if cfg!(unix) => folder.sync_all(),
        _ => Ok(()),
    }
}

/// Reads until the buffer is full or the input ends; returns the number of bytes read.
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
