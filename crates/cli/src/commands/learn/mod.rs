//! `emilia learn`: self-play, training, and the tables of the engines.

mod accuracy;
mod curve;
mod cycle;
mod inspect;
mod interactions;
mod label;
mod merge;
mod ordering;
mod play;
mod probcut;
mod problems;
mod program;
mod train;
mod winning;

use std::thread;

use evaluation::handmade::PHASE_COUNT;
use learning::{LearnError, handmade_fit};

use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia learn play --output games.store --games 100000
  emilia learn merge --output all.store games.store thor/*.wtb
  emilia learn train --output weights.bin all.store
  emilia learn label --output all.labels --weights weights.bin --depth 4 \\
      all.store
  emilia learn train --output better.bin --label search all.labels
  emilia learn interactions --output pairs.bin --weights better.bin \\
      --label search all.labels
  emilia learn inspect --weights weights.bin all.store
  emilia learn problems --output problems.obf all.store
  emilia learn inspect --problems problems.obf --depth 1,10 \\
      --weights weights.bin
  emilia learn cycle --folder cycle --generations 8
  emilia learn handmade --output crates/evaluation/src/handmade_weights.rs
  emilia learn probcut --weights weights.bin
  emilia learn winning --output crates/evaluation/src/winning_scales.rs \\
      all.store
  emilia learn ordering --output data/ordering.bin
  emilia learn program NAME --output NAME.tables all.store";

/// Train evaluations and make the engines' other tables, such as edge tables, from self-play and from game records.
///
/// The same options give the same result on every machine and with any number of threads.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Learn {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Play(play::Play),
    Merge(merge::Merge),
    Label(label::Label),
    Train(train::Train),
    Interactions(interactions::Interactions),
    Inspect(inspect::Inspect),
    Problems(problems::Problems),
    Winning(winning::Winning),
    Cycle(cycle::Cycle),
    Curve(curve::Curve),
    /// Fit the weights of the hand-made evaluation
    Handmade(Fit),
    Probcut(probcut::Probcut),
    Ordering(ordering::Ordering),
    Program(program::LearnProgram),
}

#[derive(Args)]
struct Fit {
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 6000, value_parser = number(1..=u64::MAX))]
    games: u64,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    seed: u64,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", default_value_t = one_thread_per_core(), hide_default_value = true, value_parser = number::<u16>(1..=256))]
    threads: u16,

    /// Output file, a Rust source file that is compiled into the program [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Learn {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        run_one!(&self.what, environment, What:
            Play Merge Label Train Interactions Inspect Problems Winning Cycle Curve Handmade Probcut Ordering Program)
    }
}

fn command_error(error: LearnError) -> anyhow::Error {
    match error {
        LearnError::Interrupted => Interrupted.into(),
        LearnError::Weights(error) => error.into(),
        LearnError::NotGames { .. } | LearnError::Sprt(_) | LearnError::Setting(_) | LearnError::Options(_) => {
            UsageError::new(error).into()
        }
        error => error.into(),
    }
}

/// Keeps an output error of a step of learning: if something cannot be shown, the step ends.
#[derive(Default)]
struct Shown {
    failure: Option<anyhow::Error>,
}

impl Shown {
    /// Whether the step continues after something was shown.
    fn flow(&mut self, shown: Result<()>) -> ControlFlow<()> {
        match shown {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure.get_or_insert(error);
                ControlFlow::Break(())
            }
        }
    }

    /// The result of the step, or the output error.
    fn conclude<T>(self, result: Result<T, impl Into<LearnError>>) -> Result<T> {
        match self.failure {
            Some(failure) => Err(failure),
            None => result.map_err(|error| command_error(error.into())),
        }
    }
}

/// Warns that the last items of a file were not written completely.
fn warn_of_torn(path: &Path, what: &str) {
    output::warn(&format_args!("{}: the last {what}", path.display()));
}

/// The number of threads: as requested, or one per core.
fn threads_of(given: Option<u16>) -> usize {
    given.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
}

impl Fit {
    fn run(&self, _: &Environment<'_>) -> Result<()> {
        const GAMES_PER_LINE: u64 = 16;
        expect_source(self.output.as_deref())?;
        let Self { games, seed, .. } = *self;
        let mut live = LiveLine::on_stderr();
        let found = handmade_fit::fit(games, seed, usize::from(self.threads), |games| {
            if games.is_multiple_of(GAMES_PER_LINE) {
                live.show(&counted(games, "game"));
            }
        });
        live.clear();
        eprintln!("empties  positions  held-out error in discs");
        for phase in 0..PHASE_COUNT {
            let (low, positions, error) = (phase * 4, found.positions[phase], found.errors[phase]);
            eprintln!("{low:>3}-{:<3} {positions:>10} {error:>6.2}", low + 3);
        }
        let command = format!("emilia learn handmade --games {games} --seed {seed}");
        save_source(self.output.as_deref(), &found.source(&command))
    }
}

/// Checks that a source file can be written to this path, if one is given.
fn expect_source(output: Option<&Path>) -> Result<()> {
    output.map_or(Ok(()), |path| Ok(whole_file::check_replaceable(path, b"//!", "source file of this program")?))
}

/// Writes a source file, or prints it if no path is given.
fn save_source(output: Option<&Path>, source: &str) -> Result<()> {
    match output {
        Some(path) => Ok(whole_file::replace(path, source.as_bytes())?),
        None => Ok(output::stdout().write_all(source.as_bytes())?),
    }
}
