//! The number of legal moves, and the branching factor of IAGO's search (Rosenbloom 1982, Fig. 3.5 and section 4.2.1).

use crate::player::deepening::Thought;
use crate::player::search::Goal;
use crate::player::time_allocation::TournamentOverhead;
use crate::player::{Iago, IagoSettings};
use engine::{Limits, Silent};
use othello::{Game, Rules};

use super::records;
use laboratory::duel::openings;
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "iago-branching";

/// Games of IAGO against itself, each from another opening.
const GAMES: usize = 30;
const QUICK_GAMES: usize = 3;

/// The last move that the paper's averages over a game of IAGO against itself take in.
const LAST_AVERAGED: usize = 46;

/// The branching factor of an iteratively deepened search: the `b` for which `b + b² + … + bⁿ` equals the number of its
/// leaves, with a fraction of the next ply.
///
/// The paper does not say how its factor is computed. This is how 10,000 leaves and a depth of 6.3 become its 4.0.
pub(super) fn branching_factor(leaves: f64, depth: f64) -> f64 {
    let (mut low, mut high) = (0.0, 64.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if leaves_of(depth, |ply| f64::powi(middle, ply)) < leaves {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// The leaves of all plies up to a depth, with a fraction of the last ply for a fractional depth.
fn leaves_of(depth: f64, leaves: impl Fn(i32) -> f64) -> f64 {
    let whole = depth.floor() as i32;
    (1..=whole).map(&leaves).sum::<f64>() + depth.fract() * leaves(whole + 1)
}

/// The minimum number of leaves of alpha-beta with perfect ordering and iterative deepening, where positions have `raw`
/// moves: `b^⌈n/2⌉ + b^⌊n/2⌋ - 1` for each ply (Slagle and Dixon 1969).
pub(super) fn min_leaves(raw: f64, depth: f64) -> f64 {
    leaves_of(depth, |ply| raw.powi((ply + 1) / 2) + raw.powi(ply / 2) - 1.0)
}

/// Legal moves in a position of a search, over all its iterations, and over how many positions that is. Searches to the
/// end of the game are left out: they are a hundred times as large, and few moves are left there.
pub(super) fn legal_moves(thoughts: &[&Thought]) -> (f64, u64) {
    let iterations = thoughts.iter().flat_map(|thought| &thought.iterations);
    let midgame = iterations.filter(|iteration| iteration.goal == Goal::Evaluation);
    let counts = midgame.flat_map(|iteration| iteration.branching);
    let (legal, positions) =
        counts.fold((0, 0), |(legal, positions), branching| (legal + branching.legal, positions + branching.positions));
    (legal as f64 / positions.max(1) as f64, positions)
}

/// The depth of a search, with the share of the first-ply moves that were finished in its last iteration: "searches are
/// completed for 0.3 of the first-ply nodes at a depth of 7". Searches to the end of the game are left out.
pub(super) fn depth_of(thought: &Thought, first_ply: usize) -> Option<f64> {
    let last = thought.iterations.iter().rfind(|iteration| iteration.goal == Goal::Evaluation)?;
    let share = last.result.searched as f64 / first_ply.max(1) as f64;
    Some(if last.result.is_complete { f64::from(last.depth) } else { f64::from(last.depth) - 1.0 + share })
}

/// A game of IAGO against itself.
struct OwnGame {
    game: Game,
    /// Its searches, from the first move after the opening on, with the number of each move.
    thoughts: Vec<(usize, Thought)>,
    /// The depth at the moves for which it did not search to the end.
    depths: Vec<f64>,
}

fn own_game(opening: Game, setup: &Setup<'_>) -> Result<OwnGame, ExperimentError> {
    // "with no overhead charges" (4.2.1).
    let overhead = TournamentOverhead::Free;
    let mut iago = Iago::new(IagoSettings { is_historical: true, overhead, ..IagoSettings::default() });
    let mut own = OwnGame { game: opening, thoughts: Vec::new(), depths: Vec::new() };
    while !own.game.is_over() {
        let thought = iago.think(&own.game, &Limits::default(), &mut Silent, setup.stop);
        let Some(thought) = thought.filter(|_| !setup.stop.is_set()) else { return Err(ExperimentError::Stopped) };
        let number = own.game.move_count() + 1;
        let first_ply = own.game.position().board.moves().count_ones() as usize;
        if number <= LAST_AVERAGED {
            own.depths.extend(depth_of(&thought, first_ply));
        }
        own.game.play(thought.square()).map_err(|error| ExperimentError::Facts(error.to_string()))?;
        own.thoughts.push((number, thought));
    }
    Ok(own)
}

/// The first move at which a search for one of these goals was finished.
fn solved_from(own: &OwnGame, goals: &[Goal]) -> Option<usize> {
    let is_solved = |thought: &Thought| {
        thought.iterations.iter().any(|iteration| goals.contains(&iteration.goal) && iteration.result.is_complete)
    };
    own.thoughts.iter().find(|(_, thought)| is_solved(thought)).map(|(number, _)| *number)
}

/// The mean number of moves at each pair of moves of games: the moves 1 and 2, 3 and 4, and so on (Fig. 3.5).
fn mean_moves(games: &[Game]) -> Vec<(f64, f64)> {
    let mobilities: Vec<Vec<u32>> =
        games.iter().map(|game| records::mobility(game).into_iter().map(|(_, moves)| moves).collect()).collect();
    let pair = |first: usize| -> Option<(f64, f64)> {
        let counts = mobilities.iter().flat_map(|moves| moves.iter().skip(first).take(2));
        let (sum, count) = counts.fold((0, 0), |(sum, count), &moves| (sum + moves, count + 1));
        // Pairs lie between their two moves.
        (count > 0).then(|| (first as f64 + 1.5, f64::from(sum) / f64::from(count)))
    };
    (0..60).step_by(2).filter_map(pair).collect()
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    let games = if setup.is_quick { QUICK_GAMES } else { GAMES };
    at_scale(setup, games)
}

fn at_scale(setup: &mut Setup<'_>, games: usize) -> Result<Report, ExperimentError> {
    // The first is played from the start of the game, as the one of the paper.
    let starts = std::iter::once(Game::new()).chain(openings()?).take(games);
    let mut own = Vec::new();
    for (index, start) in starts.enumerate() {
        (setup.progress)(&format!("iago against itself: game {} of {games}", index + 1));
        own.push(own_game(start, setup)?);
    }
    let tables = vec![moves_table(&own)?, search_table(&own)];
    let mut report = Report { tables, figures: vec![moves_figure(&own)?], ..Report::of(NAME) };
    report.note(format!(
        "Fig. 3.5 is an average over the {} games that IAGO played at Santa Cruz, of which {} are known. The World \
         Championship of 1980 and games of our IAGO against itself are shown as well.",
        records::PLAYED_AT_SANTA_CRUZ,
        tournament_games()?.len()
    ));
    report.note(
        "The factors are computed from the averages in the rows above: b is such that b + b² + … up to the depth \
         equals the number of leaves. This makes the paper's figures consistent: 10,000 leaves and a depth of 6.3 \
         give 4.0, and 9.9 moves with perfect ordering give 3.7.",
    );
    Ok(report)
}

/// IAGO's games at Santa Cruz that are known.
fn tournament_games() -> Result<Vec<Game>, ExperimentError> {
    let known = records::santa_cruz()?.into_iter().chain(records::more_of_santa_cruz()?);
    Ok(known.map(|own| own.game).collect())
}

/// The games of the three curves.
fn sources(own: &[OwnGame]) -> Result<[(&'static str, Vec<Game>); 3], ExperimentError> {
    Ok([
        ("IAGO at Santa Cruz", tournament_games()?),
        ("World Championship 1980", records::world_championship()?),
        ("our IAGO against itself", own.iter().map(|own| own.game.clone()).collect()),
    ])
}

fn moves_figure(own: &[OwnGame]) -> Result<Figure, ExperimentError> {
    let title = "Legal moves by move number (Fig. 3.5)";
    let mut figure = Figure::new("iago-legal-moves", title, "move", "legal moves, mean");
    for (name, games) in sources(own)? {
        figure.line(name, mean_moves(&games));
    }
    Ok(figure)
}

/// Parts of a game, first and last move.
const PARTS: [(usize, usize); 6] = [(1, 10), (11, 20), (21, 30), (31, 40), (41, 50), (51, 60)];

fn moves_table(own: &[OwnGame]) -> Result<Table, ExperimentError> {
    let mut columns = vec!["games".to_owned()];
    columns.extend(PARTS.iter().map(|(first, last)| format!("moves {first}-{last}")));
    let title = "Mean number of legal moves; paper: it decreases towards the end (Fig. 3.5)".to_owned();
    let mut table = Table { title, columns, ..Table::default() };
    for (name, games) in sources(own)? {
        let means = mean_moves(&games);
        let mut row = vec![format!("{name} ({})", games.len())];
        row.extend(PARTS.iter().map(|&(first, last)| {
            let of_part = means.iter().filter(|(at, _)| (first as f64..=last as f64).contains(at));
            format!("{:.1}", mean(of_part.map(|(_, moves)| *moves)))
        }));
        table.rows.push(row);
    }
    Ok(table)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}

fn search_table(own: &[OwnGame]) -> Table {
    let midgame = || own.iter().flat_map(|own| &own.thoughts).filter(|(number, _)| *number <= LAST_AVERAGED);
    let leaves_of = |thought: &Thought| thought.iterations.iter().map(|iteration| iteration.leaves as f64).sum::<f64>();
    let leaves = mean(midgame().map(|(_, thought)| leaves_of(thought)));
    let depth = mean(own.iter().flat_map(|own| own.depths.iter().copied()));
    let (raw, _) = legal_moves(&midgame().map(|(_, thought)| thought).collect::<Vec<_>>());
    let solved =
        |goals: &[Goal]| mean(own.iter().filter_map(|own| solved_from(own, goals)).map(|number| number as f64));
    let title = "The search in games of IAGO against itself, moves 1 to 46 (section 4.2.1), and when it solves the endgame \
         (4.3)";
    let mut table = Table::new(title, &["", "ours", "paper"]);
    let mut row = |name: &str, ours: f64, digits: usize, paper: &str| {
        table.row([name.to_owned(), format!("{ours:.digits$}"), paper.to_owned()]);
    };
    row("leaves per move, all iterations", leaves, 0, "10000");
    row("depth", depth, 1, "6.3");
    row("legal moves per position of the search", raw, 1, "9.9");
    row("depth of plain minimax with the same number of leaves", leaves.ln() / raw.ln(), 1, "4.0");
    row("branching factor", branching_factor(leaves, depth), 1, "4.0");
    row("minimum branching factor of alpha-beta", branching_factor(min_leaves(raw, depth), depth), 1, "3.7");
    row("win, tie or loss known from move", solved(&[Goal::Outcome, Goal::Score]), 1, "about 46");
    row("exact score known from move", solved(&[Goal::Score]), 1, "usually 48");
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn factors_are_those_of_the_paper_for_its_leaves_and_depth() {
        assert!((branching_factor(10_000.0, 6.3) - 4.0).abs() < 0.05);
        assert!((branching_factor(min_leaves(9.9, 6.3), 6.3) - 3.7).abs() < 0.05);
        assert!((10_000f64.ln() / 9.9f64.ln() - 4.0).abs() < 0.05);
        // 3 + 9 + 27 leaves, and half of the next 81.
        assert!((branching_factor(39.0, 3.0) - 3.0).abs() < 1e-9);
        assert!((branching_factor(79.5, 3.5) - 3.0).abs() < 1e-9);
        // The best order at depths 1 to 3 with 10 moves: 10, 10 + 10 - 1, 100 + 10 - 1.
        assert!((min_leaves(10.0, 3.0) - 138.0).abs() < 1e-9);
    }

    #[test]
    fn pairs_of_moves_are_averaged_over_the_games() {
        let line = |moves: &[&str]| {
            Game::from_moves(Game::new().start(), moves.iter().map(|name| name.parse().unwrap())).unwrap()
        };
        // Four moves of Black, three of White; after f5d6 Black has five, after f5f6 five.
        let means = mean_moves(&[line(&["f5", "d6", "c3"]), line(&["f5", "f6"])]);
        let black_third = f64::from(records::mobility(&line(&["f5", "d6", "c3"]))[2].1);
        assert_eq!(means, [(1.5, 3.5), (3.5, black_third)]);
    }

    #[test]
    fn it_runs_and_can_be_stopped() {
        let report = rehearsal::run(classics::registry(), |setup| at_scale(setup, 1), false).unwrap();
        assert_eq!((report.tables.len(), report.figures[0].series.len()), (2, 3));
        let number = |row: usize| report.tables[1].rows[row][1].parse::<f64>().unwrap();
        assert!((8_000.0..12_500.0).contains(&number(0)), "{} leaves", number(0));
        // Between the best order and no order at all.
        assert!(number(5) < number(4) && number(4) < number(2), "{:?}", report.tables[1].rows);
        assert_eq!(
            rehearsal::run(classics::registry(), |setup| at_scale(setup, 1), true),
            Err(ExperimentError::Stopped)
        );
    }
}
