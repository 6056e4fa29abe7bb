//! Searches of some depths against the exact scores of problems, for `emilia learn inspect --problems`.

use std::fs::File;
use std::io::BufReader;

use learning::pattern_fit::Errors;
use learning::search_accuracy::{self, Accuracy, SearchAnswer, SearchOptions};
use othello::Score;
use records::obf::{self, Problem};
use search::Selectivity;

use super::threads_of;
use crate::prelude::*;

pub(super) struct Comparison<'a> {
    pub(super) problems: &'a Path,
    pub(super) weights: &'a WeightsChoice,
    pub(super) depths: &'a [u32],
    pub(super) selectivity: u8,
    pub(super) threads: Option<u16>,
    pub(super) verbose: bool,
    pub(super) json: bool,
}

#[derive(Serialize)]
struct ProblemRow {
    /// Number of the problem, from 1.
    problem: usize,
    /// The position.
    position: Position,
    /// Number of empty squares.
    empties: u32,
    /// Search depth.
    depth: u32,
    /// The chosen move.
    #[serde(rename = "move")]
    square: Option<SquareName>,
    /// Its value.
    value: Estimate,
    /// The score stated in the file.
    stated: Score,
    /// The value minus the score, before the value is rounded.
    error: f64,
    /// Whether the move is one of the best; `null` without a choice.
    is_best: Option<bool>,
}

#[derive(Serialize)]
struct DepthRow {
    /// Search depth.
    depth: u32,
    /// Selectivity in percent.
    selectivity: u8,
    /// Number of problems.
    problems: u64,
    /// Problems with more than one move.
    choices: u64,
    /// Problems in which one of the best moves was chosen.
    agreeing: u64,
    /// Their share of the choices.
    agreement: f64,
    /// Mean absolute error in discs.
    mean_absolute: f64,
    /// Root mean square error in discs.
    root_mean_square: f64,
    /// Mean error in discs.
    bias: f64,
    /// Number of scores below -20.
    lost: u64,
    /// Mean error of these.
    lost_bias: f64,
    /// Number of scores above +20.
    won: u64,
    /// Mean error of these.
    won_bias: f64,
}

