//! Output of games: a file in any format, or standard output.

use std::io::{self, BufWriter, IsTerminal};
use std::path::{Path, PathBuf};

use storage::standard_output::StandardOutput;
use storage::whole_file::{FileError, NewFile};

use super::files::{GameFileError, RecordedBoard, STANDARD_STREAM, today};
use super::{Format, GameRecord, WriteError, Writer, thor};
use crate::printable::PrintableWriter;

/// An output for games that counts them.
///
/// A file gets its name in [`finish`](Self::finish); until then the old file exists, and it stays if the games cannot
/// be written completely, or if there are none.
#[derive(Debug)]
pub struct GameSink {
    target: Target,
    path: PathBuf,
    written: u64,
}

#[derive(Debug)]
enum Target {
    File(Writer<NewFile>),
    Thor(Box<thor::FileWriter>),
    Standard(Writer<BufWriter<StandardOutput>>),
    /// Standard output to a terminal, where control characters in the text must have no effect.
    Terminal(Writer<PrintableWriter<BufWriter<StandardOutput>>>),
}

impl GameSink {
    /// A file of this name, or standard output for `-`.
    pub fn create(path: &Path, format: Format) -> Result<Self, GameFileError> {
        let target = if path == Path::new(STANDARD_STREAM) {
            let out = BufWriter::new(StandardOutput::lock());
            if io::stdout().is_terminal() {
                Target::Terminal(Writer::new(PrintableWriter(out), format)?)
            } else {
                Target::Standard(Writer::new(out, format)?)
            }
        } else if format == Format::Thor {
            Target::Thor(Box::new(thor::FileWriter::create(path, today())?))
        } else {
            Target::File(Writer::new(NewFile::create(path)?, format)?)
        };
        Ok(Self { target, path: path.to_owned(), written: 0 })
    }

    /// The files that are written under this name: for Thor also the files of names.
    pub fn files(path: &Path, format: Format) -> Vec<PathBuf> {
        let mut files = vec![path.to_owned()];
        if format == Format::Thor && path != Path::new(STANDARD_STREAM) {
            files.extend(thor::name_files(path));
        }
        files
    }

    /// Writes a game. The inner error is for a game that the format cannot hold, which is left out.
    pub fn write<B: RecordedBoard>(&mut self, record: &GameRecord<B>) -> Result<Result<(), WriteError>, GameFileError> {
        let result = match &mut self.target {
            Target::File(writer) => writer.write(record),
            Target::Thor(writer) => B::add_to_thor(writer, record),
            Target::Standard(writer) => writer.write(record),
            Target::Terminal(writer) => writer.write(record),
        };
        match result {
            Ok(()) => self.written += 1,
            Err(WriteError::Io(source)) => return Err(unwritable(&self.path, source)),
            Err(error) => return Ok(Err(error)),
        }
        Ok(Ok(()))
    }

    /// Completes the file and returns the number of games in it. Without a game there is no new file, and an old one
    /// stays.
    pub fn finish(self) -> Result<u64, GameFileError> {
        let Self { target, path, written } = self;
        if written == 0 && matches!(target, Target::File(_) | Target::Thor(_)) {
            return Ok(0);
        }
        let failed = |source| unwritable(&path, source);
        match target {
            Target::File(writer) => writer.finish().map_err(failed)?.commit()?,
            Target::Thor(writer) => writer.finish()?,
            Target::Standard(writer) => drop(writer.finish().map_err(failed)?),
            Target::Terminal(writer) => drop(writer.finish().map_err(failed)?),
        }
        Ok(written)
    }
}

fn unwritable(path: &Path, source: io::Error) -> GameFileError {
    // The error of standard output names it.
    if path == Path::new(STANDARD_STREAM) {
        return source.into();
    }
    FileError::Unwritable { path: path.to_owned(), source }.into()
}
