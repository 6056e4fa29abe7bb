//! The file of a book: creating, opening, changing and reading it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use othello::Board;
use redb::backends::{FileBackend, InMemoryBackend};
use redb::{Database, DatabaseError, ReadTransaction, ReadableDatabase, StorageBackend, StorageError};

use crate::editor::{Editor, SearchCounts};
use crate::error::{BookError, Result};
use crate::position::{BookPosition, Finding, Inserted};
use crate::sealed::{SIGNATURE, Sealed};
use crate::snapshot::Snapshot;
use crate::tables::{ABOUT, EDAX, OPEN, POSITIONS, ReadPositions, guarded};

const VERSION: u32 = 1;

const VERSION_NAME: &str = "version";

/// Upper limit on the part of the file that is kept in memory.
const CACHE_BYTES: usize = 512 << 20;

/// Maximum size of a file that is read whole whenever it is opened, so that a damaged one is refused before it is used:
/// a file of 13 MB with 286,000 positions was open after 10 ms (`docs/results.md`).
const SMALL_FILE: u64 = 16 << 20;

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
pub struct Book {
    path: Option<PathBuf>,
    database: Database,
    /// If not, the changes that the database makes to the file stay in memory.
    is_writable: bool,
    work: SearchCounts,
}

impl std::fmt::Debug for Book {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Book").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Book {
    fn new(path: Option<&Path>, database: Database, is_writable: bool) -> Self {
        Self { path: path.map(Path::to_owned), database, is_writable, work: SearchCounts::default() }
    }

    /// A book that is forgotten when it is dropped.
    pub fn in_memory() -> Result<Self> {
        let database = guarded(|| Ok(builder().create_with_backend(InMemoryBackend::new())?))?;
        Self::new(None, database, true).initialized()
    }

    /// Creates an empty book. A killed process may leave a temporary file behind, never an incomplete book.
    pub fn create(path: &Path) -> Result<Self> {
        if path.symlink_metadata().is_ok() {
            return Err(BookError::Exists(path.to_owned()));
        }
        let failed = |source| BookError::File { action: "create", path: path.to_owned(), source };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut options = tempfile::Builder::new();
        #[cfg(unix)]
        options.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = options.prefix(".book.").suffix(".new").tempfile_in(folder);
        let temporary = temporary.map_err(|error| failed(without_temporary_name(error)))?;
        let database = guarded(|| {
            let backend = FileBackend::new(temporary.reopen().map_err(failed)?)?;
            Ok(builder().create_with_backend(Sealed::new(backend, path))?)
        });
        let database = database.map_err(|error| error.in_file(path))?;
        drop(Self::new(Some(path), database, true).initialized()?);
        temporary.persist_noclobber(path).map_err(|failure| match failure.error.kind() {
            io::ErrorKind::AlreadyExists => BookError::Exists(path.to_owned()),
            _ => failed(failure.error),
        })?;
        storage::growing_file::sync_folder(path).map_err(failed)?;
        Self::open(path)
    }

    /// Opens a book to change it. No other process may have it open. A file that is foreign, too new, truncated or
    /// damaged is refused and not touched; after a crash it is repaired, and every change that was acknowledged is
    /// there. Of a large file, a wrong checksum is noticed when it is read, and the change that needs it fails as a
    /// whole.
    pub fn open(path: &Path) -> Result<Self> {
        check_signature(path)?;
        if is_small(path) {
            close(verified(path)?)?;
        }
        Ok(Self::new(Some(path), opened_to_change(path)?, true))
    }

    /// Opens a book to read it. Other processes may read it at the same time, but none may change it. The file is never
    /// touched, not even to repair it after a crash. Of a large file, a wrong checksum is noticed when it is read.
    pub fn open_read_only(path: &Path) -> Result<Self> {
        check_signature(path)?;
        let database = if is_small(path) { verified(path)? } else { overlaid(path)? };
        Ok(Self::new(Some(path), database, false))
    }

    /// Opens a book to read all of it: as [`Book::open_read_only`] does, after all checksums are compared.
    pub fn open_to_read_all(path: &Path) -> Result<Self> {
        check_signature(path)?;
        Ok(Self::new(Some(path), verified(path)?, false))
    }

