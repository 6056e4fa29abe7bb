//! BILL as a player: the sequence of searches, and when to stop.
//!
//! It obeys the limits of the move or the clock, or its own budget: 8 plies, the outcome from 16 empty squares on, the
//! exact score from 14 on (section 3.4.1; in historical mode, and without limits), or minutes on its own machine.

use std::time::Duration;

use engine::{Allocation, Choice, Chosen, Estimate, Limits, Observer, Outcome, Player, PlayerError, Stop};
use othello::{Board, Color, Game, Score, Square};

use super::evaluation::{Evaluation, LINEAR_WEIGHTS, MOST, PER_LOG_ODDS, win_probability};
use super::search::{Found, Goal, Searcher};
use super::settings::BillSettings;
use super::tables::BillTables;
use super::timing::{NodeClock, share_of_clock};
use engine::interruption::Interruption;

/// Points of BILL 2.0 for each disc at the end. `cargo run -p compared --example points_per_disc`
/// measures it.
const POINTS_PER_DISC: f64 = 280.0;

/// Which BILL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// BILL 2.0: features weighted by hand.
    Two,
    /// BILL 3.0: a discriminant that was learned.
    Three,
}

impl Version {
    /// The name of the version on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Version::Two => "bill2",
            Version::Three => "bill3",
        }
    }
}

/// BILL 2.0 or 3.0.
///
/// ```
/// use engine::{Limits, Player, Silent, Stop};
/// use bill::{Bill, BillSettings, Version};
/// use othello::Game;
///
/// let mut bill = Bill::new(Version::Three, BillSettings::default(), 1);
/// let choice = bill.choose(&Game::new(), &Limits::of_depth(4), &mut Silent, &Stop::new())?;
/// assert_eq!(choice.depth, 4);
/// # Ok::<(), engine::PlayerError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bill {
    version: Version,
    settings: BillSettings,
    searcher: Searcher,
    /// The largest time on the clock in this game.
    game_time: Duration,
    /// The clock of the original machine, if the settings ask for it.
    node_clock: Option<NodeClock>,
}

impl Bill {
    /// A player with the shipped tables and a hash table of this many megabytes.
    pub fn new(version: Version, settings: BillSettings, hash_megabytes: usize) -> Self {
        let linear = Evaluation::Linear(LINEAR_WEIGHTS);
        let evaluation = match version {
            Version::Two => linear,
            Version::Three => BillTables::shipped().evaluation().unwrap_or(linear),
        };
        Self::with_evaluation(version, evaluation, settings, hash_megabytes)
    }

    /// A player that combines the features of the shipped tables by another evaluation.
    pub fn with_evaluation(
        version: Version,
        evaluation: Evaluation,
        settings: BillSettings,
        hash_megabytes: usize,
    ) -> Self {
        let edges = BillTables::shipped_edges();
        Self {
            version,
            settings,
            searcher: Searcher::new(edges, evaluation, settings, hash_megabytes),
            game_time: Duration::ZERO,
            node_clock: settings.minutes.map(NodeClock::of_minutes),
        }
    }

    /// The result of a search, in the form that players report.
    fn estimate(&self, found: &Found, goal: Goal) -> Option<Estimate> {
        let Found { value, is_bound, .. } = *found;
        match goal {
            Goal::Depth(_) if value.abs() > MOST => Some(Estimate::Proven(outcome(value))),
            Goal::Depth(_) => Some(match self.version {
                Version::Two => Estimate::Points(value),
                // "When the evaluation is reported, BILL 3.0 first converts it to the probability of winning".
                Version::Three => {
                    let probability = win_probability(f64::from(value) / f64::from(PER_LOG_ODDS));
                    Estimate::Chance { thousandths: (probability * 1000.0).round() as i32 }
                }
            }),
            // At least a draw, and no more was asked for.
            Goal::Outcome if is_bound => None,
            Goal::Outcome => Some(Estimate::Proven(outcome(value))),
            Goal::Exact if is_bound => (value > 0).then_some(Estimate::Proven(Outcome::Win)),
            Goal::Exact => Some(Estimate::Solved(Score::new(value as i8))),
        }
    }
}

fn outcome(value: i32) -> Outcome {
    match value.signum() {
        1 => Outcome::Win,
        0 => Outcome::Draw,
        _ => Outcome::Loss,
    }
}

