//! The players of a match, as data: a name, limits, and how to create the player.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use engine::{Emilia, Level, Limits, Options, Player, RandomPlayer};
use evaluation::Learned;
use evaluation::weights::Weights;
use othello::{Board, Rules};
use players::notation::Engine;
use players::{MakeError, PlayableBoard, PlayerNotation, PlayerOptions, Registry, SearchOptions, SharedResources};
use report::words::sentence;
use serde::{Deserialize, Serialize};
use storage::checksum::crc32;

use crate::terms::PlayerId;

/// How to create a player of a contest on a board: data that can be copied to every thread.
pub trait Entrant<B: Rules = Board>: Clone + fmt::Debug + Send + Sync + 'static {
    /// Creates the player; the seed determines its random choices. An external program may take as long to start as the
    /// referee waits for a move, if that is more than the default. The error is a sentence.
    fn player(&self, seed: u64, patience: Duration) -> Result<Box<dyn Player<B>>, String>;

    /// Identifies the player: two matches are the same only if these are equal.
    fn id(&self) -> PlayerId;

    /// Whether low levels make it play like a beginner.
    fn has_weak_levels(&self) -> bool {
        false
    }

    /// The seed for its random choices, combined with the number of the game, instead of the seed of the match.
    fn seed(&self) -> Option<u64> {
        None
    }

    /// Whether the player is reused for the next game, for example a program that takes long to start: its random
    /// choices are then its own. Other players are created again for every game, so that games are independent.
    fn is_reused(&self) -> bool {
        false
    }
}

/// A player in a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Contestant<E = RegisteredPlayer> {
    /// The name in tables and records, unique within a match.
    pub name: String,
    /// How to create the player.
    pub player: E,
    /// The limits per move; a clock is the time at the start of a game.
    pub limits: Limits,
}

/// A player in the notation of the command line, with defaults for what the notation leaves open.
///
/// The player ignores limits in the notation: [`Contestant::limits`] applies. It is data; with a registry it becomes a
/// [`RegisteredPlayer`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayerSpec {
    /// The player as written on the command line.
    pub notation: PlayerNotation,
    /// The search options, unless the notation overrides them.
    pub search: SearchOptions,
    /// The level of a player with levels, if no limit is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_level: Option<Level>,
}

/// A player of a contest with the registry that makes it. As data it is its [`PlayerSpec`].
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct RegisteredPlayer {
    /// The player as data.
    pub spec: PlayerSpec,
    #[serde(skip)]
    registry: Arc<Registry>,
}

impl RegisteredPlayer {
    /// A player that this registry makes.
    pub fn new(registry: &Arc<Registry>, spec: PlayerSpec) -> Self {
        Self { spec, registry: Arc::clone(registry) }
    }

    /// Creates the player; this seed determines its random choices, even if the notation contains another one.
    fn make<B: PlayableBoard>(&self, seed: u64, patience: Duration) -> Result<Box<dyn Player<B>>, MakeError> {
        let PlayerSpec { search, default_level, .. } = self.spec;
        let options = PlayerOptions { seed, search, default_level, default_book: false, patience };
        let notation = self.spec.notation.clone().with_seed(None);
        self.registry.named_player(&notation, &options, SharedResources::default())
    }
}

impl<B: PlayableBoard> Entrant<B> for RegisteredPlayer {
    fn player(&self, seed: u64, patience: Duration) -> Result<Box<dyn Player<B>>, String> {
        self.make(seed, patience).map_err(|error| sentence(&error))
    }

    fn id(&self) -> PlayerId {
        let PlayerSpec { notation, search, default_level, .. } = self.spec.clone();
        if notation.is_external() {
            // The search options of built-in players do not apply to external programs.
            return PlayerId::Program { notation };
        }
        let threads = notation.threads.unwrap_or(search.threads);
        let hash = notation.hash.unwrap_or(search.hash);
        PlayerId::BuiltIn { notation, threads, hash, default_level }
    }

    fn has_weak_levels(&self) -> bool {
        match &self.spec.notation.engine {
            Engine::BuiltIn(name) => self.registry.entry::<B>(name).is_ok_and(|entry| entry.has_weak_levels),
            Engine::External { .. } => false,
        }
    }

    fn seed(&self) -> Option<u64> {
        self.spec.notation.seed
    }

    fn is_reused(&self) -> bool {
        self.spec.notation.is_external()
    }
}

/// The player of a generation of a learning cycle, with weights in memory.
#[derive(Clone, Debug)]
pub enum LearnedEntrant {
    /// Random moves, before anything has been learned.
    Random,
    /// Emilia with these weights, one thread and a hash table of this size.
    Emilia {
        /// The evaluation; its tables are large and shared by all games.
        learned: Arc<Learned>,
        /// The CRC-32 of the weight file, which identifies the weights.
        checksum: u32,
        /// The size of the hash table in MB.
        hash: u32,
    },
}

impl LearnedEntrant {
    /// Emilia with these weights.
    pub fn new(weights: &Weights, hash: u32) -> Self {
        Self::Emilia { learned: Arc::new(Learned::new(weights)), checksum: crc32(&weights.to_bytes()), hash }
    }
}

