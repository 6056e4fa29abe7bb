//! Move orderings and saved plies: IAGO's two-factor experiment (Rosenbloom 1982, Table 4.1).

use crate::player::deepening::Thought;
use crate::player::ordering::Heuristic;
use crate::player::search::SearchOptions;
use crate::player::{Iago, IagoSettings};
use engine::{Limits, Silent};
use othello::{Game, Rules};

use super::branching::{branching_factor, legal_moves, min_leaves};
use super::records;
use laboratory::{ExperimentError, Figure, Report, Setup, Table};
use othello::random::Random;

pub(crate) const NAME: &str = "iago-ordering";

/// The parts of the game that positions are taken from, first and last move.
const PARTS: [(usize, usize); 3] = [(1, 15), (16, 30), (31, 45)];

/// Positions of each part; the paper has two.
const POSITIONS: usize = 30;
const QUICK_POSITIONS: usize = 8;

/// Leaves in a minute of the original, which determines the depth for each position.
pub(super) const MINUTE: f64 = 10_000.0;

/// Numbers of plies that are saved: the rows of the table.
const SAVED: [u32; 3] = [0, 1, 3];

/// Ways to order the moves below: the columns of the table.
const HEURISTICS: [(Heuristic, &str); 4] = [
    (Heuristic::MoveGeneration, "move generation"),
    (Heuristic::SquareValue, "square value"),
    (Heuristic::MoveNumber, "move-number killers"),
    (Heuristic::Response, "response killers"),
];

/// Mean and deviation.
type Spread = (f64, f64);

/// Table 4.1: a row for each number of saved plies and one for all, a column for each order and one for all.
const PAPER: [[Spread; 5]; 4] = [
    [(5.6, 1.3), (5.4, 1.8), (4.4, 0.8), (4.2, 0.8), (4.9, 1.3)],
    [(5.5, 1.2), (5.1, 1.6), (4.5, 0.8), (4.3, 0.9), (4.8, 1.2)],
    [(4.7, 0.9), (4.4, 1.0), (4.2, 0.7), (4.1, 0.8), (4.3, 0.8)],
    [(5.2, 1.1), (4.9, 1.5), (4.4, 0.7), (4.2, 0.8), (4.7, 1.1)],
];

/// The branching factors of a position: of the twelve searches, and the least possible.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    factors: [[f64; 4]; 3],
    least: f64,
}

/// Row and column of IAGO's own settings in the table: three saved plies, response killers.
const IAGO: (usize, usize) = (2, 3);

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    let positions = if setup.is_quick { QUICK_POSITIONS } else { POSITIONS };
    at_scale(setup, positions, MINUTE)
}

fn at_scale(setup: &mut Setup<'_>, positions: usize, minute: f64) -> Result<Report, ExperimentError> {
    let games = positions_of(setup.seed, positions)?;
    let mut points = Vec::new();
    for (index, game) in games.iter().enumerate() {
        (setup.progress)(&format!("position {} of {}", index + 1, games.len()));
        points.push(point(game, minute, setup)?);
    }
    let tables = vec![factors_table(&points), significance_table(&points, setup.seed)];
    let mut report = Report { tables, figures: vec![figure(&points)], ..Report::of(NAME) };
    let least = spread(points.iter().map(|point| point.least));
    report.note(format!(
        "The minimum branching factor of alpha-beta in these positions is {} (paper: 3.9 (0.8)).",
        written(least)
    ));
    report.note(format!(
        "The paper uses six positions from five games of the World Championship of 1980; we use {} from {} games. Each is \
         searched to the depth at which IAGO's own search comes closest to {minute:.0} leaves, a minute's work for the \
         original.",
        points.len(),
        records::world_championship()?.len()
    ));
    Ok(report)
}

