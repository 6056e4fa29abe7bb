//! The opening book of the option `--book`, and books that are read.

use std::path::Path;

use anyhow::Result;
use book::{Book, BookError};
use players::book_settings::BookChoice;
use players::opening_book::OpeningBook;
use players::shipped_book;

use crate::arguments::board_shape::BoardShape;
use crate::arguments::usage_error::UsageError;

/// Opens the book that is asked for, or the one that ships with the program; there are books for the 8x8 board alone.
pub fn open_book(choice: Option<&BookChoice>, board: BoardShape) -> Result<Option<OpeningBook>> {
    match choice {
        Some(BookChoice::Off) => Ok(None),
        None if board != BoardShape::Eight => Ok(None),
        Some(_) if board != BoardShape::Eight => {
            Err(UsageError::new("--book is not allowed here: books are for the 8x8 board").into())
        }
        choice => Ok(OpeningBook::chosen(choice.unwrap_or(&BookChoice::Shipped))?),
    }
}

/// Opens a book for reading: a file, or `shipped` for the one that ships with the program.
pub fn book_to_read(path: &Path) -> Result<Book, BookError> {
    if is_shipped(path) { shipped_book::open() } else { Book::open_read_only(path) }
}

/// Whether this is not a file but the name of the book that ships with the program.
pub fn is_shipped(path: &Path) -> bool {
    path == Path::new(BookChoice::SHIPPED) && !path.exists()
}
