//! DESDEMONA as a player: iterative deepening within an equal share of the time for each move (section 1.2).

use std::time::Duration;

use engine::{Allocation, Choice, Chosen, Estimate, Level, Limits, Observer, Overhead, Player, PlayerError, Stop};
use othello::{Game, Score, Square, SquareSet, squares};

use super::boards::DesdemonaBoard;
use super::evaluation::{Evaluation, PER_DISC};
use super::search::{Found, Searcher};
use super::settings::DesdemonaSettings;
use super::time_strategy::{self, MoveCount};
use engine::interruption::Interruption;

/// The name of the player.
pub const NAME: &str = "desdemona";

/// The plies that the original reached (section 1.3.3: 8.2 on average).
pub const HISTORICAL_DEPTH: u32 = 8;

/// The player.
pub struct Desdemona<B: DesdemonaBoard> {
    searcher: Searcher<B, &'static Evaluation<B>>,
    settings: DesdemonaSettings,
    overhead: Overhead,
    /// The largest time on the clock in this game.
    game_time: Duration,
}

impl<B: DesdemonaBoard> Desdemona<B> {
    /// A player with these settings.
    pub fn new(settings: DesdemonaSettings) -> Self {
        Self {
            searcher: Searcher::new(B::shipped(), &settings),
            settings,
            overhead: Overhead::default(),
            game_time: Duration::ZERO,
        }
    }

    /// The maximum depth with this many empty squares.
    fn depth(&self, limits: &Limits, empties: u32) -> u32 {
        let is_limited = limits.depth.is_some()
            || limits.level.is_some()
            || limits.nodes.is_some()
            || limits.move_time.is_some()
            || limits.clock.is_some();
        let historical = (self.settings.historical || !is_limited).then_some(HISTORICAL_DEPTH);
        let most = [limits.depth, limits.level.map(Level::whole), historical].into_iter().flatten().min();
        most.unwrap_or(empties).min(empties).max(1)
    }

    /// The maximum thinking time.
    fn time(&mut self, limits: &Limits, game: &Game<B>) -> Option<Duration> {
        let of_move = limits.move_time.map(|time| Allocation::of_move_time(time).alarm);
        let of_clock = limits.clock.map(|clock| {
            self.overhead.look(&clock, game.move_count());
            self.game_time = self.game_time.max(clock.remaining);
            time_strategy::share(&clock, MoveCount::of(game).left(), self.game_time, self.overhead.of_move())
        });
        of_move.into_iter().chain(of_clock).min()
    }
}

impl<B: DesdemonaBoard> Player<B> for Desdemona<B> {
    fn name(&self) -> &str {
        NAME
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.overhead.new_game();
        self.game_time = Duration::ZERO;
        Ok(())
    }

    fn choose(&mut self, game: &Game<B>, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Chosen {
        limits.require_clock(NAME)?;
        let mut interruption = Interruption::new(stop, limits.nodes, self.time(limits, game));
        let board = game.position().board;
        let first: Square = squares(board.moves()).next().ok_or(PlayerError::GameOver)?;
        let empties = board.empties().count();
        let mut choice = Choice::of(first);
        for depth in 1..=self.depth(limits, empties) {
            let Some(found) = B::search(&mut self.searcher, &board, depth, &mut interruption) else { break };
            choice.square = found.line.first().copied().unwrap_or(first);
            choice.value = Some(estimate(&found, depth >= empties));
            choice.line = found.line;
            choice.depth = depth;
            observer.report(&choice.progress(interruption.nodes(), interruption.elapsed()));
            // One ply is always completed, so that there is a move to play.
            interruption.arm();
            if interruption.is_due() {
                break;
            }
        }
        choice.nodes = interruption.nodes();
        choice.time = interruption.elapsed();
        self.overhead.used(choice.time);
        Ok(choice)
    }
}

/// The result in the form that players report. On a full board all values are final.
fn estimate(found: &Found, is_solved: bool) -> Estimate {
    if is_solved {
        return Estimate::Solved(Score::new((found.value / PER_DISC) as i8));
    }
    Estimate::Discs { hundredths: found.value / (PER_DISC / 100) }
}
