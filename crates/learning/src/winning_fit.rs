//! Fits the probability of winning to games: the maximum-likelihood scale for every phase.

use std::fmt::Write;

use evaluation::weights::{PHASE_COUNT, phase};
use evaluation::winning::logistic;
use evaluation::{Evaluation, Value};
use othello::{Board, Score};

use crate::error::Result;
use crate::material::Material;

/// The maximum value of a position, in parts of a disc, for either side.
const MAX: i32 = Value::MAX.parts();

/// Values and results: for every phase and every value how often it occurred and how often it was won.
#[derive(Clone, Debug)]
pub struct WinningTally {
    phases: Vec<Vec<Outcomes>>,
}

/// The results of positions with one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Outcomes {
    pub(crate) positions: u64,
    /// The half points of their sides to move: two for a win, one for a draw.
    half_points: u64,
}

impl Outcomes {
    /// The share of the points.
    pub(crate) fn share(&self) -> f64 {
        self.half_points as f64 / (2 * self.positions).max(1) as f64
    }
}

/// The fit of a phase.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PhaseFit {
    /// The value in discs at which the odds are e to one.
    pub scale: f64,
    /// The number of positions it was fitted to.
    pub positions: u64,
    /// The mean surprise in bits: 1 without any knowledge, less with knowledge.
    pub surprise: f64,
}

/// The range of scales: the smallest for phases in which values are certain, the largest where they mean nothing.
const SCALES: (f64, f64) = (0.05, 100.0);

impl Default for WinningTally {
    fn default() -> Self {
        Self { phases: vec![vec![Outcomes::default(); 2 * MAX as usize + 1]; PHASE_COUNT] }
    }
}

impl WinningTally {
    /// The values and results of positions, of one game in `held_out`.
    pub fn of_games<E: Evaluation<Board>>(evaluation: &E, material: &Material, held_out: u64) -> Result<Self> {
        let mut tally = Self::default();
        material.read(0..=60, &mut |game, board, known| {
            if let Some(label) = known.value()
                && game.is_multiple_of(held_out)
            {
                let value = evaluation.evaluate(board, &evaluation.features(board));
                tally.add(board.empty_count(), value, Score::new(label as i8));
            }
        })?;
        Ok(tally)
    }

    /// Adds a value and the result of the game for the side to move.
    pub(crate) fn add(&mut self, empty_count: u32, value: Value, score: Score) {
        let place = (value.clamped().parts() + MAX) as usize;
        let outcomes = &mut self.phases[phase(empty_count)][place];
        outcomes.positions += 1;
        outcomes.half_points += (1 + score.discs().signum()) as u64;
    }

    /// The results for the values of a phase, in steps of this many discs: the middle of each step, and its results.
    pub(crate) fn steps(&self, phase: usize, step: f64) -> Vec<(f64, Outcomes)> {
        let mut steps: Vec<(f64, Outcomes)> = Vec::new();
        for (value, outcomes) in self.known(phase) {
            let middle = (value / step).round() * step;
            match steps.last_mut() {
                Some((last, sum)) if *last == middle => {
                    sum.positions += outcomes.positions;
                    sum.half_points += outcomes.half_points;
                }
                _ => steps.push((middle, outcomes)),
            }
        }
        steps
    }

    /// The values that occurred in a phase, in discs, in increasing order.
    fn known(&self, phase: usize) -> impl Iterator<Item = (f64, Outcomes)> + '_ {
        let all = (-MAX..=MAX).zip(&self.phases[phase]);
        let known = all.filter(|(_, outcomes)| outcomes.positions > 0);
        known.map(|(parts, outcomes)| (f64::from(parts) / f64::from(Value::PER_DISC), *outcomes))
    }

    /// The maximum-likelihood scale of every phase; without positions that of the next phase, or else the previous one.
    pub fn fit(&self) -> Vec<PhaseFit> {
        let fits: Vec<Option<PhaseFit>> = (0..PHASE_COUNT).map(|phase| self.fit_phase(phase)).collect();
        let scale_near = |phase: usize| {
            let after = fits[phase..].iter().flatten().next();
            after.or(fits[..phase].iter().rev().flatten().next()).map_or(SCALES.1, |fit| fit.scale)
        };
        let nothing = |phase| PhaseFit { scale: scale_near(phase), positions: 0, surprise: 1.0 };
        fits.iter().enumerate().map(|(phase, fit)| fit.unwrap_or_else(|| nothing(phase))).collect()
    }

    fn fit_phase(&self, phase: usize) -> Option<PhaseFit> {
        let positions = self.known(phase).map(|(_, outcomes)| outcomes.positions).sum();
        if positions == 0 {
            return None;
        }
        // The likelihood has one maximum as a function of the steepness, 1 / scale, where its slope crosses zero.
        let slope = |steepness: f64| -> f64 {
            let terms = self.known(phase).map(|(value, outcomes)| {
                value * outcomes.positions as f64 * (outcomes.share() - logistic(steepness * value))
            });
            terms.sum()
        };
        let (mut low, mut high) = (1.0 / SCALES.1, 1.0 / SCALES.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if slope(middle) > 0.0 { low = middle } else { high = middle }
        }
        let scale = 2.0 / (low + high);
        let surprise = self.surprise(phase, scale) / positions as f64;
        Some(PhaseFit { scale, positions, surprise })
    }

    /// The mean surprise of the results of a phase with a scale, in bits.
    fn surprise(&self, phase: usize, scale: f64) -> f64 {
        let terms = self.known(phase).map(|(value, outcomes)| {
            let (chance, share) = (logistic(value / scale), outcomes.share());
            let of = |chance: f64, share: f64| if share > 0.0 { -share * chance.max(1e-300).log2() } else { 0.0 };
            outcomes.positions as f64 * (of(chance, share) + of(1.0 - chance, 1.0 - share))
        });
        terms.sum()
    }
}

