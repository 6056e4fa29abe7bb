//! `emilia learn label`: positions of stored games with labels, into a store.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use engine::Stop;
use engine::clock::Moment;
use learning::game_store::GameReader;
use learning::label_store::{LabelSource, LabelStore, MOST_STORES};
use learning::labelling::{GameToLabel, Labelling, Progress, Wanted};
use learning::labels::Label as Kind;
use search::CompiledSearch;
use serde::Serialize;

use super::material::chained;
use crate::interrupt::{self, Interrupted};
use crate::live_line::LiveLine;
use crate::output;
use crate::weights_choice::{self, WeightsChoice, with_evaluation};

const EXAMPLES: &str = "\
Examples:
  emilia learn label --output positions.labels games.store
  emilia learn label --output positions.labels --weights old.bin --depth 4 \\
      --tree games.store thor.store
  emilia learn train --output new.bin --label search --outcome-share 0.3 \\
      positions.labels

Positions that are the same up to symmetry are labelled once. The same command goes on where it was, after Ctrl-C as \
after a power cut, and gives the same file whatever the number of threads.";

/// How often the line on the terminal changes.
const LINE_PERIOD: Duration = Duration::from_millis(200);

/// Label the positions of stored games with what they are worth.
///
/// The labels: the outcome is the final score of the game, if no random move follows. The corrected score is that of
/// exact play from --exact-from empty squares on. The tree value (--tree) is the best that the games of all stores
/// show to be possible, by negamax. The search value (--depth) is that of a search of so many moves. Each stands beside
/// the position; a training chooses.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Label {
    /// The store of labelled positions; if it is there already, it is continued
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Stores of games, of `emilia learn play` and `emilia learn merge`
    #[arg(value_name = "STORES", required = true)]
    stores: Vec<PathBuf>,

    /// From how many empty squares on scores are exact; 0 for no corrected scores
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=30))]
    exact_from: u32,

    /// Find the values in the tree of all games, too
    #[arg(long)]
    tree: bool,

    /// Find the values of searches of so many moves, too
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: Option<u32>,

    /// Search by these weights: a file, shipped or hand-made
    #[arg(long, value_name = "FILE", default_value = weights_choice::SHIPPED)]
    weights: WeightsChoice,

    /// Only so many games of all, the first ones
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    first: Option<u64>,

    /// Only positions with so many empty squares: a number or two such as 17-50
    #[arg(long, value_name = "A-B", default_value = "1-60", value_parser = parse_empties)]
    empties: (u32, u32),

    /// How many threads work; by default one for every core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Print one JSON object whenever positions were written
    #[arg(long)]
    json: bool,
}

fn parse_empties(text: &str) -> Result<(u32, u32), String> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let bound = |text: &str| text.trim().parse::<u32>().ok().filter(|empties| (1..=60).contains(empties));
    match (bound(low), bound(high)) {
        (Some(low), Some(high)) if low <= high => Ok((low, high)),
        _ => Err(format!("{text:?} is no number of empty squares; expected one from 1 to 60, or two such as 17-50")),
    }
}

/// What was written.
#[derive(Serialize)]
struct Row {
    empties: u32,
    positions: u64,
    bytes: u64,
    positions_per_second: f64,
}

/// Games and where they come from.
struct Games {
    games: Vec<GameToLabel>,
    /// How many are from each store.
    counts: Vec<u64>,
    /// A checksum of all of them.
    checksum: u32,
}

impl Label {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        let name = self.weights.name()?;
        with_evaluation!(self.weights.evaluation::<othello::Board>()?, evaluation => self.label(&name, &evaluation))
    }

    fn label<E: CompiledSearch>(&self, evaluation_name: &str, evaluation: &E) -> Result<()> {
        let stop = interrupt::flag()?;
        let threads = self.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
        let assignment =
            Assignment { stores: self.stores.clone(), first: self.first, wanted: self.wanted(), evaluation, threads };
        let mut watch = Watch::new(self.json, LiveLine::new());
        watch.live.show("reading games");
        let store =
            assignment.label(&self.output, evaluation_name, &stop, &mut |store, news| watch.tell(store, news))?;
        watch.live.clear();
        watch.finish(&store, &self.output)
    }

    fn wanted(&self) -> Wanted {
        let (low, high) = self.empties;
        Wanted { exact_from: self.exact_from, tree: self.tree, depth: self.depth, empties: low..=high }
    }
}

/// What is labelled, how and by whom: all that decides the labels.
pub struct Assignment<'a, E> {
    /// Stores of games.
    pub stores: Vec<PathBuf>,
    /// Only so many games of all, the first ones.
    pub first: Option<u64>,
    /// Which labels are wanted.
    pub wanted: Wanted,
    /// What searches think of positions.
    pub evaluation: &'a E,
    /// How many threads work.
    pub threads: usize,
}

