//! DESDEMONA's search depth with and without its transposition table and its adjacency tables (CS 221 2002, sections
//! 1.3.3 and 1.4), on its own board and on 8x8.

use std::time::Duration;

use engine::{Choice, Limits, Observer, Player, Progress, Silent};
use heritage::desdemona::{Desdemona, DesdemonaBoard, DesdemonaSettings};
use othello::{Board, CutBoard, Game, SquareSet, squares};

use super::{ExperimentError, Figure, Report, Setup, Table};
use othello::random::Random;

pub(crate) const NAME: &str = "desdemona-depth";

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    /// Games on each board.
    games: u64,
    /// The time per move.
    time: Duration,
    /// The depth of the searches whose nodes are counted.
    plies: u32,
}

const FULL: Scale = Scale { games: 10, time: Duration::from_millis(40), plies: 8 };
const QUICK: Scale = Scale { games: 3, time: Duration::from_millis(10), plies: 6 };

/// Nodes are counted in every n-th position of this many games.
const COUNTED_EVERY: usize = 16;
const COUNTED_GAMES: u64 = 3;

/// The number of random moves at the start of a game, so that games differ.
const RANDOM_MOVES: usize = 8;
/// With fewer empty squares the search reaches the end of the game, and its depth is meaningless.
const FEWEST_EMPTIES: u32 = 20;

/// A variant of the search, and the paper's depth for it.
struct Variant {
    name: &'static str,
    transposition: bool,
    adjacency: bool,
    paper: &'static str,
}

const VARIANTS: [Variant; 4] = [
    Variant { name: "both tables", transposition: true, adjacency: true, paper: "8.25" },
    Variant { name: "no transposition table", transposition: false, adjacency: true, paper: "7.5" },
    Variant { name: "no adjacency tables", transposition: true, adjacency: false, paper: "over one ply less" },
    Variant { name: "neither", transposition: false, adjacency: false, paper: "-" },
];

impl Variant {
    fn settings(&self) -> DesdemonaSettings {
        let Variant { transposition, adjacency, .. } = *self;
        DesdemonaSettings { transposition, adjacency, ..DesdemonaSettings::default() }
    }
}

/// The results of one variant, over the positions of all games.
#[derive(Clone, Debug, Default)]
struct Reached {
    /// The empty squares of a position and the depth that was reached within the time.
    depths: Vec<(u32, u32)>,
    /// The nodes visited within the time, and the time.
    nodes: u64,
    time: Duration,
    /// The nodes of searches up to each depth, that of one ply first. The adjacency tables do not change them, so they
    /// are counted only with these tables.
    nodes_to_depth: Vec<u64>,
}

