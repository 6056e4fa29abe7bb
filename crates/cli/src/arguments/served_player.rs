//! Arguments of the commands that serve a host.

use players::{PlayerNotation, PlayerOptions, SearchOptions};
use protocols::serving::Served;

use crate::prelude::*;

/// The player that answers a host.
#[derive(Args)]
pub(crate) struct ServedArguments {
    /// The player: see `emilia engines` [default: emilia]
    #[arg(long, value_name = "PLAYER")]
    engine: Option<PlayerNotation>,

    /// Limit classic programs to their original computing budget
    #[arg(long, requires = "engine")]
    historical: bool,

    /// Random seed, for repeatable games
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = any_number)]
    seed: u64,

    /// Number of threads; a host may run several engines
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u16>(1..=256))]
    threads: u16,

    /// Hash table size in MB
    #[arg(long, value_name = "MB", default_value_t = SearchOptions::DEFAULT_HASH, value_parser = number(1..=u32::MAX))]
    hash: u32,
}

impl ServedArguments {
    pub(crate) fn served<B: PlayableBoard>(&self, registry: &Registry) -> Result<Served<B>> {
        let search = SearchOptions { threads: self.threads, hash: self.hash };
        let options = PlayerOptions { seed: self.seed, search, default_book: true, ..PlayerOptions::default() };
        let mut engine = self.engine.clone().unwrap_or_else(PlayerNotation::emilia);
        if self.historical {
            registry.make_historical::<B>(&mut [&mut engine])?;
        }
        Ok(registry.served_player(&engine, &options)?)
    }
}
