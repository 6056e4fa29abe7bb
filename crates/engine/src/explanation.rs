//! A program's static evaluation, part by part, to be compared with its paper.

use crate::Estimate;
use othello::Score;

/// The static value of a position for the side to move, and its parts.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    /// The parts, in the order of the paper.
    pub parts: Vec<Part>,
    /// The value that the program searches with.
    pub value: f64,
    /// The unit of the value: `discs`, `points`, `log odds`.
    pub unit: &'static str,
    /// The probability of winning, if the program computes one.
    pub win_probability: Option<f64>,
}

/// A named part of an evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// Its name in the paper.
    pub name: String,
    /// Its own value, before any weight.
    pub value: f64,
    /// Its weight in the sum; none if it is not part of a sum.
    pub weight: Option<f64>,
    /// Whether it is a detail of other parts.
    pub is_detail: bool,
}

impl Explanation {
    /// A finished game is worth its score for every program, without parts.
    pub fn of_score(score: Score) -> Self {
        let discs = score.discs();
        let win_probability = Some((1.0 + f64::from(discs.signum())) / 2.0);
        Self { parts: Vec::new(), value: discs.into(), unit: "discs", win_probability }
    }

    /// The value in the form that players report: log odds as a chance to win, the rest rounded.
    pub fn estimate(&self) -> Estimate {
        match (self.unit, self.win_probability) {
            ("log odds", Some(chance)) => Estimate::Chance { thousandths: (1000.0 * chance).round() as i32 },
            ("discs", _) => Estimate::Discs { hundredths: (100.0 * self.value).round() as i32 },
            _ => Estimate::Points(self.value.round() as i32),
        }
    }

    /// The sum of the weighted parts, if there are any.
    pub fn sum(&self) -> Option<f64> {
        self.parts.iter().filter_map(|part| Some(part.value * part.weight?)).reduce(|sum, product| sum + product)
    }
}

impl Part {
    /// A weighted part of a sum.
    pub fn weighted(name: impl Into<String>, value: impl Into<f64>, weight: impl Into<f64>) -> Self {
        Self { name: name.into(), value: value.into(), weight: Some(weight.into()), is_detail: false }
    }

    /// A part outside of the sum.
    pub fn plain(name: impl Into<String>, value: impl Into<f64>) -> Self {
        Self { name: name.into(), value: value.into(), weight: None, is_detail: false }
    }

    /// A detail of other parts.
    pub fn detail(name: impl Into<String>, value: impl Into<f64>) -> Self {
        Self { is_detail: true, ..Self::plain(name, value) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finished_game_is_worth_its_score_and_won_drawn_or_lost() {
        for (score, probability) in [(64, 1.0), (2, 1.0), (0, 0.5), (-10, 0.0)] {
            let explanation = Explanation::of_score(Score::new(score));
            assert_eq!((explanation.value, explanation.unit), (f64::from(score), "discs"));
            assert_eq!((explanation.win_probability, explanation.sum()), (Some(probability), None));
        }
    }

    #[test]
    fn the_sum_is_that_of_the_weighted_parts_alone() {
        let parts = vec![Part::weighted("a", 3.0, 2.0), Part::plain("b", 100.0), Part::weighted("c", -1.0, 0.5)];
        let explanation = Explanation { parts, value: 5.0, unit: "points", win_probability: None };
        assert_eq!((explanation.sum(), explanation.estimate()), (Some(5.5), Estimate::Points(5)));
        let odds = Explanation { unit: "log odds", win_probability: Some(0.8765), ..explanation };
        assert_eq!(odds.estimate(), Estimate::Chance { thousandths: 877 });
    }
}