impl Entrant for LearnedEntrant {
    fn player(&self, seed: u64, _patience: Duration) -> Result<Box<dyn Player>, String> {
        match self {
            Self::Random => Ok(Box::new(RandomPlayer::new(seed))),
            Self::Emilia { learned, hash, .. } => {
                let options = Options { table_megabytes: *hash as usize, threads: 1, default_level: None, seed };
                let player = Emilia::with_evaluation(Arc::clone(learned), &options);
                player.map(|player| Box::new(player) as Box<dyn Player>).map_err(|error| error.to_string())
            }
        }
    }

    fn id(&self) -> PlayerId {
        match *self {
            Self::Random => PlayerId::Random,
            Self::Emilia { checksum, hash, .. } => PlayerId::Learned { checksum, hash },
        }
    }

    fn has_weak_levels(&self) -> bool {
        matches!(self, Self::Emilia { .. })
    }
}

/// The players of a contest on a board from their notations, named by their labels; a repeated name gets a number appended.
/// `default_limits` are the limits of those without limits of their own.
///
/// Built-in players are created once, so that a mistake is found before the first game.
pub fn contestants<B: PlayableBoard>(
    registry: &Arc<Registry>,
    notations: &[PlayerNotation],
    default_limits: &Limits,
    search: SearchOptions,
    default_level: Option<Level>,
) -> Result<Vec<Contestant>, MakeError> {
    let mut contestants: Vec<Contestant> = Vec::new();
    for notation in notations {
        if notation.learning_book().is_some() {
            // Games would no longer be independent, and several are played at the same time.
            let sentence = "book-learning=on is not allowed here: a player that learns would change between games";
            return Err(MakeError::Request(format!("{sentence} ({:?})", notation.text())));
        }
        let spec = PlayerSpec { notation: notation.clone(), search, default_level };
        let player = RegisteredPlayer::new(registry, spec);
        if !notation.is_external() {
            player.make::<B>(0, Duration::ZERO)?;
        }
        let label = notation.label();
        if label.chars().any(char::is_control) {
            let found = format!("{label:?} cannot be a name: it has control characters");
            return Err(MakeError::Request(found));
        }
        let is_taken = |name: &str| contestants.iter().any(|other| other.name == name);
        let name = (1..)
            .map(|number| if number == 1 { label.clone() } else { format!("{label} #{number}") })
            .find(|name| !is_taken(name))
            .unwrap_or_default();
        contestants.push(Contestant { name, player, limits: notation.limits(default_limits) });
    }
    Ok(contestants)
}

#[cfg(test)]
mod tests {
    use engine::{Silent, Stop};
    use othello::Game;
    use players::test_support;

    use super::*;

    fn registry() -> Arc<Registry> {
        Arc::new(Registry::new(vec![test_support::program()]).unwrap())
    }

    fn enter(texts: &[&str]) -> Result<Vec<Contestant>, MakeError> {
        let notations: Vec<PlayerNotation> = texts.iter().map(|text| text.parse().unwrap()).collect();
        let search = SearchOptions { threads: 1, hash: 1 };
        contestants::<Board>(&registry(), &notations, &Limits::of_level(3), search, Level::new(10).ok())
    }

    #[test]
    fn a_contestant_read_from_json_plays_as_the_one_that_was_written() {
        for text in ["random", "random@seed=7", "simple@depth=1", "emilia@level=1,hash=2"] {
            let [contestant] = &enter(&[text]).unwrap()[..] else { panic!("one") };
            let json = serde_json::to_string(contestant).unwrap();
            let Contestant { name, player, limits } = serde_json::from_str::<Contestant<PlayerSpec>>(&json).unwrap();
            let again = Contestant { name, player: RegisteredPlayer::new(&registry(), player), limits };
            let seed = |contestant: &Contestant| Entrant::<Board>::seed(&contestant.player);
            assert_eq!((serde_json::to_string(&again).unwrap(), seed(&again)), (json.clone(), seed(contestant)));
            let moves = |contestant: &Contestant, seed: u64| {
                let mut player: Box<dyn Player> = contestant.player.player(seed, Duration::ZERO).unwrap();
                let mut game = Game::new();
                while !game.is_over() {
                    let choice = player.choose(&game, &contestant.limits, &mut Silent, &Stop::new()).unwrap();
                    game.play(choice.square).unwrap();
                }
                game.moves()
            };
            assert_eq!(moves(&again, 5), moves(contestant, 5), "{json}");
            // The seed of a notation is mixed with the number of the game before the player is made.
            assert!(!text.starts_with("random") || moves(&again, 5) != moves(contestant, 6), "{json}");
        }
    }

    #[test]
    fn players_with_equal_names_are_numbered_and_invalid_ones_refused_before_the_first_game() {
        let names = |texts: &[&str]| enter(texts).unwrap().into_iter().map(|one| one.name).collect::<Vec<_>>();
        assert_eq!(names(&["random", "random", "simple", "random"]), ["random", "random #2", "simple", "random #3"]);
        let [own, unlimited] = &enter(&["simple@depth=2", "simple"]).unwrap()[..] else { panic!("two") };
        assert_eq!((own.limits, unlimited.limits), (Limits::of_depth(2), Limits::of_level(3)));
        let error = |text: &str| enter(&[text]).unwrap_err().to_string();
        assert!(error("nobody").contains("no engine \"nobody\""));
        assert!(error("emilia@book=a.book,book-learning=on").contains("book-learning=on is not allowed here"));
        assert!(error("random@name=a\tb").contains("control characters"));
        let [program] = &enter(&["gtp:/no/such/program"]).unwrap()[..] else { panic!("one") };
        assert!(Entrant::<Board>::is_reused(&program.player) && program.name == "program");
    }
}
