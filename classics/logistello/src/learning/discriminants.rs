//! The three statistical models compared in LOGISTELLO's paper (Buro 1997, "Feature Combination"), fitted by maximum
//! likelihood: logistic regression, Fisher's linear discriminant, the quadratic discriminant.
//!
//! All of them give the log odds of winning. A draw counts as half a win and half a loss.

use learning::cholesky::Cholesky;
use learning::least_squares::LeastSquares;

/// The features of a position, and the result: 1 for a win, 0.5 for a draw, 0 for a loss.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Example<const N: usize> {
    /// The features.
    pub features: [f64; N],
    /// The result.
    pub result: f64,
}

/// A linear combination: the constant and the weights.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LinearFit<const N: usize> {
    /// The log odds where all features are zero.
    pub constant: f64,
    /// The weight of each feature.
    pub weights: [f64; N],
}

/// A quadratic combination.
#[derive(Clone, PartialEq, Debug)]
pub struct QuadraticFit<const N: usize> {
    /// The constant and the weights of the features themselves.
    pub linear: LinearFit<N>,
    /// The weights of the products of two features: the first with itself and the later ones, then the second, and so
    /// on.
    pub products: Vec<f64>,
}

/// The penalty on squared weights, relative to the evidence of one position: enough to keep weights finite if a feature
/// decides every game of a small sample, negligible for a large one.
const PENALTY: f64 = 1e-3;

/// Newton's method ends when no step is longer than this.
const STEP: f64 = 1e-10;

/// The maximum number of steps of a fit.
const MAX_STEPS: usize = 60;

/// Added to the variance of every feature: some are constant in the opening.
const MIN_VARIANCE: f64 = 1e-6;

/// Logistic regression: the maximum-likelihood weights. It makes no assumptions about the features.
pub fn logistic<const N: usize>(examples: &[Example<N>]) -> LinearFit<N> {
    penalized_logistic(examples, PENALTY)
}

fn penalized_logistic<const N: usize>(examples: &[Example<N>], penalty: f64) -> LinearFit<N> {
    let mut fit = LinearFit { constant: 0.0, weights: [0.0; N] };
    let mut row = vec![0.0; N + 1];
    for _ in 0..MAX_STEPS {
        // Iteratively reweighted least squares: a step of Newton's method is a regression on the residuals.
        let mut equations = LeastSquares::new(N + 1);
        for Example { features, result } in examples {
            let probability = 1.0 / (1.0 + (-fit.log_odds(features)).exp());
            let root = (probability * (1.0 - probability)).max(1e-12).sqrt();
            row[0] = root;
            row[1..].iter_mut().zip(features).for_each(|(term, feature)| *term = root * feature);
            equations.add(&row, (result - probability) / root);
        }
        for number in 0..=N {
            let (root, coefficient) =
                (penalty.sqrt(), if number == 0 { fit.constant } else { fit.weights[number - 1] });
            row.fill(0.0);
            row[number] = root;
            equations.add(&row, -root * coefficient);
        }
        let step = equations.solve(0.0);
        // A step that is too long overshoots if a few positions decide.
        let longest = step.iter().fold(0.0, |longest: f64, part| longest.max(part.abs()));
        let share = (20.0 / longest.max(1e-300)).min(1.0);
        fit.constant += share * step[0];
        fit.weights.iter_mut().zip(&step[1..]).for_each(|(weight, part)| *weight += share * part);
        if longest < STEP {
            break;
        }
    }
    fit
}

