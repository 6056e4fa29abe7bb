//! `emilia learn play`: self-play of the engine, into a store.

use learning::game_store::{GameStore, Source, Tally};
use learning::playing::{PlayEvent, play_into, read_openings};
use learning::self_play::{Recipe, SelfPlay};
use learning::workforce::Workforce;
use players::weights::EvaluationId;

use super::{Shown, command_error, threads_of, warn_of_torn};
use crate::arguments::parse_range;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia learn play --output games.store --games 100000
  emilia learn play --output deep.store --depth 8 --exact-from 20 \\
      --opening 6-30 --threads 2
  emilia learn play --output next.store --weights new.weights --seed 2
  emilia openings --plies 8 --count 5000 > openings.txt
  emilia learn play --output even.store --openings openings.txt --opening 0-4
  emilia learn play --output many.store --games 1000000 \\
      --farm nats://farm.example.org

The same command resumes an interrupted run, even after Ctrl-C or a power failure. A game depends only on its \
number and on the options, not on the number of threads or on interruptions.";

/// The default number of random moves at the beginning of a game: there are fewer than 100,000 different openings of 8
/// moves, so shorter ones would mostly give duplicates.
const DEFAULT_OPENING: (u32, u32) = (8, 18);
/// The default after an opening from a file, which should stay nearly even.
const DEFAULT_OPENING_AFTER_FILE: (u32, u32) = (0, 4);

/// Let the engine play games against itself, and store them.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Play {
    /// Output file: the store; games are added to an existing one
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Number of games, including those already in the store
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = number::<u64>(1..=1 << 40))]
    games: u64,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    seed: u64,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=256))]
    threads: Option<u16>,

    /// Search depth in plies
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number::<u32>(1..=30))]
    depth: u32,

    /// Play perfectly with N or fewer empty squares
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = number::<u32>(0..=30))]
    exact_from: u32,

    /// Number of random moves at the start of a game: a number, or a range such as 6-12 [default: 8-18, or 0-4 with --openings]
    #[arg(long, value_name = "N", value_parser = parse_opening)]
    opening: Option<(u32, u32)>,

    /// Share of later moves that are random, so that unusual positions also occur
    #[arg(long, value_name = "SHARE", default_value = "0.02", value_parser = parse_share)]
    random_moves: f64,

    /// File of openings, in any format; or one opening: moves or a name
    #[arg(long, value_name = "FILE|MOVES|NAME")]
    openings: Option<PathBuf>,

    /// The weights of the evaluation: a file, `shipped` or `hand-made`
    #[arg(long, value_name = "FILE", default_value = weights_choice::SHIPPED)]
    weights: WeightsChoice,

    #[command(flatten)]
    farm: FarmOptions,

    /// Print JSON: one object whenever games are written
    #[arg(long)]
    json: bool,
}

pub(crate) fn parse_opening(text: &str) -> Result<(u32, u32), String> {
    let problem = || format!("{text:?} is not a number of moves; expected 0 to 50, or a range such as 6-12");
    parse_range(text, 0..=50).map(RangeInclusive::into_inner).ok_or_else(problem)
}

/// Parses a share, also in percent.
pub(crate) fn parse_share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().ok().map(|percent: f64| percent / 100.0),
        None => text.parse().ok(),
    };
    share.filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| {
        format!("{text:?} is not a share; expected a number from 0 to 1, such as 0.02, or a percentage such as 2%")
    })
}

#[derive(Serialize)]
struct Row {
    /// Games played, including duplicates and those of earlier runs.
    played: u64,
    /// Games in the store.
    games: u64,
    /// Positions in the store.
    positions: u64,
    /// Size of the file.
    bytes: u64,
    /// Games played per second.
    games_per_second: f64,
}

