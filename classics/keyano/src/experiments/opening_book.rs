//! KEYANO's opening book: how many searches Delteil's method saves, and what the book is worth in games (Brockington
//! 1997, section 4).

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;

use crate::book_search::KeyanoSearch;
use crate::player::{BookValues, ProbCut, Settings};
use arena::{GameLine, Tally};
use book::planning::{Plan, PlanRule};
use book::{Book, BookError, Destination, SearchCounts, Settled, SeveralSearches, Snapshot};
use evaluation::Value;
use othello::{Board, Color, Game, Position, Rules, Square};
use players::opening_book::OpeningBook;
use records::ggf;
use serde::{Deserialize, Serialize};

use super::score;
use laboratory::duel::{elo, result};
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "keyano-book";

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    /// The depth of the deeper of the two searches behind a value: the paper has 12.
    depth: u32,
    /// The games that a book is built from: the paper has 36,000.
    games: usize,
    /// The moves of each game that enter the book.
    plies: usize,
    /// The positions of a book that is built without games.
    planned: u64,
    /// Pairs of games of each match, if the book has as many positions to begin from.
    pairs: u32,
    /// The nodes per move of both players, one number for each match.
    nodes: &'static [u64],
}

const FULL: Scale =
    Scale { depth: 6, games: 400, plies: 24, planned: 1000, pairs: 100, nodes: &[2000, 10_000, 50_000] };
const QUICK: Scale = Scale { depth: 4, games: 20, plies: 20, planned: 100, pairs: 10, nodes: &[2000] };

/// Number of times that the growth of a book is recorded.
const RECORDS: u64 = 4;

/// The transposition table of a search, as a power of two: it is cleared before each of many short ones.
const TABLE: u32 = 16;

/// A move that is worse by this many discs is followed 2.7 times less often when a book grows without games.
const TEMPERATURE: f32 = 1.0;
/// The fewest empty squares of a position whose moves are followed.
const EMPTIES: u8 = 30;

/// The discs of the positions of the book that matches begin from: after 8 to 12 moves.
const OPENING_DISCS: RangeInclusive<u32> = 12..=16;

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report, ExperimentError> {
    let (games, paths) = setup.part("book from games", |setup| from_games(setup, scale))?;
    let planned = setup.part("book from nothing", |setup| from_nothing(setup, scale))?;
    let mut report = Report::of(NAME);
    report.tables.push(searches(&games, &planned));
    report.tables.push(facts(&games, paths, scale)?);
    report.tables.push(matches(setup, scale)?);
    report.figures.push(figure(&games));
    report.note(
        "A position is searched again when its best move has dropped, between the new value and the old one (Delteil's \
         method). Otherwise, its moves outside of the book would be searched again whenever the value of one of its moves \
         in the book changes, or a move enters the book. The search of each new position is not counted: it is needed in \
         any case. The paper gives no figures for this.",
    );
    report.note(format!(
        "The games are Emilia's against itself, from openings with a few random moves, so that few of them share more \
         than their openings. The values in these books are the mean of searches of {} and {} plies, without ProbCut.",
        scale.depth - 1,
        scale.depth,
    ));
    report.note(format!(
        "The matches begin from positions of the book with {} to {} discs, each with both colors. The player with the book \
         has the one that ships with Emilia, with the mean of searches of {} and {} plies without ProbCut, as in the paper; \
         it uses no nodes for a move of the book. This book has few positions, and games leave it early: the match says \
         nothing about a book of the paper's size. The paper calls opening knowledge vital, but has no match with and \
         without the book.",
        OPENING_DISCS.start(),
        OPENING_DISCS.end(),
        BookValues::DEPTH - 1,
        BookValues::DEPTH,
    ));
    Ok(report)
}

/// The growth of a book: what it had and what that took, from time to time.
#[derive(Default, Serialize, Deserialize)]
struct Growth {
    records: Vec<Record>,
}

