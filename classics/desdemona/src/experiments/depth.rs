//! DESDEMONA's search depth with and without its transposition table and its adjacency tables (CS 221 2002, sections
//! 1.3.3 and 1.4), and with the keys that section 1.3.1 describes, on its own board and on 8x8.

use std::time::Duration;

use crate::player::{Desdemona, DesdemonaBoard, DesdemonaSettings, Found, Keys, Lookups, Searcher};
use arena::Tally;
use engine::interruption::Interruption;
use engine::{Choice, Limits, Player, Silent};
use othello::{Board, CutBoard, SquareSet};
use players::PlayableBoard;
use serde::{Deserialize, Serialize};

use super::{RANDOM_MOVES, match_on, opening};
use laboratory::duel::{elo, result};
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "desdemona-depth";

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    /// Games on each board.
    games: u64,
    /// The time per move.
    time: Duration,
    /// The nodes per move.
    nodes: u64,
    /// The depth of the searches whose nodes are counted.
    plies: u32,
    /// The pairs of games between the two kinds of keys, on each board.
    pairs: u64,
}

const FULL: Scale = Scale { games: 6, time: Duration::from_millis(40), nodes: 100_000, plies: 8, pairs: 50 };
const QUICK: Scale = Scale { games: 2, time: Duration::from_millis(10), nodes: 20_000, plies: 6, pairs: 5 };

/// Nodes are counted in every n-th position of this many games.
const COUNTED_EVERY: usize = 16;
const COUNTED_GAMES: u64 = 3;

/// With fewer empty squares the search reaches the end of the game, and its depth is meaningless.
const FEWEST_EMPTIES: u32 = 20;

/// The players of the match between the two kinds of keys.
const MATCH: [&str; 2] = ["desdemona@nodes=20000,keys=placed", "desdemona@nodes=20000"];

/// Gain of the transposition table in the paper, in plies: 8.25 against 7.5 (section 1.3.3).
const PAPER_GAIN: f64 = 8.25 - 7.5;

/// A variant of the search, and the paper's depth for it.
struct Variant {
    name: &'static str,
    /// The keys of the transposition table, if there is one.
    table: Option<Keys>,
    adjacency: bool,
    paper: &'static str,
}

const ALL: usize = 0;
const PLACED: usize = 1;
const NO_TABLE: usize = 2;
const VARIANT_COUNT: usize = 5;
const VARIANTS: [Variant; VARIANT_COUNT] = [
    Variant { name: "both tables, keys of all discs", table: Some(Keys::All), adjacency: true, paper: "-" },
    Variant { name: "both tables, keys of placed discs", table: Some(Keys::Placed), adjacency: true, paper: "8.25" },
    Variant { name: "no transposition table", table: None, adjacency: true, paper: "7.5" },
    Variant {
        name: "no adjacency tables, keys of all discs",
        table: Some(Keys::All),
        adjacency: false,
        paper: "over one ply less",
    },
    Variant { name: "neither", table: None, adjacency: false, paper: "-" },
];

/// The variants whose trees differ: the adjacency tables change only the time.
const COUNTED: [usize; 3] = [ALL, PLACED, NO_TABLE];

impl Variant {
    fn settings(&self) -> DesdemonaSettings {
        let keys = self.table.unwrap_or(Keys::All);
        let (transposition, adjacency) = (self.table.is_some(), self.adjacency);
        DesdemonaSettings { transposition, keys, adjacency, ..DesdemonaSettings::default() }
    }
}

/// The depths that one variant reached in the positions of all games.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Reached {
    /// The empty squares of a position and the depth that was reached within the time.
    in_time: Vec<(u32, u32)>,
    /// The same within the nodes.
    in_nodes: Vec<(u32, u32)>,
    /// The nodes visited within the time, and the time.
    nodes: u64,
    time: Duration,
}

/// Searches of one depth by one variant, over some positions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Counted {
    nodes: u64,
    #[serde(with = "KeptLookups")]
    lookups: Lookups,
    /// The values found, in thousandths of a disc, with the number of the square of the move.
    found: Vec<(i32, Option<usize>)>,
}

