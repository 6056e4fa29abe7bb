//! The savings of zero windows (section 3.3).

use crate::player::BillSettings;
use othello::Board;

use super::iterations::{Cost, Variant, costs, mean_moves, positions};
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "bill-zero-window";

/// The deepest search, and the shallowest that is shown.
const PLIES: u32 = 8;
const FIRST_SHOWN: u32 = 3;
/// The paper's time relative to alpha-beta, in percent.
const PAPER: f64 = 63.0;
/// The numbers of empty squares, and the number of positions for each.
const EMPTIES: [u32; 4] = [44, 38, 32, 26];
const POSITIONS: usize = 50;
const QUICK_POSITIONS: usize = 8;

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, PLIES, if setup.is_quick { QUICK_POSITIONS } else { POSITIONS })
}

fn at_scale(setup: &mut Setup<'_>, plies: u32, wanted: usize) -> Result<Report, ExperimentError> {
    let boards: Vec<Board> = positions(setup, &EMPTIES, wanted)?.into_iter().map(|(_, board)| board).collect();
    let settings = BillSettings::default();
    let variants = [
        Variant::new("zero windows", settings),
        Variant::new("alpha-beta", BillSettings { zero_window: false, ..settings }),
        Variant { is_narrow: false, ..Variant::new("zero windows, the first move with an open one", settings) },
    ];
    let costs = costs(setup, &boards, plies, &variants)?;
    let (zero, open, not_narrow) = (&costs[0], &costs[1], &costs[2]);
    let title = format!("Zero windows and plain alpha-beta with the same tables, {} positions", boards.len());
    let mut table = Table::new(title, &["plies", "nodes: zero windows", "nodes: alpha-beta", "share", "paper"]);
    for depth in FIRST_SHOWN..=plies {
        let [ours, theirs] = [zero, open].map(|cost| cost.nodes[depth as usize - 1]);
        table.row([depth.to_string(), ours.to_string(), theirs.to_string(), percent(ours, theirs), "-".to_owned()]);
    }
    let [ours, theirs] = [zero, open].map(|cost| cost.nodes.iter().sum::<u64>());
    let all = "all iterations".to_owned();
    table.row([all, ours.to_string(), theirs.to_string(), percent(ours, theirs), "-".to_owned()]);
    let [ours, theirs] = [zero, open].map(|cost| cost.time.as_millis() as u64);
    let time = "total time, in ms".to_owned();
    table.row([time, ours.to_string(), theirs.to_string(), percent(ours, theirs), format!("{PAPER:.0}%")]);
    let mut figure =
        Figure::new("bill-zero-window", "Nodes of zero-window search relative to alpha-beta", "plies", "percent");
    figure.line("ours", shares(zero, open));
    figure.line("paper (time)", vec![(f64::from(FIRST_SHOWN), PAPER), (f64::from(plies), PAPER)]);
    let mut report = Report { tables: vec![table], figures: vec![figure], ..Report::of(NAME) };
    report.note(
        "Both use hash and killer tables and iterative deepening; with these, the paper says, zero-window \
         search takes 63% as much time as alpha-beta.",
    );
    let branching = zero.branching().unwrap_or(f64::NAN);
    let moves = mean_moves(&boards);
    let caveat = if branching < moves.sqrt() { ", which they have not: ours is below it" } else { "" };
    let [share, share_open] = [zero, not_narrow].map(|cost| 100.0 * cost.total() / open.total());
    // The part that the window has in the difference from the paper.
    let reason = match (share - share_open) / (share - PAPER) {
        _ if share <= PAPER => "no loss",
        part if part < 0.25 => "not the reason",
        part if part < 0.75 => "a part of the reason",
        _ => "the reason",
    };
    report.note(format!(
        "Ours visit {share:.1}% of the nodes of alpha-beta. The narrow window around the expected value of the first move \
         is {reason}: with an open window they visit {share_open:.1}%. Alpha-beta with these tables leaves little to \
         save: BILL's branching factor was 3.60, ours is {branching:.2}, which is {:.2} times the square root of the {moves:.1} \
         legal moves of these positions. That root, {:.2}, is the minimum for alpha-beta with perfect move ordering if positions \
         further down have as many moves{caveat}. Moreover, the hash table stores moves without \
         values, so a move that turns out to be better is searched again in full.",
        branching / moves.sqrt(),
        moves.sqrt(),
    ));
    Ok(report)
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.0}%", 100.0 * part as f64 / whole as f64) }
}

/// The share of the nodes of each iteration, in percent.
fn shares(zero: &Cost, open: &Cost) -> Vec<(f64, f64)> {
    let pairs = zero.nodes.iter().zip(&open.nodes).enumerate().skip(FIRST_SHOWN as usize - 1);
    pairs.map(|(index, (&ours, &theirs))| ((index + 1) as f64, 100.0 * ours as f64 / theirs as f64)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn shares_are_of_the_same_iteration() {
        let cost = |nodes: [u64; 4]| Cost { nodes: nodes.to_vec(), ..Cost::default() };
        assert_eq!(shares(&cost([9, 9, 30, 50]), &cost([9, 9, 40, 200])), [(3.0, 75.0), (4.0, 25.0)]);
        assert_eq!((percent(63, 100), percent(1, 0)), ("63%".to_owned(), "-".to_owned()));
    }

    #[test]
    fn every_iteration_is_counted_both_ways() {
        let report = rehearsal::run(classics::registry(), |setup| at_scale(setup, 6, 1), false).unwrap();
        let rows = &report.tables[0].rows;
        let firsts: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(firsts, ["3", "4", "5", "6", "all iterations", "total time, in ms"]);
        let [zero, open]: [u64; 2] = [1, 2].map(|column| rows[3][column].parse().unwrap());
        // The same tree except for its windows.
        assert!(zero > open / 2 && zero < 2 * open, "{zero} of {open}");
        assert_eq!(report.figures[0].series[0].points.len(), 4);
        // The note has the share of all iterations, to a tenth of a percent.
        let [zero, open]: [f64; 2] = [1, 2].map(|column| rows[4][column].parse().unwrap());
        let share = format!("{:.1}% of the nodes", 100.0 * zero / open);
        assert!(report.notes.iter().any(|note| note.contains(&share)), "{share}: {:?}", report.notes);
    }
}
