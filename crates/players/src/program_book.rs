//! Opening books of programs: `NAME@book=on`.
//!
//! A program of a paper that had a book has one here, with values by its own search and evaluation. It is off by default:
//! the papers' matches begin from given openings, and so do our experiments.

use engine::settings::{ON, Setting, Settings};
use search::Selectivity;
#[cfg(not(target_family = "wasm"))]
use {
    crate::{error::MakeError, opening_book::OpeningBook, shipped_book::from_compressed},
    book::{Book, BookError, LeafSearch},
    engine::Stop,
    std::sync::OnceLock,
};

use crate::book_settings::{BookChoice, BookSettings};

/// The opening book of a program.
#[derive(Debug)]
pub struct ProgramBook {
    /// Name of the program, which is that of the book, too.
    pub name: &'static str,
    /// The book itself, where there are files.
    #[cfg(not(target_family = "wasm"))]
    pub source: BookSource,
}

/// The file of a program's book, and the search that gave it its values.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug)]
pub struct BookSource {
    compressed: &'static [u8],
    opened: OnceLock<OpeningBook>,
    search: MakeSearch,
    has_table_of_paper: bool,
}

#[cfg(not(target_family = "wasm"))]
type MakeSearch = fn(&BookSearchSettings, &Stop) -> Result<Box<dyn LeafSearch>, MakeError>;

#[cfg(not(target_family = "wasm"))]
impl BookSource {
    /// A book that ships, compressed with zstd, and the search behind its values, which the flag stops.
    pub const fn new(compressed: &'static [u8], search: MakeSearch) -> Self {
        Self { compressed, opened: OnceLock::new(), search, has_table_of_paper: false }
    }

    /// Marks a search whose hash table always has the size of its paper.
    #[must_use]
    pub const fn with_table_of_paper(mut self) -> Self {
        self.has_table_of_paper = true;
        self
    }
}

#[cfg(not(target_family = "wasm"))]
impl ProgramBook {
    /// Opens the book that ships, in memory.
    pub fn open(&self) -> Result<Book, BookError> {
        from_compressed(self.source.compressed, self.name)
    }

    /// Returns the book that ships. All players share it.
    pub fn shipped(&self) -> Result<OpeningBook, BookError> {
        if let Some(book) = self.source.opened.get() {
            return Ok(book.clone());
        }
        let book = OpeningBook::of_book(self.open()?)?;
        Ok(self.source.opened.get_or_init(|| book).clone())
    }

    /// The search behind the values of the book, which the flag stops.
    pub fn search(&self, settings: &BookSearchSettings, stop: &Stop) -> Result<Box<dyn LeafSearch>, MakeError> {
        (self.source.search)(settings, stop)
    }

    /// Whether the hash table of the search has the size of the program's paper, whatever the settings.
    pub fn has_table_of_paper(&self) -> bool {
        self.source.has_table_of_paper
    }
}

/// Depth, selectivity and resources of the searches for a book; what is missing is chosen by the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookSearchSettings {
    /// Search depth: of the deeper search, where a value is the mean of two.
    pub depth: Option<u32>,
    /// Selectivity: 100% switches ProbCut off, anything less switches it on.
    pub selectivity: Option<Selectivity>,
    /// Positions with at most this many empty squares are solved exactly.
    pub exact: Option<u32>,
    /// Number of positions that are searched at the same time.
    pub threads: usize,
    /// Hash table of each search in MB, for programs whose table has no fixed size.
    pub hash: usize,
}

/// Settings of the book of a program with a book of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramBookSettings {
    /// Whether it plays from its own book, which ships with the program.
    pub is_own: bool,
    /// Another book, and how any book is played from.
    pub other: BookSettings,
}

impl Default for ProgramBookSettings {
    fn default() -> Self {
        let mut other = BookSettings::default();
        // Whatever Emilia plays from by default, these programs play without.
        other.set(BookSettings::BOOK, BookChoice::OFF);
        Self { is_own: false, other }
    }
}

impl Settings for ProgramBookSettings {
    const LIST: &'static [Setting] = &[
        Setting {
            name: BookSettings::BOOK,
            values: "off, on (its own; or the file of a book)",
            description: "opening book to play from",
        },
        BookSettings::RANDOMNESS,
        BookSettings::DEPTH,
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        if name != BookSettings::BOOK {
            return self.other.set(name, value);
        }
        self.is_own = value == ON;
        self.other.set(name, if self.is_own { BookChoice::OFF } else { value })
    }
}

#[cfg(test)]
mod tests {
    use evaluation::Value;

    use super::*;

    #[test]
    fn a_book_is_off_its_own_or_a_file() {
        let of = |pairs: &[(&str, &str)]| ProgramBookSettings::of(pairs.iter().copied());
        let off = ProgramBookSettings::default();
        assert_eq!(of(&[("book", "off")]).unwrap(), off);
        assert_eq!(of(&[("book", "on")]).unwrap(), ProgramBookSettings { is_own: true, ..off.clone() });
        assert!(ProgramBookSettings::of_named([("book", None)]).unwrap().is_own);
        let file = of(&[("book", "a.book"), ("book-randomness", "2")]).unwrap();
        assert_eq!((file.is_own, file.other.randomness), (false, Value::from_discs(2.0)));
        let short = of(&[("book", "on"), ("book-depth", "8")]).unwrap();
        assert_eq!((short.is_own, short.other.depth), (true, 8));
        assert_ne!(file.other, ProgramBookSettings::default().other);
        assert!(of(&[("book", "")]).is_err() && of(&[("book-randomness", "x")]).is_err());
    }
}
