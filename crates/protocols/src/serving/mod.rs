//! A player that answers a host, by NBoard or GTP.

pub mod gtp;
mod host_game;
pub mod inbox;
pub mod nboard;
mod progress_writer;

use std::fmt;

use engine::Player;
use othello::{Board, Rules};

/// Message to a host whose player does not learn.
const HOW_TO_LEARN: &str = "a player learns with --engine emilia@book=FILE,book-learning=on";

/// A player as it is served to a host.
pub struct Served<B: Rules = Board> {
    /// The name that the host shows.
    pub name: String,
    /// The player; its own limits come before those of the host.
    pub player: Box<dyn Player<B>>,
    /// Whether it has levels. Other players take a level as a search depth, and have a default depth of their own.
    pub has_levels: bool,
    /// The sides of the boards that it can play on.
    pub sides: Vec<u8>,
}

impl<B: Rules> fmt::Debug for Served<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Served").field("name", &self.name).field("sides", &self.sides).finish_non_exhaustive()
    }
}

/// Reason why a session with a host has failed.
#[derive(Debug, thiserror::Error)]
pub enum ServingError {
    /// Nothing can be sent to the host.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The player has failed; the host has been informed.
    #[error(transparent)]
    Player(#[from] engine::PlayerError),
}
