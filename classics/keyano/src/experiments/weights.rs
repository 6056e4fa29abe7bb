//! Changes of the weights of the features during the game: Brockington 1997, Figure 3.

use crate::learning::correlation::Correlation;
use crate::player::evaluation::{Evaluation, IndexedBoard};
use crate::player::parity::Parity;
use crate::player::tables::{Feature, Weights};
use crate::player::{Counting, Tables};
use learning::least_squares::LeastSquares;

use laboratory::games::sound_positions;
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "keyano-weights";

/// The occupied squares of the figure: with more the game is solved.
const DISCS: std::ops::RangeInclusive<usize> = 8..=55;
const IN_TABLE: [usize; 6] = [10, 20, 30, 40, 50, 55];

/// The paper's statement about each feature.
const fn paper(feature: Feature) -> &'static str {
    match feature {
        Feature::Mobility => "rapidly more important",
        Feature::Vectors => "much more important near the beginning",
        Feature::Corners => "",
        Feature::Edges => "much more important near the beginning",
    }
}

/// The games that the regression of the second table is made from.
const GAMES: usize = 10_000;
const QUICK_GAMES: usize = 1_500;

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK_GAMES } else { GAMES })
}

fn at_scale(setup: &mut Setup<'_>, games: usize) -> Result<Report, ExperimentError> {
    let title = "Weights of the features, in percent of the largest weight of each";
    let mut columns = vec!["feature".to_owned(), "paper".to_owned()];
    columns.extend(IN_TABLE.map(|discs| format!("{discs} discs")));
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new(title, &columns);
    let mut figure = Figure::new("keyano-weights", title, "occupied squares", "percent of the largest weight");
    for feature in Feature::ALL {
        let shares = of_largest(&Tables::shipped().weights, feature);
        let cells = IN_TABLE.map(|discs| format!("{:.0}", shares[discs - DISCS.start()]));
        table.row([feature.name().to_owned(), paper(feature).to_owned()].into_iter().chain(cells));
        figure.line(feature.name(), DISCS.zip(shares).map(|(discs, share)| (discs as f64, share)).collect());
    }
    let (vectors, least) = vectors(setup, games)?;
    let mut report = Report { tables: vec![table, vectors], figures: vec![figure], ..Report::of(NAME) };
    let flat = flat_until(&Tables::shipped().weights);
    report.note(format!(
        "Up to {flat} discs all lines are flat: nothing is fitted before that, as at the left of the paper's figure, whose numbers \
         are not given in the text.",
    ));
    let mobility = of_largest(&Tables::shipped().weights, Feature::Mobility);
    report.note(format!(
        "Mobility has {:.0}% of its largest weight at {} discs and {:.0}% at {}.",
        mobility[IN_TABLE[1] - DISCS.start()],
        IN_TABLE[1],
        mobility[IN_TABLE[5] - DISCS.start()],
        IN_TABLE[5],
    ));
    for feature in [Feature::Edges, Feature::Vectors] {
        report.note(course(feature, &of_largest(&Tables::shipped().weights, feature), flat));
    }
    if let Some(discs) = zero_from(&Tables::shipped().weights, Feature::Vectors) {
        report.note(format!(
            "The weight of the vectors is exactly 0 from {discs} discs on. There the regression on the training games gave \
             negative weights; in the second table, from other games, the lowest is {least:.3}. Vectors correlate with the \
             score, but edges and corners, which share squares with them, say the same better: the problem that the paper \
             describes for correlated features, whose weights its author set by hand. Here a negative weight is replaced by \
             that of one move later, and by 0 at the last move, so that the 0 is carried back to the last stage with a \
             positive weight.",
        ));
    }
    Ok(report)
}

/// The largest number of discs up to which no weight changes.
fn flat_until(weights: &[Weights]) -> usize {
    let first = weights[*DISCS.start()];
    DISCS.take_while(|&discs| weights[discs] == first).last().unwrap_or(*DISCS.start())
}

/// Place of the largest weight of a feature, compared with the paper, which has it near the beginning.
fn course(feature: Feature, shares: &[f64], flat: usize) -> String {
    let largest = shares.iter().copied().fold(f64::MIN, f64::max);
    let peak = DISCS.zip(shares).find(|&(_, &share)| share == largest).map_or(*DISCS.start(), |(discs, _)| discs);
    let end = shares.last().copied().unwrap_or_default();
    let verdict = if peak <= flat {
        "as in the paper, it is most important near the beginning"
    } else {
        "from there on it loses weight, as in the paper; before that it does not. We suppose that at first the squares are \
         mostly empty, so that a regression finds little, while the author of KEYANO fixed the first values by hand"
    };
    format!(
        "The largest weight of {} is at {peak} discs, and {end:.0}% of it is left at the end: {verdict}.",
        feature.name()
    )
}

