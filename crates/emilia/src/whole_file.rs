//! Files that are there whole or not at all, whatever happens while they are written.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

/// What stands where a file is to be written.
enum Place {
    /// A file or nothing yet, with its true name: a link stays one.
    File(PathBuf),
    /// A pipe or a device, which is written to and stays what it is.
    Stream,
}

impl Place {
    fn of(path: &Path) -> Result<Self> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => bail!("{} is a folder; expected the name of a file", path.display()),
            Ok(found) if !found.is_file() => Ok(Self::Stream),
            Ok(_) => Ok(Self::File(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))),
            Err(_) => Ok(Self::File(path.to_owned())),
        }
    }
}

/// Writes a file so that at every moment the old one or the new one is there, whole.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let place = Place::of(path)?;
    let write = || -> io::Result<()> {
        let Place::File(path) = &place else { return File::create(path)?.write_all(bytes) };
        let new = beside(path, ".new");
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Makes sure, before any work, that a file can be written and that it is not something else that would be lost: what
/// is there must begin as what will be written does.
pub fn is_ours_to_write(path: &Path, beginning: &[u8], what: &str) -> Result<()> {
    // A pipe or a device has nothing that could be lost.
    let Place::File(true_path) = Place::of(path)? else { return Ok(()) };
    if true_path.exists() {
        let mut found = Vec::new();
        let mut read = || File::open(&true_path)?.take(beginning.len().max(1) as u64).read_to_end(&mut found);
        read().with_context(|| format!("cannot read {}", path.display()))?;
        let is_ours = found.is_empty() || found.starts_with(beginning);
        ensure!(is_ours, "{} is there and is no {what}; expected another name for the {what}", path.display());
    }
    let new = beside(&true_path, ".new");
    let create = || File::create(&new).and_then(|_| fs::remove_file(&new));
    create().with_context(|| format!("cannot write {}", path.display()))
}

/// The file beside this one whose name ends with something more.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
