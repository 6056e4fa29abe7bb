//! Exercises: positions in which a person looks for a move. The page and the terminal choose and judge them by this module.

use engine::analysis::{GameAnalysis, Judgement};
use engine::{Estimate, Outcome};
use othello::Rules;

/// A kind of exercise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exercise {
    /// A position with one winning move: see [`puzzles`](crate::puzzles).
    Puzzle,
    /// A position of a game in which a move gave something away.
    Mistake,
}

impl Exercise {
    /// Whether a move with this judgement solves the exercise: a puzzle is solved by a proven win, and a mistake is
    /// corrected by a move that no other is better than.
    pub fn is_solved_by(self, judgement: &Judgement) -> bool {
        match (self, judgement.played.value) {
            (Self::Puzzle, Some(Estimate::Solved(score))) => Outcome::from(score) == Outcome::Win,
            (Self::Puzzle, Some(Estimate::Proven(outcome))) => outcome == Outcome::Win,
            (Self::Puzzle, _) => false,
            (Self::Mistake, _) => judgement.is_best(),
        }
    }
}

/// The indices of the moves with a mark, the worst first.
pub fn mistakes<B: Rules>(analysis: &GameAnalysis<B>) -> Vec<usize> {
    let is_mistake = |index: &usize| analysis.mark(*index).is_some() && !analysis.moves[*index].judgement.is_best();
    let loss = |index: usize| analysis.moves[index].judgement.loss().map_or(0.0, |loss| loss.amount());
    let mut indices: Vec<usize> = (0..analysis.moves.len()).filter(is_mistake).collect();
    indices.sort_by(|&one, &other| loss(other).total_cmp(&loss(one)));
    indices
}

#[cfg(test)]
mod tests {
    use engine::analysis::{JudgedMove, Rating};
    use othello::{Board, Position, Score, Square};

    use super::*;

    fn judged(best: Estimate, played: Estimate) -> Judgement {
        let rating = |index, value| Rating::new(Square::new(index), Some(value), Vec::new());
        Judgement::new(rating(0, best), rating(1, played))
    }

    fn solved(discs: i8) -> Estimate {
        Estimate::Solved(Score::new(discs))
    }

    #[test]
    fn a_puzzle_wants_a_proven_win_and_a_mistake_the_best_move() {
        for (best, played, wins, is_best) in [
            (solved(6), solved(6), true, true),
            (solved(6), solved(2), true, false),
            (solved(6), solved(0), false, false),
            (solved(-2), solved(-2), false, true),
            (Estimate::Proven(Outcome::Win), Estimate::Proven(Outcome::Win), true, true),
            (Estimate::Proven(Outcome::Win), Estimate::Proven(Outcome::Draw), false, false),
            // An estimate is no proof.
            (Estimate::Discs { hundredths: 900 }, Estimate::Discs { hundredths: 900 }, false, true),
        ] {
            let judgement = judged(best, played);
            assert_eq!(Exercise::Puzzle.is_solved_by(&judgement), wins, "{best:?} {played:?}");
            assert_eq!(Exercise::Mistake.is_solved_by(&judgement), is_best, "{best:?} {played:?}");
        }
    }

    #[test]
    fn the_worst_mistake_is_asked_first_and_good_moves_are_not() {
        let moves = [(4, 4), (8, 2), (4, 2), (2, 0), (10, -10), (6, 0)].map(|(best, played)| JudgedMove::<Board> {
            number: 0,
            position: Position::default(),
            judgement: judged(solved(best), solved(played)),
        });
        // Of two that lost as much, the earlier one.
        assert_eq!(mistakes(&GameAnalysis::new(moves.to_vec())), [4, 1, 5, 2, 3]);
    }
}
