//! `emilia learn train`: the weights of the evaluation from stores of games and of labeled positions.

use learning::labels::Label;
use learning::material::Material;
use learning::pattern_fit::Fit;
use learning::training::{Event, LookAhead, Training, TrainingRun};
use storage::whole_file::check_replaceable;

use super::{Shown, command_error};
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia learn train --output weights.bin games.store
  emilia learn train --output weights.bin --first 100000 games.store thor.store
  emilia learn train --output weights.bin --label search --outcome-share 0.3 \\
      positions.labels
  emilia match emilia@weights=weights.bin emilia --level 8

From a store of games, every position after the last random move is learned with the final score as its label. From a \
store of labeled positions, every position that has the label is learned. The phases of the game are trained from the \
last to the first. Finished phases are kept in OUTPUT.partial next to the output, and the same command resumes from it.";

/// Train the weights of the evaluation on stored games or labeled positions
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Train {
    /// Output file, for the weights
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Stores of games, from `emilia learn play` or `learn merge`, or of labeled positions, from `learn label`
    #[arg(value_name = "STORES", required = true)]
    stores: Vec<PathBuf>,

    /// The label to learn: the outcome of the game, or the corrected, tree or search value of labeled positions
    #[arg(long, value_name = "LABEL", default_value = "outcome", value_parser = clap::value_parser!(Label))]
    label: Label,

    /// For positions without an exact value, learn the value of a search of N plies that ends in phases already trained;
    /// odd numbers work best
    #[arg(long, value_name = "N", value_parser = number::<u32>(2..=10))]
    look_ahead: Option<u32>,

    /// Share of the corrected score (or of the outcome, if there is none) mixed into the search value, 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = parse_share)]
    outcome_share: f32,

    /// Also train on positions up to N empty squares outside, for each phase (which covers two numbers of empty
    /// squares)
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u32>(0..=20))]
    window: u32,

    /// Use only the first N games
    #[arg(long, value_name = "N", value_parser = number(1..=u64::MAX))]
    first: Option<u64>,

    #[command(flatten)]
    fitting: Fitting,

    /// Number of threads; the weights do not depend on it [default: one per core]
    #[arg(long, value_name = "N", default_value_t = one_thread_per_core(), hide_default_value = true, value_parser = number::<u16>(1..=256))]
    threads: u16,

    /// Print JSON: one object per phase
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    /// Number of the phase.
    phase: usize,
    /// Positions trained on.
    positions: usize,
    /// Held-out positions.
    held_out: u64,
    /// Root mean square error of these, in discs.
    root_mean_square: f64,
    /// Mean absolute error of these, in discs.
    mean_absolute: f64,
}

/// Options of fitting weights to positions.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Fitting {
    /// Regularization towards the weights of the next phase: counts as much as N positions
    #[arg(long, value_name = "N", default_value_t = 30.0, value_parser = parse_penalty)]
    pub(crate) penalty: f32,

    /// Maximum number of steps per phase
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = number(1..=u32::MAX))]
    pub(crate) steps: u32,

    /// Hold out one game in N, to measure the training
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number(2..=u64::MAX))]
    pub(crate) held_out: u64,
}

pub(crate) fn parse_penalty(text: &str) -> Result<f32, String> {
    let penalty = text.parse().ok().filter(|&penalty| penalty > 0.0 && penalty <= 1e6);
    penalty.ok_or_else(|| format!("{text:?} is not a penalty; expected a number above 0, such as 30"))
}

pub(crate) fn parse_share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("{text:?} is not a share; expected a number from 0 to 1, such as 0.3"))
}

impl Train {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        if self.outcome_share > 0.0 && self.label != Label::Search && self.look_ahead.is_none() {
            bail_usage!("--outcome-share needs --label search or --look-ahead");
        }
        if let Some(depth) = self.look_ahead {
            ensure_usage!(
                self.label == Label::Outcome,
                "--look-ahead cannot be combined with --label: it makes its own labels"
            );
            // Otherwise a search from a position of the window would end in phases that are not trained yet.
            if self.window + 2 > depth && self.window > 0 {
                let sentence = format!("--look-ahead {depth} requires a --window of at most {}", depth - 2);
                bail_usage!("{sentence}; found {}", self.window);
            }
        }
        FileRoles::new().needs_all(&self.stores).writes("--output", &self.output).check()?;
        check_replaceable(&self.output, b"EMILIAWT", "weight file")?;
        let mut live = LiveLine::on_stderr();
        live.show("counting games");
        let fit = Fit { penalty: self.fitting.penalty, steps: self.fitting.steps, threads: usize::from(self.threads) };
        let outcome_share = self.outcome_share;
        let look_ahead = self.look_ahead.map(|depth| LookAhead { depth, outcome_share });
        let training = Training { fit, held_out: self.fitting.held_out, window: self.window, look_ahead };
        // With a look-ahead search, the final score is mixed in after the search, not before.
        let mixed_before = if look_ahead.is_some() { 0.0 } else { self.outcome_share };
        let material = Material::open(&self.stores, self.label, mixed_before, self.first).map_err(command_error)?;
        if look_ahead.is_some() && material.has_labels() {
            bail_usage!("--look-ahead needs stores of games, not of labeled positions");
        }
        let run = TrainingRun::new(&material, training).map_err(command_error)?;
        let mut out = output::stdout();
        if !self.json {
            writeln!(out, "{}: {}", counted(run.games(), "game"), self.output.display())?;
            writeln!(out, "empties   positions  held-out error in discs: root mean square, mean")?;
        }
        let mut shown = Shown::default();
        let trained = run.train(&self.output, &mut |event| {
            if let Some(text) = progress(event) {
                live.show(&text);
                return ControlFlow::Continue(());
            }
            live.clear();
            shown.flow(self.print(event, &mut out))
        });
        shown.conclude(trained)
    }

    fn print(&self, event: &Event, out: &mut impl Write) -> Result<()> {
        let Event::Done { phase, positions, errors } = *event else { return Ok(()) };
        let (root_mean_square, mean_absolute) = (errors.root_mean_square(), errors.mean_absolute());
        let row = Row { phase, positions, held_out: errors.positions, root_mean_square, mean_absolute };
        output::row(out, self.json, &row, || {
            let max = 60 - 2 * phase;
            format!("{:>3}-{max:<3} {positions:>10} {root_mean_square:>6.2} {mean_absolute:>6.2}", max - 1)
        })
    }
}

/// The progress of the training of a phase, in a few words.
pub(crate) fn progress(event: &Event) -> Option<String> {
    match event {
        Event::Label { phase, positions } => {
            Some(format!("phase {phase}: labels for {}", counted(*positions as u64, "position")))
        }
        Event::Read { phase, positions, .. } => {
            Some(format!("phase {phase}: {}", counted(*positions as u64, "position")))
        }
        Event::Step { phase, step } => {
            let error = step.held_out.root_mean_square();
            Some(format!("phase {phase}: step {}, held-out error {error:.3}", step.number))
        }
        Event::Done { .. } => None,
    }
}