/// Positions of the games of the World Championship, this many of each part, all distinct.
pub(super) fn positions_of(seed: u64, count: usize) -> Result<Vec<Game>, ExperimentError> {
    let games = records::world_championship()?;
    let mut chosen: Vec<Game> = Vec::new();
    let mut boards = std::collections::HashSet::new();
    for (part, (first, last)) in PARTS.into_iter().enumerate() {
        let mut cases: Vec<(usize, usize)> =
            (0..games.len()).flat_map(|game| (first..=last).map(move |number| (game, number))).collect();
        let mut random = Random::of_item(seed, part as u64);
        let wanted = chosen.len() + count;
        while chosen.len() < wanted && !cases.is_empty() {
            let (game, number) = cases.swap_remove(random.below_u32(cases.len() as u32) as usize);
            let game = records::before_move(&games[game], number)?;
            let board = game.position().board;
            // With a single legal move there is nothing to order.
            if board.moves().count_ones() > 1 && boards.insert(board.canonical()) {
                chosen.push(game);
            }
        }
    }
    Ok(chosen)
}

/// A search to a depth, with empty tables.
fn searched(
    game: &Game,
    (saved_plies, heuristic): (u32, Heuristic),
    depth: u32,
    setup: &Setup<'_>,
) -> Result<Thought, ExperimentError> {
    let search = SearchOptions { saved_plies, ..SearchOptions::default() };
    let mut iago = Iago::new(IagoSettings { heuristic, search, ..IagoSettings::default() });
    let thought = iago.think(game, &Limits::of_depth(depth), &mut Silent, setup.stop);
    thought.filter(|_| !setup.stop.is_set()).ok_or(ExperimentError::Stopped)
}

pub(super) fn leaves(thought: &Thought) -> f64 {
    thought.iterations.iter().map(|iteration| iteration.leaves as f64).sum()
}

/// The depth at which IAGO's search comes closest to a minute, and that search.
pub(super) fn iago_search(game: &Game, minute: f64, setup: &Setup<'_>) -> Result<(u32, Thought), ExperimentError> {
    let iago = (SAVED[IAGO.0], HEURISTICS[IAGO.1].0);
    let off = |thought: &Thought| (leaves(thought) / minute).ln().abs();
    let mut best = (1, searched(game, iago, 1, setup)?);
    // Before the last moves no search of this length comes to the end of the game.
    while best.0 < game.position().board.empty_count() {
        let deeper = searched(game, iago, best.0 + 1, setup)?;
        if off(&deeper) >= off(&best.1) {
            break;
        }
        best = (best.0 + 1, deeper);
    }
    Ok(best)
}

fn point(game: &Game, minute: f64, setup: &Setup<'_>) -> Result<Point, ExperimentError> {
    let (depth, iago) = iago_search(game, minute, setup)?;
    let plies = f64::from(depth);
    let (raw, _) = legal_moves(&[&iago]);
    let mut factors = [[0.0; 4]; 3];
    for (row, saved) in factors.iter_mut().zip(SAVED) {
        for (factor, (heuristic, _)) in row.iter_mut().zip(HEURISTICS) {
            *factor = branching_factor(leaves(&searched(game, (saved, heuristic), depth, setup)?), plies);
        }
    }
    Ok(Point { factors, least: branching_factor(min_leaves(raw, plies), plies) })
}

fn spread(values: impl Iterator<Item = f64>) -> Spread {
    let values: Vec<f64> = values.collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0)).sqrt())
}

fn written((mean, deviation): Spread) -> String {
    format!("{mean:.1} ({deviation:.1})")
}

/// The factors of some rows and columns, all points together.
fn of(points: &[Point], rows: &[usize], columns: &[usize]) -> Spread {
    let factors = |point: &Point| {
        let point = *point;
        rows.iter()
            .flat_map(move |&row| columns.iter().map(move |&column| point.factors[row][column]))
            .collect::<Vec<_>>()
    };
    spread(points.iter().flat_map(factors))
}

/// Rows or columns of the table by number, the last of which stands for all.
fn members(number: usize, count: usize) -> Vec<usize> {
    if number == count { (0..count).collect() } else { vec![number] }
}

