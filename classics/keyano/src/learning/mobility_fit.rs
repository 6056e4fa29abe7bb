//! The mobility curves: the value of a number of directions in which discs flip (Brockington 1997, Figure 1).
//!
//! "We would like the difference of the evaluation of the number of disc-flipping directions for the player and opponent
//! to be equal to a constant multiple of the final disc differential. Using sample positions and a linear regression, we
//! can determine evaluations for a player having k disc-flipping directions, as k varies from 0 to 35."

use crate::player::mobility::{CURVE_LENGTH, Curves, MAX_DIRECTIONS, Mobility};

use learning::least_squares::LeastSquares;

/// The number of points per disc of the final difference.
const POINTS_PER_DISC: f64 = 4.0;

/// A number of directions that occurred less often than this has the value of the next smaller one.
const ENOUGH: u64 = 1000;

/// Regularization for values that never occurred, in squared points.
const RIDGE: f64 = 1e-3;

/// Equations for one curve: the counts of its values for one side and for the other.
#[derive(Clone, Debug)]
struct CurveEquations {
    equations: LeastSquares,
    counts: [u64; CURVE_LENGTH],
}

impl CurveEquations {
    fn new() -> Self {
        Self { equations: LeastSquares::new(CURVE_LENGTH), counts: [0; CURVE_LENGTH] }
    }

    fn add(&mut self, own: &[u32], other: &[u32], score: f64) {
        let mut coefficients = [(0, 0.0); 8];
        let signed = own.iter().map(|&count| (count, 1.0)).chain(other.iter().map(|&count| (count, -1.0)));
        let mut length = 0;
        for (place, (count, sign)) in coefficients.iter_mut().zip(signed) {
            let count = (count as usize).min(MAX_DIRECTIONS);
            *place = (count, sign);
            self.counts[count] += 1;
            length += 1;
        }
        self.equations.add_sparse(&coefficients[..length], POINTS_PER_DISC * score);
    }

    /// The curve in hundredths of a point. Only differences matter: no direction has value 0.
    fn curve(&self) -> [i16; CURVE_LENGTH] {
        let solution = self.equations.solve(RIDGE);
        let mut curve = [0; CURVE_LENGTH];
        for count in 1..CURVE_LENGTH {
            curve[count] = if self.counts[count] < ENOUGH {
                curve[count - 1]
            } else {
                (100.0 * (solution[count] - solution[0])).round() as i16
            };
        }
        curve
    }
}

/// The equations of both curves.
#[derive(Clone, Debug)]
pub struct MobilityFit {
    whole: CurveEquations,
    quarter: CurveEquations,
}

impl MobilityFit {
    /// No equations yet.
    pub fn new() -> Self {
        Self { whole: CurveEquations::new(), quarter: CurveEquations::new() }
    }

    /// Adds a position: the mobility of both sides and the score for the first.
    pub fn add(&mut self, own: &Mobility, other: &Mobility, score: f64) {
        self.whole.add(&[own.whole()], &[other.whole()], score);
        self.quarter.add(&own.quarters, &other.quarters, score);
    }

    /// The least-squares curves.
    pub fn curves(&self) -> Curves {
        Curves { whole: self.whole.curve(), quarter: self.quarter.curve() }
    }
}

impl Default for MobilityFit {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::random::Random;

    #[test]
    fn a_fit_recovers_the_curves_that_generated_the_scores() {
        // A disc for every direction on the whole board is four points: a straight line, for the quarters too.
        let mut random = Random::of_item(5, 0);
        let mut fit = MobilityFit::new();
        for _ in 0..20_000 {
            let mut side = || Mobility { quarters: std::array::from_fn(|_| random.below_u32(6)) };
            let (own, other) = (side(), side());
            fit.add(&own, &other, f64::from(own.whole()) - f64::from(other.whole()));
        }
        let curves = fit.curves();
        for count in 0..6 {
            assert!((i32::from(curves.quarter[count]) - 400 * count as i32).abs() <= 1, "{curves:?}");
        }
        for count in 6..14 {
            // Few positions have almost no directions, or almost all: in between the steps are determined.
            let step = i32::from(curves.whole[count + 1]) - i32::from(curves.whole[count]);
            assert!((step - 400).abs() <= 2, "{count}: {curves:?}");
        }
        // Beyond the observed range a curve is constant.
        assert_eq!(curves.quarter[6], curves.quarter[5]);
        assert_eq!(curves.whole[35], curves.whole[30]);
    }

    #[test]
    fn a_problem_of_three_positions_is_solved_as_by_hand() {
        // Unknown are the values of 0, 1 and 2 directions. 1 against 0 wins by 3 discs, 2 against 0 by 4, 2 against 1 by 4.
        // By hand, with e(0) = 0: least squares of (a - 12)^2 + (b - 16)^2 + (b - a - 16)^2 gives a = 8, b = 20.
        let mut equations = CurveEquations::new();
        for _ in 0..ENOUGH {
            equations.add(&[1], &[0], 3.0);
            equations.add(&[2], &[0], 4.0);
            equations.add(&[2], &[1], 4.0);
        }
        assert_eq!(equations.curve()[..4], [0, 800, 2000, 2000]);
    }
}
