//! The weights of the four features by number of moves played (Brockington 1997, section 3.2).
//!
//! "For generating coefficients after k moves have been played, representative positions where k-2 to k+2 moves have
//! been played are taken from each game." There is no constant: the value of a position is the sum of its weighted
//! features. "Negative weights are hand-tuned by the author": here a negative weight is set to that of one move later,
//! the others are fitted again with it fixed, and this is reported.

use crate::player::tables::{Feature, ONE, Weights};

use learning::least_squares::LeastSquares;

/// The number of moves before and after that count, too.
const REACH: usize = 2;

/// The number of moves of the last position that is evaluated: with nine empty squares. Later ones are solved.
pub const LAST_MOVES: usize = 51;

/// The minimum number of moves played for which weights are fitted. Before that the patterns are nearly empty, and
/// games do not differ enough: the weights are constant there, as in the flat lines at the left of Figure 3.
const FIRST_MOVES: usize = 10;

/// The minimum number of positions to fit weights to.
const ENOUGH: u64 = 2000;

/// A negative weight and its replacement.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fixed {
    /// The number of moves played.
    pub moves: usize,
    /// The feature.
    pub feature: Feature,
    /// The weight from the regression.
    pub found: f64,
    /// The weight that replaced it.
    pub set: f64,
}

/// The equations by number of moves played.
#[derive(Clone, Debug)]
pub struct WeightsFit {
    by_moves: Vec<(u64, LeastSquares)>,
}

/// The result of the fit.
#[derive(Clone, PartialEq, Debug)]
pub struct FittedWeights {
    /// The weights by number of discs.
    pub by_discs: Vec<Weights>,
    /// The weights that were negative.
    pub fixed: Vec<Fixed>,
    /// The minimum number of moves that weights were fitted for; they apply to earlier positions, too.
    pub first_moves: usize,
}

impl WeightsFit {
    /// No equations yet.
    pub fn new() -> Self {
        Self { by_moves: vec![(0, LeastSquares::new(Feature::COUNT)); 61] }
    }

    /// Adds a position: its features in hundredths, and the score in discs.
    pub fn add(&mut self, moves: usize, features: &[i32; Feature::COUNT], score: f64) {
        if let Some((count, equations)) = self.by_moves.get_mut(moves) {
            *count += 1;
            equations.add(&features.map(|feature| f64::from(feature) / 100.0), score);
        }
    }

    /// The equations for some moves more and less, and their number.
    fn around(&self, moves: usize) -> (u64, LeastSquares) {
        let mut sum = (0, LeastSquares::new(Feature::COUNT));
        for (count, equations) in &self.by_moves[moves.saturating_sub(REACH)..=(moves + REACH).min(60)] {
            sum.0 += count;
            sum.1.merge(equations);
        }
        sum
    }

    /// The weights, from the last move to the first, because a weight may depend on that of a later move.
    pub fn fit(&self) -> FittedWeights {
        let mut by_moves = vec![[0.0; Feature::COUNT]; 61];
        let mut fixed = Vec::new();
        let mut first_moves = LAST_MOVES;
        let mut later = [0.0; Feature::COUNT];
        for moves in (0..=LAST_MOVES).rev() {
            let (count, equations) = self.around(moves);
            if count >= ENOUGH && moves >= FIRST_MOVES {
                first_moves = moves;
                later = positive(&equations, &later, moves, &mut fixed);
            }
            by_moves[moves] = later;
        }
        let last = by_moves[LAST_MOVES];
        by_moves[LAST_MOVES + 1..].fill(last);
        let by_discs = (0..=64)
            .map(|discs: usize| {
                by_moves[discs.saturating_sub(4)].map(|weight| (weight * f64::from(ONE)).round() as i32)
            })
            .collect();
        FittedWeights { by_discs, fixed, first_moves }
    }
}

impl Default for WeightsFit {
    fn default() -> Self {
        Self::new()
    }
}

/// The solution without negative weights: those that were negative are set to `instead`, one after the other.
fn positive(
    equations: &LeastSquares,
    instead: &[f64; Feature::COUNT],
    moves: usize,
    fixed: &mut Vec<Fixed>,
) -> [f64; Feature::COUNT] {
    let mut equations = equations.clone();
    loop {
        let solution = equations.solve(0.0);
        let negative = Feature::ALL.into_iter().find(|&feature| solution[feature as usize] < 0.0);
        let Some(feature) = negative else { return std::array::from_fn(|index| solution[index]) };
        let (index, set) = (feature as usize, instead[feature as usize].max(0.0));
        fixed.push(Fixed { moves, feature, found: solution[index], set });
        equations = equations.with_known(index, set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds equations that these weights satisfy.
    fn add(fit: &mut WeightsFit, moves: usize, weights: [f64; 4], count: usize) {
        for number in 0..count as i32 {
            let features =
                [number % 7 - 3, number % 5 - 2, number % 11 - 5, number % 3 - 1].map(|feature| 100 * feature);
            let score =
                features.iter().zip(weights).map(|(&feature, weight)| f64::from(feature) / 100.0 * weight).sum();
            fit.add(moves, &features, score);
        }
    }

    #[test]
    fn a_fit_recovers_the_weights_that_generated_the_scores() {
        let mut fit = WeightsFit::new();
        add(&mut fit, 30, [0.25, 0.5, 0.125, 0.75], 5000);
        let fitted = fit.fit();
        // 30 moves are 34 discs; two moves more and less use the same positions.
        for discs in 32..=36 {
            assert_eq!(fitted.by_discs[discs], [ONE / 4, ONE / 2, ONE / 8, 3 * ONE / 4]);
        }
        assert_eq!(fitted.by_discs[37], [0; 4]);
        assert_eq!((fitted.first_moves, fitted.by_discs[31]), (28, fitted.by_discs[32]));
        assert!(fitted.fixed.is_empty());
    }

    #[test]
    fn a_weight_lies_between_those_of_the_moves_around() {
        let mut fit = WeightsFit::new();
        add(&mut fit, 30, [0.25, 0.5, 0.125, 0.75], 5000);
        add(&mut fit, 31, [0.75, 0.5, 0.125, 0.75], 5000);
        let weight = fit.fit().by_discs[34][0];
        assert!((weight - ONE / 2).abs() < ONE / 100, "{weight}");
    }

    #[test]
    fn a_negative_weight_is_reported_and_set_to_that_of_a_move_later() {
        let mut fit = WeightsFit::new();
        add(&mut fit, 40, [0.25, 0.5, 0.125, 0.75], 5000);
        add(&mut fit, 20, [0.25, -0.5, 0.125, 0.75], 5000);
        let fitted = fit.fit();
        let first = fitted.fixed[0];
        assert_eq!((first.moves, first.feature), (22, Feature::Vectors));
        assert!((first.set - 0.5).abs() < 1e-9);
        assert!((first.found + 0.5).abs() < 1e-9);
        assert_eq!(fitted.fixed.len(), 5);
        assert_eq!(fitted.by_discs[24][1], ONE / 2);
        assert!(fitted.by_discs.iter().flatten().all(|&weight| weight >= 0));
    }
}
