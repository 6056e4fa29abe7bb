//! Opening books in a browser, which has none.

use engine::Player;
use engine::analysis::Analyst;
use othello::Rules;

use crate::book_settings::{BookChoice, BookSettings};
use crate::error::MakeError;
use crate::options::PlayerOptions;
use crate::program_book::{ProgramBook, ProgramBookSettings};

type Result<T> = std::result::Result<T, MakeError>;

/// An opening book.
#[derive(Clone, Debug)]
pub enum OpeningBook {}

pub(crate) fn with_book<B: Rules>(
    player: Box<dyn Player<B>>,
    settings: &BookSettings,
    _: &PlayerOptions,
    _: Option<&OpeningBook>,
) -> Result<Box<dyn Player<B>>> {
    check(settings).map(|()| player)
}

pub(crate) fn playing_from<B: Rules>(
    player: Box<dyn Player<B>>,
    _: &ProgramBook,
    settings: &ProgramBookSettings,
    _: u64,
) -> Result<Box<dyn Player<B>>> {
    check_own::<B>(settings).map(|()| player)
}

pub(crate) fn analyst_with_book<B: Rules>(
    analyst: Box<dyn Analyst<B>>,
    settings: &BookSettings,
) -> Result<Box<dyn Analyst<B>>> {
    check(settings).map(|()| analyst)
}

pub(crate) fn analyst_with_own_book<B: Rules>(
    analyst: Box<dyn Analyst<B>>,
    _: &ProgramBook,
    settings: &ProgramBookSettings,
) -> Result<Box<dyn Analyst<B>>> {
    check_own::<B>(settings).map(|()| analyst)
}

fn check(settings: &BookSettings) -> Result<()> {
    match &settings.book {
        None | Some(BookChoice::Off) => Ok(()),
        Some(_) => Err(MakeError::request("book= is not allowed here: a browser has no book")),
    }
}

/// Refuses the books of programs, which are not downloaded.
fn check_own<B: Rules>(settings: &ProgramBookSettings) -> Result<()> {
    if settings.is_own {
        return Err(MakeError::request("book= is not allowed here: the book is not part of the page"));
    }
    settings.other.check::<B>()?;
    check(&settings.other)
}
