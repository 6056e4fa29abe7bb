//! The moves of a game with the judgements of an analyst: a summary of each side's play, and the score of perfect play.

use std::ops::Range;

use othello::{Board, Color, Game, Position, Rules, Score, SquareSet};
use serde::{Deserialize, Serialize};

use crate::{Estimate, PlayerError, Stop};

use super::{Analyst, Judgement, Loss, Mark};

/// A move of a game with its judgement.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedMove<B: Rules = Board> {
    /// The number of the move, from 1, passes not counted.
    pub number: usize,
    /// The position before it.
    pub position: Position<B>,
    /// The judgement of the analyst.
    pub judgement: Judgement,
}

/// Judges moves of the current line of a game, counted from 0, and passes each to `report` as soon as it is judged.
///
/// The range may end beyond the last move. When the flag is set, the loop ends without an error.
pub fn judge_each_move<B: Rules>(
    analyst: &mut dyn Analyst<B>,
    game: &Game<B>,
    moves: Range<usize>,
    stop: &Stop,
    mut report: impl FnMut(JudgedMove<B>),
) -> Result<(), PlayerError> {
    analyst.new_game()?;
    let mut replayed = Game::from_position(game.start());
    for (index, square) in game.line().into_iter().enumerate().take(moves.end) {
        if index >= moves.start {
            match analyst.judge(&replayed, square, stop) {
                Ok(judgement) => report(JudgedMove { number: index + 1, position: replayed.position(), judgement }),
                Err(PlayerError::Stopped { .. }) if stop.is_set() => break,
                Err(error) => return Err(error),
            }
        }
        // The moves are those of a game, so that they can be played.
        if replayed.play(square).is_err() {
            break;
        }
    }
    Ok(())
}

/// Judges moves like [`judge_each_move`] and returns those that were judged before the flag was set.
pub fn judge_moves<B: Rules>(
    analyst: &mut dyn Analyst<B>,
    game: &Game<B>,
    moves: Range<usize>,
    stop: &Stop,
) -> Result<Vec<JudgedMove<B>>, PlayerError> {
    let mut judged = Vec::new();
    judge_each_move(analyst, game, moves, stop, |judgement| judged.push(judgement))?;
    Ok(judged)
}

/// The judged moves of a game, with marks for mistakes.
#[derive(Clone, PartialEq, Debug)]
pub struct GameAnalysis<B: Rules = Board> {
    /// The moves, in order.
    pub moves: Vec<JudgedMove<B>>,
}

impl<B: Rules> GameAnalysis<B> {
    /// The analysis of these moves.
    pub fn new(moves: Vec<JudgedMove<B>>) -> Self {
        Self { moves }
    }

    /// The mark of the move with this index, if it deserves one.
    pub fn mark(&self, index: usize) -> Option<Mark> {
        Mark::of(&self.moves.get(index)?.judgement)
    }

    /// Summary of one side's play.
    pub fn summary(&self, color: Color) -> SideSummary {
        // An analyst whose values are points may have solved some endings in discs: these do not add up with points.
        let is_own = |loss: &Loss| !matches!(loss, Loss::Discs { .. });
        let unproven = self.moves.iter().map(|judged| &judged.judgement).filter(|judgement| !judgement.is_exact());
        let has_own = unproven.filter_map(Judgement::loss).any(|loss| is_own(&loss));
        let (marks, none) = (MarkCounts::default(), Losses::default());
        let mut summary = SideSummary { color, moves: 0, best_moves: 0, marks, judged: none, exact: none };
        for JudgedMove { position, judgement, .. } in &self.moves {
            if position.turn != color {
                continue;
            }
            summary.moves += 1;
            summary.best_moves += usize::from(judgement.is_best());
            if let Some(mark) = Mark::of(judgement) {
                summary.marks.add(mark);
            }
            match judgement.loss() {
                Some(loss) if judgement.is_exact() => summary.exact.add(loss.amount()),
                Some(loss) if is_own(&loss) == has_own => summary.judged.add(loss.amount()),
                _ => {}
            }
        }
        summary
    }

    /// The score of perfect play from where exact scores begin, if the analysis reaches them.
    pub fn perfect_play(&self) -> Option<PerfectPlay> {
        let exact = self.moves.iter().rev().take_while(|judged| judged.judgement.is_exact()).count();
        let first = self.moves.get(self.moves.len() - exact)?;
        let Some(Estimate::Solved(score)) = first.judgement.best.value else { return None };
        let score = if first.position.turn == Color::Black { score } else { -score };
        Some(PerfectPlay { from_move: first.number, empties: first.position.board.empties().count(), score })
    }
}

