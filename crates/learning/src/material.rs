//! Training material: the positions of stores of games and of labeled positions, with the chosen label.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use storage::Fingerprint;
use storage::checksum::crc32;

use crate::error::{FileProblem, LearnError, Result};
use crate::game_store::GameReader;
use crate::label_store::{LabelReader, is_label_store};
use crate::labels::{Label, Labels};
use crate::played_game::PlayedGame;
use crate::provenance::{MaterialSource, StoreId, StoreKind};
use crate::training::{Known, Take};

/// The positions of several stores, read again for every phase of the game, so that only one phase is in memory.
#[derive(Debug)]
pub struct Material {
    stores: Vec<Store>,
    label: Label,
    /// The weight of the final score in a search value.
    outcome_share: f32,
}

/// The games of one store and their numbers.
#[derive(Debug)]
struct Store {
    content: Content,
    /// The number of its first game among those of all stores.
    base: u64,
    /// The number of its games that are used.
    games: u64,
    /// A checksum of its games, or of the parameters of its labels.
    checksum: u32,
}

#[derive(Debug)]
enum Content {
    Games(PathBuf),
    Labels(Box<LabelReader>),
    /// Games in memory, exact from this number of empty squares on.
    Memory(Vec<PlayedGame>, u32),
}

impl Material {
    /// Opens the stores and counts their games: a store may be growing, and only the games that exist now are used.
    /// With a limit, only the first games of all stores are used.
    pub fn open(paths: &[PathBuf], label: Label, outcome_share: f32, first: Option<u64>) -> Result<Self> {
        let mut stores = Vec::new();
        let mut base = 0;
        for path in paths {
            let left = first.unwrap_or(u64::MAX) - base;
            let is_labeled = is_label_store(path).map_err(LearnError::io("read", path))?;
            let (content, games, checksum) = if is_labeled {
                let reader = LabelReader::open(path)?;
                let source = reader.source();
                if !source.labels().contains(&label) {
                    return Err(FileProblem::NoLabel(label, source.labels()).of(path));
                }
                let (games, checksum) = (source.game_count().min(left), Fingerprint::of(source).checksum());
                (Content::Labels(Box::new(reader)), games, checksum)
            } else {
                if label != Label::Outcome {
                    return Err(FileProblem::NotLabeled(label).of(path));
                }
                let (games, checksum) = count(path, left)?;
                (Content::Games(path.clone()), games, checksum)
            };
            stores.push(Store { content, base, games, checksum });
            base += games;
        }
        Ok(Self { stores, label, outcome_share })
    }

    /// No games yet; [`add`](Self::add) adds some.
    pub fn of_memory() -> Self {
        Self { stores: Vec::new(), label: Label::Outcome, outcome_share: 0.0 }
    }

    /// Adds games that were played exactly from this number of empty squares on.
    pub fn add(&mut self, games: Vec<PlayedGame>, exact_from: u32) {
        let (base, count) = (self.games(), games.len() as u64);
        let checksum = games.iter().fold(0, chained);
        self.stores.push(Store { content: Content::Memory(games, exact_from), base, games: count, checksum });
    }

    /// Whether some positions are already labeled.
    pub fn has_labels(&self) -> bool {
        self.stores.iter().any(|store| matches!(store.content, Content::Labels(_)))
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.stores.iter().map(|store| store.games).sum()
    }

    /// Refuses to learn from nothing.
    pub(crate) fn require_games(&self) -> Result<()> {
        if self.games() == 0 { Err(LearnError::NoGames("learn from")) } else { Ok(()) }
    }

    pub(crate) fn source(&self) -> MaterialSource {
        let id = |store: &Store| {
            let is_labeled = matches!(store.content, Content::Labels(_));
            let kind = if is_labeled { StoreKind::Labels } else { StoreKind::Games };
            StoreId { kind, checksum: store.checksum }
        };
        let stores = self.stores.iter().map(id).collect();
        MaterialSource { games: self.games(), stores, label: self.label, outcome_share: self.outcome_share }
    }

    /// Iterates over the positions with these numbers of empty squares; others may be included.
    pub fn read(&self, empties: RangeInclusive<u32>, take: &mut Take<'_>) -> Result<()> {
        for Store { content, base, games, .. } in &self.stores {
            match content {
                Content::Labels(labels) => labels.read(empties.clone(), |position| {
                    let game = u64::from(position.game);
                    if game < *games {
                        let label = training_value(&position.labels, self.label, self.outcome_share);
                        take(base + game, &position.board, label.map_or(Known::Nothing, Known::Guess));
                    }
                })?,
                Content::Games(path) => {
                    let mut reader = GameReader::open(path)?;
                    for number in *base..base + games {
                        let Some(stored) = reader.next().transpose()? else { break };
                        let stored = reader.with_source(stored)?;
                        hand_out(number, &stored.game, stored.exact_from.into(), take);
                    }
                }
                Content::Memory(games, exact_from) => {
                    (*base..).zip(games).for_each(|(number, game)| hand_out(number, game, *exact_from, take));
                }
            }
        }
        Ok(())
    }
}

fn hand_out(number: u64, game: &PlayedGame, exact_from: u32, take: &mut Take<'_>) {
    for position in game.positions() {
        let score = position.score.discs() as f32;
        let known = if !position.is_sound {
            Known::Nothing
        } else if position.board.empty_count() <= exact_from {
            Known::Exact(score)
        } else {
            Known::Guess(score)
        };
        take(number, &position.board, known);
    }
}

/// The training value of a position, in discs.
fn training_value(labels: &Labels, label: Label, outcome_share: f32) -> Option<f32> {
    let value = labels.discs(label)?;
    let score = labels.discs(Label::Corrected).or(labels.discs(Label::Outcome));
    Some(match score {
        Some(score) if outcome_share > 0.0 => (1.0 - outcome_share) * value + outcome_share * score,
        _ => value,
    })
}

/// The number of games of a store, up to a limit, and their checksum.
fn count(path: &Path, most: u64) -> Result<(u64, u32)> {
    let (mut games, mut checksum) = (0, 0);
    if most > 0 {
        for stored in GameReader::open(path)? {
            checksum = chained(checksum, &stored?.game);
            games += 1;
            if games == most {
                break;
            }
        }
    }
    Ok((games, checksum))
}

/// Extends a checksum of games by one game.
pub(crate) fn chained(checksum: u32, game: &PlayedGame) -> u32 {
    let mut bytes = checksum.to_le_bytes().to_vec();
    bytes.extend(game.fingerprint().to_le_bytes());
    crc32(&bytes)
}
