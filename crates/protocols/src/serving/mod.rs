//! A player that answers a host, by NBoard or GTP.

pub mod gtp;
mod host_game;
pub mod inbox;
pub mod nboard;
mod speaker;

use std::fmt;

use engine::Player;
use othello::{Board, Rules};

/// A player as a host gets to know it.
pub struct Served<B: Rules = Board> {
    /// What it is called.
    pub name: String,
    /// The player, whose own limits go before those of the host; it knows nothing of the host.
    pub player: Box<dyn Player<B>>,
    /// Whether it can be asked to play at a level. Others take a level for a depth, and know by themselves how far to
    /// look.
    pub has_levels: bool,
    /// The sides of the boards that it can play on.
    pub sides: Vec<u8>,
}

impl<B: Rules> fmt::Debug for Served<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Served").field("name", &self.name).field("sides", &self.sides).finish_non_exhaustive()
    }
}

/// Why a host is served no longer.
#[derive(Debug, thiserror::Error)]
pub enum ServingError {
    /// Nobody can be told anything any more.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The player cannot answer any more; the host has been told.
    #[error(transparent)]
    Player(#[from] engine::PlayerError),
}
