//! The files that an index is made from, and whether they are still the same.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use othello::Board;
use records::files::{self, GameFileError, RecordedBoard, STANDARD_STREAM};
use records::opening_names::{self, NamedOpening};
use records::{Format, RecordError};
use serde::{Deserialize, Serialize};
use storage::{FileId, Fingerprint, checksum, same_file};

use super::index_file::FORMAT;
use super::{Index, IndexBuilder};
use crate::book::is_book;

/// Files of games, each of them once, in an order that does not depend on how they were given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sources {
    given: Vec<PathBuf>,
    files: Vec<PathBuf>,
    /// The format of all files, if their names and contents do not decide.
    format: Option<Format>,
}

/// Reason why files cannot be the sources of an index.
#[derive(Debug, thiserror::Error)]
pub enum SourcesError {
    /// The files of games cannot be found.
    #[error(transparent)]
    Games(#[from] GameFileError),
    /// An opening book was given in place of games.
    #[error("{} is an opening book, not a file of games; expected it after --book", .0.display())]
    Book(PathBuf),
    /// An index was given in place of games.
    #[error("{} is an index of games, not a file of games; expected it after --index", .0.display())]
    Index(PathBuf),
}

/// Progress of building an index.
pub enum Progress<'a> {
    /// Another file begins, after this number of games.
    File {
        /// Number of files read.
        read: usize,
        /// Number of all files.
        all: usize,
        /// Number of games found.
        games: usize,
    },
    /// A record that was left out.
    BadRecord(&'a RecordError),
    /// A file that was left out.
    BadFile(&'a GameFileError),
}

/// Whether an index was made from some sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// It was made from them as they are now.
    Current,
    /// It was made from them, and they or the program have changed since.
    Outdated,
    /// It was made from other sources, or it is not known from which.
    Other,
}

/// Inputs of an index. Another program, or another list of names, makes another index.
#[derive(PartialEq, Serialize, Deserialize)]
struct Recipe {
    version: u16,
    opening_names: u64,
    given: Vec<String>,
    format: Option<String>,
    files: Vec<SourceFile>,
}

/// A file as it was when it was read. Its time is enough to notice a change, and its content need not be read again.
#[derive(PartialEq, Serialize, Deserialize)]
struct SourceFile {
    path: String,
    bytes: u64,
    modified: Option<u64>,
}

impl Sources {
    /// The files of these files and folders, each once and without indexes, in this format or in their own; `-` is
    /// standard input.
    pub fn of(paths: &[PathBuf], format: Option<Format>) -> Result<Self, SourcesError> {
        let mut found = Vec::new();
        for path in paths {
            let mut files = files::expand_paths(std::slice::from_ref(path))?;
            if path.is_dir() {
                files.retain(|file| !is_index(file) && !is_book(file));
                if files.is_empty() {
                    return Err(GameFileError::NoGameFiles(path.clone()).into());
                }
            } else if is_index(path) {
                return Err(SourcesError::Index(path.clone()));
            } else if !is_stream(path) && is_book(path) {
                return Err(SourcesError::Book(path.clone()));
            }
            found.append(&mut files);
        }
        let mut given: Vec<_> = paths.iter().map(|path| canonical(path)).collect();
        given.sort();
        given.dedup();
        found.sort_by_cached_key(|file| (is_stream(file), canonical(file), file.clone()));
        found.dedup();
        let mut known = HashSet::new();
        // What is not a regular file has no identity.
        found.retain(|file| FileId::of(file).is_none_or(|id| known.insert(id)));
        Ok(Self { given, files: found, format })
    }

    /// The files of games.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The files and folders that were given, with links resolved, in an order of their own.
    pub fn given(&self) -> &[PathBuf] {
        &self.given
    }

    /// Whether games come from standard input or a pipe, which cannot be read again.
    pub fn is_stream(&self) -> bool {
        self.files.iter().any(|file| is_stream(file))
    }

    /// Fingerprint that an index made from these files contains.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.recipe())
    }

