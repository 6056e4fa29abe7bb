//! The settings of a player with an opening book.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use engine::settings::{Setting, Settings, number, switch};
use evaluation::Value;
use othello::{Board, Rules};

use crate::error::MakeError;

/// A book by its name on the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BookChoice {
    /// None.
    Off,
    /// The one that ships with the program.
    Shipped,
    /// The one in a file.
    File(PathBuf),
}

impl BookChoice {
    /// The name of no book.
    pub const OFF: &str = "off";
    /// The name of the book that ships with the program.
    pub const SHIPPED: &str = "shipped";
}

impl FromStr for BookChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            Self::OFF => Self::Off,
            Self::SHIPPED | "on" => Self::Shipped,
            file => Self::File(file.into()),
        })
    }
}

/// Settings of the book to play from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookSettings {
    /// The book, if the settings name one: otherwise, the default where the player is made.
    pub book: Option<BookChoice>,
    /// The most that the moves of a game from the book may be worse than the best ones, all together.
    pub randomness: Value,
    /// The number of moves of the game after which the book is left.
    pub depth: u32,
    /// Whether the games that the player is asked to learn enter the book.
    pub learns: bool,
}

impl Default for BookSettings {
    fn default() -> Self {
        Self { book: None, randomness: Value::EVEN, depth: Self::MAX_MOVES, learns: false }
    }
}

impl BookSettings {
    /// The moves of a whole game.
    const MAX_MOVES: u32 = 60;
    pub(crate) const BOOK: &str = "book";
    pub(crate) const LEARNING: &str = "book-learning";
    pub(crate) const RANDOMNESS: Setting = Setting {
        name: "book-randomness",
        values: "0, 0.5, 1 (or any number of discs up to 64)",
        description: "how much a game's moves from the book may give away, all together",
    };
    pub(crate) const DEPTH: Setting = Setting {
        name: "book-depth",
        values: "60, 40, 20 (or any number of moves up to 60)",
        description: "leave the book after this many moves of the game, those of both sides counted",
    };
    /// The most discs that a player may give away.
    const MAX_DISCS: f32 = 64.0;

    /// Whether this is the name of one of the settings.
    pub fn has(name: &str) -> bool {
        Self::LIST.iter().any(|setting| setting.name == name)
    }

    /// Refuses settings that do not fit each other or the board.
    pub(crate) fn check<B: Rules>(&self) -> Result<(), MakeError> {
        let names_book = self.book.as_ref().is_some_and(|book| *book != BookChoice::Off);
        if names_book && B::GEOMETRY.side != Board::GEOMETRY.side {
            let board = B::GEOMETRY.name;
            let sentence = format!("book= is not allowed here: books are for the 8x8 board, not for the {board} board");
            return Err(MakeError::request(sentence));
        }
        if self.learns && !matches!(self.book, Some(BookChoice::File(_))) {
            return Err(MakeError::request("book-learning=on needs the file of a book: book=FILE"));
        }
        Ok(())
    }
}

impl Settings for BookSettings {
    const LIST: &'static [Setting] = &[
        Setting {
            name: Self::BOOK,
            values: "off, shipped (or the file of a book)",
            description: "opening book to play from",
        },
        Self::RANDOMNESS,
        Self::DEPTH,
        Setting {
            name: Self::LEARNING,
            values: "off, on",
            description: "whether games enter the book when they are over, or when a host asks for it; it is created if necessary",
        },
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match name {
            Self::BOOK if value.is_empty() => return false,
            Self::BOOK => self.book = value.parse().ok(),
            Self::LEARNING => return switch(&mut self.learns, value),
            _ if name == Self::DEPTH.name => return number(&mut self.depth, value, 0..=Self::MAX_MOVES),
            _ => match value.parse::<f32>() {
                Ok(discs) if (0.0..=Self::MAX_DISCS).contains(&discs) => self.randomness = Value::from_discs(discs),
                _ => return false,
            },
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program_book::ProgramBookSettings;

    #[test]
    fn the_values_of_all_settings_are_listed_in_the_same_way_and_the_first_is_the_default() {
        for setting in BookSettings::LIST.iter().chain(ProgramBookSettings::LIST) {
            for choice in setting.choices() {
                assert!(!choice.contains(['|', '(', ')']), "{setting:?}");
                // A list of words, not a sentence.
                assert!(!choice.contains(' '), "{setting:?}");
            }
            if setting.name != BookSettings::BOOK {
                let default = BookSettings::of([(setting.name, setting.default_value())]).unwrap();
                assert_eq!(default, BookSettings::default(), "{setting:?}");
            }
        }
    }

    #[test]
    fn the_settings_of_a_book_are_read_and_wrong_ones_are_named() {
        let settings = BookSettings::of([("book", "a.book"), ("book-randomness", "1.5")]).unwrap();
        assert_eq!(settings.book, Some(BookChoice::File("a.book".into())));
        assert_eq!(settings.randomness, Value::from_discs(1.5));
        let book = |name| BookSettings::of([("book", name)]).unwrap().book;
        assert_eq!((book("off"), book("shipped")), (Some(BookChoice::Off), Some(BookChoice::Shipped)));
        assert_eq!((BookSettings::default().book, BookSettings::default().depth), (None, 60));
        assert_eq!(BookSettings::of([("book-depth", "12")]).unwrap().depth, 12);
        assert!(BookSettings::of_named([("book-learning", None)]).unwrap().learns);
        for (book, is_valid) in [("off", false), ("shipped", false), ("a.book", true)] {
            let settings = BookSettings::of([("book", book), ("book-learning", "on")]).unwrap();
            assert_eq!(settings.check::<Board>().is_ok(), is_valid, "{book}");
        }
        for (name, value) in
            [("book", ""), ("book-randomness", "-1"), ("book-randomness", "NaN"), ("book-learning", "yes")]
        {
            let error = BookSettings::of([(name, value)]).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
        let sentence = |name, value| BookSettings::of([(name, value)]).unwrap_err().to_string();
        assert_eq!(
            sentence("book-depth", "100"),
            "book-depth cannot be \"100\"; expected one of 60, 40, 20 (or any number of moves up to 60)"
        );
        assert_eq!(
            sentence("book-randomness", "x"),
            "book-randomness cannot be \"x\"; expected one of 0, 0.5, 1 (or any number of discs up to 64)"
        );
        assert!(BookSettings::of_named([("book", None)]).unwrap_err().to_string().contains("book needs a value"));
    }
}
