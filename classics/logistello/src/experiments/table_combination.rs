//! The savings from folding everything about a line into one table: Buro 1997, "Speed vs. Space".

use std::hint::black_box;

use crate::player::indices::Indices;
use crate::player::patterns::{CORNER_2X4, EDGE, LINE_COUNT, PLACES, PLACES_OF};
use crate::player::{Form, Logistello, LogistelloPlayer, LogistelloSettings, Tables};
use ::evaluation::Evaluation;
use engine::{Limits, Options, Player, Silent};
use othello::{Board, Color, Game, Position};

use super::player_error;
use laboratory::speed::Speed;
use laboratory::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "logistello-tables";

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    /// The number of positions that are searched.
    positions: usize,
    /// The search depth.
    depth: u32,
    /// The number of rounds, alternating between the variants.
    rounds: usize,
}

const FULL: Scale = Scale { positions: 20, depth: 9, rounds: 15 };
const QUICK: Scale = Scale { positions: 10, depth: 7, rounds: 9 };

/// Number of evaluations of all positions in one round.
const PASSES: usize = 200;

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report, ExperimentError> {
    let boards = setup.midgames(scale.positions)?;
    let forms = [true, false].map(|combined| Form { combined, probcut: false, ..Form::default() });
    let evaluations = forms.map(|form| Logistello::new(&Tables::shipped(), form));
    let mut players = Vec::new();
    for form in forms {
        let options = Options { table_megabytes: 16, threads: 1, default_level: None, seed: setup.seed };
        let player = LogistelloPlayer::new(&LogistelloSettings { form, historical: false }, &options);
        let failed = |error: engine::HashTableError| player_error(&error);
        players.push(player.map_err(failed)?);
    }
    let indices: Vec<Indices> = boards.iter().map(Indices::of).collect();
    let mut leaves = [Speed::default(); 2];
    let mut trees = [vec![Speed::default(); boards.len()], vec![Speed::default(); boards.len()]];
    for round in 1..=scale.rounds {
        (setup.progress)(&format!("round {round} of {}", scale.rounds));
        for (speed, evaluation) in leaves.iter_mut().zip(&evaluations) {
            speed.measure(|| evaluate_all(evaluation, &boards, &indices));
        }
        for (number, &board) in boards.iter().enumerate() {
            let game = Game::from_position(Position { board, turn: Color::Black });
            for (player, speeds) in players.iter_mut().zip(&mut trees) {
                // Results of another round must not help.
                player.new_game().map_err(|error| player_error(&error))?;
                let mut nodes = Ok(0);
                speeds[number].measure(|| {
                    let choice = player.choose(&game, &Limits::of_depth(scale.depth), &mut Silent, setup.stop);
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
    let columns = ["", "paper", "combined, per second", "separate, per second", "combined is faster by"];
    let mut table = Table::new("One folded table per line against three tables and their weights", &columns);
    let mut row = |name: String, paper: &str, speeds: [f64; 2]| {
        let [combined, separate] = speeds.map(|speed| format!("{:.2} million", speed / 1e6));
        let gain = format!("{:.0}%", 100.0 * (speeds[0] / speeds[1] - 1.0));
        table.row([name, paper.to_owned(), combined, separate, gain]);
    };
    row("evaluations".to_owned(), "", leaves.map(|speed| Speed::per_second(&[speed])));
    let searches = format!("nodes of a search of {} plies", scale.depth);
    row(searches, "about 75%", trees.map(|speeds| Speed::per_second(&speeds)));
    let mut report = Report { tables: vec![table], ..Report::of(NAME) };
    report.note(format!(
        "{} midgame positions, both variants alternately {} times, the shortest time of each; without ProbCut. A \
         position takes {} look-ups with folded tables and {} otherwise.",
        boards.len(),
        scale.rounds,
        // Edges and 2x4 corners are folded into larger patterns.
        PLACES.len() - (PLACES_OF[EDGE + 1] - PLACES_OF[EDGE]) - (PLACES_OF[CORNER_2X4 + 1] - PLACES_OF[CORNER_2X4]),
        // Mobility and potential mobility of each line, and the value of each place.
        2 * LINE_COUNT + PLACES.len(),
    ));
    report.note(
        "The paper's figure is for its whole search. In ours the evaluation is only part of the work, besides \
         generating moves, ordering them and hash table look-ups: the first row is for the evaluation alone.",
    );
    Ok(report)
}

/// Evaluates all boards many times and returns the number of evaluations.
fn evaluate_all(evaluation: &Logistello, boards: &[Board], indices: &[Indices]) -> u64 {
    for _ in 0..PASSES {
        for (board, indices) in boards.iter().zip(indices) {
            black_box(evaluation.evaluate(black_box(board), black_box(indices)));
        }
    }
    (PASSES * boards.len()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal::rehearse;

    #[test]
    fn both_ways_are_measured() {
        let report =
            rehearse(classics::registry(), |setup| at_scale(setup, Scale { positions: 2, depth: 2, rounds: 1 }))
                .unwrap();
        assert_eq!(report.tables[0].rows.len(), 2);
        assert!(report.tables[0].rows.iter().flatten().all(|cell| !cell.contains("NaN")));
        assert!(report.notes[0].contains("50 look-ups with folded tables and 130 otherwise"), "{:?}", report.notes);
    }
}
