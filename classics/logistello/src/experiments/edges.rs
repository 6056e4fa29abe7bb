//! The values of some edges during the game: Buro 1997, Figure 3.

use crate::player::Tables;
use crate::player::patterns::EDGE;
use crate::player::tables::{HALF, PHASE_COUNT, PHASE_DISCS};

use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "logistello-edges";

/// An edge, and what the paper says about it. The figure is lost: the edges are chosen to fit the text.
struct Edge {
    discs: &'static str,
    paper: &'static str,
}

const EDGES: [Edge; 8] = [
    Edge { discs: "-*------", paper: "very dangerous, more so the earlier" },
    Edge { discs: "-******-", paper: "regular in tournament games" },
    Edge { discs: "-*****--", paper: "regular in tournament games" },
    Edge { discs: "*-------", paper: "value decreases" },
    Edge { discs: "**------", paper: "values differ" },
    Edge { discs: "****----", paper: "values differ" },
    Edge { discs: "*******-", paper: "values differ" },
    Edge { discs: "********", paper: "values differ" },
];

/// The numbers of discs that the table shows.
const SHOWN: [u32; 6] = [12, 21, 30, 39, 48, 57];

/// Runs the experiment.
pub(crate) fn run(_: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    let tables = Tables::shipped();
    let mut columns = vec!["edge".to_owned(), "paper".to_owned()];
    columns.extend(SHOWN.map(|discs| format!("{discs} discs")));
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let title = "Expected outcome for Black by edge, from -0.5 (lost) to 0.5 (won)";
    let mut table = Table::new(title, &columns);
    let mut figure = Figure::new("logistello-edges", title, "discs on the board", "value");
    for (number, Edge { discs, paper }) in (1..).zip(EDGES) {
        let index = index(discs);
        let value = |phase: usize| f64::from(tables.value(phase, EDGE, index)) / (2.0 * HALF);
        let name = format!("{number}: {discs}");
        let shown = SHOWN.map(|discs| format!("{:+.2}", value(crate::player::tables::phase(discs))));
        table.row([name.clone(), paper.to_owned()].into_iter().chain(shown));
        // A phase is plotted at its middle.
        let middle = |phase: usize| f64::from(4 + PHASE_DISCS * phase as u32 + PHASE_DISCS / 2);
        // With four to six discs no game has an edge.
        figure.line(&name, (1..PHASE_COUNT).map(|phase| (middle(phase), value(phase))).collect());
    }
    let mut report = Report { tables: vec![table], figures: vec![figure], ..Report::of(NAME) };
    report.note(
        "The paper shows its edge configurations only in a figure, without numbers in the text; these were chosen to \
         fit its description: 1 invites White into the adjacent corner, 2 and 3 are common, 4 to 8 include a corner. Values \
         are those of the shipped tables, smoothed and extrapolated to phases in which an edge is rare.",
    );
    Ok(report)
}

/// The index of an edge by its squares: `*` is a disc of the side whose value is meant, `o` one of the other side.
fn index(discs: &str) -> i32 {
    let digit = |disc: char| match disc {
        '*' => 1,
        'o' => -1,
        _ => 0,
    };
    discs.chars().fold(0, |index, disc| 3 * index + digit(disc))
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal::rehearse;

    #[test]
    fn an_edge_is_read_as_a_number_with_three_digits() {
        assert_eq!(index("--------"), 0);
        // 3^6, and 3^7 - 1.
        assert_eq!((index("-*------"), index("*------o")), (729, 2186));
        assert_eq!(index("********"), 3280);
    }

    #[test]
    fn corners_are_good_and_a_disc_next_to_an_empty_corner_is_worst_early() {
        let report = rehearse(classics::registry(), run).unwrap();
        let value = |row: usize, column: usize| report.tables[0].rows[row][column].parse::<f64>().unwrap();
        assert!((2..8).all(|column| value(0, column) <= 0.0 && value(7, column) > 0.0));
        assert!(value(0, 3) < value(0, 7));
        assert_eq!(report.figures[0].series.len(), 8);
        assert!(report.figures[0].series.iter().all(|series| series.points.len() == 19));
    }
}
