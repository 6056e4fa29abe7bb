//! The setup of an experiment, and how it gets its players.

use std::sync::Arc;

use ::report::words::sentence;
use arena::{Contestant, PlayerSpec, RegisteredPlayer};
use engine::settings::Settings;
use engine::{Limits, Player, Stop};
use othello::Board;
use players::{PlayableBoard, PlayerNotation, PlayerOptions, Registry, SearchOptions};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Checkpoint, ExperimentError, Result};

/// The hash table of a player, in MB: many may exist at the same time.
const TABLE: u32 = 16;

/// The setup of an experiment.
pub struct Setup<'a> {
    /// The players that experiments name.
    pub registry: Arc<Registry>,
    /// Whether it should finish within two minutes.
    pub is_quick: bool,
    /// Names and values of settings.
    pub settings: &'a [(String, Option<String>)],
    /// The random seed.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
    /// Replaces the limits of every player of a match, so that tests are fast.
    pub rehearsal: Option<Limits>,
    /// Keeps its finished parts, so that a run that was killed can be resumed.
    pub checkpoint: Option<&'a mut Checkpoint>,
    /// Stops it.
    pub stop: &'a Stop,
    /// Receives progress messages.
    pub progress: Box<dyn FnMut(&str) + 'a>,
}

impl<'a> Setup<'a> {
    /// Reads the settings of the experiment.
    pub fn settings<S: Settings>(&self) -> Result<S> {
        S::of_written(self.settings).map_err(ExperimentError::Setting)
    }

    /// The value of a part of the experiment, which a resumed run reads from the checkpoint.
    ///
    /// Parts must be requested in the same order in every run with the same parameters. Their keys are for people, and
    /// may repeat.
    pub fn part<T: Serialize + DeserializeOwned>(
        &mut self,
        key: &str,
        compute: impl FnOnce(&mut Setup<'a>) -> Result<T>,
    ) -> Result<T> {
        if let Some(value) = self.checkpoint.as_mut().and_then(|checkpoint| checkpoint.take(key)) {
            return Ok(value);
        }
        let value = compute(self)?;
        self.keep(key, &value)?;
        Ok(value)
    }

    /// Keeps the value of a part that the checkpoint did not have.
    pub fn keep(&mut self, key: &str, value: &impl Serialize) -> Result<()> {
        let kept = self.checkpoint.as_mut().map_or(Ok(()), |checkpoint| checkpoint.keep(key, value));
        kept.map_err(|error| ExperimentError::Checkpoint(error.to_string()))
    }

    /// The player of this notation, as on the command line, new for every game.
    pub fn player(&self, notation: &str) -> Result<Box<dyn Player>> {
        self.player_on(notation)
    }

    /// The same on any board.
    pub fn player_on<B: PlayableBoard>(&self, notation: &str) -> Result<Box<dyn Player<B>>> {
        let options = PlayerOptions { seed: self.seed, search: search(TABLE), ..PlayerOptions::default() };
        self.registry.limited_player(&parse(notation)?, &options).map_err(|error| failed(notation, sentence(&error)))
    }

    /// The same as a contestant of a match, under this name.
    pub fn contestant(&self, notation: &str) -> Result<Contestant> {
        self.contestant_with_table(notation, TABLE)
    }

    /// The same with a hash table of this many megabytes.
    pub fn contestant_with_table(&self, notation: &str, hash: u32) -> Result<Contestant> {
        // An invalid player is detected before anything is played.
        self.player(notation)?;
        let (name, notation) = (notation.to_owned(), parse(notation)?);
        let limits = self.rehearsal.unwrap_or_else(|| notation.limits(&Limits::default()));
        let spec = PlayerSpec { notation, search: search(hash), default_level: None };
        let player = RegisteredPlayer::new(&self.registry, spec);
        Ok(Contestant { name, player, limits })
    }

    /// The names of all players on 8x8, and whether each has the setting `historical`.
    pub fn player_names(&self) -> Vec<(&'static str, bool)> {
        self.registry.entries::<Board>().iter().map(|entry| (entry.name, entry.is_historical())).collect()
    }
}

fn search(hash: u32) -> SearchOptions {
    SearchOptions { hash, ..SearchOptions::default() }
}

fn parse(notation: &str) -> Result<PlayerNotation> {
    notation.parse().map_err(|reason| failed(notation, reason))
}

fn failed(player: &str, reason: String) -> ExperimentError {
    ExperimentError::Player { player: player.to_owned(), reason }
}
