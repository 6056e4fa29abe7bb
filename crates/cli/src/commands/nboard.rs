//! `emilia nboard`: an engine for NBoard and other hosts that speak its protocol.

use protocols::serving::inbox::Inbox;
use protocols::serving::nboard::Session;

use crate::arguments::ServedArguments;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia nboard                             Emilia, at the depth set in the host
  emilia nboard --threads 4 --hash 1024     with more threads and memory
  emilia nboard --engine random             another player
  emilia nboard --engine \"gtp:/usr/games/gtp-rhino -l 5\"
                                            a GTP program for NBoard

From level 5 on, Emilia plays its first moves from the opening book that ships with it; --engine emilia@book=off \
switches it off.

docs/protocols.md explains how to add Emilia to a host.

When the input ends, a running search gets two more seconds, and then the program ends.";

/// Speak the NBoard protocol on standard input and output.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Nboard {
    #[command(flatten)]
    player: ServedArguments,
}

impl Nboard {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        let served = self.player.served(environment.registry)?;
        Ok(Session::new(Inbox::of_standard_input(), output::stdout(), served).run()?)
    }
}