/// A book while it grows.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Record {
    /// The games that were learned.
    games: usize,
    positions: u64,
    #[serde(with = "KeptWork")]
    work: SearchCounts,
}

/// Form in which [`SearchCounts`] is kept.
#[derive(Serialize, Deserialize)]
#[serde(remote = "SearchCounts")]
struct KeptWork {
    searches: u64,
    full_searches: u64,
    updates: u64,
}

impl Growth {
    fn record(&mut self, book: &Book, games: usize) -> Result<(), ExperimentError> {
        let positions = book.snapshot().and_then(|snapshot| snapshot.count()).map_err(failed)?;
        self.records.push(Record { games, positions, work: book.work() });
        Ok(())
    }

    fn last(&self) -> Record {
        self.records.last().copied().unwrap_or_default()
    }

    /// Some of the records, at even distances; the last one is among them.
    fn quarters(&self) -> impl Iterator<Item = &Record> {
        let (count, quarters) = (self.records.len(), RECORDS as usize);
        let ends: BTreeSet<usize> = (1..=quarters).map(|quarter| quarter * count / quarters).collect();
        ends.into_iter().filter_map(|end| self.records.get(end.checked_sub(1)?))
    }
}

fn failed(error: BookError) -> ExperimentError {
    ExperimentError::Player { player: "keyano's book".to_owned(), reason: error.to_string() }
}

/// KEYANO's search of the positions of a book.
fn search(setup: &Setup<'_>, depth: u32) -> SeveralSearches<KeyanoSearch> {
    let settings = Settings { probcut: ProbCut::Off, table: Some(TABLE), ..Settings::default() };
    SeveralSearches((0..setup.threads).map(|_| KeyanoSearch::new(settings, depth, depth, setup.stop.clone())).collect())
}

/// A book from games, as in the paper; with the most ways that lead from the start to one of its positions.
fn from_games(setup: &mut Setup<'_>, scale: Scale) -> Result<(Growth, u64), ExperimentError> {
    let games = setup.games(scale.games)?;
    let mut search = search(setup, scale.depth);
    let mut book = Book::in_memory().map_err(failed)?;
    let mut growth = Growth::default();
    for (number, game) in games.iter().enumerate() {
        (setup.progress)(&format!("book from games: game {} of {}", number + 1, games.len()));
        let learned = book.learn(&Board::start(), game.moves(), scale.plies, &mut search, None).map_err(failed)?;
        if learned.settled == Settled::Stopped {
            return Err(ExperimentError::Stopped);
        }
        growth.record(&book, number + 1)?;
    }
    let paths = max_paths(&book.snapshot().map_err(failed)?).map_err(failed)?;
    Ok((growth, paths))
}

/// A book that begins with the first position and grows along the moves that good players would play.
fn from_nothing(setup: &mut Setup<'_>, scale: Scale) -> Result<Growth, ExperimentError> {
    let mut search = search(setup, scale.depth);
    let mut book = Book::in_memory().map_err(failed)?;
    let temperature = Value::from_discs(TEMPERATURE);
    let plan = Plan { root: Board::start(), empties: EMPTIES, rule: PlanRule::Popularity { temperature } };
    let mut growth = Growth::default();
    for quarter in 1..=RECORDS {
        let most = scale.planned * quarter / RECORDS;
        let progress = &mut setup.progress;
        let extended = book.extend(&plan, most, &mut search, &mut |step| {
            progress(&format!("book from nothing: {} of {} positions", step.positions, scale.planned));
            true
        });
        extended.map_err(failed)?;
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
        growth.record(&book, 0)?;
    }
    Ok(growth)
}

