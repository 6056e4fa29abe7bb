//! Arguments of the commands that serve a host.

use anyhow::Result;
use clap::Args;
use players::{PlayableBoard, PlayerNotation, PlayerOptions, registry};
use protocols::serving::Served;

use crate::arguments::number::any_number;
use crate::arguments::search_options::SearchArguments;

/// The player that answers a host.
#[derive(Args)]
pub struct ServedArguments {
    /// The player, from `emilia engines` [default: emilia]
    #[arg(long, value_name = "PLAYER")]
    engine: Option<PlayerNotation>,

    /// Limit a classic program to its original computing budget
    #[arg(long, requires = "engine")]
    historical: bool,

    /// Random seed, for repeatable games
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = any_number)]
    seed: u64,

    #[command(flatten)]
    search: SearchArguments,
}

impl ServedArguments {
    /// The player for a board.
    pub fn served<B: PlayableBoard>(&self) -> Result<Served<B>> {
        let options = PlayerOptions {
            seed: self.seed,
            search: self.search.options(),
            usual_book: true,
            ..PlayerOptions::default()
        };
        let mut engine = self.engine.clone().unwrap_or_else(PlayerNotation::emilia);
        if self.historical {
            registry::make_historical::<B>(&mut [&mut engine])?;
        }
        Ok(registry::served_player(&engine, &options)?)
    }
}
