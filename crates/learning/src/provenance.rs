//! What decided games, labels and trainings, as data: what files of them say of themselves, so that they are continued
//! by the same work and by no other.

use std::ops::RangeInclusive;

use othello::records::transcript;
use othello::{Game, Position, Square};
use players::weights::EvaluationId;
use serde::{Deserialize, Serialize};
use storage::Fingerprint;
use storage::checksum::fnv1a;

use crate::labels::Label;
use crate::self_play::{Recipe, SelfPlay};
use crate::training::LookAhead;

/// Where the games of a store come from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// The engine played against itself.
    SelfPlay(SelfPlaySource),
    /// Records of games that others played.
    Records {
        /// The name of their file.
        name: String,
    },
    /// Somebody said it in words that nobody else understands: a store of an older version.
    Described {
        /// Whether the games were played for learning, and not taken from records.
        is_self_play: bool,
        /// From how many empty squares on play is exact; 0 if nobody knows.
        exact_from: u8,
        /// The words.
        description: String,
    },
}

/// All that decides which games are played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SelfPlaySource {
    /// Who plays.
    pub evaluation: EvaluationId,
    /// The random seed.
    pub seed: u64,
    /// The openings that games begin with, if they do not begin with the start.
    pub openings: Option<OpeningsId>,
    /// How many random moves come next, at least and at most.
    pub random_opening: (u32, u32),
    /// The share of later moves that are random.
    pub random_moves: f64,
    /// How many moves the search for a move looks ahead.
    pub depth: u32,
    /// From how many empty squares on play is exact.
    pub exact_from: u32,
}

/// Which openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningsId {
    /// How many there are.
    pub count: u64,
    /// FNV-1a of their start positions and moves.
    #[serde(with = "storage::hexadecimal")]
    pub checksum: u64,
}

impl OpeningsId {
    /// That of these openings, which begin with the usual start.
    pub fn of(openings: &[Vec<Square>]) -> Self {
        let game = |moves: &Vec<Square>| Game::from_moves(Position::start(), moves.iter().copied()).unwrap_or_default();
        let text = |game: Game| format!("{} {}\n", game.start(), transcript::format(&game));
        Self { count: openings.len() as u64, checksum: fnv1a(openings.iter().map(|moves| text(game(moves)))) }
    }
}

impl Source {
    /// Games that are played in this way, by this evaluation.
    pub fn of_self_play<E>(evaluation: EvaluationId, self_play: &SelfPlay<E>) -> Self {
        let Recipe { seed, opening, random_moves, depth, exact_from, .. } = self_play.recipe;
        let openings = (!self_play.openings.is_empty()).then(|| OpeningsId::of(&self_play.openings));
        Self::SelfPlay(SelfPlaySource {
            evaluation,
            seed,
            openings,
            random_opening: opening,
            random_moves,
            depth,
            exact_from,
        })
    }

    /// From how many empty squares on play is exact; 0 if nobody knows.
    pub fn exact_from(&self) -> u8 {
        match self {
            Self::SelfPlay(source) => source.exact_from.min(u8::MAX.into()) as u8,
            Self::Records { .. } => 0,
            Self::Described { exact_from, .. } => *exact_from,
        }
    }

    /// What decided the games.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self)
    }
}

/// What the labels of a store are and where its positions come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LabelSource {
    /// How many games each of the stores of games had.
    pub games: Vec<u64>,
    /// A checksum of all games.
    #[serde(with = "storage::hexadecimal")]
    pub games_checksum: u32,
    /// The numbers of empty squares of the positions, the fewest and the most.
    pub empties: (u32, u32),
    /// From how many empty squares on scores are corrected, if they are.
    pub corrected_from: Option<u32>,
    /// Whether there are values in the tree of all games.
    pub tree: bool,
    /// The searches whose values there are, if any.
    pub search: Option<SearchSource>,
}

/// The searches that label positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchSource {
    /// How many moves they look ahead.
    pub depth: u32,
    /// What they think of positions.
    pub evaluation: EvaluationId,
}

impl LabelSource {
    /// The labels that positions have.
    pub fn labels(&self) -> Vec<Label> {
        let has = |label: &Label| match label {
            Label::Outcome => true,
            Label::Corrected => self.corrected_from.is_some(),
            Label::Tree => self.tree,
            Label::Search => self.search.is_some(),
        };
        Label::ALL.into_iter().filter(has).collect()
    }

    /// How many games the positions come from.
    pub fn game_count(&self) -> u64 {
        self.games.iter().fold(0, |sum, games| sum.saturating_add(*games))
    }

    /// The numbers of empty squares of the positions.
    pub fn empties(&self) -> RangeInclusive<u32> {
        self.empties.0..=self.empties.1
    }

    /// What decided the labels.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self)
    }
}

/// All that decides which weights a training comes to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingSource {
    /// How many games are learned from.
    pub games: u64,
    /// The stores that they stand in.
    pub stores: Vec<StoreId>,
    /// What is learned of a position.
    pub label: Label,
    /// How much of the score of the game is mixed into the value of a search.
    pub outcome_share: f32,
    /// How many positions hold a weight where the next phase has it.
    pub penalty: f32,
    /// The most steps for a phase.
    pub steps: u32,
    /// One game in so many is held out.
    pub held_out: u64,
    /// A phase also learns from positions with up to so many empty squares more or fewer than its own.
    pub window: u32,
    /// The searches that label positions, if there are any.
    pub look_ahead: Option<LookAhead>,
}

impl TrainingSource {
    /// What decided the weights.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self)
    }
}

/// What a store holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoreId {
    /// Games or labelled positions.
    pub kind: StoreKind,
    /// A checksum of the games, or of what decided the labels.
    #[serde(with = "storage::hexadecimal")]
    pub checksum: u32,
}

/// The kinds of stores that a training learns from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoreKind {
    /// Games.
    Games,
    /// Positions with labels.
    Labels,
}
