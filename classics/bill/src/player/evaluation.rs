//! Combination of the features into one value: BILL 2.0's hand-set weights (section 6.2) and BILL 3.0's quadratic
//! discriminant (section 5).

use super::features::{FEATURE_COUNT, Features};

/// The largest absolute value of an unfinished game.
pub(crate) const MOST: i32 = (1 << 20) - 1;

/// BILL 2.0: a weight for each feature, the same through the whole game, set by hand.
///
/// The paper gives no figures. Edges, current and potential mobility count equally, sequences half as much.
pub const LINEAR_WEIGHTS: [i32; FEATURE_COUNT] = [4, 4, 4, 2];

/// The discriminant of one stage, written out: `constant + linear x + x quadratic x`, with every pair once.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Discriminant {
    /// The constant term.
    pub constant: f32,
    /// The factor of each feature.
    pub linear: [f32; FEATURE_COUNT],
    /// The factor of each pair of features: the square of the first, first times second and so on.
    pub quadratic: [f32; PAIR_COUNT],
}

/// Pairs of features, including each with itself.
pub const PAIR_COUNT: usize = FEATURE_COUNT * (FEATURE_COUNT + 1) / 2;

/// The distribution of one class of positions, won or lost: a normal distribution.
#[derive(Clone, PartialEq, Debug)]
pub struct Class {
    /// The means of the features.
    pub mean: [f64; FEATURE_COUNT],
    /// Their covariances.
    pub covariance: [[f64; FEATURE_COUNT]; FEATURE_COUNT],
}

impl Class {
    /// The inverse of the covariances and the logarithm of their determinant, or `None` if features are linearly
    /// dependent and there is no inverse.
    fn inverse(&self) -> Option<([[f64; FEATURE_COUNT]; FEATURE_COUNT], f64)> {
        const N: usize = FEATURE_COUNT;
        let mut left = self.covariance;
        let mut inverse: [[f64; N]; N] =
            std::array::from_fn(|row| std::array::from_fn(|column| f64::from(row == column)));
        let mut logarithm = 0.0;
        // Covariances are positive definite: Gauss-Jordan elimination needs no pivoting.
        for pivot in 0..N {
            let divisor = left[pivot][pivot];
            if divisor.is_nan() || divisor <= 1e-9 {
                return None;
            }
            logarithm += divisor.ln();
            for matrix in [&mut left, &mut inverse] {
                matrix[pivot].iter_mut().for_each(|entry| *entry /= divisor);
            }
            for row in (0..N).filter(|&row| row != pivot) {
                let factor = left[row][pivot];
                for matrix in [&mut left, &mut inverse] {
                    let of_pivot = matrix[pivot];
                    matrix[row].iter_mut().zip(of_pivot).for_each(|(entry, of_pivot)| *entry -= factor * of_pivot);
                }
            }
        }
        Some((inverse, logarithm))
    }
}

impl Discriminant {
    /// `g(x) = g_win(x) - g_loss(x)` of equations (1) and (2) for equal chances of both classes, or `None` if a class
    /// has no inverse. Equation (4) as printed has the other sign and lacks the factor one half, without which (5)
    /// would not be a probability.
    pub fn between(win: &Class, loss: &Class) -> Option<Self> {
        const N: usize = FEATURE_COUNT;
        let (mut constant, mut linear, mut quadratic) = (0.0, [0.0; N], [0.0; PAIR_COUNT]);
        for (class, sign) in [(win, 1.0), (loss, -1.0)] {
            let (inverse, logarithm) = class.inverse()?;
            constant -= sign * 0.5 * logarithm;
            let mut pair = 0;
            for row in 0..N {
                for (column, of_column) in inverse.iter().enumerate() {
                    let entry = 0.5 * (inverse[row][column] + of_column[row]);
                    constant -= sign * 0.5 * entry * class.mean[row] * class.mean[column];
                    linear[row] += sign * entry * class.mean[column];
                    if column >= row {
                        quadratic[pair] -= sign * if column == row { 0.5 } else { 1.0 } * entry;
                        pair += 1;
                    }
                }
            }
        }
        Some(Self {
            constant: constant as f32,
            linear: linear.map(|number| number as f32),
            quadratic: quadratic.map(|number| number as f32),
        })
    }

    /// `g(x)`: the log odds of a win.
    #[inline]
    pub fn log_odds(&self, features: &Features) -> f32 {
        let x = features.vector();
        let mut sum = self.constant;
        let mut pair = 0;
        for row in 0..FEATURE_COUNT {
            let mut factor = self.linear[row];
            for feature in &x[row..] {
                factor += self.quadratic[pair] * feature;
                pair += 1;
            }
            sum += factor * x[row];
        }
        sum
    }
}

/// The probability of winning that belongs to `g(x)` (equation 5).
pub fn win_probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// The stages of the game: numbers of discs.
pub const STAGE_COUNT: usize = 65;

/// Ways to combine features into a value.
#[derive(Clone, PartialEq, Debug)]
pub enum Evaluation {
    /// BILL 2.0: a weighted sum.
    Linear([i32; FEATURE_COUNT]),
    /// BILL 3.0: a discriminant for each number of discs.
    Quadratic(Box<[Discriminant; STAGE_COUNT]>),
}

/// The log odds of a value of one.
pub(crate) const PER_LOG_ODDS: f32 = 1000.0;

