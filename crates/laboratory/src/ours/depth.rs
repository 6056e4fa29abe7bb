//! The gain in strength from every additional ply of Emilia.

use crate::duel::{elo, result, share};
use crate::{Experiment, Figure, Report, Result, Setup, Table};

const NAME: &str = "emilia-depth";

pub(crate) const EXPERIMENT: Experiment =
    Experiment::new(NAME, "ours", "how much stronger Emilia becomes with every additional ply", run);

/// The deepest search, and the number of pairs of games of each search against the one a ply shallower.
const FULL: (u32, u32) = (10, 100);
const QUICK: (u32, u32) = (6, 15);

fn run(setup: &mut Setup<'_>) -> Result<Report> {
    let (deepest, pairs) = if setup.is_quick { QUICK } else { FULL };
    at_scale(setup, deepest, pairs)
}

fn at_scale(setup: &mut Setup<'_>, deepest: u32, pairs: u32) -> Result<Report> {
    let title = format!("Emilia against itself with one ply less, {} games each", 2 * pairs);
    let mut table = Table::new(title, &["plies", "won-drawn-lost", "Elo, 95% interval", "Elo above one ply"]);
    let mut curve = vec![(1.0, 0.0)];
    let mut sum = 0.0;
    for depth in 2..=deepest {
        let player = |depth: u32| format!("emilia@depth={depth}");
        let tally = setup.duel(&player(depth), &player(depth - 1), pairs)?;
        // A match without a loss gives no finite Elo difference: the sum ends there.
        sum += tally.pairs.elo().map_or(f64::NAN, |elo| elo.value);
        let above = if sum.is_finite() { format!("{sum:+.0}") } else { "-".to_owned() };
        table.row([format!("{depth} - {}", depth - 1), result(&tally), elo(&tally), above]);
        curve.push((f64::from(depth), sum));
        (setup.progress)(&format!("{depth} plies: {:.0}%", share(&tally)));
    }
    let mut figure = Figure::new("emilia-depth", "Strength by search depth", "plies", "Elo above one ply");
    figure.line("", curve);
    let mut report = Report { tables: vec![table], figures: vec![figure], ..Report::of(NAME) };
    report.note(
        "The endgame is searched to the same depth: play is exact as soon as there are at most as many \
         empty squares as plies.",
    );
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rehearsal;

    #[test]
    fn every_ply_has_its_match() {
        let report = rehearsal::run(&rehearsal::core(), |setup| at_scale(setup, 3, 1), false).unwrap();
        let firsts: Vec<&str> = report.tables[0].rows.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(firsts, ["2 - 1", "3 - 2"]);
        assert_eq!(report.figures[0].series[0].points.len(), 3);
    }
}
