//! The player without any idea: it plays at random.

use crate::{Choice, Chosen, Limits, Observer, Player, PlayerError, Stop};
use othello::{Game, Rules, SquareSet, squares};

use othello::random::Random;

/// Plays a random legal move; the same seed gives the same moves.
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    source: Random,
}

impl RandomPlayer {
    /// A player with this random seed.
    pub fn new(seed: u64) -> Self {
        Self { source: Random::new(seed) }
    }
}

impl<B: Rules> Player<B> for RandomPlayer {
    fn name(&self) -> &str {
        "random"
    }

    fn choose(&mut self, game: &Game<B>, _limits: &Limits, _observer: &mut dyn Observer, _stop: &Stop) -> Chosen {
        let moves = game.position().board.moves();
        if moves.is_empty() {
            return Err(PlayerError::GameOver);
        }
        let index = self.source.below(moves.count() as usize);
        squares(moves).nth(index).map(Choice::of).ok_or(PlayerError::GameOver)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::Silent;
    use othello::{Board, Square};

    use super::*;

    fn game_of<B: Rules>(seed: u64) -> Game<B> {
        let mut game = Game::default();
        let mut player = RandomPlayer::new(seed);
        while !game.is_over() {
            let choice = player.choose(&game, &Limits::default(), &mut Silent, &Stop::new()).unwrap();
            game.play(choice.square).unwrap();
        }
        assert_eq!(player.choose(&game, &Limits::default(), &mut Silent, &Stop::new()), Err(PlayerError::GameOver));
        game
    }

    fn check_board<B: Rules>() {
        assert_eq!(game_of::<B>(7), game_of::<B>(7));
    }

    #[test]
    fn games_on_every_board_are_legal_to_the_end_and_the_same_for_the_same_seed() {
        othello::on_every_board!(check_board);
        assert_ne!(game_of::<Board>(7), game_of::<Board>(8));
    }

    #[test]
    fn every_legal_move_is_played_at_some_time() {
        let mut player = RandomPlayer::new(1);
        let played: HashSet<Square> = (0..100)
            .map(|_| player.choose(&Game::new(), &Limits::default(), &mut Silent, &Stop::new()).unwrap().square)
            .collect();
        assert_eq!(played.len(), 4);
    }
}
