//! Arguments of every command that searches: threads and the size of the hash table.

use players::SearchOptions;
use players::weights;
use search::{HashTable, Searcher};

use crate::arguments::searched_board;
use crate::prelude::*;

/// One thread per core, for commands that distribute their work themselves.
pub(crate) fn one_thread_per_core() -> u16 {
    std::thread::available_parallelism().map_or(1, |count| count.get().min(256) as u16)
}

/// The options of a search for which one person waits.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct SearchArguments {
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", default_value_t = one_thread_per_core(), hide_default_value = true, value_parser = number::<u16>(1..=256))]
    pub(crate) threads: u16,

    /// Hash table size in MB
    #[arg(long, value_name = "MB", default_value_t = SearchOptions::DEFAULT_HASH, value_parser = number(1..=u32::MAX))]
    pub(crate) hash: u32,
}

impl Default for SearchArguments {
    fn default() -> Self {
        Self { threads: one_thread_per_core(), hash: SearchOptions::DEFAULT_HASH }
    }
}

impl SearchArguments {
    pub(crate) fn options(&self) -> SearchOptions {
        SearchOptions { threads: self.threads, hash: self.hash }
    }

    pub(crate) fn searcher<E>(&self, evaluation: E) -> Result<Searcher<E>> {
        Ok(Searcher::new(evaluation, HashTable::new(self.hash as usize)?, usize::from(self.threads)))
    }
}

/// The board, the evaluation and the options of a search.
#[derive(Args, Clone, Debug)]
pub(crate) struct EvaluationArguments {
    /// The board: 8, 6 or 4
    #[arg(long, value_parser = searched_board(), hide_possible_values = true, default_value = "8", value_name = "BOARD")]
    pub(crate) board: BoardShape,

    /// The weights of the evaluation: a file, `shipped` or `hand-made`
    #[arg(long, value_name = "FILE", default_value = weights::SHIPPED)]
    pub(crate) weights: WeightsChoice,

    #[command(flatten)]
    pub(crate) search: SearchArguments,
}
