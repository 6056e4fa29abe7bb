//! `emilia learn interactions`: what configurations are worth together, from labeled positions.

use std::sync::Mutex;

use control::lock;
use evaluation::weights::PHASE_COUNT;
use learning::interaction_fit::InteractionFit;
use learning::interaction_training::{self, InteractionRun, InteractionTraining, StageReport, Watch};
use learning::labels::Label;
use learning::material::Material;
use storage::whole_file::check_replaceable;

use super::train::{parse_penalty, parse_share};
use super::{Shown, command_error};
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia learn interactions --output pairs.bin --weights weights.bin \\
      --label search --outcome-share 0.3 positions.labels
  emilia learn interactions --output pairs.bin --weights weights.bin games.store
  emilia learn probcut --weights pairs.bin

The weights to start from are the priors of the new ones. Besides its weight, every configuration learns a vector; the \
products of the vectors of a position are added to its value. Weights and vectors are those of a stage of the game, \
which is several phases. Finished stages are kept in OUTPUT.partial next to the output, and the same command resumes from it. The \
result has no means and deviations for ProbCut: measure them with `emilia learn probcut`.";

/// Learn what configurations are worth together, besides the weight of each
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Interactions {
    /// Output file, for the weights
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Stores of games, from `emilia learn play` or `learn merge`, or of labeled positions, from `learn label`
    #[arg(value_name = "STORES", required = true)]
    stores: Vec<PathBuf>,

    /// The weights of the evaluation, without interactions, to start from
    #[arg(long, value_name = "FILE")]
    weights: WeightsChoice,

    /// The label to learn: the outcome of the game, or the corrected, tree or search value of labeled positions
    #[arg(long, value_name = "LABEL", default_value = "outcome", value_parser = clap::value_parser!(Label))]
    label: Label,

    /// Share of the corrected score (or of the outcome, if there is none) mixed into the search value, 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = parse_share)]
    outcome_share: f32,

    /// Use only the first N games
    #[arg(long, value_name = "N", value_parser = number(1..=u64::MAX))]
    first: Option<u64>,

    /// Number of stages, each with its weights and vectors: a divisor of the 30 phases
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = parse_stages)]
    stages: usize,

    /// Also train on positions up to N empty squares outside, for each stage
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u32>(0..=20))]
    window: u32,

    /// Keep the weights at the start, without vectors, for stages with fewer positions: too few to learn from
    #[arg(long, value_name = "N", default_value_t = 500_000, value_parser = number(0..=usize::MAX))]
    least: usize,

    /// Number of times that every position is used
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<u32>(1..=1000))]
    epochs: u32,

    /// Length of the first step of a weight, in discs
    #[arg(long, value_name = "DISCS", default_value_t = 0.05, value_parser = parse_rate)]
    weight_rate: f32,

    /// Length of the first step of a vector
    #[arg(long, value_name = "N", default_value_t = 0.08, value_parser = parse_rate)]
    vector_rate: f32,

    /// Regularization of weights towards those at the start: counts as much as N positions
    #[arg(long, value_name = "N", default_value_t = 30.0, value_parser = parse_penalty)]
    weight_penalty: f32,

    /// Regularization of vectors towards zero: counts as much as N positions
    #[arg(long, value_name = "N", default_value_t = 4000.0, value_parser = parse_penalty)]
    vector_penalty: f32,

    /// Hold out one game in N, to measure the training
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number(2..=u64::MAX))]
    held_out: u64,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    seed: u64,

    /// Number of threads, each with a stage; the weights do not depend on it [default: one per core]
    #[arg(long, value_name = "N", default_value_t = one_thread_per_core(), hide_default_value = true, value_parser = number::<u16>(1..=256))]
    threads: u16,

    /// Print JSON: one object per stage
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    /// Number of the stage.
    stage: usize,
    /// Positions of the stage.
    positions: usize,
    /// Whether there were enough positions to learn from.
    is_learned: bool,
    /// Held-out positions.
    held_out: u64,
    /// Root mean square error of the weights at the start, in discs.
    root_mean_square_before: f64,
    /// Root mean square error, in discs.
    root_mean_square: f64,
    /// Mean absolute error, in discs.
    mean_absolute: f64,
    /// Mean error, in discs.
    bias: f64,
}