/// Form in which [`Lookups`] are kept.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Lookups")]
struct KeptLookups {
    all: u64,
    hits: u64,
    false_hits: u64,
}

/// The results on one board.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Results {
    reached: [Reached; VARIANT_COUNT],
    /// By depth, that of one ply first, for each of [`COUNTED`].
    counted: Vec<[Counted; COUNTED.len()]>,
    /// The squares on which a move is looked for in the positions of the games: empty ones, and those next to an
    /// opponent's disc.
    empty_squares: u64,
    potential_moves: u64,
    /// The match of the keys of placed discs against those of all discs.
    #[serde(skip)]
    games: Tally,
}

impl Results {
    /// Results without any game, with searches of this many plies.
    fn of_plies(plies: u32) -> Self {
        Self { counted: (0..plies).map(|_| Default::default()).collect(), ..Self::default() }
    }

    /// Adds those of another game.
    fn add(&mut self, game: Self) {
        for (sum, more) in self.reached.iter_mut().zip(game.reached) {
            sum.in_time.extend(more.in_time);
            sum.in_nodes.extend(more.in_nodes);
            sum.nodes += more.nodes;
            sum.time += more.time;
        }
        for (sum, more) in self.counted.iter_mut().flatten().zip(game.counted.into_iter().flatten()) {
            sum.nodes += more.nodes;
            sum.lookups.all += more.lookups.all;
            sum.lookups.hits += more.lookups.hits;
            sum.lookups.false_hits += more.lookups.false_hits;
            sum.found.extend(more.found);
        }
        self.empty_squares += game.empty_squares;
        self.potential_moves += game.potential_moves;
    }
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report, ExperimentError> {
    let boards = [("the CS 221 board", results::<CutBoard>(setup, scale)?), ("8x8", results::<Board>(setup, scale)?)];
    let mut report = Report::of(NAME);
    for (board, results) in &boards {
        report.tables.push(depth_table(board, results, scale));
    }
    for (board, results) in &boards {
        report.tables.push(nodes_table(board, &results.counted));
    }
    for (board, results) in &boards {
        report.tables.push(key_table(board, &results.counted));
    }
    report.tables.push(match_table(&boards));
    let mut figure = Figure::new(
        "desdemona-depth",
        "DESDEMONA's depth through the game, on the CS 221 board, at equal time",
        "empty squares",
        "plies",
    );
    for (variant, reached) in VARIANTS.iter().zip(&boards[0].1.reached) {
        figure.line(variant.name, by_phase(&reached.in_time));
    }
    report.figures.push(figure);
    report.note(format!(
        "{} games on each board, DESDEMONA against itself after {RANDOM_MOVES} random moves; in every position down to \
         {FEWEST_EMPTIES} empty squares all variants search one after the other, for {} ms and for {} nodes. At equal \
         nodes a look-up costs nothing.",
        scale.games,
        scale.time.as_millis(),
        scale.nodes,
    ));
    report.note(
        "Plies gained are the nodes saved expressed as depth, given the growth of the last ply without a table. A look-up \
         is a hit if the table has an entry with the key of the position, and a false hit if that entry was made for other \
         discs or the other side to move. A false hit is treated like any other: the search takes its value.",
    );
    for (board, results) in &boards {
        report.note(key_note(board, results, scale));
    }
    for (board, Results { empty_squares, potential_moves, reached, .. }) in &boards {
        let share = 100.0 * *potential_moves as f64 / (*empty_squares).max(1) as f64;
        let [with, without] = [NO_TABLE, NO_TABLE + 2].map(|index| speed(&reached[index]));
        report.note(format!(
            "On {board} {share:.0}% of the empty squares are next to an opponent's disc. Adjacency tables do not change \
             the tree; they save tests of whether a move is legal. Such a test scanned squares in eight directions in the \
             original and takes a few bitboard operations here: without a transposition table the search visits {:.0}% as \
             many nodes per second with adjacency tables as without.",
            100.0 * with / without,
        ));
    }
    Ok(report)
}

/// Everything that is measured on one board.
fn results<B: DesdemonaBoard + PlayableBoard>(setup: &mut Setup<'_>, scale: Scale) -> Result<Results, ExperimentError> {
    let mut results = play::<B>(setup, scale)?;
    results.games = match_on::<B>(setup, MATCH, scale.pairs)?;
    Ok(results)
}

/// Games on one board, and the results of all variants in their positions.
fn play<B: DesdemonaBoard + PlayableBoard>(setup: &mut Setup<'_>, scale: Scale) -> Result<Results, ExperimentError> {
    let mut results = Results::of_plies(scale.plies);
    for number in 0..scale.games {
        let key = format!("depths on {}", B::GEOMETRY.name);
        results.add(setup.part(&key, |setup| play_one::<B>(setup, scale, number))?);
    }
    Ok(results)
}

/// The same for the game of this number.
fn play_one<B: DesdemonaBoard + PlayableBoard>(
    setup: &mut Setup<'_>,
    scale: Scale,
    number: u64,
) -> Result<Results, ExperimentError> {
    let mut players = VARIANTS.map(|variant| Desdemona::<B>::new(variant.settings()));
    let mut searchers = COUNTED.map(|index| Searcher::<B, _>::new(B::shipped(), &VARIANTS[index].settings()).audited());
    let mut results = Results::of_plies(scale.plies);
    let failed = |error: &dyn ToString| ExperimentError::Player {
        player: crate::player::NAME.to_owned(),
        reason: error.to_string(),
    };
    let mut game = opening::<B>(setup.seed, number);
    for move_number in 0.. {
        let board = game.position().board;
        let empties = board.empties().count();
        if game.is_over() || empties < FEWEST_EMPTIES {
            break;
        }
        let (name, of) = (B::GEOMETRY.name, scale.games);
        (setup.progress)(&format!("{name}, game {} of {of}: move {}", number + 1, move_number + 1));
        let look = |player: &mut Desdemona<B>, limits| -> Result<Choice, _> {
            let choice = player.choose(&game, &limits, &mut Silent, setup.stop);
            if setup.stop.is_set() {
                return Err(ExperimentError::Stopped);
            }
            choice.map_err(|error| failed(&error))
        };
        let mut chosen = None;
        // The order of the variants rotates, so that cache effects do not favor one of them.
        for index in (0..VARIANTS.len()).map(|index| (index + move_number) % VARIANTS.len()) {
            let reached = &mut results.reached[index];
            let choice = look(&mut players[index], Limits::of_time(scale.time))?;
            reached.in_time.push((empties, choice.depth));
            reached.nodes += choice.nodes;
            reached.time += choice.time;
            let choice = look(&mut players[index], Limits::of_nodes(scale.nodes))?;
            reached.in_nodes.push((empties, choice.depth));
            if index == ALL {
                chosen = Some(choice.square);
            }
        }
        if number < COUNTED_GAMES && move_number.is_multiple_of(COUNTED_EVERY) {
            for (index, searcher) in searchers.iter_mut().enumerate() {
                count(setup, &board, searcher, &mut results.counted, index)?;
            }
        }
        results.empty_squares += u64::from(empties);
        results.potential_moves += u64::from(B::shipped().adjacency().potential_moves(&board).count());
        let Some(square) = chosen else { break };
        game.play(square).map_err(|error| failed(&error))?;
    }
    Ok(results)
}

/// Adds the searches of a position to each depth by one of [`COUNTED`].
fn count<B: DesdemonaBoard>(
    setup: &Setup<'_>,
    board: &B,
    searcher: &mut Searcher<B, &'static crate::player::Evaluation<B>>,
    counted: &mut [[Counted; COUNTED.len()]],
    index: usize,
) -> Result<(), ExperimentError> {
    let mut interruption = Interruption::new(setup.stop, None, None);
    interruption.arm();
    let (mut nodes, mut before) = (0, searcher.lookups().unwrap_or_default());
    for (depth, counted) in (1..).zip(counted) {
        let found = B::search(searcher, board, depth, &mut interruption).ok_or(ExperimentError::Stopped)?;
        let now = searcher.lookups().unwrap_or_default();
        // A program deepens from one ply on, so that the iterations before count, too.
        nodes = interruption.nodes().max(nodes);
        let Found { value, line } = found;
        let counted = &mut counted[index];
        counted.nodes += nodes;
        counted.lookups.all += now.all - before.all;
        counted.lookups.hits += now.hits - before.hits;
        counted.lookups.false_hits += now.false_hits - before.false_hits;
        counted.found.push((value, line.first().map(|square| square.index())));
        before = now;
    }
    Ok(())
}

fn depth_table(board: &str, results: &Results, scale: Scale) -> Table {
    let title =
        format!("DESDEMONA's depth on {board}, {} ms or {} nodes per move", scale.time.as_millis(), scale.nodes);
    let columns = [
        "",
        "average depth: paper",
        "ours at equal time",
        "more than without a transposition table",
        "at equal nodes",
        "more than without a transposition table",
        "1000 nodes per second",
    ];
    let mut table = Table::new(title, &columns);
    for (variant, reached) in VARIANTS.iter().zip(&results.reached) {
        // With and without adjacency tables.
        let bare = &results.reached[if variant.adjacency { NO_TABLE } else { NO_TABLE + 2 }];
        let [in_time, in_nodes] = [&reached.in_time, &reached.in_nodes].map(|depths| mean(depths));
        table.row([
            variant.name.to_owned(),
            variant.paper.to_owned(),
            format!("{in_time:.2}"),
            signed(in_time - mean(&bare.in_time)),
            format!("{in_nodes:.2}"),
            signed(in_nodes - mean(&bare.in_nodes)),
            format!("{:.0}", speed(reached) / 1000.0),
        ]);
    }
    table
}

/// The nodes with both kinds of keys and without the transposition table, by depth.
fn nodes_table(board: &str, counted: &[[Counted; COUNTED.len()]]) -> Table {
    let title = format!("Nodes with and without the transposition table on {board}");
    let columns = [
        "plies",
        "without",
        "keys of all discs",
        "share",
        "plies gained",
        "keys of placed discs",
        "share",
        "plies gained",
    ];
    let mut table = Table::new(title, &columns);
    for depth in 3..=counted.len() {
        let mut cells = vec![depth.to_string(), counted[depth - 1][NO_TABLE].nodes.to_string()];
        for index in [ALL, PLACED] {
            let share = counted[depth - 1][index].nodes as f64 / counted[depth - 1][NO_TABLE].nodes as f64;
            cells.push(counted[depth - 1][index].nodes.to_string());
            cells.push(format!("{:.0}%", 100.0 * share));
            cells.push(format!("{:.2}", plies_gained(counted, depth, index)));
        }
        table.row(cells);
    }
    table
}

/// The nodes saved at this depth by one of [`COUNTED`], expressed as depth.
fn plies_gained(counted: &[[Counted; COUNTED.len()]], depth: usize, index: usize) -> f64 {
    let without = |depth: usize| counted[depth - 1][NO_TABLE].nodes as f64;
    let saved = without(depth) / counted[depth - 1][index].nodes as f64;
    saved.ln() / (without(depth) / without(depth - 1)).ln()
}

/// Results of the look-ups, and whether the searches were misled, by depth.
fn key_table(board: &str, counted: &[[Counted; COUNTED.len()]]) -> Table {
    let title = format!("Look-ups of the transposition table on {board}");
    let columns = [
        "plies",
        "hits: keys of all discs",
        "false hits",
        "hits: keys of placed discs",
        "false hits",
        "wrong values",
        "mean error in discs",
        "other moves",
    ];
    let mut table = Table::new(title, &columns);
    for depth in 3..=counted.len() {
        let mut cells = vec![depth.to_string()];
        for index in [ALL, PLACED] {
            let Lookups { all, hits, false_hits } = counted[depth - 1][index].lookups;
            cells.push(percent(hits, all));
            cells.push(format!("{} of hits", percent(false_hits, hits)));
        }
        let misled = Misled::of(&counted[depth - 1][PLACED].found, &counted[depth - 1][NO_TABLE].found);
        cells.push(format!("{} of {}", misled.values, misled.searches));
        cells.push(format!("{:.2}", misled.mean_error));
        cells.push(format!("{} of {}", misled.moves, misled.searches));
        table.row(cells);
    }
    table
}

/// Differences between searches with false hits and those without a table.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Misled {
    searches: usize,
    /// Searches with another value.
    values: usize,
    /// Searches with another move.
    moves: usize,
    /// The mean difference of the values, in discs.
    mean_error: f64,
}

