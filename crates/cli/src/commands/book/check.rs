//! `emilia book check`: checks everything in a book.

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

const LISTED: usize = 20;

impl Check {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        let stop = interrupt::flag()?;
        let book = book_to_read_all(environment.registry, &self.book)?;
        let snapshot = book.snapshot()?;
        let all = snapshot.count()?;
        let mut progress = Progress::new();
        let check = snapshot.check(&mut |done| progress.positions(done, all, &stop))?;
        progress.clear();
        interrupt::check(&stop)?;
        for fault in check.faults.iter().take(LISTED) {
            output::warn(fault);
        }
        let book::Check { positions, links, transpositions, passes, open, fault_count: faults, .. } = check;
        let summary = Summary { positions, links, transpositions, passes, open, faults };
        output::print(self.json, &summary, |out| {
            let links = counted(links, "move");
            let passes = if passes == 1 { "1 pass".to_owned() } else { format!("{} passes", grouped(passes)) };
            write!(out, "{}, {links} between them, ", counted(positions, "position"))?;
            writeln!(out, "{}, {passes} after a move", counted(transpositions, "transposition"))?;
            if open > 0 {
                writeln!(out, "{} to search: emilia book extend does it first", counted(open, "open position"))?;
            }
            if faults == 0 {
                writeln!(out, "everything is right")?;
            }
            Ok(())
        })?;
        ensure!(faults == 0, "{}: {} found", self.book.display(), counted(faults, "fault"));
        Ok(())
    }
}
