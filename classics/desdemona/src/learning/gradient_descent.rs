//! Online stochastic gradient descent with exponential summing (section 3.1).
//!
//! For every state the paper adds to each weight `λ (v' - V(s)) f + λ² (v'' - V(s)) f + … + λ¹⁰ (v^(10) - V(s)) f`,
//! where the v are the values of the states after each of the next ten moves of the side to move and the replies to
//! them.
//!
//! Rates as high as the paper's converge only for features of moderate size, so features are measured here in units in
//! which the root mean square of all eight together is about 1. A state far beyond that, for example with a lead of
//! sixty discs, is treated as if its features had length 1, because the step would overshoot.

use crate::player::COMPLEX_COUNT;

/// The number of own moves summed over.
pub const PATH_MOVES: usize = 10;

/// A state to learn from.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// Its features, in the units of the descent.
    pub features: [f64; COMPLEX_COUNT],
    /// The values, in discs, after one own move and the reply, after two, and so on.
    pub values: Vec<f64>,
}

impl Sample {
    /// The value of the state with these weights.
    pub fn value(&self, weights: &[f64; COMPLEX_COUNT]) -> f64 {
        self.features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
    }

    /// Updates the weights by one step, with the formula of section 3.1.
    pub fn step(&self, weights: &mut [f64; COMPLEX_COUNT], rate: f64) {
        let value = self.value(weights);
        let mut power = 1.0;
        let mut change = 0.0;
        for next in &self.values {
            power *= rate;
            change += power * (next - value);
        }
        let length: f64 = self.features.iter().map(|feature| feature * feature).sum();
        for (weight, feature) in weights.iter_mut().zip(&self.features) {
            *weight += change * feature / length.max(1.0);
        }
    }
}

/// The learning rates: decreasing geometrically from sweep to sweep.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rates {
    /// In the first sweep.
    pub first: f64,
    /// In the last.
    pub last: f64,
    /// The number of passes over all states.
    pub sweeps: usize,
}

impl Rates {
    /// The paper's rates, from 0.6 down to 0.1. How fast they decreased was "determined by experimentation"; more than
    /// forty sweeps did not change the errors.
    pub const PAPER: Rates = Rates { first: 0.6, last: 0.1, sweeps: 40 };

    /// The rate of each sweep.
    pub fn of_sweeps(&self) -> impl Iterator<Item = f64> + '_ {
        let last = self.sweeps.saturating_sub(1).max(1) as f64;
        (0..self.sweeps).map(move |sweep| self.first * (self.last / self.first).powf(sweep as f64 / last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_the_one_computed_by_hand() {
        // V(s) = 2 * 0.5 - 4 * 0.25 + 1 = 1. With a rate of 0.5 and values 3, -1 and 5 the sum is
        // 0.5 * 2 + 0.25 * (-2) + 0.125 * 4 = 1.
        let sample = Sample { features: [0.5, 0.25, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0], values: vec![3.0, -1.0, 5.0] };
        let mut weights = [2.0, -4.0, 7.0, 0.0, 0.0, 0.0, 2.0, 0.0];
        assert_eq!(sample.value(&weights), 1.0);
        sample.step(&mut weights, 0.5);
        assert_eq!(weights, [2.5, -3.75, 7.0, 0.0, 0.0, 0.0, 2.5, 0.0]);
    }

    #[test]
    fn a_long_step_is_shortened() {
        // Features of length 4: the plain step of 0.5 * 8 * 4 = 16 is divided by 16.
        let sample = Sample { features: [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 4.0], values: vec![8.0] };
        let mut weights = [0.0; COMPLEX_COUNT];
        sample.step(&mut weights, 0.5);
        assert_eq!(weights[7], 1.0);
    }

    #[test]
    fn rates_fall_from_the_first_to_the_last() {
        let rates: Vec<f64> = Rates { first: 0.4, last: 0.1, sweeps: 3 }.of_sweeps().collect();
        assert!(rates.iter().zip([0.4, 0.2, 0.1]).all(|(rate, expected)| (rate - expected).abs() < 1e-12), "{rates:?}");
        assert_eq!(Rates::PAPER.of_sweeps().count(), 40);
    }

    #[test]
    fn gradient_descent_recovers_the_weights_that_generated_the_states() {
        let truth = [3.0, -2.0, 1.0, 0.5, 0.0, 4.0, -1.0, 2.0];
        let mut random = othello::random::Random::of_item(1, 0);
        let samples: Vec<Sample> = (0..500)
            .map(|_| {
                let mut sample = Sample { features: [0.0; COMPLEX_COUNT], values: Vec::new() };
                sample.features = sample.features.map(|_| random.share() - 0.5);
                sample.values = vec![sample.value(&truth); PATH_MOVES];
                sample
            })
            .collect();
        let mut weights = [0.0; COMPLEX_COUNT];
        for rate in Rates::PAPER.of_sweeps() {
            samples.iter().for_each(|sample| sample.step(&mut weights, rate));
        }
        assert!(weights.iter().zip(truth).all(|(weight, truth)| (weight - truth).abs() < 1e-6), "{weights:?}");
    }
}