impl Misled {
    fn of<S: PartialEq>(found: &[(i32, S)], right: &[(i32, S)]) -> Self {
        let pairs = || found.iter().zip(right);
        let error = pairs().map(|((value, _), (right, _))| f64::from((value - right).abs())).sum::<f64>();
        let per_disc = f64::from(crate::player::PER_DISC);
        Self {
            searches: found.len(),
            values: pairs().filter(|((value, _), (right, _))| value != right).count(),
            moves: pairs().filter(|((_, square), (_, right))| square != right).count(),
            mean_error: error / per_disc / found.len().max(1) as f64,
        }
    }
}

fn match_table(boards: &[(&str, Results)]) -> Table {
    let title = format!("{} against {}, both colors of random openings", MATCH[0], MATCH[1]);
    let mut table = Table::new(title, &["board", "won-drawn-lost", "Elo, 95% interval"]);
    for (board, results) in boards {
        table.row([(*board).to_owned(), result(&results.games), elo(&results.games)]);
    }
    table
}

/// Effect of the keys, in words that follow from the figures.
fn key_note(board: &str, results: &Results, scale: Scale) -> String {
    let depth = scale.plies as usize;
    let [all, placed] = [ALL, PLACED].map(|index| plies_gained(&results.counted, depth, index));
    let gain = |index: usize| mean(&results.reached[index].in_nodes) - mean(&results.reached[NO_TABLE].in_nodes);
    let Lookups { hits, false_hits, .. } = results.counted[depth - 1][PLACED].lookups;
    let verdict = match () {
        () if all >= PAPER_GAIN => "the true hits alone are enough for the paper's gain",
        () if placed >= PAPER_GAIN => {
            "only the false hits make the table worth as much as in the paper, at the price of wrong values"
        }
        () => "the false hits do not make the table worth as much as in the paper either",
    };
    format!(
        "On {board} the nodes saved at {depth} plies are worth {all:.2} plies with keys of all discs and {placed:.2} with \
         keys of placed discs, as section 1.3.1 describes them (the paper's gain: {PAPER_GAIN:.2} plies); at equal nodes the \
         average depth grows by {:.2} and {:.2} plies. {} of the hits with keys of placed discs are false: {verdict}.",
        gain(ALL),
        gain(PLACED),
        percent(false_hits, hits),
    )
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1}%", 100.0 * part as f64 / whole.max(1) as f64)
}

