//! A search from the root: iterations, windows, several best lines, the line of play.

use std::sync::Arc;
use std::time::Duration;

use evaluation::{Cuts, Evaluation, ProbCut, Value};
use othello::{Rules, Square, squares};

use crate::clock::Moment;
use crate::compiled::{CompiledSearch, Next, Request};
use crate::control::Control;
use crate::pvs::Task;
use crate::selectivity::Selectivity;
use crate::transposition::{self, Table};
use crate::worker::Worker;

/// An evaluation, a table and threads, ready to search.
#[derive(Debug)]
pub struct Searcher<E> {
    /// What is remembered from one search to the next.
    pub table: Table,
    /// What positions are worth.
    pub evaluation: E,
    /// How well shallow searches predict deep ones, if not as the evaluation says.
    pub probcut: Option<Arc<ProbCut>>,
    /// How many threads search; in WebAssembly one, whatever this says.
    pub threads: usize,
}

/// What is asked about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// How many of the best moves get an exact value and a line; at least one.
    pub lines: usize,
    /// The moves to look at, or all.
    pub moves: Option<u64>,
    /// Only whether the value is below, within or above this window, in parts of a disc. A value outside is
    /// reported as the end of the window that it lies beyond.
    pub window: Option<(i32, i32)>,
}

impl Default for Question {
    fn default() -> Self {
        Self { lines: 1, moves: None, window: None }
    }
}

/// One search of the root: a depth and a selectivity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// How many plies to look ahead; the number of empty squares, or more, is to the end.
    pub depth: u32,
    /// The confidence of selective pruning.
    pub selectivity: Selectivity,
}

/// A move with what is expected to follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The value for the side to move.
    pub value: Value,
    /// The moves, the first one included; passes are left out.
    pub moves: Vec<Square>,
}

/// What an iteration found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// What was searched.
    pub iteration: Iteration,
    /// Whether the values are proven: to the end and without a cut.
    pub exact: bool,
    /// The best moves, the best first.
    pub lines: Vec<Line>,
    /// Positions looked at since the search began, as Edax and NTest count them: those entered, down to the one
    /// with a single empty square, and those made only to put the moves of an ending in order.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
}

impl<E> Searcher<E> {
    /// A searcher with a table of this many megabytes.
    pub fn new(evaluation: E, table: Table, threads: usize) -> Self {
        Self { table, evaluation, probcut: None, threads: threads.max(1) }
    }

    /// Searches a position, iteration after iteration, as `next` asks for them, and returns the last report.
    ///
    /// `next` sees the reports so far and names the next iteration, or none to end. If the control stops the
    /// search inside an iteration, what that iteration found is dropped. The first report is always there: it
    /// rates the moves by a look one ply ahead. A position where the side to move must pass is searched after
    /// the pass; one where the game is over has a report without lines.
    pub fn search<B: Rules<Set = u64>>(
        &self,
        board: &B,
        question: &Question,
        control: &Control,
        next: &mut Next<'_>,
    ) -> Report
    where
        E: CompiledSearch<B>,
    {
        let probcut = self.probcut();
        let request =
            Request { table: &self.table, probcut: &probcut, threads: self.threads, board, question, control };
        self.evaluation.search(&request, next)
    }

    /// Which searches are cut by ProbCut.
    pub fn cuts<B: Rules>(&self) -> Cuts
    where
        E: Evaluation<B>,
    {
        self.probcut().cuts
    }

    fn probcut<B: Rules>(&self) -> Arc<ProbCut>
    where
        E: Evaluation<B>,
    {
        self.probcut.clone().unwrap_or_else(|| self.evaluation.probcut())
    }

    /// The exact score of a position with its line, through rising selectivity.
    pub fn solve<B: Rules<Set = u64>>(&self, board: &B, control: &Control) -> Report
    where
        E: CompiledSearch<B>,
    {
        let empty_count = board.empties().count_ones();
        self.search(board, &Question::default(), control, &mut |reports| solving(empty_count, reports))
    }
}

