//! The sequential probability ratio test between two hypotheses about the advantage of the first player.
//!
//! This is the generalized test on pairs: the likelihood of the observed outcomes under the best distribution that has
//! the mean of each hypothesis (Michel Van den Bergh, "The generalized maximum likelihood ratio for the expectation
//! value of a distribution", 2020, the test used for chess engines).

use serde::{Deserialize, Serialize};

use crate::pairs::{Pairs, SHARES, score_of_elo};

/// The two hypotheses and the error probabilities.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The advantage in Elo under the first hypothesis, H0.
    pub elo0: f64,
    /// The advantage in Elo under the second hypothesis, H1.
    pub elo1: f64,
    /// The probability that H1 is accepted though H0 is true.
    pub alpha: f64,
    /// The probability that H0 is accepted though H1 is true.
    pub beta: f64,
}

/// The result of the test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// More games are needed.
    Open,
    /// The advantage is nearer to `elo0`.
    H0,
    /// The advantage is nearer to `elo1`.
    H1,
}

/// Invalid parameters of a test.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("invalid sequential test: {found}; expected {expected}")]
pub struct SprtError {
    found: String,
    expected: &'static str,
}

impl Sprt {
    /// A test between two advantages.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        let error = |found: String, expected| Err(SprtError { found, expected });
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return error(format!("elo0 {elo0} and elo1 {elo1}"), "elo0 below elo1");
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return error(format!("{name} {value}"), "a probability above 0 and below 0.5");
            }
        }
        Ok(Self { elo0, elo1, alpha, beta })
    }

    /// The bounds of the test: H0 is accepted below the first log-likelihood ratio, H1 above the second.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0.
    pub fn log_likelihood_ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        let counts = pairs.counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let [first, second] = [self.elo0, self.elo1].map(|elo| likeliest(&shares, score_of_elo(elo)));
        let terms = counts.iter().zip(first.iter().zip(second));
        terms.map(|(count, (first, second))| count * (second / first).ln()).sum()
    }

    /// The result of the test for these pairs.
    pub fn decision(&self, pairs: &Pairs) -> Decision {
        let ratio = self.log_likelihood_ratio(pairs);
        let (low, high) = self.bounds();
        if ratio <= low {
            Decision::H0
        } else if ratio >= high {
            Decision::H1
        } else {
            Decision::Open
        }
    }
}

/// The count of an outcome that never occurred: without it, there may be no distribution with the mean of a hypothesis.
const UNSEEN: f64 = 1e-3;

/// The maximum-likelihood distribution over the outcomes with this mean.
///
/// By Lagrange multipliers it is `share / (1 + x * (outcome - mean))`, with the `x` that gives the right mean.
fn likeliest(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    // All probabilities are positive between these bounds, where the sum decreases from plus to minus infinity.
    let (mut low, mut high) = (-1.0 / (SHARES[4] - mean), 1.0 / (mean - SHARES[0]));
    let excess = |x: f64| -> f64 {
        shares.iter().zip(SHARES).map(|(share, outcome)| share * (outcome - mean) / (1.0 + x * (outcome - mean))).sum()
    };
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = 0.5 * (low + high);
    let mut distribution = *shares;
    for (share, outcome) in distribution.iter_mut().zip(SHARES) {
        *share /= 1.0 + x * (outcome - mean);
    }
    distribution
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likelihood_ratio_is_that_of_another_library() {
        // scipy 1.17.1: the likelihood under each hypothesis maximized over all distributions of that mean by
        // scipy.optimize.minimize(method="trust-constr"), and the same by brentq on the multiplier.
        for (counts, elo0, elo1, expected) in [
            ([3, 15, 40, 30, 12], 0.0, 5.0, 0.863_875_430),
            ([3, 15, 40, 30, 12], -3.0, 1.0, 0.726_554_307),
            ([3, 15, 40, 30, 12], 0.0, 50.0, 5.318_192_481),
            ([0, 0, 5, 10, 5], 0.0, 5.0, 0.285_730_859),
            ([0, 0, 5, 10, 5], 0.0, 50.0, 2.671_544_030),
            ([120, 830, 1500, 900, 150], 0.0, 5.0, 2.857_745_607),
            ([120, 830, 1500, 900, 150], -3.0, 1.0, 4.306_043_802),
            // Nearly empty outcomes defeat the general method: by brentq alone.
            ([0, 20, 60, 18, 2], 0.0, 50.0, -6.440_613_681),
            ([1, 0, 0, 0, 9], 0.0, 5.0, 0.114_125_394),
        ] {
            let sprt = Sprt::new(elo0, elo1, 0.05, 0.05).expect("bounds");
            let found = sprt.log_likelihood_ratio(&Pairs { counts });
            assert!((found - expected).abs() < 1e-6, "{counts:?} {elo0} {elo1}: {found}, expected {expected}");
        }
    }

    #[test]
    fn the_test_ends_at_its_bounds() {
        let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05).expect("bounds");
        // ln(0.05 / 0.95) and ln(0.95 / 0.05).
        let (low, high) = sprt.bounds();
        assert!((low + 2.944_439).abs() < 1e-6 && (high - 2.944_439).abs() < 1e-6);
        assert_eq!(sprt.decision(&Pairs::default()), Decision::Open);
        assert_eq!(sprt.decision(&Pairs { counts: [0, 0, 5, 10, 5] }), Decision::Open);
        assert_eq!(sprt.decision(&Pairs { counts: [3, 15, 40, 30, 12] }), Decision::H1);
        assert_eq!(sprt.decision(&Pairs { counts: [0, 20, 60, 18, 2] }), Decision::H0);
    }

    #[test]
    fn invalid_bounds_are_refused() {
        for (elo0, elo1, alpha, beta) in
            [(5.0, 0.0, 0.05, 0.05), (0.0, f64::NAN, 0.05, 0.05), (0.0, 5.0, 0.0, 0.05), (0.0, 5.0, 0.05, 0.7)]
        {
            assert!(Sprt::new(elo0, elo1, alpha, beta).is_err());
        }
        let error = Sprt::new(5.0, 0.0, 0.05, 0.05).expect_err("the wrong way round").to_string();
        assert_eq!(error, "invalid sequential test: elo0 5 and elo1 0; expected elo0 below elo1");
    }
}
