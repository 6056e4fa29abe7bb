//! Files that are there whole or not at all, whatever happens while they are written.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// A folder has that name.
    #[error("{} is a folder; expected the name of a file", path.display())]
    Folder {
        /// The name.
        path: PathBuf,
    },
    /// The system refused to read it.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system refused to write it.
    #[error("cannot write {}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something else is there, which would be lost.
    #[error("{} is there and is no {what}; expected another name for the {what}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What was to be written.
        what: String,
    },
}

/// What stands where a file is to be written.
enum Place {
    /// A file or nothing yet, with its true name: a link stays one.
    File(PathBuf),
    /// A pipe or a device, which is written to and stays what it is.
    Stream,
}

impl Place {
    fn of(path: &Path) -> Result<Self, FileError> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(FileError::Folder { path: path.to_owned() }),
            Ok(found) if !found.is_file() => Ok(Self::Stream),
            Ok(_) => Ok(Self::File(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))),
            Err(_) => Ok(Self::File(path.to_owned())),
        }
    }
}

/// Writes a file so that at every moment the old one or the new one is there, whole.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let place = Place::of(path)?;
    let write = || -> io::Result<()> {
        let Place::File(path) = &place else { return File::create(path)?.write_all(bytes) };
        let new = beside(path, ".new");
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().map_err(|source| FileError::Unwritable { path: path.to_owned(), source })
}

/// Makes sure, before any work, that a file can be written and that it is not something else that would be lost: what
/// is there must begin as what will be written does.
pub fn is_ours_to_write(path: &Path, beginning: &[u8], what: &str) -> Result<(), FileError> {
    // A pipe or a device has nothing that could be lost.
    let Place::File(true_path) = Place::of(path)? else { return Ok(()) };
    if true_path.exists() {
        let mut found = Vec::new();
        let mut read = || File::open(&true_path)?.take(beginning.len().max(1) as u64).read_to_end(&mut found);
        read().map_err(|source| FileError::Unreadable { path: path.to_owned(), source })?;
        if !found.is_empty() && !found.starts_with(beginning) {
            return Err(FileError::Foreign { path: path.to_owned(), what: what.to_owned() });
        }
    }
    let new = beside(&true_path, ".new");
    let create = || File::create(&new).and_then(|_| fs::remove_file(&new));
    create().map_err(|source| FileError::Unwritable { path: path.to_owned(), source })
}

/// The file beside this one whose name ends with something more.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
