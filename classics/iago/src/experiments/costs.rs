//! Costs of IAGO's searches and of the parts of its evaluation (Rosenbloom 1982, sections 4.3, 4.4.1.2 and 4.4.2.1).

use crate::player::deepening::{END_NODE, Iteration, Thought};
use crate::player::search::{Goal, SearchOptions};
use crate::player::{Iago, IagoSettings};
use engine::clock::Moment;
use engine::{Limits, Silent};
use othello::{Game, Rules};
use serde::{Deserialize, Serialize};

use super::ordering::{MINUTE, iago_search, leaves, positions_of};
use super::records::{self, median};
use laboratory::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "iago-costs";

/// The scale of the experiment.
struct Scale {
    /// The depths `n` after which the three searches are compared.
    depths: Vec<u32>,
    /// One game in this number gives positions for that.
    every: usize,
    /// Positions of each part of the game for the cost of the evaluation.
    positions: usize,
    /// Leaves in a minute.
    minute: f64,
    /// Number of times that each search is timed.
    rounds: usize,
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    let scale = if setup.is_quick {
        Scale { depths: vec![7, 8], every: 8, positions: 4, minute: MINUTE, rounds: 3 }
    } else {
        Scale { depths: vec![6, 7, 8, 9], every: 1, positions: 30, minute: MINUTE, rounds: 5 }
    };
    at_scale(setup, &scale)
}

fn at_scale(setup: &mut Setup<'_>, scale: &Scale) -> Result<Report, ExperimentError> {
    let searches = searches_table(scale, setup)?;
    let evaluation = evaluation_table(scale, setup)?;
    let mut report = Report { tables: vec![searches, evaluation], ..Report::of(NAME) };
    report.note(format!(
        "The paper: a search with the evaluation to depth n + 1, one for the score to depth n + 5 and one for win, tie or loss \
         to depth n + 7 take about the same time. It does not say what a position of a search to the end costs. The columns \
         \"may cost\" show with which cost, in evaluations of leaves, each would take as long as the evaluation; our IAGO \
         uses {END_NODE} for both when it plays with the original's budget, and the next column shows how long each search \
         takes then, relative to the evaluation.",
    ));
    report.note(
        "The paper does not say which squares its bounds on the remaining moves take in; ours take in the empty squares next \
         to discs of the other side, which are known by then. Times are ours, as ratios of searches that alternate in one \
         run. A count of moves that does not end early is made with bit operations for all squares at once here; the \
         original tested square by square in both cases.",
    );
    Ok(report)
}

/// The cost of one search for a goal relative to one with the evaluation, in the same position.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Relative {
    /// Leaves of the search with the evaluation per position of the search to the end: what a position may cost.
    equal_cost: f64,
    /// Time by our clock.
    time: f64,
}

/// Both searches after `n` plies of a position, the end of which is the given number of plies away.
fn relative(game: &Game, n: u32, goal: Goal, setup: &Setup<'_>) -> Result<Option<Relative>, ExperimentError> {
    let search = |goal: Goal| -> Result<Option<(Iteration, f64)>, ExperimentError> {
        let found = Iago::new(IagoSettings::default()).search_after(game, n, goal, setup.stop);
        if setup.stop.is_set() { Err(ExperimentError::Stopped) } else { Ok(found) }
    };
    let (Some((evaluated, evaluation_time)), Some((ended, end_time))) = (search(Goal::Evaluation)?, search(goal)?)
    else {
        return Ok(None);
    };
    let equal_cost = evaluated.leaves as f64 / ended.end_nodes.max(1) as f64;
    Ok(Some(Relative { equal_cost, time: end_time / evaluation_time.max(f64::EPSILON) }))
}

/// The positions of games with this many empty squares and a choice of moves.
fn positions_with(games: &[Game], empties: u32) -> Result<Vec<Game>, ExperimentError> {
    let mut found = Vec::new();
    for game in games {
        let positions = game.positions().collect::<Vec<_>>();
        let number = positions
            .iter()
            .position(|position| position.board.empty_count() == empties && position.board.moves().count_ones() > 1);
        if let Some(number) = number {
            found.push(records::before_move(game, number + 1)?);
        }
    }
    Ok(found)
}

/// Additional depths of the searches to the end, with their names.
const GAINS: [(Goal, u32, &str); 2] = [(Goal::Score, 5, "score"), (Goal::Outcome, 7, "win, tie or loss")];

