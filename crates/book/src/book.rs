//! The file of a book: creating, opening, changing and reading it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use othello::{Board, Score};
use redb::backends::InMemoryBackend;
use redb::{
    Database, DatabaseError, ReadOnlyDatabase, ReadTransaction, ReadableDatabase, StorageBackend, StorageError,
};

use crate::BookError;
use crate::editor::{Editor, Work};
use crate::overlay::Overlay;
use crate::position::{Finding, Inserted, Position};
use crate::record::{Effort, Leaf};
use crate::snapshot::Snapshot;
use crate::tables::{ABOUT, EDAX, OPEN, POSITIONS, ReadPositions, guarded};

/// The newest version of the format.
const VERSION: u32 = 1;

/// The name of the version in the table about the book.
const VERSION_NAME: &str = "version";

/// The first bytes of every file of redb.
const MAGIC: [u8; 9] = [b'r', b'e', b'd', b'b', 0x1a, 0x0a, 0xa9, 0x0d, 0x0a];

/// How much of the file is kept in memory at most.
const CACHE_BYTES: usize = 512 << 20;

/// An opening book in a file: a graph of positions up to symmetry, with minimax values that are true at any time.
///
/// ```
/// use book::{Book, Effort, Finding};
/// use evaluation::Value;
/// use othello::{Board, Rules};
/// use search::Selectivity;
///
/// let mut book = Book::in_memory()?;
/// let effort = Effort::new(20, Selectivity::LOWEST);
/// let start = Board::start();
/// book.insert(&start, &Finding::best("f5".parse()?, Value::EVEN, effort))?;
/// let after = start.play("f5".parse()?).ok_or("illegal")?;
/// book.insert(&after, &Finding::best("d6".parse()?, Value::from_discs(-0.5), effort))?;
/// // All four moves are the same up to symmetry: nothing is left outside of the book.
/// let position = book.lookup(&start)?.ok_or("missing")?;
/// assert_eq!(position.value, Value::from_discs(0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Book {
    path: Option<PathBuf>,
    store: Store,
    work: Work,
}

pub(crate) enum Store {
    Writable(Database),
    ReadOnly(ReadOnlyDatabase),
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Writable(_) => "Writable",
            Self::ReadOnly(_) => "ReadOnly",
        })
    }
}

impl Book {
    /// A book that is forgotten when it is dropped.
    pub fn in_memory() -> Result<Self, BookError> {
        let backend = InMemoryBackend::new();
        let database = guarded(|| Ok(builder().create_with_backend(backend)?))?;
        let mut book = Self { path: None, store: Store::Writable(database), work: Work::default() };
        book.initialize()?;
        Ok(book)
    }

    /// Creates an empty book. A killed process may leave a temporary file behind, never an incomplete book.
    pub fn create(path: &Path) -> Result<Self, BookError> {
        if path.symlink_metadata().is_ok() {
            return Err(BookError::Exists { path: path.to_owned() });
        }
        let failed = |source| BookError::File { action: "create", path: path.to_owned(), source };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut options = tempfile::Builder::new();
        #[cfg(unix)]
        options.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = options.prefix(".book.").suffix(".new").tempfile_in(folder).map_err(failed)?;
        let database = guarded(|| Ok(builder().create(temporary.path())?))?;
        let mut book = Self { path: None, store: Store::Writable(database), work: Work::default() };
        book.initialize()?;
        drop(book);
        temporary.persist_noclobber(path).map_err(|failure| match failure.error.kind() {
            io::ErrorKind::AlreadyExists => BookError::Exists { path: path.to_owned() },
            _ => failed(failure.error),
        })?;
        storage::growing_file::sync_folder(path).map_err(failed)?;
        Self::open(path)
    }