/// Fisher's linear discriminant: normal features with the same covariances in won and in lost positions.
///
/// `None` if there are no wins or no losses.
pub fn fisher<const N: usize>(examples: &[Example<N>]) -> Option<LinearFit<N>> {
    let [lost, won] = classes(examples)?;
    let all = lost.count + won.count;
    let pooled: Vec<f64> = lost
        .covariances
        .iter()
        .zip(&won.covariances)
        .map(|(lost_part, won_part)| (lost.count * lost_part + won.count * won_part) / all)
        .collect();
    let difference: Vec<f64> = won.means.iter().zip(lost.means).map(|(won, lost)| won - lost).collect();
    let weights = Cholesky::new(&pooled, N, MIN_VARIANCE).solve(&difference);
    let middle = won.means.iter().zip(lost.means).map(|(won, lost)| (won + lost) / 2.0);
    let constant =
        (won.count / lost.count).ln() - middle.zip(&weights).map(|(mean, weight)| mean * weight).sum::<f64>();
    Some(LinearFit { constant, weights: std::array::from_fn(|number| weights[number]) })
}

/// The quadratic discriminant: normal features with separate covariances in won and in lost positions.
///
/// `None` if there are no wins or no losses.
pub fn quadratic<const N: usize>(examples: &[Example<N>]) -> Option<QuadraticFit<N>> {
    let [lost, won] = classes(examples)?;
    // ln p(won) - ln p(lost), where -2 ln p is ln |S| + (x - m)' S^-1 (x - m) up to a constant.
    let mut fit = QuadraticFit {
        linear: LinearFit { constant: (won.count / lost.count).ln(), weights: [0.0; N] },
        products: vec![0.0; N * (N + 1) / 2],
    };
    for (class, sign) in [(&won, 1.0), (&lost, -1.0)] {
        let factor = Cholesky::new(&class.covariances, N, MIN_VARIANCE);
        let inverse = factor.inverse();
        let turned = factor.solve(&class.means);
        let square: f64 = turned.iter().zip(&class.means).map(|(one, other)| one * other).sum();
        fit.linear.constant -= sign * (factor.log_determinant() + square) / 2.0;
        fit.linear.weights.iter_mut().zip(&turned).for_each(|(weight, part)| *weight += sign * part);
        let mut product = 0;
        for left in 0..N {
            for right in left..N {
                // Both halves of the symmetric form contribute to the same product.
                let times = if left == right { 0.5 } else { 1.0 };
                fit.products[product] -= sign * times * inverse[left * N + right];
                product += 1;
            }
        }
    }
    Some(fit)
}

impl<const N: usize> LinearFit<N> {
    /// The log odds of winning.
    pub fn log_odds(&self, features: &[f64; N]) -> f64 {
        self.weights.iter().zip(features).fold(self.constant, |sum, (weight, feature)| sum + weight * feature)
    }
}

/// The won or the lost positions.
struct Class<const N: usize> {
    count: f64,
    means: [f64; N],
    /// Row by row; the maximum-likelihood estimates, divided by the count.
    covariances: Vec<f64>,
}

