//! The value of a ply for KEYANO: Brockington 1997, Table 3.

use super::score;
use laboratory::duel::{elo, result, share};
use laboratory::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "keyano-depth";

/// A match of the paper: the depths of both sides, the share of the first in percent, and the discs of both.
struct Match {
    depths: [u32; 2],
    share: f64,
    discs: &'static str,
}

const MATCHES: [Match; 4] = [
    Match { depths: [11, 10], share: 62.1, discs: "(33.2 - 30.8)" },
    Match { depths: [12, 11], share: 62.8, discs: "(33.6 - 30.4)" },
    Match { depths: [11, 9], share: 70.4, discs: "(36.0 - 28.0)" },
    Match { depths: [12, 10], share: 72.1, discs: "(34.7 - 29.3)" },
];

/// The mean share of the paper's matches with so many additional plies, in percent.
pub(super) fn mean_of_the_paper(plies: u32) -> String {
    percent(of_the_paper().means()[plies.clamp(1, 2) as usize - 1])
}

/// The paper's matches.
fn of_the_paper() -> Shares {
    let mut shares = Shares::default();
    for Match { depths: [first, second], share, .. } in MATCHES {
        shares.add(first - second, share, GAMES_OF_THE_PAPER);
    }
    shares
}

fn percent(share: Option<f64>) -> String {
    share.map_or(String::new(), |share| format!("{share:.1}%"))
}

/// The games of each match of the paper.
const GAMES_OF_THE_PAPER: f64 = 70.0;

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    /// Reduction of the depth from that of the paper, so that many games can be played, and the pairs of games.
    less: u32,
    pairs: u32,
    /// The pairs of games at the depths of the paper, which has 35. A game of 12 plies against 11 takes half a minute.
    pairs_of_the_paper: u32,
}

const FULL: Scale = Scale { less: 4, pairs: 75, pairs_of_the_paper: 8 };
const QUICK: Scale = Scale { less: 6, pairs: 12, pairs_of_the_paper: 0 };

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

/// The share of the points of a side that searches one ply more, and two plies more: the mean of the matches.
#[derive(Clone, Copy, Default)]
struct Shares {
    sums: [f64; 2],
    matches: [f64; 2],
    games: [f64; 2],
}

impl Shares {
    fn add(&mut self, plies: u32, share: f64, games: f64) {
        let index = (plies as usize).clamp(1, 2) - 1;
        self.sums[index] += share;
        self.matches[index] += 1.0;
        self.games[index] += games;
    }

    /// The variance of the mean share of one additional ply, in percent, if no game were drawn.
    fn variance(&self) -> f64 {
        let share = self.means()[0].unwrap_or(50.0);
        share * (100.0 - share) / self.games[0].max(1.0)
    }

    /// The means in percent, nothing where there was no match.
    fn means(&self) -> [Option<f64>; 2] {
        [0, 1].map(|index| (self.matches[index] > 0.0).then(|| self.sums[index] / self.matches[index]))
    }
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report, ExperimentError> {
    let Scale { less, pairs, pairs_of_the_paper } = scale;
    let of_paper = of_the_paper();
    let title = format!("At the depths of the paper, {} games each", 2 * pairs_of_the_paper);
    let (table, at_paper) = matches(setup, title, 0, pairs_of_the_paper)?;
    let title = format!("At {less} plies less than in the paper, {} games each", 2 * pairs);
    let (lower_table, lower) = matches(setup, title, less, pairs)?;
    let lower_name = format!("ours, {less} plies less");
    let columns = ["additional plies", "paper", "ours, depths of the paper", &lower_name];
    let mut means = Table::new("Mean share of points", &columns);
    for index in 0..2 {
        let shares = [of_paper, at_paper, lower].map(|shares| percent(shares.means()[index]));
        means.row(std::iter::once((index + 1).to_string()).chain(shares));
    }
    let mut report = Report { tables: vec![means, table, lower_table], ..Report::of(NAME) };
    report.tables.retain(|table| !table.rows.is_empty());
    report.note("Without ProbCut, in the paper and here.");
    if let ([Some(deep), _], [Some(shallow), _], [Some(paper), _]) = (at_paper.means(), lower.means(), of_paper.means())
    {
        let margin = 1.96 * (at_paper.variance() + lower.variance()).sqrt();
        report.note(format!(
            "At the depths of the paper an additional ply has {deep:.1}% of the points, {less} plies lower {shallow:.1}%; the paper \
             has {paper:.1}%. {}",
            returns(deep - shallow, margin),
        ));
    }
    Ok(report)
}

/// Conclusion from a difference of shares, in percent, about the returns of additional plies, given its 95% margin.
fn returns(difference: f64, margin: f64) -> String {
    let verdict = match difference {
        difference if difference.abs() <= margin => "so few games do not say whether returns diminish with depth",
        difference if difference < 0.0 => "the returns of additional plies diminish with depth",
        _ => "the returns of additional plies do not diminish with depth",
    };
    format!("The difference is {difference:+.1}%, with a 95% margin of {margin:.1}%: {verdict}.")
}

/// The matches of the paper with this many plies less on both sides.
fn matches(setup: &mut Setup<'_>, title: String, less: u32, pairs: u32) -> Result<(Table, Shares), ExperimentError> {
    let columns = ["paper, plies", "paper, 70 games", "ours, plies", "ours", "won-drawn-lost", "Elo, 95% interval"];
    let mut table = Table::new(title, &columns);
    let mut shares = Shares::default();
    for Match { depths: [first, second], share: of_paper, discs } in MATCHES {
        if pairs == 0 {
            continue;
        }
        let (ours, theirs) = (first - less, second - less);
        let notation = |depth: u32| format!("keyano@depth={depth},probcut=off");
        let tally = setup.duel(&notation(ours), &notation(theirs), pairs)?;
        shares.add(first - second, share(&tally), tally.games() as f64);
        table.row([
            format!("{first} - {second}"),
            format!("{of_paper:.1}% {discs}"),
            format!("{ours} - {theirs}"),
            score(&tally),
            result(&tally),
            elo(&tally),
        ]);
    }
    Ok((table, shares))
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal::rehearse;

    #[test]
    fn every_match_of_the_paper_is_played_as_it_is_and_with_fewer_plies() {
        let scale = Scale { less: 7, pairs: 1, pairs_of_the_paper: 1 };
        let report = rehearse(classics::registry(), |setup| at_scale(setup, scale)).unwrap();
        let depths = |table: usize| report.tables[table].rows.iter().map(|row| row[2].clone()).collect::<Vec<_>>();
        assert_eq!(depths(1), ["11 - 10", "12 - 11", "11 - 9", "12 - 10"]);
        assert_eq!(depths(2), ["4 - 3", "5 - 4", "4 - 2", "5 - 3"]);
        // The means of the paper's Table 3.
        let means = &report.tables[0].rows;
        assert_eq!((means.len(), &*means[0][1], &*means[1][1]), (2, &*mean_of_the_paper(1), &*mean_of_the_paper(2)));
    }

    #[test]
    fn returns_are_judged_beyond_the_noise_only() {
        assert!(returns(-5.0, 9.0).contains("do not say whether"));
        assert!(returns(-10.0, 9.0).contains("plies diminish"));
        assert!(returns(10.0, 9.0).contains("do not diminish"));
        let mut shares = Shares::default();
        shares.add(1, 50.0, 100.0);
        assert_eq!(shares.variance(), 25.0);
    }
}