fn factors_table(points: &[Point]) -> Table {
    let mut columns = vec!["saved plies".to_owned()];
    for name in HEURISTICS.iter().map(|(_, name)| *name).chain(["all"]) {
        columns.extend([name.to_owned(), "paper".to_owned()]);
    }
    let title =
        "Branching factor, mean (standard deviation) over positions, by saved plies and by move ordering below them \
         (Table 4.1)"
            .to_owned();
    let mut table = Table { title, columns, ..Table::default() };
    for (row, paper) in PAPER.iter().enumerate() {
        let name = SAVED.get(row).map_or("all".to_owned(), u32::to_string);
        let mut cells = vec![name];
        for (column, &paper) in paper.iter().enumerate() {
            let ours = of(points, &members(row, SAVED.len()), &members(column, HEURISTICS.len()));
            cells.extend([written(ours), written(paper)]);
        }
        table.rows.push(cells);
    }
    table
}

/// A comparison of the paper, with its significance.
struct Comparison {
    name: &'static str,
    /// Rows and columns whose mean is compared.
    first: (&'static [usize], &'static [usize]),
    second: (&'static [usize], &'static [usize]),
    paper: &'static str,
}

const ROWS: &[usize] = &[0, 1, 2];
const COLUMNS: &[usize] = &[0, 1, 2, 3];

const COMPARISONS: [Comparison; 5] = [
    Comparison { name: "no saved ply - one", first: (&[0], COLUMNS), second: (&[1], COLUMNS), paper: "0.1, p < 0.1" },
    Comparison {
        name: "one saved ply - three",
        first: (&[1], COLUMNS),
        second: (&[2], COLUMNS),
        paper: "0.5, p < 0.001",
    },
    Comparison {
        name: "move generation - square value",
        first: (ROWS, &[0]),
        second: (ROWS, &[1]),
        paper: "0.3, p < 0.15",
    },
    Comparison { name: "move-number - response", first: (ROWS, &[2]), second: (ROWS, &[3]), paper: "0.2, p < 0.1" },
    Comparison {
        name: "fixed orderings - killers",
        first: (ROWS, &[0, 1]),
        second: (ROWS, &[2, 3]),
        paper: "0.75, p < 0.005",
    },
];

fn significance_table(points: &[Point], seed: u64) -> Table {
    let title = "Differences between the means, and their p-values";
    let mut table = Table::new(title, &["", "ours", "paper"]);
    let mut row = |name: &str, difference: f64, normalised: &[f64], paper: &str| {
        let p = chance(normalised, seed);
        let p = if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") };
        table.row([name.to_owned(), format!("{difference:.2}, {p}"), paper.to_owned()]);
    };
    for Comparison { name, first, second, paper } in COMPARISONS {
        let mean = |point: &Point, (rows, columns): (&[usize], &[usize])| of(&[*point], rows, columns).0;
        let difference = |point: &Point| mean(point, first) - mean(point, second);
        // Footnote 11: by the factor of the search without saved plies and with the order of move generation.
        let normalised: Vec<f64> = points.iter().map(|point| difference(point) / point.factors[0][0]).collect();
        row(name, spread(points.iter().map(difference)).0, &normalised, paper);
    }
    let above = |point: &Point| point.factors[IAGO.0][IAGO.1] - point.least;
    let normalised: Vec<f64> = points.iter().map(|point| above(point) / point.factors[0][0]).collect();
    row("IAGO's ordering - perfect ordering", spread(points.iter().map(above)).0, &normalised, "0.2, p < 0.05");
    table
}

/// A permutation test: how often random signs give a sum as far from zero. No distribution is assumed.
fn chance(differences: &[f64], seed: u64) -> f64 {
    const TRIALS: u32 = 10_000;
    let observed = differences.iter().sum::<f64>().abs();
    let mut random = Random::of_item(seed, u64::from(TRIALS));
    let as_far = (0..TRIALS).filter(|_| {
        let sum: f64 =
            differences.iter().map(|difference| if random.below_u32(2) == 0 { *difference } else { -difference }).sum();
        sum.abs() >= observed * (1.0 - 1e-12)
    });
    as_far.count() as f64 / f64::from(TRIALS)
}

