//! A seat: a player in its own thread, with time limits on every answer, so that no player can hold up a match.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use engine::clock::Moment;
use engine::{Choice, Limits, Player, PlayerError, PlayerMessage, PlayerThread, Stop};
use othello::{Game, Rules};

/// The maximum time to create a player or to begin a game: programs read their weights then.
pub(crate) const START_TIMEOUT: Duration = Duration::from_secs(60);

/// The maximum time to answer after a stop request; a player that needs longer is abandoned.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// How often a waiting seat checks whether the match is interrupted.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A wait that takes this much longer than requested means that the machine or this process was suspended: no player is
/// to blame.
const SUSPENDED: Duration = Duration::from_secs(1);

/// A player in a thread of its own.
#[derive(Debug)]
pub(crate) struct Seat<B: Rules> {
    /// `None` once the player has been abandoned.
    thread: Option<PlayerThread<B>>,
    replies: Receiver<PlayerMessage>,
    /// The time limit to begin a game.
    to_begin: Duration,
    /// How long this process was suspended since the last request.
    suspended: Duration,
}

/// The task number of every request: there is only one at a time.
const TASK: u64 = 1;

/// The outcome of a request.
#[derive(Debug)]
pub(crate) enum Answer {
    /// A move or an error, after this time.
    Given(Box<Result<Choice, PlayerError>>, Duration),
    /// No answer even after a stop request: the seat can no longer be used.
    Silence,
    /// The player's thread panicked: the seat can no longer be used.
    Crash,
    /// The match was interrupted.
    Interrupted,
}

impl<B: Rules> Seat<B> {
    /// Creates the player in a thread of its own; `to_begin` limits the time for that and for the start of a game.
    pub(crate) fn start(
        name: &str,
        make: impl FnOnce() -> Result<Box<dyn Player<B>>, String> + Send + 'static,
        to_begin: Duration,
        interrupt: &Stop,
    ) -> Result<Self, String> {
        let (outbox, replies) = mpsc::channel();
        let thread = PlayerThread::start(name, make, move |message| {
            // Reports during the search are not needed, and the receiver may be gone already.
            if !matches!(message, PlayerMessage::Thought(..)) {
                let _ = outbox.send(message);
            }
        })
        .map_err(|error| format!("cannot start a thread: {error}"))?;
        let mut seat = Self { thread: Some(thread), replies, to_begin, suspended: Duration::ZERO };
        seat.wait_until_ready(interrupt)?;
        Ok(seat)
    }

    /// Tells the player that a new game begins.
    pub(crate) fn new_game(&mut self, interrupt: &Stop) -> Result<(), String> {
        if let Some(thread) = &mut self.thread {
            thread.new_game(TASK);
        }
        self.wait_until_ready(interrupt)
    }

    fn wait_until_ready(&mut self, interrupt: &Stop) -> Result<(), String> {
        let mut deadline = Moment::now().after(self.to_begin);
        loop {
            match self.next_reply(&mut deadline, interrupt) {
                Ok(PlayerMessage::Ready(_, Err(PlayerError::Panicked { .. }))) => {
                    self.give_up();
                    return Err(CRASH.to_owned());
                }
                Ok(PlayerMessage::Ready(_, result)) => return result.map_err(|error| error.to_string()),
                Ok(_) => {}
                Err(Trouble::Interrupted) => {
                    self.give_up();
                    return Err("interrupted".to_owned());
                }
                Err(Trouble::Late) => {
                    self.give_up();
                    return Err(format!("not ready after {:?}", self.to_begin));
                }
                Err(Trouble::Crash) => {
                    self.give_up();
                    return Err(CRASH.to_owned());
                }
            }
        }
    }

    /// Asks for a move; after `allowed` the player is told to stop.
    pub(crate) fn ask(&mut self, game: &Game<B>, limits: &Limits, allowed: Duration, interrupt: &Stop) -> Answer {
        self.suspended = Duration::ZERO;
        if let Some(thread) = &mut self.thread {
            thread.choose(TASK, Box::new(game.clone()), *limits);
        }
        // Until the player's thread runs, a delay is not the player's fault.
        let mut deadline = Moment::now().after(allowed + START_TIMEOUT);
        let mut is_stopped = false;
        let mut is_interrupted = false;
        loop {
            let never = Stop::new();
            match self.next_reply(&mut deadline, if is_interrupted { &never } else { interrupt }) {
                Ok(PlayerMessage::Asked(_, start)) => deadline = start.after(allowed + self.suspended),
                Ok(PlayerMessage::Chosen(_, Err(PlayerError::Panicked { .. }), _)) => {
                    self.give_up();
                    return Answer::Crash;
                }
                Ok(PlayerMessage::Chosen(..)) if is_interrupted => return Answer::Interrupted,
                Ok(PlayerMessage::Chosen(_, result, time)) => return Answer::Given(Box::new(result), time),
                Ok(_) => {}
                Err(Trouble::Crash) => {
                    self.give_up();
                    return Answer::Crash;
                }
                Err(Trouble::Late) if is_stopped => {
                    self.give_up();
                    return if is_interrupted { Answer::Interrupted } else { Answer::Silence };
                }
                Err(trouble) => {
                    is_interrupted = matches!(trouble, Trouble::Interrupted);
                    is_stopped = true;
                    if let Some(thread) = &self.thread {
                        thread.stop();
                    }
                    deadline = Moment::now().after(STOP_TIMEOUT);
                }
            }
        }
    }

    /// Whether this process was suspended while the player was thinking.
    pub(crate) fn was_suspended(&self) -> bool {
        !self.suspended.is_zero()
    }

    /// Whether the player can be asked again.
    pub(crate) fn is_usable(&self) -> bool {
        self.thread.is_some()
    }

    /// Abandons the thread: it ends when its player returns, if ever.
    fn give_up(&mut self) {
        self.thread = None;
    }

    /// Waits for a reply until the deadline, which is extended by the time this process was suspended.
    fn next_reply(&mut self, deadline: &mut Moment, interrupt: &Stop) -> Result<PlayerMessage, Trouble> {
        loop {
            let start = Moment::now();
            let left = deadline.since(start);
            let wait = left.min(POLL_INTERVAL);
            let reply = self.replies.recv_timeout(wait);
            let too_long = start.elapsed().saturating_sub(wait);
            if too_long > SUSPENDED {
                self.suspended += too_long;
                *deadline = deadline.after(too_long);
            }
            match reply {
                Ok(reply) => return Ok(reply),
                Err(RecvTimeoutError::Disconnected) => return Err(Trouble::Crash),
                Err(RecvTimeoutError::Timeout) if too_long > SUSPENDED => {}
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Trouble::Late),
                Err(RecvTimeoutError::Timeout) if interrupt.is_set() => return Err(Trouble::Interrupted),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// The message for a player whose thread panicked.
pub(crate) const CRASH: &str = "it crashed";

enum Trouble {
    Late,
    Crash,
    Interrupted,
}

impl<B: Rules> Drop for Seat<B> {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A thinking player returns soon; then it is dropped, and its external program ends.
            thread.join();
        }
    }
}