/// The iterations that lead to an exact score fastest: a midgame search to order the moves, then searches to
/// the end that are ever more sure.
pub fn solving(empty_count: u32, reports: &[Report]) -> Option<Iteration> {
    let last = reports.last()?;
    if last.exact || reports.len() == 1 && empty_count == 0 {
        return None;
    }
    let midgame_depth = empty_count.saturating_sub(10).min(empty_count / 2 + 2);
    let to_the_end = |selectivity| Iteration { depth: empty_count, selectivity };
    if last.iteration.depth < empty_count && last.iteration.depth < midgame_depth {
        let depth = (last.iteration.depth + 2).min(midgame_depth);
        return Some(Iteration { depth, selectivity: Selectivity::LOWEST });
    }
    if empty_count < 18 {
        return Some(to_the_end(Selectivity::EXACT));
    }
    if last.iteration.depth < empty_count {
        return Some(to_the_end(Selectivity::LOWEST));
    }
    // Every step costs a part of the proof that it prepares: the longer the proof, the more steps pay.
    let steps: &[u8] = match empty_count {
        0..24 => &[73],
        24..28 => &[73, 87],
        _ => &[73, 87, 95, 98],
    };
    let done = last.iteration.selectivity.percent();
    let next = steps
        .iter()
        .find(|&&percent| percent > done)
        .map_or(Selectivity::EXACT, |&percent| Selectivity::from_percent(percent));
    Some(to_the_end(next))
}

/// The report as the other side sees it.
pub(crate) fn negated(mut report: Report) -> Report {
    for line in &mut report.lines {
        line.value = -line.value;
    }
    report
}

/// The state of a search at its root.
pub(crate) struct Root<'r, 'a, B: Rules<Set = u64>, E: Evaluation<B>> {
    worker: &'r mut Worker<'a, B, E>,
    board: B,
    question: &'r Question,
    start: Moment,
    reports: Vec<Report>,
}

