//! `emilia learn label`: labels the positions of stored games, into a store.

use learning::label_store::LabelStore;
use learning::labeling::{self, LabelJob, Wanted};
use learning::workforce::Workforce;
use players::weights::EvaluationId;

use super::{Shown, command_error, threads_of, warn_of_torn};
use crate::arguments::parse_range;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia learn label --output positions.labels games.store
  emilia learn label --output positions.labels --weights old.bin --depth 4 \\
      --tree games.store thor.store
  emilia learn train --output new.bin --label search --outcome-share 0.3 \\
      positions.labels

Positions that are equal up to symmetry are labeled once. The same command resumes an interrupted run, even after \
Ctrl-C or a power failure, and gives the same file with any number of threads.";

/// Label the positions of stored games with their values.
///
/// The labels: the outcome is the final score of the game, if no random move follows. The corrected score assumes perfect
/// play from --exact-from empty squares on. The tree value (--tree) is the negamax value in the tree of all stored games.
/// The search value (--depth) comes from a search to this depth. All of them are stored with the position, and
/// `emilia learn train` chooses one.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Label {
    /// Output file: the store of labeled positions; an existing one is resumed
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Stores of games, from `emilia learn play` or `emilia learn merge`
    #[arg(value_name = "STORES", required = true)]
    stores: Vec<PathBuf>,

    /// Play perfectly with N or fewer empty squares, for corrected scores; 0 for no corrected scores
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = number::<u32>(0..=30))]
    exact_from: u32,

    /// Also find the values in the tree of all games
    #[arg(long)]
    tree: bool,

    /// Search depth in plies: the values of these searches are stored too
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=20))]
    depth: Option<u32>,

    /// The weights of the evaluation: a file, `shipped` or `hand-made`
    #[arg(long, value_name = "FILE", default_value = weights_choice::SHIPPED)]
    weights: WeightsChoice,

    /// Use only the first N games
    #[arg(long, value_name = "N", value_parser = number(1..=u64::MAX))]
    first: Option<u64>,

    /// Number of empty squares: only these positions are labeled; a number, or a range such as 17-50
    #[arg(long, value_name = "N", default_value = "1-60", value_parser = parse_empties)]
    empties: (u32, u32),

    /// Also label positions after N other moves, chosen at random, at every position of a game: what a search meets
    /// besides the game. They have search values, but no scores
    #[arg(long, value_name = "N", default_value_t = 0, requires = "depth", value_parser = number::<u32>(0..=60))]
    nearby: u32,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=256))]
    threads: Option<u16>,

    #[command(flatten)]
    farm: FarmOptions,

    /// Print JSON: one object whenever positions are written
    #[arg(long)]
    json: bool,
}

fn parse_empties(text: &str) -> Result<(u32, u32), String> {
    let problem = || format!("{text:?} is not a number of empty squares; expected 1 to 60, or a range such as 17-50");
    parse_range(text, 1..=60).map(RangeInclusive::into_inner).ok_or_else(problem)
}

#[derive(Serialize)]
struct Row {
    /// Number of empty squares.
    empties: u32,
    /// Positions written.
    positions: u64,
    /// Size of the file.
    bytes: u64,
    /// Positions labeled per second.
    positions_per_second: f64,
}

impl Label {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        let id = self.weights.id()?;
        with_evaluation!(self.weights.evaluation::<othello::Board>()?, evaluation => self.label(id, &evaluation))
    }

    fn label<E: CompiledSearch>(&self, evaluation_id: EvaluationId, evaluation: &E) -> Result<()> {
        FileRoles::new().needs_all(&self.stores).writes("--output", &self.output).check()?;
        let stop = interrupt::flag()?;
        let job = LabelJob {
            stores: self.stores.clone(),
            first: self.first,
            wanted: self.wanted(),
            evaluation,
            evaluation_id,
            threads: threads_of(self.threads),
        };
        let mut progress = Progress::of("reading games");
        let mut run = job.begin(&self.output, &stop).map_err(command_error)?;
        if run.store.was_torn() {
            warn_of_torn(&self.output, "positions are incomplete and are labeled again");
        }
        let executor = self.farm.executor(threads_of(self.threads))?;
        let workforce = Workforce::with_weights(executor.as_ref(), &self.weights, &stop);
        let mut shown = Shown::default();
        let mut new = 0;
        let labeled = run.run(&workforce, &mut |store, step| {
            new = step.new;
            shown.flow(self.show(store, step, &mut progress))
        });
        shown.conclude(labeled)?;
        progress.clear();
        if self.json {
            return Ok(());
        }
        let tally = run.store.tally();
        let (positions, bytes) = (counted(tally.positions, "position"), grouped(tally.bytes));
        let mut out = output::stdout();
        writeln!(out, "{} labeled, {:.0} per second", counted(new, "position"), progress.speed(new))?;
        writeln!(out, "{} has {positions} in {bytes} bytes", self.output.display())?;
        Ok(out.flush()?)
    }

    fn show(&self, store: &LabelStore, step: &labeling::Progress, progress: &mut Progress) -> Result<()> {
        let labeling::Progress { empties, positions, labeled, new, .. } = *step;
        let (tally, speed) = (store.tally(), progress.speed(new));
        if self.json && step.is_written {
            let (positions, bytes) = (tally.positions, tally.bytes);
            let row = Row { empties, positions, bytes, positions_per_second: speed };
            output::json_row(&mut output::stdout(), &row)?;
        }
        progress.show(|_| {
            let (labeled, positions) = (grouped(labeled as u64), counted(positions as u64, "position"));
            let written = grouped(tally.positions);
            format!("{empties} empty: {labeled} of {positions}  {speed:.0} positions/s  {written} written")
        });
        Ok(())
    }

    fn wanted(&self) -> Wanted {
        let Self { exact_from, tree, depth, empties: (low, high), nearby, .. } = *self;
        Wanted { exact_from, tree, depth, empties: low..=high, nearby }
    }
}
