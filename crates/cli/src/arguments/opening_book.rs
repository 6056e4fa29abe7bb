//! The opening book of the option `--book`, and books that are read or changed.

use std::fs;

use book::{Book, BookError};
use players::opening_book::OpeningBook;
use players::program_book::ProgramBook;
use players::shipped_book;

use crate::prelude::*;

/// Opens the requested book, or the one that ships with the program; there are books for the 8x8 board alone.
pub(crate) fn open_book(choice: Option<&BookChoice>, board: BoardShape) -> Result<Option<OpeningBook>> {
    match choice {
        Some(BookChoice::Off) => Ok(None),
        None if board != BoardShape::Eight => Ok(None),
        Some(_) if board != BoardShape::Eight => {
            bail_usage!("--book is not allowed here: books are for the 8x8 board")
        }
        choice => Ok(OpeningBook::chosen(choice.unwrap_or(&BookChoice::Shipped))?),
    }
}

/// A book that is part of the program, by its name. A file of such a name is written with its folder: `./shipped`.
#[derive(Clone, Copy, Debug)]
enum BuiltInBook {
    Shipped,
    /// The small one of a classic program.
    Program(&'static ProgramBook),
}

impl BuiltInBook {
    /// The book of this name, whether there is a file of the same name or not.
    fn named(registry: &Registry, path: &Path) -> Option<Self> {
        if path.as_os_str() == BookChoice::SHIPPED {
            return Some(Self::Shipped);
        }
        registry.book(path.to_str()?).map(Self::Program)
    }

    fn open(self) -> Result<Book, BookError> {
        match self {
            Self::Shipped => shipped_book::open(),
            Self::Program(program) => program.open(),
        }
    }
}

/// Whether this is the name of a book that is part of the program, and not of a file.
pub(crate) fn is_built_in(registry: &Registry, path: &Path) -> bool {
    BuiltInBook::named(registry, path).is_some()
}

/// Refuses to change a book that is part of the program.
pub(crate) fn require_file(registry: &Registry, path: &Path) -> Result<()> {
    let name = path.display();
    let sentence = match BuiltInBook::named(registry, path) {
        None => return Ok(()),
        Some(BuiltInBook::Shipped) => "the shipped book cannot be changed".to_owned(),
        Some(BuiltInBook::Program(_)) => format!("the book of {name} cannot be changed"),
    };
    bail_usage!("{sentence}; `emilia book merge my.book {name}` makes a copy (a file of this name is written ./{name})")
}

/// Opens a book to look up positions: a file, `shipped` for the one that ships with the program, or `keyano` or
/// `logistello` for the ones of these programs.
pub(crate) fn book_to_read(registry: &Registry, path: &Path) -> Result<Book, BookError> {
    BuiltInBook::named(registry, path).map_or_else(|| Book::open_read_only(path), BuiltInBook::open)
}

/// Opens a book to read all of it: a file whose checksums are right, or one that is part of the program.
pub(crate) fn book_to_read_all(registry: &Registry, path: &Path) -> Result<Book, BookError> {
    if let Some(book) = BuiltInBook::named(registry, path) {
        return book.open();
    }
    let _line = checking_line(path);
    Book::open_to_read_all(path)
}

/// Changes a book, which is created if it does not exist. One that is still empty then is removed again.
pub(crate) fn change_or_create<R>(path: &Path, change: impl FnOnce(&mut Book) -> Result<R>) -> Result<R> {
    let (mut book, is_new) = match Book::open(path) {
        Err(BookError::Missing(_)) => (Book::create(path)?, true),
        book => (book?, false),
    };
    let result = change(&mut book);
    let is_empty = is_new && book.snapshot().and_then(|snapshot| snapshot.count()).is_ok_and(|count| count == 0);
    drop(book);
    if is_empty {
        // If it cannot be removed, the result still matters more.
        let _ = fs::remove_file(path);
    }
    result
}

/// Size from which reading a file takes so long that progress is shown.
const LARGE_FILE: u64 = 64 << 20;

/// A line on the terminal that explains why it takes long to open a large book.
fn checking_line(path: &Path) -> Option<LiveLine> {
    fs::metadata(path).is_ok_and(|found| found.len() >= LARGE_FILE).then(|| {
        let mut line = LiveLine::on_stderr();
        line.show(&format!("comparing the checksums of {}", path.display()));
        line
    })
}
