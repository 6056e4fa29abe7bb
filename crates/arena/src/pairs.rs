//! Pairs of games: one opening with both colors, and the statistics of two players.
//!
//! The two games of a pair are not independent: an opening that favors a side gives each player one easier game.
//! Therefore pairs are counted, with their five possible outcomes, and not games.

use crate::normal;

/// Results of pairs of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pairs {
    /// The number of pairs in which the first player made 0 to 4 half points.
    pub counts: [u64; 5],
}

/// An estimate with its 95% confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The most likely value.
    pub value: f64,
    /// The upper bound.
    pub high: f64,
}

impl Interval {
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self { low: f(self.low), value: f(self.value), high: f(self.high) }
    }

    /// A difference in Elo: `+106 (+60 to +155)`, or its only bound, `above +68`.
    pub fn elo_text(self) -> String {
        // Avoids a negative zero.
        let [low, value, high] = [self.low, self.value, self.high].map(|elo| elo.round() + 0.0);
        if value == f64::INFINITY {
            format!("above {low:+.0}")
        } else if value == f64::NEG_INFINITY {
            format!("below {high:+.0}")
        } else {
            format!("{value:+.0} ({low:+.0} to {high:+.0})")
        }
    }
}

impl Pairs {
    /// Counts a pair in which the first player made this number of half points, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        self.counts[half_points.min(4)] += 1;
    }

    /// The number of pairs.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The share of the points that the first player made, and the variance of the share of a single pair.
    pub fn moments(&self) -> Option<(f64, f64)> {
        let count = self.count();
        if count == 0 {
            return None;
        }
        let average = |f: &dyn Fn(f64) -> f64| -> f64 {
            let weighted = self.counts.iter().zip(SHARES).map(|(&number, share)| number as f64 * f(share));
            weighted.sum::<f64>() / count as f64
        };
        let mean = average(&|share| share);
        Some((mean, average(&|share| (share - mean).powi(2))))
    }

    /// The share of the points that the first player made.
    ///
    /// The interval is that of the normal distribution with the observed variance of the pairs; where this one reaches
    /// beyond none or all of the points, that of Wilson for as many independent games as have this variance.
    /// If one player made all points, there is only one bound, which holds with 95% probability.
    pub fn score(&self) -> Option<Interval> {
        let (value, variance) = self.moments()?;
        let count = self.count() as f64;
        if value == 0.0 || value == 1.0 {
            // The posterior of a coin that always showed the same side, as for the likelihood of superiority.
            let unseen = 1.0 - 0.05_f64.powf(1.0 / (count + 1.0));
            let low = value * (1.0 - unseen);
            return Some(Interval { low, value, high: low + if value == 0.0 { unseen } else { 1.0 - low } });
        }
        if variance == 0.0 {
            // All pairs had the same outcome, so the variance is unknown. Any other outcome has at most this
            // probability, otherwise it would have been seen in 39 of 40 such matches; in the worst case it is all or
            // nothing.
            let unseen = 1.0 - 0.025_f64.powf(1.0 / count);
            let low = value * (1.0 - unseen);
            return Some(Interval { low, value, high: low + unseen });
        }
        let margin = normal::DEVIATIONS_OF_95_PERCENT * (variance / count).sqrt();
        let (low, high) = (value - margin, value + margin);
        if low > 0.0 && high < 1.0 {
            return Some(Interval { low, value, high });
        }
        Some(wilson(value, value * (1.0 - value) / (variance / count)))
    }

    /// The advantage of the first player in Elo; infinite above the one bound that there is if it made all points.
    pub fn elo(&self) -> Option<Interval> {
        Some(self.score()?.map(elo_of_score))
    }

    /// The probability that the first player is the stronger one.
    pub fn likelihood_of_superiority(&self) -> Option<f64> {
        let (mean, variance) = self.moments()?;
        let count = self.count() as f64;
        if variance == 0.0 {
            // Only equal outcomes: the posterior of a coin that always showed the same side.
            let against = 0.5_f64.powf(count + 1.0);
            return Some(if mean > 0.5 {
                1.0 - against
            } else if mean < 0.5 {
                against
            } else {
                0.5
            });
        }
        Some(normal::cumulative((mean - 0.5) / (variance / count).sqrt()))
    }
}

/// The interval of Wilson ("Probable inference, the law of succession, and statistical inference", Journal of the American
/// Statistical Association 22, 1927) for a share of this number of independent games that are won or lost.
fn wilson(share: f64, games: f64) -> Interval {
    let squared = normal::DEVIATIONS_OF_95_PERCENT.powi(2);
    let center = (share + squared / (2.0 * games)) / (1.0 + squared / games);
    let margin =
        (squared * (share * (1.0 - share) / games + squared / (4.0 * games * games))).sqrt() / (1.0 + squared / games);
    Interval { low: center - margin, value: share, high: center + margin }
}