    /// Opens a book to change it. No other process may have it open.
    ///
    /// A file that is damaged, foreign or too new is not touched. After a crash, the file is repaired: every change that
    /// was acknowledged is there.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        require_book(path)?;
        match read_only(path) {
            Ok(database) => check_version(path, &database)?,
            // After a crash that was not in a commit of ours: tried on a copy in memory first, because the repair of
            // a damaged file may fail after it has changed it.
            Err(DatabaseFailure::NeedsRepair) => {
                let overlay = Overlay::new(path).map_err(|source| opening(path, source))?;
                let database = repairing(path, || builder().create_with_backend(overlay))?;
                check_version(path, &database)?;
                guarded(|| {
                    drop(database);
                    Ok(())
                })?;
            }
            Err(DatabaseFailure::Other(error)) => return Err(error),
        }
        let database = repairing(path, || builder().open(path))?;
        Ok(Self { path: Some(path.to_owned()), store: Store::Writable(database), work: Work::default() })
    }

    /// Opens a book to read it. Other processes may read it at the same time, but none may change it.
    pub fn open_read_only(path: &Path) -> Result<Self, BookError> {
        require_book(path)?;
        match read_only(path) {
            Ok(database) => {
                check_version(path, &database)?;
                Ok(Self { path: Some(path.to_owned()), store: Store::ReadOnly(database), work: Work::default() })
            }
            Err(DatabaseFailure::NeedsRepair) => {
                drop(Self::open(path)?);
                let database = read_only(path).map_err(|failure| failure.into_error(path))?;
                Ok(Self { path: Some(path.to_owned()), store: Store::ReadOnly(database), work: Work::default() })
            }
            Err(DatabaseFailure::Other(error)) => Err(error),
        }
    }

    /// A book from the bytes of its file, for example of one that is part of the program. Changes are forgotten when it is
    /// dropped; `path` is what errors call it.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, BookError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(BookError::NotABook { path: path.to_owned() });
        }
        let backend = InMemoryBackend::new();
        let filled = backend.set_len(bytes.len() as u64).and_then(|()| backend.write(0, bytes));
        filled.map_err(|source| opening(path, source))?;
        let database = repairing(path, || builder().create_with_backend(backend))?;
        check_version(path, &database)?;
        Ok(Self { path: None, store: Store::Writable(database), work: Work::default() })
    }

    /// Opens a book to change it, or creates it.
    pub fn open_or_create(path: &Path) -> Result<Self, BookError> {
        match Self::open(path) {
            Err(BookError::Missing { .. }) => Self::create(path),
            book => book,
        }
    }

    fn initialize(&mut self) -> Result<(), BookError> {
        self.update(|editor| editor.set_about(VERSION_NAME, &VERSION.to_le_bytes()))
    }

    /// The file of the book.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Makes changes together: when this returns without an error, they are all on the disk; otherwise none is.
    ///
    /// One call takes two syncs of the disk, so bulk work should make many changes in each.
    pub fn update<R>(&mut self, change: impl FnOnce(&mut Editor<'_>) -> Result<R, BookError>) -> Result<R, BookError> {
        let Store::Writable(database) = &self.store else { return Err(BookError::ReadOnly) };
        let mut transaction = guarded(|| Ok(database.begin_write()?))?;
        // The book opens immediately after a crash, however large it is.
        transaction.set_quick_repair(true);
        let mut editor = Editor::new(&transaction)?;
        let result = change(&mut editor);
        let work = editor.work;
        guarded(|| {
            drop(editor);
            Ok(())
        })?;
        match result {
            Ok(answer) => {
                guarded(|| Ok(transaction.commit()?))?;
                self.work.add(work);
                Ok(answer)
            }
            Err(error) => {
                // The reason matters more than a failure to forget the changes.
                let _ = guarded(|| Ok(transaction.abort()?));
                Err(error)
            }
        }
    }

    fn reading(&self) -> Result<ReadTransaction, BookError> {
        Ok(match &self.store {
            Store::Writable(database) => database.begin_read()?,
            Store::ReadOnly(database) => database.begin_read()?,
        })
    }

    /// The book as it is now.
    pub fn snapshot(&self) -> Result<Snapshot, BookError> {
        let file_bytes = self.path.as_ref().and_then(|path| fs::metadata(path).ok()).map(|found| found.len());
        guarded(|| {
            let transaction = self.reading()?;
            Ok(Snapshot {
                positions: transaction.open_table(POSITIONS)?,
                open: transaction.open_table(OPEN)?,
                edax: transaction.open_table(EDAX)?,
                about: transaction.open_table(ABOUT)?,
                file_bytes,
                _store: None,
            })
        })
    }

    /// The book as it is now, which stays open as long as it is read.
    pub fn into_snapshot(self) -> Result<Snapshot, BookError> {
        let snapshot = self.snapshot()?;
        Ok(Snapshot { _store: Some(self.store), ..snapshot })
    }

    /// What the book knows about a position, see [`Snapshot::lookup`].
    pub fn lookup(&self, board: &Board) -> Result<Option<Position>, BookError> {
        // A snapshot would open all tables.
        guarded(|| Ok(self.reading()?.open_table(POSITIONS)?))?.lookup(board)
    }

    /// Inserts a position, see [`Editor::insert`].
    pub fn insert(&mut self, board: &Board, finding: &Finding) -> Result<Inserted, BookError> {
        self.update(|editor| editor.insert(board, finding))
    }

    /// Removes a position, see [`Editor::remove`].
    pub fn remove(&mut self, board: &Board) -> Result<bool, BookError> {
        self.update(|editor| editor.remove(board))
    }

    /// Replaces what is known about moves out of the book, see [`Editor::set_leaf`].
    pub fn set_leaf(&mut self, board: &Board, leaf: Leaf, effort: Effort) -> Result<(), BookError> {
        self.update(|editor| editor.set_leaf(board, leaf, effort))
    }

    /// Sets the proven score of a position, see [`Editor::set_solved`].
    pub fn set_solved(&mut self, board: &Board, score: Score) -> Result<(), BookError> {
        self.update(|editor| editor.set_solved(board, score))
    }

    /// How many searches the changes took since the book was opened.
    pub fn work(&self) -> Work {
        self.work
    }

    pub(crate) fn count_searches(&mut self, searches: u64) {
        self.work.searches += searches;
    }

    /// Compares the checksums of the whole file, and repairs what a crash has left; false if something had to be
    /// repaired. It reads all of the file.
    pub fn verify_file(&mut self) -> Result<bool, BookError> {
        match &mut self.store {
            Store::Writable(database) => guarded(|| Ok(database.check_integrity()?)),
            Store::ReadOnly(_) => Err(BookError::ReadOnly),
        }
    }

    /// Gives back the space of removed positions to the disk.
    pub fn compact(&mut self) -> Result<(), BookError> {
        match &mut self.store {
            Store::Writable(database) => guarded(|| database.compact().map(drop).map_err(BookError::from)),
            Store::ReadOnly(_) => Err(BookError::ReadOnly),
        }
    }
}

