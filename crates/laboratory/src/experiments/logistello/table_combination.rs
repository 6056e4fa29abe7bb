//! The savings from folding everything about a line into one table: Buro 1997, "Speed vs. Space".

use std::hint::black_box;
use std::time::Duration;

use ::evaluation::Evaluation;
use engine::clock::Moment;
use engine::{Limits, Options, Player, Silent};
use heritage::logistello::indices::Indices;
use heritage::logistello::{Form, Logistello, LogistelloPlayer, LogistelloSettings, Tables};
use othello::{Board, Color, Game, Position};

use crate::experiments::{ExperimentError, Report, Setup, Table};

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

/// How often all positions are evaluated in one round.
const PASSES: usize = 200;

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

/// The work of one variant and its shortest time: other load on the machine only makes it longer.
#[derive(Clone, Copy, Debug, Default)]
struct Speed {
    count: u64,
    shortest: Option<Duration>,
}

impl Speed {
    fn measure(&mut self, work: impl FnOnce() -> u64) {
        let start = Moment::now();
        self.count = work();
        let elapsed = start.elapsed();
        self.shortest = Some(self.shortest.map_or(elapsed, |shortest| shortest.min(elapsed)));
    }

    /// The work per second.
    fn per_second(speeds: &[Speed]) -> f64 {
        let count: u64 = speeds.iter().map(|speed| speed.count).sum();
        let time: Duration = speeds.iter().filter_map(|speed| speed.shortest).sum();
        count as f64 / time.as_secs_f64()
    }
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report, ExperimentError> {
    let boards = setup.midgames(scale.positions)?;
    let forms = [true, false].map(|combined| Form { combined, probcut: false, ..Form::default() });
    let evaluations = forms.map(|form| Logistello::new(&Tables::shipped(), form));
    let mut players = Vec::new();
    for form in forms {
        let options = Options { table_megabytes: 16, threads: 1, usual_level: None, seed: setup.seed };
        let player = LogistelloPlayer::new(&LogistelloSettings { form, historical: false }, &options);
        let failed = |error: engine::TableError| player_error(&error);
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
         position takes 50 look-ups with folded tables and 130 otherwise.",
        boards.len(),
        scale.rounds,
    ));
    report.note(
        "The paper's figure is for its whole search. In ours the evaluation is only part of the work, besides \
         generating moves, ordering them and hash table look-ups: the first row is for the evaluation alone.",
    );
    Ok(report)
}

fn player_error(error: &dyn ToString) -> ExperimentError {
    ExperimentError::Player { player: "logistello".to_owned(), reason: error.to_string() }
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
    use crate::experiments::rehearsal::rehearse;

    #[test]
    fn speed_is_all_work_by_the_sum_of_the_shortest_times() {
        let speed = |count, milliseconds| Speed { count, shortest: Some(Duration::from_millis(milliseconds)) };
        assert!((Speed::per_second(&[speed(300, 100), speed(100, 300)]) - 1000.0).abs() < 1e-9);
        let mut measured = speed(1, 0);
        measured.measure(|| 7);
        assert_eq!((measured.count, measured.shortest), (7, Some(Duration::ZERO)));
    }

    #[test]
    fn both_ways_are_measured() {
        let report = rehearse(|setup| at_scale(setup, Scale { positions: 2, depth: 2, rounds: 1 })).unwrap();
        assert_eq!(report.tables[0].rows.len(), 2);
        assert!(report.tables[0].rows.iter().flatten().all(|cell| !cell.contains("NaN")));
    }
}
