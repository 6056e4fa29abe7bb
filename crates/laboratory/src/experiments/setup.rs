//! The setup of an experiment, and how it gets its players.

use ::report::words::sentence;
use arena::{Contestant, PlayerSpec};
use engine::{Limits, Player, Stop};
use othello::Board;
use players::{PlayableBoard, PlayerNotation, PlayerOptions, SearchOptions, registry};

use super::ExperimentError;

/// The hash table of a player, in MB: many may exist at the same time.
const TABLE: u32 = 16;

/// The setup of an experiment.
pub struct Setup<'a> {
    /// Whether it should finish within two minutes.
    pub is_quick: bool,
    /// The random seed.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
    /// Replaces the limits of every player of a match, so that tests are fast.
    pub rehearsal: Option<Limits>,
    /// Stops it.
    pub stop: &'a Stop,
    /// Receives progress messages.
    pub progress: &'a mut dyn FnMut(&str),
}

impl Setup<'_> {
    /// The player of this notation, as on the command line, new for every game.
    pub(super) fn player(&self, notation: &str) -> Result<Box<dyn Player>, ExperimentError> {
        let options = PlayerOptions { seed: self.seed, search: search(TABLE), ..PlayerOptions::default() };
        registry::limited_player(&parse(notation)?, &options).map_err(|error| failed(notation, sentence(&error)))
    }

    /// The same as a contestant of a match, under this name.
    pub(super) fn contestant(&self, notation: &str) -> Result<Contestant, ExperimentError> {
        self.contestant_with_table(notation, TABLE)
    }

    /// The same with a hash table of this many megabytes.
    pub(super) fn contestant_with_table(&self, notation: &str, hash: u32) -> Result<Contestant, ExperimentError> {
        // An invalid player is detected before anything is played.
        self.player(notation)?;
        let (name, notation) = (notation.to_owned(), parse(notation)?);
        let limits = self.rehearsal.unwrap_or_else(|| notation.limits(&Limits::default()));
        Ok(Contestant { name, player: PlayerSpec { notation, search: search(hash), usual_level: None }, limits })
    }
}

fn search(hash: u32) -> SearchOptions {
    SearchOptions { hash, ..SearchOptions::default() }
}

fn parse(notation: &str) -> Result<PlayerNotation, ExperimentError> {
    notation.parse().map_err(|reason| failed(notation, reason))
}

fn failed(player: &str, reason: String) -> ExperimentError {
    ExperimentError::Player { player: player.to_owned(), reason }
}

/// The names of all players on 8x8, and whether each has the setting `historical`.
pub(super) fn player_names() -> Vec<(&'static str, bool)> {
    let is_historical =
        |entry: &registry::Entry<Board>| entry.settings.iter().any(|one| one.name == registry::HISTORICAL);
    Board::entries().iter().map(|entry| (entry.name, is_historical(entry))).collect()
}
