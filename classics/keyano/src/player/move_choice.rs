//! KEYANO as a player: iterative deepening under limits, and the endgame solved when it is within reach.
//!
//! In the paper's matches a search ended after 512,000 nodes; here this limit applies without other limits, and always
//! with `historical=on`. The paper leaves open when to switch to the endgame solver: here as soon as the nodes that it
//! usually takes are available.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use engine::{
    Allocation, Choice, Chosen, Estimate, Level, Limits, Observer, Outcome, Overhead, Player, PlayerError, Progress,
    SearchCost, Stop,
};
use othello::{Board, Game, Rules, Score, Square};

use super::endgame::SOLVED_FROM;
use super::evaluation::DISC;
use super::parallel::crew::Crew;
use super::search::{Goal, INFINITE, Memory, OrderQuality, ProbCutUse, RootResult, Search, bring_forward};
use super::settings::{ProbCut, Settings};
use super::tables::Tables;
use engine::interruption::Interruption;

/// The nodes of a move in the matches of the paper (section 2.2).
const HISTORICAL_NODES: u64 = 512_000;

/// A search to the end begins after an iteration of at least this depth, which orders the moves.
const BEFORE_SOLVING: u32 = 6;

/// The nodes that solving a position for win, loss or draw usually takes: this many at 16 empty squares, and this many
/// times as many for each further one. Measured with `cargo test -p keyano solving_takes -- --nocapture`.
const NODES_TO_SOLVE: (f64, f64) = (250_000.0, 2.6);

/// The share of the remaining nodes that solving may usually take.
const SHARE_TO_SOLVE: f64 = 0.5;

/// The nodes per second of a slow machine, used until there is a measurement.
const FIRST_SPEED: f64 = 1e6;

/// The player.
pub struct Keyano {
    tables: Cow<'static, Tables>,
    settings: Settings,
    memory: Memory,
    /// Memories of the workers, if there were any.
    memories: Vec<Memory>,
    effort: SearchCost,
    overhead: Overhead,
    nodes_per_second: f64,
    quality: OrderQuality,
    probcut_use: ProbCutUse,
}

impl fmt::Debug for Keyano {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keyano").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Keyano {
    /// A player with the tables that ship.
    pub fn new(settings: Settings) -> Self {
        Self::with_tables(settings, Cow::Borrowed(Tables::shipped()))
    }

    /// A player with other tables, for experiments.
    pub fn with_tables(settings: Settings, tables: Cow<'static, Tables>) -> Self {
        Self {
            tables,
            memory: Memory::new(&settings),
            memories: Vec::new(),
            settings,
            effort: SearchCost::default(),
            overhead: Overhead::default(),
            nodes_per_second: FIRST_SPEED,
            quality: OrderQuality::default(),
            probcut_use: ProbCutUse::default(),
        }
    }

    /// The quality of move ordering in the last search.
    pub fn order_quality(&self) -> OrderQuality {
        self.quality
    }

    /// Number of times that ProbCut was tried and decided in the last search.
    pub fn probcut_use(&self) -> ProbCutUse {
        self.probcut_use
    }

    /// The nodes that solving this many empty squares usually takes.
    fn nodes_to_solve(empty_count: u32) -> f64 {
        let (nodes, factor) = NODES_TO_SOLVE;
        nodes * factor.powi(empty_count as i32 - 16)
    }
}

/// The budget of a move.
struct Budget {
    depth: Option<u32>,
    nodes: Option<u64>,
    allocation: Option<Allocation>,
    /// The speed of the solver.
    nodes_per_second: f64,
}

impl Budget {
    fn of(limits: &Limits, settings: &Settings, empty_count: u32, effort: &SearchCost, nodes_per_second: f64) -> Self {
        let is_limited = limits.depth_or_level().is_some()
            || limits.nodes.is_some()
            || limits.move_time.is_some()
            || limits.clock.is_some();
        let historical = (settings.historical || !is_limited).then_some(HISTORICAL_NODES);
        let of_time = limits.move_time.map(Allocation::of_move_time);
        let of_clock = limits.clock.map(|clock| Allocation::of_clock(&clock, empty_count, effort));
        Self {
            depth: limits.depth.into_iter().chain(limits.level.map(Level::whole)).min().map(|depth| depth.max(1)),
            nodes: limits.nodes.into_iter().chain(historical).min(),
            allocation: of_time.into_iter().chain(of_clock).reduce(Allocation::and),
            nodes_per_second,
        }
    }

