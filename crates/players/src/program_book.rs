//! Opening books of programs: `NAME@book=on`.
//!
//! A program of a paper that had a book has one here, with values by its own search and evaluation. It is off by default:
//! the papers' matches begin from given openings, and so do our experiments.

#[cfg(not(target_family = "wasm"))]
use std::sync::OnceLock;

use engine::Player;
use engine::settings::{ON, Setting, Settings};
#[cfg(not(target_family = "wasm"))]
use {
    book::{Book, BookError, LeafSearch},
    engine::Stop,
};

use crate::board::PlayableBoard;
use crate::book_settings::{BookChoice, BookSettings};
use crate::error::MakeError;
use crate::options::PlayerOptions;
#[cfg(target_family = "wasm")]
use crate::registry;
#[cfg(not(target_family = "wasm"))]
use crate::{
    book_search::BookSearchSettings,
    opening_book::{self, OpeningBook},
    shipped_book::from_compressed,
};

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

/// A program that plays from the book of these settings, if they name one.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn playing_from<B: PlayableBoard>(
    player: Box<dyn Player<B>>,
    own: &ProgramBook,
    settings: &ProgramBookSettings,
    options: &PlayerOptions,
) -> Result<Box<dyn Player<B>>, MakeError> {
    Ok(opening_book::playing_from(player, settings.open(own)?, &settings.other, options.seed))
}

/// The program itself: a browser has no files, and the books of programs are not downloaded.
#[cfg(target_family = "wasm")]
pub(crate) fn playing_from<B: PlayableBoard>(
    player: Box<dyn Player<B>>,
    _own: &ProgramBook,
    settings: &ProgramBookSettings,
    options: &PlayerOptions,
) -> Result<Box<dyn Player<B>>, MakeError> {
    if settings.is_own {
        return Err(MakeError::request("book= is not allowed here: the book is not part of the page"));
    }
    registry::with_book(player, &settings.other, options, crate::SharedResources::default())
}

#[cfg(not(target_family = "wasm"))]
impl ProgramBookSettings {
    pub(crate) fn open(&self, own: &ProgramBook) -> Result<Option<OpeningBook>, MakeError> {
        if self.is_own {
            return Ok(Some(own.shipped()?));
        }
        let other = self.other.book.as_ref().unwrap_or(&BookChoice::Off);
        OpeningBook::chosen(other).map_err(MakeError::Book)
    }
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