/// The number of discs from which on a feature has no weight, within the figure.
fn zero_from(weights: &[Weights], feature: Feature) -> Option<usize> {
    let last = DISCS.rev().find(|&discs| weights[discs][feature as usize] != 0)?;
    (last < *DISCS.end()).then_some(last + 1)
}

/// Result of a regression without corrections for the vectors, and its lowest weight in the table.
fn vectors(setup: &mut Setup<'_>, count: usize) -> Result<(Table, f64), ExperimentError> {
    let games = setup.games(count)?;
    let evaluation = Evaluation::new(Tables::shipped(), Counting::Approximate);
    let mut stages = IN_TABLE.map(|_| (LeastSquares::new(Feature::COUNT), [Correlation::default(); 3]));
    for found in sound_positions(&games) {
        let discs = found.board.disc_count() as usize;
        let features = evaluation.features(&IndexedBoard::of(found.board), Parity::of(&found.board));
        let features = features.map(|feature| f64::from(feature) / 100.0);
        let score = f64::from(found.score.discs());
        for (middle, (equations, correlations)) in IN_TABLE.into_iter().zip(&mut stages) {
            // As for the weights that ship, from two moves before to two moves after.
            if discs.abs_diff(middle) <= 2 {
                equations.add(&features, score);
                let vectors = features[Feature::Vectors as usize];
                let others = [score, features[Feature::Edges as usize], features[Feature::Corners as usize]];
                correlations.iter_mut().zip(others).for_each(|(sum, other)| sum.add(vectors, other));
            }
        }
    }
    let title = format!("The vectors in a regression without corrections, {count} games");
    let columns = ["discs", "weight", "correlation with the score", "with the 10-disc edges", "with the 3x3 corners"];
    let mut table = Table::new(title, &columns);
    let mut least = 0.0_f64;
    for (discs, (equations, correlations)) in IN_TABLE.into_iter().zip(stages) {
        // Random moves come first in these games: nothing of them is known to be well played.
        if correlations[0].is_empty() {
            continue;
        }
        let weight = equations.solve(0.0)[Feature::Vectors as usize];
        least = least.min(weight);
        let correlations = correlations.map(|sum| format!("{:.3}", sum.coefficient()));
        table.row([discs.to_string(), format!("{weight:.3}")].into_iter().chain(correlations));
    }
    Ok((table, least))
}

/// The weights of a feature in percent of its largest, for each number of occupied squares.
fn of_largest(weights: &[Weights], feature: Feature) -> Vec<f64> {
    let weights: Vec<f64> = DISCS.map(|discs| f64::from(weights[discs][feature as usize])).collect();
    let largest = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    weights.iter().map(|weight| 100.0 * weight / largest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal::rehearse;

    #[test]
    fn weights_are_percents_of_the_largest_within_the_figure() {
        let mut weights = vec![[0; 4]; 65];
        for (discs, weights) in weights.iter_mut().enumerate() {
            weights[Feature::Edges as usize] = 2 * discs as i32;
        }
        let shares = of_largest(&weights, Feature::Edges);
        // 55 discs are the most: 11 discs have a fifth of their weight.
        assert_eq!((shares[47], shares[11 - 8]), (100.0, 20.0));
        assert!(of_largest(&weights, Feature::Mobility).iter().all(|&share| share == 0.0));
    }

    #[test]
    fn the_course_of_a_feature_is_described_by_its_weights() {
        let mut weights = vec![[5; 4]; 65];
        weights[15..].iter_mut().for_each(|weights| weights[Feature::Edges as usize] = 4);
        assert_eq!(flat_until(&weights), 14);
        let falling = course(Feature::Edges, &of_largest(&weights, Feature::Edges), 14);
        assert!(
            falling.contains("is at 8 discs, and 80% of it") && falling.contains("near the beginning"),
            "{falling}"
        );
        weights[30][Feature::Edges as usize] = 10;
        let late = course(Feature::Edges, &of_largest(&weights, Feature::Edges), 14);
        assert!(late.contains("is at 30 discs, and 40% of it") && late.contains("We suppose"), "{late}");
    }

    #[test]
    fn every_feature_has_its_line() {
        let report = rehearse(classics::registry(), |setup| at_scale(setup, 300)).unwrap();
        assert_eq!((report.tables[0].rows.len(), report.figures[0].series.len()), (4, 4));
        let discs: Vec<&str> = report.tables[1].rows.iter().map(|row| row[0].as_str()).collect();
        assert!(discs.ends_with(&["30", "40", "50", "55"]), "{discs:?}");
    }

    #[test]
    fn a_feature_without_weight_at_the_end_is_found() {
        let mut weights = vec![[1; 4]; 65];
        assert_eq!(zero_from(&weights, Feature::Vectors), None);
        weights[47..].iter_mut().for_each(|weights| weights[Feature::Vectors as usize] = 0);
        assert_eq!(zero_from(&weights, Feature::Vectors), Some(47));
        assert_eq!(zero_from(&weights, Feature::Edges), None);
    }
}
