//! `emilia match`: a match between two players.

use arena::{MatchSummary, Sprt};
use players::notation::PlayerNotation;

use crate::arguments::ContestOptions;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia match emilia@level=5 random --games 20
  emilia match emilia@time=10s emilia@time=2s --file odds.jsonl \\
      --records odds.ggf
        time odds of 5:1; every game is saved when it ends
  emilia match emilia 'gtp@name=grhino:/usr/games/gtp-rhino -l 5' --time 1m \\
      --concurrency 2
  emilia match NAME NAME --historical --games 20
        programs of papers, with the computing power of their time
  emilia match NAME random --board cs221
        on the board with cut sides
  emilia match 'emilia@level=8' 'nboard@dir=/opt/ntest,depth=8:./ntest x s8' \\
      --sprt=0,30

A player is NAME[@key=value,…][:COMMAND]: a name from `emilia engines`, or nboard:COMMAND or gtp:COMMAND for another \
program. Keys: name, level, depth, nodes, selectivity, time, increment, move-time, threads, hash, seed; for emilia also \
weights (a file, shipped or hand-made), for other programs dir and setup. A limit given with a player (emilia@level=5) replaces --level, \
--depth and --nodes for that player. --time still applies unless the player has time=, and --move-time unless it has \
time= or move-time=.

In a match, a player has no opening book unless its settings name one: emilia@book=shipped for the one that ships with the \
program, emilia@book=FILE, or NAME@book=on for the program with this name, if it has a book.

Every opening is played twice, with colors reversed. A player that makes an illegal move, exceeds its time, crashes or \
hangs loses that game. With --file, the same command resumes an interrupted match, and with a larger --games it extends \
a finished one. Ctrl-C stops the match and prints the results so far.";

/// Play a match between two players: results, disc difference, Elo difference with its error.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Match {
    /// The first player
    #[arg(value_name = "PLAYER")]
    first: PlayerNotation,

    /// The second player
    #[arg(value_name = "PLAYER")]
    second: PlayerNotation,

    #[command(flatten)]
    options: ContestOptions,

    /// Stop the match early, by a sequential test (SPRT) of whether the first player is ahead by ELO0 or by ELO1
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_pair, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,

    /// Probability that the test accepts ELO1 although ELO0 is true
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt", value_parser = error_probability)]
    alpha: f64,

    /// Probability that the test accepts ELO0 although ELO1 is true
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt", value_parser = error_probability)]
    beta: f64,
}

fn error_probability(text: &str) -> Result<f64, String> {
    let probability = text.parse().ok().filter(|&probability| probability > 0.0 && probability < 0.5);
    probability.ok_or_else(|| format!("not a probability above 0 and below 0.5: {text:?}"))
}

pub(crate) fn parse_pair(text: &str) -> Result<(f64, f64), String> {
    let numbers = text.split_once(',').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    numbers.ok_or_else(|| format!("{text:?} is not a pair of hypotheses; expected two numbers such as 0,10"))
}

impl Match {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        let sprt = self.sprt.map(|(elo0, elo1)| Sprt::new(elo0, elo1, self.alpha, self.beta));
        let sprt = sprt.transpose().map_err(UsageError::new)?;
        let stop = interrupt::flag()?;
        let players = [self.first.clone(), self.second.clone()];
        let played = self
            .options
            .play(environment.registry, &players, sprt, &stop, |standings| standings.tally(0, 1).state())?;
        let summary = MatchSummary::new(&played, sprt.as_ref());
        self.options.conclude(&played, &summary, &summary.text(), &summary.markdown())
    }
}
