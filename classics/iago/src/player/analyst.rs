//! IAGO as an analyst of games: its choice next to the move that was played, and the components of its evaluation
//! (Rosenbloom 1982, section 5).

use engine::analysis::{Analyst, Component, Judgement, Rating};
use engine::{Estimate, Limits, Outcome, Player, PlayerError, Progress, Stop};
use othello::{Board, Game, Score, Square};

use super::analysis::{self, MoveAnalysis};
use super::deepening::Thought;
use super::evaluation::Components;
use super::move_choice::{Iago, NAME};
use super::search::{FINAL_DISC, Goal};

/// Rates moves as the paper does: by the evaluation, and from move 46 on by the final score.
#[derive(Clone, Debug)]
pub struct IagoAnalyst {
    iago: Iago,
    limits: Limits,
}

impl IagoAnalyst {
    /// An analyst with these limits for every position; without limits, with the original's budget.
    pub fn new(iago: Iago, limits: Limits) -> Self {
        Self { iago, limits }
    }
}

/// Contributions of the four components to the value.
fn weighted(components: &Components) -> Vec<Component> {
    [
        ("edge stability", components.weighted_edges()),
        ("internal stability", components.weighted_internal()),
        ("current mobility", components.weighted_current()),
        ("potential mobility", components.weighted_potential()),
    ]
    .map(|(name, value)| Component { name: name.into(), value: f64::from(value) })
    .into()
}

/// The value of the played move, in the same form as that of the choice.
fn played_estimate(found: &MoveAnalysis, thought: &Thought) -> Estimate {
    let value = found.played_value;
    let outcome = Outcome::from(Score::new(value.signum() as i8));
    match thought.estimate() {
        Estimate::Solved(_) => Estimate::Solved(Score::new(value as i8)),
        Estimate::Discs { .. } => Estimate::Discs { hundredths: 100 * value },
        // IAGO computes no probabilities.
        Estimate::Chance { .. } => Estimate::Points(value),
        Estimate::Proven(_) if found.goal == Goal::Outcome => Estimate::Proven(outcome),
        Estimate::Proven(_) | Estimate::Points(_) if value.abs() >= FINAL_DISC => Estimate::Proven(outcome),
        Estimate::Proven(_) | Estimate::Points(_) => Estimate::Points(value),
    }
}

impl Analyst<Board> for IagoAnalyst {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.iago.new_game()
    }

    fn judge(&mut self, game: &Game, played: Square, stop: &Stop) -> Result<Judgement, PlayerError> {
        self.limits.require_clock(NAME)?;
        let start = engine::clock::Moment::now();
        let stopped = || PlayerError::Stopped { player: NAME.to_owned() };
        let mut nodes = 0;
        let mut count = |progress: &Progress| nodes = progress.nodes;
        let thought =
            analysis::consider(&mut self.iago, game, &self.limits, &mut count, stop).ok_or(PlayerError::GameOver)?;
        if stop.is_set() {
            return Err(stopped());
        }
        let number = game.move_count() + 1;
        let found =
            analysis::analyze_move(&mut self.iago, game, (number, played), &thought, stop).ok_or_else(stopped)?;
        let line = thought.best.result.line.clone();
        let best = Rating::new(found.choice, Some(thought.estimate()), line);
        let rating = if played == found.choice {
            best.clone()
        } else if found.is_equivalent {
            // Another way to the same position, up to symmetry, or to the same score.
            Rating::new(played, best.value, vec![played])
        } else {
            Rating::new(played, Some(played_estimate(&found, &thought)), vec![played])
        };
        let components = found.components.as_ref().map(weighted).unwrap_or_default();
        let judgement = Judgement::new(best, rating);
        let points_per_disc = self.iago.points_per_disc();
        Ok(Judgement { depth: found.depth, points_per_disc, components, nodes, time: start.elapsed(), ..judgement })
    }
}

#[cfg(test)]
mod tests {
    use engine::Silent;
    use engine::analysis::{Loss, judge_moves};

    use super::*;
    use crate::player::IagoSettings;
    use crate::player::samples::paper_game;

    #[test]
    fn it_says_what_the_analysis_of_the_paper_says() {
        let game = paper_game("PB[Cerf Jonathan]");
        let mut analyst = IagoAnalyst::new(Iago::new(IagoSettings::default()), Limits::of_depth(3));
        let judged = judge_moves(&mut analyst, &game, 0..60, &Stop::new()).unwrap();
        let mut iago = Iago::new(IagoSettings::default());
        let analysis = analysis::analyze(&mut iago, &game, &Limits::of_depth(3), &mut Silent, &Stop::new());
        assert_eq!((judged.len(), analysis.moves.len()), (60, 60));
        for (judged, found) in judged.iter().zip(&analysis.moves) {
            let judgement = &judged.judgement;
            let lost = if found.is_equivalent { 0 } else { found.difference() };
            assert_eq!(judgement.is_best(), lost == 0, "move {}", found.number);
            assert_eq!(judgement.loss().unwrap().amount(), f64::from(lost), "move {}", found.number);
            let sum: f64 = judgement.components.iter().map(|component| component.value).sum();
            match found.goal {
                Goal::Evaluation => assert_eq!(sum, f64::from(found.value), "move {}", found.number),
                _ => assert!(judgement.components.is_empty() && judgement.is_exact()),
            }
        }
        // 46-b2 instead of g7: 28 discs.
        assert_eq!(judged[45].judgement.loss(), Some(Loss::Discs { hundredths: 2800 }));
    }
}
