//! The opening book of the option `--book`.

use std::path::Path;

use anyhow::Result;
use players::opening_book::OpeningBook;

use crate::arguments::board_shape::BoardShape;
use crate::arguments::usage_error::UsageError;

/// Opens the book, if one is given; there are books for the 8x8 board alone.
pub fn open_book(path: Option<&Path>, board: BoardShape) -> Result<Option<OpeningBook>> {
    if path.is_some() && board != BoardShape::Eight {
        return Err(UsageError::new("--book is not allowed here: books are for the 8x8 board").into());
    }
    Ok(path.map(OpeningBook::open).transpose()?)
}