    /// The greatest depth of an iteration: deeper searches than that reach only solved positions.
    fn deepest(&self, empty_count: u32) -> u32 {
        self.depth.unwrap_or(u32::MAX).min(to_the_end(empty_count))
    }

    /// Whether the end is within reach of the remaining budget.
    fn reaches_the_end(&self, empty_count: u32, search: &Search<'_>) -> bool {
        let of_nodes = self.nodes.map(|nodes| nodes.saturating_sub(search.interruption.nodes()) as f64);
        let of_time = self.allocation.map(|allocation| {
            allocation.alarm.saturating_sub(search.interruption.elapsed()).as_secs_f64() * self.nodes_per_second
        });
        let left = of_nodes.into_iter().chain(of_time).reduce(f64::min);
        // A depth limit alone decides.
        left.is_some_and(|left| Keyano::nodes_to_solve(empty_count) <= SHARE_TO_SOLVE * left)
    }
}

/// The depth at which all leaves are solved positions.
fn to_the_end(empty_count: u32) -> u32 {
    empty_count.saturating_sub(SOLVED_FROM).max(1)
}

/// The thinking about one move.
struct Thinking<'s, 'o, 'c> {
    board: Board,
    search: Search<'s>,
    crew: Crew<'c>,
    observer: &'o mut dyn Observer,
    moves: Vec<Square>,
    choice: Choice,
}

impl Thinking<'_, '_, '_> {
    /// Deepens until the budget is spent or the position is solved.
    fn deepen(&mut self, budget: &Budget) {
        let empty_count = self.board.empty_count();
        let mut times = [Duration::ZERO; 2];
        for depth in 1..=budget.deepest(empty_count) {
            if self.crew.skips(depth) {
                continue;
            }
            let before = (self.choice.square, self.search.interruption.elapsed());
            let result = self.crew.root(&mut self.search, &self.board, &self.moves, depth);
            self.take(&result, depth, |value| Estimate::Discs { hundredths: value });
            if !result.is_complete {
                return;
            }
            self.search.memory.order.sort();
            // One ply is always completed, so that there is a move to play.
            self.search.interruption.arm();
            let elapsed = self.search.interruption.elapsed();
            times = [times[1], elapsed.saturating_sub(before.1)];
            let thinks = budget.allocation.is_none_or(|allocation| allocation.allows_thought());
            if !thinks || self.search.interruption.is_due() {
                return;
            }
            let reaches =
                budget.depth.is_none() && depth >= BEFORE_SOLVING && budget.reaches_the_end(empty_count, &self.search);
            if depth == to_the_end(empty_count) || reaches {
                self.end_of_crew(budget.nodes);
                self.solve();
                return;
            }
            let is_settled = self.choice.square == before.0;
            let growth = (times[1].as_secs_f64() / times[0].as_secs_f64().max(1e-6)).clamp(1.5, 6.0);
            let expected = times[1].mul_f64(growth);
            if budget
                .allocation
                .is_some_and(|allocation| !allocation.begins_another(elapsed, is_settled, expected, false))
            {
                return;
            }
        }
    }

    /// The rest of the nodes belongs to one party.
    fn end_of_crew(&mut self, nodes: Option<u64>) {
        self.crew.end();
        if let Some(nodes) = nodes {
            self.search.interruption.set_nodes(nodes.saturating_sub(self.crew.nodes()));
        }
    }

    /// Records the result of the search of the root.
    fn take(&mut self, result: &RootResult, depth: u32, estimate: impl Fn(i32) -> Estimate) {
        let Some((square, value)) = result.best else { return };
        bring_forward(&mut self.moves, square);
        self.choice.square = square;
        self.choice.value = Some(estimate(value));
        self.choice.line = self.search.line(&self.board, square, depth as usize);
        self.choice.depth = depth;
        self.report(depth);
    }

    fn report(&mut self, depth: u32) {
        let is_selective = self.search.settings.probcut != ProbCut::Off && depth < self.board.empty_count();
        self.observer.report(&Progress {
            depth,
            selectivity: if is_selective { self.confidence() } else { 100 },
            value: self.choice.value,
            book_games: None,
            line: self.choice.line.clone(),
            nodes: self.search.interruption.nodes() + self.crew.nodes(),
            time: self.search.interruption.elapsed(),
        });
    }

    /// The confidence of a cut, in percent: the share of a normal distribution below the width.
    fn confidence(&self) -> u32 {
        // 1.2 standard deviations are 88%; a logistic curve is close enough for display.
        (100.0 / (1.0 + (-1.702 * self.search.settings.width).exp())).round().min(99.0) as u32
    }

    /// Solves the position: first the winner, then the score.
    fn solve(&mut self) {
        let empty_count = self.board.empty_count();
        let result = self.search.root(&self.board, &self.moves, Goal::TheEnd, -DISC, DISC);
        let value = result.best.map_or(-INFINITE, |(_, value)| value);
        // Unless all moves were searched, only a win is proven. Where all moves lose, the midgame search chooses.
        if value >= DISC || value >= 0 && result.is_complete {
            self.take(&result, empty_count, |value| Estimate::Proven(outcome(value)));
        } else if result.is_complete {
            self.choice.value = Some(Estimate::Proven(Outcome::Loss));
            self.choice.depth = empty_count;
        }
        if !result.is_complete {
            return;
        }
        let (alpha, beta) = match outcome(value) {
            Outcome::Win => (0, INFINITE),
            Outcome::Draw => (-DISC, DISC),
            Outcome::Loss => (-INFINITE, 0),
        };
        let result = self.search.root(&self.board, &self.moves, Goal::TheEnd, alpha, beta);
        // The first move is one that achieves the proven result: any that beats it is better still.
        let is_proof = result.is_complete;
        self.take(&result, empty_count, |value| {
            if is_proof { Estimate::Solved(Score::new((value / DISC) as i8)) } else { Estimate::Proven(outcome(value)) }
        });
    }
}