impl Evaluation {
    /// The value of the features with this many discs on the board.
    #[inline]
    pub fn value(&self, features: &Features, disc_count: u32) -> i32 {
        let value = match self {
            Evaluation::Linear(weights) => {
                let Features { edge, current_mobility, potential_mobility, sequence } = *features;
                weights[0] * edge
                    + weights[1] * current_mobility
                    + weights[2] * potential_mobility
                    + weights[3] * sequence
            }
            Evaluation::Quadratic(stages) => {
                let stage = (disc_count as usize).min(STAGE_COUNT - 1);
                (stages[stage].log_odds(features) * PER_LOG_ODDS) as i32
            }
        };
        value.clamp(-MOST, MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(x: [i32; 4]) -> Features {
        Features { edge: x[0], current_mobility: x[1], potential_mobility: x[2], sequence: x[3] }
    }

    fn diagonal(variances: [f64; 4]) -> [[f64; 4]; 4] {
        std::array::from_fn(|row| std::array::from_fn(|column| if row == column { variances[row] } else { 0.0 }))
    }

    #[test]
    fn the_discriminant_of_a_small_problem_is_that_found_by_hand() {
        // Only the first feature matters: wins at 2 with variance 1, losses at -1 with variance 4. By hand g(x) = -(x -
        // 2)^2 / 2 + (x + 1)^2 / 8 + ln 2.
        let win = Class { mean: [2.0, 0.0, 0.0, 0.0], covariance: diagonal([1.0; 4]) };
        let loss = Class { mean: [-1.0, 0.0, 0.0, 0.0], covariance: diagonal([4.0, 1.0, 1.0, 1.0]) };
        let found = Discriminant::between(&win, &loss).unwrap();
        for x in -5..=5 {
            let by_hand = -f64::from(x - 2).powi(2) / 2.0 + f64::from(x + 1).powi(2) / 8.0 + 2f64.ln();
            let g = f64::from(found.log_odds(&features([x, 7, -3, 1])));
            assert!((g - by_hand).abs() < 1e-5, "{g} {by_hand}");
            // The two densities themselves, by Bayes' rule.
            let density =
                |mean: f64, variance: f64| (-(f64::from(x) - mean).powi(2) / 2.0 / variance).exp() / variance.sqrt();
            let (w, l) = (density(2.0, 1.0), density(-1.0, 4.0));
            assert!((win_probability(g) - w / (w + l)).abs() < 1e-5);
        }
    }

    #[test]
    fn correlated_features_are_judged_by_the_inverse_of_their_covariances() {
        // Two features of variance 1 and covariance 1/2: the inverse is 4/3 and -2/3. With equal covariances only the
        // linear part is left, here (4/3 - 2/3) (x1 + x2) * 2 for means of 1 and -1.
        let mut covariance = diagonal([1.0; 4]);
        covariance[0][1] = 0.5;
        covariance[1][0] = 0.5;
        let class = |mean: f64| Class { mean: [mean, mean, 0.0, 0.0], covariance };
        let found = Discriminant::between(&class(1.0), &class(-1.0)).unwrap();
        for x in [[1, 0, 0, 0], [3, -2, 5, 5], [0, 4, 0, 1]] {
            let by_hand = f64::from(x[0] + x[1]) * 4.0 / 3.0;
            assert!((f64::from(found.log_odds(&features(x))) - by_hand).abs() < 1e-5);
        }
        let flat = Class { mean: [0.0; 4], covariance: diagonal([1.0, 0.0, 1.0, 1.0]) };
        assert_eq!(Discriminant::between(&flat, &class(1.0)), None);
    }

    #[test]
    fn the_discriminant_of_two_different_classes_is_what_scipy_finds() {
        // Means and correlations of Table 1, with deviations made up. The values are stats.multivariate_normal.logpdf of
        // wins less that of losses (scipy 1.17).
        let class = |mean: [f64; 4], deviations: [f64; 4], pairs: [f64; 6]| {
            let [em, ep, es, mp, ms, ps] = pairs;
            let correlations = [[1.0, em, ep, es], [em, 1.0, mp, ms], [ep, mp, 1.0, ps], [es, ms, ps, 1.0]];
            let covariance = std::array::from_fn(|row| {
                std::array::from_fn(|column| correlations[row][column] * deviations[row] * deviations[column])
            });
            Class { mean, covariance }
        };
        let win =
            class([599.0, 533.0, 266.0, 242.0], [800.0, 600.0, 300.0, 400.0], [0.26, 0.11, 0.20, 0.73, 0.65, 0.64]);
        let loss =
            class([-334.0, -419.0, -200.0, -112.0], [900.0, 500.0, 350.0, 300.0], [0.25, 0.12, 0.21, 0.74, 0.65, 0.64]);
        let found = Discriminant::between(&win, &loss).unwrap();
        for (x, expected) in [
            ([0, 0, 0, 0], -0.447_859_848),
            ([599, 533, 266, 242], 1.779_188_344),
            ([-334, -419, -200, -112], -2.112_350_589),
            ([1200, -300, 50, 10], -0.068_182_049),
            ([-900, 700, 400, -600], 4.850_724_092),
        ] {
            let g = f64::from(found.log_odds(&features(x)));
            assert!((g - expected).abs() < 1e-3, "{g} instead of {expected} at {x:?}");
        }
    }

    #[test]
    fn linear_values_are_weighted_sums() {
        let [a, b, c, d] = LINEAR_WEIGHTS;
        let value = Evaluation::Linear(LINEAR_WEIGHTS).value(&features([1, 10, 100, -1000]), 30);
        assert_eq!(value, a + 10 * b + 100 * c - 1000 * d);
        let huge = features([i32::MAX / 64; 4]);
        assert_eq!(Evaluation::Linear(LINEAR_WEIGHTS).value(&huge, 30), MOST);
    }
}