    /// A book from the bytes of its file, which errors call `path`. Changes are forgotten when it is dropped.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self> {
        if !bytes.starts_with(&SIGNATURE) {
            return Err(BookError::NotABook(path.to_owned()));
        }
        let backend = InMemoryBackend::new();
        let filled = backend.set_len(bytes.len() as u64).and_then(|()| backend.write(0, bytes));
        filled.map_err(|source| opening(path, source))?;
        let database = opened(path, Sealed::new(backend, path))?;
        check_version(path, &database)?;
        Ok(Self::new(None, database, true))
    }

    /// Opens a book to change it, or creates it.
    pub fn open_or_create(path: &Path) -> Result<Self> {
        match Self::open(path) {
            Err(BookError::Missing(_)) => Self::create(path),
            book => book,
        }
    }

    fn initialized(mut self) -> Result<Self> {
        self.update(|editor| editor.set_about(VERSION_NAME, &VERSION.to_le_bytes()))?;
        Ok(self)
    }

    /// The file of the book.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Makes changes together: when this returns without an error, they are all on the disk; otherwise none is. One
    /// call takes two syncs of the disk, so bulk work should make many changes in each.
    pub fn update<R>(&mut self, change: impl FnOnce(&mut Editor<'_>) -> Result<R>) -> Result<R> {
        self.try_update(change).map_err(|error| self.named(error))
    }

    fn try_update<R>(&mut self, change: impl FnOnce(&mut Editor<'_>) -> Result<R>) -> Result<R> {
        self.require_writable()?;
        let mut transaction = guarded(|| Ok(self.database.begin_write()?))?;
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
                // The reason matters more than a failure to drop the changes.
                let _ = guarded(|| Ok(transaction.abort()?));
                Err(error)
            }
        }
    }

    fn require_writable(&self) -> Result<()> {
        if self.is_writable { Ok(()) } else { Err(BookError::ReadOnly) }
    }

    /// An error with the name of the book.
    fn named(&self, error: BookError) -> BookError {
        match &self.path {
            Some(path) => error.in_file(path),
            None => error,
        }
    }

    fn reading(&self) -> Result<ReadTransaction> {
        Ok(self.database.begin_read()?)
    }

    /// The book as it is now.
    pub fn snapshot(&self) -> Result<Snapshot> {
        let file_bytes = self.path.as_ref().and_then(|path| fs::metadata(path).ok()).map(|found| found.len());
        guarded(|| {
            let transaction = self.reading()?;
            Ok(Snapshot {
                positions: transaction.open_table(POSITIONS)?,
                open: transaction.open_table(OPEN)?,
                edax: transaction.open_table(EDAX)?,
                about: transaction.open_table(ABOUT)?,
                file_bytes,
                _database: None,
            })
        })
    }

    /// The book as it is now, which stays open as long as it is read.
    pub fn into_snapshot(self) -> Result<Snapshot> {
        let snapshot = self.snapshot()?;
        Ok(Snapshot { _database: Some(self.database), ..snapshot })
    }

    /// The entry of a position, see [`Snapshot::lookup`].
    pub fn lookup(&self, board: &Board) -> Result<Option<BookPosition>> {
        // A snapshot would open all tables.
        guarded(|| Ok(self.reading()?.open_table(POSITIONS)?))?.lookup(board)
    }

    /// Inserts a position, see [`Editor::insert`].
    pub fn insert(&mut self, board: &Board, finding: &Finding) -> Result<Inserted> {
        self.update(|editor| editor.insert(board, finding))
    }

    /// Removes a position, see [`Editor::remove`].
    pub fn remove(&mut self, board: &Board) -> Result<bool> {
        self.update(|editor| editor.remove(board))
    }

    /// Number of searches that the changes took since the book was opened.
    pub fn work(&self) -> SearchCounts {
        self.work
    }

    pub(crate) fn count_searches(&mut self, searches: u64) {
        self.work.searches += searches;
    }

    /// Gives back the space of removed positions to the disk.
    pub fn compact(&mut self) -> Result<()> {
        self.require_writable()?;
        let done = guarded(|| Ok(self.database.compact().map(drop)?));
        done.map_err(|error| self.named(error))
    }
}

fn builder() -> redb::Builder {
    let mut builder = redb::Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

fn opening(path: &Path, source: io::Error) -> BookError {
    match source.kind() {
        io::ErrorKind::NotFound => BookError::Missing(path.to_owned()),
        _ => BookError::File { action: "open", path: path.to_owned(), source },
    }
}

/// Whether a file begins like a book; false if it cannot be read.
pub(crate) fn is_book(path: &Path) -> bool {
    check_signature(path).is_ok()
}

/// An error without the name of a temporary file, which means nothing to a user.
fn without_temporary_name(error: io::Error) -> io::Error {
    // The library appends the path to the reason, and does not give the reason alone.
    match error.to_string().split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason.to_owned()),
        None => error,
    }
}

