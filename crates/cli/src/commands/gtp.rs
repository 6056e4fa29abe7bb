//! `emilia gtp`: an engine for hosts that speak the Go Text Protocol.

use protocols::serving::gtp::{Ending, Session, Settings};
use protocols::serving::inbox::Inbox;

use crate::arguments::ServedArguments;
use crate::defaults;
use crate::prelude::*;

/// The default level if the host sets neither a clock nor a level: a good answer in about a second.
const DEFAULT_LEVEL: Level = Level::clamped(14);

const EXAMPLES: &str = "\
Examples:
  emilia gtp                            Emilia, with the clock of the host
  emilia gtp --level 21 --threads 4     stronger if the host sets no clock
  emilia gtp --engine random            another player
  emilia gtp --engine \"nboard@depth=10,dir=/opt/ntest:./ntest x s10\"
                                        an NBoard program for a GTP host

From level 5 on, Emilia plays its first moves from the opening book that ships with it; --engine emilia@book=off \
switches it off.

docs/protocols.md explains the command emilia-analyze and how to add Emilia to a host.

When the input ends, a running search gets two more seconds, and then the program ends.";

/// Speak the Go Text Protocol on standard input and output.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Gtp {
    #[command(flatten)]
    player: ServedArguments,

    /// Search level, 0 to 60, if the host sets no clock; below 5 also half levels such as 2.5; for classic programs,
    /// the search depth [default: 14; classic programs as in their papers]
    #[arg(long, value_name = "N")]
    level: Option<Level>,
}

impl Gtp {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        let inbox = Inbox::of_standard_input();
        let (mut board, mut settings) = (BoardShape::Eight, Settings::default());
        loop {
            let ending = with_board!(board, B => self.run_on::<B>(environment.registry, &inbox, settings))?;
            let Ending::OtherBoard(side, kept) = ending else { return Ok(()) };
            settings = kept;
            board = match side {
                4 => BoardShape::Four,
                6 => BoardShape::Six,
                10 => BoardShape::Cut,
                _ => BoardShape::Eight,
            };
        }
    }

    fn run_on<B: PlayableBoard>(&self, registry: &Registry, inbox: &Inbox, settings: Settings) -> Result<Ending> {
        let served = self.player.served::<B>(registry)?;
        let default_level = served.has_levels.then(|| defaults::level().unwrap_or(DEFAULT_LEVEL));
        let limits = Limits { level: self.level.or(default_level), ..Limits::default() };
        Ok(Session::new(inbox, &mut output::stdout(), served, limits, settings).run()?)
    }
}
