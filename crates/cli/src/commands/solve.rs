//! `emilia solve`: exact scores of positions near the end, or of small boards from their start.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::marker::PhantomData;

use control::Control;
use engine::solution::{self, Inquiry, Solution, SolveEnding, SolvedLine};
use jobs::Job;
use othello::{Score, SquareSet};
use players::solve_job::{self, SolveWork};
use records::RecordError;
use records::obf::{self, Problem};
use search::{SearchableBoard, Searcher};
use terminal::live_line::SearchLine;

use crate::arguments::{EvaluationArguments, parse_range, with_searched_board};
use crate::output::long_solve;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia solve problems.obf                  every problem of a file; scores in
                                             the file are checked
  emilia solve problems.obf --problems 1-10 --threads 2 --hash 1024
                                             the first ten, with two threads and
                                             a hash table of 1 GB
  emilia solve problems.obf --all-moves      the score of every move
  emilia solve problems.obf --wld            only win, loss or draw: faster
  emilia solve problems.obf --verify         solved again in other ways, as a
                                             check
  emilia solve game.sgf --move 45            a position of a game
  emilia solve --board 4 start               the whole 4x4 game
  emilia solve --board 6 start --threads 2   the whole 6x6 game, in minutes
  emilia solve - < problems.obf              from standard input
  emilia solve --json \\
      ------------------X-----XXO--XXXXXOOXXXXXOXXXXXOOXXXXXOOXXXXXOOX O
                                             one position";

/// Solve positions: exact score, best move and best line of play to the end of the game.
///
/// A FILE of OBF problems has one problem per line: 64 characters X, O and -, the side to move, and after
/// semicolons the scores of moves, such as G8:+18. A score is the disc difference for the side to move,
/// with empty squares counted for the winner. If a score in the file differs from what the solver finds, the exit
/// code is 1. The solver always plays its line to the end to check that it leads to the score.
///
/// In a FILE of games (GGF, SGF, Thor, transcripts), the position after the last move of the first game is solved;
/// --game N and --move N choose another.
///
/// Ctrl-C stops the search and prints what has been found so far. Before a position that takes long, a warning on standard
/// error estimates how long.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Solve {
    #[command(flatten)]
    subject: Subject,

    /// Find only whether the position is won, lost or drawn
    #[arg(long)]
    wld: bool,

    /// Find the score of every move, not only of the best
    #[arg(long)]
    all_moves: bool,

    /// Solve only these problems from the file, such as 7 or 1-10
    #[arg(long, value_name = "N[-M]", value_parser = parse_problems)]
    problems: Option<RangeInclusive<usize>>,

    /// Solve again with another hash table size, another number of threads and without selective searches, and compare
    #[arg(long)]
    verify: bool,

    #[command(flatten)]
    evaluation: EvaluationArguments,

    #[command(flatten)]
    farm: FarmOptions,

    /// Print JSON: one object per problem and one for the total
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(bound = "")]
struct Row<B: Rules> {
    /// Number of the problem in the file, from 1.
    problem: usize,
    /// The position.
    position: Position<B>,
    /// Number of empty squares.
    empties: u32,
    /// The best move; its key `stated` is the best score of the file, and `agrees` is about all moves.
    #[serde(flatten)]
    best: AnswerRow<B>,
    /// Positions visited.
    nodes: u64,
    /// Time taken.
    seconds: f64,
    /// Positions visited per second.
    nodes_per_second: f64,
    /// Whether it was solved again in other ways (`--verify`).
    verified: bool,
    /// With `--all-moves` every move, the best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    all_moves: Vec<AnswerRow<B>>,
}

#[derive(Serialize)]
#[serde(bound = "")]
struct AnswerRow<B: Rules> {
    /// Best move; `null` for a pass or if the game is over.
    #[serde(rename = "move")]
    square: Option<SquareName<B>>,
    /// Value: `solved`, or `proven` with `--wld`.
    value: Estimate,
    /// Best play to the end.
    line: MoveSequence<B>,
    /// Best score stated in the file, in discs for the side to move.
    stated: Option<Score>,
    /// Whether everything stated is right.
    agrees: bool,
}

impl<B: Rules> From<&SolvedLine> for AnswerRow<B> {
    fn from(answer: &SolvedLine) -> Self {
        let SolvedLine { square, value, ref line, stated } = *answer;
        let square = square.map(SquareName::from);
        Self { square, value, line: line.clone().into(), stated, agrees: answer.agrees() }
    }
}

