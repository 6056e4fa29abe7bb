//! Moves judged as any player sees them, and endings by another analyst.

use std::time::Duration;

use othello::{Game, Rules, Square, SquareSet};

use crate::{Choice, Estimate, Limits, Player, PlayerError, Silent, Stop};

use super::{Analyst, Judgement, Rating};

/// Judges moves by the choices of a player: its choice at the position, and where that is another move than the played
/// one, its choices after both. The positions after both are then searched equally deep, one ply less than the first.
pub struct PlayerAnalyst<B: Rules> {
    player: Box<dyn Player<B>>,
    limits: Limits,
    /// Nodes and time of the searches for the current judgement.
    nodes: u64,
    time: Duration,
}

impl<B: Rules> PlayerAnalyst<B> {
    /// An analyst with this player, under these limits.
    pub fn new(player: Box<dyn Player<B>>, limits: Limits) -> Self {
        Self { player, limits, nodes: 0, time: Duration::ZERO }
    }

    fn choose(&mut self, game: &Game<B>, limits: &Limits, stop: &Stop) -> Result<Choice, PlayerError> {
        let choice = self.player.choose(game, limits, &mut Silent, stop)?;
        if stop.is_set() {
            // The answer of an interrupted player is no judgement.
            return Err(PlayerError::Stopped { player: self.player.name().to_owned() });
        }
        self.nodes += choice.nodes;
        self.time += choice.time;
        Ok(choice)
    }

    /// Rates a move for the side that plays it, by the player's value of the position after it.
    fn rate(&mut self, game: &Game<B>, square: Square, limits: &Limits, stop: &Stop) -> Result<Rating, PlayerError> {
        let mut after = game.clone();
        if let Err(error) = after.play(square) {
            return Err(PlayerError::Failed { player: self.player.name().to_owned(), reason: error.to_string() });
        }
        let mut line = vec![square];
        let (value, turn) = if after.is_over() {
            let position = after.position();
            (Some(Estimate::Solved(position.board.final_score())), position.turn)
        } else {
            let choice = self.choose(&after, limits, stop)?;
            line.extend(choice.line);
            (choice.value, after.position().turn)
        };
        // After a pass it is the same side's turn again.
        let value = if turn == game.position().turn { value } else { value.map(|value| -value) };
        Ok(Rating::new(square, value, line))
    }
}

impl<B: Rules> Analyst<B> for PlayerAnalyst<B> {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.player.new_game()
    }

    fn judge(&mut self, game: &Game<B>, played: Square, stop: &Stop) -> Result<Judgement, PlayerError> {
        let limits = self.limits;
        (self.nodes, self.time) = (0, Duration::ZERO);
        let choice = self.choose(game, &limits, stop)?;
        let depth = choice.depth;
        let mut judgement = if choice.square == played {
            let rating = Rating::new(played, choice.value, choice.line);
            Judgement::new(rating.clone(), rating)
        } else {
            // A player that reports no depth gets the same limits again.
            let limits = if depth == 0 { limits } else { Limits::of_depth((depth - 1).max(1)) };
            let best = self.rate(game, choice.square, &limits, stop)?;
            let played = self.rate(game, played, &limits, stop)?;
            Judgement::new(best, played)
        };
        judgement.depth = depth;
        judgement.points_per_disc = self.player.points_per_disc();
        (judgement.nodes, judgement.time) = (self.nodes, self.time);
        Ok(judgement)
    }
}

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
