//! Who takes part in a match: a name, limits, and the way to make the player.

use std::fmt;
use std::sync::Arc;

use engine::{Limits, Player};

/// Makes a player; the seed decides what the player leaves to chance. The error is a sentence.
pub type Maker = Arc<dyn Fn(u64) -> Result<Box<dyn Player>, String> + Send + Sync>;

/// A player as a match knows it.
#[derive(Clone)]
pub struct Contestant {
    /// What it is called in tables and records; no two in a match are called the same.
    pub name: String,
    /// All that makes it the player it is, in one text: two matches are the same only if these are.
    pub notation: String,
    /// What it may use for a move; the clock is what it has at the start of a game.
    pub limits: Limits,
    /// Decides what it leaves to chance, together with the number of the game; else the seed of the match.
    pub seed: Option<u64>,
    /// Whether it is kept from one game to the next, as a program that takes long to start: its choices by
    /// chance are then its own. Others are made anew for every game, so that no game depends on another.
    pub is_kept: bool,
    /// Makes one.
    pub make: Maker,
}

impl fmt::Debug for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contestant").field("name", &self.name).field("limits", &self.limits).finish_non_exhaustive()
    }
}
