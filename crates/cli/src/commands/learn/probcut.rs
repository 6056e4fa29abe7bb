//! `emilia learn probcut`: how well shallow searches with an evaluation predict deep ones.

use control::Stop;
use evaluation::{HandMade, Learned};
use learning::probcut_fit::{self, Measurement, ProbCutFit};
use learning::workforce::Workforce;

use super::{expect_source, save_source};
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia learn probcut --weights weights.bin
  emilia learn probcut --output crates/evaluation/src/handmade_probcut.rs

Positions of self-play games are searched to every depth up to a limit, and endgames are solved. The means and \
standard deviations of the differences are printed; with --weights they are written into the weight file, where the \
search reads them. Without --weights the hand-made evaluation is measured, and its source file is written.";

/// Measure how well shallow searches predict deep ones, for ProbCut
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Probcut {
    /// The weights of the evaluation: a file, which is measured and gets the parameters [default: measure the hand-made
    /// evaluation]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Number of games; one midgame and one endgame position of each are searched
    #[arg(long, value_name = "N", default_value_t = 1500, value_parser = number(1..=u64::MAX))]
    games: u64,

    /// Largest search depth in the midgame
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number::<u32>(2..=20))]
    deepest: u32,

    /// Solve positions with at most N empty squares
    #[arg(long, value_name = "N", default_value_t = 18, value_parser = number::<u32>(10..=26))]
    solved_from: u32,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    seed: u64,

    /// Number of threads; the parameters do not depend on it [default: one per core]
    #[arg(long, value_name = "N", default_value_t = one_thread_per_core(), hide_default_value = true, value_parser = number::<u16>(1..=256))]
    threads: u16,

    #[command(flatten)]
    farm: FarmOptions,

    /// Output file, the source file of the hand-made evaluation [default: standard output]
    #[arg(long, value_name = "FILE", conflicts_with = "weights")]
    output: Option<PathBuf>,
}

impl Probcut {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        if let Some(path) = &self.weights {
            let mut weights = weights_choice::read_weights(path)?;
            let found = self.fit(&Learned::new(&weights), &WeightsChoice::File(path.clone()))?;
            found.ensure_enough()?;
            writeln!(output::stdout(), "{}", found.table())?;
            weights.probcut = Some(found.probcut());
            return Ok(whole_file::replace(path, &weights.to_bytes())?);
        }
        expect_source(self.output.as_deref())?;
        let found = self.fit(&HandMade, &WeightsChoice::HandMade)?;
        found.ensure_enough()?;
        eprintln!("{}", found.table());
        let Self { games, deepest, solved_from, seed, .. } = self;
        let source = found.source(&format!(
            "emilia learn probcut --games {games} --deepest {deepest} --solved-from {solved_from} --seed {seed}"
        ));
        save_source(self.output.as_deref(), &source)
    }

    fn measurement(&self) -> Measurement {
        let Self { games, deepest, solved_from, seed, .. } = *self;
        Measurement::new(games, deepest, solved_from, seed, usize::from(self.threads))
    }

    /// Measures an evaluation, and shows the progress on a terminal.
    fn fit<E: CompiledSearch>(&self, evaluation: &E, weights: &WeightsChoice) -> Result<ProbCutFit> {
        let executor = self.farm.executor(usize::from(self.threads))?;
        let stop = Stop::new();
        let workforce = Workforce::with_weights(executor.as_ref(), weights, &stop);
        let mut progress = Progress::new();
        Ok(probcut_fit::fit(&self.measurement(), evaluation, &workforce, |what, count| {
            progress.show(|_| format!("{} {what}", grouped(count)));
        })?)
    }
}