    fn recipe(&self) -> Recipe {
        let names = opening_names::all();
        let opening_names =
            checksum::fnv1a(names.iter().flat_map(|opening: &NamedOpening| [opening.moves, opening.name]));
        let mut files: Vec<_> = self.files.iter().map(|file| source_file(file)).collect();
        let mut names: Vec<_> = self.files.iter().filter_map(|file| self.name_tables(file)).flatten().collect();
        names.sort();
        names.dedup();
        files.extend(names.iter().map(|file| source_file(file)));
        let given = self.given.iter().map(|path| path.display().to_string()).collect();
        let format = self.format.map(|format| format.to_string());
        Recipe { version: FORMAT.version, opening_names, given, format, files }
    }

    /// The tables of names in the folder of a Thor file.
    fn name_tables(&self, file: &Path) -> Option<Vec<PathBuf>> {
        if self.format.or_else(|| Format::from_path(file)) != Some(Format::Thor) {
            return None;
        }
        let entries = fs::read_dir(same_file::folder_of(file)).ok()?.flatten().map(|entry| entry.path());
        let is_table = |path: &Path| {
            let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_lowercase);
            extension.is_some_and(|extension| extension == "jou" || extension == "trn")
        };
        Some(entries.filter(|path| is_table(path)).collect())
    }

    /// Whether an index was made from these files.
    pub fn relation(&self, index: &Index) -> Relation {
        // What comes from a pipe cannot be recognized.
        if self.is_stream() {
            return Relation::Other;
        }
        let Ok(found) = index.sources().data::<Recipe>() else { return Relation::Other };
        let mut own = self.recipe();
        let paths = |recipe: &Recipe| recipe.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>();
        let is_same = own.given == found.given || paths(&own) == paths(&found);
        // A folder and the list of its files are the same games.
        own.given.clone_from(&found.given);
        match is_same {
            _ if own == found => Relation::Current,
            true => Relation::Outdated,
            false => Relation::Other,
        }
    }

    /// Builds an index of all games. Files and records that cannot be read are reported, counted and left out.
    pub fn build(&self, mut report: impl FnMut(Progress<'_>)) -> Vec<u8> {
        // Taken first: a file that changes while it is read makes the index outdated.
        let mut builder = IndexBuilder::from_sources(self.fingerprint());
        for (read, file) in self.files.iter().enumerate() {
            report(Progress::File { read, all: self.files.len(), games: builder.game_count() });
            let records = match Board::read_games(file, self.format) {
                Ok(records) => records,
                Err(error) => {
                    builder.left_out.unreadable_files += 1;
                    report(Progress::BadFile(&error));
                    continue;
                }
            };
            for record in records {
                match record {
                    Ok(record) => builder.add(&record),
                    // A record with a wrong statement about its moves still contains them.
                    Err(RecordError { record: Some(record), .. }) => builder.add(&record),
                    Err(error) => {
                        builder.left_out.bad_records += 1;
                        report(Progress::BadRecord(&error));
                    }
                }
            }
        }
        report(Progress::File { read: self.files.len(), all: self.files.len(), games: builder.game_count() });
        builder.finish()
    }
}

/// Whether a path leads to a stream, which can be read once only.
fn is_stream(path: &Path) -> bool {
    path == Path::new(STANDARD_STREAM) || fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Whether a file begins like an index, whatever its name is.
fn is_index(path: &Path) -> bool {
    // A pipe would be waited for.
    if path == Path::new(STANDARD_STREAM) || !path.is_file() {
        return false;
    }
    let mut beginning = [0; Index::BEGINNING.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut beginning));
    read.is_ok() && beginning == Index::BEGINNING
}

fn canonical(path: &Path) -> PathBuf {
    if is_stream(path) {
        return path.to_owned();
    }
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn source_file(file: &Path) -> SourceFile {
    let found = fs::metadata(file).ok();
    let modified = found.as_ref().and_then(|found| found.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    SourceFile {
        path: canonical(file).display().to_string(),
        bytes: found.map_or(0, |found| found.len()),
        modified: modified.map(|time| time.as_nanos() as u64),
    }
}
