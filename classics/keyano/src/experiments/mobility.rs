//! The value of mobility, and its correlation with the score: Brockington 1997, Figure 1 and Table 4.

use crate::learning::correlation::{COMPARED_MOVES, Comparison, MEASURES};
use crate::player::Tables;

use super::worth_of_points;
use laboratory::games::{origin, sound_positions};
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "keyano-mobility";

const GAMES: usize = 10_000;
const QUICK_GAMES: usize = 1_500;

/// Table 4 of the paper: exact, approximate, approximate with parity, after 20, 30, 40 and 50 moves.
const PAPER: [[f64; 4]; 3] = [[0.199, 0.380, 0.575, 0.509], [0.181, 0.353, 0.563, 0.516], [0.186, 0.368, 0.577, 0.515]];

/// The numbers of directions that the table of the curves shows.
const DIRECTIONS: [usize; 8] = [0, 1, 2, 4, 8, 12, 20, 28];

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK_GAMES } else { GAMES })
}

fn at_scale(setup: &mut Setup<'_>, count: usize) -> Result<Report, ExperimentError> {
    let games = setup.games(count)?;
    let mut comparison = Comparison::new(Tables::shipped());
    sound_positions(&games).for_each(|found| comparison.add(&found));
    let ours = comparison.coefficients();

    let mut columns = vec!["measure".to_owned()];
    for moves in COMPARED_MOVES {
        columns.extend([format!("paper, {moves} moves"), "ours".to_owned()]);
    }
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let title = format!("Correlation of mobility with the final score, positions from {count} games");
    let mut table = Table::new(title, &columns);
    for (name, (paper, ours)) in MEASURES.into_iter().zip(PAPER.into_iter().zip(ours)) {
        let cells = paper.into_iter().zip(ours).flat_map(|pair| [format!("{:.3}", pair.0), format!("{:.3}", pair.1)]);
        table.row(std::iter::once(name.to_owned()).chain(cells));
    }
    let (curves, figure) = curves();
    let mut report = Report { tables: vec![table, curves], figures: vec![figure], ..Report::of(NAME) };
    report.note(format!("{} {}", origin(), with_paper(&ours)));
    let [change, of_paper] = [ours[1], PAPER[1]].map(|row| row[3] - row[2]);
    report.note(format!(
        "From {} to {} moves the correlation of approximate mobility changes by {change:+.3}, in the paper by {of_paper:+.3}.{}",
        COMPARED_MOVES[2],
        COMPARED_MOVES[3],
        if change > of_paper {
            " We suppose that it falls in the paper because mistakes change the score late, which exact play rules out here."
        } else {
            ""
        },
    ));
    let whole = &Tables::shipped().approximate.whole;
    let gain = |directions: usize| f64::from(whole[directions] - whole[directions - 1]) / 100.0;
    report.note(format!(
        "The curves are those of the shipped tables; a rare number of directions has the value of the next smaller \
         one. Few positions have two directions or fewer, so the curve is uncertain there: the first direction gains {:.1} \
         points, the second {:.1}, the third {:.1}.",
        gain(1),
        gain(2),
        gain(3),
    ));
    Ok(report)
}

/// Whether mobility correlates better than in the paper.
fn with_paper(ours: &[[f64; 4]; 3]) -> String {
    let pairs = || PAPER.iter().flatten().zip(ours.iter().flatten());
    let (higher, all) = (pairs().filter(|(paper, ours)| ours > paper).count(), pairs().count());
    let word = if 2 * higher > all { "better" } else { "no better" };
    let supposed = if higher == all {
        ": we suppose because random moves after the openings make these games less even than tournament games"
    } else {
        ""
    };
    format!("Mobility correlates {word} with the score than in the paper, in {higher} of {all} figures{supposed}.")
}

/// The value of the paper's points: the difference that is worth one disc.
const POINTS_PER_DISC: i32 = 4;

/// The discs on the board for which ours are given.
const WORTH_AT: usize = 40;

/// The curves of Figure 1.
fn curves() -> (Table, Figure) {
    let curves = &Tables::shipped().approximate;
    let points = |curve: &[i16], directions: usize| f64::from(curve[directions]) / 100.0;
    let title = format!(
        "Value of the number of directions, in points (in the paper {POINTS_PER_DISC} points of difference are one disc; ours are \
         {:.2} discs at {WORTH_AT} discs on the board, beside the other features)",
        worth_of_points(POINTS_PER_DISC, WORTH_AT),
    );
    let columns = ["directions", "whole board", "gain per direction", "16 squares", "a quarter of them, in 16 squares"];
    let mut table = Table::new(title, &columns);
    table.row(["paper", "rises logarithmically", "decreasing", "", "about a quarter"]);
    let mut before = None;
    for directions in DIRECTIONS {
        let (whole, quarter) = (points(&curves.whole, directions), points(&curves.quarter, directions));
        let gain = |(fewer, lower): (usize, f64)| format!("{:.1}", (whole - lower) / (directions - fewer) as f64);
        // The directions of the board spread evenly over its quarters: the value of one of these relative to the whole.
        let part = (directions > 0 && directions % 4 == 0)
            .then(|| format!("{:.0}%", 100.0 * points(&curves.quarter, directions / 4) / whole));
        table.row([
            directions.to_string(),
            format!("{whole:.1}"),
            before.map(gain).unwrap_or_default(),
            format!("{quarter:.1}"),
            part.unwrap_or_default(),
        ]);
        before = Some((directions, whole));
    }
    let mut figure = Figure::new(
        "keyano-mobility",
        "Value of approximate mobility of the board and of its quadrants",
        "directions in which discs flip",
        "points",
    );
    for (name, curve) in [("full board", &curves.whole), ("16 squares", &curves.quarter)] {
        figure.line(name, (0..curve.len()).map(|directions| (directions as f64, points(curve, directions))).collect());
    }
    (table, figure)
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal::rehearse;

    #[test]
    fn correlations_are_shown_next_to_those_of_the_paper() {
        let report = rehearse(classics::registry(), |setup| at_scale(setup, 60)).unwrap();
        let row = &report.tables[0].rows[0];
        assert_eq!((row[0].as_str(), row[1].as_str(), row[7].as_str()), ("exact", "0.199", "0.509"));
        assert!(row[6].parse::<f64>().unwrap() > 0.2, "{row:?}");
        assert_eq!(report.figures[0].series[0].points.len(), 36);
    }

    #[test]
    fn the_comparison_with_the_paper_follows_from_the_figures() {
        assert!(
            with_paper(&[[0.6; 4]; 3])
                .starts_with("Mobility correlates better with the score than in the paper, in 12 of")
        );
        let mixed = with_paper(&[[0.4; 4]; 3]);
        assert!(mixed.contains("no better") && mixed.contains("in 6 of 12") && !mixed.contains("suppose"), "{mixed}");
    }

    #[test]
    fn gains_are_those_of_the_curve() {
        let (table, figure) = curves();
        let points = &figure.series[0].points;
        // The second row after the paper's: from 0 to 1.
        let gain = |row: usize| table.rows[row][2].parse::<f64>().unwrap();
        assert!((gain(2) - (points[1].1 - points[0].1)).abs() < 0.06);
        assert!((gain(5) - (points[8].1 - points[4].1) / 4.0).abs() < 0.06);
        let part: f64 = table.rows[4][4].trim_end_matches('%').parse().unwrap();
        assert!((part - 100.0 * figure.series[1].points[1].1 / points[4].1).abs() < 0.6);
    }
}