/// A difference of depths, without a negative zero.
fn signed(difference: f64) -> String {
    format!("{:+.2}", (100.0 * difference).round() / 100.0 + 0.0)
}

fn speed(reached: &Reached) -> f64 {
    reached.nodes as f64 / reached.time.as_secs_f64().max(1e-9)
}

/// The average depth.
fn mean(depths: &[(u32, u32)]) -> f64 {
    depths.iter().map(|&(_, depth)| f64::from(depth)).sum::<f64>() / depths.len() as f64
}

/// The average depth of every eight numbers of empty squares, at the middle of them.
fn by_phase(depths: &[(u32, u32)]) -> Vec<(f64, f64)> {
    const PHASE: u32 = 8;
    let mut phases: std::collections::BTreeMap<u32, Vec<(u32, u32)>> = std::collections::BTreeMap::new();
    for &(empties, depth) in depths {
        phases.entry(empties / PHASE).or_default().push((empties, depth));
    }
    let middle = |phase: u32| f64::from(phase * PHASE) + f64::from(PHASE - 1) / 2.0;
    phases.into_iter().map(|(phase, depths)| (middle(phase), mean(&depths))).collect()
}

#[cfg(test)]
mod tests {
    use engine::Stop;

    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn depths_are_averaged_by_hand() {
        assert_eq!(mean(&[(30, 4), (31, 7)]), 5.5);
        assert_eq!(by_phase(&[(39, 4), (32, 5), (31, 7)]), [(27.5, 7.0), (35.5, 4.5)]);
        assert_eq!([0.004, -0.004, -0.126, 1.0].map(signed), ["+0.00", "+0.00", "-0.13", "+1.00"]);
    }

