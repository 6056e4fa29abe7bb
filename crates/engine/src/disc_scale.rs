//! Values of every kind as discs, for comparisons and for hosts that accept nothing else.

use crate::{Estimate, Outcome};

/// Scale by which the values of a player become discs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DiscScale {
    /// Number of points of the player that are about a disc.
    pub points_per_disc: f64,
}

impl DiscScale {
    /// Discs that odds of e to one are worth, as in the midgame of Emilia's games (`winning_scales.rs`).
    const DISCS_PER_LOG_ODDS: f64 = 8.0;

    /// Maximum score of a game.
    const MOST: f64 = 64.0;

    /// A value as a number of discs. Chances and points grow like discs where values are small, and never exceed the size of
    /// the board.
    pub fn discs(self, value: Estimate) -> f64 {
        let bounded = |discs: f64| Self::MOST * (discs / Self::MOST).tanh();
        match value {
            Estimate::Solved(score) => f64::from(score.discs()),
            // Only the sign counts.
            Estimate::Proven(outcome) => match outcome {
                Outcome::Loss => -1.0,
                Outcome::Draw => 0.0,
                Outcome::Win => 1.0,
            },
            Estimate::Discs { hundredths } => f64::from(hundredths) / 100.0,
            Estimate::Chance { thousandths } => {
                // A chance that is rounded to 0 or 1000 thousandths is not certain.
                let chance = f64::from(thousandths).clamp(0.5, 999.5) / 1000.0;
                bounded(Self::DISCS_PER_LOG_ODDS * (chance / (1.0 - chance)).ln())
            }
            Estimate::Points(points) => bounded(f64::from(points) / self.points_per_disc),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_other_units_become_discs_that_a_board_can_have() {
        let discs = |value: Estimate| DiscScale { points_per_disc: 500.0 }.discs(value);
        // By hand: odds of one to one, and of e to one.
        assert_eq!(discs(Estimate::Chance { thousandths: 500 }), 0.0);
        assert!((discs(Estimate::Chance { thousandths: 731 }) - 8.0).abs() < 0.1);
        for values in [
            (0..=1000).map(|thousandths| Estimate::Chance { thousandths }).collect::<Vec<_>>(),
            (-300..=300).map(|number| Estimate::Points(number * 1000)).collect(),
            vec![Estimate::Points(i32::MIN), Estimate::Points(0), Estimate::Points(i32::MAX)],
        ] {
            let found: Vec<_> = values.iter().map(|&value| discs(value)).collect();
            assert!(found.is_sorted() && found.iter().all(|discs| (-64.0..=64.0).contains(discs)), "{found:?}");
            assert!((found[0] + found[found.len() - 1]).abs() < 1e-6);
        }
    }
}
