//! The plots of `emilia learn inspect`: errors by phase, values against scores, the probability of winning.

use crate::weight_inspection::{CELL, CELLS, Inspection, PhaseReport};
use evaluation::winning::logistic;
use report::axes::Axis;

use report::plot::{COLOURS, Plot};

/// The phases in the plot of winning probabilities, by their empty squares.
const SHOWN_EMPTIES: [usize; 4] = [50, 36, 22, 8];

/// The width of the steps of values in that plot, in discs.
const STEP: f64 = 2.0;

/// The minimum number of positions of a step.
const MIN_POSITIONS: u64 = 20;

/// The plots with their file names.
pub fn plots(inspection: &Inspection<'_>, phases: &[PhaseReport]) -> [(&'static str, String); 3] {
    [
        ("error_by_phase.svg", errors(phases)),
        ("values_and_scores.svg", values(inspection)),
        ("winning.svg", winning(inspection, phases)),
    ]
}

/// The number of empty squares in the middle of a phase.
fn empties_of(phase: usize) -> f64 {
    59.5 - 2.0 * phase as f64
}

fn errors(phases: &[PhaseReport]) -> String {
    let known = || phases.iter().enumerate().filter(|(_, report)| report.errors.positions > 0);
    let most = known().map(|(_, report)| report.errors.root_mean_square()).fold(1.0, f64::max);
    let x = Axis::new("empty squares", 60.0, 0.0);
    let mut plot = Plot::new("Errors on held-out games", x, Axis::new("discs", 0.0, 1.05 * most));
    plot.line(known().map(|(phase, report)| (empties_of(phase), report.errors.root_mean_square())), COLOURS[0]);
    plot.name("root mean square", COLOURS[0]);
    plot.line(known().map(|(phase, report)| (empties_of(phase), report.errors.mean_absolute())), COLOURS[1]);
    plot.name("mean without sign", COLOURS[1]);
    plot.svg()
}

fn values(inspection: &Inspection<'_>) -> String {
    let side = |name| Axis::new(name, -66.0, 66.0);
    let mut plot = Plot::new(
        "Values against scores on held-out games (each column as dark as its share)",
        side("value in discs"),
        side("final score"),
    );
    let middle = |cell: usize| (cell as i32 * CELL - 64) as f64;
    for (value, column) in inspection.cells.iter().enumerate() {
        let total: u64 = column.iter().sum();
        let most = column.iter().max().copied().unwrap_or(0).max(1);
        for (score, &count) in column.iter().enumerate().take(CELLS).filter(|(_, count)| **count > 0) {
            // A column with few positions is pale as a whole.
            let shade = count as f64 / most as f64 * (total as f64 / MIN_POSITIONS as f64).min(1.0);
            plot.cell((middle(value), middle(score)), (f64::from(CELL), f64::from(CELL)), shade, COLOURS[0]);
        }
    }
    plot.line([(-64.0, -64.0), (64.0, 64.0)], COLOURS[1]);
    plot.name("value = score", COLOURS[1]);
    plot.svg()
}

fn winning(inspection: &Inspection<'_>, phases: &[PhaseReport]) -> String {
    let x = Axis::new("value in discs", -32.0, 32.0);
    let y = Axis::new("share won, a draw being half", 0.0, 1.0);
    let mut plot = Plot::new("The probability of winning: games (dots) and the fit (lines)", x, y);
    for (empties, color) in SHOWN_EMPTIES.into_iter().zip(COLOURS) {
        let phase = (60 - empties) / 2;
        for (value, outcomes) in inspection.winning.steps(phase, STEP) {
            if outcomes.positions >= MIN_POSITIONS {
                plot.dot(value, outcomes.share(), 3.5, color);
            }
        }
        let scale = phases[phase].winning.scale;
        plot.line((-64..=64).map(|half| f64::from(half) / 2.0).map(|value| (value, logistic(value / scale))), color);
        plot.name(&format!("{empties} empties"), color);
    }
    plot.svg()
}