#[derive(Serialize, Default)]
struct Total {
    /// Number of problems.
    problems: usize,
    /// Number of problems with a score in the file.
    stated: usize,
    /// Number of those whose scores are right.
    agreeing: usize,
    /// Positions visited.
    nodes: u64,
    /// Time taken.
    seconds: f64,
    /// Positions visited per second.
    nodes_per_second: f64,
}

impl Total {
    fn add(&mut self, solution: &Solution) {
        self.problems += 1;
        self.stated += usize::from(solution.stated.is_some());
        self.agreeing += usize::from(solution.stated.is_some() && solution.agrees());
        self.add_search(solution.nodes, solution.seconds);
    }

    /// Adds what a search took, also one that was interrupted.
    fn add_search(&mut self, nodes: u64, seconds: f64) {
        self.nodes += nodes;
        self.seconds += seconds;
        self.nodes_per_second = self.nodes as f64 / self.seconds.max(1e-9);
    }
}

#[derive(Default)]
struct Sum {
    total: Total,
    /// Number of problems whose file has other scores.
    differing: usize,
    has_header: bool,
}

fn parse_problems(text: &str) -> Result<RangeInclusive<usize>, String> {
    let problem = || format!("not a range of problems: {text:?}; expected a number or a range, such as 7 or 1-10");
    parse_range(text, 1..=usize::MAX).ok_or_else(problem)
}

