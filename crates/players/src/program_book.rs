//! The books of the classic programs: `keyano@book=on`.
//!
//! A classic program that had a book has one here, with values by its own search and evaluation
//! (`book_search.rs`). It is off by default: the papers' matches begin from given openings, and so do our experiments.

use engine::settings::{ON, Setting, Settings};

use crate::book_settings::{BookChoice, BookSettings};
#[cfg(not(target_family = "wasm"))]
use crate::error::MakeError;
#[cfg(not(target_family = "wasm"))]
use crate::opening_book::OpeningBook;

/// The book of a classic program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgramBook {
    /// KEYANO's (Brockington 1997, section 4).
    Keyano,
    /// LOGISTELLO's, which Buro mentions but does not describe.
    Logistello,
}

impl ProgramBook {
    /// The books of all programs that have one.
    pub const ALL: [Self; 2] = [Self::Keyano, Self::Logistello];

    /// The program.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keyano => "keyano",
            Self::Logistello => "logistello",
        }
    }
}

#[cfg(not(target_family = "wasm"))]
impl ProgramBookSettings {
    /// Opens the book, if there is one.
    pub(crate) fn open(&self, own: ProgramBook) -> Result<Option<OpeningBook>, MakeError> {
        if self.is_own {
            return Ok(Some(own.shipped()?));
        }
        let other = self.other.book.as_ref().unwrap_or(&BookChoice::Off);
        OpeningBook::chosen(other).map_err(MakeError::Book)
    }
}

/// Which book a classic program plays from, and how.
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

/// The settings of a program followed by those of its book.
pub(crate) const fn with_book_settings<const N: usize>(own: &[Setting]) -> [Setting; N] {
    let book = ProgramBookSettings::LIST;
    assert!(N == own.len() + book.len(), "the list has the length of both");
    let mut all = [book[0]; N];
    let mut index = 0;
    while index < N {
        all[index] = if index < own.len() { own[index] } else { book[index - own.len()] };
        index += 1;
    }
    all
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