fn parse_stages(text: &str) -> Result<usize, String> {
    let is_allowed = |&stages: &usize| evaluation::interactions::Interactions::is_stage_count(stages);
    text.parse()
        .ok()
        .filter(is_allowed)
        .ok_or_else(|| format!("{text:?} is not a number of stages; expected a divisor of {PHASE_COUNT}, such as 10"))
}

fn parse_rate(text: &str) -> Result<f32, String> {
    let rate = text.parse().ok().filter(|&rate| rate > 0.0 && rate <= 100.0);
    rate.ok_or_else(|| format!("{text:?} is not the length of a step; expected a number above 0, such as 0.05"))
}

impl Interactions {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        if self.outcome_share > 0.0 && self.label != Label::Search {
            bail_usage!("--outcome-share needs --label search");
        }
        let start = self.weights.weights()?;
        let Some(start) = start else { bail_usage!("the hand-made evaluation has no weights to start from") };
        let roles = FileRoles::new().needs_all(&self.stores);
        let roles = if let WeightsChoice::File(path) = &self.weights { roles.reads("--weights", path) } else { roles };
        roles.writes("--output", &self.output).check()?;
        check_replaceable(&self.output, b"EMILIAWT", "weight file")?;
        let mut live = LiveLine::on_stderr();
        live.show("counting games");
        let material =
            Material::open(&self.stores, self.label, self.outcome_share, self.first).map_err(command_error)?;
        let run = InteractionRun::new(&material, &start, self.training()).map_err(command_error)?;
        let mut out = output::stdout();
        if !self.json {
            writeln!(out, "{}: {}", counted(run.games(), "game"), self.output.display())?;
            writeln!(out, "empties   positions  held-out error in discs: before, root mean square, mean, bias")?;
        }
        let live = Mutex::new(live);
        let live = || lock(&live);
        let mut shown = Shown::default();
        let mut is_learned = false;
        let watch = Watch {
            progress: &|progress| live().show(&in_words(progress)),
            done: &mut |report| {
                live().clear();
                is_learned |= report.positions >= self.least;
                shown.flow(self.print(report, &mut out))
            },
        };
        let trained = run.train(&self.output, watch);
        shown.conclude(trained)?;
        if !is_learned {
            let least = grouped(self.least as u64);
            output::warn(&format_args!("no stage has {least} positions, so nothing was learned; see --least"));
        }
        Ok(())
    }

    fn training(&self) -> InteractionTraining {
        let Self { epochs, weight_rate, vector_rate, weight_penalty, vector_penalty, seed, .. } = *self;
        let fit = InteractionFit { epochs, weight_rate, vector_rate, weight_penalty, vector_penalty, seed };
        let Self { stages, window, least, held_out, .. } = *self;
        InteractionTraining { fit, stages, window, least, held_out, threads: usize::from(self.threads) }
    }

    fn print(&self, report: &StageReport, out: &mut impl Write) -> Result<()> {
        let StageReport { stage, positions, before, after } = *report;
        let row = Row {
            stage,
            positions,
            is_learned: positions >= self.least,
            held_out: after.positions,
            root_mean_square_before: before.root_mean_square(),
            root_mean_square: after.root_mean_square(),
            mean_absolute: after.mean_absolute(),
            bias: after.bias(),
        };
        output::row(out, self.json, &row, || {
            let width = 60 / self.stages;
            let max = 60 - width * stage;
            let Row { root_mean_square_before: before, root_mean_square, mean_absolute, bias, .. } = row;
            let range = format!("{}-{max}", max + 1 - width);
            let note = if row.is_learned { "" } else { "  too few positions: as at the start" };
            format!(
                "{range:>7} {positions:>11} {before:>7.3} {root_mean_square:>6.3} {mean_absolute:>6.3} {bias:>+6.3}{note}"
            )
        })
    }
}

/// The progress of the training of a stage, in a few words.
fn in_words(progress: &interaction_training::Progress) -> String {
    use interaction_training::Progress;
    match progress {
        Progress::Read { stage, positions } => {
            format!("stage {stage}: {}", counted(*positions as u64, "position"))
        }
        Progress::Epoch { stage, epoch, held_out } => {
            format!("stage {stage}: epoch {epoch}, held-out error {:.3}", held_out.root_mean_square())
        }
    }
}
