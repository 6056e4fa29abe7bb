//! Moves judged by two analysts: one up to the ending, another from there on.

use othello::{Game, Rules, Square, SquareSet};

use crate::{PlayerError, Stop};

use super::{Analyst, Judgement};

/// Judges moves as one analyst does, and endings as another: as a player sees a game whose last moves are solved.
pub struct SolvedEndings<B: Rules> {
    midgame: Box<dyn Analyst<B>>,
    solver: Box<dyn Analyst<B>>,
    exact_from: u32,
}

impl<B: Rules> SolvedEndings<B> {
    /// The second analyst judges positions with this many empty squares and fewer.
    pub fn new(midgame: Box<dyn Analyst<B>>, solver: Box<dyn Analyst<B>>, exact_from: u32) -> Self {
        Self { midgame, solver, exact_from }
    }
}

impl<B: Rules> Analyst<B> for SolvedEndings<B> {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.midgame.new_game()?;
        self.solver.new_game()
    }

    fn judge(&mut self, game: &Game<B>, played: Square, stop: &Stop) -> Result<Judgement, PlayerError> {
        let is_ending = game.position().board.empties().count() <= self.exact_from;
        let analyst = if is_ending { &mut self.solver } else { &mut self.midgame };
        analyst.judge(game, played, stop)
    }
}
