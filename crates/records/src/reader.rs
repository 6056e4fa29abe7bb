//! Reading the records of a file in any format.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use crate::lines::fill;
use crate::text::Texts;
use crate::thor::{self, Names};
use crate::{Format, GameRecord, RecordError, ggf, obf, properties, sgf};
use othello::Board;

/// The records of a file, valid and invalid, one at a time. After an invalid record, reading continues with the next one.
pub type Records<'a, B = Board> = Box<dyn Iterator<Item = Result<GameRecord<B>, RecordError>> + 'a>;

/// Reads the records of a file in this format; `name` is used in error messages.
///
/// The names of Thor players and tournaments are in separate files; without them, as here, the numbers are used as
/// names. [`open`] finds these files, and [`thor::Reader`] accepts them as arguments.
///
/// ```
/// use records::Format;
///
/// let text = "f5d6c3\nf5f6x9\nf5f4\n";
/// let results: Vec<_> = records::read(text.as_bytes(), "games.txt", Format::Transcript).collect();
/// assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 2);
/// let message = results[1].as_ref().expect_err("x9 is not a square").to_string();
/// assert!(message.starts_with("games.txt, line 2: move 3: \"x9\" is not a square"));
/// ```
pub fn read<'a>(reader: impl BufRead + 'a, name: &str, format: Format) -> Records<'a> {
    match format {
        Format::Transcript => Box::new(Texts::new(reader, name)),
        Format::Obf => Box::new(obf::problems(reader, name).map(|problem| problem.map(GameRecord::from))),
        Format::Ggf => Box::new(properties::records(reader, name, ggf::parse)),
        Format::Sgf => Box::new(properties::records(reader, name, sgf::parse)),
        Format::Thor => Box::new(thor::Reader::new(reader, name, Names::default())),
    }
}

/// Opens a file of records, in the format given by its extension or, failing that, detected from its content.
///
/// For a Thor `.wtb` file the names are read from the `.jou` and `.trn` files in the same folder that have the same
/// base name or are called `WTH`, in any case.
pub fn open(path: impl AsRef<Path>) -> io::Result<Records<'static>> {
    let path = path.as_ref();
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path)?);
    let format = match Format::from_path(path) {
        // The extension `txt` is ambiguous, so the content decides.
        Some(format) if format != Format::Transcript => format,
        _ => Format::detect(fill(&mut reader)?),
    };
    Ok(read_file(reader, path, format))
}

/// Reads the records of an open file; for Thor with the names in the files beside it.
pub(crate) fn read_file(reader: BufReader<File>, path: &Path, format: Format) -> Records<'static> {
    let name = path.display().to_string();
    match format {
        Format::Thor => Box::new(thor::Reader::new(reader, &name, Names::beside(path))),
        _ => read(reader, &name, format),
    }
}
