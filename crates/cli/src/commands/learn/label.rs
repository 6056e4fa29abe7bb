//! `emilia learn label`: labels the positions of stored games, into a store.

use engine::clock::Moment;
use learning::label_store::LabelStore;
use learning::labeling::{LabelJob, Progress, Wanted};
use learning::workforce::Workforce;
use players::weights::EvaluationId;
use players::weights::{self as weights_choice, WeightsChoice, with_evaluation};
use search::CompiledSearch;

use super::{Shown, command_error, threads_of};
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

/// The interval between updates of the progress line.
const LINE_PERIOD: Duration = Duration::from_millis(200);

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
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let bound = |text: &str| text.trim().parse::<u32>().ok().filter(|empties| (1..=60).contains(empties));
    match (bound(low), bound(high)) {
        (Some(low), Some(high)) if low <= high => Ok((low, high)),
        _ => Err(format!("{text:?} is not a number of empty squares; expected 1 to 60, or a range such as 17-50")),
    }
}

/// Progress of a run, as JSON.
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
        let mut watch = Watch::new(self.json, LiveLine::on_stderr());
        watch.live.show("reading games");
        let mut run = job.begin(&self.output, &stop).map_err(command_error)?;
        if run.store.was_torn() {
            let sentence = "the last positions are incomplete and are labeled again";
            output::warn(&format_args!("{}: {sentence}", self.output.display()));
        }
        let executor = self.farm.executor(threads_of(self.threads))?;
        let workforce = Workforce::with_weights(executor.as_ref(), &self.weights, &stop);
        let mut shown = Shown::default();
        let labeled = run.run(&workforce, &mut |store, progress| shown.flow(watch.tell(store, progress)));
        shown.conclude(labeled)?;
        watch.live.clear();
        watch.finish(&run.store, &self.output)
    }

    fn wanted(&self) -> Wanted {
        let (low, high) = self.empties;
        Wanted {
            exact_from: self.exact_from,
            tree: self.tree,
            depth: self.depth,
            empties: low..=high,
            nearby: self.nearby,
        }
    }
}

/// Shows the progress of a run.
struct Watch {
    json: bool,
    start: Moment,
    live: LiveLine,
    last_line: Moment,
    new: u64,
}

impl Watch {
    fn new(json: bool, live: LiveLine) -> Self {
        let now = Moment::now();
        Self { json, start: now, live, last_line: now, new: 0 }
    }

    fn speed(&self) -> f64 {
        self.new as f64 / self.start.elapsed().as_secs_f64().max(1e-3)
    }

    fn tell(&mut self, store: &LabelStore, progress: &Progress) -> Result<()> {
        self.new = progress.new;
        if self.json && progress.is_written {
            self.row(store, progress.empties)?;
        }
        if self.last_line.elapsed() > LINE_PERIOD {
            self.last_line = Moment::now();
            let Progress { empties, positions, labeled, .. } = *progress;
            self.live.show(&format!(
                "{empties} empty: {} of {}  {:.0} positions/s  {} written",
                grouped(labeled as u64),
                counted(positions as u64, "position"),
                self.speed(),
                grouped(store.tally().positions),
            ));
        }
        Ok(())
    }

    fn row(&self, store: &LabelStore, empties: u32) -> Result<()> {
        let tally = store.tally();
        let speed = self.speed();
        let mut out = output::stdout();
        let row = Row { empties, positions: tally.positions, bytes: tally.bytes, positions_per_second: speed };
        output::json_line(&mut out, &row)?;
        Ok(out.flush()?)
    }

    fn finish(&self, store: &LabelStore, path: &Path) -> Result<()> {
        if self.json {
            return Ok(());
        }
        let tally = store.tally();
        let mut out = output::stdout();
        writeln!(out, "{} labeled, {:.0} per second", counted(self.new, "position"), self.speed())?;
        writeln!(
            out,
            "{} has {} in {} bytes",
            path.display(),
            counted(tally.positions, "position"),
            grouped(tally.bytes)
        )?;
        Ok(out.flush()?)
    }
}