impl Comparison<'_> {
    pub(super) fn run(&self) -> Result<()> {
        with_evaluation!(self.weights.evaluation::<othello::Board>()?, evaluation => self.run_with(&evaluation))
    }

    fn run_with<E: CompiledSearch>(&self, evaluation: &E) -> Result<()> {
        let mut bad = BadRecords::listed();
        let problems = self.read(&mut bad)?;
        let stop = interrupt::flag()?;
        let options = SearchOptions {
            depths: self.depths.to_vec(),
            selectivity: Selectivity::from_percent(self.selectivity),
            threads: threads_of(self.threads),
        };
        let mut accuracies = vec![Accuracy::default(); self.depths.len()];
        let mut out = output::stdout();
        let mut live = LiveLine::on_stderr();
        let mut failed = None;
        let mut done = 0;
        if self.verbose && !self.json {
            writeln!(
                out,
                "{:>5} {:>7} {:>5}  {:<4} {:>7} {:>5} {:>7}  ",
                "#", "empties", "depth", "move", "value", "score", "error"
            )?;
        }
        live.show(&format!("0 of {} problems", problems.len()));
        search_accuracy::search(&problems, evaluation, &options, &stop, |index, answers| {
            done = index + 1;
            accuracies.iter_mut().zip(&answers).for_each(|(accuracy, answer)| accuracy.add(answer));
            if self.verbose || self.json {
                live.clear();
                if let Err(error) = self.print_problem(index + 1, &problems[index], &answers, &mut out) {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
            live.show(&format!("{done} of {} problems", problems.len()));
            ControlFlow::Continue(())
        });
        live.clear();
        if let Some(error) = failed {
            return Err(error);
        }
        let is_done = done == problems.len() || stop.is_set();
        ensure!(is_done, "not enough memory for the hash tables of {} threads", options.threads);
        if done > 0 {
            self.print_depths(&accuracies, options.selectivity, &mut out)?;
            out.flush()?;
        }
        if stop.is_set() {
            output::warn(&format_args!("{done} of {} problems searched so far", problems.len()));
            return Err(Interrupted.into());
        }
        bad.conclude(true, "expected lines of a board, the side to move and scores, such as G8:+18;")
    }

    fn read(&self, bad: &mut BadRecords) -> Result<Vec<Problem>> {
        let name = self.problems.display().to_string();
        let file = File::open(self.problems).with_context(|| format!("cannot read {name}"))?;
        let problems = obf::problems(BufReader::new(file), &name);
        let problems: Vec<Problem> = problems.filter_map(|problem| bad.readable(problem)).collect();
        let scored = problems.iter().filter(|problem| !problem.scores.is_empty()).count();
        ensure!(scored > 0, "{name} has no position with a score; expected lines such as {EXAMPLE}");
        if scored < problems.len() {
            let without = counted((problems.len() - scored) as u64, "position");
            output::warn(&format_args!("left out {without} of {name} without a score"));
        }
        Ok(problems)
    }

    fn print_problem(
        &self,
        number: usize,
        problem: &Problem,
        answers: &[SearchAnswer],
        out: &mut impl Write,
    ) -> Result<()> {
        let position = problem.position;
        let empties = problem.position.board.empty_count();
        for (&depth, answer) in self.depths.iter().zip(answers) {
            let (value, score, is_best) = (answer.value, answer.score.discs(), answer.is_best);
            let error = value - f64::from(score);
            let square = answer.square.map(SquareName::from);
            let row = ProblemRow {
                problem: number,
                position,
                empties,
                depth,
                square,
                value: Estimate::Discs { hundredths: (100.0 * value).round() as i32 },
                stated: answer.score,
                error,
                is_best,
            };
            output::row(out, self.json, &row, || {
                let square = square.map_or_else(|| "-".to_owned(), |square: SquareName| square.to_string());
                let mark = if is_best == Some(false) { "not among the best" } else { "" };
                let line = format!(
                    "{number:>5} {empties:>7} {depth:>5}  {square:<4} {value:>+7.2} {score:>+5} {error:>+7.2}  {mark}"
                );
                line.trim_end().to_owned()
            })?;
        }
        Ok(())
    }

    fn print_depths(&self, accuracies: &[Accuracy], selectivity: Selectivity, out: &mut impl Write) -> Result<()> {
        if !self.json {
            let names = "  depth  problems  best move  mean error  root mean square    bias  lost (bias)   won (bias)";
            writeln!(out, "{names}   (errors in discs)")?;
        }
        for (&depth, accuracy) in self.depths.iter().zip(accuracies) {
            let Accuracy { errors, choices, agreeing, lost, won } = *accuracy;
            let row = DepthRow {
                depth,
                selectivity: selectivity.percent(),
                problems: errors.positions,
                choices,
                agreeing,
                agreement: accuracy.agreement(),
                mean_absolute: errors.mean_absolute(),
                root_mean_square: errors.root_mean_square(),
                bias: errors.bias(),
                lost: lost.positions,
                lost_bias: lost.bias(),
                won: won.positions,
                won_bias: won.bias(),
            };
            output::row(out, self.json, &row, || {
                let shown = if selectivity.is_exact() { depth.to_string() } else { format!("{depth}@{selectivity}") };
                let DepthRow { problems, mean_absolute, root_mean_square, bias, .. } = row;
                let [lost, won] = [&lost, &won].map(decided);
                format!(
                    "{shown:>7} {problems:>9} {:>9.1}% {mean_absolute:>11.2} {root_mean_square:>17.2} {bias:>+7.2} \
                     {lost:>12} {won:>12}",
                    100.0 * row.agreement
                )
            })?;
        }
        Ok(())
    }
}

/// The number of decided positions, with the bias of their values.
fn decided(errors: &Errors) -> String {
    if errors.positions == 0 { "0".to_owned() } else { format!("{} ({:+.2})", errors.positions, errors.bias()) }
}

const EXAMPLE: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18;";
