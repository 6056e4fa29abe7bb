//! Where games are written: a file in any format, or standard output.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, StdoutLock};
use std::path::{Path, PathBuf};

use super::files::{GameFileError, STANDARD_STREAM};
use super::{Format, GameRecord, WriteError, Writer};
use crate::printable::PrintableWriter;

/// Games on their way out, and how many there were.
#[derive(Debug)]
pub struct GameSink {
    target: Target,
    path: PathBuf,
    written: u64,
}

#[derive(Debug)]
enum Target {
    File(Writer<BufWriter<File>>),
    Standard(Writer<BufWriter<StdoutLock<'static>>>),
    /// Standard output that is a terminal, which text of others must not command.
    Terminal(Writer<PrintableWriter<BufWriter<StdoutLock<'static>>>>),
}

impl GameSink {
    /// A file of this name, created or emptied, or standard output for `-`.
    pub fn create(path: &Path, format: Format) -> Result<Self, GameFileError> {
        let target = if path == Path::new(STANDARD_STREAM) {
            let out = BufWriter::new(io::stdout().lock());
            if io::stdout().is_terminal() {
                Target::Terminal(Writer::new(PrintableWriter(out), format)?)
            } else {
                Target::Standard(Writer::new(out, format)?)
            }
        } else {
            Target::File(Writer::create(path, format).map_err(unwritable(path))?)
        };
        Ok(Self { target, path: path.to_owned(), written: 0 })
    }

    /// Writes a game. The inner error is of one that the format cannot hold: it is left out.
    pub fn write(&mut self, record: &GameRecord) -> Result<Result<(), WriteError>, GameFileError> {
        let result = match &mut self.target {
            Target::File(writer) => writer.write(record),
            Target::Standard(writer) => writer.write(record),
            Target::Terminal(writer) => writer.write(record),
        };
        match result {
            Ok(()) => self.written += 1,
            Err(error @ WriteError::Io(_)) => return Err(unwritable(&self.path)(error)),
            Err(error) => return Ok(Err(error)),
        }
        Ok(Ok(()))
    }

    /// Completes the file and says how many games it has.
    pub fn finish(self) -> Result<u64, GameFileError> {
        let Self { target, path, written } = self;
        match target {
            Target::File(writer) => writer.finish(),
            Target::Standard(writer) => writer.finish(),
            Target::Terminal(writer) => writer.finish(),
        }
        .map_err(|error| unwritable(&path)(error.into()))?;
        Ok(written)
    }
}

fn unwritable(path: &Path) -> impl FnOnce(WriteError) -> GameFileError {
    let path = path.to_owned();
    move |source| GameFileError::Unwritable { path, source }
}