fn searches_table(scale: &Scale, setup: &mut Setup<'_>) -> Result<Table, ExperimentError> {
    let mut games = records::world_championship()?;
    games.extend(records::machine_games()?);
    let games: Vec<Game> = games.into_iter().step_by(scale.every).collect();
    let title = "Searches for the score at n + 5 empty squares, and for win, tie or loss at n + 7, compared with the evaluation \
                 to depth n + 1 in the same positions after n plies: medians (section 4.3)";
    let columns = ["n", "search", "positions", "a position may cost", "cost with ours of it", "our time", "paper"];
    let mut table = Table::new(title, &columns);
    let mut all: [Vec<Relative>; 2] = Default::default();
    for &n in &scale.depths {
        for ((goal, gain, name), all) in GAINS.into_iter().zip(&mut all) {
            let mut found = Vec::new();
            let positions = positions_with(&games, n + gain)?;
            for (index, game) in positions.iter().enumerate() {
                (setup.progress)(&format!("n = {n}, {name}: position {} of {}", index + 1, positions.len()));
                found.extend(setup.part("searches", |setup| relative(game, n, goal, setup))?);
            }
            table.row(relative_row(&n.to_string(), name, &found));
            all.extend(found);
        }
    }
    for ((.., name), all) in GAINS.into_iter().zip(&all) {
        table.row(relative_row("all", name, all));
    }
    Ok(table)
}

fn relative_row(n: &str, name: &str, found: &[Relative]) -> [String; 7] {
    let of = |number: fn(&Relative) -> f64| {
        median(found.iter().map(number).collect()).map_or("-".to_owned(), |median| format!("{median:.2}"))
    };
    [
        n.to_owned(),
        name.to_owned(),
        found.len().to_string(),
        of(|relative| relative.equal_cost),
        of(|relative| END_NODE / relative.equal_cost),
        of(|relative| relative.time),
        "approximately equal".to_owned(),
    ]
}

/// The paper's times, in milliseconds: counting the moves of one side, and all the rest of the evaluation.
const COUNTING: f64 = 3.4;
const REST: f64 = 0.5;

/// Time for the evaluation of the leaves of one search.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct LeafCosts {
    /// Leaves per position one ply above them.
    leaves_above: f64,
    /// Counts of stable discs above the leaves per count at the leaves, for the same search.
    stability: f64,
    /// Squares that a leaf would test for moves without ending early, and those that it tests.
    squares: [f64; 2],
    /// Our time with stable discs counted at the leaves, relative to above them.
    time_of_stability: f64,
    /// Our time with moves counted to the end, relative to ending early.
    time_of_counting: f64,
}

impl LeafCosts {
    /// The share of squares that ending early saves.
    fn saved(&self) -> f64 {
        1.0 - self.squares[1] / self.squares[0]
    }

    /// The cost of an evaluation by the paper's times, with the moves of one side counted above the leaves.
    fn cost(&self) -> f64 {
        COUNTING + COUNTING / self.leaves_above + REST
    }

    /// The same when counting ends early.
    fn cost_ending_early(&self) -> f64 {
        self.cost() - COUNTING * self.saved()
    }
}

/// A search of a position to a depth with these options, and the seconds it took.
fn searched(
    game: &Game,
    depth: u32,
    search: SearchOptions,
    setup: &Setup<'_>,
) -> Result<(Thought, f64), ExperimentError> {
    let mut iago = Iago::new(IagoSettings { search, ..IagoSettings::default() });
    let start = Moment::now();
    let thought = iago.think(game, &Limits::of_depth(depth), &mut Silent, setup.stop);
    let seconds = start.elapsed().as_secs_f64();
    let thought = thought.filter(|_| !setup.stop.is_set()).ok_or(ExperimentError::Stopped)?;
    Ok((thought, seconds))
}

fn work(game: &Game, scale: &Scale, setup: &Setup<'_>) -> Result<LeafCosts, ExperimentError> {
    let (depth, _) = iago_search(game, scale.minute, setup)?;
    let default = SearchOptions::default();
    let variants = [
        default,
        SearchOptions { counts_stable_above: false, ..default },
        SearchOptions { ends_count_early: false, ..default },
    ];
    let mut shortest = [f64::INFINITY; 3];
    let mut thoughts = Vec::new();
    for round in 0..scale.rounds.max(1) {
        for (variant, shortest) in variants.into_iter().zip(&mut shortest) {
            let (thought, seconds) = searched(game, depth, variant, setup)?;
            // Other load on the machine only makes it longer.
            *shortest = shortest.min(seconds);
            if round == 0 {
                thoughts.push(thought);
            }
        }
    }
    let [above, at_leaf] = [&thoughts[0], &thoughts[1]];
    let tests = above.work.square_tests;
    let per_leaf = |squares: u64| squares as f64 / leaves(above);
    // The value of stable discs may differ by a ply, and with it what is cut off: both counts are per leaf.
    let counts = |thought: &Thought| thought.work.stability_counts as f64 / leaves(thought);
    Ok(LeafCosts {
        leaves_above: 1.0 / counts(above),
        stability: counts(above) / counts(at_leaf),
        squares: [per_leaf(tests.possible), per_leaf(tests.tested)],
        time_of_stability: (shortest[1] / leaves(at_leaf)) / (shortest[0] / leaves(above)),
        time_of_counting: (shortest[2] / leaves(&thoughts[2])) / (shortest[0] / leaves(above)),
    })
}

