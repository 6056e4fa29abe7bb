//! Taking corners at the leaves before they are evaluated: Buro 1997, "Patterns".

use crate::player::{Form, LogistelloPlayer, LogistelloSettings};
use engine::{Limits, Options, Player, Silent};
use othello::{Color, Game, Position};

use super::player_error;
use laboratory::duel::{elo, result};
use laboratory::speed::Speed;
use laboratory::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "logistello-quiescence";

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    pairs: u32,
    nodes: &'static [u64],
    /// Positions whose searches are timed, their nodes, and how often.
    positions: usize,
    timed_nodes: u64,
    rounds: usize,
}

const FULL: Scale = Scale { pairs: 100, nodes: &[500, 5000, 20_000], positions: 20, timed_nodes: 100_000, rounds: 9 };
const QUICK: Scale = Scale { pairs: 20, nodes: &[2000], positions: 5, timed_nodes: 20_000, rounds: 3 };

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report, ExperimentError> {
    let slower = slowdown(setup, scale)?;
    let title = format!("With quiescence against without, {} games each", 2 * scale.pairs);
    let columns = ["nodes per move, with", "without", "paper", "won-drawn-lost", "Elo, 95% interval"];
    let mut table = Table::new(title, &columns);
    for &nodes in scale.nodes {
        // The positions of the quiescence search are not counted as nodes: once for equal nodes, once for equal time.
        for other in [nodes, (nodes as f64 * slower).round() as u64] {
            let first = format!("logistello@nodes={nodes},quiescence=on");
            let tally = setup.duel(&first, &format!("logistello@nodes={other}"), scale.pairs)?;
            let paper = "can help in extreme cases".to_owned();
            table.row([nodes.to_string(), other.to_string(), paper, result(&tally), elo(&tally)]);
        }
    }
    let mut report = Report { tables: vec![table], ..Report::of(NAME) };
    report.note(format!(
        "At a leaf where a corner can be taken, the value is the better one of the position as it is and of the position \
         after the corner, where the opponent may take corners in turn. The time of a node changes by {:+.0}% with it; in the \
         second row of each pair the nodes of the opponent change as much. The setting is off by default: the paper does not say \
         whether LOGISTELLO has it.",
        100.0 * (slower - 1.0),
    ));
    Ok(report)
}

/// The time of a node with quiescence in units of that without.
fn slowdown(setup: &mut Setup<'_>, scale: Scale) -> Result<f64, ExperimentError> {
    let boards = setup.midgames(scale.positions)?;
    let mut players = Vec::new();
    for quiescence in [true, false] {
        let settings = LogistelloSettings { form: Form { quiescence, ..Form::default() }, historical: false };
        let options = Options { table_megabytes: 16, threads: 1, default_level: None, seed: setup.seed };
        players.push(LogistelloPlayer::new(&settings, &options).map_err(|error| player_error(&error))?);
    }
    let mut speeds = [vec![Speed::default(); boards.len()], vec![Speed::default(); boards.len()]];
    for round in 1..=scale.rounds {
        (setup.progress)(&format!("time of quiescence, round {round} of {}", scale.rounds));
        for (number, &board) in boards.iter().enumerate() {
            let game = Game::from_position(Position { board, turn: Color::Black });
            for (player, speeds) in players.iter_mut().zip(&mut speeds) {
                player.new_game().map_err(|error| player_error(&error))?;
                let mut nodes = Ok(0);
                speeds[number].measure(|| {
                    let choice = player.choose(&game, &Limits::of_nodes(scale.timed_nodes), &mut Silent, setup.stop);
                    nodes = choice.map(|choice| choice.nodes).map_err(|error| player_error(&error));
                    *nodes.as_ref().unwrap_or(&0)
                });
                nodes?;
            }
            if setup.stop.is_set() {
                return Err(ExperimentError::Stopped);
            }
        }
    }
    let [with, without] = speeds.map(|speeds| Speed::per_second(&speeds));
    Ok(without / with)
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal::rehearse;

    #[test]
    fn every_limit_is_played_with_equal_nodes_and_with_equal_time() {
        let scale = Scale { pairs: 1, nodes: &[200, 400], positions: 2, timed_nodes: 2000, rounds: 1 };
        let report = rehearse(classics::registry(), |setup| at_scale(setup, scale)).unwrap();
        let rows = &report.tables[0].rows;
        assert_eq!(rows.len(), 4);
        assert!(rows.iter().step_by(2).all(|row| row[0] == row[1]), "{rows:?}");
    }
}
