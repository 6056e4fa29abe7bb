//! The program as it registers itself.

use players::program_book::ProgramBook;
use players::{Entries, Entry, PlayerOptions, Program};
#[cfg(not(target_family = "wasm"))]
use {
    crate::book_search::KeyanoSearch,
    crate::player::{BookValues, ProbCut},
    book::{LeafSearch, SeveralSearches},
    engine::Stop,
    players::MakeError,
    players::program_book::BookSearchSettings,
    players::program_book::BookSource,
    search::Selectivity,
};

use crate::player::{Keyano, tables};

/// KEYANO, to be registered.
pub fn program() -> Program {
    let entry = Entry::new(
        "keyano",
        "mobility counted in flipping directions, parity, edge patterns, and ProbCut at many depths (Brockington 1997)",
        |settings, _: &PlayerOptions| {
            tables::FILE.require()?;
            Ok(Keyano::new(settings))
        },
    )
    .explained_by(crate::player::explain)
    .with_book(&BOOK);
    Program {
        name: "keyano",
        description: "a fast, simple evaluation under a deep search",
        paper: "M. G. Brockington, KEYANO Unplugged: the construction of an Othello program (1997)",
        entries: Entries::of_8x8(entry),
        data_files: vec![&tables::FILE],
    }
}

/// KEYANO's book (Brockington 1997, section 4).
pub static BOOK: ProgramBook = ProgramBook {
    name: "keyano",
    #[cfg(not(target_family = "wasm"))]
    source: BookSource::new(include_bytes!("../data/keyano-book.zst"), book_search).with_table_of_paper(),
};

/// The search behind KEYANO's book.
///
/// Its values are the mean of searches of 11 and 12 plies. Its book was begun before it had ProbCut (section 4 of the
/// paper), so that ProbCut is off unless a selectivity is given.
#[cfg(not(target_family = "wasm"))]
fn book_search(settings: &BookSearchSettings, stop: &Stop) -> Result<Box<dyn LeafSearch>, MakeError> {
    tables::FILE.require()?;
    let BookSearchSettings { depth, selectivity, exact, threads, .. } = *settings;
    let depth = depth.unwrap_or(BookValues::DEPTH);
    let exact = exact.unwrap_or(depth);
    let is_exact = selectivity.is_none_or(Selectivity::is_exact);
    let probcut = if is_exact { ProbCut::Off } else { ProbCut::Multi };
    let settings = crate::player::Settings { probcut, ..crate::player::Settings::default() };
    let search = |_| KeyanoSearch::new(settings, depth, exact, stop.clone());
    Ok(Box::new(SeveralSearches((0..threads).map(search).collect())))
}
