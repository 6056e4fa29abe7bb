//! The growth of nodes and time to the exact score with the number of empty squares.

use std::collections::BTreeMap;

use super::estimates::{Estimate, Growth};
use super::positions::{origin, positions};
use super::{Result, TABLE, solve, solver};
use crate::{Experiment, Figure, Report, Setup, Table};

const NAME: &str = "solver-growth";

pub(crate) const EXPERIMENT: Experiment = Experiment::new(
    NAME,
    "ours",
    "how many nodes and how much time Emilia needs to solve an endgame, by number of empty squares",
    run,
);

/// The number of positions to solve with each number of empty squares, from [`FEWEST_EMPTIES`] on: fewer where each takes
/// longer, so that a full run takes less than ten minutes on one core.
const FULL: [usize; 15] = [60, 60, 60, 60, 60, 60, 60, 40, 30, 24, 16, 10, 6, 4, 3];
const QUICK: [usize; 11] = [20, 20, 20, 20, 20, 20, 20, 20, 10, 10, 5];
const FEWEST_EMPTIES: u32 = 14;

/// The greatest growth of the number of nodes per empty square that we accept.
const GOAL: f64 = 2.6;

fn run(setup: &mut Setup<'_>) -> Result<Report> {
    let counts: &[usize] = if setup.is_quick { &QUICK } else { &FULL };
    at_scale(setup, &(FEWEST_EMPTIES..).zip(counts.iter().copied()).collect())
}

/// Solves this many positions of each number of empty squares.
fn at_scale(setup: &mut Setup<'_>, counts: &BTreeMap<u32, usize>) -> Result<Report> {
    let positions = positions(setup, counts)?;
    let solver = solver(1)?;
    let [mut nodes, mut times] = [Curve::new("Nodes", "nodes"), Curve::new("Time", "milliseconds")];
    for (empty_count, boards) in positions {
        for (index, board) in boards.iter().enumerate() {
            (setup.progress)(&format!("{empty_count} empty squares, {} of {}", index + 1, boards.len()));
            let cost = solve(setup, &format!("{empty_count} empty squares"), &solver, board)?;
            nodes.add(empty_count, cost.nodes as f64);
            times.add(empty_count, (1e3 * cost.seconds).max(1e-3));
        }
    }
    let mut fits = Table::new("Growth per empty square", &["", "factor", "95% interval", "goal"]);
    let mut report = Report::of(NAME);
    for (curve, digits, goal) in [(&nodes, 0, format!("at most {GOAL}")), (&times, 1, "-".to_owned())] {
        report.tables.push(curve.table(digits));
        report.figures.push(curve.figure());
        if let Some(Growth { factor, .. }) = curve.growth() {
            fits.row([curve.name.to_owned(), format!("{:.2}", factor.value), factor.interval(2), goal]);
        }
    }
    report.tables.insert(0, fits);
    report.note(format!("{} One thread, hash table of {TABLE} MB.", origin()));
    report.note(
        "A factor is that of an exponential curve fitted to all positions. Node counts of one version are the same on every machine; \
         times are those of this machine.",
    );
    Ok(report)
}

struct Curve {
    name: &'static str,
    unit: &'static str,
    measured: BTreeMap<u32, Vec<f64>>,
}

impl Curve {
    fn new(name: &'static str, unit: &'static str) -> Self {
        Self { name, unit, measured: BTreeMap::new() }
    }

    fn add(&mut self, empty_count: u32, number: f64) {
        self.measured.entry(empty_count).or_default().push(number);
    }

    /// The number of empty squares and the number of positions, with the geometric mean and the maximum of each.
    fn means(&self) -> impl Iterator<Item = (u32, usize, Estimate, f64)> {
        self.measured.iter().filter_map(|(&empty_count, numbers)| {
            let most = numbers.iter().copied().fold(0.0, f64::max);
            Some((empty_count, numbers.len(), Estimate::geometric_mean(numbers)?, most))
        })
    }

    fn growth(&self) -> Option<Growth> {
        let points: Vec<(f64, f64)> = self
            .measured
            .iter()
            .flat_map(|(&empty_count, numbers)| numbers.iter().map(move |&number| (f64::from(empty_count), number)))
            .collect();
        Growth::fit(&points)
    }

    fn table(&self, digits: usize) -> Table {
        let title = format!("{} to the exact score", self.name);
        let mean = format!("geometric mean, {}", self.unit);
        let columns = ["empty squares", "positions", &mean, "95% interval", "maximum"];
        let mut table = Table::new(title, &columns);
        let shown = |number: f64| format!("{number:.digits$}");
        for (empty_count, positions, mean, most) in self.means() {
            let interval = mean.interval(digits);
            table.row([empty_count.to_string(), positions.to_string(), shown(mean.value), interval, shown(most)]);
        }
        table
    }

    /// The means, the ends of their intervals, and the fitted curve.
    fn figure(&self) -> Figure {
        let title = format!("{} to solve an endgame", self.name);
        let file = format!("{NAME}-{}", self.name.to_lowercase());
        let mut figure = Figure::new(&file, &title, "empty squares", self.unit);
        figure.is_logarithmic = true;
        figure.line("geometric mean", self.means().map(|(x, _, mean, _)| (f64::from(x), mean.value)).collect());
        if let Some(growth) = self.growth() {
            let name = format!("{:.2} times per empty square", growth.factor.value);
            figure.line(&name, self.means().map(|(x, ..)| f64::from(x)).map(|x| (x, growth.at(x))).collect());
        }
        let ends = self.means().filter(|(_, _, mean, _)| mean.high.is_finite());
        let ends = ends.flat_map(|(x, _, mean, _)| [mean.low, mean.high].map(|y| (f64::from(x), y)));
        figure.dots("95% interval", ends.collect());
        figure
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExperimentError, rehearsal};

    #[test]
    fn a_table_and_a_figure_show_the_same_means() {
        let mut curve = Curve::new("Nodes", "nodes");
        for (empty_count, number) in [(10, 10.0), (10, 1000.0), (11, 250.0), (11, 250.0), (12, 90.0)] {
            curve.add(empty_count, number);
        }
        let rows = curve.table(0).rows;
        assert_eq!(rows[1], ["11", "2", "250", "250 to 250", "250"]);
        assert_eq!(rows[2], ["12", "1", "90", "-", "90"]);
        let figure = curve.figure();
        let means: Vec<String> = figure.series[0].points.iter().map(|point| format!("{:.0}", point.1)).collect();
        assert_eq!(means, ["100", "250", "90"]);
        // One position alone has no interval.
        assert_eq!(figure.series[2].points.len(), 4);
    }

    #[test]
    fn nodes_grow_with_the_empty_squares_and_are_the_same_again() {
        let counts: BTreeMap<u32, usize> = (10..=14).map(|empty_count| (empty_count, 3)).collect();
        let run = || rehearsal::run(&rehearsal::core(), |setup| at_scale(setup, &counts), false).unwrap();
        let report = run();
        let factor: f64 = report.tables[0].rows[0][1].parse().unwrap();
        assert!(factor > 1.3 && factor < 4.0, "{factor}");
        assert_eq!(report.tables[1].rows.len(), 5);
        assert_eq!(report.tables[1], run().tables[1]);
        assert_eq!(
            rehearsal::run(&rehearsal::core(), |setup| at_scale(setup, &counts), true),
            Err(ExperimentError::Stopped)
        );
    }
}
