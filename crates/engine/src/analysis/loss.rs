//! Loss of a move: the difference to the best one.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Estimate;
use crate::estimate::{OutOfRange, hundredths, thousandths};

/// By how much the best move is worth more than the played one; never less than nothing.
///
/// In JSON it looks as the [`Estimate`] of the same kind: `{"kind":"discs","discs":2.25}`, `{"kind":"chance","probability":0.051}`,
/// `{"kind":"points","points":120}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "Shape", try_from = "Shape")]
pub enum Loss {
    /// In hundredths of a disc.
    Discs {
        /// Hundredths of a disc.
        hundredths: i32,
    },
    /// In thousandths of the chance to win.
    Chance {
        /// Thousandths.
        thousandths: i32,
    },
    /// In points of the player's own scale.
    Points(i64),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Shape {
    Discs { discs: f64 },
    Chance { probability: f64 },
    Points { points: i64 },
}

impl From<Loss> for Shape {
    fn from(loss: Loss) -> Self {
        match loss {
            Loss::Discs { hundredths } => Self::Discs { discs: f64::from(hundredths) / 100.0 },
            Loss::Chance { thousandths } => Self::Chance { probability: f64::from(thousandths) / 1000.0 },
            Loss::Points(points) => Self::Points { points },
        }
    }
}

impl TryFrom<Shape> for Loss {
    type Error = OutOfRange;

    fn try_from(shape: Shape) -> Result<Self, OutOfRange> {
        Ok(match shape {
            Shape::Discs { discs } => Self::Discs { hundredths: hundredths(discs, 0..=i32::MAX)? },
            Shape::Chance { probability } => Self::Chance { thousandths: thousandths(probability)? },
            Shape::Points { points } => Self::Points(points),
        })
    }
}

impl Loss {
    /// Difference between the values of two moves, if both have the same unit.
    pub fn between(best: Estimate, played: Estimate) -> Option<Self> {
        match (in_discs(best), in_discs(played), best, played) {
            (Some(best), Some(played), ..) => Some(Self::Discs { hundredths: (best - played).max(0) }),
            (.., Estimate::Chance { thousandths: best }, Estimate::Chance { thousandths: played }) => {
                Some(Self::Chance { thousandths: (best - played).max(0) })
            }
            (.., Estimate::Points(best), Estimate::Points(played)) => {
                Some(Self::Points((i64::from(best) - i64::from(played)).max(0)))
            }
            _ => None,
        }
    }

    /// The amount, in discs, in percent or in points.
    pub fn amount(self) -> f64 {
        match self {
            Self::Discs { hundredths } => f64::from(hundredths) / 100.0,
            Self::Chance { thousandths } => f64::from(thousandths) / 10.0,
            Self::Points(points) => points as f64,
        }
    }

    pub(crate) fn is_nothing(self) -> bool {
        self.amount() == 0.0
    }
}

/// Value in hundredths of a disc, if it is a number of discs.
fn in_discs(estimate: Estimate) -> Option<i32> {
    match estimate {
        Estimate::Solved(score) => Some(100 * score.discs()),
        Estimate::Discs { hundredths } => Some(hundredths),
        Estimate::Proven(_) | Estimate::Chance { .. } | Estimate::Points(_) => None,
    }
}

/// `2` or `2.25` discs, `5.1%`, `120` points.
impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Discs { hundredths } if hundredths % 100 == 0 => f.pad(&(hundredths / 100).to_string()),
            Self::Discs { .. } => f.pad(&format!("{:.2}", self.amount())),
            Self::Chance { .. } => f.pad(&format!("{:.1}%", self.amount())),
            Self::Points(points) => f.pad(&points.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use othello::Score;

    use super::*;
    use crate::Outcome;

    #[test]
    fn a_loss_is_the_difference_in_one_unit_and_never_negative() {
        let solved = |discs| Estimate::Solved(Score::new(discs));
        let guessed = |hundredths| Estimate::Discs { hundredths };
        let points = Estimate::Points;
        assert_eq!(Loss::between(solved(-2), solved(-30)), Some(Loss::Discs { hundredths: 2800 }));
        assert_eq!(Loss::between(solved(4), guessed(350)), Some(Loss::Discs { hundredths: 50 }));
        assert_eq!(Loss::between(guessed(-125), guessed(100)), Some(Loss::Discs { hundredths: 0 }));
        assert_eq!(Loss::between(points(i32::MAX), points(i32::MIN)), Some(Loss::Points((1 << 32) - 1)));
        let chance = |thousandths| Estimate::Chance { thousandths };
        assert_eq!(Loss::between(chance(543), chance(492)), Some(Loss::Chance { thousandths: 51 }));
        assert_eq!(Loss::between(points(3), solved(2)), None);
        assert_eq!(Loss::between(chance(543), points(3)), None);
        assert_eq!(Loss::between(Estimate::Proven(Outcome::Win), Estimate::Proven(Outcome::Loss)), None);
    }

    #[test]
    fn a_loss_is_read_as_it_was_written() {
        let discs = [0, 1, 7, 2800, i32::MAX].map(|hundredths| Loss::Discs { hundredths });
        let chance = Loss::Chance { thousandths: 51 };
        for loss in discs.into_iter().chain([chance, Loss::Points(1 << 32)]) {
            let text = serde_json::to_string(&loss).unwrap();
            assert_eq!(serde_json::from_str::<Loss>(&text).unwrap(), loss, "{text}");
        }
        assert_eq!(serde_json::to_string(&chance).unwrap(), r#"{"kind":"chance","probability":0.051}"#);
    }

    #[test]
    fn whole_discs_are_shown_without_a_point() {
        let shown = |hundredths| Loss::Discs { hundredths }.to_string();
        assert_eq!([shown(0), shown(200), shown(225), shown(7)], ["0", "2", "2.25", "0.07"]);
        assert_eq!(Loss::Points(120).to_string(), "120");
        assert_eq!(Loss::Chance { thousandths: 51 }.to_string(), "5.1%");
    }
}
