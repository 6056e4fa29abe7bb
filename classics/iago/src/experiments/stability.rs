//! Stable discs, and how many of them IAGO's algorithm finds (Rosenbloom 1982, Figs 3.6 and 4.6).

use crate::player::internal_stability::{INTERNAL, stable_discs as found_by_iago};
use othello::stability::stable_discs;
use othello::{Color, Game, Square};

use super::records;
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "iago-stability";

/// The discs of Black and of White after each move, the first entry before the first.
fn discs(game: &Game) -> Vec<[u64; 2]> {
    game.positions().map(|position| [Color::Black, Color::White].map(|color| position.discs(color))).collect()
}

/// The stable discs of a color (0 Black, 1 White), as far as we can prove them.
fn proven(discs: &[u64; 2], color: usize) -> u64 {
    stable_discs(discs[color], discs[1 - color])
}

/// The same as IAGO finds them.
fn found(discs: &[u64; 2], color: usize) -> u64 {
    found_by_iago(discs[color])
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    if setup.stop.is_set() {
        return Err(ExperimentError::Stopped);
    }
    let game = records::paper_game("REVERSI CHALLENGER", "IAGO")?;
    let good = records::world_championship()?;
    let tables = vec![game_table(&game), algorithm_table(&game)?, internal_table(&good)];
    let mut report = Report { tables, figures: vec![figure(&game), internal_figure(&good)], ..Report::of(NAME) };
    report.note(
        "Ours are the discs that we can prove to be stable: by full lines, by edges in all their continuations, and \
         by support from other stable discs. Once the game is over all discs are stable, proven or not.",
    );
    Ok(report)
}

fn points(counts: impl Iterator<Item = u32>) -> Vec<(f64, f64)> {
    counts.enumerate().map(|(number, count)| (number as f64, f64::from(count))).collect()
}

fn figure(game: &Game) -> Figure {
    let title = "Stable discs in the game of REVERSI CHALLENGER against IAGO (Fig. 3.6)";
    let mut figure = Figure::new("iago-stable-discs", title, "move", "stable discs");
    let discs = discs(game);
    let count = |stable: fn(&[u64; 2], usize) -> u64, color| {
        points(discs.iter().map(|discs| stable(discs, color).count_ones()))
    };
    figure.line("REVERSI CHALLENGER", count(proven, 0));
    figure.line("IAGO", count(proven, 1));
    figure.line("IAGO, found by its algorithm", count(found, 1));
    figure
}

fn game_table(game: &Game) -> Table {
    let discs = discs(game);
    let title = "Stable discs in the game of REVERSI CHALLENGER against IAGO, 3 to 60 (Fig. 3.6)";
    let mut table = Table::new(title, &["after move", "REVERSI CHALLENGER", "IAGO", "IAGO, found by its algorithm"]);
    let counts = |discs: &[u64; 2]| [proven(discs, 0), proven(discs, 1), found(discs, 1)].map(|set| set.count_ones());
    let end = discs.len() - 1;
    let is_shown = |number: usize| number >= 25 && number.is_multiple_of(5) || number == end;
    for (number, discs) in discs.iter().enumerate().filter(|(number, _)| is_shown(*number)) {
        let mut row = vec![number.to_string()];
        row.extend(counts(discs).map(|count| count.to_string()));
        table.rows.push(row);
    }
    let fell = |color: usize| {
        discs.windows(2).filter(|pair| proven(&pair[0], color) & !proven(&pair[1], color) != 0).count().to_string()
    };
    table.row(["stable discs that were flipped later (paper: none)".to_owned(), fell(0), fell(1), String::new()]);
    table
}

/// Squares by their names.
fn set(names: &[&str]) -> u64 {
    names.iter().filter_map(|name| name.parse::<Square>().ok()).fold(0, |set, square| set | square.bit())
}

/// The stable discs of Fig. 4.6 that IAGO's algorithm finds, those of White that it does not, and those of Black.
fn figure_4_6() -> [u64; 3] {
    [set(&["b7", "c7", "f7", "g7"]), set(&["b3", "c3", "b4", "d5", "c6", "d6"]), set(&["d7", "e7"])]
}

/// The game of Fig. 4.6, oriented as in the paper, with the number of moves played up to the position: the first in
/// which the algorithm finds what the paper says and the other discs are where it says.
fn position_4_6(game: &Game) -> Option<(Game, usize)> {
    let [seen, unseen, black] = figure_4_6();
    let fits = |discs: &[u64; 2]| {
        let found = (found(discs, 0) | found(discs, 1)) & INTERNAL;
        found == seen && discs[1] & (seen | unseen) == seen | unseen && discs[0] & black == black
    };
    records::turned(game).into_iter().find_map(|game| {
        let number = discs(&game).iter().position(fits)?;
        Some((game, number))
    })
}

