//! Values of positions as players report them.

use std::fmt;
use std::ops::{Neg, RangeInclusive};

use evaluation::Value;
use othello::Score;
use search::{Line, Question, SearchReport};
use serde::{Deserialize, Serialize};

/// Value of a position for its side to move, with its certainty.
///
/// The kinds never mix silently: a final score is a fact, the others are not, and points of one
/// player mean nothing to another.
///
/// In JSON it is an object whose `kind` determines the other key:
///
/// ```
/// # use engine::{Estimate, Outcome};
/// # use othello::Score;
/// for (estimate, json) in [
///     (Estimate::Solved(Score::new(-4)), r#"{"kind":"solved","discs":-4}"#),
///     (Estimate::Proven(Outcome::Win), r#"{"kind":"proven","outcome":"win"}"#),
///     (Estimate::Discs { hundredths: 125 }, r#"{"kind":"discs","discs":1.25}"#),
///     (Estimate::Chance { thousandths: 543 }, r#"{"kind":"chance","probability":0.543}"#),
///     (Estimate::Points(120), r#"{"kind":"points","points":120}"#),
/// ] {
///     assert_eq!(serde_json::to_string(&estimate)?, json);
///     assert_eq!(serde_json::from_str::<Estimate>(json)?, estimate);
/// }
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "Shape", try_from = "Shape")]
pub enum Estimate {
    /// The final score under best play, proven.
    Solved(Score),
    /// The outcome under best play, proven, but not the score.
    Proven(Outcome),
    /// The expected final disc difference, in hundredths of a disc.
    Discs {
        /// Hundredths of a disc.
        hundredths: i32,
    },
    /// The probability of winning, in thousandths, from 0 to 1000.
    Chance {
        /// Thousandths.
        thousandths: i32,
    },
    /// A number on the player's own scale: higher is better, and the player may know what
    /// [about a disc](crate::Player::points_per_disc) is.
    Points(i32),
}

impl Estimate {
    /// Value of the position according to a line of a search, as the answer to a question.
    pub(crate) fn of_line(report: &SearchReport, line: &Line, question: &Question) -> Self {
        let parts = line.value.parts();
        if !report.exact {
            return Self::Discs { hundredths: (line.value.discs() * 100.0).round() as i32 };
        }
        match question.window {
            Some(_) => Self::Proven(match parts.signum() {
                1 => Outcome::Win,
                0 => Outcome::Draw,
                _ => Outcome::Loss,
            }),
            None => Self::Solved(Score::new((parts / Value::PER_DISC) as i8)),
        }
    }
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Shape {
    Solved { discs: Score },
    Proven { outcome: Outcome },
    Discs { discs: f64 },
    Chance { probability: f64 },
    Points { points: i32 },
}

impl From<Estimate> for Shape {
    fn from(estimate: Estimate) -> Self {
        match estimate {
            Estimate::Solved(discs) => Self::Solved { discs },
            Estimate::Proven(outcome) => Self::Proven { outcome },
            Estimate::Discs { hundredths } => Self::Discs { discs: f64::from(hundredths) / 100.0 },
            Estimate::Chance { thousandths } => Self::Chance { probability: f64::from(thousandths) / 1000.0 },
            Estimate::Points(points) => Self::Points { points },
        }
    }
}

#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("invalid value {found}: expected {expected}")]
pub(crate) struct OutOfRange {
    found: f64,
    expected: &'static str,
}

impl OutOfRange {
    fn checked(found: f64, units: f64, allowed: RangeInclusive<i32>, expected: &'static str) -> Result<i32, Self> {
        let rounded = (found * units).round();
        let is_allowed = (f64::from(*allowed.start())..=f64::from(*allowed.end())).contains(&rounded);
        if is_allowed { Ok(rounded as i32) } else { Err(Self { found, expected }) }
    }
}

/// Discs in hundredths, rounded to the nearest.
pub(crate) fn hundredths(discs: f64, allowed: RangeInclusive<i32>) -> Result<i32, OutOfRange> {
    OutOfRange::checked(discs, 100.0, allowed, "a disc difference")
}

/// A probability in thousandths, rounded to the nearest.
pub(crate) fn thousandths(probability: f64) -> Result<i32, OutOfRange> {
    OutOfRange::checked(probability, 1000.0, 0..=1000, "a probability from 0 to 1")
}

impl TryFrom<Shape> for Estimate {
    type Error = OutOfRange;

    fn try_from(shape: Shape) -> Result<Self, OutOfRange> {
        Ok(match shape {
            Shape::Solved { discs } => Self::Solved(discs),
            Shape::Proven { outcome } => Self::Proven(outcome),
            // The least of all numbers has no opposite.
            Shape::Discs { discs } => Self::Discs { hundredths: hundredths(discs, -i32::MAX..=i32::MAX)? },
            Shape::Chance { probability } => Self::Chance { thousandths: thousandths(probability)? },
            Shape::Points { points } => Self::Points(points),
        })
    }
}

/// Outcome of a game for one side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The other side has more discs.
    Loss,
    /// Both have the same number.
    Draw,
    /// This side has more discs.
    Win,
}

