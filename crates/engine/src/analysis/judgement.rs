//! Judgement of one move by an analyst.

use std::borrow::Cow;
use std::time::Duration;

use evaluation::winning;
use othello::Square;
use serde::{Deserialize, Serialize};

use crate::{Estimate, Origin, Outcome};

use super::Loss;

/// A move that was played beside the best one, both judged in the same way.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// The best move; the played one if no other is worth more.
    pub best: Rating,
    /// The move that was played.
    pub played: Rating,
    /// Search depth of both moves in plies.
    pub depth: u32,
    /// The confidence of selective pruning in both searches, in percent.
    pub selectivity: u32,
    /// Number of points that are about a disc, for values that are points.
    pub points_per_disc: f64,
    /// Components of the value of the best move, seen from the side to move, if the analyst reports them.
    pub components: Vec<Component>,
    /// Whether the played move leads to a position of the opening book.
    pub in_book: bool,
    /// Value of the played move in the opening book, if there is one.
    pub book_value: Option<Estimate>,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Value of a move for the side that plays it.
#[derive(Clone, PartialEq, Debug)]
pub struct Rating {
    /// The move.
    pub square: Square,
    /// The value, if the analyst reports one.
    pub value: Option<Estimate>,
    /// Whether the value is that of an opening book.
    pub from_book: bool,
    /// The chance to win, a draw being half a win, if it is known.
    pub win_probability: Option<f64>,
    /// The moves expected from it on, itself included, passes left out.
    pub line: Vec<Square>,
}

/// A named part of a value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Component {
    /// Name in its paper.
    pub name: Cow<'static, str>,
    /// Share of the value.
    pub value: f64,
}

impl Rating {
    /// A move with its value; the chance to win is known if the outcome is.
    pub fn new(square: Square, value: Option<Estimate>, line: Vec<Square>) -> Self {
        let win_probability = match value {
            Some(Estimate::Solved(score)) => Some(winning::of_score(score)),
            Some(Estimate::Proven(outcome)) => Some(match outcome {
                Outcome::Loss => 0.0,
                Outcome::Draw => 0.5,
                Outcome::Win => 1.0,
            }),
            Some(Estimate::Chance { thousandths }) => Some(f64::from(thousandths) / 1000.0),
            Some(Estimate::Discs { .. } | Estimate::Points(_)) | None => None,
        };
        Self { square, value, from_book: false, win_probability, line }
    }

    /// Origin of the value, if there is one.
    pub fn origin(&self) -> Option<Origin> {
        self.value.map(|value| Origin::of(value, self.from_book))
    }

    fn is_proven(&self) -> bool {
        matches!(self.value, Some(Estimate::Solved(_)))
    }
}

impl Judgement {
    /// A judgement of two moves. If the played one is worth as much as the other, it is the best one too: so it is
    /// when several are best, and when a search that cuts branches contradicts itself.
    pub fn new(best: Rating, played: Rating) -> Self {
        let no_worse = match (best.value, played.value) {
            (Some(Estimate::Proven(best)), Some(Estimate::Proven(played))) => played >= best,
            (Some(best), Some(played)) => Loss::between(best, played).is_some_and(Loss::is_nothing),
            _ => false,
        };
        let best = if no_worse { played.clone() } else { best };
        Self {
            best,
            played,
            depth: 0,
            selectivity: 100,
            points_per_disc: 1.0,
            components: Vec::new(),
            in_book: false,
            book_value: None,
            nodes: 0,
            time: Duration::ZERO,
        }
    }

    /// Whether no move is better than the played one.
    pub fn is_best(&self) -> bool {
        self.best.square == self.played.square
    }

    /// Whether both moves are worth proven scores.
    pub fn is_exact(&self) -> bool {
        self.best.is_proven() && self.played.is_proven()
    }

    /// Difference between the best and the played move, if both have the same unit.
    pub fn loss(&self) -> Option<Loss> {
        Loss::between(self.best.value?, self.played.value?)
    }
}

#[cfg(test)]
mod tests {
    use othello::Score;

    use super::*;
    use crate::analysis::test_support::judged;

    #[test]
    fn a_move_that_is_worth_as_much_as_the_best_is_best() {
        let points = |value| Some(Estimate::Points(value));
        let solved = |discs| Some(Estimate::Solved(Score::new(discs)));
        let proven = |outcome| Some(Estimate::Proven(outcome));
        for (best, played, is_best) in [
            (points(5), points(5), true),
            (points(5), points(4), false),
            (points(4), points(5), true),
            (solved(2), solved(2), true),
            (solved(2), solved(0), false),
            (solved(2), Some(Estimate::Discs { hundredths: 250 }), true),
            (proven(Outcome::Draw), proven(Outcome::Draw), true),
            (proven(Outcome::Win), proven(Outcome::Draw), false),
            (points(5), proven(Outcome::Win), false),
            (None, None, false),
        ] {
            let judgement = judged(best, played);
            assert_eq!(judgement.is_best(), is_best, "{best:?} {played:?}");
            assert!(judgement.loss().is_none_or(|loss| loss.amount() >= 0.0 && loss.is_nothing() == is_best));
        }
    }

    #[test]
    fn proven_values_are_won_lost_or_drawn() {
        let chance = |value| judged(Some(value), None).best.win_probability;
        assert_eq!(chance(Estimate::Solved(Score::new(-2))), Some(0.0));
        assert_eq!(chance(Estimate::Proven(Outcome::Draw)), Some(0.5));
        assert_eq!(chance(Estimate::Chance { thousandths: 543 }), Some(0.543));
        assert_eq!(chance(Estimate::Points(1000)), None);
        assert!(judged(Some(Estimate::Solved(Score::DRAW)), Some(Estimate::Solved(Score::DRAW))).is_exact());
        assert!(!judged(Some(Estimate::Solved(Score::DRAW)), None).is_exact());
    }
}
