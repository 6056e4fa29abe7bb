//! The moves of a game with the judgements of an analyst.

use std::ops::Range;

use othello::{Board, Game, Position, Rules};

use crate::{PlayerError, Stop};

use super::{Analyst, Judgement, Mark};

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
    marks: Vec<Option<Mark>>,
}

impl<B: Rules> GameAnalysis<B> {
    /// The analysis that these moves make.
    pub fn new(moves: Vec<JudgedMove<B>>) -> Self {
        let marks = moves.iter().map(|judged| Mark::of(&judged.judgement)).collect();
        Self { moves, marks }
    }

    /// The mark of the move with this index, if it deserves one.
    pub fn mark(&self, index: usize) -> Option<Mark> {
        self.marks.get(index).copied().flatten()
    }
}
