//! `emilia book prune`: removes positions that do not matter.

use book::{Book, Pruned, Pruning};
use evaluation::Value;

use super::discs;
use super::progress::Progress;
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
    pub(crate) fn run(&self, registry: &Registry) -> Result<()> {
        require_file(registry, &self.book)?;
        let stop = interrupt::flag()?;
        let mut book = Book::open(&self.book)?;
        let pruning = Pruning { loss: self.loss, discs: self.discs, ..Pruning::default() };
        let all = book.snapshot()?.count()?;
        let mut progress = Progress::new(&stop);
        let Pruned { kept, removed } = book.prune(&pruning, &mut |done, all| progress.positions(done, Some(all)))?;
        let is_complete = kept + removed == all;
        if is_complete && removed > 0 {
            book.compact()?;
        }
        progress.clear();
        let mut out = output::stdout();
        if self.json {
            output::json_line(&mut out, &Summary { removed, kept: all - removed })?;
        } else {
            let kept = counted(all - removed, "position");
            writeln!(out, "{} removed, {} has {kept}", counted(removed, "position"), self.book.display())?;
        }
        out.flush()?;
        if is_complete { Ok(()) } else { Err(Interrupted.into()) }
    }
}