    /// Node counts of the three variants by depth.
    fn made_up(nodes: &[[u64; 3]]) -> Vec<[Counted; 3]> {
        nodes.iter().map(|nodes| nodes.map(|nodes| Counted { nodes, ..Counted::default() })).collect()
    }

    #[test]
    fn nodes_saved_are_worth_the_logarithm_of_a_ply() {
        // Half the nodes where each ply costs four times as much: half a ply; a quarter of them: one ply.
        let counted = made_up(&[[10, 10, 10], [40, 40, 40], [100, 80, 160], [320, 160, 640]]);
        let table = nodes_table("8x8", &counted);
        assert_eq!(table.rows[0], ["3", "160", "100", "62%", "0.34", "80", "50%", "0.50"]);
        assert_eq!(table.rows[1], ["4", "640", "320", "50%", "0.50", "160", "25%", "1.00"]);
    }

    #[test]
    fn wrong_values_and_moves_are_counted_by_hand() {
        let misled = Misled::of(&[(1000, 'a'), (-500, 'b'), (3000, 'c')], &[(1000, 'a'), (0, 'b'), (2000, 'd')]);
        assert_eq!(misled, Misled { searches: 3, values: 2, moves: 1, mean_error: 0.5 });
    }

    #[test]
    fn the_note_on_the_keys_follows_from_the_figures() {
        let verdicts = [
            ([160, 80, 640], "the true hits alone are enough"),
            ([600, 160, 640], "only the false hits make"),
            ([600, 500, 640], "the false hits do not make"),
        ];
        for (last, verdict) in verdicts {
            let counted = made_up(&[[10, 10, 10], [40, 40, 40], [160, 160, 160], last]);
            let results = Results { counted, ..Results::default() };
            let note = key_note("8x8", &results, Scale { plies: 4, ..QUICK });
            assert!(note.contains(verdict), "{note}");
        }
    }

