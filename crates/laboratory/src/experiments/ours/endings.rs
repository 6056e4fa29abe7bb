//! How many nodes it takes to solve an endgame, by number of empty squares.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use engine::{Emilia, Estimate, Limits, Options, Player, Silent};
use evaluation::EvaluatedBoard;
use learning::self_play::{Recipe, SelfPlay};
use othello::{Board, Color, Game, Position, Rules};

use crate::experiments::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "emilia-endings";

/// The most empty squares, and how many positions of each number are solved.
const FULL: (u32, usize) = (24, 100);
const QUICK: (u32, usize) = (20, 20);
const FEWEST_EMPTIES: u32 = 8;

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    let (most, positions) = if setup.is_quick { QUICK } else { FULL };
    at_scale(setup, most, positions)
}

fn at_scale(setup: &mut Setup<'_>, most: u32, positions: usize) -> Result<Report, ExperimentError> {
    let endings = endings(setup, most, positions);
    let failed =
        |error: &dyn ToString| ExperimentError::Player { player: "the solver".to_owned(), reason: error.to_string() };
    let options = Options { table_megabytes: 64, threads: 1, usual_level: None, seed: setup.seed };
    let mut solver = Emilia::new(&options).map_err(|error| failed(&error))?;
    let title = format!("Nodes to the exact score, up to {positions} positions for each number of empty squares");
    let columns = ["empty squares", "median", "mean", "maximum", "growth of the mean per empty square"];
    let mut table = Table::new(title, &columns);
    let mut figure = Figure::new("emilia-endings", "Nodes to solve an endgame", "empty squares", "nodes");
    figure.is_logarithmic = true;
    let [mut medians, mut means] = [Vec::new(), Vec::new()];
    let mut before = f64::NAN;
    if setup.stop.is_set() {
        return Err(ExperimentError::Stopped);
    }
    for (empty_count, boards) in endings {
        (setup.progress)(&format!("{empty_count} empty squares"));
        let mut nodes = Vec::new();
        for board in boards {
            let game = Game::from_position(Position { board, turn: Color::Black });
            // Results of another position must not help.
            solver.new_game().map_err(|error| failed(&error))?;
            let choice = solver.choose(&game, &Limits::of_depth(60), &mut Silent, setup.stop);
            let choice = choice.map_err(|error| failed(&error))?;
            if setup.stop.is_set() {
                return Err(ExperimentError::Stopped);
            }
            if !matches!(choice.value, Some(Estimate::Solved(_))) {
                return Err(failed(&"no exact score found"));
            }
            nodes.push(choice.nodes);
        }
        let Some((median, mean, most)) = summary(&mut nodes) else { continue };
        let factor = if before.is_nan() { "-".to_owned() } else { format!("{:.2}", mean / before) };
        let whole = |number: f64| format!("{number:.0}");
        table.row([empty_count.to_string(), whole(median), whole(mean), whole(most), factor]);
        medians.push((f64::from(empty_count), median));
        means.push((f64::from(empty_count), mean));
        before = mean;
    }
    figure.line("mean", means);
    figure.line("median", medians);
    let mut report = Report { tables: vec![table], figures: vec![figure], ..Report::of(NAME) };
    report.note(
        "Positions from games of Emilia against itself at two plies, after ten random moves; one thread, hash table \
         of 64 MB.",
    );
    Ok(report)
}

/// Positions with several legal moves, by number of empty squares.
fn endings(setup: &Setup<'_>, most: u32, wanted: usize) -> BTreeMap<u32, Vec<Board>> {
    let recipe = Recipe {
        seed: setup.seed,
        opening: (10, 10),
        random_moves: 0.0,
        depth: 2,
        exact_from: 6,
        threads: setup.threads,
    };
    let mut endings: BTreeMap<u32, Vec<Board>> = (FEWEST_EMPTIES..=most).map(|count| (count, Vec::new())).collect();
    // Some games end early or have a forced move just there.
    let games = 4 * wanted as u64 + 8;
    SelfPlay::new(recipe, Board::shipped()).play(0..games, setup.stop, |_, game| {
        for position in game.positions() {
            if let Some(boards) = endings.get_mut(&position.board.empty_count())
                && boards.len() < wanted
                && position.board.moves().count_ones() > 1
            {
                boards.push(position.board);
            }
        }
        if endings.values().all(|boards| boards.len() >= wanted) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    endings
}

/// The median, mean and maximum of some counts; `None` if there are none.
fn summary(nodes: &mut [u64]) -> Option<(f64, f64, f64)> {
    nodes.sort_unstable();
    let (&most, count) = (nodes.last()?, nodes.len());
    let median = (nodes[(count - 1) / 2] as f64 + nodes[count / 2] as f64) / 2.0;
    let mean = nodes.iter().map(|&nodes| nodes as f64).sum::<f64>() / count as f64;
    Some((median, mean, most as f64))
}

#[cfg(test)]
mod tests {
    use engine::Stop;

    use super::*;
    use crate::experiments::rehearsal;

    #[test]
    fn counts_are_summed_up_as_by_hand() {
        assert_eq!(summary(&mut [5, 1, 3]), Some((3.0, 3.0, 5.0)));
        assert_eq!(summary(&mut [10, 1, 2, 3]), Some((2.5, 4.0, 10.0)));
        assert_eq!(summary(&mut []), None);
    }

    #[test]
    fn every_number_of_empty_squares_has_its_positions() {
        let stop = Stop::new();
        let mut setup = rehearsal::setup(&stop);
        for (empty_count, boards) in endings(&setup, 12, 3) {
            assert_eq!(boards.len(), 3);
            assert!(boards.iter().all(|board| board.empty_count() == empty_count && board.moves().count_ones() > 1));
        }
        let report = at_scale(&mut setup, 10, 2).unwrap();
        assert_eq!(report.tables[0].rows.len(), 3);
        stop.set();
        assert_eq!(at_scale(&mut setup, 10, 2), Err(ExperimentError::Stopped));
    }
}
