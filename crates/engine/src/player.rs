//! The player: anything that chooses a move.

use std::time::Duration;

use othello::{Board, Game, Rules, Square};

use crate::{Estimate, Limits, Observer, Origin, Progress, Stop, move_values};

/// Anything that chooses moves: an engine of this project, a historical program, or an external
/// program behind a protocol.
///
/// A player may keep what it learned from one move to the next, so [`new_game`](Self::new_game) is called when a new
/// game begins. It is `Send`: to let it think in the background, move it to a thread and keep a clone of its [`Stop`].
/// Thinking in the opponent's time is then a `choose` without limits that is stopped when the opponent has moved, and
/// whose answer is discarded, as [`PlayerThread`](crate::PlayerThread) does.
pub trait Player<B: Rules = Board>: Send {
    /// Name of the player in records and tables.
    fn name(&self) -> &str;

    /// Forgets the game played before.
    fn new_game(&mut self) -> Result<(), PlayerError> {
        Ok(())
    }

    /// Number of its points ([`Estimate::Points`]) that are about a disc at the end of the game: on the average, and
    /// for values that are not large.
    fn points_per_disc(&self) -> f64 {
        1.0
    }

    /// Chooses a move for the side to move at the current position of the game.
    ///
    /// It reports to the observer during the search, and returns soon (within 10 ms where it is up to the player) after
    /// the stop flag is set, with the best move found until then.
    fn choose(&mut self, game: &Game<B>, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Chosen;

    /// Values the best `count` legal moves of the current position, all of them if there are fewer, and returns what it
    /// found, the best first.
    ///
    /// It reports on each of them during the search, again and again with growing depth; the first square of a line
    /// identifies the move. It ends at the limits or soon after the stop flag is set. By default it calls `choose`:
    /// once if one move is wanted, else for the position after every move in turn.
    fn value_moves(
        &mut self,
        game: &Game<B>,
        count: usize,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<Vec<Progress>, PlayerError> {
        if count > 1 {
            move_values::by_answers(count, self, game, limits, observer, stop)
        } else {
            move_values::by_choice(self, game, limits, observer, stop).map(|progress| vec![progress])
        }
    }

    /// Learns a game, for the games to come, and returns a sentence about it; `None` if the player does not learn.
    fn learn(&mut self, _game: &Game<B>, _stop: &Stop) -> Result<Option<String>, PlayerError> {
        Ok(None)
    }
}

/// Result of choosing a move: the choice, or the reason why there is none.
pub type Chosen = Result<Choice, PlayerError>;

/// A move with the player's value of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move.
    pub square: Square,
    /// Value of the position for the side to move if it plays that move.
    pub value: Option<Estimate>,
    /// Whether the value is that of an opening book.
    pub from_book: bool,
    /// The moves expected, the chosen one first, passes left out; empty if the player has no idea.
    pub line: Vec<Square>,
    /// Plies looked ahead.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl Choice {
    /// A move about which nothing else is known.
    pub fn of(square: Square) -> Self {
        Self { square, value: None, from_book: false, line: vec![square], depth: 0, nodes: 0, time: Duration::ZERO }
    }

    /// Origin of the value, if there is one.
    pub fn origin(&self) -> Option<Origin> {
        self.value.map(|value| Origin::of(value, self.from_book))
    }

    /// Report on the move during the search, for a player that prunes nothing.
    pub fn progress(&self, nodes: u64, time: Duration) -> Progress {
        let Self { value, ref line, depth, .. } = *self;
        Progress { depth, selectivity: 100, value, book_games: None, line: line.clone(), nodes, time }
    }
}

/// Reason why a player did not choose a move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// Neither side has a move.
    #[error("the game is over: there is no move to choose")]
    GameOver,
    /// It was stopped before it had searched any move.
    #[error("{player} was stopped before it had found a move")]
    Stopped {
        /// The player's name.
        player: String,
    },
    /// It cannot play under this limit, on this board or from this position.
    #[error("{player} cannot do this: {reason}")]
    Unsupported {
        /// The player's name.
        player: String,
        /// The limit, board or position that it does not support.
        reason: String,
    },
    /// It failed: an external program that died, fell silent or answered nonsense.
    #[error("{player} failed: {reason}")]
    Failed {
        /// The player's name.
        player: String,
        /// The unexpected answer, and what was expected.
        reason: String,
    },
    /// It could not be made.
    #[error("{reason}")]
    NotMade {
        /// The reason, as a sentence.
        reason: String,
    },
    /// It panicked in a thread that caught it.
    #[error("{player} failed: it panicked ({words})")]
    Panicked {
        /// The player's name.
        player: String,
        /// Message of the panic.
        words: String,
    },
}
