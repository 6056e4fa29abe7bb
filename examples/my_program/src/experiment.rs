//! The experiment: matches between values of the player's setting.

use engine::settings::{Setting, Settings, number};
use laboratory::duel::result;
use laboratory::{Experiment, ExperimentError, Report, Setup, Table};

/// The experiment, as it is listed.
pub(crate) const CORNER_VALUE: Experiment =
    Experiment::new("corner-value", "this example", "what the value of a corner is worth against the default", run)
        .with_settings(Matches::LIST);

/// Settings of the experiment: `lab run corner-value --set pairs=100`.
struct Matches {
    pairs: u32,
}

impl Default for Matches {
    fn default() -> Self {
        Self { pairs: 20 }
    }
}

impl Settings for Matches {
    const LIST: &'static [Setting] =
        &[Setting { name: "pairs", values: "20 (a number from 1 to 1000)", description: "pairs of games in a match" }];

    fn set(&mut self, _name: &str, value: &str) -> bool {
        number(&mut self.pairs, value, 1..=1000)
    }
}

fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    let Matches { pairs } = setup.settings()?;
    let mut report = Report::of(CORNER_VALUE.name);
    let mut table = Table::new("Results against the default", &["value", "won-drawn-lost"]);
    for value in ["0", "10", "40"] {
        let tally = setup.duel(&format!("corners@value={value}"), "corners", pairs)?;
        table.row([value.to_owned(), result(&tally)]);
    }
    report.tables.push(table);
    Ok(report)
}
