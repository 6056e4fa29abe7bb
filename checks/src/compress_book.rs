//! `cargo xtask compress-book`: an opening book as it is compiled into the program.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use book::Book;
use storage::whole_file;

use crate::workspace;

/// The level of Zstandard.
const LEVEL: i32 = 19;

/// Compress an opening book with Zstandard into data/book.zst, which is compiled into the program
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The book, which does not change
    #[arg(value_name = "FILE")]
    book: PathBuf,
    /// Path of the compressed file [default: data/book.zst]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let output = arguments.output.clone().unwrap_or_else(|| workspace().join("data/book.zst"));
    let plain = compact(&arguments.book)?;
    let compressed = zstd::encode_all(&plain[..], LEVEL).context("cannot compress the book")?;
    whole_file::replace(&output, &compressed)?;
    println!("{}: {} bytes instead of {}", output.display(), compressed.len(), plain.len());
    Ok(())
}

/// The bytes of a copy of the book without empty space, which must be sound.
fn compact(path: &Path) -> Result<Vec<u8>> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let copy = folder.path().join("book");
    fs::copy(path, &copy).with_context(|| format!("cannot read {}", path.display()))?;
    let mut book = Book::open(&copy)?;
    book.compact()?;
    drop(book);
    let bytes = fs::read(&copy)?;
    let check = Book::from_bytes(&bytes, path)?.snapshot()?.check(&mut |_| true)?;
    ensure!(check.is_sound() && check.open == 0, "{}: not every value is that of a move", path.display());
    Ok(bytes)
}