/// The game of REVERSI CHALLENGER against IAGO, oriented as in the paper.
pub(super) fn challenger_game() -> Result<Game, ExperimentError> {
    let game = records::paper_game("REVERSI CHALLENGER", "IAGO")?;
    position_4_6(&game).map(|(game, _)| game).ok_or_else(no_position)
}

fn no_position() -> ExperimentError {
    ExperimentError::Facts("the position of Fig. 4.6 is not in its game".to_owned())
}

fn algorithm_table(game: &Game) -> Result<Table, ExperimentError> {
    let (game, number) = position_4_6(game).ok_or_else(no_position)?;
    let discs = discs(&game)[number];
    let [seen, unseen, black] = figure_4_6();
    let all = seen | unseen | black;
    let title = format!("Stable internal discs in the position of Fig. 4.6, after move {number} of that game");
    let mut table = Table::new(title, &["", "ours", "paper"]);
    let found = (found(&discs, 0) | found(&discs, 1)) & INTERNAL;
    let proven = (proven(&discs, 0) | proven(&discs, 1)) & INTERNAL;
    let of = |set: u64| set.count_ones().to_string();
    table.row(["found by IAGO's algorithm".to_owned(), of(found), "4".to_owned()]);
    // The position is recognized by these discs, and the others are the paper's list.
    table.mark_given(1);
    table.row(["stable discs that the paper names".to_owned(), of(all), "12".to_owned()]);
    table.mark_given(1);
    table.row(["of these, proven by us".to_owned(), of(all & proven), String::new()]);
    table.row(["proven by us in addition".to_owned(), of(proven & !all), String::new()]);
    Ok(table)
}

/// Stable internal discs of both sides after each move, mean over games: proven, and found by IAGO.
fn internal(games: &[Game]) -> [Vec<(f64, f64)>; 2] {
    let games: Vec<Vec<[u64; 2]>> = games.iter().map(discs).collect();
    let mean = |stable: fn(&[u64; 2], usize) -> u64, number: usize| {
        // A game that is over stays as it is.
        let at = |game: &Vec<[u64; 2]>| game[number.min(game.len() - 1)];
        let count = |discs: [u64; 2]| ((stable(&discs, 0) | stable(&discs, 1)) & INTERNAL).count_ones();
        games.iter().map(|game| f64::from(count(at(game)))).sum::<f64>() / games.len() as f64
    };
    let curve =
        |stable: fn(&[u64; 2], usize) -> u64| (0..=60).map(|number| (number as f64, mean(stable, number))).collect();
    [curve(proven), curve(found)]
}

fn internal_figure(games: &[Game]) -> Figure {
    let title = "Stable internal discs of both sides in the World Championship of 1980, mean";
    let mut figure = Figure::new("iago-internal-stability", title, "move", "stable internal discs");
    let [proven, found] = internal(games);
    figure.line("proven by us", proven);
    figure.line("found by IAGO's algorithm", found);
    figure
}

fn internal_table(games: &[Game]) -> Table {
    let title = format!(
        "Stable internal discs of both sides in {} games of the World Championship of 1980, mean; paper: no significant \
         number until the endgame can be solved, at move 46 to 48",
        games.len()
    );
    let mut table = Table::new(title, &["after move", "proven by us", "found by IAGO's algorithm"]);
    let [proven, found] = internal(games);
    for number in [30, 40, 44, 46, 48, 50, 55, 60] {
        table.row([number.to_string(), format!("{:.1}", proven[number].1), format!("{:.1}", found[number].1)]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn stable_discs_only_become_more_and_iago_finds_none_that_is_not_stable() {
        let game = records::paper_game("REVERSI CHALLENGER", "IAGO").unwrap();
        let discs = discs(&game);
        for color in 0..2 {
            for pair in discs.windows(2) {
                assert_eq!(proven(&pair[0], color) & !proven(&pair[1], color), 0);
                assert_eq!(found(&pair[1], color) & !proven(&pair[1], color), 0);
            }
        }
        // The first corner is IAGO's.
        assert!(discs.iter().all(|discs| proven(discs, 0) == 0 || proven(discs, 1) != 0));
    }

    #[test]
    fn of_twelve_stable_discs_the_algorithm_finds_four() {
        let game = records::paper_game("REVERSI CHALLENGER", "IAGO").unwrap();
        let Table { rows, given, .. } = algorithm_table(&game).unwrap();
        assert_eq!(given, [(0, 1), (1, 1)]);
        assert_eq!((rows[0][1].as_str(), rows[1][1].as_str()), ("4", "12"));
        assert_eq!(rows[3][1], "0", "ours proves none that the paper does not name");
    }

    #[test]
    fn it_runs_and_can_be_stopped() {
        let report = rehearsal::run(classics::registry(), run, false).unwrap();
        assert_eq!((report.tables.len(), report.figures.len()), (3, 2));
        assert_eq!(rehearsal::run(classics::registry(), run, true), Err(ExperimentError::Stopped));
    }
}
