//! The features of won and lost positions at 40 discs (section 5.1, Table 1).

use crate::learning::won_and_lost::{FIRST_STAGE, correlations};
use crate::player::tables::Stage;

use super::learning::learn;
use laboratory::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "bill-features";

/// The discs on the board.
const DISCS: usize = 40;
/// The search depth of BILL 2.0 in the games, as in those that the shipped tables come from.
const DEPTH: u32 = 6;
/// Number of games that it plays.
const GAMES: u64 = 3000;
const QUICK_GAMES: u64 = 300;

/// A feature of the paper, the corresponding feature of ours, and its number.
struct Feature {
    paper: &'static str,
    ours: &'static str,
    index: usize,
    /// The paper's means of won and lost positions.
    means: [f64; 2],
}

/// In the order of the paper.
const FEATURES: [Feature; 4] = [
    Feature { paper: "mobility", ours: "current mobility", index: 1, means: [533.0, -419.0] },
    Feature { paper: "potential mobility", ours: "potential mobility", index: 2, means: [266.0, -200.0] },
    Feature { paper: "weighted squares", ours: "sequence penalty", index: 3, means: [242.0, -112.0] },
    Feature { paper: "edge", ours: "edge", index: 0, means: [599.0, -334.0] },
];

/// Pairs of features in that order, with the paper's correlations in won and in lost positions.
const PAIRS: [(usize, usize, [f64; 2]); 6] = [
    (0, 1, [0.73, 0.74]),
    (0, 2, [0.65, 0.65]),
    (0, 3, [0.26, 0.25]),
    (1, 2, [0.64, 0.64]),
    (1, 3, [0.11, 0.12]),
    (2, 3, [0.20, 0.21]),
];

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK_GAMES } else { GAMES }, DEPTH)
}

fn at_scale(setup: &mut Setup<'_>, games: u64, depth: u32) -> Result<Report, ExperimentError> {
    let found = learn(setup, games, depth)?;
    let missing = || ExperimentError::Facts(format!("no stage with {DISCS} discs"));
    let stage = found.stages.get(DISCS - FIRST_STAGE).ok_or_else(missing)?;
    let mut report = Report { tables: vec![means(stage), pairs(stage)], ..Report::of(NAME) };
    report.note(format!(
        "{} games of BILL 2.0 against itself at {depth} plies after 20 random moves, {} of them drawn and dropped; \
         positions with {} to {} discs.",
        found.decided + found.dropped,
        found.dropped,
        DISCS - 2,
        DISCS + 2,
    ));
    const SEQUENCE: usize = 2;
    let [won, lost] = [&stage.win, &stage.loss].map(|class| class.mean[FEATURES[SEQUENCE].index]);
    report.note(format!(
        "The third feature differs: the paper's table is for an earlier set with weighted squares, while its text and \
         our program have the sequence penalty. Weighted squares reward discs on good squares, whereas the sequence \
         penalty only charges for strings of discs. It separates winners from losers by {:.0} points, where the \
         paper's feature separates them by {:.0}.",
        won - lost,
        FEATURES[SEQUENCE].means[0] - FEATURES[SEQUENCE].means[1],
    ));
    report.note("The scales differ because the paper gives no square weights, penalties or static edge values.");
    Ok(report)
}

fn means(stage: &Stage) -> Table {
    let title = format!("Means of the features at {DISCS} discs (Table 1)");
    let mut table = Table::new(title, &["feature (paper / ours)", "won: paper", "ours", "lost: paper", "ours"]);
    for feature in &FEATURES {
        let [won, lost] = feature.means;
        let [ours_won, ours_lost] = [&stage.win, &stage.loss].map(|class| class.mean[feature.index]);
        let mut cells = vec![name(feature)];
        cells.extend([won, ours_won, lost, ours_lost].map(|mean| format!("{mean:.0}")));
        table.row(cells);
    }
    table
}

fn name(feature: &Feature) -> String {
    let Feature { paper, ours, .. } = feature;
    if paper == ours { (*paper).to_owned() } else { format!("{paper} / {ours}") }
}

fn pairs(stage: &Stage) -> Table {
    let title = format!("Correlations between the features at {DISCS} discs (Table 1)");
    let mut table = Table::new(title, &["features", "won: paper", "ours", "lost: paper", "ours"]);
    let [of_won, of_lost] = [correlations(&stage.win), correlations(&stage.loss)];
    for (one, other, [won, lost]) in PAIRS {
        let (one, other) = (&FEATURES[one], &FEATURES[other]);
        let [ours_won, ours_lost] = [of_won, of_lost].map(|matrix| matrix[one.index][other.index]);
        let mut cells = vec![format!("{}, {}", name(one), name(other))];
        cells.extend([won, ours_won, lost, ours_lost].map(|number| format!("{number:.2}")));
        table.row(cells);
    }
    table
}

#[cfg(test)]
mod tests {
    use crate::player::evaluation::Class;
    use crate::player::features::FEATURE_NAMES;

    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn names_of_features_match_their_indices_and_every_pair_is_there() {
        for feature in &FEATURES {
            assert_eq!(FEATURE_NAMES[feature.index], feature.ours);
        }
        let all: Vec<(usize, usize)> = (0..4).flat_map(|one| (one + 1..4).map(move |other| (one, other))).collect();
        assert!(PAIRS.iter().map(|&(one, other, _)| (one, other)).eq(all));
    }

    #[test]
    fn means_and_correlations_are_shown_next_to_those_of_the_paper() {
        // The covariance of numbers i and j is 10 (i + 1)(j + 1) / 2, the variance of i is 10 (i + 1)²: correlations of ½.
        let class = |sign: f64| Class {
            mean: [1.0, 2.0, 3.0, 4.0].map(|mean| sign * mean),
            covariance: std::array::from_fn(|row| {
                let half = |column: usize| if row == column { 10.0 } else { 5.0 };
                std::array::from_fn(|column| half(column) * (row + 1) as f64 * (column + 1) as f64)
            }),
        };
        let stage = Stage { win: class(1.0), loss: class(-1.0) };
        assert_eq!(means(&stage).rows[0], ["mobility / current mobility", "533", "2", "-419", "-2"]);
        assert_eq!(means(&stage).rows[3], ["edge", "599", "1", "-334", "-1"]);
        assert_eq!(pairs(&stage).rows[4], ["potential mobility, edge", "0.11", "0.50", "0.12", "0.50"]);
    }

    #[test]
    fn winners_have_the_better_mobility_and_the_better_edges_as_in_the_paper() {
        let report = rehearsal::run(classics::registry(), |setup| at_scale(setup, 24, 2), false).unwrap();
        for row in [0, 1, 3].map(|row| &report.tables[0].rows[row]) {
            let [won, lost]: [f64; 2] = [2, 4].map(|column| row[column].parse().unwrap());
            assert!(won > lost, "{row:?}");
        }
        assert_eq!(
            rehearsal::run(classics::registry(), |setup| at_scale(setup, 24, 2), true),
            Err(ExperimentError::Stopped)
        );
    }
}
