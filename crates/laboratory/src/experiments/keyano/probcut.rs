//! The value of multi-ProbCut, and of parity: Brockington 1997, Table 2 and section 3.1.

use engine::{Limits, Player, Silent};
use heritage::keyano::{Keyano, ProbCut, Settings};
use othello::{Board, Color, Game, Position};

use super::score;
use crate::experiments::duel::{elo, result};
use crate::experiments::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "keyano-probcut";

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    /// Pairs of games of each match: the paper has 35.
    pairs: u32,
    /// Nodes per move: the paper has 512,000.
    nodes: u64,
    /// Positions on which the depths are compared.
    positions: usize,
}

const FULL: Scale = Scale { pairs: 100, nodes: 100_000, positions: 20 };
const QUICK: Scale = Scale { pairs: 20, nodes: 20_000, positions: 10 };

/// The nodes per move in the paper, used to compare depths.
const NODES_OF_THE_PAPER: u64 = 512_000;

/// A match: the settings of the second player, its share of the nodes in percent, and how the first fared in the paper.
struct Match {
    name: &'static str,
    second: &'static str,
    percent: u64,
    paper: &'static str,
}

const MATCHES: [Match; 4] = [
    Match { name: "multi-ProbCut - no ProbCut", second: "probcut=off", percent: 100, paper: "67.2% (34.7 - 29.3)" },
    Match { name: "multi-ProbCut - ProbCut", second: "probcut=single", percent: 100, paper: "64.2% (33.8 - 30.2)" },
    // Parity takes 15% of the time there, for which the opponent gets more nodes.
    Match {
        name: "parity - no parity, 15% more nodes",
        second: "parity=off",
        percent: 115,
        paper: "57.9% (40.5 of 70)",
    },
    Match { name: "parity - no parity, same nodes", second: "parity=off", percent: 100, paper: "" },
];

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL }, NODES_OF_THE_PAPER)
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale, nodes_of_depths: u64) -> Result<Report, ExperimentError> {
    let Scale { pairs, nodes, positions } = scale;
    let title = format!("Matches of {} games with {nodes} nodes per move", 2 * pairs);
    let columns = ["first - second", "paper, 70 games", "ours", "won-drawn-lost", "Elo, 95% interval"];
    let mut table = Table::new(title, &columns);
    for Match { name, second, percent, paper } in MATCHES {
        let other_nodes = nodes * percent / 100;
        let tally =
            setup.duel(&format!("keyano@nodes={nodes}"), &format!("keyano@nodes={other_nodes},{second}"), pairs)?;
        table.row([name.to_owned(), paper.to_owned(), score(&tally), result(&tally), elo(&tally)]);
    }
    let boards = setup.midgames(positions)?;
    let title = format!("Depth reached with {nodes_of_depths} nodes, mean of {} positions", boards.len());
    let mut depths = Table::new(title, &["", "paper", "ours"]);
    let mut reached = Vec::new();
    for (name, probcut) in
        [("no ProbCut", ProbCut::Off), ("ProbCut", ProbCut::Single), ("multi-ProbCut", ProbCut::Multi)]
    {
        (setup.progress)(&format!("depths, {name}"));
        let depth = mean_depth(setup, &Settings { probcut, ..Settings::default() }, &boards, nodes_of_depths)?;
        depths.row([name.to_owned(), String::new(), format!("{depth:.1}")]);
        reached.push(depth);
    }
    let further = reached[2] - reached[0];
    depths.row(["additional depth of multi-ProbCut".to_owned(), "4".to_owned(), format!("{further:.1}")]);
    let mut report = Report { tables: vec![table, depths], ..Report::of(NAME) };
    report.note(format!(
        "In the paper both sides have {NODES_OF_THE_PAPER} nodes per move. A single level, which replaces eight \
         plies by four, cuts nothing before the ninth ply: with so few nodes that the search ends there, it plays as \
         it does without ProbCut.",
    ));
    report.note(
        "In the paper parity took 15% of the time, and the opponent got 15% more nodes in return. Ours takes less; the \
         experiment `rivals` has the result at equal time. A handicap of 15% offsets about all that parity gains here.",
    );
    Ok(report)
}

/// The mean depth of the last iteration that was begun.
fn mean_depth(
    setup: &mut Setup<'_>,
    settings: &Settings,
    boards: &[Board],
    nodes: u64,
) -> Result<f64, ExperimentError> {
    let failed =
        |error: &dyn ToString| ExperimentError::Player { player: "keyano".to_owned(), reason: error.to_string() };
    let mut keyano = Keyano::new(*settings);
    let mut sum = 0;
    for &board in boards {
        keyano.new_game().map_err(|error| failed(&error))?;
        let game = Game::from_position(Position { board, turn: Color::Black });
        let choice = keyano.choose(&game, &Limits::of_nodes(nodes), &mut Silent, setup.stop);
        sum += choice.map_err(|error| failed(&error))?.depth;
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
    }
    Ok(f64::from(sum) / boards.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::rehearsal::rehearse;

    #[test]
    fn every_match_is_played_and_probcut_searches_deeper() {
        let scale = Scale { pairs: 1, nodes: 1000, positions: 3 };
        let report = rehearse(|setup| at_scale(setup, scale, 20_000)).unwrap();
        assert_eq!(report.tables[0].rows.len(), 4);
        let further: f64 = report.tables[1].rows[3][2].parse().unwrap();
        assert!(further > 0.0, "{further}");
    }
}