/// The results on one board.
#[derive(Clone, Debug, Default)]
struct Found {
    reached: [Reached; VARIANTS.len()],
    /// The squares on which a move is looked for in the positions of the games: empty ones, and those next to an opponent's
    /// disc.
    empty_squares: u64,
    potential_moves: u64,
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report, ExperimentError> {
    let cut = play::<CutBoard>(setup, scale, "cut board")?;
    let usual = play::<Board>(setup, scale, "8x8")?;
    let boards = [("the CS 221 board", &cut), ("8x8", &usual)];
    let mut report = Report::of(NAME);
    for (board, found) in boards {
        report.tables.push(table(board, found, scale));
    }
    for (board, found) in boards {
        let [with, without] = [0, 1].map(|index: usize| &found.reached[index].nodes_to_depth[..]);
        report.tables.push(nodes_table(board, with, without));
    }
    let mut figure = Figure::new(
        "desdemona-depth",
        "DESDEMONA's depth through the game, on the CS 221 board",
        "empty squares",
        "plies",
    );
    for (variant, reached) in VARIANTS.iter().zip(&cut.reached) {
        figure.line(variant.name, by_phase(&reached.depths));
    }
    report.figures.push(figure);
    report.note(format!(
        "{} games on each board, DESDEMONA against itself at {} ms per move; in every position down to \
         {FEWEST_EMPTIES} empty squares all four variants search for the same time, one after the other.",
        scale.games,
        scale.time.as_millis(),
    ));
    report.note(
        "The deeper the search, the more the transposition table saves: at low depths positions seldom repeat. Plies \
         gained are the saved nodes expressed as depth, given the growth of the last ply; the paper's 0.75 is for 8 \
         plies. At equal time nothing of this gain remains here: the original evaluated positions so slowly that a \
         look-up cost almost nothing in comparison, while ours searches a fifth to a third more positions per second \
         without the table.",
    );
    for (board, Found { empty_squares, potential_moves, .. }) in boards {
        let share = 100.0 * *potential_moves as f64 / (*empty_squares).max(1) as f64;
        report.note(format!("On {board} {share:.0}% of the empty squares are next to an opponent's disc."));
    }
    report.note(
        "The adjacency tables do not change the tree: they save tests of whether a move is legal. In the original \
         such a test scanned an array of squares in eight directions, and avoiding it gained over a ply. Ours takes \
         a few bitboard operations, which cost little compared with the evaluation, so little is gained.",
    );
    Ok(report)
}

/// Games on one board, and the results of all variants in their positions.
fn play<B: DesdemonaBoard>(setup: &mut Setup<'_>, scale: Scale, board: &str) -> Result<Found, ExperimentError> {
    let mut players = VARIANTS.map(|variant| Desdemona::<B>::new(variant.settings()));
    let mut found = Found::default();
    let failed = |error: &dyn ToString| ExperimentError::Player {
        player: heritage::desdemona::NAME.to_owned(),
        reason: error.to_string(),
    };
    for number in 0..scale.games {
        let mut random = Random::of_item(setup.seed, number);
        let mut game = Game::<B>::default();
        for move_number in 0.. {
            let moves = game.position().board.moves();
            let empties = game.position().board.empties().count();
            if game.is_over() || empties < FEWEST_EMPTIES {
                break;
            }
            (setup.progress)(&format!("{board}, game {} of {}: move {}", number + 1, scale.games, move_number + 1));
            let square = if move_number < RANDOM_MOVES {
                squares(moves).nth(random.below_u32(moves.count()) as usize)
            } else {
                let counts_nodes = number < COUNTED_GAMES && move_number.is_multiple_of(COUNTED_EVERY);
                let look = |player: &mut Desdemona<B>, limits, observer: &mut dyn Observer| -> Result<Choice, _> {
                    let choice = player.choose(&game, &limits, observer, setup.stop);
                    if setup.stop.is_set() {
                        return Err(ExperimentError::Stopped);
                    }
                    choice.map_err(|error| failed(&error))
                };
                let mut chosen = None;
                // The order of the variants rotates, so that cache effects do not favor one of them.
                for index in (0..VARIANTS.len()).map(|index| (index + move_number) % VARIANTS.len()) {
                    let choice = look(&mut players[index], Limits::of_time(scale.time), &mut Silent)?;
                    let reached = &mut found.reached[index];
                    reached.depths.push((empties, choice.depth));
                    reached.nodes += choice.nodes;
                    reached.time += choice.time;
                    if index == 0 {
                        chosen = Some(choice.square);
                    }
                    if counts_nodes && VARIANTS[index].adjacency {
                        reached.nodes_to_depth.resize(scale.plies as usize, 0);
                        let mut observer = |progress: &Progress| {
                            reached.nodes_to_depth[progress.depth as usize - 1] += progress.nodes;
                        };
                        look(&mut players[index], Limits::of_depth(scale.plies), &mut observer)?;
                    }
                }
                found.empty_squares += u64::from(empties);
                let adjacency = B::shipped().adjacency();
                found.potential_moves += u64::from(adjacency.potential_moves(&game.position().board).count());
                chosen
            };
            let Some(square) = square else { break };
            game.play(square).map_err(|error| failed(&error))?;
        }
    }
    Ok(found)
}

fn table(board: &str, found: &Found, scale: Scale) -> Table {
    let title = format!("DESDEMONA's depth on {board}, {} ms per move", scale.time.as_millis());
    let columns = ["", "average depth: paper", "ours", "loss against both", "1000 nodes per second"];
    let mut table = Table::new(title, &columns);
    let best = mean(&found.reached[0].depths);
    for (variant, reached) in VARIANTS.iter().zip(&found.reached) {
        let depth = mean(&reached.depths);
        let speed = reached.nodes as f64 / reached.time.as_secs_f64().max(1e-9) / 1000.0;
        table.row([
            variant.name.to_owned(),
            variant.paper.to_owned(),
            format!("{depth:.2}"),
            format!("{:.2}", best - depth),
            format!("{speed:.0}"),
        ]);
    }
    table
}

/// The nodes with and without the transposition table, by depth.
fn nodes_table(board: &str, with: &[u64], without: &[u64]) -> Table {
    let title = format!("Nodes with and without the transposition table on {board}");
    let mut table = Table::new(title, &["plies", "with", "without", "share", "plies gained"]);
    for (index, (&ours, &theirs)) in with.iter().zip(without).enumerate().skip(2) {
        let saved = theirs as f64 / ours as f64;
        let growth = theirs as f64 / without[index - 1] as f64;
        table.row([
            (index + 1).to_string(),
            ours.to_string(),
            theirs.to_string(),
            format!("{:.0}%", 100.0 / saved),
            format!("{:.2}", saved.ln() / growth.ln()),
        ]);
    }
    table
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
    use crate::experiments::rehearsal;

    #[test]
    fn depths_are_averaged_by_hand() {
        assert_eq!(mean(&[(30, 4), (31, 7)]), 5.5);
        assert_eq!(by_phase(&[(39, 4), (32, 5), (31, 7)]), [(27.5, 7.0), (35.5, 4.5)]);
    }

    #[test]
    fn nodes_saved_are_worth_the_logarithm_of_a_ply() {
        // Half the nodes where each ply costs four times as much: half a ply.
        let table = nodes_table("8x8", &[10, 40, 100, 320], &[10, 40, 160, 640]);
        assert_eq!(table.rows[0], ["3", "100", "160", "62%", "0.34"]);
        assert_eq!(table.rows[1], ["4", "320", "640", "50%", "0.50"]);
    }

    #[test]
    fn the_transposition_table_saves_nodes() {
        let stop = Stop::new();
        let mut setup = rehearsal::setup(&stop);
        let scale = Scale { games: 1, time: Duration::from_millis(1), plies: 4 };
        let found = play::<Board>(&mut setup, scale, "").unwrap();
        let nodes = |index: usize| &found.reached[index].nodes_to_depth;
        assert!(nodes(0).len() == 4 && nodes(0)[3] < nodes(1)[3], "{found:?}");
        assert!(nodes(2).is_empty() && nodes(3).is_empty(), "counted with adjacency tables only");
        // 60 - 8 empty squares after the random moves, down to 20.
        assert!(found.reached.iter().all(|reached| reached.depths.len() == 33));
        assert_eq!(found.empty_squares, (20..=52).sum::<u64>());
        assert!(found.potential_moves < found.empty_squares);
        stop.set();
        assert_eq!(at_scale(&mut setup, scale), Err(ExperimentError::Stopped));
    }
}
