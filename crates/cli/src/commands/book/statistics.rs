//! `emilia book statistics`: what is in a book, counted.

use crate::arguments::book_to_read_all;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia book statistics my.book
  emilia book statistics my.book --json

Exact positions have a proven value; open ones wait for a search of their moves outside of the book. The depth is that of \
the search behind the leaf of a position.";

/// Count the positions of a book, by their discs and by the searches behind them.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Statistics {
    /// The book: a file, or `shipped`, `keyano` or `logistello` for one that ships with the program
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Print JSON: one object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary {
    /// Number of positions.
    positions: u64,
    /// Number of positions with an exact value.
    exact: u64,
    /// Number of positions whose value was proven by a search of their own.
    solved: u64,
    /// Number of positions whose value is only an upper bound.
    open: u64,
    /// Number of games counted.
    games: u32,
    /// Size of the file.
    bytes: Option<u64>,
    /// The same by number of discs.
    by_discs: Vec<DiscRow>,
    /// The positions by the search behind them.
    by_search: Vec<SearchRow>,
    /// Number of positions whose moves are all in the book, with no search behind them.
    covered: u64,
}

#[derive(Serialize)]
struct DiscRow {
    /// Number of discs.
    discs: u8,
    /// Number of positions.
    positions: u64,
    /// Number of positions with an exact value.
    exact: u64,
    /// Number of positions whose value is only an upper bound.
    open: u64,
    /// Number of positions with a leaf.
    leaves: u64,
}

#[derive(Serialize)]
struct SearchRow {
    /// Depth of the search.
    depth: u8,
    /// Its selectivity in percent.
    selectivity: u8,
    /// Number of positions.
    positions: u64,
}

impl Statistics {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        let stop = interrupt::flag()?;
        let snapshot = book_to_read_all(environment.registry, &self.book)?.into_snapshot()?;
        let all = snapshot.count()?;
        let mut progress = Progress::new();
        let found = snapshot.statistics(&mut |done| progress.positions(done, all, &stop))?;
        progress.clear();
        interrupt::check(&stop)?;
        let book::Statistics { positions, by_discs, by_effort, solved, exact, open, games, file_bytes: bytes, covered } =
            found;
        let by_discs = by_discs.into_iter().map(|(discs, row)| {
            let book::DiscStatistics { positions, exact, open, leaves } = row;
            DiscRow { discs, positions, exact, open, leaves }
        });
        let by_search = by_effort.into_iter().rev();
        let by_search = by_search.map(|((depth, selectivity), positions)| SearchRow { depth, selectivity, positions });
        let (by_discs, by_search) = (by_discs.collect(), by_search.collect());
        let summary = Summary { positions, exact, solved, open, games, bytes, by_discs, by_search, covered };
        output::print(self.json, &summary, |out| print(&summary, out))
    }
}

fn print(summary: &Summary, out: &mut impl Write) -> Result<()> {
    let bytes = summary.bytes.map_or(String::new(), |bytes| format!(" in {} bytes", grouped(bytes)));
    writeln!(out, "{}{bytes}", counted(summary.positions, "position"))?;
    let Summary { exact, solved, open, games, .. } = *summary;
    writeln!(out, "{} exact, {} of them solved by a search, {} open", grouped(exact), grouped(solved), grouped(open))?;
    writeln!(out, "{} counted", counted(games.into(), "game"))?;
    if summary.positions == 0 {
        return Ok(());
    }
    writeln!(out, "\ndiscs  positions      exact       open     leaves")?;
    for DiscRow { discs, positions, exact, open, leaves } in &summary.by_discs {
        let [positions, exact, open, leaves] = [positions, exact, open, leaves].map(|&count| grouped(count));
        writeln!(out, "{discs:>5} {positions:>10} {exact:>10} {open:>10} {leaves:>10}")?;
    }
    writeln!(out, "\n   depth  positions")?;
    for SearchRow { depth, selectivity, positions } in &summary.by_search {
        writeln!(out, "{:>8} {:>10}", format!("{depth}@{selectivity}%"), grouped(*positions))?;
    }
    if summary.covered > 0 {
        writeln!(out, "{:>8} {:>10}  (all moves are in the book)", "", grouped(summary.covered))?;
    }
    Ok(())
}
