//! The moves of a game with what an analyst says of each.

use std::ops::Range;

use othello::{Board, Game, Position, Rules};

use crate::{PlayerError, Stop};

use super::{Analyst, Judgement, Mark};

/// A move of a game and what is said of it.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedMove<B: Rules = Board> {
    /// The number of the move, from 1, passes not counted.
    pub number: usize,
    /// The position before it.
    pub position: Position<B>,
    /// What the analyst says.
    pub judgement: Judgement,
}

/// Judges some moves of the current line of a game, which are counted from 0.
///
/// When the flag is set, those that are judged by then are returned.
pub fn judge_moves<B: Rules>(
    analyst: &mut dyn Analyst<B>,
    game: &Game<B>,
    moves: Range<usize>,
    stop: &Stop,
) -> Result<Vec<JudgedMove<B>>, PlayerError> {
    analyst.new_game()?;
    let mut replayed = Game::from_position(game.start());
    let mut judged = Vec::new();
    for (index, square) in game.line().into_iter().enumerate().take(moves.end) {
        if index >= moves.start {
            match analyst.judge(&replayed, square, stop) {
                Ok(judgement) => {
                    judged.push(JudgedMove { number: index + 1, position: replayed.position(), judgement });
                }
                Err(PlayerError::Stopped { .. }) if stop.is_set() => break,
                Err(error) => return Err(error),
            }
        }
        // The moves are those of a game, so that they can be played.
        if replayed.play(square).is_err() {
            break;
        }
    }
    Ok(judged)
}

/// The judged moves of a game, with marks for those that gave something away.
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
