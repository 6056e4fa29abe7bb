//! Errors of a book.

use std::io;
use std::path::{Path, PathBuf};

use othello::{Board, Square};

use crate::json_lines::LineError;
use crate::sealed::WrongBytes;

/// Result of reading or changing a book.
pub(crate) type Result<T, E = BookError> = std::result::Result<T, E>;

/// Reason why a book cannot be opened, read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// There is no such file.
    #[error("cannot read {}: {}", .0.display(), io::Error::from_raw_os_error(2))]
    Missing(PathBuf),
    /// A new book must not replace a file.
    #[error("{} already exists; choose another name", .0.display())]
    Exists(PathBuf),
    /// The file has another format.
    #[error("{} is not a book of Emilia", .0.display())]
    NotABook(PathBuf),
    /// The file has another version.
    #[error("{} is a book of version {found}; this program reads version {expected}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that this program reads.
        expected: u32,
    },
    /// Another process has the file open.
    #[error("{} is in use by another process; a book can be changed only if no other process has it open", .0.display())]
    InUse(PathBuf),
    /// The content of the file contradicts itself.
    #[error("{} is damaged: {what}; restore it from a copy", path.as_ref().map_or("the book".into(), |path| path.display().to_string()))]
    Damaged {
        /// The file, where it is known.
        path: Option<PathBuf>,
        /// Description of the mismatch.
        what: String,
    },
    /// The book was opened for reading.
    #[error("the book was opened for reading only")]
    ReadOnly,
    /// The operating system reported an error.
    #[error("cannot {action} {}", path.display())]
    File {
        /// The operation that failed.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Reading from a stream or writing to it failed.
    #[error("cannot {action}")]
    Stream {
        /// The operation that failed.
        action: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The database under the book reported an error.
    #[error("the book cannot be read or written: {0}")]
    Database(String),
    /// The position is not in the book.
    #[error("the position is not in the book: {0:?}")]
    NotInBook(Board),
    /// The position has no choice of moves.
    #[error("the side to move has no legal move: {0:?}; expected the position after the pass")]
    NoMove(Board),
    /// No game leads to a board without its four center discs.
    #[error("the center of the board is empty: {0:?}; expected a position of a game")]
    EmptyCenter(Board),
    /// The best move outside the book is not a legal move.
    #[error("{square} is not a legal move in {board:?}")]
    IllegalLeaf {
        /// The move.
        square: Square,
        /// The position.
        board: Board,
    },
    /// Nothing is known about the moves of the position.
    #[error("no move of the position has a value: {0:?}")]
    NoValue(Board),
    /// A number that no game can end with.
    #[error("invalid value {0}: expected -64 to 64 discs")]
    InvalidValue(f32),
    /// A line of a JSON file is invalid.
    #[error(transparent)]
    Line(#[from] LineError),
    /// An Edax book is invalid.
    #[error(transparent)]
    Edax(#[from] crate::edax::EdaxError),
}

/// Action that is named in errors where the name of the book is not known.
const USE: &str = "use the book";

impl BookError {
    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged { path: None, what: what.into() }
    }

    /// The same with the name of the file, if its content is wrong or the operating system reported an error.
    pub(crate) fn in_file(self, file: &Path) -> Self {
        match self {
            Self::Damaged { path: None, what } => Self::Damaged { path: Some(file.to_owned()), what },
            Self::Stream { action: USE, source } => Self::File { action: "use", path: file.to_owned(), source },
            error => error,
        }
    }

    /// Whether the error is a position that cannot be inserted.
    pub(crate) fn is_about_a_position(&self) -> bool {
        use BookError::{EmptyCenter, IllegalLeaf, InvalidValue, NoMove, NoValue};
        matches!(self, IllegalLeaf { .. } | NoMove(_) | NoValue(_) | EmptyCenter(_) | InvalidValue(_))
    }

    pub(crate) fn reading(source: io::Error) -> Self {
        Self::Stream { action: "read", source }
    }

    pub(crate) fn writing(source: io::Error) -> Self {
        Self::Stream { action: "write", source }
    }
}

impl From<redb::Error> for BookError {
    fn from(error: redb::Error) -> Self {
        match error {
            redb::Error::Corrupted(what) => Self::damaged(what),
            redb::Error::Io(source) => Self::from(source),
            error => Self::Database(error.to_string()),
        }
    }
}

impl From<io::Error> for BookError {
    fn from(source: io::Error) -> Self {
        match source.get_ref().and_then(|inner| inner.downcast_ref::<WrongBytes>()) {
            Some(WrongBytes { path, what }) => Self::Damaged { path: Some(path.clone()), what: what.clone() },
            None => Self::Stream { action: USE, source },
        }
    }
}

macro_rules! from_redb {
    ($($error:ident),+) => {$(
        impl From<redb::$error> for BookError {
            fn from(error: redb::$error) -> Self {
                redb::Error::from(error).into()
            }
        }
    )+};
}

from_redb!(StorageError, TableError, TransactionError, CommitError, DatabaseError, CompactionError);
