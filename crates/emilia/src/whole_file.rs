//! Files that are there whole or not at all, whatever happens while they are written.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

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

/// The file beside this one whose name ends with something more.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
