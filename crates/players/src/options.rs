//! Options of players: threads and tables, random seeds, and resources that the players of a process share.

use std::sync::Arc;
use std::time::Duration;

use engine::{Level, Options};
use search::HashTable;
use serde::{Deserialize, Serialize};

use crate::notation::PlayerNotation;
use crate::opening_book::OpeningBook;

/// Options of players that search with hash tables and threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchOptions {
    /// Number of search threads.
    pub threads: u16,
    /// Hash table size in MB.
    pub hash: u32,
}

impl SearchOptions {
    /// Default hash table size in MB.
    pub const DEFAULT_HASH: u32 = 256;
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { threads: 1, hash: Self::DEFAULT_HASH }
    }
}

/// Options of all players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PlayerOptions {
    /// Random seed.
    pub seed: u64,
    /// Options of players that search with hash tables and threads.
    pub search: SearchOptions,
    /// Level of a player that has levels, for moves without any limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_level: Option<Level>,
    /// Whether a player that has a book plays from it unless its settings decide: on for opponents of people, off for
    /// measurements.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub default_book: bool,
    /// Time limit for the start of an external program if it is longer than the default. Such programs run only here.
    #[serde(skip)]
    pub patience: Duration,
}

impl PlayerOptions {
    /// The default level of Emilia for a new user: it makes mistakes and never plays the same game twice.
    pub fn friendly_level() -> Option<Level> {
        Level::new(1).ok()
    }

    pub(crate) fn with_notation(&self, notation: &PlayerNotation) -> Self {
        let search = SearchOptions {
            threads: notation.threads.unwrap_or(self.search.threads),
            hash: notation.hash.unwrap_or(self.search.hash),
        };
        Self { seed: notation.seed.unwrap_or(self.seed), search, ..*self }
    }

    /// Options of a player that searches as Emilia does.
    pub fn engine(&self) -> Options {
        let Self { seed, search, default_level, .. } = *self;
        let (table_megabytes, threads) = (search.hash as usize, usize::from(search.threads));
        Options { table_megabytes, threads, default_level, seed }
    }
}

/// Resources that the players of a process share.
#[derive(Clone, Copy, Debug, Default)]
pub struct SharedResources<'a> {
    /// The [shared](HashTable::shared) hash table of Emilia on the 8x8 board, with the shipped weights.
    pub table: Option<&'a Arc<HashTable>>,
    /// The book of a player that has one where [`PlayerOptions::default_book`] is on, instead of the shipped one.
    pub book: Option<&'a OpeningBook>,
}
