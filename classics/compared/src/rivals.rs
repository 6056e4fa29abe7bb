//! The classic programs against each other, with the results that the papers state.

use bill::BillSettings;
use iago::time_allocation::HistoricalClock;
use othello::Game;

use laboratory::duel::{elo, openings, result, share};
use laboratory::speed::{TIME, positions_per_second};
use laboratory::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "rivals";

/// A match, and the result that a paper states, if any.
struct Rivalry {
    first: &'static str,
    second: &'static str,
    paper: Option<&'static str>,
}

const fn rivalry(first: &'static str, second: &'static str, paper: Option<&'static str>) -> Rivalry {
    Rivalry { first, second, paper }
}

/// The row of BILL against IAGO with a fifth of the time, which the notes discuss.
const FIFTH: usize = 2;

const RIVALRIES: [Rivalry; 11] = [
    // Lee and Mahajan 1990, Table 2.
    rivalry("bill3@move-time=20ms", "bill2@move-time=20ms", Some("139-6-55 = 71.0%")),
    // The same, 6.3: both programs at their published speeds, and with those of today.
    rivalry("bill3@historical,minutes=6", "iago@historical,overhead=off", Some("100% with 20% of the time")),
    rivalry("bill3@move-time=10ms", "iago@move-time=50ms", None),
    rivalry("bill3@nodes=20000", "iago@nodes=20000", None),
    rivalry("bill3@historical", "iago@historical,overhead=off", None),
    rivalry("logistello@move-time=20ms", "bill3@move-time=20ms", None),
    // Brockington 1997, Table 2.
    rivalry("keyano@move-time=20ms", "keyano@move-time=20ms,probcut=off", Some("67.2%")),
    // The same, 3.1; the program without parity was given 15% more nodes.
    rivalry("keyano@move-time=20ms", "keyano@move-time=20ms,parity=off", Some("40.5-29.5 = 57.9%")),
    rivalry("desdemona@move-time=10ms", "weighted-square@move-time=10ms,depth=20", None),
    rivalry("desdemona@move-time=10ms", "bill3@move-time=10ms", None),
    rivalry("iago@move-time=10ms", "weighted-square@move-time=10ms,depth=20", None),
];

/// The numbers of a run: pairs of games in each match, and positions on which the speeds of BILL and IAGO are measured.
#[derive(Clone, Copy)]
struct Scale {
    pairs: u32,
    positions: usize,
}

/// A full run takes about ten minutes of one core.
const FULL: Scale = Scale { pairs: 40, positions: 40 };
const QUICK: Scale = Scale { pairs: 2, positions: 5 };

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

fn at_scale(setup: &mut Setup<'_>, Scale { pairs, positions }: Scale) -> Result<Report, ExperimentError> {
    let columns = ["players", "won-drawn-lost", "Elo, 95% interval", "paper"];
    let mut table = Table::new(format!("Matches of {} games, both colors of {pairs} openings", 2 * pairs), &columns);
    let mut of_bill_and_iago = String::new();
    for (row, Rivalry { first, second, paper }) in RIVALRIES.into_iter().enumerate() {
        let tally = setup.duel(first, second, pairs)?;
        table.row([format!("{first} - {second}"), result(&tally), elo(&tally), paper.unwrap_or("-").to_owned()]);
        if row == FIFTH {
            of_bill_and_iago = format!("{:.0}%", share(&tally));
        }
    }
    let mut report = Report { tables: vec![table], ..Report::of(NAME) };
    report.note("A dash: no paper states a result of these players.");
    let openings: Vec<Game> = openings()?.into_iter().take(positions).collect();
    let [bill, iago] =
        ["bill3", "iago"].map(|player| setup.part(player, |setup| positions_per_second(setup, player, &openings)));
    let (bill, iago) = (bill?, iago?);
    report.note(format!(
        "BILL scores {of_bill_and_iago} against IAGO with a fifth of the time, in the paper 100%. Here BILL visits \
         {bill:.0} and IAGO {iago:.0} positions per second of its search ({positions} openings, {TIME:?} each): BILL is \
         {:.1} times as fast. The papers state {} nodes per second for BILL (VAX 11/785) and 10,000 leaves per minute, \
         {:.0} per second, for IAGO (DecSystem 2060). These are the speeds of the rows with `historical`, of which that with \
         `minutes=6` is BILL's fifth of the time. The experiment `bill-iago` looks for what makes the difference.",
        bill / iago,
        BillSettings::HISTORICAL_NODES_PER_SECOND,
        HistoricalClock::LEAVES_PER_SECOND,
    ));
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn every_rivalry_has_its_row_and_bill_is_compared_with_iago_in_figures_of_the_run() {
        let report =
            rehearsal::rehearse(classics::registry(), |setup| at_scale(setup, Scale { pairs: 1, positions: 1 }))
                .unwrap();
        let rows = &report.tables[0].rows;
        assert_eq!(rows.len(), RIVALRIES.len());
        assert!(rows[FIFTH][0].starts_with("bill3@move-time=10ms - iago@move-time=50ms"));
        let percent: f64 = rows[FIFTH][1].split(" = ").nth(1).unwrap().trim_end_matches('%').parse().unwrap();
        assert!(report.notes[1].starts_with(&format!("BILL scores {percent:.0}% against IAGO")), "{:?}", report.notes);
        assert!(
            report.notes[1].contains("1100 nodes per second for BILL") && report.notes[1].contains("167 per second")
        );
        // Dashes are where no paper states a result.
        assert_eq!(rows.iter().filter(|row| row[3] == "-").count(), 7);
    }
}