/// Refuses a file that does not begin like a book, or is not a regular file.
fn check_signature(path: &Path) -> Result<()> {
    let found = fs::metadata(path).map_err(|source| opening(path, source))?;
    let mut bytes = Vec::new();
    if found.is_file() {
        let file = File::open(path).map_err(|source| opening(path, source))?;
        file.take(SIGNATURE.len() as u64).read_to_end(&mut bytes).map_err(|source| opening(path, source))?;
    }
    if bytes == SIGNATURE { Ok(()) } else { Err(BookError::NotABook(path.to_owned())) }
}

/// Whether all checksums of a file are compared when it is opened.
fn is_small(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.len() <= SMALL_FILE)
}

/// Opens a file that is not touched: what is repaired after a crash, and what is written otherwise, stays in memory.
fn overlaid(path: &Path) -> Result<Database> {
    opened_file(path, OpenOptions::new().read(true), Sealed::overlaid)
}

fn opened_to_change(path: &Path) -> Result<Database> {
    opened_file(path, OpenOptions::new().read(true).write(true), Sealed::new)
}

fn opened_file(
    path: &Path,
    options: &OpenOptions,
    seal: fn(FileBackend, &Path) -> Sealed<FileBackend>,
) -> Result<Database> {
    let file = options.open(path).map_err(|source| opening(path, source))?;
    let backend = guarded(|| Ok(FileBackend::new(file)?))?;
    let database = opened(path, seal(backend, path))?;
    or_close(check_version(path, &database), database)
}

/// Opens what [`overlaid`] opens, if all checksums of the file are right.
fn verified(path: &Path) -> Result<Database> {
    let mut database = overlaid(path)?;
    or_close(compare_checksums(path, &mut database), database)
}

/// The database, or an error; one that is refused may fail again when it is closed.
fn or_close(checked: Result<()>, database: Database) -> Result<Database> {
    match checked {
        Ok(()) => Ok(database),
        Err(error) => {
            let _ = close(database);
            Err(error)
        }
    }
}

/// Reads the whole file and refuses it if a checksum is wrong.
fn compare_checksums(path: &Path, database: &mut Database) -> Result<()> {
    let wrong = || BookError::damaged("a checksum is wrong").in_file(path);
    match guarded(|| Ok(database.check_integrity())).map_err(|error| error.in_file(path))? {
        Ok(true) => Ok(()),
        // Something could be repaired: but what a crash leaves was repaired when the file was opened.
        Ok(false) | Err(DatabaseError::Storage(StorageError::Corrupted(_))) => Err(wrong()),
        Err(error) => Err(opening_failed(path, error)),
    }
}

fn close(database: Database) -> Result<()> {
    guarded(|| {
        drop(database);
        Ok(())
    })
}

/// Opens a database in blocks with checksums, with errors that name the file.
fn opened(path: &Path, storage: Sealed<impl StorageBackend>) -> Result<Database> {
    let open = || Ok(builder().create_with_backend(storage));
    guarded(open).map_err(|error| error.in_file(path))?.map_err(|error| opening_failed(path, error))
}

fn opening_failed(path: &Path, error: DatabaseError) -> BookError {
    let damaged = |what: String| BookError::damaged(what).in_file(path);
    match error {
        DatabaseError::DatabaseAlreadyOpen => BookError::InUse(path.to_owned()),
        DatabaseError::UpgradeRequired(version) => damaged(format!("unknown database format {version}")),
        DatabaseError::Storage(StorageError::Corrupted(what)) => damaged(what),
        DatabaseError::Storage(StorageError::Io(source)) => match source.kind() {
            // The file is shorter than its header states.
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => damaged(source.to_string()),
            _ => opening(path, source),
        },
        error => error.into(),
    }
}

/// Refuses a database that is not a book, or one of another version.
fn check_version(path: &Path, database: &impl ReadableDatabase) -> Result<()> {
    let not_a_book = || BookError::NotABook(path.to_owned());
    let version = guarded(|| {
        let transaction = database.begin_read()?;
        let about = match transaction.open_table(ABOUT) {
            Err(redb::TableError::TableDoesNotExist(_) | redb::TableError::TableTypeMismatch { .. }) => {
                return Err(not_a_book());
            }
            about => about?,
        };
        Ok(about.get(VERSION_NAME)?.and_then(|bytes| bytes.value().try_into().ok()).map(u32::from_le_bytes))
    });
    match version.map_err(|error| error.in_file(path))? {
        Some(VERSION) => Ok(()),
        Some(found) => Err(BookError::Version { path: path.to_owned(), found, expected: VERSION }),
        None => Err(not_a_book()),
    }
}

