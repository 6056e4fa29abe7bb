//! How positions are searched that enter a book.

use anyhow::Result;
use book::{EngineSearch, LeafSearch};
use clap::Args;
use engine::{Level, Stop};
use othello::Board;
use players::notation;
use players::weights::{self, WeightsChoice, with_evaluation};
use search::{Iteration, Selectivity, Table};

use crate::arguments::search_options::one_thread_per_core;

/// The default level: less than a second for most positions.
const USUAL_LEVEL: Level = Level::clamped(16);

/// The default hash table size in MB: the table is cleared before every search.
const USUAL_HASH: u32 = 16;

/// The options of the searches behind a book.
#[derive(Args)]
pub struct BookSearchOptions {
    /// Search level, 5 to 60 [default: 16 if no depth is given]
    #[arg(long, value_name = "N", value_parser = serious_level, conflicts_with_all = ["depth", "selectivity"])]
    level: Option<Level>,

    /// Search depth in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,

    /// Confidence in percent at which branches are pruned: 73, 87, 95, 98, 99 or 100 (no pruning) [default: 73]
    #[arg(long, value_name = "PERCENT", value_parser = notation::selectivity, requires = "depth")]
    selectivity: Option<u32>,

    /// Solve positions with at most N empty squares exactly [default: what the level solves, or the depth]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=60))]
    exact: Option<u32>,

    /// The weights of the evaluation: a file, `shipped` or `hand-made`
    #[arg(long, value_name = "FILE", default_value = weights::SHIPPED)]
    weights: WeightsChoice,

    /// Number of positions that are searched at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Hash table size of each search in MB
    #[arg(long, value_name = "MB", default_value_t = USUAL_HASH, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
}

fn serious_level(text: &str) -> Result<Level, String> {
    let level: Level = text.parse().map_err(|error: engine::LevelError| error.to_string())?;
    if level.is_weak() { Err(format!("level {level} plays mistakes (valid: 5 to 60)")) } else { Ok(level) }
}

impl BookSearchOptions {
    /// Those of commands that have none.
    pub fn usual() -> Self {
        Self {
            level: None,
            depth: None,
            selectivity: None,
            exact: None,
            weights: WeightsChoice::default(),
            threads: None,
            hash: USUAL_HASH,
        }
    }

    /// What is searched before the end is near, and the number of empty squares from which positions are solved.
    fn depths(&self) -> (Iteration, u32) {
        let (midgame, solved) = match self.depth {
            Some(depth) => {
                let percent = self.selectivity.and_then(|percent| u8::try_from(percent).ok());
                let selectivity = percent.map_or(Selectivity::LOWEST, Selectivity::from_percent);
                (Iteration { depth, selectivity }, depth)
            }
            None => {
                let level = self.level.unwrap_or(USUAL_LEVEL);
                (level.midgame(), level.end(Selectivity::EXACT))
            }
        };
        (midgame, self.exact.unwrap_or(solved))
    }

    /// The search, which the flag stops.
    pub fn search(&self, stop: &Stop) -> Result<Box<dyn LeafSearch>> {
        let (midgame, solve_from) = self.depths();
        let threads = usize::from(self.threads.unwrap_or_else(one_thread_per_core));
        let tables = (0..threads).map(|_| Table::new(self.hash as usize)).collect::<Result<_, _>>()?;
        Ok(with_evaluation!(self.weights.evaluation::<Board>()?, evaluation => {
            Box::new(EngineSearch::new(evaluation, tables, midgame, solve_from, stop.clone()))
        }))
    }
}
