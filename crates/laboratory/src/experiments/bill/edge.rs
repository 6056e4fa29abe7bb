//! The paper's worked example of an edge with moves that may turn out to be legal (section 4.1, Fig. 2).

use bill::edge_table::combine;

use crate::experiments::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "bill-edge";

/// The value of the legal moves: to 3, to 7 and none.
const LEGAL: [f64; 3] = [-600.0, -500.0, 200.0];
/// The value of the possible moves, and how likely they are: to 1, 8 and 10.
const POSSIBLE: [(f64, f64); 3] = [(450.0, 0.92), (400.0, 0.02), (-100.0, 0.80)];

/// Runs the experiment.
pub(crate) fn run(_setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    let best_legal = LEGAL.into_iter().fold(f64::MIN, f64::max);
    // What each additional move adds to the value.
    let first = combine(0.0, &mut POSSIBLE[..1].to_vec());
    let both = combine(0.0, &mut POSSIBLE[..2].to_vec());
    let value = combine(best_legal, &mut POSSIBLE.to_vec());
    let mut table = Table::new("The value of the edge of Fig. 2", &["part", "paper", "ours"]);
    let mut row = |part: &str, paper: &str, ours: f64| table.row([part, paper, &format!("{ours:.2}")]);
    // What the value would be without it.
    let of_square_10 = value - combine(best_legal, &mut POSSIBLE[..2].to_vec());
    row("square 1: 0.92 of 450", "414", first);
    row("square 8: 0.02 of 400, if not square 1", "0.64, added as 0.63", both - first);
    row("no move: 200, if neither", "15.67", value - both);
    row("square 10: less than no move", "-", of_square_10);
    row("the value", "430.30", value);
    row("the value if step (3c) is followed literally", "-", to_the_letter(best_legal));
    let mut report = Report { tables: vec![table], ..Report::of(NAME) };
    let nobody: f64 = POSSIBLE[..2].iter().map(|(_, probability)| 1.0 - probability).product();
    report.note(format!(
        "The paper rounds intermediate results down: {nobody:.4} of {best_legal:.0} is {:.2}, and the three parts add up \
         to {value:.2}.",
        value - both,
    ));
    report.note(
        "Step (3c) of the text subtracts P from the remaining probability R; the example multiplies R by 1 - P (8% \
         times 98% remains for no move), and so do we.",
    );
    Ok(report)
}

/// The value with `R - P` as the remaining probability, as in the text of step (3c).
fn to_the_letter(best_legal: f64) -> f64 {
    let (mut value, mut remaining) = (0.0, 1.0);
    for (score, probability) in POSSIBLE.into_iter().take_while(|&(score, _)| score >= best_legal) {
        value += probability * remaining * score;
        remaining -= probability;
    }
    value + remaining * best_legal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::rehearsal;

    #[test]
    fn the_parts_are_those_of_the_paper_and_add_up() {
        let report = rehearsal::run(run, false).unwrap();
        let ours: Vec<&str> = report.tables[0].rows.iter().map(|row| row[2].as_str()).collect();
        // 0.92 x 450, 0.08 x 0.02 x 400, 0.08 x 0.98 x 200; literally 414 + 0.64 + (1 - 0.92 - 0.02) x 200.
        assert_eq!(ours, ["414.00", "0.64", "15.68", "0.00", "430.32", "426.64"]);
        assert!(report.notes[0].contains("0.0784 of 200 is 15.68") && report.notes[0].contains("430.32"));
    }
}
