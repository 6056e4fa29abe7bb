//! `emilia nboard`: an engine for NBoard and other hosts that speak its protocol.

use anyhow::Result;
use clap::Args;
use othello::Board;
use players::notation::PlayerNotation;
use players::registry::{self, PlayerOptions};
use protocols::serving::inbox::Inbox;
use protocols::serving::nboard::Session;

use crate::arguments::search_options::SearchArguments;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  emilia nboard                             Emilia, as strong as the host says
  emilia nboard --threads 4 --hash 1024     with more of the machine
  emilia nboard --engine minimum-disc       another player
  emilia nboard --engine \"gtp:/usr/games/gtp-rhino -l 5\"
                                            a GTP program, made known to NBoard

docs/protocols.md says how a host is told about it.";

/// Speak the NBoard protocol on standard input and output.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Nboard {
    /// Who plays; see `emilia engines` [default: emilia]
    #[arg(long, value_name = "PLAYER")]
    engine: Option<PlayerNotation>,

    /// A program of the literature thinks with the budget of its time, as its paper describes
    #[arg(long, requires = "engine")]
    historical: bool,

    /// Decides what players leave to chance
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    search: SearchArguments,
}

impl Nboard {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        let options = PlayerOptions { seed: self.seed, search: self.search.options(), usual_level: None };
        let mut engine = self.engine.clone().unwrap_or_else(PlayerNotation::emilia);
        if self.historical {
            registry::make_historical::<Board>(&mut [&mut engine])?;
        }
        let served = registry::served_player(&engine, &options)?;
        Ok(Session::new(Inbox::of_standard_input(), output::stdout(), served).run()?)
    }
}