/// The lost and the won positions.
fn classes<const N: usize>(examples: &[Example<N>]) -> Option<[Class<N>; 2]> {
    let class = |share: fn(f64) -> f64| {
        let count: f64 = examples.iter().map(|example| share(example.result)).sum();
        if count <= 0.0 {
            return None;
        }
        let mut means = [0.0; N];
        for Example { features, result } in examples {
            means.iter_mut().zip(features).for_each(|(mean, feature)| *mean += share(*result) * feature / count);
        }
        let mut covariances = vec![0.0; N * N];
        for Example { features, result } in examples {
            let away: [f64; N] = std::array::from_fn(|number| features[number] - means[number]);
            for (row, left) in away.iter().enumerate() {
                let scaled = share(*result) * left / count;
                for (sum, right) in covariances[row * N..].iter_mut().zip(&away) {
                    *sum += scaled * right;
                }
            }
        }
        Some(Class { count, means, covariances })
    };
    Some([class(|result| 1.0 - result)?, class(|result| result)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten positions with two features, one of them drawn.
    fn examples() -> Vec<Example<2>> {
        [
            ([0.5, 1.0], 1.0),
            ([1.5, -0.5], 1.0),
            ([2.0, 2.0], 1.0),
            ([-1.0, 0.5], 0.0),
            ([0.0, -1.5], 0.0),
            ([-0.5, 1.5], 1.0),
            ([1.0, 0.0], 0.0),
            ([-2.0, -1.0], 0.0),
            ([0.3, 0.2], 0.5),
            ([-0.7, -0.4], 0.0),
        ]
        .map(|(features, result)| Example { features, result })
        .to_vec()
    }

    fn near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() < tolerance, "{found} instead of {expected}");
    }

    // The expected figures of these ten positions are scipy's (1.17): optimize.root on the gradient of the likelihood,
    // numpy.cov with weights and ddof=0, stats.multivariate_normal.

    #[test]
    fn logistic_regression_finds_what_scipy_finds() {
        let fit = penalized_logistic(&examples(), 0.0);
        near(fit.constant, -2.323_913_98, 1e-6);
        near(fit.weights[0], 3.082_709_79, 1e-6);
        near(fit.weights[1], 3.996_184_81, 1e-6);
    }

    #[test]
    fn fishers_discriminant_is_what_scipy_finds() {
        let fit = fisher(&examples()).expect("wins and losses");
        near(fit.constant, -0.907_056_506, 1e-4);
        near(fit.weights[0], 1.292_169_96, 1e-4);
        near(fit.weights[1], 1.955_199_67, 1e-4);
    }

    #[test]
    fn the_quadratic_discriminant_is_what_scipy_finds() {
        let fit = quadratic(&examples()).expect("wins and losses");
        let log_odds = |x: f64, y: f64| {
            let [xx, xy, yy] = fit.products[..] else { panic!("three products") };
            fit.linear.log_odds(&[x, y]) + xx * x * x + xy * x * y + yy * y * y
        };
        near(log_odds(0.0, 0.0), -1.127_374_473, 1e-4);
        near(log_odds(1.0, 0.5), 1.106_625_439, 1e-4);
        near(log_odds(-2.0, 1.0), -1.050_682_015, 1e-4);
    }

    #[test]
    fn one_feature_of_two_values_is_fitted_as_by_hand() {
        // With the feature 3 of 4 positions are won, without it 1 of 2: log odds ln 3 and 0.
        let example = |feature: f64, result: f64| Example { features: [feature], result };
        let examples =
            [(1.0, 1.0), (1.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)].map(|(x, y)| example(x, y));
        let fit = penalized_logistic(&examples, 0.0);
        near(fit.constant, 0.0, 1e-9);
        near(fit.weights[0], 3f64.ln(), 1e-9);
        // Won at 2 and 4, lost at 0 and 2: means 3 and 1, variance 1, so that the odds are even at 2 and the weight is 2.
        let examples = [(2.0, 1.0), (4.0, 1.0), (0.0, 0.0), (2.0, 0.0)].map(|(x, y)| example(x, y));
        let fit = fisher(&examples).expect("wins and losses");
        near(fit.weights[0], 2.0, 1e-5);
        near(fit.constant, -4.0, 1e-5);
        // With equal variances the quadratic discriminant is the linear one.
        let fit = quadratic(&examples).expect("wins and losses");
        near(fit.products[0], 0.0, 1e-9);
        near(fit.linear.weights[0], 2.0, 1e-5);
    }

    #[test]
    fn a_sample_that_a_feature_decides_keeps_finite_weights_and_one_without_losses_has_no_classes() {
        let example = |feature: f64, result: f64| Example { features: [feature], result };
        let decided: Vec<_> = (0..100).map(|n| example(f64::from(n) - 49.5, f64::from(u8::from(n >= 50)))).collect();
        let fit = logistic(&decided);
        assert!(fit.weights[0].is_finite() && fit.weights[0] > 1.0, "{fit:?}");
        assert_eq!(fisher(&[example(1.0, 1.0)]), None);
        assert_eq!(quadratic(&[example(1.0, 0.0)]), None);
    }
}
