//! Effective branching factors through the game (sections 3.2 and 6.2).

use crate::player::BillSettings;
use othello::Board;

use super::iterations::{Variant, costs, mean_moves, positions};
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "bill-branching";

/// The plies of a search.
const PLIES: u32 = 8;
/// The numbers of empty squares, and the number of positions for each.
const EMPTIES: [u32; 6] = [48, 42, 36, 30, 24, 18];
const POSITIONS: usize = 30;
const QUICK_POSITIONS: usize = 8;

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, PLIES, if setup.is_quick { QUICK_POSITIONS } else { POSITIONS })
}

fn at_scale(setup: &mut Setup<'_>, plies: u32, wanted: usize) -> Result<Report, ExperimentError> {
    let positions = positions(setup, &EMPTIES, wanted)?;
    let variant = [Variant::new("default", BillSettings::default())];
    let title = format!("Searches of {plies} plies, up to {wanted} positions for each number of empty squares");
    let columns = ["empty squares", "legal moves", "nodes per position", "branching factor", "paper"];
    let mut table = Table::new(title, &columns);
    let (mut effective, mut legal) = (Vec::new(), Vec::new());
    let mut of_square_root = Vec::new();
    for empty_count in EMPTIES {
        let of_count = |&(count, board): &(u32, Board)| (count == empty_count).then_some(board);
        let boards: Vec<Board> = positions.iter().filter_map(of_count).collect();
        let cost = &costs(setup, &boards, plies, &variant)?[0];
        let moves = mean_moves(&boards);
        let branching = cost.branching().unwrap_or(f64::NAN);
        let nodes = cost.total() / boards.len().max(1) as f64;
        let cells = [empty_count.to_string(), format!("{moves:.1}"), format!("{nodes:.0}"), format!("{branching:.2}")];
        table.row(cells.into_iter().chain(["3.4 to 3.7".to_owned()]));
        of_square_root.push(branching / moves.sqrt());
        effective.push((f64::from(empty_count), branching));
        legal.push((f64::from(empty_count), moves));
    }
    let title = "Branching through the game";
    let mut figure = Figure::new("bill-branching", title, "empty squares", "legal moves, growth per ply");
    figure.line("legal moves", legal);
    figure.line("effective branching factor", effective);
    let mut report = Report { tables: vec![table], figures: vec![figure], ..Report::of(NAME) };
    let [least, most] =
        [f64::min, f64::max].map(|choose| of_square_root.iter().copied().reduce(choose).unwrap_or(f64::NAN));
    report.note(format!(
        "The paper has 3.60 with hash and killer tables, and elsewhere \"ranging from about 3.4 to 3.7\". Ours is \
         the factor by which each additional ply multiplies the nodes of an iteration, over the last four plies. It \
         is {least:.2} to {most:.2} times the square root of the number of legal moves at the root, which is the \
         minimum for alpha-beta with perfect move ordering if positions further down have as many moves.",
    ));
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn every_number_of_empty_squares_has_its_factor() {
        let report = rehearsal::run(classics::registry(), |setup| at_scale(setup, 6, 1), false).unwrap();
        for (row, empty_count) in report.tables[0].rows.iter().zip(EMPTIES) {
            assert_eq!(row[0], empty_count.to_string());
            let [legal, effective]: [f64; 2] = [1, 3].map(|column| row[column].parse().unwrap());
            assert!(legal >= 2.0 && effective > 1.0, "{row:?}");
        }
    }
}