/// The greatest number of ways that lead from the start to a position of the book.
fn max_paths(snapshot: &Snapshot) -> Result<u64, BookError> {
    let mut paths: HashMap<Board, u64> = HashMap::from([(Board::start().canonical(), 1)]);
    // Those with the fewest discs come first, so that the parents of every position are complete.
    for position in snapshot.positions() {
        let board = position?.board;
        let ways = |parent: &book::BookPosition| paths.get(&parent.board.canonical()).copied().unwrap_or(0);
        let count = snapshot.parents(&board)?.iter().map(ways).fold(0, u64::saturating_add);
        paths.entry(board.canonical()).or_insert(count);
    }
    Ok(paths.into_values().max().unwrap_or(0))
}

/// The share of searches that are not made, in percent; nothing if there are none to make.
fn saved(work: SearchCounts) -> String {
    match work.full_searches {
        0 => String::new(),
        full => format!("{:.1}%", 100.0 * (1.0 - work.searches as f64 / full as f64)),
    }
}

fn searches(games: &Growth, planned: &Growth) -> Table {
    let columns =
        ["games", "positions", "looked at again", "searched again: Delteil", "searched again: every change", "saved"];
    let mut table = Table::new("Searches again while a book grows, from games and without", &columns);
    for &Record { games, positions, work } in games.quarters().chain(planned.quarters()) {
        let SearchCounts { searches, full_searches, updates } = work;
        let numbers = [games as u64, positions, updates, searches, full_searches].map(|number| number.to_string());
        table.row(numbers.into_iter().chain([saved(work)]));
    }
    table
}

/// The book of the paper beside ours.
fn facts(games: &Growth, paths: u64, scale: Scale) -> Result<Table, ExperimentError> {
    let shipped = crate::BOOK.shipped().and_then(|book| book.snapshot().count()).map_err(failed)?;
    let mut table = Table::new("The books", &["", "paper", "from games", "shipped"]);
    let depths = |depth: u32| format!("{} and {depth}", depth - 1);
    let positions = games.last().positions.to_string();
    let none = String::new;
    table.row(["games".to_owned(), "36000".to_owned(), scale.games.to_string(), "0".to_owned()]);
    // The book that ships was built without games.
    table.mark_given(3);
    table.row(["positions".to_owned(), "over 800000".to_owned(), positions, shipped.to_string()]);
    table.row(["plies".to_owned(), "11 and 12".to_owned(), depths(scale.depth), depths(BookValues::DEPTH)]);
    table.row(["most paths to the start".to_owned(), "over 30".to_owned(), paths.to_string(), none()]);
    Ok(table)
}

fn figure(games: &Growth) -> Figure {
    let mut figure = Figure::new(NAME, "Searches again while a book from games grows", "positions", "searches");
    let points = |count: fn(&SearchCounts) -> u64| {
        let point = |record: &Record| (record.positions as f64, count(&record.work) as f64);
        games.records.iter().map(point).collect()
    };
    figure.line("at every change", points(|work| work.full_searches));
    figure.line("when the best move drops", points(|work| work.searches));
    figure
}

/// The moves of a game that the player of this name played from its book.
fn book_moves(line: &GameLine, name: &str, book: &OpeningBook) -> Result<u64, BookError> {
    let Ok(record) = ggf::parse::<Board>(&line.ggf) else { return Ok(0) };
    let side = if line.black == name { Color::Black } else { Color::White };
    let mut game = Game::from_position(record.game.start());
    let mut count = 0;
    for square in record.game.line() {
        let Position { board, turn } = game.position();
        count += u64::from(turn == side && is_book_move(book, &board, square)?);
        if game.play(square).is_err() {
            break;
        }
    }
    Ok(count)
}

/// Whether a player with the book plays this move from it: it is the best, or as good.
fn is_book_move(book: &OpeningBook, board: &Board, square: Square) -> Result<bool, BookError> {
    let moves = book.moves(board)?;
    let best = moves.first().map(|known| known.value);
    Ok(moves
        .iter()
        .any(|known| known.square == square && known.destination != Destination::Leaf && Some(known.value) == best))
}

