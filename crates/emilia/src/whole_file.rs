//! Files that are there whole or not at all, whatever happens while they are written.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// Writes a file so that at every moment the old one or the new one is there, whole.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let new = beside(path, ".new");
    let write = || -> io::Result<()> {
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
    if path.exists() {
        let found = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let is_ours = found.is_empty() || found.starts_with(beginning);
        ensure!(is_ours, "{} is there and is no {what}; expected another name for the {what}", path.display());
    }
    let new = beside(path, ".new");
    let create = || File::create(&new).and_then(|_| fs::remove_file(&new));
    create().with_context(|| format!("cannot write {}", path.display()))
}

/// The file beside this one whose name ends with something more.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
