//! Marks for mistakes.

use evaluation::{Value, winning};
use serde::{Deserialize, Serialize};

use crate::{Estimate, Outcome};

use super::{Judgement, Loss};

/// The empty squares in the middle of a game.
const MIDDLE: u32 = 30;

/// Severity of a mistake, the smallest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// A little was given away: `?!`.
    Inaccuracy,
    /// Enough to matter, or a proven win or draw: `?`.
    Mistake,
    /// Enough to decide most games: `??`.
    Blunder,
}

impl Mark {
    /// All marks, the least bad first.
    pub const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// The loss in discs from which on a move deserves the mark; points of a player's own are turned into discs.
    ///
    /// Scores are even, so that 2 discs are the least that can be lost for sure, and a guess of a deep search errs by
    /// about as much; 10 discs and more decide most games that were still open.
    pub const fn discs(self) -> f64 {
        match self {
            Mark::Inaccuracy => 2.0,
            Mark::Mistake => 4.0,
            Mark::Blunder => 10.0,
        }
    }

    /// The loss of a chance to win from which on a move deserves the mark: what this many discs are worth in the middle
    /// of an even game.
    pub fn chance(self) -> f64 {
        winning::probability(Value::from_discs(self.discs() as f32), MIDDLE) - 0.5
    }

    /// The sign behind the move, as chess players write it.
    pub const fn sign(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }

    pub(crate) fn of(judgement: &Judgement) -> Option<Self> {
        let by_loss = judgement.loss().and_then(|loss| {
            let reaches = |mark: &&Mark| match loss {
                Loss::Discs { .. } => loss.amount() >= mark.discs(),
                Loss::Chance { .. } => loss.amount() >= 100.0 * mark.chance(),
                Loss::Points(_) => loss.amount() >= mark.discs() * judgement.points_per_disc,
            };
            Self::ALL.iter().rev().find(reaches).copied()
        });
        let gives_away = outcome(judgement.best.value).zip(outcome(judgement.played.value));
        let by_outcome = gives_away.filter(|(best, played)| played < best).map(|_| Mark::Mistake);
        by_loss.max(by_outcome)
    }
}

fn outcome(value: Option<Estimate>) -> Option<Outcome> {
    match value? {
        Estimate::Solved(score) => Some(score.into()),
        Estimate::Proven(outcome) => Some(outcome),
        Estimate::Discs { .. } | Estimate::Chance { .. } | Estimate::Points(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use othello::{Score, Square};

    use super::*;
    use crate::analysis::Rating;

    fn judged(best: Estimate, played: Estimate) -> Judgement {
        let rating = |index, value| Rating::new(Square::new(index), Some(value), Vec::new());
        Judgement::new(rating(0, best), rating(1, played))
    }

    #[test]
    fn marks_follow_the_discs_lost() {
        let mark = |hundredths| {
            let best = Estimate::Discs { hundredths };
            Mark::of(&judged(best, Estimate::Discs { hundredths: 0 }))
        };
        assert_eq!([mark(0), mark(199), mark(200)], [None, None, Some(Mark::Inaccuracy)]);
        assert_eq!([mark(399), mark(400), mark(999)], [Mark::Inaccuracy, Mark::Mistake, Mark::Mistake].map(Some));
        assert_eq!([mark(1000), mark(6400)], [Some(Mark::Blunder); 2]);
    }

    #[test]
    fn a_proven_win_or_draw_given_away_is_a_mistake_at_least() {
        let solved = |discs| Estimate::Solved(Score::new(discs));
        let mark = |best, played| Mark::of(&judged(solved(best), solved(played)));
        assert_eq!([mark(2, 0), mark(0, -2), mark(4, 2)], [Mark::Mistake, Mark::Mistake, Mark::Inaccuracy].map(Some));
        assert_eq!(mark(8, -8), Some(Mark::Blunder));
        let proven = judged(Estimate::Proven(Outcome::Draw), Estimate::Proven(Outcome::Loss));
        assert_eq!(Mark::of(&proven), Some(Mark::Mistake));
    }

    #[test]
    fn points_count_as_discs_and_chances_as_what_discs_are_worth() {
        let mark = |points| {
            let judged = judged(Estimate::Points(points), Estimate::Points(0));
            Mark::of(&Judgement { points_per_disc: 100.0, ..judged })
        };
        assert_eq!([mark(199), mark(200)], [None, Some(Mark::Inaccuracy)]);
        assert_eq!([mark(400), mark(1000)], [Some(Mark::Mistake), Some(Mark::Blunder)]);
        let chance = |thousandths| Estimate::Chance { thousandths };
        let mark = |lost| Mark::of(&judged(chance(500 + lost), chance(500)));
        // With a scale of about seven discs: 7%, 14% and 30%.
        assert_eq!([mark(50), mark(80), mark(120)], [None, Some(Mark::Inaccuracy), Some(Mark::Inaccuracy)]);
        assert_eq!([mark(150), mark(280), mark(320)], [Mark::Mistake, Mark::Mistake, Mark::Blunder].map(Some));
    }
}