/// Summary of one side's play.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SideSummary {
    /// The side.
    pub color: Color,
    /// Its moves.
    pub moves: usize,
    /// Moves than which none was better.
    pub best_moves: usize,
    /// Number of moves with each mark.
    #[serde(flatten)]
    pub marks: MarkCounts,
    /// Losses by moves whose values are estimated: in discs, in percent of the probability of winning, or in points.
    pub judged: Losses,
    /// Losses by moves whose scores are proven, in discs.
    pub exact: Losses,
}

/// Number of moves with each mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MarkCounts {
    /// Moves with `?!`.
    pub inaccuracies: usize,
    /// Moves with `?`.
    pub mistakes: usize,
    /// Moves with `??`.
    pub blunders: usize,
}

impl MarkCounts {
    fn add(&mut self, mark: Mark) {
        match mark {
            Mark::Inaccuracy => self.inaccuracies += 1,
            Mark::Mistake => self.mistakes += 1,
            Mark::Blunder => self.blunders += 1,
        }
    }
}

/// Sum of the losses of some moves.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(into = "LossesShape", from = "LossesShape")]
pub struct Losses {
    /// Number of moves whose loss is known.
    pub moves: usize,
    /// Sum of their losses.
    pub sum: f64,
}

#[derive(Serialize, Deserialize)]
struct LossesShape {
    /// Number of moves whose loss is known.
    moves: usize,
    /// Sum of their losses.
    sum: f64,
    /// Mean loss.
    mean: Option<f64>,
}

impl From<Losses> for LossesShape {
    fn from(losses: Losses) -> Self {
        Self { moves: losses.moves, sum: losses.sum, mean: losses.mean() }
    }
}

impl From<LossesShape> for Losses {
    fn from(LossesShape { moves, sum, .. }: LossesShape) -> Self {
        Self { moves, sum }
    }
}

impl Losses {
    /// The loss of a move on average.
    pub fn mean(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.sum / self.moves as f64)
    }

    /// Both together, for losses in the same unit.
    #[must_use]
    pub fn and(self, other: Losses) -> Losses {
        Losses { moves: self.moves + other.moves, sum: self.sum + other.sum }
    }

    /// Counts a move that lost this much.
    pub fn add(&mut self, loss: f64) {
        self.moves += 1;
        // Losses have at most two decimals; what adding fractions leaves behind is not part of the sum.
        self.sum = ((self.sum + loss) * 100.0).round() / 100.0;
    }
}

/// The score that both sides reach by perfect play, from the first move on of which all scores are proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PerfectPlay {
    /// Number of the first move from which all scores are proven.
    pub from_move: usize,
    /// Number of empty squares before it.
    pub empties: u32,
    /// Black's score under perfect play.
    pub score: Score,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Rating;

    #[test]
    fn losses_in_points_and_in_guessed_discs_are_not_added_up() {
        let judged = |number, best, played| JudgedMove {
            number,
            position: Position { board: Board::start(), turn: Color::Black },
            judgement: Judgement::new(
                Rating::new("f5".parse().unwrap(), Some(best), Vec::new()),
                Rating::new("d3".parse().unwrap(), Some(played), Vec::new()),
            ),
        };
        let discs = |hundredths| Estimate::Discs { hundredths };
        let exact = |discs| Estimate::Solved(Score::new(discs));
        let moves = [
            judged(1, Estimate::Points(900), Estimate::Points(500)),
            judged(3, discs(300), discs(100)),
            judged(5, exact(8), exact(2)),
        ];
        let summary = GameAnalysis::new(moves.to_vec()).summary(Color::Black);
        assert_eq!(summary.judged, Losses { moves: 1, sum: 400.0 });
        assert_eq!(summary.exact, Losses { moves: 1, sum: 6.0 });
        let text = serde_json::to_string(&summary).unwrap();
        assert!(text.contains(r#""judged":{"moves":1,"sum":400.0,"mean":400.0}"#), "{text}");
        assert_eq!(serde_json::from_str::<SideSummary>(&text).unwrap(), summary);
        let summary = GameAnalysis::new(moves[1..].to_vec()).summary(Color::Black);
        assert_eq!((summary.moves, summary.judged), (2, Losses { moves: 1, sum: 2.0 }));
    }
}
