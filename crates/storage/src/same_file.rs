//! Comparison of file names: whether two refer to the same file, by links, other spellings, or redirected standard input.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

/// The identity of a file. Two names refer to the same file if and only if their identities are equal.
///
/// Only files that could be overwritten have one: pipes, devices and folders have none.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FileId(Identity);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Identity {
    /// An existing file.
    #[cfg(unix)]
    Inode { device: u64, inode: u64 },
    /// An existing file, on systems without inodes, where hard links are not recognized.
    #[cfg(not(unix))]
    Path(PathBuf),
    /// A file that does not exist yet: its folder and its name.
    Free { folder: PathBuf, name: OsString },
}

impl FileId {
    /// The identity of the file with this name, or of the one that would be created.
    pub fn of(path: &Path) -> Option<Self> {
        match fs::metadata(path) {
            Ok(found) => Self::of_metadata(&found, path),
            Err(_) => {
                let path = true_path(path);
                let folder = fs::canonicalize(folder_of(&path)).ok()?;
                Some(Self(Identity::Free { folder, name: path.file_name()?.to_owned() }))
            }
        }
    }

    /// The identity of the file that standard input is redirected from.
    pub fn of_standard_input() -> Option<Self> {
        #[cfg(unix)]
        return Self::of_stream(&std::io::stdin());
        #[cfg(not(unix))]
        None
    }

    /// The identity of the file that standard output is redirected to.
    pub fn of_standard_output() -> Option<Self> {
        #[cfg(unix)]
        return Self::of_stream(&std::io::stdout());
        #[cfg(not(unix))]
        None
    }

    #[cfg(unix)]
    fn of_stream(stream: &impl std::os::fd::AsFd) -> Option<Self> {
        let file = fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
        Self::of_metadata(&file.metadata().ok()?, Path::new("-"))
    }

    #[cfg(unix)]
    fn of_metadata(found: &Metadata, _path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;

        found.is_file().then(|| Self(Identity::Inode { device: found.dev(), inode: found.ino() }))
    }

    #[cfg(not(unix))]
    fn of_metadata(found: &Metadata, path: &Path) -> Option<Self> {
        found.is_file().then(|| fs::canonicalize(path).ok().map(|path| Self(Identity::Path(path)))).flatten()
    }
}

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The maximum number of symbolic links to follow, as on Linux.
const MAX_LINKS: usize = 40;

/// The path with all symbolic links resolved, even if the file does not exist yet.
pub fn true_path(path: &Path) -> PathBuf {
    if let Ok(found) = fs::canonicalize(path) {
        return found;
    }
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = folder_of(&path).join(target);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_spellings_of_a_name_lead_to_the_same_file_there_or_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("one.txt"), b"").unwrap();
        fs::write(path("two.txt"), b"").unwrap();
        fs::create_dir(path("inner")).unwrap();
        for name in ["one.txt", "none.txt"] {
            let id = FileId::of(&path(name));
            assert!(id.is_some());
            assert_eq!(id, FileId::of(&path(&format!("./inner/../{name}"))));
            assert_ne!(id, FileId::of(&path("two.txt")));
            assert_ne!(id, FileId::of(&path("other.txt")));
        }
        assert_eq!(FileId::of(folder.path()), None);
        assert_eq!(FileId::of(&path("nowhere/at.all")), None);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_resolved_and_devices_have_no_identity() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("one.txt"), b"").unwrap();
        fs::hard_link(path("one.txt"), path("hard.txt")).unwrap();
        symlink("one.txt", path("soft.txt")).unwrap();
        symlink("soft.txt", path("softer.txt")).unwrap();
        symlink("none.txt", path("dangling.txt")).unwrap();
        for name in ["hard.txt", "soft.txt", "softer.txt"] {
            assert_eq!(FileId::of(&path(name)), FileId::of(&path("one.txt")), "{name}");
        }
        assert_eq!(FileId::of(&path("dangling.txt")), FileId::of(&path("none.txt")));
        // Links that form a cycle lead nowhere.
        symlink("b.txt", path("a.txt")).unwrap();
        symlink("a.txt", path("b.txt")).unwrap();
        FileId::of(&path("a.txt"));
        for device in ["/dev/null", "/dev/full"] {
            assert_eq!(FileId::of(Path::new(device)), None);
        }
    }
}
