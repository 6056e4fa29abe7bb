//! Errors of features and evaluations in separating won from lost positions: Buro 1997, Figure 4.

use crate::learning::{COLUMNS, LabeledBoard, Separation};
use crate::player::Tables;

use laboratory::games::{origin, sound_positions};
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "logistello-discordance";

const GAMES: usize = 10_000;
const QUICK_GAMES: usize = 1_500;

/// The measures of the figure, by their names in [`COLUMNS`].
const SHOWN: [&str; 6] = ["exact mobility", "mobility", "potential mobility", "edge", "2x4 corner", "logistic"];

/// The range of discs that is measured, and the numbers of discs in the table.
const DISCS: std::ops::RangeInclusive<u32> = 18..=60;
const IN_TABLE: [u32; 8] = [20, 25, 30, 35, 40, 45, 50, 55];

/// Statement of the paper: one measure is better than another over some of the game.
struct Claim {
    paper: &'static str,
    better: &'static str,
    worse: &'static str,
    discs: std::ops::RangeInclusive<u32>,
}

const CLAIMS: [Claim; 4] = [
    Claim {
        paper: "exact mobility is slightly better than its approximation in opening and middle game",
        better: "exact mobility",
        worse: "mobility",
        discs: 18..=46,
    },
    Claim {
        paper: "in the endgame this advantage vanishes",
        better: "exact mobility",
        worse: "mobility",
        discs: 50..=60,
    },
    Claim { paper: "the 2x4 corner outperforms the edge", better: "2x4 corner", worse: "edge", discs: DISCS },
    Claim {
        paper: "curve 4 is the combination of all features",
        better: "logistic",
        worse: "2x4 corner",
        discs: DISCS,
    },
];

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK_GAMES } else { GAMES })
}

fn at_scale(setup: &mut Setup<'_>, count: usize) -> Result<Report, ExperimentError> {
    let games = setup.games(count)?;
    let mut labeled_boards = vec![Vec::new(); 65];
    for found in sound_positions(&games).filter(|found| DISCS.contains(&found.board.disc_count())) {
        labeled_boards[found.board.disc_count() as usize].push(LabeledBoard { board: found.board, score: found.score });
    }
    (setup.progress)("discordance");
    let tables = Tables::shipped();
    let separations: Vec<Separation> =
        labeled_boards.iter().filter_map(|labeled_boards| Separation::of(&tables, labeled_boards)).collect();

    let mut columns = vec!["discs".to_owned()];
    columns.extend(SHOWN.map(str::to_owned));
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let title = format!("Discordance in percent on positions from {count} games");
    let mut table = Table::new(title, &columns);
    for found in separations.iter().filter(|found| IN_TABLE.contains(&found.discs)) {
        let cells = SHOWN.map(|name| format!("{:.1}", 100.0 * of(found, name)));
        table.row(std::iter::once(found.discs.to_string()).chain(cells));
    }
    let mut claims = Table::new("The paper's statements about its figure", &["paper", "ours, mean over the range"]);
    for Claim { paper, better, worse, discs } in &CLAIMS {
        let mean = |name| mean(separations.iter().filter(|found| discs.contains(&found.discs)), name);
        let (first, last) = (discs.start(), discs.end());
        let ours = format!(
            "{first} to {last} discs: {better} {:.1}%, {worse} {:.1}%",
            100.0 * mean(better),
            100.0 * mean(worse)
        );
        claims.row([(*paper).to_owned(), ours]);
    }
    let mut figure = Figure::new(
        "logistello-discordance",
        "Discordance of features and of the evaluation",
        "discs on the board",
        "discordance, percent",
    );
    for name in SHOWN {
        let points = separations.iter().map(|found| (f64::from(found.discs), 100.0 * of(found, name)));
        figure.line(if name == "logistic" { "all features" } else { name }, points.collect());
    }
    let mut report = Report { tables: vec![claims, table], figures: vec![figure], ..Report::of(NAME) };
    report.note(format!(
        "Discordance is the share of pairs of positions with different results that a measure ranks in the wrong \
         order: 50% is chance level. {} The numbers of the paper's figure are not in its text.",
        origin(),
    ));
    Ok(report)
}

/// The discordance of a measure by its name.
fn of(separation: &Separation, name: &str) -> f64 {
    let found = COLUMNS.iter().zip(separation.discordances).find(|(column, _)| *column == name);
    found.map_or(f64::NAN, |(_, discordance)| discordance)
}

fn mean<'s>(separations: impl Iterator<Item = &'s Separation>, name: &str) -> f64 {
    let values: Vec<f64> = separations.map(|found| of(found, name)).collect();
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal::rehearse;

    #[test]
    fn every_measure_that_is_shown_is_one_that_is_measured() {
        let claimed = CLAIMS.iter().flat_map(|claim| [claim.better, claim.worse]);
        assert!(SHOWN.into_iter().chain(claimed).all(|name| COLUMNS.iter().any(|column| column == name)));
    }

    #[test]
    fn a_few_games_are_enough_to_see_that_all_features_together_are_better_than_an_edge() {
        let report = rehearse(classics::registry(), |setup| at_scale(setup, 60)).unwrap();
        assert_eq!(report.tables[0].rows.len(), CLAIMS.len());
        assert_eq!(report.tables[1].rows.len(), IN_TABLE.len());
        let mean = |name: &str| {
            let series = report.figures[0].series.iter().find(|series| series.name == name).unwrap();
            series.points.iter().map(|(_, y)| y).sum::<f64>() / series.points.len() as f64
        };
        assert!(mean("all features") < mean("edge"));
    }
}
