//! Options of the searches of positions that enter a book, and their program.

use book::LeafSearch;
use players::leaf_job::LeafSearcher;
use players::notation::{self, Engine};
use players::program_book::{BookSearchSettings, ProgramBook};
use search::{Iteration, Selectivity};

use crate::prelude::*;

/// The default level: less than a second for most positions.
const DEFAULT_LEVEL: Level = Level::clamped(16);

/// The default hash table size in MB: the table is cleared before every search.
const DEFAULT_HASH: u32 = 16;

/// The options of the searches behind a book.
#[derive(Args, Default)]
pub(crate) struct BookSearchOptions {
    /// The program that searches: `emilia`, `keyano` or `logistello`. A book should have the values of one program only
    #[arg(long, value_name = "NAME", default_value = Engine::EMILIA)]
    program: String,

    /// Search level, 5 to 60, of Emilia [default: 16 if no depth is given]
    #[arg(long, value_name = "N", value_parser = serious_level, conflicts_with_all = ["depth", "selectivity"])]
    level: Option<Level>,

    /// Search depth in plies [default for classic programs: 12, for KEYANO the mean of 11 and 12]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=60))]
    depth: Option<u32>,

    /// Confidence in percent at which branches are pruned: 73, 87, 95, 98, 99 or 100 (no pruning) [default: 73, for
    /// KEYANO 100]. Classic programs have one confidence of their own: anything below 100 stands for it
    #[arg(long, value_name = "PERCENT", value_parser = notation::selectivity, requires = "depth")]
    selectivity: Option<u32>,

    /// Solve positions with at most N empty squares exactly [default: what the level solves, or the depth]
    #[arg(long, value_name = "N", value_parser = number::<u32>(0..=60))]
    exact: Option<u32>,

    /// The weights of the evaluation, for Emilia: a file, `shipped` or `hand-made` [default: shipped]
    #[arg(long, value_name = "FILE")]
    weights: Option<WeightsChoice>,

    /// Number of threads, each with a position [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=256))]
    threads: Option<u16>,

    #[command(flatten)]
    farm: FarmOptions,

    /// Hash table size in MB (for each search); KEYANO's table has the size of its paper [default: 16]
    #[arg(long, value_name = "MB", value_parser = number(1..=u32::MAX))]
    hash: Option<u32>,
}

fn serious_level(text: &str) -> Result<Level, String> {
    let level: Level = text.parse().map_err(|error: engine::LevelError| error.to_string())?;
    if level.is_weak() { Err(format!("level {level} plays mistakes; expected 5 to 60")) } else { Ok(level) }
}

impl BookSearchOptions {
    pub(crate) fn with_defaults() -> Self {
        Self { program: Engine::EMILIA.to_owned(), ..Self::default() }
    }

    /// The search before the end is near, and the number of empty squares from which positions are solved.
    fn depths(&self) -> (Iteration, u32) {
        let (midgame, solved) = match self.depth {
            Some(depth) => (Iteration { depth, selectivity: self.selectivity().unwrap_or(Selectivity::LOWEST) }, depth),
            None => {
                let level = self.level.unwrap_or(DEFAULT_LEVEL);
                (level.midgame(), level.end(Selectivity::EXACT))
            }
        };
        (midgame, self.exact.unwrap_or(solved))
    }

    fn selectivity(&self) -> Option<Selectivity> {
        self.selectivity.and_then(|percent| u8::try_from(percent).ok()).map(Selectivity::from_percent)
    }

    pub(crate) fn search(&self, registry: &Registry, stop: &Stop) -> Result<Box<dyn LeafSearch>> {
        let threads = usize::from(self.threads.unwrap_or_else(one_thread_per_core));
        let searcher = self.searcher(registry)?;
        if !self.farm.is_given() {
            return Ok(searcher.search(threads, stop)?);
        }
        // Options that no worker could use are refused here.
        searcher.search(1, stop)?;
        Ok(Box::new(searcher.search_by(self.farm.executor(threads)?, stop, |error| output::warn(&error))))
    }

    fn searcher(&self, registry: &Registry) -> Result<LeafSearcher> {
        let hash = self.hash.unwrap_or(DEFAULT_HASH) as usize;
        if let Some(program) = self.program(registry)? {
            self.refuse_options_of_emilia(program)?;
            let Self { depth, exact, .. } = *self;
            let settings = BookSearchSettings { depth, selectivity: self.selectivity(), exact, threads: 1, hash };
            return Ok(LeafSearcher::Program(program, settings));
        }
        let (midgame, solve_from) = self.depths();
        let weights = self.weights.clone().unwrap_or_default();
        Ok(LeafSearcher::Emilia { midgame, solve_from, weights, hash })
    }

    /// The book of the program that searches, if it is not Emilia.
    fn program(&self, registry: &Registry) -> Result<Option<&'static ProgramBook>> {
        let found = registry.book(&self.program);
        if self.program == Engine::EMILIA || found.is_some() {
            return Ok(found.filter(|_| self.program != Engine::EMILIA));
        }
        let mut known = vec![Engine::EMILIA];
        known.extend(registry.books().map(|book| book.name));
        let last = known.pop().unwrap_or_default();
        bail_usage!("--program: unknown value: {:?}; expected {} or {last}", self.program, known.join(", "))
    }

    fn refuse_options_of_emilia(&self, program: &ProgramBook) -> Result<()> {
        ensure_usage!(self.level.is_none(), "--level is only for emilia; expected --depth");
        ensure_usage!(self.weights.is_none(), "--weights is only for emilia");
        if self.hash.is_some() && program.has_table_of_paper() {
            bail_usage!("--hash is not for {}: its table has the size of its paper", program.name);
        }
        Ok(())
    }
}
