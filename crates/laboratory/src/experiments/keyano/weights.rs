//! How the weights of the features change during the game: Brockington 1997, Figure 3.

use heritage::keyano::Tables;
use heritage::keyano::tables::{Feature, Weights};

use crate::experiments::{ExperimentError, Figure, Report, Setup, Table};

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

/// Runs the experiment.
pub(crate) fn run(_: &mut Setup<'_>) -> Result<Report, ExperimentError> {
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
    let mut report = Report { tables: vec![table], figures: vec![figure], ..Report::of(NAME) };
    report.note(
        "Nothing is fitted before move ten (14 discs): the lines are flat there, as at the left of the paper's \
         figure, whose numbers are not given in the text.",
    );
    report.note(
        "Mobility already has most of its weight at 20 discs: in our games it correlates with the score much earlier \
         than in the paper's (keyano-mobility); towards the end all weights become smaller, including that of \
         mobility. The 10-disc edges lose weight from 30 discs on, as in the paper; before that, edges have hardly \
         any discs, and the regression gives them little weight, while the author of KEYANO set some weights by \
         hand.",
    );
    Ok(report)
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
    use crate::experiments::rehearsal::rehearse;

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
    fn every_feature_has_its_line() {
        let report = rehearse(run).unwrap();
        assert_eq!((report.tables[0].rows.len(), report.figures[0].series.len()), (4, 4));
    }
}
