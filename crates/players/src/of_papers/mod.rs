//! The programs of the papers.

#[cfg(test)]
mod book_tests;
#[cfg(not(target_family = "wasm"))]
mod keyano_search;
#[cfg(test)]
mod tests;

#[cfg(not(target_family = "wasm"))]
use std::sync::Arc;

use bill::{Bill, Version};
use desdemona::{Desdemona, DesdemonaBoard};
use engine::settings::NoSettings;
use iago::{Iago, IagoAnalyst};
use keyano::Keyano;
use logistello::LogistelloPlayer;
use single_strategy::{MaximumDisc, MinimumDisc, OneIdeaPlayer, WeightedSquare};
#[cfg(not(target_family = "wasm"))]
use {
    crate::book_search::BookSearchSettings,
    crate::program_book::BookSource,
    book::{EngineSearch, LeafSearch, SeveralSearches},
    engine::Stop,
    keyano::{BookValues, ProbCut},
    logistello::{Form, Logistello, Tables},
    search::{HashTable, Iteration, Selectivity},
};

use crate::board::PlayableBoard;
use crate::entry::{Entries, Entry, OnEveryBoard};
use crate::error::MakeError;
use crate::options::PlayerOptions;
use crate::program::Program;
use crate::program_book::ProgramBook;

#[cfg(not(target_family = "wasm"))]
pub use keyano_search::KeyanoSearch;

type Result<T> = std::result::Result<T, MakeError>;

/// All programs of the papers, the strongest kind first.
pub fn of_papers() -> Vec<Program> {
    vec![
        iago_program(),
        bill_program(),
        keyano_program(),
        logistello_program(),
        desdemona_program(),
        single_strategy_program(),
    ]
}

fn iago_program() -> Program {
    let make = |settings| {
        iago::tables::FILE.require()?;
        Ok(Iago::new(settings))
    };
    let entry = Entry::new(
        "iago",
        "edge tables and mobility: the champion of 1981 (Rosenbloom 1982)",
        move |settings, _: &PlayerOptions| make(settings),
    )
    .explained_by(iago::explain)
    .with_analyst(move |settings, limits| Ok(IagoAnalyst::new(make(settings)?, limits)));
    Program {
        name: "iago",
        description: "the champion of 1981",
        paper: "P. S. Rosenbloom, A world-championship-level Othello program (1982)",
        entries: Entries::of_8x8(entry),
        data_files: vec![&iago::tables::FILE],
    }
}

fn bill_program() -> Program {
    let make = |version| {
        move |settings, options: &PlayerOptions| {
            bill::tables::FILE.require()?;
            Ok(Bill::new(version, settings, options.search.hash as usize))
        }
    };
    let bill3 = Entry::new(
        "bill3",
        "BILL 3.0 of 1989: evaluates with tables and estimates its winning chance",
        make(Version::Three),
    );
    let bill2 = Entry::new("bill2", "BILL 2.0: the same tables, weighted by hand", make(Version::Two));
    let entries = vec![bill3.explained_by(bill::explain_bill3), bill2.explained_by(bill::explain_bill2)];
    Program {
        name: "bill",
        description: "evaluation by tables, and Bayesian learning",
        paper: "K.-F. Lee and S. Mahajan, The development of a world class Othello program (1990)",
        entries: Entries { on_8x8: entries, ..Entries::default() },
        data_files: vec![&bill::tables::FILE],
    }
}

fn keyano_program() -> Program {
    let entry = Entry::new(
        "keyano",
        "mobility counted in flipping directions, parity, edge patterns, and ProbCut at many depths (Brockington 1997)",
        |settings, _: &PlayerOptions| {
            keyano::tables::FILE.require()?;
            Ok(Keyano::new(settings))
        },
    )
    .explained_by(keyano::explain)
    .with_book(&KEYANO_BOOK);
    Program {
        name: "keyano",
        description: "a fast, simple evaluation under a deep search",
        paper: "M. G. Brockington, KEYANO Unplugged: the construction of an Othello program (1997)",
        entries: Entries::of_8x8(entry),
        data_files: vec![&keyano::tables::FILE],
    }
}

/// KEYANO's book (Brockington 1997, section 4).
static KEYANO_BOOK: ProgramBook = ProgramBook {
    name: "keyano",
    #[cfg(not(target_family = "wasm"))]
    source: BookSource::new(include_bytes!("../../../../data/heritage/keyano-book.zst"), search_for_keyano)
        .with_table_of_paper(),
};

/// The search behind KEYANO's book.
///
/// Its values are the mean of searches of 11 and 12 plies. Its book was begun before it had ProbCut (section 4 of the
/// paper), so that ProbCut is off unless a selectivity is given.
#[cfg(not(target_family = "wasm"))]
fn search_for_keyano(settings: &BookSearchSettings, stop: &Stop) -> Result<Box<dyn LeafSearch>> {
    keyano::tables::FILE.require()?;
    let BookSearchSettings { depth, selectivity, exact, threads, .. } = *settings;
    let depth = depth.unwrap_or(BookValues::DEPTH);
    let exact = exact.unwrap_or(depth);
    let is_exact = selectivity.is_none_or(Selectivity::is_exact);
    let probcut = if is_exact { ProbCut::Off } else { ProbCut::Multi };
    let settings = keyano::Settings { probcut, ..keyano::Settings::default() };
    let search = |_| KeyanoSearch::new(settings, depth, exact, stop.clone());
    Ok(Box::new(SeveralSearches((0..threads).map(search).collect())))
}

