//! IAGO as a player: from limits to a budget, a search and a choice.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use engine::{Choice, Chosen, Limits, Observer, Overhead, Player, PlayerError, Progress, Stop};
use othello::{Board, Color, Game, Rules, Square};

use super::deepening::{self, Budget, Iteration, Measure, Thought};
use super::evaluation::{Components, CornerReading, Evaluation, Inherited};
use super::features::Features;
use super::internal_stability::internal_stability;
use super::ordering::Ordering;
use super::search::{Goal, Search};
use super::settings::IagoSettings;
use super::tables::Tables;
use super::time_allocation::{Allocation, HistoricalClock, TournamentOverhead};
use engine::interruption::Interruption;

/// Number of points that correspond to a disc at the end. `cargo run -p compared --example points_per_disc` measures it.
const POINTS_PER_DISC: f64 = 8800.0;

/// The name of the player.
pub(super) const NAME: &str = "iago";

/// The program of the paper as a player of the 8x8 board.
#[derive(Clone, Debug)]
pub struct Iago {
    settings: IagoSettings,
    evaluation: Arc<Evaluation>,
    ordering: Ordering,
    clock: HistoricalClock,
    /// The largest time seen on the clock in this game.
    whole_clock: Duration,
    overhead: Overhead,
}

impl Iago {
    /// IAGO with these settings.
    pub fn new(settings: IagoSettings) -> Self {
        let is_default = settings.corners == CornerReading::default();
        let evaluation = if is_default { shipped_evaluation() } else { Arc::new(evaluation(settings.corners)) };
        Self::with_evaluation(settings, evaluation)
    }

    /// IAGO with another edge table.
    pub fn with_evaluation(settings: IagoSettings, evaluation: Arc<Evaluation>) -> Self {
        Self {
            settings,
            evaluation,
            ordering: Ordering::new(settings.heuristic),
            clock: HistoricalClock::default(),
            whole_clock: Duration::ZERO,
            overhead: Overhead::default(),
        }
    }