impl Solve {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        with_searched_board!(self.evaluation.board, B => self.run_on::<B>())
    }

    fn inquiry(&self) -> Inquiry {
        Inquiry { outcome_only: self.wld, all_moves: self.all_moves, verify: self.verify }
    }

    fn run_on<B: RecordedBoard + SearchableBoard>(&self) -> Result<()> {
        if let Some(path) = self.subject.file() {
            FileRoles::new().reads("", path).check()?;
            let is_input = self.subject.is_standard_input();
            let name = if is_input { "standard input".to_owned() } else { path.display().to_string() };
            ensure!(is_input || !path.is_dir(), "{name} is a folder; expected a file of problems");
            let holds_games = if is_input { input_holds_games() } else { file_holds_games(path) };
            if !holds_games.with_context(|| format!("cannot read {name}"))? {
                ensure_usage!(
                    !self.subject.chooses(),
                    "{name} holds problems, not games; use --problems N to choose one"
                );
                if is_input {
                    return self.solve_problems::<B>(io::stdin().lock(), &name);
                }
                let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
                return self.solve_problems::<B>(BufReader::new(file), &name);
            }
        }
        let position: Position<B> = self.subject.position()?;
        ensure_usage!(self.problems.is_none(), "--problems needs a file of problems");
        let problem = Problem { position, scores: Vec::new(), comment: String::new() };
        with_evaluation!(self.evaluation.weights.evaluation::<B>()?, evaluation => {
            self.solve_with(evaluation, std::iter::once(Ok(problem)))
        })
    }

    /// Solves the problems of a stream; `name` is what messages call it.
    fn solve_problems<B: SearchableBoard>(&self, stream: impl BufRead, name: &str) -> Result<()> {
        let problems = obf::problems::<_, B>(stream, name);
        with_evaluation!(self.evaluation.weights.evaluation::<B>()?, evaluation => {
            self.solve_with(evaluation, problems)
        })
    }

    fn solve_with<B: Rules<Set = u64>, E: CompiledSearch<B>>(
        &self,
        evaluation: E,
        problems: impl Iterator<Item = Result<Problem<B>, RecordError>>,
    ) -> Result<()> {
        if self.farm.is_given() {
            return self.solve_elsewhere(evaluation, problems);
        }
        self.solve_all(&self.evaluation.search.searcher(evaluation)?, problems)
    }

    /// Lets the workers of a farm solve the problems, each with one thread.
    fn solve_elsewhere<B: Rules<Set = u64>, E: CompiledSearch<B>>(
        &self,
        evaluation: E,
        problems: impl Iterator<Item = Result<Problem<B>, RecordError>>,
    ) -> Result<()> {
        let stop = interrupt::flag()?;
        let mut bad = BadRecords::listed();
        let hash = self.evaluation.search.hash;
        let work = SolveWork { evaluation, hash, inquiry: self.inquiry(), board: PhantomData };
        let executor = self.farm.executor(1)?;
        let mut wanted = Vec::new();
        for (index, problem) in problems.enumerate().filter(|(index, _)| self.is_wanted(index + 1)) {
            wanted.extend(bad.readable(problem).map(|problem| (index + 1, problem)));
        }
        if let Some((_, hardest)) = wanted.iter().max_by_key(|(_, problem)| problem.position.board.empties().count()) {
            long_solve::warn(&hardest.position.board, 1);
        }
        let texts: Vec<String> = wanted.iter().map(|(_, problem)| problem.to_string()).collect();
        let weights = &self.evaluation.weights;
        let definition = || solve_job::definition::<B>(weights, hash, &work.inquiry, &texts);
        let job = Job { work: &work, items: &|index| texts[index as usize].clone(), definition: &definition };
        let mut out = output::stdout();
        let mut sum = Sum::default();
        let mut shown = Ok(());
        let solved = job.run(executor.as_ref(), 0..texts.len() as u64, &stop, |index, solution| {
            let (number, problem) = &wanted[index as usize];
            let solution = solution.solution().map_err(|sentence| anyhow!("problem {number}: {sentence}"));
            shown = solution.and_then(|solution| self.show(problem, *number, &solution, &mut sum, &mut out));
            if shown.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        shown?;
        solved?;
        if stop.is_set() {
            self.print_total(&sum.total, &mut out)?;
            return Err(Interrupted.into());
        }
        self.conclude(&sum, bad, &mut out)
    }

    fn is_wanted(&self, number: usize) -> bool {
        self.problems.as_ref().is_none_or(|range| range.contains(&number))
    }

    fn show<B: Rules<Set = u64>>(
        &self,
        problem: &Problem<B>,
        number: usize,
        solution: &Solution,
        sum: &mut Sum,
        out: &mut impl Write,
    ) -> Result<()> {
        self.show_header(sum, out)?;
        self.print::<B>(problem, number, solution, out)?;
        sum.total.add(solution);
        sum.differing += usize::from(!solution.agrees());
        Ok(out.flush()?)
    }

    fn show_header(&self, sum: &mut Sum, out: &mut impl Write) -> Result<()> {
        if !sum.has_header && !self.json {
            writeln!(out, "{}", header(self.wld))?;
            out.flush()?;
        }
        sum.has_header = true;
        Ok(())
    }

    /// Prints the total, and reports problems as an error.
    fn conclude(&self, sum: &Sum, bad: BadRecords, out: &mut impl Write) -> Result<()> {
        let Sum { total, differing, .. } = sum;
        ensure!(bad.count > 0 || total.problems > 0, "no problem to solve");
        self.print_total(total, out)?;
        bad.conclude(true, "expected lines with a board, the side to move and scores, such as G8:+18;")?;
        let problems = counted(total.problems as u64, "problem");
        let verb = if *differing == 1 { "differs" } else { "differ" };
        ensure!(*differing == 0, "{differing} of {problems} {verb} from the file");
        Ok(())
    }

    fn solve_all<B: Rules<Set = u64>, E: CompiledSearch<B>>(
        &self,
        searcher: &Searcher<E>,
        problems: impl Iterator<Item = Result<Problem<B>, RecordError>>,
    ) -> Result<()> {
        let stop = interrupt::flag()?;
        let mut bad = BadRecords::listed();
        let mut out = output::stdout();
        let mut sum = Sum::default();
        for (index, problem) in problems.enumerate().filter(|(index, _)| self.is_wanted(index + 1)) {
            let number = index + 1;
            let Some(problem) = bad.readable(problem) else { continue };
            self.show_header(&mut sum, &mut out)?;
            long_solve::warn(&problem.position.board, searcher.threads as u16);
            match self.solve_one(searcher, &problem, number, &stop).with_context(|| format!("problem {number}"))? {
                SolveEnding::Solved(solution) => self.show(&problem, number, &solution, &mut sum, &mut out)?,
                SolveEnding::Interrupted(report) => {
                    if !self.json {
                        let line = report.lines.first().map_or(String::new(), |line| output::names::<B>(&line.moves));
                        writeln!(out, "{number:>4}  not solved; so far {} {line}", solution::summary(&report))?;
                    }
                    sum.total.add_search(report.nodes, report.elapsed.as_secs_f64());
                    self.print_total(&sum.total, &mut out)?;
                    return Err(Interrupted.into());
                }
            }
        }
        self.conclude(&sum, bad, &mut out)
    }

    fn solve_one<B: Rules<Set = u64>, E: CompiledSearch<B>>(
        &self,
        searcher: &Searcher<E>,
        problem: &Problem<B>,
        number: usize,
        stop: &engine::Stop,
    ) -> Result<SolveEnding> {
        let empties = problem.position.board.empties().count();
        let title = format!("#{number}: {empties} empties");
        let control = Arc::new(Control::new().with_stop(stop.clone()));
        let line = SearchLine::start(Arc::clone(&control), title.clone());
        let mut tell = |words: &str| line.update(format!("{title}  {words}"));
        Ok(solution::solve(searcher, problem, &self.inquiry(), &control, &mut tell)?)
    }

    fn print<B: Rules<Set = u64>>(
        &self,
        problem: &Problem<B>,
        number: usize,
        solution: &Solution,
        out: &mut impl Write,
    ) -> Result<()> {
        let Some(best) = solution.answers.first() else { return Ok(()) };
        let empties = problem.position.board.empties().count();
        let speed = solution.nodes as f64 / solution.seconds.max(1e-9);
        if self.json {
            let row = Row {
                problem: number,
                position: problem.position,
                empties,
                best: AnswerRow { stated: solution.stated, agrees: solution.agrees(), ..best.into() },
                nodes: solution.nodes,
                seconds: solution.seconds,
                nodes_per_second: speed,
                verified: self.verify,
                all_moves: solution.answers.iter().filter(|_| self.all_moves).map(AnswerRow::from).collect(),
            };
            return output::json_line(out, &row);
        }
        let columns = wrapping::columns(&io::stdout());
        let line = wrapping::wrapped_moves::<B>(&best.line, columns, LINE_COLUMN, INDENT);
        let (square, value) = (name_of::<B>(best.square), best.value.to_string());
        let (nodes, seconds, speed) = (grouped(solution.nodes), solution.seconds, speed / 1e6);
        let cost = format!("{nodes:>15} {seconds:>9.3} {speed:>7.1} M");
        writeln!(out, "{number:>4} {empties:>8}  {square:<5} {value:>5} {cost}  {line}")?;
        if self.all_moves {
            let moves: Vec<_> = solution.answers.iter().map(described::<B>).collect();
            writeln!(out, "{:INDENT$}{}", "", moves.join("  "))?;
        }
        if !solution.agrees() {
            let scores = problem.scores.iter();
            let stated = scores.map(|scored| format!("{} {}", name_of::<B>(scored.square), scored.score));
            let stated: Vec<_> = stated.collect();
            writeln!(out, "{:INDENT$}but the file says {}", "", stated.join("  "))?;
        }
        Ok(())
    }

    fn print_total(&self, total: &Total, out: &mut impl Write) -> Result<()> {
        output::row(out, self.json, total, || {
            let &Total { problems, stated, agreeing, nodes, seconds, nodes_per_second } = total;
            let agreement = match (stated, agreeing) {
                (0, _) => String::new(),
                (stated, agreeing) if stated == agreeing => ", all as the file says".to_owned(),
                (stated, agreeing) => format!(", {agreeing} of {stated} as the file says"),
            };
            let verified = if self.verify { ", solved again in three ways" } else { "" };
            let (solved, nodes) = (counted(problems as u64, "problem"), counted(nodes, "node"));
            let speed = nodes_per_second / 1e6;
            format!("{solved}{agreement}{verified}: {nodes}, {seconds:.3} s, {speed:.1} M nodes/s")
        })
    }
}

/// Whether standard input holds games and not problems, by how it begins; nothing of it is used up.
fn input_holds_games() -> io::Result<bool> {
    // Problems begin with a board, and there is no name that could say otherwise.
    Ok(Format::detect(io::stdin().lock().fill_buf()?) != Format::Obf)
}

/// Whether a file holds games and not problems, by its name or else by how it begins.
fn file_holds_games(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(match (Format::from_path(path), Format::detect(&head)) {
        (Some(Format::Obf), _) => false,
        (Some(Format::Ggf | Format::Sgf | Format::Thor), _) | (_, Format::Ggf | Format::Sgf | Format::Thor) => true,
        // Problems may be in any text file, with words before them.
        (of_name, of_content) => of_name == Some(Format::Transcript) && of_content == Format::Transcript,
    })
}

/// Number of bytes of a file that decide its kind.
const HEAD: u64 = 1 << 14;

/// The columns where the line of play begins and where it goes on below.
const LINE_COLUMN: usize = 61;
const INDENT: usize = 15;

fn header(wld: bool) -> String {
    let worth = if wld { "ends" } else { "score" };
    format!(
        "{:>4} {:>8}  {:<5} {worth:>5} {:>15} {:>9} {:>9}  line",
        "#", "empties", "move", "nodes", "seconds", "nodes/s"
    )
}

fn name_of<B: Rules>(square: Option<Square>) -> String {
    square.map_or("pass".to_owned(), |square| B::GEOMETRY.square_name(square))
}

fn described<B: Rules>(answer: &SolvedLine) -> String {
    let mark = if answer.agrees() { "" } else { "!" };
    format!("{} {}{mark}", name_of::<B>(answer.square), answer.value)
}