    #[test]
    fn the_transposition_table_saves_nodes_and_only_keys_of_placed_discs_have_false_hits() {
        let stop = Stop::new();
        let mut setup = rehearsal::setup(classics::registry(), &stop);
        let scale = Scale { games: 1, time: Duration::from_millis(1), nodes: 1000, plies: 5, pairs: 1 };
        let results = play::<Board>(&mut setup, scale).unwrap();
        let [all, placed, without] = &results.counted[4];
        assert!(placed.nodes < all.nodes && all.nodes < without.nodes, "{results:?}");
        assert_eq!((without.lookups, all.lookups.false_hits), (Lookups::default(), 0));
        assert!(placed.lookups.false_hits > 0 && placed.lookups.false_hits <= placed.lookups.hits);
        // A table with keys of all discs changes no value.
        assert!(all.found.iter().map(|one| one.0).eq(without.found.iter().map(|one| one.0)));
        // 60 - 8 empty squares after the random moves, down to 20.
        assert!(results.reached.iter().all(|reached| [reached.in_time.len(), reached.in_nodes.len()] == [33, 33]));
        assert_eq!(results.empty_squares, (20..=52).sum::<u64>());
        assert!(results.potential_moves < results.empty_squares);
        stop.set();
        assert!(matches!(at_scale(&mut setup, scale), Err(ExperimentError::Stopped)));
    }
}