/// The limits of the search for one move.
#[derive(Clone, Copy, Debug)]
struct Plan {
    empty_count: u32,
    /// The deepest ordinary search.
    deepest: u32,
    allocation: Option<Allocation>,
    nodes: Option<u64>,
    /// A share of the clock of the original machine, on which nodes take the place of time.
    node_share: Option<Allocation>,
    /// The numbers of empty squares from which on the outcome and the exact score are searched for; without them the
    /// budget decides.
    endgames: Option<(u32, u32)>,
    deepening: bool,
}

/// The plies searched for move ordering before an endgame search.
const PRELUDE: u32 = 6;

/// Speed of an endgame search, in nodes, relative to an ordinary one: it is faster, since it evaluates nothing.
const FASTER_AT_THE_END: f64 = 4.0;

/// The nodes that most positions need for an endgame search after the prelude: at [`MEASURED_AT`] empty squares, and
/// the factor for each further one; first for the outcome, then for the exact score.
const OUTCOME_NODES: (f64, f64) = (5.0e4, 2.8);
const EXACT_NODES: (f64, f64) = (4.0e5, 2.8);
const MEASURED_AT: f64 = 14.0;

fn nodes_of_endgame((nodes, factor): (f64, f64), empty_count: u32) -> f64 {
    nodes * factor.powf(f64::from(empty_count) - MEASURED_AT)
}

impl Plan {
    /// `node_share` gives the share of the original's clock, if the budget is one of time on its machine.
    fn new(
        board: &Board,
        limits: &Limits,
        settings: &BillSettings,
        game_time: Duration,
        node_share: impl FnOnce() -> Option<Allocation>,
    ) -> Self {
        let empty_count = board.empty_count();
        let Limits { nodes, move_time, clock, .. } = *limits;
        let depth = limits.depth_or_level();
        let is_limited = depth.is_some() || nodes.is_some() || move_time.is_some() || clock.is_some();
        let of_clock = clock.map(|clock| share_of_clock(&clock, empty_count, game_time).unwrap_or(Allocation::NOTHING));
        let of_move = move_time.map(Allocation::of_move_time);
        let allocation = match (of_clock, of_move) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        };
        if !is_limited || settings.historical {
            let node_share = node_share();
            let endgames = (BillSettings::HISTORICAL_OUTCOME, BillSettings::HISTORICAL_EXACT);
            // A running clock is obeyed nevertheless.
            return Self {
                empty_count,
                deepest: if node_share.is_some() { empty_count } else { settings.plies },
                allocation,
                nodes,
                node_share,
                endgames: node_share.is_none().then_some(endgames),
                deepening: settings.deepening,
            };
        }
        let by_budget = depth.is_none();
        Self {
            empty_count,
            deepest: depth.unwrap_or(if settings.deepening { empty_count } else { settings.plies }).clamp(1, 60),
            allocation,
            nodes,
            node_share: None,
            endgames: if by_budget { None } else { Some((0, 0)) },
            deepening: settings.deepening,
        }
    }

    /// The search that follows a finished one.
    fn next(&self, done: Goal, settled: bool, nodes: u64, elapsed: Duration) -> Option<Goal> {
        let depth = match done {
            Goal::Exact => return None,
            Goal::Outcome => {
                let is_worth_it = self.endgames.is_none() && self.begins(settled, nodes, elapsed);
                return (is_worth_it && self.affords(EXACT_NODES, nodes, elapsed)).then_some(Goal::Exact);
            }
            Goal::Depth(depth) => depth,
        };
        if !self.begins(settled, nodes, elapsed) {
            return None;
        }
        if depth >= PRELUDE.min(self.empty_count)
            && let Some(goal) = self.endgame(nodes, elapsed)
        {
            return Some(goal);
        }
        if depth + 1 >= self.empty_count && self.deepest >= self.empty_count {
            return Some(Goal::Exact);
        }
        if depth >= self.deepest {
            // An endgame that is due must not be missed by a search that is shallower than the prelude.
            return self.endgame(nodes, elapsed);
        }
        Some(Goal::Depth(if self.deepening { depth + 1 } else { self.deepest }))
    }

    /// Whether the clock allows another iteration (section 3.5), and likewise that of the original machine.
    fn begins(&self, settled: bool, nodes: u64, elapsed: Duration) -> bool {
        let shares = [(self.allocation, elapsed), (self.node_share, NodeClock::time_of(nodes))];
        shares.into_iter().all(|(share, elapsed)| {
            share.is_none_or(|share| share.begins_another(elapsed, settled, Duration::ZERO, false))
        })
    }

    /// The nodes after which the search ends.
    fn max_nodes(&self) -> Option<u64> {
        let of_share = self.node_share.map(|share| NodeClock::nodes_in(share.alarm));
        self.nodes.into_iter().chain(of_share).min()
    }

    /// The endgame search that is due, if one is.
    fn endgame(&self, nodes: u64, elapsed: Duration) -> Option<Goal> {
        let (outcome, exact) = match self.endgames {
            Some((outcome, exact)) => (self.empty_count <= outcome, self.empty_count <= exact),
            None => (self.affords(OUTCOME_NODES, nodes, elapsed), self.affords(EXACT_NODES, nodes, elapsed)),
        };
        match (exact, outcome) {
            (true, _) => Some(Goal::Exact),
            (_, true) => Some(Goal::Outcome),
            _ => None,
        }
    }

    /// Whether an endgame search is expected to end within the budget, by the speed so far.
    fn affords(&self, cost: (f64, f64), nodes: u64, elapsed: Duration) -> bool {
        let needed = nodes_of_endgame(cost, self.empty_count);
        let in_nodes = self.max_nodes().is_none_or(|most| needed <= most.saturating_sub(nodes) as f64);
        let in_time = self.allocation.is_none_or(|allocation| {
            let left = allocation.alarm.saturating_sub(elapsed).as_secs_f64();
            let speed = FASTER_AT_THE_END * nodes as f64 / elapsed.as_secs_f64().max(1e-6);
            needed <= left * speed
        });
        in_nodes && in_time
    }
}

