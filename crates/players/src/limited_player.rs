//! A player that obeys limits of its own before those that it is asked with.

use engine::{Chosen, Limits, Observer, Player, PlayerError, Progress, Stop};
use othello::{Game, Rules};

use crate::notation::PlayerNotation;

/// A player with the limits and the name of its notation.
pub(crate) struct LimitedPlayer<B: Rules> {
    pub(crate) player: Box<dyn Player<B>>,
    pub(crate) notation: PlayerNotation,
}

impl<B: Rules> Player<B> for LimitedPlayer<B> {
    fn name(&self) -> &str {
        self.notation.name.as_deref().unwrap_or_else(|| self.player.name())
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.player.new_game()
    }

    fn points_per_disc(&self) -> f64 {
        self.player.points_per_disc()
    }

    fn choose(&mut self, game: &Game<B>, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Chosen {
        self.player.choose(game, &self.notation.limits_of_host(limits), observer, stop)
    }

    fn value_moves(
        &mut self,
        game: &Game<B>,
        count: usize,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<Vec<Progress>, PlayerError> {
        self.player.value_moves(game, count, &self.notation.limits_of_host(limits), observer, stop)
    }

    fn learn(&mut self, game: &Game<B>, stop: &Stop) -> Result<Option<String>, PlayerError> {
        self.player.learn(game, stop)
    }
}