/// The source file of the scales that are built into the program; it names the command that made it.
pub fn source(fits: &[PhaseFit], command: &str) -> String {
    let mut text = format!(
        "//! The scales of the probability of winning, in discs: one for every phase.\n\
         //!\n\
         //! Made by `{command}`.\n\n\
         use crate::weights::PHASE_COUNT;\n\n\
         #[rustfmt::skip]\n\
         pub(crate) static SCALES: [f64; PHASE_COUNT] = [\n"
    );
    for row in fits.chunks(10) {
        let row: Vec<_> = row.iter().map(|fit| format!("{:.3}", fit.scale)).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    {},", row.join(", "));
    }
    text.push_str("];\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::random::Random;

    /// Values of one phase with results drawn with a known scale, and a share of draws.
    fn drawn(scale: f64, draws: f64, count: u64) -> Vec<(Value, Score)> {
        let draw = |index| {
            let mut random = Random::of_item(7, index);
            let value = Value::from_discs((random.share() * 60.0 - 30.0) as f32);
            let chance = logistic(f64::from(value.discs()) / scale);
            let score = match () {
                () if random.share() < draws => 0,
                () if random.share() < chance => 2,
                () => -2,
            };
            (value, Score::new(score))
        };
        (0..count).map(draw).collect()
    }

    fn fitted(samples: &[(Value, Score)]) -> PhaseFit {
        let mut tally = WinningTally::default();
        samples.iter().for_each(|&(value, score)| tally.add(20, value, score));
        tally.fit()[phase(20)]
    }

    /// The likelihood of the samples, one by one, under a scale.
    fn log_likelihood(samples: &[(Value, Score)], scale: f64) -> f64 {
        let of = |&(value, score): &(Value, Score)| {
            let chance = 1.0 / (1.0 + (-f64::from(value.parts()) / 128.0 / scale).exp());
            match score.discs() {
                0 => (chance.ln() + (1.0 - chance).ln()) / 2.0,
                discs if discs > 0 => chance.ln(),
                _ => (1.0 - chance).ln(),
            }
        };
        samples.iter().map(of).sum()
    }

    /// The likeliest scale, by trying ever finer steps.
    fn slow_fit(samples: &[(Value, Score)]) -> f64 {
        let (mut best, mut step) = (10.0, 8.0);
        while step > 1e-6 {
            let around = (-10..=10).map(|index| best + f64::from(index) * step / 4.0).filter(|scale| *scale > 0.1);
            best = around
                .max_by(|one, other| log_likelihood(samples, *one).total_cmp(&log_likelihood(samples, *other)))
                .expect("a scale");
            step /= 2.0;
        }
        best
    }

    #[test]
    fn the_scale_is_the_one_found_by_exhaustive_search() {
        for (scale, draws) in [(1.5, 0.0), (6.0, 0.05), (12.0, 0.3)] {
            let samples = drawn(scale, draws, 2000);
            let (fit, slow) = (fitted(&samples), slow_fit(&samples));
            assert!((fit.scale / slow - 1.0).abs() < 1e-4, "{} instead of {slow}", fit.scale);
            let surprise = -log_likelihood(&samples, slow) / 2000.0 / std::f64::consts::LN_2;
            assert!((fit.surprise - surprise).abs() < 1e-6, "{} instead of {surprise}", fit.surprise);
        }
    }

    #[test]
    fn a_fit_recovers_the_scale_that_generated_the_outcomes() {
        let fit = fitted(&drawn(4.0, 0.0, 100_000));
        assert!((fit.scale - 4.0).abs() < 0.1, "{}", fit.scale);
        assert_eq!(fit.positions, 100_000);
    }

    #[test]
    fn phases_without_positions_have_the_scale_of_a_neighbor_and_certain_ones_the_minimum() {
        let mut tally = WinningTally::default();
        assert!(tally.fit().iter().all(|fit| fit.scale == SCALES.1));
        for discs in 1..30 {
            tally.add(30, Value::from_discs(discs as f32), Score::new(2));
            tally.add(10, Value::from_discs(discs as f32), Score::new(if discs > 5 { 2 } else { -2 }));
        }
        let fits = tally.fit();
        let scale = |empties| fits[phase(empties)].scale;
        assert!((scale(30) - SCALES.0).abs() < 1e-6);
        assert_eq!((scale(60), scale(20), scale(0)), (scale(30), scale(10), scale(10)));
        assert!(source(&fits, "emilia learn winning").contains("Made by `emilia learn winning`."));
    }

    #[test]
    fn steps_contain_every_position_once() {
        let samples = drawn(6.0, 0.1, 3000);
        let mut tally = WinningTally::default();
        samples.iter().for_each(|&(value, score)| tally.add(20, value, score));
        let steps = tally.steps(phase(20), 2.0);
        assert_eq!(steps.iter().map(|(_, outcomes)| outcomes.positions).sum::<u64>(), 3000);
        assert!(steps.is_sorted_by(|(one, _), (other, _)| one < other));
        let near = |value: &Value| (value.discs() - 4.0).abs() < 1.0;
        let expected = samples.iter().filter(|(value, _)| near(value)).count();
        let found = steps.iter().find(|(middle, _)| *middle == 4.0).expect("a step").1.positions;
        // Values at the very edge may go to either side.
        assert!(found.abs_diff(expected as u64) <= 3, "{found} instead of {expected}");
    }
}
