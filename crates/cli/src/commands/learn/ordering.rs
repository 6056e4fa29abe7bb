//! `emilia learn ordering`: the small pattern set that orders moves in the endgame.

use evaluation::OrderingSet;
use learning::ordering_fit::OrderingFit;

use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia learn ordering --output data/ordering.bin

Games are played down to 13 empty squares; from there, one side plays at random and the other leaves few replies. All moves of the resulting positions are \
solved, and the weights are fitted to the differences between them. The file is compiled into the program.";

/// Fit the small pattern set for move ordering in the endgame
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Ordering {
    /// Output file
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Number of games; four positions of each are used
    #[arg(long, value_name = "N", default_value_t = 25_000, value_parser = number(1..=u64::MAX))]
    games: u64,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    seed: u64,

    /// Number of threads; the weights do not depend on it [default: one per core]
    #[arg(long, value_name = "N", default_value_t = one_thread_per_core(), hide_default_value = true, value_parser = number::<u16>(1..=256))]
    threads: u16,
}

impl Ordering {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        whole_file::check_replaceable(&self.output, b"EMILIAOR", "ordering set")?;
        let fit = OrderingFit { games: self.games, seed: self.seed, threads: usize::from(self.threads) };
        let mut progress = Progress::new();
        let found = fit.run(|what, count| progress.show(|_| format!("{} {what}", grouped(count))));
        progress.clear();
        let share = |count: u64| 100.0 * count as f64 / found.held_out.max(1) as f64;
        writeln!(
            output::stdout(),
            "{} learned, {} held out: a best move is ordered first in {:.1}% by replies alone, in {:.1}% with the set",
            counted(found.positions, "position"),
            grouped(found.held_out),
            share(found.by_replies),
            share(found.by_set)
        )?;
        Ok(whole_file::replace(&self.output, &OrderingSet::bytes_of(&found.weights))?)
    }
}
