//! The normal distribution.

/// The number of standard deviations from the mean that leaves 5% outside, both sides together.
pub const DEVIATIONS_OF_95_PERCENT: f64 = 1.959_963_984_540_054;

/// The cumulative distribution function of the standard normal distribution.
///
/// The series of Marsaglia, "Evaluating the Normal Distribution", Journal of Statistical Software 11 (2004): all its
/// terms have the same sign, so nothing cancels.
pub fn cumulative(x: f64) -> f64 {
    // Beyond this the remaining terms are below the precision of the sum.
    if x.abs() > 7.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let mut term = x;
    let mut sum = x;
    let mut odd = 1.0;
    while term.abs() > f64::EPSILON * sum.abs() {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    let density = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (0.5 + sum * density).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distribution_is_that_of_another_library() {
        // scipy 1.17.1: scipy.stats.norm.cdf(x).
        for (x, expected) in [
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013_1),
            (-1.0, 0.158_655_253_931_457_05),
            (1.959_963_984_540_054, 0.975),
            (-3.0, 0.001_349_898_031_630_094_5),
            (5.0, 0.999_999_713_348_428_1),
            (8.0, 1.0),
        ] {
            assert!((cumulative(x) - expected).abs() < 1e-13, "{x}: {}", cumulative(x));
        }
    }
}
