//! The files that an index is made from, and whether they are still the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use othello::opening_names::{self, NamedOpening};
use othello::records::files::{self, GameFileError, STANDARD_STREAM};
use othello::records::{Format, RecordError};
use serde::Serialize;
use storage::{Fingerprint, checksum, same_file};

use super::IndexBuilder;
use super::index_file::VERSION;

/// Files of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sources {
    files: Vec<PathBuf>,
}

/// What happens while an index is built.
pub enum Progress<'a> {
    /// Another file begins, after this number of games.
    File {
        /// How many files were read.
        read: usize,
        /// How many there are.
        all: usize,
        /// How many games were found.
        games: usize,
    },
    /// A record that was left out.
    BadRecord(&'a RecordError),
    /// A file that was left out.
    BadFile(&'a GameFileError),
}

/// What an index is made from. Another program, or another list of names, makes another index.
#[derive(Serialize)]
struct Recipe {
    version: u16,
    opening_names: u64,
    files: Vec<SourceFile>,
}

/// A file as it was when it was read. Its time is enough to notice a change, and its content need not be read again.
#[derive(Serialize)]
struct SourceFile {
    path: String,
    bytes: u64,
    modified: Option<u64>,
}

impl Sources {
    /// The files of a list of files and folders, sorted by name within a folder.
    pub fn of(paths: &[PathBuf]) -> Result<Self, GameFileError> {
        Ok(Self { files: files::expand_paths(paths)? })
    }

    /// The files of games.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Whether the games come from standard input, which cannot be read again.
    pub fn is_stream(&self) -> bool {
        self.files.iter().any(|file| file == Path::new(STANDARD_STREAM))
    }

    /// What an index made from these files says of them.
    pub fn fingerprint(&self) -> Fingerprint {
        let names = opening_names::all();
        let opening_names =
            checksum::fnv1a(names.iter().flat_map(|opening: &NamedOpening| [opening.moves, opening.name]));
        let mut files: Vec<_> = self.files.iter().map(|file| source_file(file)).collect();
        let mut names: Vec<_> = self.files.iter().filter_map(|file| name_tables(file)).flatten().collect();
        names.sort();
        names.dedup();
        files.extend(names.iter().map(|file| source_file(file)));
        Fingerprint::of(&Recipe { version: VERSION, opening_names, files })
    }

    /// Builds an index of all games. Files and records that cannot be read are reported and left out.
    pub fn build(&self, mut report: impl FnMut(Progress<'_>)) -> Vec<u8> {
        // Taken first: a file that changes while it is read makes the index outdated.
        let mut builder = IndexBuilder::from_sources(self.fingerprint());
        for (read, file) in self.files.iter().enumerate() {
            report(Progress::File { read, all: self.files.len(), games: builder.game_count() });
            let records = match files::records_of(file, None) {
                Ok(records) => records,
                Err(error) => {
                    report(Progress::BadFile(&error));
                    continue;
                }
            };
            for record in records {
                match record {
                    Ok(record) => builder.add(&record),
                    Err(error) => report(Progress::BadRecord(&error)),
                }
            }
        }
        report(Progress::File { read: self.files.len(), all: self.files.len(), games: builder.game_count() });
        builder.finish()
    }
}

/// The tables of names in the folder of a Thor file.
fn name_tables(file: &Path) -> Option<Vec<PathBuf>> {
    if Format::from_path(file) != Some(Format::Thor) {
        return None;
    }
    let entries = fs::read_dir(same_file::folder_of(file)).ok()?.flatten().map(|entry| entry.path());
    let is_table = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_lowercase);
        extension.is_some_and(|extension| extension == "jou" || extension == "trn")
    };
    Some(entries.filter(|path| is_table(path)).collect())
}

fn source_file(file: &Path) -> SourceFile {
    let found = fs::metadata(file).ok();
    let modified = found.as_ref().and_then(|found| found.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    SourceFile {
        path: fs::canonicalize(file).unwrap_or_else(|_| file.to_owned()).display().to_string(),
        bytes: found.map_or(0, |found| found.len()),
        modified: modified.map(|time| time.as_nanos() as u64),
    }
}