impl Player for Bill {
    fn name(&self) -> &str {
        self.version.name()
    }

    fn points_per_disc(&self) -> f64 {
        POINTS_PER_DISC
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.searcher.clear();
        self.game_time = Duration::ZERO;
        self.node_clock = self.settings.minutes.map(NodeClock::of_minutes);
        Ok(())
    }

    fn choose(&mut self, game: &Game, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Chosen {
        limits.require_clock(self.name())?;
        let position = game.position();
        let (board, turn): (Board, Color) = (position.board, position.turn);
        if let Some(clock) = &limits.clock {
            self.game_time = self.game_time.max(clock.remaining);
        }
        let side = usize::from(turn == Color::White);
        let node_share = || Some(self.node_clock.as_mut()?.share(side, board.empty_count()));
        let plan = Plan::new(&board, limits, &self.settings, self.game_time, node_share);
        let alarm = plan.allocation.map(|allocation| allocation.alarm);
        let mut interruption = Interruption::new(stop, plan.max_nodes(), alarm);
        let mut moves: Vec<Square> = self.searcher.ordered_moves(&board, turn);
        let Some(&first) = moves.first() else { return Err(PlayerError::GameOver) };
        let mut choice = Choice::of(first);
        // With only one legal move there is nothing to decide, and the clock runs.
        let is_forced = moves.len() == 1 && (limits.clock.is_some() || plan.node_share.is_some());
        let mut goal = if plan.empty_count == 1 { Goal::Exact } else { Goal::Depth(1) };
        let mut guess = None;
        while let Some(found) = self.searcher.search(&board, turn, &moves, goal, guess, &mut interruption) {
            let settled = found.square == choice.square && choice.depth > 0;
            let depth = if let Goal::Depth(depth) = goal { depth } else { plan.empty_count };
            choice.square = found.square;
            choice.value = self.estimate(&found, goal);
            choice.depth = depth;
            choice.line = self.searcher.line(&board, found.square, depth as usize);
            observer.report(&choice.progress(interruption.nodes(), interruption.elapsed()));
            if let Some(index) = moves.iter().position(|&square| square == found.square) {
                moves[..=index].rotate_right(1);
            }
            if let Goal::Depth(_) = goal {
                guess = Some(found.value);
            }
            // One ply is always completed, so that there is a move to play.
            interruption.arm();
            if is_forced || interruption.is_due() {
                break;
            }
            let Some(next) = plan.next(goal, settled, interruption.nodes(), interruption.elapsed()) else { break };
            goal = next;
        }
        choice.nodes = interruption.nodes();
        choice.time = interruption.elapsed();
        if let (Some(clock), Some(_)) = (&mut self.node_clock, plan.node_share) {
            clock.spend(side, choice.nodes);
        }
        Ok(choice)
    }
}

#[cfg(test)]
mod tests {
    use engine::{GameClock, Progress, Silent};
    use othello::{Position, Rules};
    use search::samples::{Origin, Samples};

