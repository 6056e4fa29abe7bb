//! `emilia nboard`: an engine for NBoard and other hosts that speak its protocol.

use anyhow::Result;
use clap::Args;
use protocols::serving::inbox::Inbox;
use protocols::serving::nboard::Session;

use crate::arguments::served_player::ServedArguments;
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
    #[command(flatten)]
    player: ServedArguments,
}

impl Nboard {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        let served = self.player.served()?;
        Ok(Session::new(Inbox::of_standard_input(), output::stdout(), served).run()?)
    }
}
