//! Writing games: as text to any output, to a file in any format, to standard output.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use storage::standard_output::StandardOutput;
use storage::whole_file::{FileError, NewFile};

use crate::files::{GameFileError, RecordedBoard, is_stream, today};
use crate::obf::Problem;
use crate::printable::PrintableWriter;
use crate::{Format, GameRecord, WriteError, ggf, sgf, thor, transcript};
use othello::Rules;

/// Writes records one after the other.
///
/// Files are written with [`GameSink`], which also writes Thor's three files.
///
/// ```
/// use othello::Board;
/// use records::{Format, GameRecord, Writer, transcript};
///
/// let mut text = Vec::new();
/// let mut writer = Writer::new(&mut text, Format::Transcript)?;
/// writer.write(&GameRecord::new(transcript::parse::<Board>("F5 D6 C3")?))?;
/// writer.finish()?;
/// assert_eq!(text, b"f5d6c3\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    format: Format,
}

impl<W: Write> Writer<W> {
    /// Writes in a text format; Thor games need the path of a file.
    pub fn new(out: W, format: Format) -> Result<Self, WriteError> {
        match format {
            Format::Thor => Err(WriteError::NeedsPath),
            _ => Ok(Self { out, format }),
        }
    }

    /// Writes a record. One that the format cannot hold is refused and leaves the output unchanged; writing can
    /// continue.
    ///
    /// Transcripts keep only the moves, OBF the last position with its scores and comment; `docs/formats.md` lists what
    /// each format keeps.
    pub fn write<B: Rules>(&mut self, record: &GameRecord<B>) -> Result<(), WriteError> {
        let text = match self.format {
            Format::Transcript => transcript::line(record)?,
            Format::Obf => Problem::from(record).to_string(),
            Format::Ggf => ggf::format(record),
            Format::Sgf => sgf::format(record),
            Format::Thor => return Err(WriteError::NeedsPath),
        };
        Ok(writeln!(self.out, "{text}")?)
    }

    /// Flushes the output and returns it.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// An output for games that counts them.
///
/// A file gets its name in [`finish`](Self::finish); until then the old file exists, and it stays if the games cannot
/// be written completely, or if there are none.
pub struct GameSink {
    target: Target,
    path: PathBuf,
    written: u64,
}

enum Target {
    File(Writer<NewFile>),
    Thor(Box<thor::FileWriter>),
    Standard(Writer<Box<dyn Write>>),
}

impl GameSink {
    /// A file of this name, or standard output for `-`.
    pub fn create(path: &Path, format: Format) -> Result<Self, GameFileError> {
        let target = if is_stream(path) {
            let out = BufWriter::new(StandardOutput::lock());
            // On a terminal, control characters in the text must have no effect.
            let is_terminal = io::stdout().is_terminal();
            let out: Box<dyn Write> = if is_terminal { Box::new(PrintableWriter(out)) } else { Box::new(out) };
            Target::Standard(Writer::new(out, format)?)
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
        if format == Format::Thor && !is_stream(path) {
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
        }
        Ok(written)
    }
}

fn unwritable(path: &Path, source: io::Error) -> GameFileError {
    // The error of standard output names it.
    if is_stream(path) {
        return source.into();
    }
    FileError::Unwritable(path.to_owned(), source).into()
}
