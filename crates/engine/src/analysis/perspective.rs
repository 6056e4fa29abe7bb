//! The side from whose point of view the values of an analysis are shown.

use std::fmt;
use std::str::FromStr;

use othello::Color;
use serde::{Deserialize, Serialize};

use crate::Estimate;

/// The side from whose point of view values are shown. Judgements always have the values of the side that moves.
///
/// ```
/// use engine::{Estimate, analysis::Perspective};
/// use othello::Color;
///
/// let good_for_white = Estimate::Discs { hundredths: 150 };
/// assert_eq!(Perspective::Black.value(good_for_white, Color::White).to_string(), "-1.50");
/// assert_eq!(Perspective::Mover.value(good_for_white, Color::White).to_string(), "+1.50");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Perspective {
    /// Black, as in a graph of the game.
    #[default]
    Black,
    /// The side that moves.
    Mover,
}

impl Perspective {
    /// All perspectives.
    pub const ALL: [Self; 2] = [Self::Black, Self::Mover];

    /// Whether it is that of the opponent of the side that moves.
    fn is_of_opponent(self, mover: Color) -> bool {
        self == Self::Black && mover == Color::White
    }

    /// Converts a value for the side that moves.
    pub fn value(self, value: Estimate, mover: Color) -> Estimate {
        if self.is_of_opponent(mover) { -value } else { value }
    }

    /// Converts a number for the side that moves, such as a component of a value.
    pub fn number(self, number: f64, mover: Color) -> f64 {
        // A zero has no sign.
        if self.is_of_opponent(mover) { 0.0 - number } else { number }
    }

    /// Converts a probability of winning, with a draw counted as half a win, for the side that moves.
    pub fn chance(self, chance: f64, mover: Color) -> f64 {
        if self.is_of_opponent(mover) { 1.0 - chance } else { chance }
    }

    /// Name in commands and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::Mover => "mover",
        }
    }

    /// The other perspective.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Black => Self::Mover,
            Self::Mover => Self::Black,
        }
    }
}

/// `Black` or `the mover`, for `values for …`.
impl fmt::Display for Perspective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Black => "Black",
            Self::Mover => "the mover",
        })
    }
}

/// The text is not a perspective.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown perspective {0:?}; expected black or mover")]
pub struct UnknownPerspective(String);

impl FromStr for Perspective {
    type Err = UnknownPerspective;

    fn from_str(text: &str) -> Result<Self, UnknownPerspective> {
        let is_named = |perspective: &Self| text.eq_ignore_ascii_case(perspective.name());
        Self::ALL.into_iter().find(is_named).ok_or_else(|| UnknownPerspective(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use othello::Score;

    use super::*;
    use crate::Outcome;

    #[test]
    fn a_value_good_for_white_is_bad_for_black() {
        for (value, negated) in [
            (Estimate::Solved(Score::new(-4)), Estimate::Solved(Score::new(4))),
            (Estimate::Proven(Outcome::Win), Estimate::Proven(Outcome::Loss)),
            (Estimate::Chance { thousandths: 543 }, Estimate::Chance { thousandths: 457 }),
            (Estimate::Points(120), Estimate::Points(-120)),
        ] {
            assert_eq!(Perspective::Black.value(value, Color::White), negated);
            assert_eq!(Perspective::Black.value(value, Color::Black), value);
            assert_eq!([Color::Black, Color::White].map(|mover| Perspective::Mover.value(value, mover)), [value; 2]);
        }
        assert_eq!(Perspective::Black.chance(0.25, Color::White), 0.75);
        assert_eq!(Perspective::Black.number(0.0, Color::White).to_string(), "0");
    }

    #[test]
    fn perspectives_are_read_by_their_names() {
        for perspective in Perspective::ALL {
            assert_eq!(perspective.name().parse(), Ok(perspective));
            assert_eq!(serde_json::to_value(perspective).unwrap(), perspective.name());
            assert_eq!(perspective.other().other(), perspective);
        }
        let message = "white".parse::<Perspective>().unwrap_err().to_string();
        assert_eq!(message, "unknown perspective \"white\"; expected black or mover");
    }
}
