//! The settings of a player with an opening book.

use std::path::PathBuf;

use evaluation::Value;
use heritage::settings::{Setting, Settings};
use othello::{Board, Rules};

use crate::error::MakeError;

/// Which book is played from, and how.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BookSettings {
    /// The file of the book.
    pub file: Option<PathBuf>,
    /// The most that a move of the book may be worse than the best one.
    pub randomness: Value,
}

impl BookSettings {
    /// The name of the setting with the file.
    const FILE: &str = "book";
    /// The value without a book.
    const OFF: &str = "off";
    /// The most discs that a player may give away at once.
    const MOST_DISCS: f32 = 64.0;

    /// Whether this is the name of one of the settings.
    pub fn has(name: &str) -> bool {
        Self::LIST.iter().any(|setting| setting.name == name)
    }

    /// Refuses a book for a board that has none.
    pub(crate) fn check_board<B: Rules>(&self) -> Result<(), MakeError> {
        if self.file.is_some() && B::GEOMETRY.side != Board::GEOMETRY.side {
            let board = B::GEOMETRY.name;
            let sentence = format!("book= is not allowed here: books are for the 8x8 board, not for the {board} board");
            return Err(MakeError::request(sentence));
        }
        Ok(())
    }

    /// Opens the book, if there is one.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn open(&self) -> Result<Option<crate::opening_book::OpeningBook>, MakeError> {
        self.file.as_deref().map(crate::opening_book::OpeningBook::open).transpose().map_err(MakeError::Book)
    }
}

impl Settings for BookSettings {
    const LIST: &'static [Setting] = &[
        Setting { name: Self::FILE, values: "off (or the file of a book)", description: "opening book to play from" },
        Setting {
            name: "book-randomness",
            values: "0 (discs, from 0 to 64)",
            description: "how much worse than the best a move from the book may be",
        },
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match name {
            Self::FILE if value == Self::OFF => self.file = None,
            Self::FILE if value.is_empty() => return false,
            Self::FILE => self.file = Some(value.into()),
            _ => match value.parse::<f32>() {
                Ok(discs) if (0.0..=Self::MOST_DISCS).contains(&discs) => self.randomness = Value::from_discs(discs),
                _ => return false,
            },
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_of_a_book_are_read_and_wrong_ones_are_named() {
        let settings = BookSettings::of([("book", "a.book"), ("book-randomness", "1.5")]).unwrap();
        assert_eq!((settings.file, settings.randomness), (Some("a.book".into()), Value::from_discs(1.5)));
        assert_eq!(BookSettings::of([("book", "off")]).unwrap(), BookSettings::default());
        for (name, value) in [("book", ""), ("book-randomness", "-1"), ("book-randomness", "NaN"), ("book-depth", "3")]
        {
            let error = BookSettings::of([(name, value)]).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
        assert!(BookSettings::of_named([("book", None)]).unwrap_err().to_string().contains("book needs a value"));
    }
}