#[cfg(test)]
mod tests {
    use othello::Rules;
    use othello::random::Random;

    use super::*;
    use crate::tests::samples::{boards, finding};

    /// A book that was opened without reading all of it, as large ones are.
    fn lazily(path: &Path, is_writable: bool) -> Result<Book> {
        let database = if is_writable { opened_to_change(path)? } else { overlaid(path)? };
        Ok(Book::new(Some(path), database, is_writable))
    }

    fn insert(book: &mut Book, boards: &[Board]) -> Result<()> {
        book.update(|editor| {
            boards.iter().try_for_each(|board| {
                let seed = board.canonical().hash64();
                editor.insert(board, &finding(board, &mut Random::new(seed))).map(drop)
            })
        })
    }

    #[test]
    fn what_is_read_of_a_large_damaged_book_is_right_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("damaged.book");
        let known = boards(1, 60, 30);
        let mut book = Book::create(&path).unwrap();
        insert(&mut book, &known).unwrap();
        let right: Vec<_> = known.iter().map(|board| book.lookup(board).unwrap()).collect();
        drop(book);
        let sound = fs::read(&path).unwrap();
        let mut random = Random::new(5);
        let (mut refused, mut answered) = (0, 0);
        let is_refusal =
            |error: &BookError| matches!(error, BookError::Damaged { path: Some(found), .. } if *found == path);
        for round in 0..120 {
            let mut bytes = sound.clone();
            // Whole blocks that are not blank, and single bits.
            let at = loop {
                let at = random.below(bytes.len() - 4100);
                if bytes[at] != 0 {
                    break at;
                }
            };
            match round % 3 {
                0 => bytes[at..at + 4100].fill(0),
                1 => bytes[at..at + 4100].fill_with(|| random.bits() as u8),
                _ => bytes[at] ^= 1 << random.below(8),
            }
            fs::write(&path, &bytes).unwrap();
            let Ok(book) = lazily(&path, false) else {
                refused += 1;
                continue;
            };
            for (board, right) in known.iter().zip(&right).step_by(7) {
                match book.lookup(board) {
                    Ok(found) => assert_eq!(found, *right, "round {round}"),
                    // The first error names the block; after it, the database answers no more questions.
                    Err(error) => {
                        assert!(is_refusal(&error), "{error}");
                        refused += 1;
                        break;
                    }
                }
                answered += 1;
            }
            drop(book);
            assert!(fs::read(&path).unwrap() == bytes, "a reader changed the file");
        }
        assert!(refused > 20 && answered > 1000, "{refused} refused, {answered} answered");
    }

    #[test]
    fn a_change_of_a_large_damaged_book_is_made_from_sound_blocks_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("damaged.book");
        let (known, more) = (boards(1, 60, 30), boards(2, 3, 30));
        let mut book = Book::create(&path).unwrap();
        insert(&mut book, &known).unwrap();
        drop(book);
        let sound = fs::read(&path).unwrap();
        let mut changed = Book::from_bytes(&sound, &path).unwrap();
        insert(&mut changed, &more).unwrap();
        let all: Vec<_> = known.iter().chain(&more).collect();
        let right: Vec<_> = all.iter().map(|board| changed.lookup(board).unwrap()).collect();
        let mut random = Random::new(6);
        let (mut refused, mut made) = (0, 0);
        for _ in 0..80 {
            let mut bytes = sound.clone();
            let at = random.below(bytes.len() - 64);
            bytes[at..at + 64].fill_with(|| random.bits() as u8);
            fs::write(&path, &bytes).unwrap();
            let Ok(mut book) = lazily(&path, true) else {
                refused += 1;
                continue;
            };
            if insert(&mut book, &more).is_err() {
                refused += 1;
                continue;
            }
            made += 1;
            for (board, right) in all.iter().zip(&right) {
                match book.lookup(board) {
                    Ok(found) => assert_eq!(found, *right),
                    Err(_) => break,
                }
            }
        }
        assert!(refused > 3 && made > 3, "{refused} refused, {made} made");
    }
}
