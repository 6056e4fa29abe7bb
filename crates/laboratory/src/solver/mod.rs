//! Experiments with the endgame solver: its work by the number of empty squares, the costs and gains of threads.

mod estimates;
pub(crate) mod growth;
mod positions;
pub(crate) mod threads;

use control::{Control, Stop};
use evaluation::EvaluatedBoard;
use othello::Board;
use search::{HashTable, SearchReport, Searcher};
use serde::{Deserialize, Serialize};

use crate::{ExperimentError, Result, Setup};

/// The hash table of the solver, in MB: that of `emilia solve`.
const TABLE: usize = 256;

/// Emilia's solver.
pub type Solver = Searcher<<Board as EvaluatedBoard>::Shipped>;

/// A solver with this number of threads.
pub fn solver(threads: usize) -> Result<Solver> {
    let failed = |reason: String| ExperimentError::Player { player: "the solver".to_owned(), reason };
    let table = HashTable::new(TABLE).map_err(|error| failed(error.to_string()))?;
    Ok(Searcher::new(Board::shipped(), table, threads))
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Cost {
    nodes: u64,
    seconds: f64,
}

/// Solves a position, without the results of earlier ones; a part of the experiment with this key.
fn solve(setup: &mut Setup<'_>, key: &str, solver: &Solver, board: &Board) -> Result<Cost> {
    setup.part(key, |setup| {
        let report = solution(solver, board, setup.stop)?;
        Ok(Cost { nodes: report.nodes, seconds: report.elapsed.as_secs_f64() })
    })
}

/// The solution of a position, without the results of earlier ones.
pub fn solution(solver: &Solver, board: &Board, stop: &Stop) -> Result<SearchReport> {
    solver.table.clear();
    let control = Control::new().with_stop(stop.clone());
    let report = solver.solve(board, &control);
    if control.is_stopped() { Err(ExperimentError::Stopped) } else { Ok(report) }
}
