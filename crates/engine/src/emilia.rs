//! Emilia: the modern player, a search under limits of any kind.
//!
//! # Parts
//!
//! `Emilia` (`emilia.rs`) is the modern player: a `search::Searcher` with the evaluation of `evaluation`, under limits
//! of any kind, at levels 0 to 60, below 5 also at half levels. `levels.rs` defines the levels, `weak_play.rs` how
//! those below 5 play (a judgment that mixes a beginner's ideas with the evaluation, limited attention, a short
//! look-ahead, a temperature), `level_cost.rs` estimates their cost, `time_management.rs` decides what share of the
//! clock a move gets and when to start another iteration (BILL's 40/100/108% rule), `search_cost.rs` estimates how many
//! nodes it takes to solve a given number of empty squares, and `deepening.rs` combines them: which search of the root
//! comes next. All of these are plain functions, tested without a clock. `overhead.rs` measures the time that a move
//! costs besides thinking (a pipe, a server), and `search_cost.rs` also measures how late a search stops after its deadline
//! on a busy machine; both are deducted before a move gets its share.
//!
//! `bench.rs` has the fixed searches whose node count is the signature of the search, for `emilia bench` and for other
//! builds.

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use control::Control;
use evaluation::EvaluatedBoard;
use othello::{Board, Game};
use search::{CompiledSearch, HashTable, HashTableError, Question, SearchReport, SearchableBoard, Searcher};

use crate::clock::Moment;
use crate::deepening::Deepening;
use crate::search_cost::SearchCost;
use crate::time_management::Allocation;
use crate::{
    Choice, Chosen, Estimate, Form, GameClock, Level, Limits, Observer, Overhead, Player, PlayerError, Progress, Stop,
    WeakPlay, WeakPlayer,
};

/// Options of Emilia.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// The size of the transposition table.
    pub table_megabytes: usize,
    /// Number of search threads.
    pub threads: usize,
    /// The level to play at when no limit is given; without it, a position is then searched to its end.
    pub default_level: Option<Level>,
    /// Decides what the weak levels leave to chance.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { table_megabytes: 64, threads: 1, default_level: None, seed: 0 }
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
    default_level: Option<Level>,
    seed: u64,
    /// Number of games begun.
    games: u64,
    effort: SearchCost,
    overhead: Overhead,
    /// The table does not distinguish the positions of different boards, so a player has one board.
    board: PhantomData<fn(B)>,
}

#[cfg(feature = "shipped-weights")]
impl<B: SearchableBoard> Emilia<B> {
    /// A player with the evaluation that ships with the program and an empty table.
    pub fn new(options: &Options) -> Result<Self, HashTableError> {
        Self::with_evaluation(B::shipped(), options)
    }
}

impl<B: SearchableBoard, E: CompiledSearch<B>> Emilia<B, E> {
    /// A player that judges positions by this evaluation.
    pub fn with_evaluation(evaluation: E, options: &Options) -> Result<Self, HashTableError> {
        Ok(Self::with_table(evaluation, HashTable::new(options.table_megabytes)?, options))
    }

    /// A player that judges positions by this evaluation and remembers them in this table. All players that share
    /// [a table](HashTable::shared) must have the same evaluation; the size in the options does not matter then.
    pub fn with_table(evaluation: E, table: impl Into<Arc<HashTable>>, options: &Options) -> Self {
        let Options { table_megabytes: _, threads, default_level, seed } = *options;
        let threads = threads.max(1);
        Self {
            searcher: Searcher::new(evaluation, table, threads),
            threads,
            default_level,
            seed,
            games: 0,
            effort: SearchCost::default(),
            overhead: Overhead::default(),
            board: PhantomData,
        }
    }

