//! `emilia book check`: checks everything in a book.

use super::progress::Progress;
use crate::arguments::book_to_read_all;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia book check my.book
  emilia book check shipped

Checked are the checksums of everything in the file that is in use, and of every position: that its value is that of its best move or of its leaf, that the leaf is a legal move out of \
the book, that each of its moves knows it as a parent, and that the list of positions that wait for a search is right. If \
something is wrong, it is listed on standard error, and the exit code is 1.";

/// Check that every value in a book follows from its moves.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// The book: a file, or `shipped`, `keyano` or `logistello` for one that ships with the program
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Print JSON: one object, the result
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary {
    /// Number of positions.
    positions: u64,
    /// Number of moves between them.
    links: u64,
    /// Number of positions that several others lead to.
    transpositions: u64,
    /// Number of passes between positions.
    passes: u64,
    /// Number of positions whose value is only an upper bound.
    open: u64,
    /// Number of faults.
    faults: u64,
}

/// Maximum number of faults that are listed.
const LISTED: usize = 20;

impl Check {
    pub(crate) fn run(&self, registry: &Registry) -> Result<()> {
        let stop = interrupt::flag()?;
        let book = book_to_read_all(registry, &self.book)?;
        let snapshot = book.snapshot()?;
        let all = snapshot.count()?;
        let mut progress = Progress::new(&stop);
        let check = snapshot.check(&mut |done| progress.positions(done, Some(all)))?;
        progress.clear();
        interrupt::check(&stop)?;
        for fault in check.faults.iter().take(LISTED) {
            output::warn(fault);
        }
        let book::Check { positions, links, transpositions, passes, open, fault_count, .. } = check;
        let mut out = output::stdout();
        if self.json {
            let faults = fault_count;
            output::json_line(&mut out, &Summary { positions, links, transpositions, passes, open, faults })?;
        } else {
            writeln!(
                out,
                "{}, {} between them, {}, {} after a move",
                counted(positions, "position"),
                counted(links, "move"),
                counted(transpositions, "transposition"),
                match passes {
                    1 => "1 pass".to_owned(),
                    passes => format!("{} passes", grouped(passes)),
                }
            )?;
            if open > 0 {
                writeln!(out, "{} to search: emilia book extend does it first", counted(open, "open position"))?;
            }
            if fault_count == 0 {
                writeln!(out, "everything is right")?;
            }
        }
        out.flush()?;
        if fault_count > 0 {
            bail!("{}: {} found", self.book.display(), counted(fault_count, "fault"));
        }
        Ok(())
    }
}