fn figure(points: &[Point]) -> Figure {
    let title = "Branching factor by saved plies and move ordering (lines: ours, dots: Table 4.1)";
    let mut figure = Figure::new("iago-ordering", title, "saved plies", "branching factor");
    for (column, (_, name)) in HEURISTICS.into_iter().enumerate() {
        let points_of = |mean: &dyn Fn(usize) -> f64| -> Vec<(f64, f64)> {
            SAVED.iter().enumerate().map(|(row, &saved)| (f64::from(saved), mean(row))).collect()
        };
        figure.line(name, points_of(&|row| of(points, &[row], &[column]).0));
    }
    for (column, (_, name)) in HEURISTICS.into_iter().enumerate() {
        let paper = SAVED.iter().enumerate().map(|(row, &saved)| (f64::from(saved), PAPER[row][column].0)).collect();
        figure.dots(&format!("{name}, paper"), paper);
    }
    figure
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    /// A position in which saving more plies and better ordering always help.
    fn made_up(first: f64) -> Point {
        let factors = std::array::from_fn(|row| std::array::from_fn(|column| first - row as f64 - 0.1 * column as f64));
        Point { factors, least: first - 3.0 }
    }

    #[test]
    fn means_and_deviations_are_those_of_a_calculation_by_hand() {
        let points = [made_up(6.0), made_up(8.0)];
        // 6 and 8: mean 7, deviation √2.
        let (mean, deviation) = of(&points, &[0], &[0]);
        assert!((mean - 7.0).abs() < 1e-12 && (deviation - 2f64.sqrt()).abs() < 1e-12);
        // All orders with three saved plies: 4, 3.9, 3.8, 3.7 and the same with 2 more.
        assert!((of(&points, &[2], COLUMNS).0 - 4.85).abs() < 1e-12);
        let table = factors_table(&points);
        assert_eq!((table.rows[0][1].as_str(), table.rows[0][2].as_str()), ("7.0 (1.4)", "5.6 (1.3)"));
        assert_eq!((table.rows[3][0].as_str(), table.rows[3][10].as_str()), ("all", "4.7 (1.1)"));
        assert!(table.rows.iter().all(|row| row.len() == table.columns.len()));
        let rows = significance_table(&points, 1).rows;
        let differences: Vec<&str> = rows.iter().filter_map(|row| row[1].split(',').next()).collect();
        assert_eq!(differences, ["1.00", "1.00", "0.10", "0.10", "0.20", "0.70"]);
    }

    #[test]
    fn chance_is_that_of_all_signs() {
        // Three equal differences: two of eight choices of signs give a sum as far from zero.
        assert!((chance(&[1.0, 1.0, 1.0], 1) - 0.25).abs() < 0.02);
        // Whatever the sign, one is as far as the other.
        assert_eq!(chance(&[5.0], 1), 1.0);
        assert!(chance(&[1.0; 30], 1) < 0.001);
    }

    #[test]
    fn positions_differ_and_come_from_all_parts_of_the_game() {
        let games = positions_of(3, 5).unwrap();
        let numbers: Vec<usize> = games.iter().map(|game| game.move_count() + 1).collect();
        for (part, (first, last)) in PARTS.into_iter().enumerate() {
            assert!(
                numbers[5 * part..5 * part + 5].iter().all(|number| (first..=last).contains(number)),
                "{numbers:?}"
            );
        }
        assert_eq!(positions_of(3, 5).unwrap().len(), 15);
        // More than there are gives what there is.
        assert!(positions_of(3, 1000).unwrap().len() < 400);
    }

    #[test]
    fn it_runs_and_can_be_stopped() {
        let report = rehearsal::run(classics::registry(), |setup| at_scale(setup, 3, 1_000.0), false).unwrap();
        assert_eq!((report.tables[0].rows.len(), report.tables[1].rows.len()), (4, 6));
        let mean = |row: usize, column: usize| -> f64 {
            report.tables[0].rows[row][column].split(' ').next().unwrap().parse().unwrap()
        };
        // What IAGO uses is better than the control condition.
        assert!(mean(2, 7) < mean(0, 1), "{}", report.tables[0]);
        assert_eq!(
            rehearsal::run(classics::registry(), |setup| at_scale(setup, 1, 100.0), true),
            Err(ExperimentError::Stopped)
        );
    }
}
