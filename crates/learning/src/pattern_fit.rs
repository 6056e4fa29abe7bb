//! The regression for the weights of the learned evaluation, one phase of the game at a time.
//!
//! The weights minimize the squared errors on the labels plus a penalty on the distance of each weight from its prior.
//! The equations of a phase have 170,000 unknowns and a matrix with 56 ones in every row; conjugate gradients solve
//! them without building the matrix. The prior of a weight is its value in the next phase, so that configurations that
//! are rare in one phase are known from the others.
//!
//! Sums run over parts with a fixed size and in a fixed order: the result does not depend on the number of threads.

use std::iter::Sum;

use evaluation::patterns::{INSTANCE_COUNT, INSTANCES, Indices};
use evaluation::weights::Layout;
use othello::regions::QuadrantParity;
use othello::{Board, Rules};
use serde::Serialize;

use crate::parallel;

/// The number of weights that make up the value of a position: those of the instances, of mobility and of parity.
pub(crate) const WEIGHTS_IN_A_POSITION: usize = INSTANCE_COUNT + 2;

/// The indices of the weights that make up the value of a position.
pub(crate) fn weight_numbers(layout: &Layout, board: &Board) -> [u32; WEIGHTS_IN_A_POSITION] {
    let mut numbers = [0; WEIGHTS_IN_A_POSITION];
    let indices = Indices::of(board);
    for (lane, instance) in INSTANCES.iter().enumerate() {
        numbers[lane] = layout.numbers[usize::from(instance.pattern)][usize::from(indices.0[lane])];
    }
    let (own, other) = (board.moves().count_ones(), board.pass().moves().count_ones());
    numbers[INSTANCE_COUNT] = layout.mobility(own, other) as u32;
    let odd = QuadrantParity::of(board.empties()).bits().count_ones();
    numbers[INSTANCE_COUNT + 1] = layout.parity as u32 + odd;
    numbers
}

/// Positions of one phase with their labels, as the indices of their weights.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    numbers: Vec<[u32; WEIGHTS_IN_A_POSITION]>,
    labels: Vec<f32>,
}

impl Rows {
    /// Adds a position with its label in discs.
    pub(crate) fn push(&mut self, layout: &Layout, board: &Board, label: f32) {
        self.numbers.push(weight_numbers(layout, board));
        self.labels.push(label);
    }

    /// The number of positions.
    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are no positions.
    pub(crate) fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The errors of the values with these weights.
    pub(crate) fn errors(&self, weights: &[f32], threads: usize) -> Errors {
        let parts = in_parts(self, threads, |numbers, labels| {
            let mut errors = Errors::default();
            for (numbers, label) in numbers.iter().zip(labels) {
                errors.add(f64::from(value(weights, numbers).clamp(-64.0, 64.0) - label));
            }
            errors
        });
        parts.into_iter().sum()
    }
}

/// Errors of values compared with labels, in discs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Errors {
    /// The number of positions.
    pub positions: u64,
    /// The sum of the squared errors.
    pub squares: f64,
    /// The sum of the absolute errors.
    pub absolute: f64,
    /// The sum of the errors, value minus label.
    pub signed: f64,
}

impl Errors {
    /// Adds an error: a value minus its label.
    pub fn add(&mut self, error: f64) {
        self.positions += 1;
        self.squares += error * error;
        self.absolute += error.abs();
        self.signed += error;
    }

    /// The root mean square error.
    pub fn root_mean_square(&self) -> f64 {
        (self.squares / self.positions.max(1) as f64).sqrt()
    }

    /// The mean absolute error.
    pub fn mean_absolute(&self) -> f64 {
        self.absolute / self.positions.max(1) as f64
    }

    /// The mean error: positive if the values are too high.
    pub fn bias(&self) -> f64 {
        self.signed / self.positions.max(1) as f64
    }

    /// The standard deviation of the errors.
    pub(crate) fn deviation(&self) -> f64 {
        (self.squares / self.positions.max(1) as f64 - self.bias().powi(2)).max(0.0).sqrt()
    }
}

impl Sum for Errors {
    fn sum<I: Iterator<Item = Errors>>(parts: I) -> Errors {
        parts.fold(Errors::default(), |sum, part| Errors {
            positions: sum.positions + part.positions,
            squares: sum.squares + part.squares,
            absolute: sum.absolute + part.absolute,
            signed: sum.signed + part.signed,
        })
    }
}

/// The parameters of a fit.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Fit {
    /// The strength of the penalty, as a number of positions.
    pub penalty: f32,
    /// The maximum number of steps.
    pub steps: u32,
    /// The number of threads.
    #[serde(skip)]
    pub threads: usize,
}

/// A step of a fit, for an observer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// The number of the step, from 1.
    pub number: u32,
    /// The errors on held-out positions.
    pub held_out: Errors,
}

