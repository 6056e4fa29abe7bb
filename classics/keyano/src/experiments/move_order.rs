//! The quality of move ordering: Brockington 1997, section 2.1.

use crate::player::{OrderQuality, Settings};

use super::trees::{DEPTH, POSITIONS, QUICK_DEPTH, Tree, fixed_depth, search_all};
use laboratory::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "keyano-ordering";

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, POSITIONS, if setup.is_quick { QUICK_DEPTH } else { DEPTH })
}

fn at_scale(setup: &mut Setup<'_>, positions: usize, depth: u32) -> Result<Report, ExperimentError> {
    let boards = setup.midgames(positions)?;
    let title = format!("Move ordering in searches of {depth} plies, {} positions", boards.len());
    let columns = ["", "moves per cut node", "best move first", "range over positions", "nodes"];
    let mut table = Table::new(title, &columns);
    table.row(["paper, 10 plies", "1.10", "89% - 93%", "", "974614"]);
    let all = fixed_depth();
    for (name, settings) in [
        ("all heuristics", all),
        ("without killers", Settings { killers: false, ..all }),
        ("without history", Settings { history: false, ..all }),
        ("without the table", Settings { table: None, ..all }),
    ] {
        let trees = search_all(setup, name, &settings, &boards, depth)?;
        let sum = trees.iter().fold(OrderQuality::default(), |sum, tree| added(sum, tree.order));
        let of_single = trees.iter().map(|tree| first_was_best(&tree.order));
        let (low, high) = of_single.fold((f64::MAX, f64::MIN), |(low, high), share| (low.min(share), high.max(share)));
        table.row([
            name.to_owned(),
            format!("{:.2}", moves_a_cut(&sum)),
            format!("{:.1}%", first_was_best(&sum)),
            format!("{low:.0}% - {high:.0}%"),
            format!("{:.0}", trees.iter().map(|tree: &Tree| tree.nodes as f64).sum::<f64>() / trees.len() as f64),
        ]);
    }
    let mut report = Report { tables: vec![table], ..Report::of(NAME) };
    report.note(
        "A cut node is one in which a move reached beta; the best move is known where one exceeded alpha. Nodes of \
         all iterations are counted, except those answered by the table.",
    );
    Ok(report)
}

fn added(sum: OrderQuality, more: OrderQuality) -> OrderQuality {
    OrderQuality {
        cut_nodes: sum.cut_nodes + more.cut_nodes,
        cut_moves: sum.cut_moves + more.cut_moves,
        decided: sum.decided + more.decided,
        first_was_best: sum.first_was_best + more.first_was_best,
    }
}

/// The moves searched at a node that was cut off.
fn moves_a_cut(order: &OrderQuality) -> f64 {
    order.cut_moves as f64 / order.cut_nodes as f64
}

/// Frequency of the best move as the first, in percent.
fn first_was_best(order: &OrderQuality) -> f64 {
    100.0 * order.first_was_best as f64 / order.decided as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal::rehearse;

    #[test]
    fn shares_are_those_of_all_positions_together() {
        let one = OrderQuality { cut_nodes: 10, cut_moves: 12, decided: 20, first_was_best: 19 };
        let sum = added(one, OrderQuality { cut_nodes: 30, cut_moves: 38, decided: 30, first_was_best: 21 });
        assert_eq!((moves_a_cut(&sum), first_was_best(&sum)), (1.25, 80.0));
    }

    #[test]
    fn every_heuristic_is_left_out_once() {
        let report = rehearse(classics::registry(), |setup| at_scale(setup, 2, 5)).unwrap();
        assert_eq!(report.tables[0].rows.len(), 5);
        let moves: f64 = report.tables[0].rows[1][1].parse().unwrap();
        assert!((1.0..2.0).contains(&moves), "{moves}");
        let nodes = |row: usize| report.tables[0].rows[row][4].parse::<u64>().unwrap();
        assert!((2..5).all(|row| nodes(row) != nodes(1)), "{:?}", report.tables[0].rows);
        assert!(nodes(4) > nodes(1), "the table saves nodes");
    }
}