impl From<Score> for Outcome {
    fn from(score: Score) -> Self {
        match score.discs().signum() {
            1 => Outcome::Win,
            0 => Outcome::Draw,
            _ => Outcome::Loss,
        }
    }
}

impl Neg for Outcome {
    type Output = Outcome;

    fn neg(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
            Outcome::Win => "win",
        })
    }
}

impl Neg for Estimate {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Estimate::Solved(score) => Estimate::Solved(-score),
            Estimate::Proven(outcome) => Estimate::Proven(-outcome),
            Estimate::Discs { hundredths } => Estimate::Discs { hundredths: -hundredths },
            Estimate::Chance { thousandths } => Estimate::Chance { thousandths: 1000 - thousandths },
            Estimate::Points(points) => Estimate::Points(points.saturating_neg()),
        }
    }
}

/// `+6` solved, `win` proven, `+3.25` expected discs, `54.3%` to win, `120 points` on the player's own scale.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Estimate::Solved(score) => score.fmt(f),
            Estimate::Proven(outcome) => outcome.fmt(f),
            Estimate::Discs { hundredths } => f.pad(&format!("{:+.2}", f64::from(*hundredths) / 100.0)),
            Estimate::Chance { thousandths } => f.pad(&format!("{:.1}%", f64::from(*thousandths) / 10.0)),
            Estimate::Points(points) => f.pad(&format!("{points} points")),
        }
    }
}

/// Scale by which the values of a player become discs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DiscScale {
    /// Number of points of the player that are about a disc.
    pub points_per_disc: f64,
}

impl DiscScale {
    /// Discs that odds of e to one are worth, as in the midgame of Emilia's games (`winning_scales.rs`).
    const DISCS_PER_LOG_ODDS: f64 = 8.0;

    const MAX_SCORE: f64 = 64.0;

    /// A value as a number of discs. Chances and points grow like discs where values are small, and never exceed the size of
    /// the board.
    pub fn discs(self, value: Estimate) -> f64 {
        let bounded = |discs: f64| Self::MAX_SCORE * (discs / Self::MAX_SCORE).tanh();
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
    fn the_kinds_of_estimates_look_different() {
        let shown = |estimate: Estimate| estimate.to_string();
        assert_eq!(shown(Estimate::Solved(Score::new(6))), "+6");
        assert_eq!(shown(Estimate::Proven(Outcome::from(Score::new(-2)))), "loss");
        assert_eq!(shown(Estimate::Discs { hundredths: -325 }), "-3.25");
        assert_eq!(shown(Estimate::Chance { thousandths: 543 }), "54.3%");
        assert_eq!(shown(Estimate::Points(120)), "120 points");
    }

    #[test]
    fn an_estimate_is_read_as_it_was_written() {
        let numbers = [i32::MIN + 1, -123_457, -1, 0, 1, 7, 29, 57, 999, 123_457, i32::MAX];
        let discs = numbers.map(|hundredths| Estimate::Discs { hundredths });
        let scores = (-92..=92).map(|discs| Estimate::Solved(Score::new(discs)));
        let chances = (0..=1000).map(|thousandths| Estimate::Chance { thousandths });
        let proven = [Outcome::Loss, Outcome::Draw, Outcome::Win].map(Estimate::Proven);
        let points = [i32::MIN, -1, 0, i32::MAX].map(Estimate::Points);
        for estimate in discs.into_iter().chain(scores).chain(chances).chain(proven).chain(points) {
            let text = serde_json::to_string(&estimate).unwrap();
            assert_eq!(serde_json::from_str::<Estimate>(&text).unwrap(), estimate, "{text}");
        }
    }

    #[test]
    fn invalid_estimates_are_refused() {
        for text in [
            r#"{"kind":"discs","discs":1e12}"#,
            r#"{"kind":"chance","probability":1.01}"#,
            r#"{"kind":"chance","probability":-0.01}"#,
            r#"{"kind":"solved","discs":1.5}"#,
            r#"{"kind":"solved","discs":-128}"#,
            r#"{"kind":"proven","outcome":"maybe"}"#,
            r#"{"kind":"points","points":4000000000}"#,
            r#"{"kind":"guess","discs":1}"#,
            r#"{"discs":1}"#,
            "1.25",
        ] {
            assert!(serde_json::from_str::<Estimate>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        for (estimate, other) in [
            (Estimate::Solved(Score::new(6)), Estimate::Solved(Score::new(-6))),
            (Estimate::Proven(Outcome::Win), Estimate::Proven(Outcome::Loss)),
            (Estimate::Proven(Outcome::Draw), Estimate::Proven(Outcome::Draw)),
            (Estimate::Discs { hundredths: -325 }, Estimate::Discs { hundredths: 325 }),
            (Estimate::Chance { thousandths: 543 }, Estimate::Chance { thousandths: 457 }),
            (Estimate::Points(120), Estimate::Points(-120)),
        ] {
            assert_eq!((-estimate, -other), (other, estimate));
        }
        assert_eq!(-Estimate::Points(i32::MIN), Estimate::Points(i32::MAX));
    }

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
