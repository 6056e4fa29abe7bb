//! The parity experiment (Brockington 1997, section 3.1): correlation with the score by penalty, results of matches, and cost.

use std::borrow::Cow;
use std::sync::Arc;

use crate::learning::COMPARED_MOVES;
use crate::learning::correlation::Correlation;
use crate::learning::weights_fit::{LAST_MOVES, WeightsFit};
use crate::player::evaluation::{Evaluation, IndexedBoard};
use crate::player::parity::{LOST_REGION_OF_THE_PAPER, Parity};
use crate::player::tables::Feature;
use crate::player::{Counting, Keyano, Regions, Settings, Tables};
use arena::{Contestant, Tally};
use engine::{Limits, Player, Silent};
use learning::played_game::{GamePosition, PlayedGame};
use othello::{Board, Color, Game};
use storage::checksum::crc32;

use super::{failed, score, worth_of_points};
use laboratory::duel::{elo, result, share};
use laboratory::games::{origin, sound_positions};
use laboratory::made_player::MadePlayer;
use laboratory::speed::Speed;
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "keyano-parity";

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    /// Games that correlations and weights are computed from.
    games: usize,
    /// Pairs of games of each match, and nodes per move: the paper has 35 and 512,000.
    pairs: u32,
    nodes: u64,
    /// Positions whose searches are timed, their nodes, and how often.
    positions: usize,
    timed_nodes: u64,
    rounds: usize,
}

const FULL: Scale = Scale { games: 8_000, pairs: 150, nodes: 10_000, positions: 20, timed_nodes: 200_000, rounds: 7 };
const QUICK: Scale = Scale { games: 800, pairs: 15, nodes: 10_000, positions: 6, timed_nodes: 50_000, rounds: 3 };

/// The result of the paper's match: points and games, and the nodes that the side without parity had more, in percent.
const PAPER: (f64, f64) = (40.5, 70.0);
const MORE_NODES: u64 = 15;

/// Differences of speed below this many percent are within the noise of the measurement.
const SAME_SPEED: f64 = 2.5;

/// The points of a penalty in the paper.
const POINTS_OF_THE_PAPER: i32 = LOST_REGION_OF_THE_PAPER / 100;

/// The penalties that are compared, in points of mobility.
const POINTS: [i32; 9] = [0, 8, 16, 24, 32, 48, 64, 96, 128];

/// Kinds of lost regions that are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    Odd,
    All,
    /// As the paper puts it: "when the player to move has lost access".
    AllOfMover,
}

impl Counted {
    const ALL: [Self; 3] = [Self::Odd, Self::All, Self::AllOfMover];

    fn name(self) -> &'static str {
        match self {
            Self::Odd => "odd regions",
            Self::All => "all regions",
            Self::AllOfMover => "all regions, the side to move's only",
        }
    }

    /// The regions that the opponent has lost minus those that the side to move has lost.
    fn difference(self, board: &Board) -> i32 {
        match self {
            Self::Odd => Parity::of(board).value(1),
            Self::All => Parity::counting(board, Regions::All).value(1),
            Self::AllOfMover => -i32::from(Parity::counting(board, Regions::All).own),
        }
    }
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report, ExperimentError> {
    let games = setup.games(scale.games)?;
    let mut report = Report::of(NAME);
    let Penalties { table: penalties, figure, best, of_paper, without } = penalties(&games);
    report.tables.push(penalties);
    report.figures.push(figure);
    // The matches use the best penalty for all regions, as in the paper.
    let (matches, strongest) = matches(setup, &games, best[1].1, scale)?;
    report.tables.push(matches);
    let (cost, slower) = cost(setup, scale)?;
    report.tables.push(cost);
    let (low, high) = interval(PAPER.0, PAPER.1);
    report.note(format!(
        "The paper's match of {} games has a 95% interval of {low:.0}% to {high:.0}% (as if no game were drawn), so that \
         parity may have been worth much less there than its {:.1}%. Our matches have {} games; the best version of \
         parity has {strongest:.1}%.",
        PAPER.1,
        100.0 * PAPER.0 / PAPER.1,
        2 * scale.pairs,
    ));
    report.note(format!(
        "The paper chose the penalty that correlates best with the final score. In our games this is {}, \
         and the penalty that is fitted together with all other features {:.0} points. At 40 discs, {POINTS_OF_THE_PAPER} points \
         are worth {:.1} discs here; with all regions the correlation is then {:.4}, and {:.4} without any penalty. {} The \
         correlation is the mean over positions after {} moves.",
        best.iter().map(|(name, points)| format!("{points} points with {name}")).collect::<Vec<_>>().join(", "),
        f64::from(Tables::shipped().lost_region) / 100.0,
        worth_of_points(POINTS_OF_THE_PAPER, 40),
        of_paper,
        without,
        origin(),
        COMPARED_MOVES.map(|moves| moves.to_string()).join(", "),
    ));
    report.note(format!(
        "Counting lost regions {} plies above the leaves makes our search {}, and {MORE_NODES}% slower in the paper, where the \
         side without parity got {MORE_NODES}% more nodes in return.",
        Settings::default().parity_plies,
        change_of_speed(slower),
    ));
    Ok(report)
}

