//! `emilia book extend`: adds the positions that matter most.

use book::planning::{Plan, Step};
use book::{Book, LeafSearch};

use super::name_of;
use super::plan_options::PlanOptions;
use super::search_options::BookSearchOptions;
use crate::arguments::require_file;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia book extend my.book --error 1 --total-error 3
        moves that give away at most one disc, and lines within three
  emilia book extend my.book --by expected-loss --positions 50000 --level 20
        the lines that are played most often
  emilia book extend my.book --position tiger --duration 8h
        one opening, overnight

Several positions of the plan are searched at the same time, up to 32 in a large book, and are on the disk before the \
next ones are searched. Ctrl-C stops the search; the same command resumes, because the plan follows from the book.";

/// Extend a book: add positions within an error of best play, or those that are played most often.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Extend {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    #[command(flatten)]
    plan: PlanOptions,

    #[command(flatten)]
    search: BookSearchOptions,

    /// Print JSON: one object whenever a position was added, and at the end
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
struct Row {
    /// Positions added by this command.
    added: u64,
    /// Positions of the book.
    positions: u64,
    /// Candidates of the plan that wait.
    waiting: u64,
}

impl Extend {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        require_file(environment.registry, &self.book)?;
        let plan = self.plan.plan()?;
        let stop = interrupt::flag()?;
        let mut search = self.search.search(environment.registry, &stop)?;
        let mut book = Book::open(&self.book)?;
        follow(&mut book, &plan, &self.plan, search.as_mut(), self.json, &stop)
    }
}

/// Extends a book by a plan, shows its progress, and prints a summary at the end.
pub(crate) fn follow(
    book: &mut Book,
    plan: &Plan,
    goal: &PlanOptions,
    search: &mut dyn LeafSearch,
    json: bool,
    stop: &Stop,
) -> Result<()> {
    let mut progress = Progress::new();
    let mut out = output::stdout();
    let mut shown = Ok(());
    let before = book.snapshot()?.count()?;
    let mut waiting = 0;
    let mut last_row: Option<Row> = None;
    progress.show(|_| "searching".to_owned());
    let extended = book.extend(plan, goal.positions.unwrap_or(u64::MAX), search, &mut |step: &Step| {
        let Step { candidate, added, positions, .. } = *step;
        waiting = step.waiting;
        // The positions added before this step are on the disk.
        if json && added > last_row.map_or(0, |row| row.added) && shown.is_ok() {
            let row = Row { added, positions, waiting };
            last_row = Some(row);
            shown = output::json_row(&mut out, &row);
        }
        progress.show(|progress| {
            let left = match goal.positions {
                Some(goal) => progress.left(added, goal.saturating_sub(before)),
                None => progress.left(added, added + waiting),
            };
            let [added, waiting] = [added, waiting].map(grouped);
            let empties = counted(candidate.board.empty_count().into(), "empty square");
            let (value, loss) = (candidate.value, candidate.loss.discs());
            let positions = counted(positions, "position");
            format!(
                "{positions}, {added} added, {waiting} waiting  {left}  next: {empties}, value {value}, gives away {loss:.2}"
            )
        });
        let is_reached = goal.duration.is_some_and(|time| progress.elapsed() >= time);
        shown.is_ok() && !is_reached && !stop.is_set()
    })?;
    progress.clear();
    shown?;
    let positions = book.snapshot()?.count()?;
    let added = extended.added;
    let is_complete = extended.settled == book::Settled::Complete;
    if json {
        let waiting = if is_complete { 0 } else { waiting };
        let row = Row { added, positions, waiting };
        if last_row != Some(row) {
            output::json_line(&mut out, &row)?;
        }
    } else {
        let name = name_of(book);
        let (added, positions) = (counted(added, "position"), counted(positions, "position"));
        writeln!(out, "{added} added, {name} has {positions}")?;
        if is_complete {
            writeln!(out, "everything in the plan is in the book")?;
        }
    }
    out.flush()?;
    if is_complete { Ok(()) } else { interrupt::check(stop) }
}
