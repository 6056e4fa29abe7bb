//! Players with weights in memory: for matches between the generations of a learning cycle.

use std::sync::Arc;

use engine::RandomPlayer;
use engine::{Emilia, Options, Player};
use evaluation::Learned;
use evaluation::weights::Weights;
use storage::checksum::crc32;

use crate::contestant::Entrant;
use crate::terms::PlayerId;

/// The player of a generation.
#[derive(Clone, Debug)]
pub enum LearnedEntrant {
    /// Random moves, before anything has been learned.
    Random,
    /// Emilia with these weights, one thread and a hash table of this size.
    Emilia {
        /// The evaluation; its tables are large and shared by all games.
        learned: Arc<Learned>,
        /// The CRC-32 of the weight file, which identifies the weights.
        checksum: u32,
        /// The size of the hash table in MB.
        hash: u32,
    },
}

impl LearnedEntrant {
    /// Emilia with these weights.
    pub fn new(weights: &Weights, hash: u32) -> Self {
        Self::Emilia { learned: Arc::new(Learned::new(weights)), checksum: crc32(&weights.to_bytes()), hash }
    }
}

impl Entrant for LearnedEntrant {
    fn player(&self, seed: u64) -> Result<Box<dyn Player>, String> {
        match self {
            Self::Random => Ok(Box::new(RandomPlayer::new(seed))),
            Self::Emilia { learned, hash, .. } => {
                let options = Options { table_megabytes: *hash as usize, threads: 1, default_level: None, seed };
                let player = Emilia::with_evaluation(Arc::clone(learned), &options);
                player.map(|player| Box::new(player) as Box<dyn Player>).map_err(|error| error.to_string())
            }
        }
    }

    fn id(&self) -> PlayerId {
        match *self {
            Self::Random => PlayerId::Random,
            Self::Emilia { checksum, hash, .. } => PlayerId::Learned { checksum, hash },
        }
    }
}
