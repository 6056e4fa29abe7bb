//! The players that can be asked for by name.

use anyhow::Result;
use engine::Player;
use heritage::one_idea::{MaximumDisc, MinimumDisc, OneIdeaPlayer};
use heritage::random::RandomPlayer;
use heritage::weighted_square::WeightedSquare;
use othello::{Board, CutBoard, Rules, SmallBoard};

use crate::game_file::RecordedBoard;
use crate::usage_error::UsageError;

/// The player that a newcomer meets.
pub const DEFAULT_PLAYER: &str = "weighted-square";

/// A player that can be asked for by name.
pub struct Entry<B: Rules> {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// Makes one.
    pub make: fn(&PlayerOptions) -> Result<Box<dyn Player<B>>>,
}

/// What the command line says about every player, whichever it is.
#[derive(Clone, Copy, Debug)]
pub struct PlayerOptions {
    /// Decides what a player leaves to chance.
    pub seed: u64,
}

/// A board for which there are players.
pub trait PlayableBoard: RecordedBoard {
    /// The players of this board, the strongest first.
    fn entries() -> Vec<Entry<Self>>;
}

impl PlayableBoard for Board {
    fn entries() -> Vec<Entry<Self>> {
        players_of_every_board()
    }
}

impl PlayableBoard for SmallBoard<6> {
    fn entries() -> Vec<Entry<Self>> {
        players_of_every_board()
    }
}

impl PlayableBoard for SmallBoard<4> {
    fn entries() -> Vec<Entry<Self>> {
        players_of_every_board()
    }
}

impl PlayableBoard for CutBoard {
    fn entries() -> Vec<Entry<Self>> {
        players_of_every_board()
    }
}

fn players_of_every_board<B: Rules>() -> Vec<Entry<B>> {
    vec![
        Entry {
            name: "weighted-square",
            description: "knows that corners are good and the squares beside them bad (IAGO paper, 3.1.2)",
            make: |options| Ok(Box::new(OneIdeaPlayer::new(WeightedSquare::<B>::new(), options.seed))),
        },
        Entry {
            name: "minimum-disc",
            description: "wants to have fewer discs than you, until the end (IAGO paper, 3.1.3)",
            make: |options| Ok(Box::new(OneIdeaPlayer::new(MinimumDisc, options.seed))),
        },
        Entry {
            name: "maximum-disc",
            description: "takes as many discs as it can (IAGO paper, 3.1.1)",
            make: |options| Ok(Box::new(OneIdeaPlayer::new(MaximumDisc, options.seed))),
        },
        Entry {
            name: "random",
            description: "plays any legal move",
            make: |options| Ok(Box::new(RandomPlayer::new(options.seed))),
        },
    ]
}

/// The player of this name.
pub fn player<B: PlayableBoard>(name: &str, options: &PlayerOptions) -> Result<Box<dyn Player<B>>> {
    let entries = B::entries();
    let Some(entry) = entries.iter().find(|entry| entry.name == name) else {
        let names: Vec<_> = entries.iter().map(|entry| entry.name).collect();
        let board = B::GEOMETRY.name;
        let sentence = format!("no engine {name:?} plays on the {board} board; expected one of {}", names.join(", "));
        return Err(UsageError::new(sentence).into());
    };
    (entry.make)(options)
}

#[cfg(test)]
mod tests {
    use engine::{Limits, Silent, Stop};
    use othello::Game;

    use super::*;

    fn every_player_opens_a_game<B: PlayableBoard>() {
        for entry in B::entries() {
            let mut player = player::<B>(entry.name, &PlayerOptions { seed: 1 }).unwrap();
            assert_eq!(player.name(), entry.name);
            player.new_game().unwrap();
            let mut game = Game::default();
            let choice = player.choose(&game, &Limits::of_level(1), &mut Silent, &Stop::new()).unwrap();
            game.play(choice.square).unwrap();
        }
        assert!(B::entries().iter().any(|entry| entry.name == DEFAULT_PLAYER));
    }

    #[test]
    fn every_player_is_found_by_its_name_and_opens_a_game() {
        every_player_opens_a_game::<Board>();
        every_player_opens_a_game::<SmallBoard<6>>();
        every_player_opens_a_game::<SmallBoard<4>>();
        every_player_opens_a_game::<CutBoard>();
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        let error = player::<Board>("deep-thought", &PlayerOptions { seed: 1 }).err().unwrap().to_string();
        assert!(error.contains("deep-thought") && error.contains("minimum-disc, maximum-disc, random"), "{error}");
    }
}