/// The share of the points for each outcome of a pair.
pub(crate) const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The expected share of the points for an advantage in Elo.
pub(crate) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// The advantage in Elo for a share of the points.
fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(found: f64, expected: f64, what: &str) {
        assert!((found - expected).abs() < 2e-6, "{what}: {found}, expected {expected}");
    }

    #[test]
    fn elo_interval_and_likelihood_are_those_of_another_library() {
        // numpy 2 and scipy 1.17.1 over the single outcomes x: s = x.mean(), se = x.std() / sqrt(n),
        // elo(s) = -400 log10(1 / s - 1), its ends elo(norm.interval(0.95, s, se)), norm.cdf((s - 0.5) / se).
        for (counts, elo, low, high, likelihood) in [
            ([0, 20, 60, 18, 2], 3.474_471_674, -19.628_978_559, 26.608_734_560, 0.616_007_722),
            ([3, 15, 40, 30, 12], 57.855_779_951, 24.336_465_648, 92.481_001_656, 0.999_665_160),
            ([0, 0, 5, 10, 5], 190.848_501_888, 125.012_602_740, 272.360_382_580, 0.999_999_999_873),
            ([120, 830, 1500, 900, 150], 6.453_117_117, 1.300_046_701, 11.609_028_095, 0.992_946_035),
        ] {
            let pairs = Pairs { counts };
            let found = pairs.elo().expect("there are pairs");
            assert_near(found.value, elo, "Elo");
            assert_near(found.low, low, "lower end");
            assert_near(found.high, high, "upper end");
            assert_near(pairs.likelihood_of_superiority().expect("there are pairs"), likelihood, "likelihood");
        }
    }

    #[test]
    fn an_example_worked_by_hand() {
        // 8 pairs: 2 of 1 point, 6 of 2 points. Mean (2 * 0.5 + 6 * 1) / 8 = 0.875, variance
        // (2 * 0.375^2 + 6 * 0.125^2) / 8 = 0.046875, deviation of the mean sqrt(0.046875 / 8) = 0.076547.
        let pairs = Pairs { counts: [0, 0, 2, 0, 6] };
        assert_eq!(pairs.moments(), Some((0.875, 0.046875)));
        let score = pairs.score().expect("there are pairs");
        assert_near(score.low, 0.660_124_114, "lower end");
        // The upper bound would be more than all points, so that both are Wilson's, for the 0.875 * 0.125 * 8 / 0.046875 =
        // 18.67 games that have this variance. The ends were found by bisection, where (0.875 - p)^2 is 1.959964^2 p (1 - p)
        // / 18.67.
        assert_near(score.high, 0.961_873_484, "upper end");
        // 7 points to 1: 400 log10(7).
        assert_near(pairs.elo().expect("there are pairs").value, 338.039216, "Elo");
    }

    #[test]
    fn equal_outcomes_still_give_a_wide_interval() {
        assert_eq!(Pairs::default().elo(), None);
        assert_eq!(Pairs::default().likelihood_of_superiority(), None);
        let won = Pairs { counts: [0, 0, 0, 0, 10] };
        assert_near(won.likelihood_of_superiority().expect("there are pairs"), 1.0 - 0.5_f64.powi(11), "likelihood");
        let even = Pairs { counts: [0, 0, 10, 0, 0] };
        let elo = even.elo().expect("there are pairs");
        assert!(elo.value == 0.0 && elo.low < -50.0 && elo.high > 50.0, "{elo:?}");
        assert_eq!(even.likelihood_of_superiority(), Some(0.5));
    }

    #[test]
    fn where_one_player_made_all_points_there_is_one_bound() {
        // The 5% quantiles of the posterior with a uniform prior, by summing the density (n + 1) x^n, and
        // -400 log10(1 / x - 1).
        for (pairs, share, text) in [(2, 0.368_403_15, "94"), (10, 0.761_595_73, "202"), (50, 0.942_952_27, "487")] {
            let won = Pairs { counts: [0, 0, 0, 0, pairs] };
            let score = won.score().expect("there are pairs");
            assert_near(score.low, share, "bound");
            assert_eq!((score.value, score.high), (1.0, 1.0));
            let sign = if pairs == 2 { '-' } else { '+' };
            assert_eq!(won.elo().expect("there are pairs").elo_text(), format!("above {sign}{text}"));
            let lost = Pairs { counts: [pairs, 0, 0, 0, 0] };
            let score = lost.score().expect("there are pairs");
            assert_near(score.high, 1.0 - share, "bound");
            assert_eq!((score.low, score.value), (0.0, 0.0));
            let sign = if pairs == 2 { '+' } else { '-' };
            assert_eq!(lost.elo().expect("there are pairs").elo_text(), format!("below {sign}{text}"));
        }
    }

    #[test]
    fn an_interval_never_reaches_beyond_all_points() {
        // R: prop.test(9, 10, correct = FALSE)$conf.int
        let pairs = Pairs { counts: [1, 0, 0, 0, 9] };
        let score = pairs.score().expect("there are pairs");
        assert_near(score.low, 0.595_849_973, "lower end");
        assert_near(score.high, 0.982_123_787, "upper end");
        assert_eq!(pairs.elo().expect("there are pairs").elo_text(), "+382 (+67 to +696)");
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-800.0, -35.0, 0.0, 12.5, 400.0] {
            assert_near(elo_of_score(score_of_elo(elo)), elo, "Elo");
        }
        assert_near(score_of_elo(400.0), 10.0 / 11.0, "ten to one");
    }
}