    use super::*;

    fn bill(settings: BillSettings) -> Bill {
        Bill::new(Version::Three, settings, 1)
    }

    fn game_of(board: Board) -> Game {
        Game::from_position(Position { board, turn: Color::Black })
    }

    #[test]
    fn whole_games_are_legal_for_both_versions() {
        for version in [Version::Two, Version::Three] {
            let mut player = Bill::new(version, BillSettings::default(), 1);
            assert_eq!(player.name(), version.name());
            for limits in [Limits::of_nodes(2000), Limits::of_depth(2), Limits::of_level(0)] {
                player.new_game().unwrap();
                let mut game = Game::new();
                while !game.is_over() {
                    let choice = player.choose(&game, &limits, &mut Silent, &Stop::new()).unwrap();
                    assert_eq!(choice.line.first(), Some(&choice.square));
                    game.play(choice.square).unwrap();
                }
                let over = player.choose(&game, &limits, &mut Silent, &Stop::new());
                assert_eq!(over, Err(PlayerError::GameOver));
            }
        }
    }

    #[test]
    fn strange_boards_are_played_without_a_panic() {
        let mut player = bill(BillSettings::default());
        let mut samples = Samples::<Board>::new(11);
        let strange = [Board::new(0, 0), Board::new(u64::MAX, 0), Board::new(0, u64::MAX), Board::new(0, 0xff)];
        let thrown = (0..200).map(|number| samples.position(Origin::RandomDiscs, number % 61));
        for board in strange.into_iter().chain(thrown) {
            let game = game_of(board);
            let choice = player.choose(&game, &Limits::of_nodes(3000), &mut Silent, &Stop::new());
            if game.is_over() {
                assert_eq!(choice, Err(PlayerError::GameOver));
            } else {
                assert!(game.position().board.play(choice.unwrap().square).is_some());
            }
        }
    }

    #[test]
    fn the_historical_player_looks_8_plies_ahead_and_searches_endgames_from_16_and_14_empty_squares_on() {
        let settings = BillSettings { historical: true, ..BillSettings::default() };
        let goals = |empty_count: u32, limits: &Limits| {
            let board = Samples::<Board>::new(12).position_with_moves(Origin::SensibleGame, empty_count);
            let plan = Plan::new(&board, limits, &settings, Duration::ZERO, || None);
            let mut goals = vec![Goal::Depth(1)];
            while let Some(next) = plan.next(goals[goals.len() - 1], true, 1000, Duration::from_millis(1)) {
                goals.push(next);
            }
            goals
        };
        for limits in [Limits::default(), Limits::of_nodes(10)] {
            assert_eq!(goals(40, &limits).last(), Some(&Goal::Depth(8)));
            assert_eq!(goals(17, &limits).last(), Some(&Goal::Depth(8)));
            assert_eq!(goals(16, &limits).last(), Some(&Goal::Outcome));
            assert_eq!(goals(15, &limits).last(), Some(&Goal::Outcome));
            assert_eq!(goals(14, &limits).last(), Some(&Goal::Exact));
            assert_eq!(goals(3, &limits).last(), Some(&Goal::Exact));
        }
        assert_eq!(goals(40, &Limits::default()).len(), 8, "one ply deeper at a time");
    }

    #[test]
    fn without_limits_the_depth_is_the_historical_one() {
        let choice = bill(BillSettings::default()).choose(&Game::new(), &Limits::default(), &mut Silent, &Stop::new());
        assert_eq!(choice.unwrap().depth, BillSettings::HISTORICAL_PLIES);
    }

    #[test]
    fn a_game_on_the_clock_of_the_original_takes_no_more_nodes_than_its_minutes_have() {
        for minutes in [1, 6] {
            let settings = BillSettings { historical: true, minutes: Some(minutes), ..BillSettings::default() };
            let mut player = bill(settings);
            let (mut game, mut nodes, mut choices) = (Game::new(), [0, 0], Vec::new());
            while !game.is_over() {
                let choice = player.choose(&game, &Limits::default(), &mut Silent, &Stop::new()).unwrap();
                nodes[usize::from(game.position().turn == Color::White)] += choice.nodes;
                game.play(choice.square).unwrap();
                choices.push(choice);
            }
            let most = 66_000 * u64::from(minutes);
            assert!(nodes.iter().all(|&nodes| nodes <= most && nodes > most / 2), "{nodes:?} of {most}");
            // Played again it is the same game: nothing depends on the real time.
            player.new_game().unwrap();
            let mut again = Game::new();
            for choice in choices {
                let found = player.choose(&again, &Limits::default(), &mut Silent, &Stop::new()).unwrap();
                assert_eq!((found.square, found.nodes), (choice.square, choice.nodes));
                again.play(found.square).unwrap();
            }
        }
    }

