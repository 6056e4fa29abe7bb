//! `emilia tournament`: a round robin of several players, with a rating list.

use arena::{Standings, TournamentSummary};
use players::notation::PlayerNotation;

use crate::arguments::ContestOptions;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia tournament random emilia@level=0 emilia@level=1 --games 20
  emilia tournament emilia@level=1 emilia@level=5 \\
      'gtp@name=grhino:/usr/games/gtp-rhino -l 3' --games 40 --concurrency 2 \\
      --file ratings.jsonl --records ratings.ggf
  emilia tournament NAME@depth=2 NAME@depth=4 random --board cs221 --games 20
        on the board with cut sides

Players are written as for `emilia match`; its help explains the rules, which are the same.";

/// Play a round robin between several players: a rating list with error bars, and a table of all results.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Tournament {
    /// Two or more players
    #[arg(value_name = "PLAYER", required = true, num_args = 2..)]
    players: Vec<PlayerNotation>,

    #[command(flatten)]
    options: ContestOptions,
}

impl Tournament {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        let stop = interrupt::flag()?;
        let played = self.options.play(environment.registry, &self.players, None, &stop, leader(&self.players))?;
        let summary = TournamentSummary::new(&played);
        self.options.conclude(&played, &summary, &summary.text(), &summary.markdown())
    }
}

fn leader(players: &[PlayerNotation]) -> impl Fn(&Standings) -> String {
    let names: Vec<String> = players.iter().map(PlayerNotation::label).collect();
    move |standings| {
        let share = |player: usize| {
            let tally = standings.tally_of(player);
            if tally.games() == 0 { 0.0 } else { tally.points() / tally.games() as f64 }
        };
        let best = (0..names.len()).max_by(|&a, &b| share(a).total_cmp(&share(b)));
        best.map_or(String::new(), |best| format!("{} leads with {:.0}%", names[best], 100.0 * share(best)))
    }
}
