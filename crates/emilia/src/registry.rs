//! The players that can be asked for by name.

use anyhow::Result;
use engine::{Emilia, Level, Options, Player};
use heritage::one_idea::{MaximumDisc, MinimumDisc, OneIdeaPlayer};
use heritage::random::RandomPlayer;
use heritage::weighted_square::WeightedSquare;
use othello::{Board, CutBoard, Rules, SmallBoard};

use crate::game_file::RecordedBoard;
use crate::search_options::SearchOptions;
use crate::usage_error::UsageError;

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
    /// How players that search by table and threads do it.
    pub search: SearchOptions,
    /// The level of a player that has levels, when it is asked for a move without any limit.
    pub usual_level: Option<Level>,
}

impl PlayerOptions {
    /// The level at which a newcomer meets Emilia: it makes mistakes and never plays the same game twice.
    pub fn friendly_level() -> Option<Level> {
        Level::new(1).ok()
    }
}

/// A board for which there are players.
pub trait PlayableBoard: RecordedBoard {
    /// The players of this board, the strongest first.
    fn entries() -> Vec<Entry<Self>>;
}

impl PlayableBoard for Board {
    fn entries() -> Vec<Entry<Self>> {
        with_emilia()
    }
}

impl PlayableBoard for SmallBoard<6> {
    fn entries() -> Vec<Entry<Self>> {
        with_emilia()
    }
}

impl PlayableBoard for SmallBoard<4> {
    fn entries() -> Vec<Entry<Self>> {
        with_emilia()
    }
}

impl PlayableBoard for CutBoard {
    fn entries() -> Vec<Entry<Self>> {
        players_of_every_board()
    }
}

fn with_emilia<B: Rules<Set = u64>>() -> Vec<Entry<B>> {
    let emilia = Entry {
        name: "emilia",
        description: "searches deeply and plays the end perfectly, at levels from 0 to 60",
        make: |options: &PlayerOptions| {
            let &PlayerOptions { seed, search, usual_level } = options;
            let (table_megabytes, threads) = (search.hash as usize, usize::from(search.threads));
            let player = Emilia::<B>::new(&Options { table_megabytes, threads, usual_level, seed })?;
            Ok(Box::new(player) as Box<dyn Player<B>>)
        },
    };
    std::iter::once(emilia).chain(players_of_every_board()).collect()
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

/// The player of this name, or the strongest.
pub fn player<B: PlayableBoard>(name: Option<&str>, options: &PlayerOptions) -> Result<Box<dyn Player<B>>> {
    let entries = B::entries();
    let Some(entry) = entries.iter().find(|entry| name.is_none_or(|name| entry.name == name)) else {
        let name = name.unwrap_or_default();
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

    fn options() -> PlayerOptions {
        PlayerOptions { seed: 1, search: SearchOptions { hash: 1, ..SearchOptions::default() }, usual_level: None }
    }

    fn every_player_opens_a_game<B: PlayableBoard>() {
        for entry in B::entries() {
            let mut player = player::<B>(Some(entry.name), &options()).unwrap();
            assert_eq!(player.name(), entry.name);
            player.new_game().unwrap();
            let mut game = Game::default();
            let choice = player.choose(&game, &Limits::of_level(1), &mut Silent, &Stop::new()).unwrap();
            game.play(choice.square).unwrap();
        }
        let strongest = player::<B>(None, &options()).unwrap();
        assert_eq!(strongest.name(), B::entries()[0].name);
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
        let error = player::<Board>(Some("deep-thought"), &options()).err().unwrap().to_string();
        assert!(error.contains("deep-thought") && error.contains("minimum-disc, maximum-disc, random"), "{error}");
    }
}
