//! IAGO as a player: limits into a budget, a search, a choice.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use engine::{Choice, Limits, Observer, Overhead, Player, PlayerError, Progress, Stop};
use othello::{Board, Color, Game, Rules, Square};

use super::deepening::{self, Budget, Measure, Thought, estimate};
use super::evaluation::{Components, CornerReading, Evaluation, Inherited};
use super::features::Features;
use super::internal_stability::internal_stability;
use super::ordering::Ordering;
use super::search::{Goal, Search};
use super::settings::IagoSettings;
use super::tables::Tables;
use super::time_allocation::{Allocation, HistoricalClock};
use crate::interruption::Interruption;

/// The program of the paper as a player of the 8x8 board.
#[derive(Clone, Debug)]
pub struct Iago {
    settings: IagoSettings,
    evaluation: Arc<Evaluation>,
    ordering: Ordering,
    clock: HistoricalClock,
    /// The clock at the beginning of the game, as far as it was seen.
    whole_clock: Duration,
    overhead: Overhead,
}

impl Iago {
    /// IAGO with these settings.
    pub fn new(settings: IagoSettings) -> Self {
        let is_usual = settings.corners == CornerReading::default();
        let evaluation = if is_usual { usual_evaluation() } else { Arc::new(evaluation(settings.corners)) };
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

    /// What the player thinks about the position that a game has come to, or nothing if the game is over.
    pub fn think(&mut self, game: &Game, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Option<Thought> {
        let position = game.position();
        let moves_played = 60u32.saturating_sub(position.board.empty_count());
        let side = usize::from(position.turn == Color::White);
        let timed = self.time_of(limits, moves_played, game.move_count());
        let by_leaves = self.settings.is_historical || is_without(limits);
        let depth = limits.depth.or(limits.level).unwrap_or(60).max(1);
        let budget = match timed {
            _ if by_leaves => {
                let allocated = self.clock.allocate(side, moves_played, false);
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
        let mut search = Search::new(
            &self.evaluation,
            &mut self.ordering,
            self.settings.search,
            Features::of(&position.board),
            (position.turn, game.moves().last().copied()),
            interruption,
        );
        let thought = deepening::deepen(&mut search, &budget, self.settings.endgame, &mut |search, iteration| {
            observer.report(&Progress {
                depth: iteration.depth,
                selectivity: 100,
                value: Some(estimate(iteration.goal, iteration.result.value)),
                line: iteration.result.line.clone(),
                nodes: search.interruption.nodes(),
                time: search.interruption.elapsed(),
            });
        })?;
        self.overhead.used(search.interruption.elapsed());
        if by_leaves {
            self.clock.spend(side, thought.effort, false);
        }
        Some(thought)
    }

    /// What a move is worth to the side to move when the position after it is searched one ply less deep than this, or
    /// nothing if the search is stopped.
    pub(crate) fn value_of(&mut self, game: &Game, square: Square, goal: Goal, depth: u32, stop: &Stop) -> Option<i32> {
        let position = game.position();
        let mut interruption = Interruption::new(stop, None, None);
        interruption.arm();
        let mut search = Search::new(
            &self.evaluation,
            &mut self.ordering,
            self.settings.search,
            Features::of(&position.board),
            (position.turn, game.moves().last().copied()),
            interruption,
        );
        search.value_of(square, goal, depth)
    }

    /// The components of the position that a line leads to, seen from the side to move at its beginning, with what
    /// the search inherits on the way.
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

    /// What the clocks leave for this move.
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

/// Whether nothing says how long to think.
fn is_without(limits: &Limits) -> bool {
    let Limits { depth, nodes, move_time, clock, level, selectivity: _ } = limits;
    depth.or(*level).is_none() && nodes.is_none() && move_time.is_none() && clock.is_none()
}

/// The evaluation with the edge table that ships.
pub fn usual_evaluation() -> Arc<Evaluation> {
    static EVALUATION: OnceLock<Arc<Evaluation>> = OnceLock::new();
    EVALUATION.get_or_init(|| Arc::new(evaluation(CornerReading::default()))).clone()
}

fn evaluation(corners: CornerReading) -> Evaluation {
    Evaluation::new(&Tables::shipped().edges, corners)
}

impl Player<Board> for Iago {
    fn name(&self) -> &str {
        "iago"
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.ordering.clear();
        self.clock = HistoricalClock::default();
        self.whole_clock = Duration::ZERO;
        self.overhead.new_game();
        Ok(())
    }

    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<Choice, PlayerError> {
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
            line: thought.best.result.line.clone(),
            depth: thought.best.depth,
            nodes,
            time: start.elapsed(),
        })
    }
}
