//! What a player says a position is worth.

use std::fmt;
use std::ops::Neg;

use othello::Score;

/// What a position is worth to its side to move, and how sure that is.
///
/// The kinds never mix silently: a final score is a fact, the others are not, and points of one
/// player mean nothing to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Estimate {
    /// The final score under best play, proven.
    Solved(Score),
    /// Who wins under best play, proven, but not by how much.
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

/// How a game ends for one side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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

/// What is the same for the other side.
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
}
