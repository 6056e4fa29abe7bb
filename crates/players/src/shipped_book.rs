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
    let unreadable = || BookError::NotABook(path.to_owned());
    let mut plain = Vec::new();
    let mut decoder = StreamingDecoder::new(bytes).map_err(|_| unreadable())?;
    decoder.read_to_end(&mut plain).map_err(|_| unreadable())?;
    Book::from_bytes(&plain, path)
}

#[cfg(test)]
mod tests {
    use book::{Effort, Leaf};
    use search::Selectivity;

    use super::*;
    use crate::opening_book::OpeningBook;

    #[test]
    fn the_book_that_ships_is_sound_and_every_move_is_searched_deeply() {
        assert!(BYTES.len() <= 5_000_000, "{} bytes", BYTES.len());
        let book = OpeningBook::shipped().unwrap();
        let snapshot = book.snapshot();
        let check = snapshot.check(&mut |_| true).unwrap();
        assert_eq!((check.fault_count, check.open), (0, 0), "{:?}", check.faults);
        assert!(check.positions >= 50_000, "{} positions", check.positions);
        let enough = Effort::new(20, Selectivity::LOWEST);
        for position in snapshot.positions() {
            let position = position.unwrap();
            let is_covered = position.leaf == Leaf::Covered;
            assert!(is_covered || position.is_exact || position.effort >= enough, "{position:?}");
        }
    }

    #[test]
    fn bytes_that_are_not_a_book_are_refused() {
        for bytes in [&b"no book"[..], &BYTES[..1000], &[]] {
            assert!(from_compressed(bytes, "some").is_err());
        }
    }
}