impl<'r, 'a, B: Rules<Set = u64>, E: Evaluation<B>> Root<'r, 'a, B, E>
where
    E::Features: Sync,
{
    pub(crate) fn new(worker: &'r mut Worker<'a, B, E>, board: B, question: &'r Question, start: Moment) -> Self {
        Self { worker, board, question, start, reports: Vec::new() }
    }

    /// Searches as often as `next` asks for it, and returns the last report.
    pub(crate) fn search(mut self, next: &mut Next<'_>) -> Report {
        self.glance();
        while let Some(iteration) = next(&self.reports) {
            if self.reports[0].lines.is_empty() || !self.iterate(iteration) {
                break;
            }
        }
        self.reports.pop().expect("there is a first report")
    }

    fn allowed(&self) -> u64 {
        self.board.moves() & self.question.moves.unwrap_or(u64::MAX)
    }

    fn task(&self, board: B, iteration: Iteration) -> Task<B, E::Features> {
        let features = self.worker.shared.evaluation.features(&board);
        let depth = iteration.depth.max(1).min(board.empties().count_ones());
        Task { board, features, depth, selectivity: iteration.selectivity }
    }

    /// Rates the moves by a look one ply ahead, whatever the clock says.
    fn glance(&mut self) {
        let evaluation = self.worker.shared.evaluation;
        let mut lines: Vec<Line> = squares(self.allowed())
            .map(|square| {
                let after = self.board.after(square, self.board.flips(square));
                let value = if after.is_over() {
                    -Value::of_score(after.final_score())
                } else {
                    -evaluation.evaluate(&after, &evaluation.features(&after))
                };
                Line { value, moves: vec![square] }
            })
            .collect();
        lines.sort_by_key(|line| -line.value);
        lines.truncate(self.question.lines.max(1));
        let exact = self.board.is_over();
        self.report(Iteration { depth: 1, selectivity: Selectivity::EXACT }, exact, lines);
    }

    fn report(&mut self, iteration: Iteration, exact: bool, lines: Vec<Line>) {
        let nodes = self.worker.look();
        self.reports.push(Report { iteration, exact, lines, nodes, elapsed: self.start.elapsed() });
    }

    /// Searches once; whether it came to its end.
    fn iterate(&mut self, iteration: Iteration) -> bool {
        let mut remaining = self.allowed();
        let mut lines: Vec<Line> = Vec::new();
        let wanted = self.question.lines.clamp(1, remaining.count_ones() as usize);
        let task = self.task(self.board, iteration);
        let to_the_end = task.depth >= self.board.empties().count_ones();
        let exact = to_the_end && iteration.selectivity.is_exact();
        for index in 0..wanted {
            let guess = self.reports.last().and_then(|report| report.lines.get(index)).map(|line| line.value.parts());
            // A later line is at most as good as the one before it.
            let most = lines.last().map_or(Value::INFINITE.parts(), |line| line.value.parts() + 1);
            let Some((value, square)) = self.aspire(&task, guess, most, remaining, to_the_end) else { return false };
            remaining &= !square.bit();
            let value = Value::new(value);
            let after = self.board.after(square, self.board.flips(square));
            let mut moves = vec![square];
            if exact && self.question.window.is_none() {
                moves.extend(self.exact_line(after, -value.parts()));
            } else {
                moves.extend(self.worker.line_from_table(after));
            }
            if self.worker.interrupted() {
                return false;
            }
            lines.push(Line { value, moves });
        }
        lines.sort_by_key(|line| -line.value);
        self.report(iteration, exact, lines);
        true
    }

    /// Searches the root with a window around the guess, wider and wider until the value lies inside.
    fn aspire(
        &mut self,
        task: &Task<B, E::Features>,
        guess: Option<i32>,
        most: i32,
        allowed: u64,
        to_the_end: bool,
    ) -> Option<(i32, Square)> {
        let infinite = Value::INFINITE.parts();
        let (floor, ceiling) = self.question.window.unwrap_or((-infinite, infinite));
        let ceiling = ceiling.min(most);
        // When the line before lies below the window, so does this one.
        let floor = floor.min(ceiling - 1);
        // Final scores are even: a window of one disc around an even number asks for that score alone.
        let mut margin = if to_the_end && task.selectivity.is_exact() { Value::PER_DISC } else { 2 * Value::PER_DISC };
        let guess = match guess {
            Some(guess) if to_the_end => {
                (guess as f32 / (2 * Value::PER_DISC) as f32).round() as i32 * 2 * Value::PER_DISC
            }
            Some(guess) => guess,
            None => 0,
        };
        let (mut alpha, mut beta) = if task.depth < 5 {
            (floor, ceiling)
        } else {
            ((guess - margin).clamp(floor, ceiling - 1), (guess + margin).clamp(floor + 1, ceiling))
        };
        loop {
            if alpha >= beta {
                alpha = beta - 1;
            }
            let value = self.worker.node(task, alpha, beta, Some(allowed));
            if self.worker.interrupted() {
                return None;
            }
            margin *= 2;
            if value <= alpha && alpha > floor {
                // A selective search may contradict itself for ever: in the end the widest window decides.
                beta = if margin > 2 * infinite { ceiling } else { alpha + 1 };
                alpha = (value - margin).max(floor);
            } else if value >= beta && beta < ceiling {
                alpha = if margin > 2 * infinite { floor } else { beta - 1 };
                beta = (value + margin).min(ceiling);
            } else {
                let square = self.worker.root_move.unwrap_or_else(|| squares(allowed).next().expect("a legal move"));
                // Beyond an asked window the value is only a bound, and the next line needs a window too.
                let value = self.question.window.map_or(value, |(low, high)| value.clamp(low, high));
                return Some((value, square));
            }
        }
    }

    /// The line of best play from a position whose exact value is known, to the last disc.
    fn exact_line(&mut self, mut board: B, mut value: i32) -> Vec<Square> {
        let mut line = Vec::new();
        loop {
            if !board.can_move() {
                board = board.pass();
                value = -value;
                if !board.can_move() {
                    return line;
                }
            }
            let iteration = Iteration { depth: board.empties().count_ones(), selectivity: Selectivity::EXACT };
            let task = self.task(board, iteration);
            let (player, opponent) = (board.player(), board.opponent());
            let known =
                self.worker.shared.table.probe(player, opponent, transposition::hash::<B>(player, opponent)).filter(
                    |entry| {
                        entry.covers(task.depth as u8, Selectivity::EXACT.level())
                            && entry.lower.parts() == value
                            && entry.upper.parts() == value
                    },
                );
            let square = match known.and_then(|entry| entry.moves[0]) {
                Some(square) => square,
                None => {
                    self.worker.node(&task, value - 1, value + 1, Some(board.moves()));
                    match self.worker.root_move {
                        Some(square) if !self.worker.interrupted() => square,
                        _ => return line,
                    }
                }
            };
            let Some(after) = board.play(square) else { return line };
            line.push(square);
            board = after;
            value = -value;
        }
    }
}
