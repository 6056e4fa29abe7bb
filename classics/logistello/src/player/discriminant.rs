//! Combination of the features into one number: the log odds of winning (Buro 1997, "Feature Combination").

use super::patterns::{NAMES, PATTERN_COUNT};

/// The number of features: mobility, potential mobility, and a sum of values for each pattern.
pub const FEATURE_COUNT: usize = 2 + PATTERN_COUNT;

/// The number of the feature mobility.
pub const MOBILITY: usize = 0;
/// The number of the feature potential mobility.
pub const POTENTIAL: usize = 1;
/// The number of the feature of the first pattern; the others follow.
pub const FIRST_PATTERN: usize = 2;

/// The features of a position, for the side to move.
pub type Features = [f64; FEATURE_COUNT];

/// The name of a feature.
pub fn feature_name(feature: usize) -> &'static str {
    match feature {
        MOBILITY => "mobility",
        POTENTIAL => "potential mobility",
        _ => NAMES[(feature - FIRST_PATTERN).min(PATTERN_COUNT - 1)],
    }
}

/// The statistical models that the paper compares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Discriminant {
    /// Logistic regression, which assumes nothing about the features: the one that the paper settles on.
    #[default]
    Logistic,
    /// Fisher's linear discriminant: normal features with equal covariances in won and lost positions.
    Fisher,
    /// The quadratic discriminant: normal features with different covariances.
    Quadratic,
}

impl Discriminant {
    /// All of them.
    pub const ALL: [Discriminant; 3] = [Discriminant::Logistic, Discriminant::Fisher, Discriminant::Quadratic];

    /// Its name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Discriminant::Logistic => "logistic",
            Discriminant::Fisher => "fisher",
            Discriminant::Quadratic => "quadratic",
        }
    }
}

/// A linear combination of the features.
#[derive(Clone, PartialEq, Debug)]
pub struct Linear {
    /// The log odds where all features are zero: the value of having the move.
    pub constant: f64,
    /// The weight of each feature.
    pub weights: Features,
}

impl Linear {
    /// The number of its parameters.
    pub const COUNT: usize = 1 + FEATURE_COUNT;

    /// The log odds of winning.
    pub fn log_odds(&self, features: &Features) -> f64 {
        self.weights.iter().zip(features).fold(self.constant, |sum, (weight, feature)| sum + weight * feature)
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        std::iter::once(self.constant).chain(self.weights)
    }

    pub(super) fn of_numbers(numbers: &[f64]) -> Self {
        Self { constant: numbers[0], weights: std::array::from_fn(|feature| numbers[1 + feature]) }
    }
}

/// A quadratic combination of the features.
#[derive(Clone, PartialEq, Debug)]
pub struct Quadratic {
    /// The constant and the weights of the features themselves.
    pub linear: Linear,
    /// The weights of the products of two features: the first with itself and the later ones, then the second, and so on.
    pub products: Vec<f64>,
}

impl Quadratic {
    /// The number of products of two features.
    pub const PRODUCTS: usize = FEATURE_COUNT * (FEATURE_COUNT + 1) / 2;
    /// The number of its parameters.
    pub const COUNT: usize = Linear::COUNT + Self::PRODUCTS;

    /// The log odds of winning.
    pub fn log_odds(&self, features: &Features) -> f64 {
        let mut sum = self.linear.log_odds(features);
        let mut weights = self.products.iter();
        for (number, left) in features.iter().enumerate() {
            let row: f64 = features[number..].iter().zip(&mut weights).map(|(right, weight)| weight * right).sum();
            sum += left * row;
        }
        sum
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        self.linear.numbers().chain(self.products.iter().copied())
    }

    pub(super) fn of_numbers(numbers: &[f64]) -> Self {
        Self { linear: Linear::of_numbers(&numbers[..Linear::COUNT]), products: numbers[Linear::COUNT..].to_vec() }
    }
}

/// The probability of winning for these log odds.
pub fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quadratic_form_is_what_its_double_sum_says() {
        let features: Features = std::array::from_fn(|number| (number as f64 * 0.7).sin());
        let products: Vec<f64> = (0..Quadratic::PRODUCTS).map(|number| (number as f64 * 0.3).cos()).collect();
        let linear = Linear { constant: 0.25, weights: std::array::from_fn(|number| number as f64 / 10.0) };
        let mut expected = linear.log_odds(&features);
        let mut number = 0;
        for left in 0..FEATURE_COUNT {
            for right in left..FEATURE_COUNT {
                expected += products[number] * features[left] * features[right];
                number += 1;
            }
        }
        let form = Quadratic { linear, products };
        assert!((form.log_odds(&features) - expected).abs() < 1e-12);
        let numbers: Vec<f64> = form.numbers().collect();
        assert_eq!(numbers.len(), Quadratic::COUNT);
        assert_eq!(Quadratic::of_numbers(&numbers), form);
    }

    #[test]
    fn even_odds_are_one_half_and_odds_of_three_to_one_three_quarters() {
        assert_eq!(probability(0.0), 0.5);
        assert!((probability(3f64.ln()) - 0.75).abs() < 1e-12);
    }
}
