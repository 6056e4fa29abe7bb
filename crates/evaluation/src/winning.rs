//! The probability of winning as a function of the value.
//!
//! The probability is a logistic function of the value, with a scale for every phase of the game: the value at which
//! the odds are e to one. A draw counts as half a win, so that the probabilities of both sides add up to one.

use othello::Score;

use crate::Value;
use crate::weights::phase;
use crate::winning_scales::SCALES;

/// The probability of winning, a draw being half a win, for a value found by a search whose leaves have this number of
/// empty squares; without a search, the number of the position itself.
///
/// ```
/// use evaluation::{Value, winning};
///
/// let ahead = winning::probability(Value::from_discs(4.0), 20);
/// assert!(ahead > 0.6 && ahead < 1.0);
/// assert_eq!(winning::probability(Value::EVEN, 20), 0.5);
/// ```
pub fn probability(value: Value, empty_count: u32) -> f64 {
    logistic(f64::from(value.discs()) / SCALES[phase(empty_count)])
}

/// The probability of winning for a known score: 0, 0.5 or 1.
pub fn of_score(score: Score) -> f64 {
    (1.0 + f64::from(score.discs().signum())) / 2.0
}

/// The logistic function: the probability whose odds are `e` to the power of `exponent`.
pub fn logistic(exponent: f64) -> f64 {
    1.0 / (1.0 + (-exponent).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probabilities_of_both_sides_add_up_to_one_and_increase_with_the_value() {
        for empties in 0..=60 {
            let mut before = 0.0;
            for discs in -64..=64 {
                let value = Value::from_discs(discs as f32);
                let chance = probability(value, empties);
                assert!((chance + probability(-value, empties) - 1.0).abs() < 1e-12);
                assert!((before..=1.0).contains(&chance), "{chance} after {before}");
                before = chance;
            }
        }
    }

    #[test]
    fn a_known_score_is_won_lost_or_drawn() {
        for (score, chance) in [(-64, 0.0), (-2, 0.0), (0, 0.5), (2, 1.0), (64, 1.0)] {
            assert_eq!(of_score(Score::new(score)), chance);
        }
    }

    #[test]
    fn a_disc_is_worth_more_the_nearer_the_end() {
        let disc = Value::from_discs(2.0);
        assert!(probability(disc, 4) > probability(disc, 30));
        assert!(probability(disc, 30) > probability(disc, 52));
    }
}
