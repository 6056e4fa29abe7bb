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
    use othello::Score;

    use super::*;

    fn mark(best: Estimate, played: Estimate, points_per_disc: f64) -> Option<Mark> {
        Mark::of(&Judgement { points_per_disc, ..super::super::test_support::judged(Some(best), Some(played)) })
    }

    #[test]
    fn marks_follow_the_discs_lost() {
        let discs = |hundredths| mark(Estimate::Discs { hundredths }, Estimate::Discs { hundredths: 0 }, 1.0);
        assert_eq!([discs(0), discs(199), discs(200)], [None, None, Some(Mark::Inaccuracy)]);
        assert_eq!([discs(399), discs(400), discs(999)], [Mark::Inaccuracy, Mark::Mistake, Mark::Mistake].map(Some));
        assert_eq!([discs(1000), discs(6400)], [Some(Mark::Blunder); 2]);
        let points = |points| mark(Estimate::Points(points), Estimate::Points(0), 100.0);
        assert_eq!([points(199), points(200)], [None, Some(Mark::Inaccuracy)]);
        assert_eq!([points(400), points(1000)], [Some(Mark::Mistake), Some(Mark::Blunder)]);
        let chance = |thousandths| Estimate::Chance { thousandths };
        let lost = |lost| mark(chance(500 + lost), chance(500), 1.0);
        // With a scale of about seven discs: 7%, 14% and 30%.
        assert_eq!([lost(50), lost(80), lost(120)], [None, Some(Mark::Inaccuracy), Some(Mark::Inaccuracy)]);
        assert_eq!([lost(150), lost(280), lost(320)], [Mark::Mistake, Mark::Mistake, Mark::Blunder].map(Some));
    }

    #[test]
    fn a_proven_win_or_draw_given_away_is_a_mistake_at_least() {
        let solved = |discs| Estimate::Solved(Score::new(discs));
        let solved = |best, played| mark(solved(best), solved(played), 1.0);
        let marks = [solved(2, 0), solved(0, -2), solved(4, 2), solved(8, -8)];
        assert_eq!(marks, [Mark::Mistake, Mark::Mistake, Mark::Inaccuracy, Mark::Blunder].map(Some));
        let proven = mark(Estimate::Proven(Outcome::Draw), Estimate::Proven(Outcome::Loss), 1.0);
        assert_eq!(proven, Some(Mark::Mistake));
    }
}
