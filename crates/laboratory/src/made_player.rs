//! Players that an experiment makes itself, for example with tables that it has just learned.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use arena::{Entrant, PlayerId};
use engine::Player;

/// Makes a player; the seed determines its random choices. The error is a sentence.
type Make = dyn Fn(u64) -> Result<Box<dyn Player>, String> + Send + Sync;

/// A player of a match that is made by a function.
#[derive(Clone)]
pub struct MadePlayer {
    make: Arc<Make>,
    /// Checksum of its parameters.
    checksum: u32,
}

impl MadePlayer {
    /// A player with the checksum of its parameters, and how it is made.
    pub fn new(checksum: u32, make: impl Fn(u64) -> Result<Box<dyn Player>, String> + Send + Sync + 'static) -> Self {
        Self { make: Arc::new(make), checksum }
    }
}

impl fmt::Debug for MadePlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MadePlayer").field("checksum", &self.checksum).finish_non_exhaustive()
    }
}

impl Entrant for MadePlayer {
    fn player(&self, seed: u64, _patience: Duration) -> Result<Box<dyn Player>, String> {
        (self.make)(seed)
    }

    fn id(&self) -> PlayerId {
        PlayerId::Learned { checksum: self.checksum, hash: 0 }
    }

    fn has_weak_levels(&self) -> bool {
        true
    }
}