fn logistello_program() -> Program {
    let entry = Entry::new(
        "logistello",
        "patterns, mobility and weights found by statistics (Buro 1997)",
        |settings, options: &PlayerOptions| {
            logistello::tables::FILE.require()?;
            Ok(LogistelloPlayer::new(&settings, &options.engine())?)
        },
    )
    .explained_by(logistello::explain)
    .with_book(&LOGISTELLO_BOOK);
    Program {
        name: "logistello",
        description: "patterns and weights found by statistics",
        paper: "M. Buro, An evaluation function for Othello based on statistics (1997)",
        entries: Entries::of_8x8(entry),
        data_files: vec![&logistello::tables::FILE],
    }
}

/// LOGISTELLO's book, which Buro mentions but does not describe.
static LOGISTELLO_BOOK: ProgramBook = ProgramBook {
    name: "logistello",
    #[cfg(not(target_family = "wasm"))]
    source: BookSource::new(include_bytes!("../../../../data/heritage/logistello-book.zst"), search_for_logistello),
};

/// The selectivity of LOGISTELLO's ProbCut, 1.5 standard deviations, by its confidence.
#[cfg(not(target_family = "wasm"))]
const LOGISTELLO_PERCENT: u8 = 87;

/// The search behind LOGISTELLO's book. The paper does not say how deep it was; ours has 12 plies, as KEYANO's, with ProbCut.
#[cfg(not(target_family = "wasm"))]
fn search_for_logistello(settings: &BookSearchSettings, stop: &Stop) -> Result<Box<dyn LeafSearch>> {
    logistello::tables::FILE.require()?;
    let BookSearchSettings { depth, selectivity, exact, threads, hash } = *settings;
    let depth = depth.unwrap_or(BookValues::DEPTH);
    let exact = exact.unwrap_or(depth);
    let tables = (0..threads).map(|_| HashTable::new(hash)).collect::<std::result::Result<_, _>>()?;
    let evaluation = Arc::new(Logistello::new(&Tables::shipped(), Form::default()));
    let selectivity = selectivity.unwrap_or(Selectivity::from_percent(LOGISTELLO_PERCENT));
    Ok(Box::new(EngineSearch::new(evaluation, tables, Iteration { depth, selectivity }, exact, stop.clone())))
}

fn desdemona_program() -> Program {
    fn entry<B: DesdemonaBoard>() -> Entry<B> {
        let make = |settings, _: &PlayerOptions| {
            B::FILE.require()?;
            Ok(Desdemona::<B>::new(settings))
        };
        let description = "eight weighted features and twelve patterns, from a course in 2002 (CS 221)";
        Entry::new(desdemona::NAME, description, make).explained_by(|board| B::shipped().explain(board))
    }
    Program {
        name: desdemona::NAME,
        description: "the program of a course, for a board of its own",
        paper: "Corby, Irani, Perry and Swartz, DESDEMONA (Stanford, CS 221, 2002)",
        entries: Entries { on_8x8: vec![entry()], on_cut: vec![entry()], ..Entries::default() },
        data_files: vec![&desdemona::FILE_ON_8X8, &desdemona::FILE_ON_92],
    }
}

fn single_strategy_program() -> Program {
    Program {
        name: "single-strategy",
        description: "three strategies that are easily beaten",
        paper: "P. S. Rosenbloom, A world-championship-level Othello program (1982), section 3.1",
        entries: Entries::of_every_board(&WeightedSquares)
            .and(Entries::of_every_board(&MinimumDisc))
            .and(Entries::of_every_board(&MaximumDisc)),
        data_files: Vec::new(),
    }
}

/// The player that knows square values alone.
struct WeightedSquares;

impl OnEveryBoard for WeightedSquares {
    fn entry<B: PlayableBoard>(&self) -> Entry<B> {
        Entry::new(
            "weighted-square",
            "only knows square values: corners good, squares beside them bad (IAGO paper, 3.1.2)",
            |_: NoSettings, options| Ok(OneIdeaPlayer::new(WeightedSquare::<B>::new(), options.seed)),
        )
    }
}

impl OnEveryBoard for MinimumDisc {
    fn entry<B: PlayableBoard>(&self) -> Entry<B> {
        Entry::new(
            "minimum-disc",
            "tries to have fewer discs than you until the end (IAGO paper, 3.1.3)",
            |_: NoSettings, options| Ok(OneIdeaPlayer::new(MinimumDisc, options.seed)),
        )
    }
}

impl OnEveryBoard for MaximumDisc {
    fn entry<B: PlayableBoard>(&self) -> Entry<B> {
        Entry::new("maximum-disc", "flips as many discs as it can (IAGO paper, 3.1.1)", |_: NoSettings, options| {
            Ok(OneIdeaPlayer::new(MaximumDisc, options.seed))
        })
    }
}