fn evaluation_table(scale: &Scale, setup: &mut Setup<'_>) -> Result<Table, ExperimentError> {
    let games = positions_of(setup.seed, scale.positions)?;
    let mut works = Vec::new();
    for (index, game) in games.iter().enumerate() {
        (setup.progress)(&format!("evaluations of position {} of {}", index + 1, games.len()));
        works.push(setup.part("evaluations", |setup| work(game, scale, setup))?);
    }
    Ok(written(&works))
}

fn written(works: &[LeafCosts]) -> Table {
    let title = format!(
        "The cost of the evaluation in searches of about a minute of the original, medians over {} positions of the World \
         Championship of 1980 (sections 4.4.1.2 and 4.4.2.1)",
        works.len()
    );
    let mut table = Table::new(title, &["", "ours", "paper"]);
    let row = |table: &mut Table, name: &str, of: &dyn Fn(&LeafCosts) -> f64, digits: usize, paper: &str| {
        let found = median(works.iter().map(of).collect());
        let found = found.map_or("-".to_owned(), |found| format!("{found:.digits$}"));
        table.row([name.to_owned(), found, paper.to_owned()]);
    };
    row(
        &mut table,
        "leaves per position one ply above them",
        &|work| work.leaves_above,
        1,
        "4 (\"the branching factor\")",
    );
    row(
        &mut table,
        "counts of stable discs one ply above the leaves, relative to the leaves",
        &|work| work.stability,
        2,
        "1/4",
    );
    row(&mut table, "squares that might be moves of the side to move, per leaf", &|work| work.squares[0], 1, "");
    row(&mut table, "squares tested per leaf when counting ends early", &|work| work.squares[1], 1, "");
    let of_paper = format!("{:.0} (0.8 of {COUNTING} ms)", 100.0 * 0.8 / COUNTING);
    row(&mut table, "tests saved by ending early, percent", &|work| 100.0 * work.saved(), 0, &of_paper);
    let both = 2.0 * COUNTING + REST;
    row(&mut table, "evaluation with the moves of both sides counted, ms by the paper's times", &|_| both, 2, "7.3");
    // It is a sum of the paper's times.
    table.mark_given(1);
    row(&mut table, "one side's moves counted one ply above, ms", &LeafCosts::cost, 2, "4.75");
    row(&mut table, "the same when counting ends early, ms", &LeafCosts::cost_ending_early, 2, "3.95");
    row(
        &mut table,
        "our time per leaf with stable discs counted at the leaves, relative",
        &|work| work.time_of_stability,
        2,
        "",
    );
    row(&mut table, "our time per leaf without ending early, relative", &|work| work.time_of_counting, 2, "");
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn costs_are_those_of_the_paper_for_its_counts() {
        // 4 leaves below each position, and 0.8 of 3.4 ms saved.
        let saved = 0.8 / 3.4;
        let work = LeafCosts {
            leaves_above: 4.0,
            stability: 0.25,
            squares: [10.0, 10.0 * (1.0 - saved)],
            time_of_stability: 1.0,
            time_of_counting: 1.0,
        };
        assert!((work.cost() - 4.75).abs() < 1e-9 && (work.cost_ending_early() - 3.95).abs() < 1e-9);
        let Table { rows, given, .. } = written(&[work]);
        assert_eq!(given, [(5, 1)]);
        for row in [5, 6, 7] {
            assert!((rows[row][1].parse::<f64>().unwrap() - rows[row][2].parse::<f64>().unwrap()).abs() < 1e-9);
        }
    }

    #[test]
    fn stable_discs_are_counted_once_for_all_leaves_below_a_position() {
        let game = records::paper_game("IAGO", "THE MOOR").unwrap();
        let game = records::before_move(&game, 20).unwrap();
        let scale = Scale { depths: vec![], every: 1, positions: 1, minute: 500.0, rounds: 1 };
        let work = rehearsal::run(classics::registry(), |setup| work(&game, &scale, setup), false).unwrap();
        // At the leaves there is one count for each, so that the ratio is that of leaves to positions above them.
        assert!((work.stability * work.leaves_above - 1.0).abs() < 1e-9, "{work:?}");
        assert!(work.leaves_above > 1.0 && work.squares[1] < work.squares[0], "{work:?}");
    }

    #[test]
    fn it_runs_and_can_be_stopped() {
        let scale = || Scale { depths: vec![3], every: 20, positions: 1, minute: 300.0, rounds: 1 };
        let report = rehearsal::run(classics::registry(), |setup| at_scale(setup, &scale()), false).unwrap();
        assert_eq!((report.tables[0].rows.len(), report.tables[1].rows.len()), (4, 10));
        assert!(report.tables[0].rows.iter().all(|row| row[2].parse::<usize>().unwrap() > 0));
        assert_eq!(
            rehearsal::run(classics::registry(), |setup| at_scale(setup, &scale()), true),
            Err(ExperimentError::Stopped)
        );
    }
}
