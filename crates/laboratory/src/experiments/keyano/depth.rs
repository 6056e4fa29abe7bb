//! The value of a ply for KEYANO: Brockington 1997, Table 3.

use super::score;
use crate::experiments::duel::{elo, result};
use crate::experiments::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "keyano-depth";

/// A match of the paper: the depths of both sides and the result of the first.
struct Match {
    depths: [u32; 2],
    paper: &'static str,
}

const MATCHES: [Match; 4] = [
    Match { depths: [11, 10], paper: "62.1% (33.2 - 30.8)" },
    Match { depths: [12, 11], paper: "62.8% (33.6 - 30.4)" },
    Match { depths: [11, 9], paper: "70.4% (36.0 - 28.0)" },
    Match { depths: [12, 10], paper: "72.1% (34.7 - 29.3)" },
];

/// How many plies less than in the paper both sides search, and the number of pairs of games: the paper has 35.
const FULL: (u32, u32) = (4, 50);
const QUICK: (u32, u32) = (6, 12);

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    let (less, pairs) = if setup.is_quick { QUICK } else { FULL };
    at_scale(setup, less, pairs)
}

fn at_scale(setup: &mut Setup<'_>, less: u32, pairs: u32) -> Result<Report, ExperimentError> {
    let title = format!("Matches of {} games at fixed depths, {less} plies lower than in the paper", 2 * pairs);
    let columns = ["paper, plies", "paper, 70 games", "ours, plies", "ours", "won-drawn-lost", "Elo, 95% interval"];
    let mut table = Table::new(title, &columns);
    let mut shares = [0.0; 2];
    for Match { depths: [first, second], paper } in MATCHES {
        let notation = |depth: u32| format!("keyano@depth={depth},probcut=off");
        let (ours, theirs) = (first - less, second - less);
        let tally = setup.duel(&notation(ours), &notation(theirs), pairs)?;
        shares[(first - second - 1) as usize] += crate::experiments::duel::share(&tally) / 2.0;
        table.row([
            format!("{first} - {second}"),
            paper.to_owned(),
            format!("{ours} - {theirs}"),
            score(&tally),
            result(&tally),
            elo(&tally),
        ]);
    }
    let mut means = Table::new("Mean share of points", &["additional plies", "paper", "ours"]);
    for (plies, (paper, ours)) in (1..).zip(["62.5%", "71.3%"].into_iter().zip(shares)) {
        means.row([plies.to_string(), paper.to_owned(), format!("{ours:.1}%")]);
    }
    let mut report = Report { tables: vec![means, table], ..Report::of(NAME) };
    report.note(
        "Without ProbCut. A ply gains more here than in the paper, whose searches are deeper: additional \
                 plies have diminishing returns.",
    );
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::rehearsal::rehearse;

    #[test]
    fn every_match_of_the_paper_is_played_with_fewer_plies() {
        let report = rehearse(|setup| at_scale(setup, 7, 1)).unwrap();
        let depths: Vec<&str> = report.tables[1].rows.iter().map(|row| row[2].as_str()).collect();
        assert_eq!(depths, ["4 - 3", "5 - 4", "4 - 2", "5 - 3"]);
        assert_eq!(report.tables[0].rows.len(), 2);
    }
}