/// The outcome of a final score.
fn outcome(value: i32) -> Outcome {
    Outcome::from(Score::new((value / DISC).clamp(-64, 64) as i8))
}

impl Player for Keyano {
    fn name(&self) -> &str {
        "keyano"
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.memory.forget(&self.settings);
        match self.settings.shared_table {
            true => self.memories.clear(),
            false => self.memories.iter_mut().for_each(|memory| memory.forget(&self.settings)),
        }
        self.overhead.new_game();
        self.effort.game_time = Duration::ZERO;
        Ok(())
    }

    fn choose(&mut self, game: &Game, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Chosen {
        limits.require_clock(self.name())?;
        let board = game.position().board;
        let empty_count = board.empty_count();
        if let Some(clock) = &limits.clock {
            self.overhead.look(clock, game.move_count());
            self.effort.overhead = self.overhead.of_move();
            self.effort.learn_clock(clock.remaining);
        }
        let mut settings = self.settings;
        // Without selectivity nothing is cut.
        if limits.selectivity == Some(100) {
            settings.probcut = ProbCut::Off;
        }
        let mut budget = Budget::of(limits, &settings, empty_count, &self.effort, self.nodes_per_second);
        // There is nothing to decide, and the clock runs.
        if board.moves().count_ones() == 1 && limits.clock.is_some() {
            budget.depth = Some(1);
        }
        self.memory.begin_search();
        let moves: Vec<Square> = self.memory.order.moves(board.moves(), 0, 0, None).iter().collect();
        let Some(&first) = moves.first() else {
            return Err(PlayerError::GameOver);
        };
        let alarm = budget.allocation.map(|allocation| allocation.alarm);
        let is_divided = Crew::is_worthwhile(&settings, budget.deepest(empty_count), budget.nodes);
        let size = if is_divided { Crew::threads(&settings) } else { 0 };
        while self.memories.len() < size {
            self.memories.push(self.memory.of_worker(&settings));
        }
        let Self { tables, memory, memories, .. } = self;
        let tables: &Tables = tables;
        let memories = &mut memories[..size];
        let (choice, quality, probcut_use) = std::thread::scope(|scope| {
            let (crew, flag) = Crew::start(scope, tables, &settings, memories, budget.nodes, stop);
            let interruption = Interruption::new(&flag, crew.leaders_nodes, alarm);
            let search = Search::new(tables, &settings, memory, interruption);
            let mut thinking = Thinking { board, search, crew, observer, moves, choice: Choice::of(first) };
            thinking.deepen(&budget);
            thinking.crew.end();
            let Thinking { search, crew, mut choice, .. } = thinking;
            choice.nodes = search.interruption.nodes() + crew.nodes();
            choice.time = search.interruption.elapsed();
            (choice, search.quality, search.probcut_use)
        });
        (self.quality, self.probcut_use) = (quality, probcut_use);
        if choice.time >= Duration::from_millis(5) {
            self.nodes_per_second = choice.nodes as f64 / choice.time.as_secs_f64();
        }
        if let Some(alarm) = alarm {
            self.effort.learn_delay(choice.time.saturating_sub(alarm));
        }
        self.overhead.used(choice.time);
        Ok(choice)
    }
}

#[cfg(test)]
mod tests {
    use engine::{GameClock, Silent};
    use othello::{Color, Position};
    use search::samples::{Origin, Samples};