impl Play {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        let id = self.weights.id()?;
        with_evaluation!(self.weights.evaluation::<Board>()?, evaluation => self.play(id, evaluation))
    }

    fn play<E: CompiledSearch>(&self, id: EvaluationId, evaluation: E) -> Result<()> {
        FileRoles::new().reads_all(&self.openings).writes("--output", &self.output).check()?;
        let stop = interrupt::flag()?;
        let self_play = self.self_play(evaluation)?;
        let mut store = GameStore::open(&self.output, &Source::of_self_play(id, &self_play))?;
        if store.was_torn() {
            warn_of_torn(&self.output, "games are incomplete and are played again");
        }
        let executor = self.farm.executor(threads_of(self.threads))?;
        let workforce = Workforce::with_weights(executor.as_ref(), &self.weights, &stop);
        let mut watch =
            Watch { before: store.tally(), json: self.json, progress: Progress::new(), written: store.tally() };
        let mut shown = Shown::default();
        let played = play_into(&mut store, &self_play, self.games, &workforce, &mut |news| {
            shown.flow(match news {
                PlayEvent::Written(tally) => watch.written(tally),
                PlayEvent::Played(games) => {
                    watch.played(games, self.games);
                    Ok(())
                }
            })
        });
        shown.conclude(played)?;
        watch.finish(store.tally(), &self.output)?;
        interrupt::check(&stop)
    }

    fn self_play<E: CompiledSearch>(&self, evaluation: E) -> Result<SelfPlay<E>> {
        let default = if self.openings.is_some() { DEFAULT_OPENING_AFTER_FILE } else { DEFAULT_OPENING };
        let recipe = Recipe {
            seed: self.seed,
            opening: self.opening.unwrap_or(default),
            random_moves: self.random_moves,
            depth: self.depth,
            exact_from: self.exact_from,
            threads: threads_of(self.threads),
        };
        let mut self_play = SelfPlay::new(recipe, evaluation);
        if let Some(path) = &self.openings {
            self_play.openings = if path.exists() {
                read_openings(path).map_err(command_error)?
            } else {
                vec![named_opening::transcript_or_name::<Board>(&path.to_string_lossy(), "file")?.game.line()]
            };
        }
        Ok(self_play)
    }
}

struct Watch {
    before: Tally,
    json: bool,
    progress: Progress,
    written: Tally,
}

impl Watch {
    /// Games per second of this run, given the number of games played.
    fn speed(&self, played: u64) -> f64 {
        self.progress.speed(played - self.before.next_number.min(played))
    }

    fn played(&mut self, played: u64, total: u64) {
        let speed = self.speed(played);
        let positions = self.written.positions;
        self.progress.show(|_| {
            let [played, total, positions] = [played, total, positions].map(grouped);
            format!("{played} of {total} games  {speed:.1} games/s  {positions} positions written")
        });
    }

    fn written(&mut self, tally: Tally) -> Result<()> {
        self.written = tally;
        if self.json {
            let Tally { next_number: played, games, positions, bytes } = tally;
            let row = Row { played, games, positions, bytes, games_per_second: self.speed(played) };
            output::json_row(&mut output::stdout(), &row)?;
        }
        Ok(())
    }

    fn finish(&mut self, tally: Tally, path: &Path) -> Result<()> {
        self.progress.clear();
        if self.json {
            // The last games were written at the end of the run, not as a full block.
            return if tally == self.written { Ok(()) } else { self.written(tally) };
        }
        let Tally { next_number, games, positions, bytes } = tally;
        let mut out = output::stdout();
        let new = counted(next_number - self.before.next_number, "game");
        writeln!(out, "{new} played, {:.1} per second", self.speed(next_number))?;
        let content = format!("{} with {}", counted(games, "game"), counted(positions, "position"));
        let size = format!("{} bytes ({:.1} a game)", grouped(bytes), bytes as f64 / games.max(1) as f64);
        let repeated = grouped(next_number - games);
        writeln!(out, "{} has {content} in {size}; {repeated} had been played before", path.display())?;
        Ok(out.flush()?)
    }
}