impl<E: CompiledSearch> Assignment<'_, E> {
    /// Labels the positions that the store does not have yet; the name tells the evaluation from every other.
    pub fn label(
        &self,
        output: &Path,
        evaluation_name: &str,
        stop: &Stop,
        watch: &mut dyn FnMut(&LabelStore, &Progress) -> Result<()>,
    ) -> Result<LabelStore> {
        ensure!(self.stores.len() <= MOST_STORES, "there are more than {MOST_STORES} stores; merge some of them first");
        // A store may have grown since this labelling began: it goes on with the games that there were.
        let before = LabelStore::source(output)?;
        let limits = before.map(|source| source.games).filter(|games| games.len() == self.stores.len());
        let games = self.read(limits.as_deref(), stop)?;
        if stop.is_set() {
            return Err(Interrupted.into());
        }
        ensure!(!games.games.is_empty(), "there is no game to take positions from");
        let mut store = LabelStore::open(output, &self.source(&games, evaluation_name))?;
        if store.was_torn() {
            let sentence = "the last positions were not written to their end and are labelled again";
            output::complain(&format_args!("{}: {sentence}", output.display()));
        }
        let Self { wanted, evaluation, threads, .. } = self;
        let labelling =
            Labelling { games: &games.games, wanted: wanted.clone(), evaluation: *evaluation, threads: *threads };
        labelling.run(&mut store, stop, watch)?;
        if stop.is_set() { Err(Interrupted.into()) } else { Ok(store) }
    }

    /// The games of all stores, of each as many as there were when the labelling began.
    fn read(&self, limits: Option<&[u64]>, stop: &Stop) -> Result<Games> {
        let mut games = Games { games: Vec::new(), counts: Vec::new(), checksum: 0 };
        let mut left = self.first.unwrap_or(u64::from(u32::MAX));
        for (index, path) in self.stores.iter().enumerate() {
            let most = limits.map_or(left, |limits| limits[index].min(left));
            let mut reader = GameReader::open(path)?;
            let mut count = 0;
            while count < most && !stop.is_set() {
                let Some(stored) = reader.next().transpose()? else { break };
                let exact_from = reader.sources().get(stored.source).map_or(0, |source| source.exact_from);
                games.checksum = chained(games.checksum, &stored.game);
                games.games.push(GameToLabel { game: stored.game, exact_from });
                count += 1;
            }
            left -= count;
            games.counts.push(count);
        }
        let is_too_many = left == 0 && self.first.is_none_or(|first| first > u64::from(u32::MAX));
        ensure!(!is_too_many, "there are more games than can be numbered; use --first");
        Ok(games)
    }

    /// What the labels are, in words and otherwise.
    fn source(&self, games: &Games, evaluation_name: &str) -> LabelSource {
        let mut labels = vec![Kind::Outcome];
        let mut texts = vec!["outcomes".to_owned()];
        if self.wanted.exact_from > 0 {
            labels.push(Kind::Corrected);
            texts.push(format!("scores corrected from {} empty squares on", self.wanted.exact_from));
        }
        if self.wanted.tree {
            labels.push(Kind::Tree);
            texts.push("values in the tree of all games".to_owned());
        }
        if let Some(depth) = self.wanted.depth {
            labels.push(Kind::Search);
            texts.push(format!("values of searches of depth {depth} by {evaluation_name}"));
        }
        let Games { counts, checksum, games } = games;
        let (low, high) = self.wanted.empties.clone().into_inner();
        let description = format!(
            "positions with {low}-{high} empty squares of {} games with the checksum {checksum:08x}, with {}",
            games.len(),
            texts.join(", ")
        );
        LabelSource { labels, games: counts.clone(), description }
    }
}

/// Who shows how a run goes.
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
            let Progress { empties, positions, labelled, .. } = *progress;
            self.live.show(&format!(
                "{empties} empty: {} of {}  {:.0} positions/s  {} written",
                output::grouped(labelled as u64),
                output::counted(positions as u64, "position"),
                self.speed(),
                output::grouped(store.tally().positions),
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
        out.flush().context("cannot write to standard output")
    }

    fn finish(&self, store: &LabelStore, path: &Path) -> Result<()> {
        if self.json {
            return Ok(());
        }
        let tally = store.tally();
        let mut out = output::stdout();
        writeln!(out, "{} labelled, {:.0} a second", output::counted(self.new, "position"), self.speed())?;
        writeln!(
            out,
            "{} has {} in {} bytes",
            path.display(),
            output::counted(tally.positions, "position"),
            output::grouped(tally.bytes)
        )?;
        out.flush()?;
        Ok(())
    }
}