/// Describes a slowdown in percent; a negative one is faster.
fn change_of_speed(slower: f64) -> String {
    match slower.abs() {
        difference if difference < SAME_SPEED => {
            format!("neither slower nor faster than the measurement can tell ({slower:.1}%)")
        }
        difference if slower > 0.0 => format!("{difference:.1}% slower in nodes per second"),
        difference => format!("{difference:.1}% faster in nodes per second (we suppose by chance)"),
    }
}

/// The interval of 95% of a share of points, in percent, if all games were won or lost.
fn interval(points: f64, games: f64) -> (f64, f64) {
    let share = points / games;
    let deviation = 1.96 * (share * (1.0 - share) / games).sqrt();
    (100.0 * (share - deviation), 100.0 * (share + deviation))
}

/// The correlation of mobility with the score by penalty.
struct Penalties {
    table: Table,
    figure: Figure,
    /// The best penalty of each way to count.
    best: Vec<(&'static str, i32)>,
    /// The correlation if all regions count with the paper's penalty, and with none.
    of_paper: f64,
    without: f64,
}

fn penalties(games: &[PlayedGame]) -> Penalties {
    let evaluation = Evaluation::new(Tables::shipped(), Counting::Approximate);
    let mut sums = [[[Correlation::default(); COMPARED_MOVES.len()]; POINTS.len()]; Counted::ALL.len()];
    for found in sound_positions(games) {
        let Some(stage) = COMPARED_MOVES.iter().position(|&moves| moves == found.ply) else { continue };
        let mobility =
            evaluation.features(&IndexedBoard::of(found.board), Parity::default())[Feature::Mobility as usize];
        for (counted, sums) in Counted::ALL.into_iter().zip(&mut sums) {
            let regions = counted.difference(&found.board);
            for (points, sums) in POINTS.into_iter().zip(sums) {
                sums[stage].add(f64::from(mobility + 100 * points * regions), found.score.discs().into());
            }
        }
    }
    let mean = |stages: &[Correlation]| stages.iter().map(Correlation::coefficient).sum::<f64>() / stages.len() as f64;
    let title =
        format!("Correlation of mobility and parity with the final score, positions from {} games", games.len());
    let columns: Vec<&str> = ["penalty, points"].into_iter().chain(Counted::ALL.map(Counted::name)).collect();
    let mut table = Table::new(title, &columns);
    for (number, points) in POINTS.into_iter().enumerate() {
        let cells = sums.iter().map(|of_counted| format!("{:.4}", mean(&of_counted[number])));
        table.row(std::iter::once(points.to_string()).chain(cells));
    }
    let title = "Correlation of mobility and parity with the final score";
    let mut figure = Figure::new(NAME, title, "penalty for a lost region, points", "correlation");
    let mut best = Vec::new();
    for (counted, of_counted) in Counted::ALL.into_iter().zip(&sums) {
        let curve: Vec<(f64, f64)> =
            POINTS.iter().zip(of_counted).map(|(&points, stages)| (f64::from(points), mean(stages))).collect();
        let highest = curve.iter().copied().fold((0.0, f64::MIN), |best, one| if one.1 > best.1 { one } else { best });
        best.push((counted.name(), highest.0 as i32));
        figure.line(counted.name(), curve);
    }
    let of_all = |points: i32| {
        let number = POINTS.iter().position(|&other| other == points);
        number.map_or(f64::NAN, |number| mean(&sums[1][number]))
    };
    let (of_paper, without) = (of_all(POINTS_OF_THE_PAPER), of_all(0));
    Penalties { table, figure, best, of_paper, without }
}

/// The weights fitted to these games with this way to count parity; everything else is as shipped.
fn fitted(games: &[PlayedGame], settings: &Settings) -> Tables {
    let mut tables = Tables::shipped().clone();
    let points = settings.lost_region.map_or(tables.lost_region, |points| 100 * points);
    let evaluation = Evaluation::new(Tables::shipped(), settings.mobility).with_lost_region(points);
    let mut fit = WeightsFit::new();
    let is_learned_from = |found: &GamePosition| found.ply as usize <= LAST_MOVES + 2;
    for found in sound_positions(games).filter(is_learned_from) {
        let parity = if settings.parity { Parity::counting(&found.board, settings.regions) } else { Parity::default() };
        let features = evaluation.features(&IndexedBoard::of(found.board), parity);
        fit.add(found.ply as usize, &features, found.score.discs().into());
    }
    tables.weights = fit.fit().by_discs;
    tables
}

/// A side of a match: KEYANO with these settings, with the weights that ship or those fitted for it.
fn contestant(
    setup: &Setup<'_>,
    name: &str,
    settings: Settings,
    tables: Option<Tables>,
    nodes: u64,
) -> Contestant<MadePlayer> {
    let checksum = crc32(format!("{name} {settings:?}").as_bytes());
    let tables = tables.map(Arc::new);
    let make = move |_| {
        let tables =
            tables.as_ref().map_or(Cow::Borrowed(Tables::shipped()), |tables| Cow::Owned(Tables::clone(tables)));
        Ok(Box::new(Keyano::with_tables(settings, tables)) as Box<dyn Player>)
    };
    let limits = setup.rehearsal.unwrap_or_else(|| Limits::of_nodes(nodes));
    Contestant { name: name.to_owned(), player: MadePlayer::new(checksum, make), limits }
}

/// Plays the matches against KEYANO without parity. Returns the table, and the highest share of the points at equal nodes.
fn matches(
    setup: &mut Setup<'_>,
    games: &[PlayedGame],
    best: i32,
    scale: Scale,
) -> Result<(Table, f64), ExperimentError> {
    let Scale { pairs, nodes, .. } = scale;
    let ours = Settings::default();
    let papers = Settings { regions: Regions::All, lost_region: Some(POINTS_OF_THE_PAPER), ..ours };
    let title = format!("Parity against no parity, {} games with {nodes} nodes per move", 2 * pairs);
    let columns = ["parity", "weights", "paper, 70 games", "ours", "won-drawn-lost", "Elo, 95% interval"];
    let mut table = Table::new(title, &columns);
    let of_paper = format!("{:.1}%", 100.0 * PAPER.0 / PAPER.1);
    let more = format!("all regions, {POINTS_OF_THE_PAPER} points; the opponent has {MORE_NODES}% more nodes");
    let mut strongest = 0.0_f64;
    for (name, settings, is_fitted, percent) in [
        ("odd regions, fitted penalty (default)".to_owned(), ours, false, 100),
        (format!("all regions, {POINTS_OF_THE_PAPER} points"), papers, false, 100),
        (format!("all regions, {POINTS_OF_THE_PAPER} points"), papers, true, 100),
        (
            format!("all regions, {best} points, which correlate best"),
            Settings { lost_region: Some(best), ..papers },
            true,
            100,
        ),
        (
            format!("all regions, {POINTS_OF_THE_PAPER} points, counted at the leaves"),
            Settings { parity_plies: 0, ..papers },
            true,
            100,
        ),
        (
            format!("all regions, {best} points, counted at the leaves"),
            Settings { lost_region: Some(best), parity_plies: 0, ..papers },
            true,
            100,
        ),
        (more, papers, true, 100 + MORE_NODES),
    ] {
        let without = Settings { parity: false, ..ours };
        let tables = |settings: &Settings| is_fitted.then(|| fitted(games, settings));
        let contestants = vec![
            contestant(setup, "parity", settings, tables(&settings), nodes),
            contestant(setup, "no parity", without, tables(&without), nodes * percent / 100),
        ];
        let tally: Tally = setup.tournament_of(contestants, pairs)?.tally(0, 1);
        if percent == 100 {
            strongest = strongest.max(share(&tally));
        }
        let weights = if is_fitted { "fitted for each side" } else { "shipped, for both" };
        let paper = if percent > 100 { of_paper.clone() } else { String::new() };
        table.row([name, weights.to_owned(), paper, score(&tally), result(&tally), elo(&tally)]);
    }
    Ok((table, strongest))
}

/// Slowdown of a search that counts lost regions, in percent.
fn cost(setup: &mut Setup<'_>, scale: Scale) -> Result<(Table, f64), ExperimentError> {
    let boards = setup.midgames(scale.positions)?;
    let [with, without] = setup.part("time of parity", |setup| speeds(setup, &boards, scale))?;
    let slower = 100.0 * (1.0 - with / without);
    let title = format!("Speed of searches of {} nodes, {} positions", scale.timed_nodes, boards.len());
    let mut table = Table::new(title, &["", "paper", "ours"]);
    table.row(["nodes per second with parity".to_owned(), String::new(), format!("{:.2} million", with / 1e6)]);
    table.row(["nodes per second without".to_owned(), String::new(), format!("{:.2} million", without / 1e6)]);
    table.row(["change with parity".to_owned(), format!("-{MORE_NODES}%"), format!("{:+.1}%", 0.0 - slower)]);
    Ok((table, slower))
}

/// The nodes per second with parity and without.
fn speeds(setup: &mut Setup<'_>, boards: &[Board], scale: Scale) -> Result<[f64; 2], ExperimentError> {
    let settings = [true, false].map(|parity| Settings { parity, ..Settings::default() });
    let mut players = settings.map(Keyano::new);
    let mut speeds = [vec![Speed::default(); boards.len()], vec![Speed::default(); boards.len()]];
    for round in 1..=scale.rounds {
        (setup.progress)(&format!("time of parity, round {round} of {}", scale.rounds));
        for (number, &board) in boards.iter().enumerate() {
            let game = Game::from_position(othello::Position { board, turn: Color::Black });
            for (player, speeds) in players.iter_mut().zip(&mut speeds) {
                player.new_game().map_err(|error| failed(&error))?;
                let mut nodes = Ok(0);
                speeds[number].measure(|| {
                    let choice = player.choose(&game, &Limits::of_nodes(scale.timed_nodes), &mut Silent, setup.stop);
                    nodes = choice.map(|choice| choice.nodes).map_err(|error| failed(&error));
                    *nodes.as_ref().unwrap_or(&0)
                });
                nodes?;
            }
            if setup.stop.is_set() {
                return Err(ExperimentError::Stopped);
            }
        }
    }
    Ok(speeds.map(|speeds| Speed::per_second(&speeds)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal::rehearse;

    const SMALL: Scale = Scale { games: 60, pairs: 1, nodes: 500, positions: 2, timed_nodes: 2000, rounds: 1 };

    #[test]
    fn the_papers_interval_is_the_one_worked_out_by_hand() {
        // 1.96 times the root of 0.5 times 0.5 divided by 100 is 9.8%.
        let (low, high) = interval(50.0, 100.0);
        assert!((low - 40.2).abs() < 1e-9 && (high - 59.8).abs() < 1e-9);
    }

    #[test]
    fn a_negative_slowdown_is_described_as_faster() {
        assert_eq!(change_of_speed(14.6), "14.6% slower in nodes per second");
        assert!(change_of_speed(-4.0).starts_with("4.0% faster"));
        assert!(change_of_speed(-1.9).starts_with("neither slower nor faster"));
    }

    #[test]
    fn a_small_run_has_all_tables_and_no_penalty_is_the_correlation_of_mobility_alone() {
        let report = rehearse(classics::registry(), |setup| at_scale(setup, SMALL)).unwrap();
        let [penalties, matches, cost] = &report.tables[..] else { panic!("{:?}", report.tables) };
        assert_eq!((penalties.rows.len(), matches.rows.len(), cost.rows.len()), (POINTS.len(), 7, 3));
        let first = &penalties.rows[0];
        assert!(first[1] == first[2] && first[2] == first[3], "{first:?}");
        // The experiment keyano-mobility computes the same from the same games.
        let same = rehearse(classics::registry(), |setup| {
            let games = setup.games(SMALL.games).unwrap();
            let mut comparison = crate::learning::correlation::Comparison::new(Tables::shipped());
            sound_positions(&games).for_each(|found| comparison.add(&found));
            comparison.coefficients()[1].iter().sum::<f64>() / 4.0
        });
        assert_eq!(first[1], format!("{same:.4}"));
    }

    #[test]
    fn weights_are_fitted_with_the_parity_settings_of_the_player() {
        let games = rehearse(classics::registry(), |setup| setup.games(600)).unwrap();
        let with = fitted(&games, &Settings { regions: Regions::All, lost_region: Some(64), ..Settings::default() });
        let without = fitted(&games, &Settings { parity: false, ..Settings::default() });
        assert_ne!(with.weights, without.weights);
        assert_eq!(with.values, Tables::shipped().values);
    }
}
