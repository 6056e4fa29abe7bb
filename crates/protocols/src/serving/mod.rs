//! A player that answers a host, by NBoard or GTP.

pub mod gtp;
mod host_game;
pub mod inbox;
pub mod nboard;

use std::fmt;
use std::io::{self, Write};

use engine::{Player, Stop};
use othello::{Board, Position, Rules, Square};

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

/// The moves of a line, with `None` for forced passes.
fn with_passes<B: Rules>(line: &[Square], mut position: Position<B>) -> Vec<Option<Square>> {
    let mut plies = Vec::new();
    for &square in line {
        if position.board.must_pass() {
            plies.push(None);
            position = position.pass();
        }
        plies.push(Some(square));
        let Some(after) = position.play(square) else { break };
        position = after;
    }
    plies
}

/// Reason why a session with a host has failed.
#[derive(Debug, thiserror::Error)]
pub enum ServingError {
    /// Nothing can be sent to the host.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The player has failed; the host has been informed.
    #[error(transparent)]
    Player(#[from] engine::PlayerError),
}

/// Writes lines during a search, and stops the search when they cannot be written.
struct ProgressWriter<'a, W> {
    out: &'a mut W,
    stop: &'a Stop,
    result: io::Result<()>,
}

impl<'a, W: Write> ProgressWriter<'a, W> {
    fn new(out: &'a mut W, stop: &'a Stop) -> Self {
        Self { out, stop, result: Ok(()) }
    }

    fn say(&mut self, line: &str) {
        if self.result.is_ok() {
            self.result = writeln!(self.out, "{line}").and_then(|()| self.out.flush());
            if self.result.is_err() {
                self.stop.set();
            }
        }
    }

    /// Whether everything was written.
    fn finish(self) -> io::Result<()> {
        self.result
    }
}
