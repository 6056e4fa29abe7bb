//! Emilia: the modern player, a search under limits of any kind.

use std::marker::PhantomData;
use std::time::Duration;

use evaluation::{EvaluatedBoard, Value};
use othello::{Board, Game};
use search::{CompiledSearch, Control, Line, Question, Report, SearchableBoard, Searcher, Table, TableError};

use crate::clock::Moment;
use crate::deepening::Deepening;
use crate::effort::Effort;
use crate::{Choice, Chosen, Estimate, Level, Limits, Observer, Overhead, Player, PlayerError, Progress, Stop};

/// How an Emilia is set up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// The size of the transposition table.
    pub table_megabytes: usize,
    /// How many threads search.
    pub threads: usize,
    /// The level to play at when no limit is given; without it, a position is then searched to its end.
    pub usual_level: Option<Level>,
    /// Decides what the lowest levels leave to chance.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { table_megabytes: 64, threads: 1, usual_level: None, seed: 0 }
    }
}

/// The modern player of the 8x8 board and of the smaller ones.
///
/// ```
/// use engine::{Emilia, Limits, Options, Player, Silent, Stop};
/// use othello::Game;
///
/// let mut emilia = Emilia::new(&Options { table_megabytes: 1, ..Options::default() })?;
/// let choice = emilia.choose(&Game::new(), &Limits::of_depth(6), &mut Silent, &Stop::new())?;
/// assert_eq!(choice.depth, 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Emilia<B: SearchableBoard = Board, E = <B as EvaluatedBoard>::Shipped> {
    searcher: Searcher<E>,
    threads: usize,
    usual_level: Option<Level>,
    seed: u64,
    effort: Effort,
    overhead: Overhead,
    // The table does not know one board's positions from another's, so a player has one board.
    board: PhantomData<fn(B)>,
}

#[cfg(feature = "shipped-weights")]
impl<B: SearchableBoard> Emilia<B> {
    /// A player with the evaluation that ships with the program and an empty table.
    pub fn new(options: &Options) -> Result<Self, TableError> {
        Self::with_evaluation(B::shipped(), options)
    }
}

impl<B: SearchableBoard, E: CompiledSearch<B>> Emilia<B, E> {
    /// A player that judges positions by this evaluation.
    pub fn with_evaluation(evaluation: E, options: &Options) -> Result<Self, TableError> {
        let Options { table_megabytes, threads, usual_level, seed } = *options;
        let table = Table::new(table_megabytes)?;
        let threads = threads.max(1);
        Ok(Self {
            searcher: Searcher::new(evaluation, table, threads),
            threads,
            usual_level,
            seed,
            effort: Effort::default(),
            overhead: Overhead::default(),
            board: PhantomData,
        })
    }

