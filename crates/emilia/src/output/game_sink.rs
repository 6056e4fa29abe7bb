//! Where games are written: a file in any format, or standard output.

use std::fs::File;
use std::io::{self, BufWriter, StdoutLock};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use othello::records::files::STANDARD_STREAM;
use othello::records::{Format, GameRecord, WriteError, Writer};

use crate::arguments::usage_error::UsageError;
use crate::output;
use crate::output::bad_records::BadRecords;

/// Games on their way out, and how many there were.
pub struct GameSink {
    target: Target,
    path: PathBuf,
    written: u64,
}

enum Target {
    File(Writer<BufWriter<File>>),
    Standard(Writer<BufWriter<StdoutLock<'static>>>),
}

impl GameSink {
    /// A file of this name, created or emptied, or standard output for `-`.
    pub fn create(path: &Path, format: Format) -> Result<Self> {
        let target = if path == Path::new(STANDARD_STREAM) {
            Target::Standard(Writer::new(output::stdout(), format).map_err(UsageError::new)?)
        } else {
            let writer = Writer::create(path, format).with_context(|| format!("cannot write {}", path.display()))?;
            Target::File(writer)
        };
        Ok(Self { target, path: path.to_owned(), written: 0 })
    }

    /// Writes a game. One that the format cannot hold is reported as bad; an error is one of the file.
    pub fn write(&mut self, record: &GameRecord, bad: &mut BadRecords) -> Result<()> {
        let result = match &mut self.target {
            Target::File(writer) => writer.write(record),
            Target::Standard(writer) => writer.write(record),
        };
        match result {
            Ok(()) => self.written += 1,
            Err(WriteError::Io(error)) => return Err(self.failed(error)),
            Err(error) => bad.add(&format!("{} against {}: {error}", known(&record.black), known(&record.white))),
        }
        Ok(())
    }

    /// Completes the file and says how many games it has.
    pub fn finish(self) -> Result<u64> {
        let Self { target, path, written } = self;
        match target {
            Target::File(writer) => writer.finish(),
            Target::Standard(writer) => writer.finish(),
        }
        .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(written)
    }

    fn failed(&self, error: io::Error) -> anyhow::Error {
        anyhow::Error::new(error).context(format!("cannot write {}", self.path.display()))
    }
}

fn known(name: &str) -> &str {
    if name.is_empty() { "?" } else { name }
}

/// The format to write in: as asked for, or as the name says.
pub fn output_format(path: &Path, asked: Option<Format>) -> Result<Format> {
    if let Some(format) = asked.or_else(|| Format::from_path(path)) {
        return Ok(format);
    }
    let what = if path == Path::new(STANDARD_STREAM) { "standard output".into() } else { path.to_string_lossy() };
    let expected = "--to FORMAT or a name that ends in .txt, .obf, .ggf, .sgf or .wtb";
    Err(UsageError::new(format!("cannot tell the format of {what}; expected {expected}")).into())
}

/// Refuses an output that is also read: creating it would empty it first.
pub fn check_not_read(output: &Path, inputs: &[PathBuf]) -> Result<()> {
    let Ok(output) = output.canonicalize() else {
        return Ok(());
    };
    match inputs.iter().find(|input| input.canonicalize().is_ok_and(|input| input == output)) {
        Some(input) => {
            let sentence = format!("{} cannot be both read and written; expected another name", input.display());
            Err(UsageError::new(sentence).into())
        }
        None => Ok(()),
    }
}
