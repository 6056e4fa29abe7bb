//! Reduction of mobility by a lost region, in points (Brockington 1997, section 3.1).
//!
//! "The optimal weight for the addition of parity to the approximate mobility measure was determined by the value which
//! led to the best correlation to the final disc differential." The paper uses mobility alone, but edges and corners
//! explain part of the effect of a region, too. Here all features are in one regression at each stage, with the regions
//! as a feature of their own, and the price is the value of a region in points of mobility, averaged over the stages.

use crate::player::tables::Feature;

use learning::least_squares::LeastSquares;

/// The regressions, one per stage.
#[derive(Clone, Debug)]
pub struct ParityFit {
    stages: Vec<(u64, LeastSquares)>,
}

impl ParityFit {
    /// The minimum number of positions of a stage that counts.
    const ENOUGH: u64 = 500;

    /// No positions yet, for this number of stages.
    pub fn new(stages: usize) -> Self {
        Self { stages: vec![(0, LeastSquares::new(Feature::COUNT + 1)); stages] }
    }

    /// Adds a position: its features without parity in hundredths, the regions that the opponent has lost minus those
    /// that the side to move has lost, and the score.
    pub fn add(&mut self, stage: usize, features: &[i32; Feature::COUNT], regions: i32, score: f64) {
        let Some((count, equations)) = self.stages.get_mut(stage) else { return };
        *count += 1;
        let mut coefficients = [f64::from(regions); Feature::COUNT + 1];
        for (coefficient, &feature) in coefficients.iter_mut().zip(features) {
            *coefficient = f64::from(feature) / 100.0;
        }
        equations.add(&coefficients, score);
    }

    /// The price in hundredths of a point; `None` if regions or mobility have no effect.
    pub fn price(&self) -> i32 {
        let known = self.stages.iter().filter(|(count, _)| *count >= Self::ENOUGH);
        let prices: Vec<f64> = known
            .map(|(_, equations)| {
                let solution = equations.solve(0.0);
                let (mobility, region) = (solution[Feature::Mobility as usize], solution[Feature::COUNT]);
                if mobility > 0.0 { (region / mobility).max(0.0) } else { 0.0 }
            })
            .collect();
        (100.0 * prices.iter().sum::<f64>() / prices.len().max(1) as f64).round() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::random::Random;

    #[test]
    fn a_fit_recovers_the_price_that_generated_the_scores() {
        let mut random = Random::of_item(7, 0);
        let mut fit = ParityFit::new(3);
        for number in 0..4000 {
            let mut feature = || random.below_u32(20_000) as i32 - 10_000;
            let features = [feature(), feature(), feature(), feature()];
            let regions = random.below_u32(3) as i32 - 1;
            // A point of mobility is a tenth of a disc, and a region 64 points in one stage, 32 in the other.
            let (stage, points) = if number % 2 == 0 { (0, 64.0) } else { (1, 32.0) };
            let score =
                0.1 * (f64::from(features[0]) / 100.0 + points * f64::from(regions)) + f64::from(features[3]) / 300.0;
            fit.add(stage, &features, regions, score);
        }
        assert_eq!(fit.price(), 4800);
        assert_eq!(ParityFit::new(2).price(), 0);
    }
}
