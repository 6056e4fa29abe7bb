//! Writing records as text, in any format.

use std::io::{self, Write};

use crate::obf::Problem;
use crate::{Format, GameRecord, WriteError, ggf, sgf, transcript};
use othello::Rules;

/// Writes records one after the other.
///
/// Files are written with [`GameSink`](crate::sink::GameSink), which also writes Thor's three files.
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
