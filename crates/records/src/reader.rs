//! Reading the records of a file in any format.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use crate::lines::fill;
use crate::properties::{Trees, next_record};
use crate::text::Texts;
use crate::thor::{self, Names};
use crate::{Format, GameRecord, RecordError, ggf, obf, sgf};

/// The records of a file, one at a time.
///
/// After an invalid record, reading continues with the next one.
#[derive(Debug)]
pub struct Records<R> {
    name: String,
    source: Source<R>,
}

#[derive(Debug)]
enum Source<R> {
    Transcript(Box<Texts<R>>),
    Obf(obf::Problems<R>),
    Ggf(Trees<R>),
    Sgf(Trees<R>),
    Thor(thor::Reader<R>),
}

/// Reads the records of a file in this format; `name` is used in error messages.
///
/// The names of Thor players and tournaments are in separate files; without them, as here, the numbers are used as
/// names. [`open`] finds these files, and [`thor::Reader`] accepts them as arguments.
///
/// ```
/// use records::{Format};
///
/// let text = "f5d6c3\nf5f6x9\nf5f4\n";
/// let results: Vec<_> = records::read(text.as_bytes(), "games.txt", Format::Transcript).collect();
/// assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 2);
/// let message = results[1].as_ref().expect_err("x9 is not a square").to_string();
/// assert!(message.starts_with("games.txt, line 2: move 3: \"x9\" is not a square"));
/// ```
pub fn read<R: BufRead>(reader: R, name: &str, format: Format) -> Records<R> {
    with_names(reader, name, format, Names::default())
}

fn with_names<R: BufRead>(reader: R, name: &str, format: Format, names: Names) -> Records<R> {
    let source = match format {
        Format::Transcript => Source::Transcript(Box::new(Texts::new(reader, name))),
        Format::Obf => Source::Obf(obf::problems(reader, name)),
        Format::Ggf => Source::Ggf(Trees::new(reader)),
        Format::Sgf => Source::Sgf(Trees::new(reader)),
        Format::Thor => Source::Thor(thor::Reader::new(reader, name, names)),
    };
    Records { name: name.to_owned(), source }
}

/// Opens a file of records, in the format given by its extension or, failing that, detected from its content.
///
/// For a Thor `.wtb` file the names are read from the `.jou` and `.trn` files in the same folder that have the same
/// base name or are called `WTH`, in any case.
pub fn open(path: impl AsRef<Path>) -> io::Result<Records<BufReader<File>>> {
    let path = path.as_ref();
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path)?);
    let format = match Format::from_path(path) {
        // The extension `txt` is ambiguous, so the content decides.
        Some(format) if format != Format::Transcript => format,
        _ => Format::detect(fill(&mut reader)?),
    };
    let names = if format == Format::Thor { Names::beside(path) } else { Names::default() };
    Ok(with_names(reader, &path.display().to_string(), format, names))
}

impl<R: BufRead> Records<R> {
    /// The format that is being read.
    pub fn format(&self) -> Format {
        match self.source {
            Source::Transcript(_) => Format::Transcript,
            Source::Obf(_) => Format::Obf,
            Source::Ggf(_) => Format::Ggf,
            Source::Sgf(_) => Format::Sgf,
            Source::Thor(_) => Format::Thor,
        }
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.source {
            Source::Transcript(texts) => texts.next(),
            Source::Obf(problems) => Some(problems.next()?.map(GameRecord::from)),
            Source::Ggf(trees) => next_record(trees, &self.name, ggf::parse),
            Source::Sgf(trees) => next_record(trees, &self.name, sgf::parse),
            Source::Thor(reader) => reader.next(),
        }
    }
}