    #[test]
    fn nodes_depth_and_the_flag_are_obeyed() {
        let mut player = bill(BillSettings::default());
        let mut reported = Vec::new();
        let mut observer = |progress: &Progress| reported.push(progress.depth);
        let choice = player.choose(&Game::new(), &Limits::of_depth(5), &mut observer, &Stop::new()).unwrap();
        assert_eq!((choice.depth, reported), (5, vec![1, 2, 3, 4, 5]));
        assert!(matches!(choice.value, Some(Estimate::Chance { thousandths: 0..=1000 })), "a probability");
        let choice = player.choose(&Game::new(), &Limits::of_nodes(5000), &mut Silent, &Stop::new()).unwrap();
        assert!(choice.nodes <= 5000 && choice.nodes > 1000, "{}", choice.nodes);
        let stop = Stop::new();
        stop.set();
        let choice = player.choose(&Game::new(), &Limits::of_depth(20), &mut Silent, &stop).unwrap();
        assert_eq!(choice.depth, 1);
    }

    #[test]
    fn an_iteration_that_an_alarm_ends_leaves_the_move_of_the_one_before() {
        let mut samples = Samples::<Board>::new(17);
        for nodes in (1..=40).map(|number| 300 * number) {
            let game = game_of(samples.position_with_moves(Origin::SensibleGame, 36));
            // Node limits stop the search in the same way as the clock, but repeatably.
            let limits = Limits { depth: Some(30), ..Limits::of_nodes(nodes) };
            let ended = bill(BillSettings::default()).choose(&game, &limits, &mut Silent, &Stop::new()).unwrap();
            let before = Limits::of_depth(ended.depth);
            let complete = bill(BillSettings::default()).choose(&game, &before, &mut Silent, &Stop::new()).unwrap();
            assert!(complete.nodes <= ended.nodes, "the alarm came later");
            assert_eq!((ended.square, ended.value, ended.line), (complete.square, complete.value, complete.line));
        }
    }

    #[test]
    fn a_search_ends_soon_after_its_flag_is_set() {
        let board = Samples::<Board>::new(13).position_with_moves(Origin::SensibleGame, 30);
        let stop = Stop::new();
        let other = stop.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            other.set();
        });
        let choice = bill(BillSettings::default()).choose(&game_of(board), &Limits::of_depth(30), &mut Silent, &stop);
        thread.join().unwrap();
        // The machine may be busy; what is tested is that the flag ends the search promptly.
        assert!(choice.unwrap().time < Duration::from_millis(200));
    }

    #[test]
    fn a_clock_of_half_a_second_is_enough_for_a_game() {
        let mut player = bill(BillSettings::default());
        let mut game = Game::new();
        let mut clock = GameClock::new(Duration::from_millis(500));
        while !game.is_over() {
            let choice = player.choose(&game, &Limits::of_clock(clock), &mut Silent, &Stop::new()).unwrap();
            if game.position().turn == Color::Black {
                assert!(clock.spend(choice.time));
            }
            game.play(choice.square).unwrap();
        }
    }

    #[test]
    fn a_won_endgame_is_won_and_reported_as_won() {
        let mut samples = Samples::<Board>::new(14);
        let mut player = bill(BillSettings::default());
        for _ in 0..20 {
            let board: Board = samples.position_with_moves(Origin::SensibleGame, 8);
            let choice = player.choose(&game_of(board), &Limits::of_depth(20), &mut Silent, &Stop::new()).unwrap();
            let expected = search::negamax::score(&board);
            let of_move = -search::negamax::score(&board.play(choice.square).unwrap());
            assert_eq!(of_move, expected);
            match choice.value {
                Some(Estimate::Solved(score)) => assert_eq!(score, expected),
                Some(Estimate::Proven(outcome)) => assert_eq!(outcome, Outcome::from(expected)),
                None => {}
                other => panic!("{other:?} of a solved position"),
            }
        }
    }
}
