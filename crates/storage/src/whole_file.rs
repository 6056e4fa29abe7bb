//! Files that are there whole or not at all, whatever happens while they are written.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::growing_file::sync_folder;

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
        let mut file = temporary_beside(path)?;
        file.write_all(bytes)?;
        if let Ok(old) = fs::metadata(path) {
            file.as_file().set_permissions(old.permissions())?;
        }
        file.as_file().sync_all()?;
        file.persist(path)?;
        sync_folder(path)
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
    match temporary_beside(&true_path) {
        Ok(_) => Ok(()),
        Err(source) => Err(FileError::Unwritable { path: path.to_owned(), source }),
    }
}

/// A file that will take the place of this one, with the permissions of any new file; gone when it is dropped.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.prefix(".").suffix(".new").tempfile_in(folder)
}

/// The file beside this one whose name ends with something more.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.txt");
        is_ours_to_write(&path, b"one", "text").unwrap();
        assert!(names(folder.path()).is_empty());
        replace(&path, b"one").unwrap();
        replace(&path, b"one and two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one and two");
        assert_eq!(names(folder.path()), ["file.txt"]);
        is_ours_to_write(&path, b"one", "text").unwrap();
        assert!(matches!(is_ours_to_write(&path, b"two", "text"), Err(FileError::Foreign { .. })));
        assert!(matches!(replace(folder.path(), b""), Err(FileError::Folder { .. })));
        let nowhere = folder.path().join("none/file.txt");
        assert!(matches!(replace(&nowhere, b""), Err(FileError::Unwritable { .. })));
        assert!(matches!(is_ours_to_write(&nowhere, b"", ""), Err(FileError::Unwritable { .. })));
        assert_eq!(names(folder.path()), ["file.txt"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_permissions_stay_as_they_were() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().unwrap();
        let [file, link, plain] = ["file.txt", "link.txt", "plain.txt"].map(|name| folder.path().join(name));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        replace(&file, b"old").unwrap();
        // As any other new file.
        fs::write(&plain, b"").unwrap();
        assert_eq!(mode(&file), mode(&plain));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("file.txt", &link).unwrap();
        replace(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!((fs::read(&file).unwrap(), mode(&file)), (b"new".to_vec(), 0o640));
        replace(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