    /// Searches a position under limits and answers the question about it.
    ///
    /// The observer sees every line of every iteration. When the flag is set, the search ends within
    /// 10 ms, with the report of the last iteration that was done: at least a look one move ahead.
    pub fn study(
        &mut self,
        board: &B,
        question: &Question,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<Report, PlayerError> {
        let start = Moment::now();
        let level = self.level(limits)?;
        let cuts = self.searcher.cuts();
        let deepening = Deepening::new(board.empties().count_ones(), limits, level, self.effort, cuts);
        let allocation = deepening.allocation();
        let mut control = Control::new().with_stop(stop.clone());
        if let Some(allocation) = allocation {
            control = control.with_time(allocation.alarm()).map_err(unsupported)?;
        }
        if let Some(nodes) = limits.nodes {
            control = control.with_nodes(nodes);
        }
        let thinks = allocation.is_none_or(|allocation| allocation.allows_thought());
        // Helpers take longer to begin than such a search takes.
        let is_brief = allocation.is_some_and(|allocation| allocation.alarm() < Self::WORTH_THREADS);
        self.searcher.threads = if is_brief { 1 } else { self.threads };
        let mut told = 0;
        let mut report = self.searcher.search(board, question, &control, &mut |reports| {
            for report in &reports[told..] {
                tell(report, question, observer);
            }
            told = reports.len();
            if thinks { deepening.next(reports) } else { None }
        });
        self.effort.learn(&report, report.iteration.depth >= board.empties().count_ones());
        // What an iteration took that was not finished counts too.
        report.elapsed = start.elapsed();
        report.nodes = report.nodes.max(control.nodes());
        if let Some(allocation) = allocation {
            self.effort.learn_delay(report.elapsed.saturating_sub(allocation.alarm()));
        }
        Ok(report)
    }

    /// The shortest time for which it is worth calling other threads.
    const WORTH_THREADS: Duration = Duration::from_millis(5);

    /// The level to play at, if it is one of the limits or the only one.
    fn level(&self, limits: &Limits) -> Result<Option<Level>, PlayerError> {
        match limits.level {
            Some(number) => Level::new(number).map(Some).map_err(unsupported),
            None if *limits == Limits::default() => Ok(self.usual_level),
            None => Ok(None),
        }
    }

    /// The line that is best if every value errs by up to so many discs, at random but always the same
    /// for one position and seed.
    fn wavering_choice<'r>(&self, board: &B, lines: &'r [Line], discs: f32) -> Option<&'r Line> {
        let error = |line: &Line| {
            let square = line.moves.first()?;
            let after = board.play(*square)?;
            let bits = Board::new(after.player(), after.opponent() ^ self.seed & !after.player()).hash64();
            let unit = (bits >> 40) as f32 / (1 << 24) as f32;
            Some((2.0 * unit - 1.0) * discs)
        };
        lines.iter().max_by_key(|line| line.value + Value::from_discs(error(line).unwrap_or(0.0)))
    }
}

/// What the player is called.
pub(crate) const NAME: &str = "emilia";

impl<B: SearchableBoard, E: CompiledSearch<B>> Player<B> for Emilia<B, E> {
    fn name(&self) -> &str {
        NAME
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.searcher.table.clear();
        self.overhead.new_game();
        self.effort.new_game();
        Ok(())
    }

    fn choose(&mut self, game: &Game<B>, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Chosen {
        let start = Moment::now();
        if let Some(clock) = &limits.clock {
            self.overhead.look(clock, game.move_count());
            self.effort.learn_overhead(self.overhead.of_move());
            self.effort.learn_clock(clock.remaining);
        }
        let board = game.position().board;
        let wavering = self.level(limits)?.map_or(0.0, Level::wavering);
        let lines = if wavering > 0.0 { usize::MAX } else { 1 };
        let question = Question { lines, ..Question::default() };
        let forced = board.moves().count_ones() == 1;
        // Nothing is to be decided, and the clock runs.
        let limits = if forced && limits.clock.is_some() { Limits { depth: Some(1), ..*limits } } else { *limits };
        let report = self.study(&board, &question, &limits, observer, stop)?;
        let chosen = if wavering > 0.0 && !report.exact {
            self.wavering_choice(&board, &report.lines, wavering)
        } else {
            report.lines.first()
        };
        let line = chosen.ok_or(PlayerError::GameOver)?;
        let square = *line.moves.first().ok_or(PlayerError::GameOver)?;
        self.overhead.used(start.elapsed());
        Ok(Choice {
            square,
            value: Some(Estimate::of_line(&report, line, &question)),
            line: line.moves.clone(),
            depth: report.iteration.depth,
            nodes: report.nodes,
            time: report.elapsed,
        })
    }

    /// Looks at all of the moves together.
    fn value_moves(
        &mut self,
        game: &Game<B>,
        count: usize,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<Vec<Progress>, PlayerError> {
        let question = Question { lines: count.max(1), ..Question::default() };
        let report = self.study(&game.position().board, &question, limits, observer, stop)?;
        if report.lines.is_empty() {
            return Err(PlayerError::GameOver);
        }
        Ok(Progress::of_report(&report, &question).collect())
    }
}

/// A limit that it cannot obey.
fn unsupported(reason: impl ToString) -> PlayerError {
    PlayerError::Unsupported { player: NAME.to_owned(), reason: reason.to_string() }
}

/// Reports every line of an iteration.
fn tell(report: &Report, question: &Question, observer: &mut dyn Observer) {
    for progress in Progress::of_report(report, question) {
        observer.report(&progress);
    }
}
