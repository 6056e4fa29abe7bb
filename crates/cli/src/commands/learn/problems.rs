//! `emilia learn problems`: positions of held-out games, solved exactly, as a file to measure evaluations with.

use engine::clock::Moment;
use learning::LearnError;
use learning::problem_file::ProblemFile;
use learning::problem_set::{self, Selection, candidates_of_stores};
use learning::workforce::Workforce;

use super::{Shown, command_error, threads_of, warn_of_torn};
use crate::arguments::parse_range;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia learn problems --output problems.obf all.store
  emilia learn problems --output early.obf --count 200 --empties 28-30 \\
      --weights weights.bin all.store
  emilia learn inspect --problems problems.obf --depth 1,10 \\
      --weights weights.bin

Each position comes from a different game, from a point where the player chose between several moves (the move was \
not random, nor part of the opening). No two positions are equal up to symmetry. A line of the file has the exact score with all moves that achieve it; all other moves \
are worse. The same command resumes an interrupted run, even after Ctrl-C or a power failure, and with a larger \
--count it adds more problems.";

/// Solve positions from held-out games, for measuring evaluations
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Problems {
    /// Output file, in OBF; problems are added to an existing one
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Stores of games, from `emilia learn play` or `emilia learn merge`
    #[arg(value_name = "STORES", required = true)]
    stores: Vec<PathBuf>,

    /// Number to make, including those already in the file
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = number(1..=u32::MAX))]
    count: u32,

    /// Number of empty squares: a number, or a range such as 24-26
    #[arg(long, value_name = "N", default_value = "24-26", value_parser = parse_empties)]
    empties: RangeInclusive<u32>,

    /// Random seed, for the choice of positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    seed: u64,

    /// Hold out one game in N, as in `emilia learn train`, and use only these
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number(1..=u64::MAX))]
    held_out: u64,

    /// Use only the first N games
    #[arg(long, value_name = "N", value_parser = number(1..=u64::MAX))]
    first: Option<u64>,

    /// The weights of the evaluation: a file, `shipped` or `hand-made`; they only change the time needed
    #[arg(long, value_name = "FILE", default_value = weights_choice::SHIPPED)]
    weights: WeightsChoice,

    /// Number of threads, one problem each [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=256))]
    threads: Option<u16>,

    #[command(flatten)]
    farm: FarmOptions,

    /// Print JSON: one object per problem
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    /// Number of the problem, from 1.
    problem: usize,
    /// The position.
    position: Position,
    /// Number of empty squares.
    empties: u32,
    /// Its value, which is `solved`.
    value: Option<Estimate>,
    /// All moves with that value.
    best_squares: Vec<SquareName>,
    /// Time since the start.
    seconds: f64,
}

/// The maximum number of empty squares: with more, a single problem may take a day.
const MAX_EMPTIES: u32 = 36;

fn parse_empties(text: &str) -> Result<RangeInclusive<u32>, String> {
    parse_range(text, 1..=MAX_EMPTIES).ok_or_else(|| {
        format!("{text:?} is not a number of empty squares; expected 1 to {MAX_EMPTIES}, or a range such as 24-26")
    })
}

impl Problems {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        with_evaluation!(self.weights.evaluation::<othello::Board>()?, evaluation => self.run_with(&evaluation))
    }

    fn run_with<E: CompiledSearch>(&self, evaluation: &E) -> Result<()> {
        FileRoles::new().needs_all(&self.stores).writes("--output", &self.output).check()?;
        let mut live = LiveLine::on_stderr();
        live.show("reading games");
        let selection = Selection { empties: self.empties.clone(), seed: self.seed };
        let candidates = candidates_of_stores(&self.stores, &selection, self.count as usize, self.held_out, self.first)
            .map_err(command_error)?;
        let mut file = ProblemFile::open(&self.output, &candidates)?;
        if file.was_torn() {
            warn_of_torn(&self.output, "problem is incomplete and is solved again");
        }
        let stop = interrupt::flag()?;
        let threads = threads_of(self.threads);
        let executor = self.farm.executor(threads)?;
        let workforce = Workforce::with_weights(executor.as_ref(), &self.weights, &stop);
        let (before, start) = (file.count(), Moment::now());
        let mut shown = Shown::default();
        let mut written = Ok(());
        let numbers = before..candidates.len();
        let solved = problem_set::solve(&candidates, numbers, evaluation, &workforce, |number, problem| {
            let seconds = start.elapsed().as_secs_f64();
            written = file.add(&problem);
            if written.is_err() {
                return ControlFlow::Break(());
            }
            let mut show = || {
                let (done, all) = (number + 1, candidates.len());
                live.show(&format!("{done} of {all} problems  {:.2} s each", seconds / (done - before) as f64));
                if self.json {
                    let best = problem.scores.iter().filter_map(|scored| scored.square).map(SquareName::from);
                    let row = Row {
                        problem: done,
                        position: problem.position,
                        empties: problem.position.board.empty_count(),
                        value: problem.scores.first().map(|scored| Estimate::Solved(scored.score)),
                        best_squares: best.collect(),
                        seconds,
                    };
                    output::json_row(&mut output::stdout(), &row)?;
                }
                Ok(())
            };
            shown.flow(show())
        });
        live.clear();
        shown.conclude(written.and(solved.map_err(LearnError::from)))?;
        if !self.json {
            let (count, solved) = (file.count(), file.count() - before);
            let each = start.elapsed().as_secs_f64() / solved.max(1) as f64;
            let has = format!("{} has {}", self.output.display(), counted(count as u64, "problem"));
            let mut out = output::stdout();
            writeln!(out, "{has}; {solved} solved now, {each:.2} s each")?;
            out.flush()?;
        }
        interrupt::check(&stop)?;
        ensure!(file.count() == candidates.len(), "not enough memory for the hash tables of {} threads", threads);
        Ok(())
    }
}