/// The positions of a book that matches begin from, at most so many, spread over all of them.
fn openings(book: &OpeningBook, most: u32) -> Result<Vec<Game>, BookError> {
    let mut boards = Vec::new();
    for position in book.snapshot().positions() {
        let board = position?.board;
        if OPENING_DISCS.contains(&(64 - board.empty_count())) {
            boards.push(board);
        }
    }
    let count = boards.len().min(most as usize);
    let game = |board: Board| Game::from_position(Position { board, turn: Color::Black });
    Ok((0..count).map(|number| game(boards[number * boards.len() / count])).collect())
}

fn matches(setup: &mut Setup<'_>, scale: Scale) -> Result<Table, ExperimentError> {
    let own = crate::BOOK.shipped().map_err(failed)?;
    let openings = openings(&own, scale.pairs).map_err(failed)?;
    let pairs = openings.len() as u32;
    let columns = ["nodes per move", "with the book", "won-drawn-lost", "Elo, 95% interval", "book moves per game"];
    let title = format!("KEYANO with its book against KEYANO without, {} games each", 2 * pairs);
    let mut table = Table::new(title, &columns);
    for nodes in scale.nodes {
        let name = format!("keyano@nodes={nodes},book=on");
        let contestants = vec![setup.contestant(&name)?, setup.contestant(&format!("keyano@nodes={nodes}"))?];
        let mut moves = Ok(0);
        let standings = setup.tournament_watched(openings.clone(), contestants, pairs, &mut |line| {
            moves = std::mem::replace(&mut moves, Ok(0)).and_then(|moves| Ok(moves + book_moves(line, &name, &own)?));
        })?;
        let tally: Tally = standings.tally(0, 1);
        let moves = moves.map_err(failed)? as f64 / tally.games() as f64;
        table.row([nodes.to_string(), score(&tally), result(&tally), elo(&tally), format!("{moves:.1}")]);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal::{rehearse, run};

    const SMALL: Scale = Scale { depth: 2, games: 6, plies: 12, planned: 40, pairs: 2, nodes: &[500] };

    #[test]
    fn a_small_run_has_all_tables_and_saves_searches() {
        let report = rehearse(classics::registry(), |setup| at_scale(setup, SMALL)).unwrap();
        let [searches, facts, matches] = &report.tables[..] else { panic!("{:?}", report.tables) };
        assert_eq!((facts.rows.len(), matches.rows.len(), report.figures.len()), (4, 1, 1));
        for row in &searches.rows {
            let [delteil, full] = [&row[3], &row[4]].map(|cell| cell.parse::<u64>().unwrap());
            assert!(delteil <= full, "{row:?}");
        }
        let last = searches.rows.last().unwrap();
        assert!(last[5].ends_with('%') && last[3] != last[4], "{last:?}");
        assert_eq!((saved(SearchCounts::default()), searches.rows.len()), (String::new(), 8));
        let moves: f64 = matches.rows[0][4].parse().unwrap();
        assert!(moves > 0.0, "the book is used: {moves}");
    }

    #[test]
    fn paths_are_counted_through_transpositions() {
        // Two orders of the same moves, up to symmetry: f5 d6 c3 d3 c4 and f5 d6 c4 d3 c3.
        let mut book = Book::in_memory().unwrap();
        let mut search = KeyanoSearch::new(Settings::default(), 1, 0, engine::Stop::new());
        let mut learn = |names: [&str; 5]| {
            let moves = names.map(|name| name.parse().unwrap());
            book.learn(&Board::start(), &moves, 5, &mut search, None).unwrap();
            max_paths(&book.snapshot().unwrap()).unwrap()
        };
        assert_eq!(learn(["f5", "d6", "c3", "d3", "c4"]), 1);
        assert_eq!(learn(["f5", "d6", "c4", "d3", "c3"]), 2);
    }

    #[test]
    fn a_stopped_experiment_has_no_report() {
        assert_eq!(
            run(classics::registry(), |setup| at_scale(setup, SMALL), true).err(),
            Some(ExperimentError::Stopped)
        );
    }
}