    use super::*;
    use crate::player::samples::boards;
    use crate::player::settings::Counting;

    /// Settings with a small table, which is quick to allocate.
    fn small() -> Settings {
        Settings { table: Some(12), ..Settings::default() }
    }

    fn game_at(board: Board) -> Game {
        Game::from_position(Position { board, turn: Color::Black })
    }

    fn chosen(keyano: &mut Keyano, game: &Game, limits: &Limits) -> Choice {
        keyano.choose(game, limits, &mut Silent, &Stop::new()).expect("there is a move")
    }

    #[test]
    fn whole_games_are_played_with_every_setting() {
        for settings in [
            small(),
            Settings { probcut: ProbCut::Off, ..small() },
            Settings { probcut: ProbCut::Single, parity: false, ..small() },
            Settings { mobility: Counting::Exact, negascout: false, ..small() },
            Settings { killers: false, history: false, table: None, lost_region: Some(64), ..small() },
        ] {
            let mut keyano = Keyano::new(settings);
            keyano.new_game().unwrap();
            let mut game = Game::new();
            while !game.is_over() {
                let choice = chosen(&mut keyano, &game, &Limits::of_nodes(1500));
                assert!(choice.nodes <= 1500 || choice.depth == 1);
                assert_eq!(choice.line.first(), Some(&choice.square));
                game.play(choice.square).expect("a legal move");
            }
        }
    }

    #[test]
    fn every_kind_of_board_has_an_answer_or_a_sentence() {
        let mut keyano = Keyano::new(small());
        let odd =
            [Board::new(0, 0), Board::new(u64::MAX, 0), Board::new(0, u64::MAX), Board::new(1, 0), Board::new(0, 1)];
        let mut answers = [0; 2];
        for board in boards(600, 71).into_iter().chain(odd) {
            let game = game_at(board);
            match keyano.choose(&game, &Limits::of_depth(2), &mut Silent, &Stop::new()) {
                Ok(choice) => assert!(game.position().board.play(choice.square).is_some(), "{board:?}"),
                Err(error) => {
                    assert_eq!(error, PlayerError::GameOver, "{board:?}");
                    assert!(board.is_over() || board.must_pass(), "{board:?}");
                }
            }
            answers[usize::from(board.is_over())] += 1;
        }
        assert!(answers.iter().all(|&count| count > 20), "{answers:?}");
    }

    #[test]
    fn depths_levels_and_nodes_are_obeyed() {
        let mut keyano = Keyano::new(small());
        let game = Game::new();
        for depth in [1, 2, 5] {
            assert_eq!(chosen(&mut keyano, &game, &Limits::of_depth(depth)).depth, depth);
            assert_eq!(chosen(&mut keyano, &game, &Limits::of_level(depth)).depth, depth);
        }
        assert_eq!(chosen(&mut keyano, &game, &Limits::of_level(0)).depth, 1);
        let choice = chosen(&mut keyano, &game, &Limits::of_nodes(20_000));
        assert_eq!(choice.nodes, 20_000);
        let both = Limits { depth: Some(3), ..Limits::of_nodes(1_000_000) };
        assert_eq!(chosen(&mut keyano, &game, &both).depth, 3);
    }

