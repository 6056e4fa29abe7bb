//! What every command that searches can be told: threads and the size of the table.

use anyhow::Result;
use clap::Args;
use search::{Searcher, Table};

/// The size of the table unless another is asked for, in MB.
const USUAL_TABLE: u32 = 256;

/// One thread a core, for commands that spread work of their own.
pub fn one_thread_a_core() -> u16 {
    std::thread::available_parallelism().map_or(1, |count| count.get().min(256) as u16)
}

/// The options of a search.
#[derive(Args, Clone, Copy, Debug)]
pub struct SearchOptions {
    /// How many threads search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,

    /// The size of the transposition table, in MB
    #[arg(long, value_name = "MB", default_value_t = USUAL_TABLE, value_parser = clap::value_parser!(u32).range(1..))]
    pub hash: u32,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { threads: 1, hash: USUAL_TABLE }
    }
}

impl SearchOptions {
    /// A searcher with these options.
    pub fn searcher<E>(&self, evaluation: E) -> Result<Searcher<E>> {
        Ok(Searcher::new(evaluation, Table::new(self.hash as usize)?, usize::from(self.threads)))
    }
}
