//! `emilia learn inspect`: the quality of an evaluation, on held-out games and on solved problems.

use std::fs;

use learning::inspection_plots;
use learning::labels::Label;
use learning::material::Material;
use learning::pattern_fit::Errors;
use learning::weight_inspection::{Configuration, Inspection, KindReport, PhaseReport};

use super::command_error;
use crate::commands::learn::accuracy;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia learn inspect --weights weights.bin all.store
  emilia learn inspect --weights weights.bin all.store --plots plots \\
      --examples 10
  emilia learn inspect --problems problems.obf --depth 1,4,10 \\
      --weights weights.bin
  emilia learn inspect --problems fforum-40-59.obf --depth 12 --verbose

For stores, by the number of empty squares: the error on held-out games (root mean square, mean absolute, and bias, \
which is positive if values are too high), the discordance (the share of pairs of positions with different scores that \
the values order wrongly: 0% is perfect, 50% is chance), the share of weights that no position uses, and the scale \
of the winning probability (the value at which the odds are e to one).

For each pattern: its number of weights in a phase and the share of them that are never used; the mean size of the \
weights that are used; the standard deviation of its contribution to the value; and the error if its contribution were \
constant: the larger the increase, the more the pattern knows that the others do not. Then its most and least frequent \
configurations, with X for the side to move, in the order of its squares, with count and mean value. All values are in \
discs.

`emilia learn problems` makes problem files.";

/// Measure the quality of an evaluation
///
/// With stores: errors and discordance on held-out games, the value of each pattern, how often weights are used.
/// With --problems: a comparison of values and moves of searches with the exact scores of an OBF file. A move is right if the
/// file gives it the best score; if a file names only one best move, all others count as wrong. `lost` and `won` are
/// the number of scores below -20 and above +20, with the bias there. Ctrl-C stops and prints the results so far.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Inspect {
    /// Stores of games, from `emilia learn play` or `emilia learn merge`
    #[arg(value_name = "STORES", required_unless_present = "problems", conflicts_with = "problems")]
    stores: Vec<PathBuf>,

    /// The weights of the evaluation: a file, `shipped` or, with --problems, `hand-made`
    #[arg(long, value_name = "FILE", default_value = weights_choice::SHIPPED)]
    weights: WeightsChoice,

    /// Hold out one game in N, as in `emilia learn train`
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "problems", value_parser = number(1..=u64::MAX))]
    held_out: u64,

    /// Number of most and least frequent configurations to show for each pattern
    #[arg(long, value_name = "N", default_value_t = 3, conflicts_with = "problems", value_parser = number(0..=usize::MAX))]
    examples: usize,

    /// Write plots to this folder: errors, values against scores, probability of winning
    #[arg(long, value_name = "FOLDER", conflicts_with = "problems")]
    plots: Option<PathBuf>,

    /// An OBF file of positions with exact scores
    #[arg(long, value_name = "FILE")]
    problems: Option<PathBuf>,

    /// Search depth in plies: one or several, such as 1,4,10
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1", conflicts_with = "stores", value_parser = number::<u32>(1..=60))]
    depth: Vec<u32>,

    /// Confidence in percent at which branches are pruned: 73, 87, 95, 98, 99 or 100 (no pruning)
    #[arg(long, value_name = "PERCENT", default_value_t = 100, conflicts_with = "stores", value_parser = number::<u8>(1..=100))]
    selectivity: u8,

    /// Number of threads, one problem each [default: one per core]
    #[arg(long, value_name = "N", conflicts_with = "stores", value_parser = number::<u16>(1..=256))]
    threads: Option<u16>,

    /// Show every problem
    #[arg(long, short, conflicts_with = "stores")]
    verbose: bool,

    /// Print JSON: one object per phase and per pattern, or per problem and per depth
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PhaseRow {
    /// Number of the phase.
    phase: usize,
    /// Numbers of empty squares, from and to.
    empties: [usize; 2],
    /// Positions trained on.
    positions: u64,
    /// Held-out positions.
    held_out: u64,
    /// Root mean square error of these, in discs.
    root_mean_square: f64,
    /// Mean absolute error of these, in discs.
    mean_absolute: f64,
    /// Mean error of these, in discs.
    bias: f64,
    /// Share of the pairs of a won and a lost position that are ranked wrongly.
    discordance: Option<f64>,
    /// Share of weights that no position uses.
    never_met: f64,
    /// Value in discs at which the odds of winning are e to one.
    winning_scale: f64,
}

#[derive(Serialize)]
struct KindRow<'a> {
    /// Name of the pattern.
    pattern: &'a str,
    /// Number of weights.
    weights: usize,
    /// Share of weights that no position uses.
    never_met: f64,
    /// Mean weight.
    mean_weight: f64,
    /// Spread of the weights.
    spread: f64,
    /// Root mean square error without the pattern, in discs.
    error_without: f64,
    /// Most frequent configurations.
    frequent: Vec<ConfigurationRow<'a>>,
    /// Least frequent configurations.
    rare: Vec<ConfigurationRow<'a>>,
}

#[derive(Serialize)]
struct ConfigurationRow<'a> {
    /// Contents of the squares.
    squares: &'a str,
    /// Number of positions that have it.
    count: u64,
    /// Its weight.
    weight: f64,
}