    #[test]
    fn without_limits_and_in_historical_mode_a_move_takes_the_nodes_of_the_paper() {
        let mut keyano = Keyano::new(Settings { table: Some(16), ..Settings::default() });
        let game = Game::new();
        assert_eq!(chosen(&mut keyano, &game, &Limits::default()).nodes, 512_000);
        let mut historical = Keyano::new(Settings { historical: true, table: Some(16), ..Settings::default() });
        let hour = Limits::of_time(Duration::from_secs(3600));
        assert_eq!(chosen(&mut historical, &game, &hour).nodes, 512_000);
        assert_eq!(chosen(&mut historical, &game, &Limits::of_nodes(1000)).nodes, 1000);
    }

    #[test]
    fn the_same_nodes_give_the_same_search() {
        let search = || {
            let mut keyano = Keyano::new(small());
            let mut game = Game::new();
            (0..12)
                .map(|_| {
                    let choice = chosen(&mut keyano, &game, &Limits::of_nodes(5000));
                    game.play(choice.square).expect("a legal move");
                    (choice.square, choice.value, choice.depth, choice.line)
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(search(), search());
    }

    #[test]
    fn a_single_level_of_probcut_is_first_tried_at_the_ninth_ply() {
        let mut samples = Samples::<Board>::new(89);
        let games = [40, 36, 32].map(|empties| game_at(samples.position_with_moves(Origin::SensibleGame, empties)));
        let used = |probcut: ProbCut, depth: u32| {
            games.iter().fold(ProbCutUse::default(), |sum, game| {
                let mut keyano = Keyano::new(Settings { probcut, ..small() });
                chosen(&mut keyano, game, &Limits::of_depth(depth));
                let ProbCutUse { tried, cut } = keyano.probcut_use();
                ProbCutUse { tried: sum.tried + tried, cut: sum.cut + cut }
            })
        };
        assert_eq!(used(ProbCut::Off, 9), ProbCutUse::default());
        // The root's moves of a search of nine plies are searches of eight.
        assert_eq!(used(ProbCut::Single, 8), ProbCutUse::default());
        let (single, multi) = (used(ProbCut::Single, 9), used(ProbCut::Multi, 9));
        assert!(0 < single.cut && single.cut <= single.tried, "{single:?}");
        assert!(single.tried < multi.tried && multi.cut < multi.tried, "{multi:?}");
    }

    #[test]
    fn other_tables_are_evaluated_with() {
        let mut blank = Tables::shipped().clone();
        blank.weights.iter_mut().for_each(|weights| weights.fill(0));
        let mut keyano = Keyano::with_tables(small(), Cow::Owned(blank));
        let choice = chosen(&mut keyano, &Game::new(), &Limits::of_depth(3));
        assert_eq!(choice.value, Some(Estimate::Discs { hundredths: 0 }));
    }

    #[test]
    fn endgames_in_reach_are_solved() {
        let mut samples = Samples::<Board>::new(73);
        for empty_count in [1, 4, 8, 9, 11] {
            let board = samples.position_with_moves(Origin::SensibleGame, empty_count);
            let expected = search::negamax::score(&board);
            for limits in [Limits::of_depth(empty_count), Limits::of_nodes(5_000_000), Limits::default()] {
                let choice = chosen(&mut Keyano::new(small()), &game_at(board), &limits);
                assert_eq!(choice.value, Some(Estimate::Solved(expected)), "{limits:?} on {board:?}");
                let after = board.play(choice.square).expect("a legal move");
                assert_eq!(-search::negamax::score(&after), expected, "{limits:?} on {board:?}");
            }
        }
    }

    #[test]
    fn a_depth_that_reaches_the_solver_solves() {
        // A search of 3 plies at 11 empty squares has solved positions at all its leaves.
        let board = Samples::<Board>::new(79).position_with_moves(Origin::SensibleGame, 11);
        let choice = chosen(&mut Keyano::new(small()), &game_at(board), &Limits::of_depth(3));
        assert_eq!(choice.value, Some(Estimate::Solved(search::negamax::score(&board))));
    }

    #[test]
    fn a_stop_is_answered_at_once_and_with_a_move() {
        let mut keyano = Keyano::new(small());
        let stop = Stop::new();
        stop.set();
        let choice = keyano.choose(&Game::new(), &Limits::default(), &mut Silent, &stop).unwrap();
        assert_eq!(choice.depth, 1);
        let stop = Stop::new();
        let from_outside = stop.clone();
        let waiting = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            from_outside.set();
            engine::clock::Moment::now()
        });
        keyano.choose(&Game::new(), &Limits::of_depth(60), &mut Silent, &stop).unwrap();
        // A busy machine may delay us; the search itself checks every few microseconds.
        let late = waiting.join().unwrap().elapsed();
        assert!(late < Duration::from_millis(500), "{late:?}");
    }

    #[test]
    fn a_clock_is_never_exceeded() {
        let mut keyano = Keyano::new(Settings { table: Some(16), ..Settings::default() });
        keyano.new_game().unwrap();
        let mut clocks = [GameClock::new(Duration::from_millis(900)); 2];
        let mut game = Game::new();
        while !game.is_over() {
            let clock = &mut clocks[usize::from(game.position().turn == Color::White)];
            let start = engine::clock::Moment::now();
            let choice = chosen(&mut keyano, &game, &Limits::of_clock(*clock));
            assert!(clock.spend(start.elapsed()), "{} empties", game.position().board.empty_count());
            game.play(choice.square).expect("a legal move");
        }
    }

    #[test]
    fn reports_tell_of_every_iteration() {
        let mut depths = Vec::new();
        let mut observer = |progress: &Progress| depths.push((progress.depth, progress.selectivity));
        Keyano::new(small()).choose(&Game::new(), &Limits::of_depth(4), &mut observer, &Stop::new()).unwrap();
        assert_eq!(depths, [(1, 89), (2, 89), (3, 89), (4, 89)]);
        let mut selectivities = Vec::new();
        let mut observer = |progress: &Progress| selectivities.push(progress.selectivity);
        let all = Limits { selectivity: Some(100), ..Limits::of_depth(2) };
        Keyano::new(small()).choose(&Game::new(), &all, &mut observer, &Stop::new()).unwrap();
        assert_eq!(selectivities, [100, 100]);
    }

    /// A position of a game that KEYANO plays against itself after some random moves, or `None` if that ends before.
    fn of_own_game(samples: &mut Samples<Board>, empty_count: u32) -> Option<Board> {
        let mut keyano = Keyano::new(small());
        let mut game = game_at(samples.position_with_moves(Origin::RandomGame, 52));
        while game.position().board.empty_count() > empty_count && !game.is_over() {
            let choice = chosen(&mut keyano, &game, &Limits::of_depth(2));
            game.play(choice.square).expect("a legal move");
        }
        let board = game.position().board;
        (board.empty_count() == empty_count && board.can_move()).then_some(board)
    }

    #[test]
    fn solving_takes_about_the_nodes_that_are_expected() {
        let mut samples = Samples::<Board>::new(83);
        for empty_count in [12, 14] {
            let mut all_nodes = Vec::new();
            while all_nodes.len() < 15 {
                let Some(board) = of_own_game(&mut samples, empty_count) else { continue };
                let settings = Settings { table: Some(18), ..Settings::default() };
                let mut memory = Memory::new(&settings);
                let stop = Stop::new();
                let interruption = Interruption::new(&stop, None, None);
                let mut search = Search::new(Tables::shipped(), &settings, &mut memory, interruption);
                search.solve(&board, -1, 1).expect("nothing interrupts");
                all_nodes.push(search.interruption.nodes() as f64);
            }
            all_nodes.sort_by(f64::total_cmp);
            println!("{empty_count} empty squares: {} nodes, one in five more than {}", all_nodes[7], all_nodes[12]);
            let expected = Keyano::nodes_to_solve(empty_count);
            assert!((expected / 4.0..expected * 4.0).contains(&all_nodes[12]), "{} for {expected}", all_nodes[12]);
        }
    }
}
