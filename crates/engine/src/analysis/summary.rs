//! How one side did in a game, and how the game would have ended by perfect play.

use othello::{Color, Rules, Score, SquareSet};

use crate::Estimate;

use super::{GameAnalysis, JudgedMove, Mark};

/// How one side did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SideSummary {
    /// The side.
    pub color: Color,
    /// Its moves.
    pub moves: usize,
    /// Those than which none was better.
    pub best_moves: usize,
    /// How many have each mark, in the order of [`Mark::ALL`].
    pub marks: [usize; Mark::ALL.len()],
    /// What was lost by moves that are judged by values that are not proven: in discs, in percent of the
    /// chance to win, or in points of the analyst.
    pub judged: Losses,
    /// What was lost by moves whose scores are proven, in discs.
    pub exact: Losses,
}

/// What some moves lost together.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Losses {
    /// How many moves were counted: those of which it is known what they lost.
    pub moves: usize,
    /// What they lost together.
    pub sum: f64,
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

    fn add(&mut self, loss: f64) {
        self.moves += 1;
        self.sum += loss;
    }
}

/// The score that both sides reach by perfect play, from the first move on of which all scores are proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerfectPlay {
    /// The number of that move.
    pub from_move: usize,
    /// The squares that are empty before it.
    pub empties: u32,
    /// Black's score.
    pub score: Score,
}

impl<B: Rules> GameAnalysis<B> {
    /// How one side did.
    pub fn summary(&self, color: Color) -> SideSummary {
        let none = Losses::default();
        let mut summary =
            SideSummary { color, moves: 0, best_moves: 0, marks: [0; Mark::ALL.len()], judged: none, exact: none };
        for (index, JudgedMove { position, judgement, .. }) in self.moves.iter().enumerate() {
            if position.turn != color {
                continue;
            }
            summary.moves += 1;
            summary.best_moves += usize::from(judgement.is_best());
            if let Some(mark) = self.mark(index) {
                summary.marks[mark as usize] += 1;
            }
            if let Some(loss) = judgement.loss() {
                let losses = if judgement.is_exact() { &mut summary.exact } else { &mut summary.judged };
                losses.add(loss.amount());
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
