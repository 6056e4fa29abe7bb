//! What a training learns from: the positions of stores of games and of labelled positions, with the label it chose.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use learning::checksum::crc32;
use learning::game_store::GameReader;
use learning::label_store::{LabelReader, is_label_store};
use learning::labels::{Label, Labels};
use learning::played_game::PlayedGame;
use learning::training::{Known, Take};

/// The positions of several stores, read again for every phase of the game, so that memory holds one phase at a time.
pub struct Material {
    stores: Vec<Store>,
    label: Label,
    /// How much of the score of the game is mixed into a search value.
    outcome_share: f32,
}

/// A store and the numbers of its games.
struct Store {
    path: PathBuf,
    /// The number of its first game among those of all stores.
    base: u64,
    /// How many of its games are learned from.
    games: u64,
    /// A checksum of what it holds: of its games, or of what its labels are.
    checksum: u32,
    /// Labelled positions, if that is what it holds.
    labels: Option<LabelReader>,
}

impl Material {
    /// Opens the stores and counts their games: one may be growing, and what is there now is what is learned. Only the
    /// first games of all, if there is a limit.
    pub fn open(paths: &[PathBuf], label: Label, outcome_share: f32, first: Option<u64>) -> Result<Self> {
        let mut stores = Vec::new();
        let mut base = 0;
        for path in paths {
            let left = first.unwrap_or(u64::MAX) - base;
            let is_labelled = is_label_store(path).with_context(|| format!("cannot read {}", path.display()))?;
            let labels = if is_labelled { Some(LabelReader::open(path)?) } else { None };
            let (games, checksum) = match &labels {
                Some(reader) => {
                    let found = &reader.source().labels;
                    let names = found.iter().map(|label| label.name()).collect::<Vec<_>>().join(", ");
                    ensure!(found.contains(&label), "{} has no label {label}: only {names}", path.display());
                    let games = reader.source().games.iter().sum::<u64>().min(left);
                    (games, crc32(reader.source().description.as_bytes()))
                }
                None => {
                    ensure!(
                        label == Label::Outcome,
                        "{} holds games, which have no label {label}; expected positions that `emilia learn label` \
                         labelled",
                        path.display()
                    );
                    count(path, left)?
                }
            };
            stores.push(Store { path: path.clone(), base, games, checksum, labels });
            base += games;
        }
        Ok(Self { stores, label, outcome_share })
    }

    /// Whether some positions are labelled already.
    pub fn has_labels(&self) -> bool {
        self.stores.iter().any(|store| store.labels.is_some())
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.stores.iter().map(|store| store.games).sum()
    }

    /// What is learned from, in words.
    pub fn description(&self) -> String {
        let names: Vec<_> = self.stores.iter().map(Store::name).collect();
        let label = match self.label {
            Label::Outcome => String::new(),
            Label::Search if self.outcome_share > 0.0 => {
                format!(", search values and {} of scores", self.outcome_share)
            }
            label => format!(", {label} values"),
        };
        format!("{} games of {}{label}", self.games(), names.join(", "))
    }

    /// Hands out the positions with so many empty squares, and others that come along.
    pub fn read(&self, empties: RangeInclusive<u32>, take: &mut Take<'_>) -> Result<()> {
        for store in &self.stores {
            let Store { base, games, .. } = *store;
            if let Some(labels) = &store.labels {
                labels.read(empties.clone(), |position| {
                    let game = u64::from(position.game);
                    if game < games {
                        let label = lesson(&position.labels, self.label, self.outcome_share);
                        take(base + game, &position.board, label.map_or(Known::Nothing, Known::Guess));
                    }
                })?;
                continue;
            }
            let mut reader = GameReader::open(&store.path)?;
            for number in base..base + games {
                let Some(stored) = reader.next().transpose()? else { break };
                let exact_from = u32::from(reader.sources()[stored.source].exact_from);
                for position in stored.game.positions() {
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
        }
        Ok(())
    }
}

impl Store {
    /// Its path, and a checksum of what it holds.
    fn name(&self) -> String {
        let kind = if self.labels.is_some() { "labels" } else { "games" };
        format!("{} ({kind} {:08x})", self.path.display(), self.checksum)
    }
}

/// What is learned of a position, in discs.
fn lesson(labels: &Labels, label: Label, outcome_share: f32) -> Option<f32> {
    let value = labels.discs(label)?;
    let score = labels.discs(Label::Corrected).or(labels.discs(Label::Outcome));
    Some(match score {
        Some(score) if outcome_share > 0.0 => (1.0 - outcome_share) * value + outcome_share * score,
        _ => value,
    })
}

/// How many games a store has, up to a limit, and a checksum of them.
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

/// A checksum of games and one more.
pub fn chained(checksum: u32, game: &PlayedGame) -> u32 {
    let mut bytes = checksum.to_le_bytes().to_vec();
    bytes.extend(game.fingerprint().to_le_bytes());
    crc32(&bytes)
}
