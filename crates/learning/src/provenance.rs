//! The parameters that determine games, labels and trainings: work on a file is resumed only with the same ones.

use othello::{Game, Position, Square};
use players::weights::EvaluationId;
use records::transcript;
use serde::{Deserialize, Serialize};
use storage::checksum::fnv1a;

use crate::labels::Label;
use crate::self_play::{Recipe, SelfPlay};
use crate::training::Training;

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
    pub evaluation: EvaluationId,
    pub seed: u64,
    /// The openings of the games; `None` for the start position.
    pub openings: Option<OpeningsId>,
    /// The minimum and maximum number of random moves after that.
    pub random_opening: (u32, u32),
    /// The share of later moves that are random.
    pub random_moves: f64,
    pub depth: u32,
    /// The number of empty squares from which play is exact.
    pub exact_from: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningsId {
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
}

/// The parameters of the labels of a store, and the source of its positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct LabelSource {
    /// The number of games in each of the stores of games.
    pub(crate) games: Vec<u64>,
    #[serde(with = "storage::hexadecimal")]
    pub(crate) games_checksum: u32,
    /// The minimum and maximum number of empty squares of the positions.
    pub(crate) empties: (u32, u32),
    /// The number of empty squares from which scores are corrected, if they are.
    pub(crate) corrected_from: Option<u32>,
    /// Whether there are values in the tree of all games.
    pub(crate) tree: bool,
    /// The searches that gave values, if any.
    pub(crate) search: Option<SearchSource>,
    /// The number of other moves tried at every position of a game.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) nearby: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct SearchSource {
    pub(crate) depth: u32,
    pub(crate) evaluation: EvaluationId,
}

impl LabelSource {
    pub(crate) fn labels(&self) -> Vec<Label> {
        let has = |label: &Label| match label {
            Label::Outcome => true,
            Label::Corrected => self.corrected_from.is_some(),
            Label::Tree => self.tree,
            Label::Search => self.search.is_some(),
        };
        Label::ALL.into_iter().filter(has).collect()
    }

    /// The number of games that the positions come from.
    pub(crate) fn game_count(&self) -> u64 {
        self.games.iter().fold(0, |sum, games| sum.saturating_add(*games))
    }
}

/// The material of a training.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct MaterialSource {
    pub(crate) games: u64,
    pub(crate) stores: Vec<StoreId>,
    pub(crate) label: Label,
    /// The weight of the final score in a search value.
    pub(crate) outcome_share: f32,
}

/// Everything that determines the weights of a training.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct TrainingSource {
    #[serde(flatten)]
    pub(crate) material: MaterialSource,
    #[serde(flatten)]
    pub(crate) training: Training,
}

/// Everything that determines weights with interactions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct InteractionSource {
    #[serde(flatten)]
    pub(crate) material: MaterialSource,
    /// The weights to start from.
    pub(crate) start: EvaluationId,
    /// The number of numbers in a vector.
    pub(crate) dimension: usize,
    pub(crate) stages: usize,
    /// A stage is also trained on positions with up to this many empty squares more or fewer than its own.
    pub(crate) window: u32,
    /// Stages with fewer positions keep the weights at the start.
    pub(crate) least: usize,
    /// One game in this many is held out.
    pub(crate) held_out: u64,
    /// The number of times that every position is used.
    pub(crate) epochs: u32,
    /// The lengths of the steps of weights and of vectors.
    pub(crate) rates: (f32, f32),
    /// The pull of weights towards those at the start and of vectors towards zero, as numbers of positions.
    pub(crate) penalties: (f32, f32),
    pub(crate) seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct StoreId {
    /// Games or labeled positions.
    pub(crate) kind: StoreKind,
    /// A checksum of the games, or of the parameters of the labels.
    #[serde(with = "storage::hexadecimal")]
    pub(crate) checksum: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StoreKind {
    Games,
    Labels,
}