impl Inspect {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        match &self.problems {
            Some(problems) => self.compare(problems),
            None => self.inspect(),
        }
    }

    fn compare(&self, problems: &Path) -> Result<()> {
        accuracy::Comparison {
            problems,
            weights: &self.weights,
            depths: &self.depth,
            selectivity: self.selectivity,
            threads: self.threads,
            verbose: self.verbose,
            json: self.json,
        }
        .run()
    }

    fn inspect(&self) -> Result<()> {
        let weights = self.weights.weights()?;
        let Some(weights) = weights else {
            bail_usage!("the hand-made evaluation has no weights to inspect; expected a file")
        };
        let mut progress = Progress::of("reading games");
        let material = Material::open(&self.stores, Label::Outcome, 0.0, None).map_err(command_error)?;
        let games = material.games();
        ensure!(games > 0, "the stores have no games");
        let mut inspection = Inspection::new(&weights);
        let show = |game| progress.show(|_| format!("{} of {} games", grouped(game), grouped(games)));
        inspection.look_at(&material, self.held_out, show).map_err(command_error)?;
        progress.clear();
        let phases = inspection.phase_reports();
        let kinds = inspection.kind_reports();
        if let Some(folder) = &self.plots {
            fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
            for (name, svg) in inspection_plots::plots(&inspection, &phases) {
                whole_file::replace(&folder.join(name), svg.as_bytes())?;
            }
        }
        let mut out = output::stdout();
        if !self.json {
            writeln!(out, "{}: {}", self.weights.id()?, counted(games, "game"))?;
        }
        self.print_phases(&phases, &mut out)?;
        self.print_kinds(&kinds, &mut out)?;
        Ok(out.flush()?)
    }

    fn print_phases(&self, phases: &[PhaseReport], out: &mut impl Write) -> Result<()> {
        if !self.json {
            let names = "empties   positions  held out  root mean square  mean error    bias";
            writeln!(out, "{names}  discordance  never met  scale")?;
        }
        for (phase, report) in phases.iter().enumerate() {
            let max = 60 - 2 * phase;
            let errors = &report.errors;
            let row = PhaseRow {
                phase,
                empties: [if max == 2 { 0 } else { max - 1 }, max],
                positions: report.positions,
                held_out: errors.positions,
                root_mean_square: errors.root_mean_square(),
                mean_absolute: errors.mean_absolute(),
                bias: errors.bias(),
                discordance: report.discordance,
                never_met: report.never_met,
                winning_scale: report.winning.scale,
            };
            output::row(out, self.json, &row, || {
                let discordance = row.discordance.map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share));
                let never_met = 100.0 * row.never_met;
                let empties = format!("{:>3}-{:<3}", row.empties[0], row.empties[1]);
                let scale = row.winning_scale;
                format!(
                    "{empties} {} {discordance:>12} {never_met:>9.1}% {scale:>6.2}",
                    in_columns(row.positions, errors)
                )
            })?;
        }
        if !self.json {
            let all: Errors = phases.iter().map(|report| report.errors).sum();
            let positions = phases.iter().map(|report| report.positions).sum();
            writeln!(out, "all     {}", in_columns(positions, &all))?;
        }
        Ok(())
    }

    fn print_kinds(&self, kinds: &[KindReport], out: &mut impl Write) -> Result<()> {
        if !self.json {
            writeln!(out, "\n{:<21} {:>7}  never met  mean weight  spread  error without", "pattern", "weights")?;
        }
        for kind in kinds {
            let &KindReport { ref name, weights, never_met, mean_weight, spread, error_without, .. } = kind;
            let most = kind.configurations.iter().take(self.examples);
            let left = kind.configurations.len().saturating_sub(self.examples);
            let least = kind.configurations.iter().rev().take(left.min(self.examples));
            if self.json {
                let [frequent, rare] = [most.map(configuration_row).collect(), least.map(configuration_row).collect()];
                let row =
                    KindRow { pattern: name, weights, never_met, mean_weight, spread, error_without, frequent, rare };
                output::json_line(out, &row)?;
                continue;
            }
            let (weights, never_met) = (grouped(weights as u64), 100.0 * never_met);
            let means = format!("{mean_weight:>12.3} {spread:>7.2} {error_without:>14.2}");
            writeln!(out, "{name:<21} {weights:>7} {never_met:>9.1}% {means}")?;
            for (word, configuration) in most.map(|most| ("often", most)).chain(least.map(|least| ("rarely", least))) {
                let Configuration { squares, count, weight } = configuration;
                writeln!(out, "    {word:<7} {squares:<10} {:>13} {weight:>+8.2}", grouped(*count))?;
            }
        }
        Ok(())
    }
}

/// Numbers of positions and the errors of held-out ones.
fn in_columns(positions: u64, errors: &Errors) -> String {
    let (positions, held_out) = (grouped(positions), grouped(errors.positions));
    let (square, mean, bias) = (errors.root_mean_square(), errors.mean_absolute(), errors.bias());
    format!("{positions:>11} {held_out:>9} {square:>17.2} {mean:>11.2} {bias:>+7.2}")
}

fn configuration_row(configuration: &Configuration) -> ConfigurationRow<'_> {
    let Configuration { squares, count, weight } = configuration;
    ConfigurationRow { squares, count: *count, weight: *weight }
}
