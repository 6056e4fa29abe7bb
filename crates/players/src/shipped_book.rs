//! The opening book that ships with the program.

use std::io::Read;
use std::path::Path;

use book::{Book, BookError};
use ruzstd::decoding::StreamingDecoder;

use crate::book_settings::BookChoice;

/// The book, compressed; data/README.md has the commands that made it.
static BYTES: &[u8] = include_bytes!("../../../data/book.zst");

/// The book that ships with the program, in memory.
pub fn open() -> Result<Book, BookError> {
    from_compressed(BYTES, BookChoice::SHIPPED)
}

/// A book from the compressed bytes of its file; errors call it by this name.
pub(crate) fn from_compressed(bytes: &[u8], name: &str) -> Result<Book, BookError> {
    let path = Path::new(name);
    let unreadable = || BookError::NotABook { path: path.to_owned() };
    let mut plain = Vec::new();
    let mut decoder = StreamingDecoder::new(bytes).map_err(|_| unreadable())?;
    decoder.read_to_end(&mut plain).map_err(|_| unreadable())?;
    Book::from_bytes(&plain, path)
}
