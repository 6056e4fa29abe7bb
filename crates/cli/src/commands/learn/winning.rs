//! `emilia learn winning`: fits the probability of winning as a function of the value.

use evaluation::Evaluation;
use learning::labels::Label;
use learning::material::Material;
use learning::winning_fit::{self, WinningTally};

use super::{command_error, expect_source, save_source};
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia learn winning --output crates/evaluation/src/winning_scales.rs \\
      games.store
  emilia learn winning --weights weights.bin games.store

The winning probability is a logistic function of the value, with a scale for every phase of the game; draws count \
half. The scales are the most likely ones given the held-out games of the stores.";

/// Fit the winning probability as a function of the value
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Winning {
    /// Stores of games, from `emilia learn play` or `emilia learn merge`
    #[arg(value_name = "STORES", required = true)]
    stores: Vec<PathBuf>,

    /// The weights of the evaluation: a file, `shipped` or `hand-made`
    #[arg(long, value_name = "FILE", default_value = weights_choice::SHIPPED)]
    weights: WeightsChoice,

    /// Hold out one game in N, as in `emilia learn train`, and use only these
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number(1..=u64::MAX))]
    held_out: u64,

    /// Output file, a Rust source file that is compiled into the program [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Winning {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        with_evaluation!(self.weights.evaluation::<othello::Board>()?, evaluation => self.run_with(&evaluation))
    }

    fn run_with<E: Evaluation>(&self, evaluation: &E) -> Result<()> {
        expect_source(self.output.as_deref())?;
        let mut live = LiveLine::on_stderr();
        live.show("reading games");
        let material = Material::open(&self.stores, Label::Outcome, 0.0, None).map_err(command_error)?;
        let tally = WinningTally::of_games(evaluation, &material, self.held_out).map_err(command_error)?;
        live.clear();
        let fits = tally.fit();
        ensure!(fits.iter().any(|fit| fit.positions > 0), "no held-out games to fit the probabilities to");
        eprintln!("empties   positions  scale in discs  log loss in bits");
        for (phase, fit) in fits.iter().enumerate() {
            let most = 60 - 2 * phase;
            eprintln!(
                "{:>3}-{most:<3} {:>10} {:>15.2} {:>17.3}",
                most.saturating_sub(1),
                grouped(fit.positions),
                fit.scale,
                fit.surprise
            );
        }
        let source = winning_fit::source(&fits, &self.command());
        save_source(self.output.as_deref(), &source)
    }

    /// The command that reproduces the file; absolute paths are reduced to their file names.
    fn command(&self) -> String {
        let name = |path: &PathBuf| {
            let name = if path.is_absolute() { path.file_name().unwrap_or(path.as_os_str()) } else { path.as_os_str() };
            name.to_string_lossy().into_owned()
        };
        let weights = match &self.weights {
            WeightsChoice::Shipped => String::new(),
            WeightsChoice::HandMade => format!(" --weights {}", weights_choice::HAND_MADE),
            WeightsChoice::File(path) => format!(" --weights {}", name(path)),
        };
        let held_out = if self.held_out == 20 { String::new() } else { format!(" --held-out {}", self.held_out) };
        let stores: Vec<_> = self.stores.iter().map(name).collect();
        format!("emilia learn winning{weights}{held_out} {}", stores.join(" "))
    }
}