    /// Searches a position under limits and answers the question about it.
    ///
    /// The observer sees every line of every iteration. When the flag is set, the search ends within 10 ms, with the
    /// report of the last iteration that was done, at least a look one move ahead, or with the better move that the
    /// interrupted one has found.
    pub fn study(
        &mut self,
        board: &B,
        question: &Question,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<SearchReport, PlayerError> {
        let start = Moment::now();
        let level = self.level(limits);
        let cuts = self.searcher.cuts();
        let deepening = Deepening::new(board.empties().count_ones(), limits, level, self.effort, cuts);
        let allocation = deepening.allocation;
        let mut control = Control::new().with_stop(stop.clone());
        if let Some(allocation) = allocation {
            control = control.with_time(allocation.alarm).map_err(unsupported)?;
        }
        if let Some(nodes) = limits.nodes {
            control = control.with_nodes(nodes);
        }
        let thinks = allocation.is_none_or(|allocation| allocation.allows_thought());
        // Helpers take longer to begin than such a search takes.
        let is_brief = allocation.is_some_and(|allocation| allocation.alarm < Self::MIN_TIME_OF_THREADS)
            || limits.nodes.is_some_and(|nodes| nodes <= Self::FORCED_NODES)
            || level.is_some_and(|level| level.whole() < Self::MIN_LEVEL_OF_THREADS);
        self.searcher.threads = if is_brief { 1 } else { self.threads };
        let (mut reported, mut reported_move) = (0, None);
        let mut report = self.searcher.search(board, question, &control, &mut |reports| {
            for report in &reports[reported..] {
                report_lines(report, question, observer);
            }
            reported = reports.len();
            reported_move = reports.last().and_then(SearchReport::best_move);
            if thinks { deepening.next(reports) } else { None }
        });
        self.effort.learn(&report, report.iteration.depth >= board.empties().count_ones());
        // What an iteration took that was not finished counts too.
        report.elapsed = start.elapsed();
        report.nodes = report.nodes.max(control.nodes());
        if report.best_move() != reported_move {
            // An iteration that was not finished has found a better move.
            report_lines(&report, question, observer);
        }
        if let Some(allocation) = allocation {
            self.effort.learn_delay(report.elapsed.saturating_sub(allocation.alarm));
        }
        Ok(report)
    }

    /// Minimum time of a search by several threads.
    const MIN_TIME_OF_THREADS: Duration = Duration::from_millis(5);

    /// Minimum level of a search by several threads.
    const MIN_LEVEL_OF_THREADS: u32 = 10;

    fn level(&self, limits: &Limits) -> Option<Level> {
        limits.level.or(self.default_level.filter(|_| *limits == Limits::default()))
    }

    /// The limits of a search that only finds the value of the single legal move. It solves the last ten moves or so, and
    /// finds whatever earlier searches have left in the hash table, however deep they were.
    fn limits_of_forced_move(&self, board: &B, clock: &GameClock, limits: &Limits) -> Limits {
        let allocation = Allocation::of_clock(clock, board.empties().count_ones(), &self.effort);
        let (nodes, move_time) = if allocation.allows_thought() {
            (Self::FORCED_NODES, Some(allocation.alarm))
        } else {
            (Self::MIN_FORCED_NODES, None)
        };
        let nodes = Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
        let move_time = [limits.move_time, move_time].into_iter().flatten().min();
        Limits { nodes, move_time, clock: None, ..*limits }
    }

    /// Maximum number of nodes for the value of a forced move: a few milliseconds.
    const FORCED_NODES: u64 = 30_000;

    /// The nodes that it may cost even if there is no time left to think.
    const MIN_FORCED_NODES: u64 = 500;

    /// The move of a weak level. It takes so little time that depth is the only limit that counts.
    fn choose_weakly(&self, game: &Game<B>, play: WeakPlay, limits: &Limits, observer: &mut dyn Observer) -> Chosen {
        let start = Moment::now();
        let board = game.position().board;
        let mut player = WeakPlayer::new(play, &self.searcher.evaluation, self.seed);
        let choice = player.choose(&board, game.moves().last().copied(), limits.depth).ok_or(PlayerError::GameOver)?;
        let time = start.elapsed();
        observer.report(&choice.progress(choice.nodes, time));
        Ok(Choice { time, ..choice })
    }
}

pub(crate) const NAME: &str = "emilia";

impl<B: SearchableBoard, E: CompiledSearch<B>> Player<B> for Emilia<B, E> {
    fn name(&self) -> &str {
        NAME
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.searcher.table.clear();
        self.overhead.new_game();
        self.effort.game_time = Duration::ZERO;
        self.games += 1;
        Ok(())
    }

    fn choose(&mut self, game: &Game<B>, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Chosen {
        let start = Moment::now();
        if let Some(clock) = &limits.clock {
            self.overhead.look(clock, game.move_count());
            self.effort.overhead = self.overhead.of_move();
            self.effort.learn_clock(clock.remaining);
        }
        let board = game.position().board;
        let form = Form::of(self.seed, self.games);
        if let Some(play) = self.level(limits).and_then(|level| level.weak_play_in(form)) {
            let choice = self.choose_weakly(game, *play, limits, observer);
            self.overhead.used(start.elapsed());
            return choice;
        }
        let question = Question::default();
        let limits = match limits.clock {
            // Nothing is to be decided, and the clock runs.
            Some(clock) if board.moves().count_ones() == 1 => self.limits_of_forced_move(&board, &clock, limits),
            _ => *limits,
        };
        let report = self.study(&board, &question, &limits, observer, stop)?;
        let line = report.lines.first().ok_or(PlayerError::GameOver)?;
        let square = *line.moves.first().ok_or(PlayerError::GameOver)?;
        self.overhead.used(start.elapsed());
        Ok(Choice {
            square,
            value: Some(Estimate::of_line(&report, line, &question)),
            from_book: false,
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

fn unsupported(reason: impl ToString) -> PlayerError {
    PlayerError::Unsupported { player: NAME.to_owned(), reason: reason.to_string() }
}

fn report_lines(report: &SearchReport, question: &Question, observer: &mut dyn Observer) {
    for progress in Progress::of_report(report, question) {
        observer.report(&progress);
    }
}
