//! `emilia book prune`: removes positions that do not matter.

use book::{Book, Pruned, Pruning};
use evaluation::Value;

use super::discs;
use crate::arguments::require_file;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia book prune my.book               what cannot be reached from the start
  emilia book prune my.book --loss 6      lines in which the players give away
                                          more than 6 discs together
  emilia book prune my.book --discs 30    positions with more than 30 discs

The values of positions that stay do not change: what is removed is still known as the value of the leaf before it.";

/// Remove positions from a book that cannot be reached, or not without mistakes.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Prune {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Loss in discs: keep only positions on the way to which both sides together give away at most this many
    #[arg(long, value_name = "DISCS", value_parser = discs)]
    loss: Option<Value>,

    /// Keep only positions with at most N discs
    #[arg(long, value_name = "N", value_parser = number::<u8>(4..=64))]
    discs: Option<u8>,

    /// Print JSON: one object, the summary
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary {
    /// Number of positions removed.
    removed: u64,
    /// Number of positions kept.
    kept: u64,
}

impl Prune {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        require_file(environment.registry, &self.book)?;
        let stop = interrupt::flag()?;
        let mut book = Book::open(&self.book)?;
        let pruning = Pruning { loss: self.loss, discs: self.discs, ..Pruning::default() };
        let all = book.snapshot()?.count()?;
        let mut progress = Progress::new();
        let Pruned { kept, removed } = book.prune(&pruning, &mut |done, all| progress.positions(done, all, &stop))?;
        let is_complete = kept + removed == all;
        if is_complete && removed > 0 {
            book.compact()?;
        }
        progress.clear();
        let kept = all - removed;
        output::row(&mut output::stdout(), self.json, &Summary { removed, kept }, || {
            let [removed, kept] = [removed, kept].map(|count| counted(count, "position"));
            format!("{removed} removed, {} has {kept}", self.book.display())
        })?;
        if is_complete { Ok(()) } else { Err(Interrupted.into()) }
    }
}