fn builder() -> redb::Builder {
    let mut builder = redb::Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

fn opening(path: &Path, source: io::Error) -> BookError {
    match source.kind() {
        io::ErrorKind::NotFound => BookError::Missing { path: path.to_owned() },
        _ => BookError::File { action: "open", path: path.to_owned(), source },
    }
}

/// Refuses a file that does not begin like a database, or is not a regular file.
fn require_book(path: &Path) -> Result<(), BookError> {
    let found = fs::metadata(path).map_err(|source| opening(path, source))?;
    let mut bytes = Vec::new();
    if found.is_file() {
        let file = File::open(path).map_err(|source| opening(path, source))?;
        file.take(MAGIC.len() as u64).read_to_end(&mut bytes).map_err(|source| opening(path, source))?;
    }
    if bytes == MAGIC { Ok(()) } else { Err(BookError::NotABook { path: path.to_owned() }) }
}

/// Why a file was not opened for reading.
enum DatabaseFailure {
    /// It was not closed properly.
    NeedsRepair,
    Other(BookError),
}

impl DatabaseFailure {
    fn into_error(self, path: &Path) -> BookError {
        match self {
            Self::NeedsRepair => BookError::damaged(format!("{} cannot be repaired", path.display())),
            Self::Other(error) => error,
        }
    }
}

fn read_only(path: &Path) -> Result<ReadOnlyDatabase, DatabaseFailure> {
    let opened = guarded(|| Ok(builder().open_read_only(path)));
    match opened {
        Ok(Ok(database)) => Ok(database),
        Ok(Err(DatabaseError::RepairAborted)) => Err(DatabaseFailure::NeedsRepair),
        Ok(Err(error)) => Err(DatabaseFailure::Other(opening_failed(path, error))),
        Err(error) => Err(DatabaseFailure::Other(error)),
    }
}

/// Opens a database for writing, with errors that name the file.
fn repairing(path: &Path, open: impl FnOnce() -> Result<Database, DatabaseError>) -> Result<Database, BookError> {
    guarded(|| Ok(open()))?.map_err(|error| opening_failed(path, error))
}

fn opening_failed(path: &Path, error: DatabaseError) -> BookError {
    let damaged = |what: String| BookError::damaged(format!("{}: {what}", path.display()));
    match error {
        DatabaseError::DatabaseAlreadyOpen => BookError::InUse { path: path.to_owned() },
        DatabaseError::UpgradeRequired(version) => damaged(format!("unknown database format {version}")),
        DatabaseError::Storage(StorageError::Corrupted(what)) => damaged(what),
        DatabaseError::Storage(StorageError::Io(source)) => match source.kind() {
            // The file ends before its header says.
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => damaged(source.to_string()),
            _ => opening(path, source),
        },
        error => error.into(),
    }
}

/// Refuses a database that is no book, or one of a newer program.
fn check_version(path: &Path, database: &impl ReadableDatabase) -> Result<(), BookError> {
    let not_a_book = || BookError::NotABook { path: path.to_owned() };
    let version = guarded(|| {
        let transaction = database.begin_read()?;
        let about = match transaction.open_table(ABOUT) {
            Err(redb::TableError::TableDoesNotExist(_) | redb::TableError::TableTypeMismatch { .. }) => {
                return Err(not_a_book());
            }
            about => about?,
        };
        Ok(about.get(VERSION_NAME)?.and_then(|bytes| bytes.value().try_into().ok()).map(u32::from_le_bytes))
    })?;
    match version {
        Some(1..=VERSION) => Ok(()),
        Some(found) => Err(BookError::NewerVersion { path: path.to_owned(), found, newest: VERSION }),
        None => Err(not_a_book()),
    }
}
