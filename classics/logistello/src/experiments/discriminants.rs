//! The tournament of the three discriminants: Buro 1997, "Feature Combination".

use crate::player::discriminant::FEATURE_COUNT;

use arena::Standings;
use laboratory::duel::{elo, result, share};
use laboratory::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "logistello-discriminants";

/// The discriminants, the paper's choice first.
const DISCRIMINANTS: [&str; 3] = ["logistic", "fisher", "quadratic"];

/// The limits per move: a scaled-down time, and equal nodes, which compensates for slow formulas.
const LIMITS: [(&str, &str); 2] = [("move-time=10ms", "10 ms per move"), ("nodes=5000", "5,000 nodes per move")];

/// Pairs of games per pair of players: the paper has 100 openings.
const PAIRS: u32 = 100;
const QUICK_PAIRS: u32 = 8;

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK_PAIRS } else { PAIRS })
}

fn at_scale(setup: &mut Setup<'_>, pairs: u32) -> Result<Report, ExperimentError> {
    let mut report = Report::of(NAME);
    for (limit, said) in LIMITS {
        let notations = DISCRIMINANTS.map(|name| format!("logistello@discriminant={name},{limit}"));
        let standings = setup.tournament(&notations.each_ref().map(String::as_str), pairs)?;
        report.tables.push(crossings(&standings, &format!("{said}, {} games per pair", 2 * pairs)));
    }
    report.note(format!(
        "In the paper each player had 30 minutes per game, and it says only that logistic regression gave the \
         strongest program. The quadratic discriminant multiplies all pairs of {FEATURE_COUNT} features at every leaf and \
         cannot be folded into tables.",
    ));
    Ok(report)
}

/// The cross table, with the share of all points.
fn crossings(standings: &Standings, title: &str) -> Table {
    let mut table = Table::new(title, &["", "paper", "won-drawn-lost", "Elo, 95% interval"]);
    for (first, second) in [(0, 1), (0, 2), (1, 2)] {
        let tally = standings.tally(first, second);
        let paper = if first == 0 { "logistic is stronger" } else { "" };
        let players = format!("{} - {}", DISCRIMINANTS[first], DISCRIMINANTS[second]);
        table.row([players, paper.to_owned(), result(&tally), elo(&tally)]);
    }
    for (player, name) in DISCRIMINANTS.into_iter().enumerate() {
        let paper = if player == 0 { "first" } else { "" };
        let points = format!("{:.1}% of the points", share(&standings.tally_of(player)));
        table.row([name.to_owned(), paper.to_owned(), points, String::new()]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal::rehearse;

    #[test]
    fn all_three_meet_under_both_limits() {
        let report = rehearse(classics::registry(), |setup| at_scale(setup, 1)).unwrap();
        assert_eq!(report.tables.len(), 2);
        for table in &report.tables {
            let firsts: Vec<&str> = table.rows.iter().map(|row| row[0].as_str()).collect();
            let pairings = ["logistic - fisher", "logistic - quadratic", "fisher - quadratic"];
            assert_eq!(firsts, [&pairings[..], &DISCRIMINANTS].concat());
            let games = |row: &[String]| -> u32 {
                let counts = row[2].split(" =").next().unwrap().split('-');
                counts.map(|count| count.parse::<u32>().unwrap()).sum()
            };
            assert!(table.rows[..3].iter().all(|row| games(row) == 2));
        }
    }
}
