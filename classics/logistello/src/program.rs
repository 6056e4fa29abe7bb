//! The program as it registers itself.

use players::program_book::ProgramBook;
use players::{Entries, Entry, PlayerOptions, Program};
#[cfg(not(target_family = "wasm"))]
use {
    crate::player::{Form, Logistello, Tables},
    book::{EngineSearch, LeafSearch},
    engine::Stop,
    players::MakeError,
    players::program_book::BookSearchSettings,
    players::program_book::BookSource,
    search::{HashTable, Iteration, Selectivity},
    std::sync::Arc,
};

use crate::player::{LogistelloPlayer, tables};

/// LOGISTELLO, to be registered.
pub fn program() -> Program {
    let entry = Entry::new(
        "logistello",
        "patterns, mobility and weights found by statistics (Buro 1997)",
        |settings, options: &PlayerOptions| {
            tables::FILE.require()?;
            Ok(LogistelloPlayer::new(&settings, &options.engine())?)
        },
    )
    .explained_by(crate::player::explain)
    .with_weak_levels()
    .with_book(&BOOK);
    Program {
        name: "logistello",
        description: "patterns and weights found by statistics",
        paper: "M. Buro, An evaluation function for Othello based on statistics (1997)",
        entries: Entries::of_8x8(entry),
        data_files: vec![&tables::FILE],
    }
}

/// LOGISTELLO's book, which Buro mentions but does not describe.
pub static BOOK: ProgramBook = ProgramBook {
    name: "logistello",
    #[cfg(not(target_family = "wasm"))]
    source: BookSource::new(include_bytes!("../data/logistello-book.zst"), book_search),
};

/// The selectivity of LOGISTELLO's ProbCut, 1.5 standard deviations, by its confidence.
#[cfg(not(target_family = "wasm"))]
const PROBCUT_PERCENT: u8 = 87;

/// Search depth of the book. The paper does not state it; ours is that of KEYANO's book, with ProbCut.
#[cfg(not(target_family = "wasm"))]
const BOOK_DEPTH: u32 = 12;

/// The search behind LOGISTELLO's book.
#[cfg(not(target_family = "wasm"))]
fn book_search(settings: &BookSearchSettings, stop: &Stop) -> Result<Box<dyn LeafSearch>, MakeError> {
    tables::FILE.require()?;
    let BookSearchSettings { depth, selectivity, exact, threads, hash } = *settings;
    let depth = depth.unwrap_or(BOOK_DEPTH);
    let exact = exact.unwrap_or(depth);
    let tables = (0..threads).map(|_| HashTable::new(hash)).collect::<Result<_, _>>()?;
    let evaluation = Arc::new(Logistello::new(&Tables::shipped(), Form::default()));
    let selectivity = selectivity.unwrap_or(Selectivity::from_percent(PROBCUT_PERCENT));
    Ok(Box::new(EngineSearch::new(evaluation, tables, Iteration { depth, selectivity }, exact, stop.clone())))
}