/// The weights for one phase, in discs, and their errors on the held-out positions.
///
/// The fit ends when the held-out error no longer decreases; the weights with the smallest error are returned.
pub(crate) fn fit(
    rows: &Rows,
    held_out: &Rows,
    prior: &[f32],
    fit: &Fit,
    watch: &mut dyn FnMut(&Step),
) -> (Vec<f32>, Errors) {
    let threads = fit.threads;
    let mut weights = prior.to_vec();
    let mut best = (weights.clone(), held_out.errors(&weights, threads));
    if rows.is_empty() {
        return best;
    }
    // The residual of the prior, transformed to the weights: the first residual.
    let mut residual = transposed(rows, prior.len(), threads, |numbers, label| label - value(prior, numbers));
    let counts = transposed(rows, prior.len(), threads, |_, _| 1.0);
    let scale: Vec<f32> = counts.iter().map(|count| 1.0 / (count + fit.penalty)).collect();
    let mut direction: Vec<f32> = residual.iter().zip(&scale).map(|(r, s)| r * s).collect();
    let mut steepness = dot(&residual, &direction);
    let mut worse = 0;
    for number in 1..=fit.steps {
        if steepness <= 0.0 {
            break;
        }
        let mut image = transposed(rows, prior.len(), threads, |numbers, _| value(&direction, numbers));
        for (image, direction) in image.iter_mut().zip(&direction) {
            *image += fit.penalty * direction;
        }
        let length = (steepness / dot(&direction, &image)) as f32;
        for index in 0..weights.len() {
            weights[index] += length * direction[index];
            residual[index] -= length * image[index];
        }
        let scaled: Vec<f32> = residual.iter().zip(&scale).map(|(r, s)| r * s).collect();
        let next = dot(&residual, &scaled);
        let turn = (next / steepness) as f32;
        steepness = next;
        for (direction, scaled) in direction.iter_mut().zip(&scaled) {
            *direction = scaled + turn * *direction;
        }
        let errors = held_out.errors(&weights, threads);
        watch(&Step { number, held_out: errors });
        if held_out.is_empty() || errors.squares < best.1.squares {
            best = (weights.clone(), errors);
            worse = 0;
        } else {
            worse += 1;
            // One step without improvement may be chance, three are not.
            if worse == 3 {
                break;
            }
        }
    }
    best
}

#[inline]
fn value(weights: &[f32], numbers: &[u32; WEIGHTS_IN_A_POSITION]) -> f32 {
    numbers.iter().map(|&number| weights[number as usize]).sum()
}

fn dot(left: &[f32], right: &[f32]) -> f64 {
    left.iter().zip(right).map(|(left, right)| f64::from(*left) * f64::from(*right)).sum()
}

/// The number of positions in a partial sum.
const PART: usize = 1 << 16;

/// The maximum number of partial sums, limited by memory.
const MAX_PARTS: usize = 16;

/// Adds to every weight the contribution of each of its positions.
fn transposed(
    rows: &Rows,
    count: usize,
    threads: usize,
    give: impl Fn(&[u32; WEIGHTS_IN_A_POSITION], f32) -> f32 + Send + Sync,
) -> Vec<f32> {
    let parts = in_parts(rows, threads, |numbers, labels| {
        let mut sums = vec![0.0; count];
        for (numbers, &label) in numbers.iter().zip(labels) {
            let amount = give(numbers, label);
            for &number in numbers {
                sums[number as usize] += amount;
            }
        }
        sums
    });
    let mut total = vec![0.0; count];
    for part in parts {
        for (total, part) in total.iter_mut().zip(part) {
            *total += part;
        }
    }
    total
}

/// Processes the parts of the positions in parallel, and returns the results in order.
fn in_parts<T: Send>(
    rows: &Rows,
    threads: usize,
    work: impl Fn(&[[u32; WEIGHTS_IN_A_POSITION]], &[f32]) -> T + Send + Sync,
) -> Vec<T> {
    let size = PART.max(rows.len().div_ceil(MAX_PARTS));
    let parts: Vec<_> = rows.numbers.chunks(size).zip(rows.labels.chunks(size)).collect();
    parallel::map(&parts, threads, |(numbers, labels)| work(numbers, labels))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::least_squares::LeastSquares;

    /// Pseudorandom rows over a few weights.
    fn some_rows(count: usize, weights: u32, mut seed: u64) -> Rows {
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as u32
        };
        let mut rows = Rows::default();
        for _ in 0..count {
            rows.numbers.push(std::array::from_fn(|_| next() % weights));
            rows.labels.push((next() % 129) as f32 - 64.0);
        }
        rows
    }

    #[test]
    fn the_weights_solve_the_explicit_equations() {
        let rows = some_rows(400, 12, 5);
        let (penalty, count) = (3.0, 12);
        let mut equations = LeastSquares::new(count);
        for (numbers, label) in rows.numbers.iter().zip(&rows.labels) {
            let mut coefficients = vec![0.0; count];
            for &number in numbers {
                coefficients[number as usize] += 1.0;
            }
            equations.add(&coefficients, f64::from(*label));
        }
        let expected = equations.solve(penalty);
        let settings = Fit { penalty: penalty as f32, steps: 60, threads: 1 };
        let (weights, _) = fit(&rows, &Rows::default(), &vec![0.0; count], &settings, &mut |_| ());
        for (weight, expected) in weights.iter().zip(expected) {
            assert!((f64::from(*weight) - expected).abs() < 1e-3, "{weight} instead of {expected}");
        }
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let rows = some_rows(3 * PART, 1000, 7);
        let held_out = some_rows(1000, 1000, 8);
        let run = |threads| {
            let settings = Fit { penalty: 1.0, steps: 4, threads };
            fit(&rows, &held_out, &vec![0.5; 1000], &settings, &mut |_| ())
        };
        assert_eq!(run(1), run(3));
    }

    #[test]
    fn a_weight_without_positions_keeps_its_prior() {
        let mut rows = some_rows(100, 10, 9);
        rows.labels.fill(0.0);
        let prior: Vec<f32> = (0..20).map(|number| number as f32).collect();
        let settings = Fit { penalty: 1.0, steps: 30, threads: 2 };
        let (weights, _) = fit(&rows, &Rows::default(), &prior, &settings, &mut |_| ());
        assert_eq!(weights[10..], prior[10..]);
        assert!(weights[..10] != prior[..10]);
    }
}