    /// The search of the current position of a game that it plays, or `None` if the game is over.
    pub fn think(&mut self, game: &Game, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Option<Thought> {
        self.think_with(game, limits, self.settings.overhead, observer, stop)
    }

    /// The same for a game that it analyzes, where handling the board costs no time (footnote 13).
    pub(crate) fn analyze(
        &mut self,
        game: &Game,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Option<Thought> {
        self.think_with(game, limits, TournamentOverhead::Free, observer, stop)
    }

    fn think_with(
        &mut self,
        game: &Game,
        limits: &Limits,
        overhead: TournamentOverhead,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Option<Thought> {
        let position = game.position();
        let moves_played = 60u32.saturating_sub(position.board.empty_count());
        let side = usize::from(position.turn == Color::White);
        let timed = self.time_of(limits, moves_played, game.move_count());
        let by_leaves = self.settings.is_historical || is_without(limits);
        let depth = limits.depth_or_level().unwrap_or(60).max(1);
        let budget = match timed {
            _ if by_leaves => {
                let allocated = self.clock.allocate(side, moves_played, overhead);
                Budget { measure: Measure::Leaves, allocated, depth }
            }
            Some(timed) => Budget { measure: Measure::Time, allocated: timed.allocated, depth },
            None => {
                let allocated = limits.nodes.map_or(f64::INFINITY, |nodes| nodes as f64);
                Budget { measure: Measure::Nodes, allocated, depth }
            }
        };
        let interruption = Interruption::new(stop, limits.nodes, timed.map(|timed| timed.alarm));
        self.ordering.halve();
        let thought = self.search(game, &budget, interruption, observer)?;
        if by_leaves {
            self.clock.spend(side, thought.effort, overhead);
        }
        Some(thought)
    }

    /// The same with the evaluations that the original made in this many seconds, whatever was played before.
    pub fn think_for_seconds(
        &mut self,
        game: &Game,
        seconds: f64,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Option<Thought> {
        let allocated = seconds * HistoricalClock::LEAVES_PER_SECOND;
        let budget = Budget { measure: Measure::Leaves, allocated, depth: 60 };
        self.ordering.halve();
        self.search(game, &budget, Interruption::new(stop, None, None), observer)
    }

    /// Searches with the evaluation ply by ply to a depth, then once for this goal, whatever it takes: to one ply more
    /// with the evaluation, or to the end of the game. The last search and the seconds it took are returned; `None` if
    /// the game is over or the search is stopped.
    pub fn search_after(&mut self, game: &Game, depth: u32, goal: Goal, stop: &Stop) -> Option<(Iteration, f64)> {
        let mut interruption = Interruption::new(stop, None, None);
        interruption.arm();
        deepening::search_after(&mut self.new_search(game, interruption), depth, goal)
    }

    /// The same without a budget: the final score is searched for.
    pub(crate) fn solve(&mut self, game: &Game, observer: &mut dyn Observer, stop: &Stop) -> Option<Thought> {
        let budget = Budget { measure: Measure::Leaves, allocated: f64::INFINITY, depth: 60 };
        self.search(game, &budget, Interruption::new(stop, None, None), observer)
    }

    fn search(
        &mut self,
        game: &Game,
        budget: &Budget,
        interruption: Interruption<'_>,
        observer: &mut dyn Observer,
    ) -> Option<Thought> {
        let endgame = self.settings.endgame;
        let mut search = self.new_search(game, interruption);
        let thought = deepening::deepen(&mut search, budget, endgame, &mut |search, iteration| {
            observer.report(&Progress {
                depth: iteration.depth,
                selectivity: 100,
                value: Some(iteration.estimate()),
                book_games: None,
                line: iteration.result.line.clone(),
                nodes: search.interruption.nodes(),
                time: search.interruption.elapsed(),
            });
        });
        let elapsed = search.interruption.elapsed();
        self.overhead.used(elapsed);
        thought
    }

    /// A search of the current position, not yet started.
    fn new_search<'a>(&'a mut self, game: &Game, interruption: Interruption<'a>) -> Search<'a> {
        let position = game.position();
        Search::new(
            &self.evaluation,
            &mut self.ordering,
            self.settings.search,
            Features::of(&position.board),
            (position.turn, game.moves().last().copied()),
            interruption,
        )
    }

    /// The value of a move for the side to move when the position after it is searched one ply less deep than this, or
    /// `None` if the search is stopped.
    pub(crate) fn value_of(&mut self, game: &Game, square: Square, goal: Goal, depth: u32, stop: &Stop) -> Option<i32> {
        let mut interruption = Interruption::new(stop, None, None);
        interruption.arm();
        self.new_search(game, interruption).value_of(square, goal, depth)
    }

    /// The components of the position at the end of a line, for the side to move at its beginning, with what the search
    /// inherits on the way.
    pub(crate) fn components_after(&self, board: &Board, line: &[Square]) -> Components {
        let mut features = Features::of(board);
        let mut inherited = Inherited::default();
        for (index, &square) in line.iter().enumerate() {
            if features.board().must_pass() {
                inherited.moves[features.mover] = 0;
                features.pass();
            }
            let board = features.board();
            inherited.moves[features.mover] = board.moves();
            if index + 1 == line.len() {
                inherited.stable_discs = internal_stability(features.discs[0], features.discs[1]);
            }
            features.play(square, board.flips(square));
        }
        let components = self.evaluation.components_of(&features, &inherited);
        if features.mover == 0 { components } else { components.inverted() }
    }

    /// The evaluation that it searches with.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// The budget of this move by the clocks.
    fn time_of(&mut self, limits: &Limits, moves_played: u32, move_count: usize) -> Option<Allocation> {
        let of_move = limits.move_time.map(Allocation::of_move_time);
        let of_clock = limits.clock.map(|clock| {
            self.overhead.look(&clock, move_count);
            self.whole_clock = self.whole_clock.max(clock.remaining);
            Allocation::of_clock(&clock, self.whole_clock, moves_played, self.overhead.of_move())
        });
        match (of_move, of_clock) {
            (Some(of_move), Some(of_clock)) => Some(of_move.and(of_clock)),
            (of_move, of_clock) => of_move.or(of_clock),
        }
    }
}

/// Whether there are no limits at all.
fn is_without(limits: &Limits) -> bool {
    let Limits { depth, nodes, move_time, clock, level, selectivity: _ } = limits;
    depth.is_none() && level.is_none() && nodes.is_none() && move_time.is_none() && clock.is_none()
}

/// The evaluation with the edge table that ships.
pub fn shipped_evaluation() -> Arc<Evaluation> {
    static EVALUATION: OnceLock<Arc<Evaluation>> = OnceLock::new();
    EVALUATION.get_or_init(|| Arc::new(evaluation(CornerReading::default()))).clone()
}

fn evaluation(corners: CornerReading) -> Evaluation {
    Evaluation::new(&Tables::shipped().edges, corners)
}

impl Player<Board> for Iago {
    fn name(&self) -> &str {
        NAME
    }

    fn points_per_disc(&self) -> f64 {
        POINTS_PER_DISC
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.ordering.clear();
        self.clock = HistoricalClock::default();
        self.whole_clock = Duration::ZERO;
        self.overhead.new_game();
        Ok(())
    }

    fn choose(&mut self, game: &Game, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Chosen {
        limits.require_clock(NAME)?;
        let start = engine::clock::Moment::now();
        let mut nodes = 0;
        let mut counting = |progress: &Progress| {
            nodes = progress.nodes;
            observer.report(progress);
        };
        let thought = self.think(game, limits, &mut counting, stop).ok_or(PlayerError::GameOver)?;
        Ok(Choice {
            square: thought.square(),
            value: Some(thought.estimate()),
            from_book: false,
            line: thought.best.result.line.clone(),
            depth: thought.best.depth,
            nodes,
            time: start.elapsed(),
        })
    }
}

#[cfg(test)]
mod tests {
    use engine::{Estimate, GameClock, Silent};
    use othello::Position;

    use super::*;
    use crate::player::samples::{boards, paper_game};
    use engine::settings::Settings;

    fn iago(pairs: &[(&str, &str)]) -> Iago {
        Iago::new(IagoSettings::of(pairs.iter().copied()).unwrap())
    }

    fn game_of(board: Board) -> Game {
        Game::from_position(Position { board, turn: Color::Black })
    }

    fn choose(player: &mut Iago, game: &Game, limits: &Limits) -> Result<Choice, PlayerError> {
        player.choose(game, limits, &mut Silent, &Stop::new())
    }

    #[test]
    fn no_position_makes_it_fail() {
        let mut player = iago(&[]);
        let odd = [
            Board::new(0, 0),
            Board::new(u64::MAX, 0),
            Board::new(0, u64::MAX),
            Board::new(0x0f0f, 0),
            Board::new(0, 0x0f0f),
            Board::new(!1, 1),
            Board::new(1, !3),
            Board::new(2, 4),
        ];
        for board in odd.into_iter().chain(boards(120, 31)) {
            for limits in [Limits::of_depth(3), Limits::of_nodes(200), Limits::of_time(Duration::from_millis(2))] {
                let game = game_of(board);
                match choose(&mut player, &game, &limits) {
                    Ok(choice) => assert!(game.position().board.play(choice.square).is_some(), "{board:?}"),
                    Err(error) => assert!(error == PlayerError::GameOver && game.is_over(), "{board:?}: {error}"),
                }
            }
        }
    }

    #[test]
    fn limits_are_obeyed() {
        let mut player = iago(&[]);
        let game = Game::new();
        assert_eq!(choose(&mut player, &game, &Limits::of_depth(4)).unwrap().depth, 4);
        assert_eq!(choose(&mut player, &game, &Limits::of_level(0)).unwrap().depth, 1);
        for nodes in [1, 100, 5000] {
            let found = choose(&mut player, &game, &Limits::of_nodes(nodes)).unwrap();
            assert!(found.nodes <= nodes.max(5), "{} of {nodes}", found.nodes);
        }
        let time = Duration::from_millis(60);
        let found = choose(&mut player, &game, &Limits::of_time(time)).unwrap();
        assert!(found.time < time * 3, "{:?}", found.time);
        let set = Stop::new();
        set.set();
        let found = player.choose(&game, &Limits::of_depth(30), &mut Silent, &set).unwrap();
        assert!(found.depth == 1 && found.time < Duration::from_millis(50), "{:?}", found.time);
    }

    #[test]
    fn the_original_budget_is_about_ten_thousand_leaves_a_move_and_six_plies() {
        // Over the first 46 moves, as footnote 10 says, "with no overhead charges"; the game is one that the paper prints.
        let moves = paper_game("PW[ALDARON]").line();
        let mut player = iago(&[("historical", "on"), ("overhead", "off")]);
        let mut game = Game::new();
        let (mut leaves, mut depths) = (0.0, 0.0);
        for &square in &moves[..46] {
            let thought = player.think(&game, &Limits::default(), &mut Silent, &Stop::new()).unwrap();
            leaves += thought.iterations.iter().map(|iteration| iteration.leaves as f64).sum::<f64>() / 46.0;
            let last = thought.iterations.iter().rfind(|iteration| iteration.goal == Goal::Evaluation).unwrap();
            depths += f64::from(last.depth) / 46.0;
            game.play(square).unwrap();
        }
        assert!((8_000.0..12_500.0).contains(&leaves), "{leaves} leaves a move");
        assert!((5.8..7.2).contains(&depths), "{depths} plies");
    }

    #[test]
    fn every_move_of_a_game_costs_ten_seconds_more_than_its_search_and_no_move_of_an_analysis_does() {
        let moves = paper_game("PW[ALDARON]").line();
        // The seconds on Black's clock after two of its moves, and what they took.
        let seconds_of = |pairs: &[(&str, &str)], is_analysis: bool| {
            let mut player = iago(pairs);
            let mut game = Game::new();
            let mut leaves = 0.0;
            for &square in &moves[..3] {
                let think = if is_analysis { Iago::analyze } else { Iago::think };
                let thought = think(&mut player, &game, &Limits::default(), &mut Silent, &Stop::new()).unwrap();
                leaves += if game.position().turn == Color::Black { thought.effort } else { 0.0 };
                game.play(square).unwrap();
            }
            1650.0 - player.clock.left(0) - leaves * 60.0 / 10_000.0
        };
        let is = |found: f64, expected: f64| (found - expected).abs() < 1e-6;
        assert!(is(seconds_of(&[("historical", "on")], false), 20.0));
        assert!(is(seconds_of(&[("historical", "on"), ("overhead", "off")], false), 0.0));
        assert!(is(seconds_of(&[("historical", "on")], true), 0.0));
        // Without limits the budget is the same.
        assert!(is(seconds_of(&[], false), 20.0));
    }

    #[test]
    fn seconds_of_the_original_are_evaluations_of_leaves() {
        let mut player = iago(&[]);
        let game = paper_game("PW[ALDARON]");
        let game = Game::from_moves(game.start(), game.line()[..20].iter().copied()).unwrap();
        for seconds in [10.0, 60.0] {
            let thought = player.think_for_seconds(&game, seconds, &mut Silent, &Stop::new()).unwrap();
            let leaves: u64 = thought.iterations.iter().map(|iteration| iteration.leaves).sum();
            // Up to 1.3 times the allocation and one more first-ply move.
            let allocated = seconds * 10_000.0 / 60.0;
            assert!(leaves as f64 > 0.2 * allocated && (leaves as f64) < 1.6 * allocated, "{leaves} of {allocated}");
        }
    }

    #[test]
    fn ratings_of_responses_are_halved_between_moves_and_forgotten_between_games() {
        use crate::player::ordering::Place;
        let mut player = iago(&[]);
        // No move answers d4, which is occupied from the start, so a search never changes these ratings.
        let place = Place { color: Color::Black, answered: Some("d4".parse().unwrap()), move_number: 3 };
        let response: Square = "c3".parse().unwrap();
        for _ in 0..20 {
            player.ordering.learn(response.bit(), response, place);
        }
        let mut expected = player.ordering.rating(place, response);
        assert!(expected >= 8);
        let mut game = Game::new();
        for _ in 0..3 {
            let square = choose(&mut player, &game, &Limits::of_depth(3)).unwrap().square;
            game.play(square).unwrap();
            expected /= 2;
            assert_eq!(player.ordering.rating(place, response), expected);
        }
        player.new_game().unwrap();
        assert_eq!(player.ordering.rating(place, response), 0);
    }

    #[test]
    fn it_finds_the_moves_of_the_original_where_that_sacrificed_corners() {
        // "IAGO made three x-square moves - at moves 29, 34, and 38" against THE MOOR (4.4.1.1).
        let moves = paper_game("PW[THE MOOR]").line();
        let mut player = iago(&[("historical", "on")]);
        let mut game = Game::new();
        let mut same = 0;
        for (index, &square) in moves[..38].iter().enumerate() {
            if [29, 34, 38].contains(&(index + 1)) {
                let found = choose(&mut player, &game, &Limits::default()).unwrap();
                assert!(matches!(found.value, Some(Estimate::Points(points)) if points > 0));
                same += u32::from(found.square == square);
            }
            game.play(square).unwrap();
        }
        assert!(same >= 2, "{same} of the three moves");
    }

    #[test]
    fn whole_games_are_played_within_their_clocks_to_the_end() {
        for (seconds, pairs) in [(0.3, &[][..]), (0.6, &[("ordering", "move-number"), ("saved", "1")][..])] {
            let mut player = iago(pairs);
            player.new_game().unwrap();
            let mut clocks = [GameClock::new(Duration::from_secs_f64(seconds)); 2];
            let mut game = Game::new();
            while !game.is_over() {
                let clock = &mut clocks[usize::from(game.position().turn == Color::White)];
                let found = choose(&mut player, &game, &Limits::of_clock(*clock)).unwrap();
                assert!(clock.spend(found.time), "{found:?}");
                game.play(found.square).unwrap();
            }
        }
    }

    #[test]
    fn the_same_limits_give_the_same_game() {
        let play = || {
            let mut player = iago(&[]);
            let mut game = Game::new();
            while !game.is_over() {
                let square = choose(&mut player, &game, &Limits::of_nodes(300)).unwrap().square;
                game.play(square).unwrap();
            }
            game.line()
        };
        assert_eq!(play(), play());
    }

    #[test]
    fn settings_are_read_and_wrong_ones_refused() {
        for setting in IagoSettings::LIST {
            for value in setting.values.split(", ") {
                IagoSettings::of([(setting.name, value)]).unwrap_or_else(|error| panic!("{error}"));
            }
            assert!(IagoSettings::of([(setting.name, "sideways")]).is_err());
            // The first value is the default.
            let default = setting.values.split(", ").next().unwrap();
            assert_eq!(IagoSettings::of([(setting.name, default)]).unwrap(), IagoSettings::default());
        }
    }
}
