//! Writing records into a file, whatever its format.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::records::obf::Problem;
use crate::records::{Date, Format, GameRecord, WriteError, ggf, sgf, thor, transcript};

/// Writes records one after the other.
///
/// ```
/// use othello::records::{Format, GameRecord, Writer, transcript};
///
/// let mut text = Vec::new();
/// let mut writer = Writer::new(&mut text, Format::Transcript)?;
/// writer.write(&GameRecord::new(transcript::parse("F5 D6 C3")?))?;
/// writer.finish()?;
/// assert_eq!(text, b"f5d6c3\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W: Write> {
    sink: Sink<W>,
}

#[derive(Debug)]
enum Sink<W> {
    Text(W, Format),
    Thor(Box<thor::FileWriter>),
}

impl<W: Write> Writer<W> {
    /// Writes in a text format. Thor games need the path of a file, see [`Writer::create`].
    pub fn new(out: W, format: Format) -> Result<Self, WriteError> {
        match format {
            Format::Thor => Err(WriteError::NeedsPath),
            _ => Ok(Self { sink: Sink::Text(out, format) }),
        }
    }

    /// Writes a record. One that the format cannot hold is refused and leaves the file as it was;
    /// others can follow.
    ///
    /// Transcripts keep the moves alone, OBF the last position with its scores and remark;
    /// `docs/formats.md` says what each format keeps.
    pub fn write(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        let (out, format) = match &mut self.sink {
            Sink::Text(out, format) => (out, *format),
            Sink::Thor(writer) => return writer.write(record),
        };
        let text = match format {
            Format::Transcript => transcript::line(record)?,
            Format::Obf => Problem::from(record).to_string(),
            Format::Ggf => ggf::format(record),
            Format::Sgf => sgf::format(record),
            Format::Thor => return Err(WriteError::NeedsPath),
        };
        Ok(writeln!(out, "{text}")?)
    }

    /// Completes the file: what was written is only sure to be there after this.
    pub fn finish(self) -> io::Result<()> {
        match self.sink {
            Sink::Text(mut out, _) => out.flush(),
            Sink::Thor(writer) => writer.finish(),
        }
    }
}

impl Writer<BufWriter<File>> {
    /// Creates a file, or for Thor three of them: beside the `.wtb` the names in `.jou` and `.trn`.
    pub fn create(path: impl AsRef<Path>, format: Format) -> Result<Self, WriteError> {
        let path = path.as_ref();
        if format == Format::Thor {
            let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
            let writer = thor::FileWriter::create(path, Date::of_unix_time(seconds))?;
            return Ok(Self { sink: Sink::Thor(Box::new(writer)) });
        }
        Self::new(BufWriter::new(File::create(path)?), format)
    }
}
