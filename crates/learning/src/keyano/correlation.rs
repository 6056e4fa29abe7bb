//! How well a measure goes together with the score, and the price of a lost region that makes it do so best.
//!
//! "The optimal weight for the addition of parity to the approximate mobility measure was determined by the value which
//! led to the best correlation to the final disc differential" (Brockington 1997, section 3.1).

/// Two numbers of many positions, and how they go together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Correlation {
    count: f64,
    sums: [f64; 2],
    products: [f64; 3],
}

impl Correlation {
    /// Adds a pair.
    pub fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.sums[0] += x;
        self.sums[1] += y;
        self.products[0] += x * x;
        self.products[1] += x * y;
        self.products[2] += y * y;
    }

    /// The correlation of the pairs; 0 if one of the numbers never changed.
    pub fn coefficient(&self) -> f64 {
        let [x, y] = self.sums.map(|sum| sum / self.count.max(1.0));
        let [xx, xy, yy] = self.products.map(|sum| sum / self.count.max(1.0));
        let variance = (xx - x * x) * (yy - y * y);
        if variance > 0.0 { (xy - x * y) / variance.sqrt() } else { 0.0 }
    }
}

/// The highest price that is tried, and the step between two, in hundredths of a point.
const HIGHEST_PRICE: i32 = 128 * STEP;
const STEP: i32 = 100;

/// The correlations of mobility and lost regions with the score for every price, at some stages of the game.
#[derive(Clone, Debug)]
pub struct ParityFit {
    /// For each stage and each price.
    stages: Vec<Vec<Correlation>>,
}

impl ParityFit {
    /// Nothing is known yet of so many stages.
    pub fn new(stages: usize) -> Self {
        Self { stages: vec![vec![Correlation::default(); (HIGHEST_PRICE / STEP) as usize + 1]; stages] }
    }

    /// Adds a position: its mobility in hundredths of a point, the regions that the opponent has lost less those that the
    /// side to move has, and the score.
    pub fn add(&mut self, stage: usize, mobility: f64, regions: f64, score: f64) {
        let Some(correlations) = self.stages.get_mut(stage) else { return };
        for (number, correlation) in correlations.iter_mut().enumerate() {
            correlation.add(mobility + f64::from(STEP) * number as f64 * regions, score);
        }
    }

    /// The price with the best correlation over all stages, in hundredths of a point.
    pub fn best_price(&self) -> i32 {
        let of_price =
            |price: &i32| -> f64 { self.stages.iter().map(|stage| stage[(price / STEP) as usize].coefficient()).sum() };
        let prices = (0..=HIGHEST_PRICE).step_by(STEP as usize);
        prices.max_by(|one, other| of_price(one).total_cmp(&of_price(other))).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn a_correlation_is_the_one_worked_out_by_hand() {
        // (1, 2), (2, 1), (3, 3): covariance 1/3, variances 2/3 each, so one half.
        let mut correlation = Correlation::default();
        [(1.0, 2.0), (2.0, 1.0), (3.0, 3.0)].into_iter().for_each(|(x, y)| correlation.add(x, y));
        assert!((correlation.coefficient() - 0.5).abs() < 1e-12);
        assert_eq!(Correlation::default().coefficient(), 0.0);
    }

    #[test]
    fn the_price_that_made_the_scores_is_found() {
        let mut random = Random::new(7, 0);
        let mut fit = ParityFit::new(2);
        for number in 0..2000 {
            let (mobility, regions) = (f64::from(random.below(20_000)), f64::from(random.below(3)) - 1.0);
            // A region costs 64 points; the score is what the sum says.
            fit.add(number % 2, mobility, regions, mobility + 6400.0 * regions);
        }
        assert_eq!(fit.best_price(), 6400);
    }
}
