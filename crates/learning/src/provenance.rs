//! The parameters that determine games, labels and trainings, as stored in their files, so that work is resumed only
//! with the same parameters.

use std::ops::RangeInclusive;

use othello::{Game, Position, Square};
use players::weights::EvaluationId;
use records::transcript;
use serde::{Deserialize, Serialize};
use storage::Fingerprint;
use storage::checksum::fnv1a;

use crate::labels::Label;
use crate::self_play::{Recipe, SelfPlay};
use crate::training::LookAhead;

/// The source of the games of a store.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// Self-play of the engine.
    SelfPlay(SelfPlaySource),
    /// Game records of other players.
    Records {
        /// The name of their file.
        name: String,
    },
}

/// Everything that determines which games are played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SelfPlaySource {
    /// The evaluation of the player.
    pub evaluation: EvaluationId,
    /// The random seed.
    pub seed: u64,
    /// The openings of the games; `None` for the start position.
    pub openings: Option<OpeningsId>,
    /// The minimum and maximum number of random moves after that.
    pub random_opening: (u32, u32),
    /// The share of later moves that are random.
    pub random_moves: f64,
    /// The search depth.
    pub depth: u32,
    /// The number of empty squares from which play is exact.
    pub exact_from: u32,
}

/// The identity of a set of openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningsId {
    /// The number of openings.
    pub count: u64,
    /// FNV-1a of their start positions and moves.
    #[serde(with = "storage::hexadecimal")]
    pub checksum: u64,
}

impl OpeningsId {
    /// The identity of these openings, which begin with the standard start position.
    pub fn of(openings: &[Vec<Square>]) -> Self {
        let game = |moves: &Vec<Square>| Game::from_moves(Position::start(), moves.iter().copied()).unwrap_or_default();
        let text = |game: Game| format!("{} {}\n", game.start(), transcript::format(&game));
        Self { count: openings.len() as u64, checksum: fnv1a(openings.iter().map(|moves| text(game(moves)))) }
    }
}

impl Source {
    /// Self-play with this recipe and this evaluation.
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

    /// The number of empty squares from which play is exact; 0 if unknown.
    pub fn exact_from(&self) -> u8 {
        match self {
            Self::SelfPlay(source) => source.exact_from.min(u8::MAX.into()) as u8,
            Self::Records { .. } => 0,
        }
    }

    /// The fingerprint of the source.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self)
    }
}

/// The parameters of the labels of a store, and the source of its positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LabelSource {
    /// The number of games in each of the stores of games.
    pub games: Vec<u64>,
    /// A checksum of all games.
    #[serde(with = "storage::hexadecimal")]
    pub games_checksum: u32,
    /// The minimum and maximum number of empty squares of the positions.
    pub empties: (u32, u32),
    /// The number of empty squares from which scores are corrected, if they are.
    pub corrected_from: Option<u32>,
    /// Whether there are values in the tree of all games.
    pub tree: bool,
    /// The searches that gave values, if any.
    pub search: Option<SearchSource>,
    /// The number of other moves tried at every position of a game.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub nearby: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The searches that label positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchSource {
    /// The search depth.
    pub depth: u32,
    /// The evaluation.
    pub evaluation: EvaluationId,
}

impl LabelSource {
    /// The kinds of labels.
    pub fn labels(&self) -> Vec<Label> {
        let has = |label: &Label| match label {
            Label::Outcome => true,
            Label::Corrected => self.corrected_from.is_some(),
            Label::Tree => self.tree,
            Label::Search => self.search.is_some(),
        };
        Label::ALL.into_iter().filter(has).collect()
    }

    /// The number of games that the positions come from.
    pub fn game_count(&self) -> u64 {
        self.games.iter().fold(0, |sum, games| sum.saturating_add(*games))
    }

    /// The numbers of empty squares of the positions.
    pub fn empties(&self) -> RangeInclusive<u32> {
        self.empties.0..=self.empties.1
    }

    /// The fingerprint of the labels.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self)
    }
}

/// Everything that determines the weights of a training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingSource {
    /// The number of games used.
    pub games: u64,
    /// The stores that contain them.
    pub stores: Vec<StoreId>,
    /// The training label of a position.
    pub label: Label,
    /// The weight of the final score in a search value.
    pub outcome_share: f32,
    /// The strength of the pull towards the weights of the next phase, as a number of positions.
    pub penalty: f32,
    /// The maximum number of steps per phase.
    pub steps: u32,
    /// One game in this many is held out.
    pub held_out: u64,
    /// A phase is also trained on positions with up to this many empty squares more or fewer than its own.
    pub window: u32,
    /// The searches that label positions during the training, if any.
    pub look_ahead: Option<LookAhead>,
}

impl TrainingSource {
    /// The fingerprint of the training.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self)
    }
}

/// Everything that determines weights with interactions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct InteractionSource {
    /// The number of games used.
    pub games: u64,
    /// The stores that contain them.
    pub stores: Vec<StoreId>,
    /// The training label of a position.
    pub label: Label,
    /// The weight of the final score in a search value.
    pub outcome_share: f32,
    /// The weights to start from.
    pub start: EvaluationId,
    /// The number of numbers in a vector.
    pub dimension: usize,
    /// The number of stages.
    pub stages: usize,
    /// A stage is also trained on positions with up to this many empty squares more or fewer than its own.
    pub window: u32,
    /// Stages with fewer positions keep the weights at the start.
    pub least: usize,
    /// One game in this many is held out.
    pub held_out: u64,
    /// The number of times that every position is used.
    pub epochs: u32,
    /// The lengths of the steps of weights and of vectors.
    pub rates: (f32, f32),
    /// The strengths of the pull of weights towards those at the start and of vectors towards zero, as numbers of
    /// positions.
    pub penalties: (f32, f32),
    /// The random seed.
    pub seed: u64,
}

impl InteractionSource {
    /// The fingerprint of the training.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self)
    }
}

/// The identity of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoreId {
    /// Games or labeled positions.
    pub kind: StoreKind,
    /// A checksum of the games, or of the parameters of the labels.
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
