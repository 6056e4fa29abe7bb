//! What an experiment is run with, and how it gets its players.

use ::report::words::sentence;
use arena::{Contestant, PlayerSpec};
use engine::{Limits, Player, Stop};
use othello::Board;
use players::{PlayableBoard, PlayerNotation, PlayerOptions, SearchOptions, registry};

use super::ExperimentError;

/// The hash table of a player, in MB: many may sit side by side.
const TABLE: u32 = 16;

/// What an experiment is run with.
pub struct Setup<'a> {
    /// Whether it should be over within two minutes.
    pub is_quick: bool,
    /// Decides what is left to chance.
    pub seed: u64,
    /// How many threads may work at a time.
    pub threads: usize,
    /// In place of the limits of every player of a match, so that tests are over soon.
    pub rehearsal: Option<Limits>,
    /// Ends it.
    pub stop: &'a Stop,
    /// Told what is being done, now and then.
    pub progress: &'a mut dyn FnMut(&str),
}

impl Setup<'_> {
    /// The player of this notation, as on the command line, new for every game.
    pub(super) fn player(&self, notation: &str) -> Result<Box<dyn Player>, ExperimentError> {
        let options = PlayerOptions { seed: self.seed, search: search(TABLE), usual_level: None };
        registry::limited_player(&parse(notation)?, &options).map_err(|error| failed(notation, sentence(&error)))
    }

    /// The same as somebody who takes part in a match, under this name.
    pub(super) fn contestant(&self, notation: &str) -> Result<Contestant, ExperimentError> {
        self.contestant_with_table(notation, TABLE)
    }

    /// The same with a hash table of this many megabytes.
    pub(super) fn contestant_with_table(&self, notation: &str, hash: u32) -> Result<Contestant, ExperimentError> {
        // A player that cannot be made is found before anything is played.
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

/// The names of all players of the usual board, and whether each has the setting `historical`.
pub(super) fn player_names() -> Vec<(&'static str, bool)> {
    let is_historical =
        |entry: &registry::Entry<Board>| entry.settings.iter().any(|one| one.name == registry::HISTORICAL);
    Board::entries().iter().map(|entry| (entry.name, is_historical(entry))).collect()
}
