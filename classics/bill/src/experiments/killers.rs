//! The savings of the hash and killer tables (sections 3.1 and 3.2).

use crate::player::BillSettings;
use othello::Board;

use super::iterations::{Cost, Variant, costs, positions};
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "bill-killers";

/// The plies of a search, as in the paper.
const PLIES: u32 = 8;
/// The numbers of empty squares, and the number of positions for each.
const EMPTIES: [u32; 4] = [44, 38, 32, 26];
const POSITIONS: usize = 25;
const QUICK_POSITIONS: usize = 3;

/// The variants, the default first, with the paper's figures: time relative to the first, and branching factor.
fn variants() -> [(Variant, [&'static str; 2]); 5] {
    let both = BillSettings::default();
    let variant = Variant::new;
    [
        (variant("hash and killer tables", both), ["1", "3.60"]),
        (variant("the hash table only", BillSettings { killers: false, ..both }), ["-", "-"]),
        (variant("the killer table only", BillSettings { hash_moves: false, ..both }), ["-", "-"]),
        (variant("neither", BillSettings { killers: false, hash_moves: false, ..both }), ["7", "4.26"]),
        (variant("both, without iterative deepening", BillSettings { deepening: false, ..both }), ["more", "-"]),
    ]
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, PLIES, if setup.is_quick { QUICK_POSITIONS } else { POSITIONS })
}

fn at_scale(setup: &mut Setup<'_>, plies: u32, wanted: usize) -> Result<Report, ExperimentError> {
    let boards: Vec<Board> = positions(setup, &EMPTIES, wanted)?.into_iter().map(|(_, board)| board).collect();
    let costs = costs(setup, &boards, plies, &variants().map(|(variant, _)| variant))?;
    let title = format!("Searches of {plies} plies by iterative deepening, {} positions", boards.len());
    let columns = [
        "moves are ordered by",
        "nodes",
        "relative to the first",
        "time, relative to the first",
        "paper",
        "branching",
        "paper",
    ];
    let mut table = Table::new(title, &columns);
    let mut figure = Figure::new("bill-killers", "Nodes of an iteration", "plies", "nodes per position");
    figure.is_logarithmic = true;
    for ((variant, [factor, branching]), cost) in variants().into_iter().zip(&costs) {
        let [nodes, time] = times(cost, &costs[0]).map(|times| format!("{times:.2}"));
        let found = cost.branching().map_or("-".to_owned(), |branching| format!("{branching:.2}"));
        let total = format!("{:.0}", cost.total() / boards.len().max(1) as f64);
        table.row([variant.name, &total, &nodes, &time, factor, &found, branching]);
        if variant.settings.deepening {
            figure.line(variant.name, curve(cost, boards.len()));
        }
    }
    let mut report = Report { tables: vec![table], figures: vec![figure], ..Report::of(NAME) };
    report.note(
        "Nodes are averages per position. The branching factor is the factor by which each additional ply multiplies \
         the nodes of an iteration, over the last four plies. Without the killer table, moves are tried \
         square by square from a1 to h8, which amounts to no ordering; the paper does not say what order it used, \
         and its factor is lower. Its figures are for BILL 1.0, whose evaluation was linear; ours are for BILL 2.0.",
    );
    Ok(report)
}

/// Nodes and time relative to another search.
fn times(cost: &Cost, other: &Cost) -> [f64; 2] {
    [cost.total() / other.total(), cost.time.as_secs_f64() / other.time.as_secs_f64()]
}

/// The average nodes of the iterations per position.
fn curve(cost: &Cost, positions: usize) -> Vec<(f64, f64)> {
    let point = |(index, &nodes): (usize, &u64)| ((index + 1) as f64, nodes as f64 / positions.max(1) as f64);
    cost.nodes.iter().enumerate().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn either_table_saves_nodes_and_both_save_most() {
        let report = rehearsal::run(classics::registry(), |setup| at_scale(setup, 6, 1), false).unwrap();
        let factors: Vec<f64> = report.tables[0].rows.iter().map(|row| row[2].parse().unwrap()).collect();
        assert_eq!(factors[0], 1.0);
        assert!(factors[1] > 1.0 && factors[2] > 1.0 && factors[3] > factors[1].max(factors[2]), "{factors:?}");
        let branching = |row: usize| report.tables[0].rows[row][5].parse::<f64>().unwrap();
        assert!(branching(0) < branching(3));
        assert_eq!(report.figures[0].series.len(), 4);
        assert_eq!(
            rehearsal::run(classics::registry(), |setup| at_scale(setup, 6, 1), true),
            Err(ExperimentError::Stopped)
        );
    }
}
