//! Experiments with the endgame solver: how its work grows with the number of empty squares, and what threads cost and
//! gain.

mod estimates;
pub(crate) mod growth;
mod positions;
pub(crate) mod threads;

use engine::Stop;
use evaluation::EvaluatedBoard;
use othello::Board;
use search::{Control, Report, Searcher, Table};

use super::ExperimentError;

/// The hash table of the solver, in MB: that of `emilia solve`.
const TABLE: usize = 256;

type Solver = Searcher<<Board as EvaluatedBoard>::Shipped>;

/// A solver with this number of threads.
fn solver(threads: usize) -> Result<Solver, ExperimentError> {
    let failed = |reason: String| ExperimentError::Player { player: "the solver".to_owned(), reason };
    let table = Table::new(TABLE).map_err(|error| failed(error.to_string()))?;
    Ok(Searcher::new(Board::shipped(), table, threads))
}

/// Solves a position, without the results of earlier ones.
fn solve(solver: &Solver, board: &Board, stop: &Stop) -> Result<Report, ExperimentError> {
    solver.table.clear();
    let control = Control::new().with_stop(stop.clone());
    let report = solver.solve(board, &control);
    if control.is_stopped() { Err(ExperimentError::Stopped) } else { Ok(report) }
}
