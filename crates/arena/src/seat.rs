//! A seat: how long the referee waits for a player in its thread, so that no player can hold up a match.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use engine::clock::Moment;
use engine::{Choice, Limits, Player, PlayerError, PlayerMessage, PlayerThread, Stop};
use othello::Game;

/// How long a player may take to be made or to begin a game, unless less is allowed: programs read their weights then.
pub(crate) const TO_BEGIN: Duration = Duration::from_secs(60);

/// How long a player may take to answer once it has been told to stop; one that needs longer is given up.
const TO_STOP: Duration = Duration::from_secs(10);

/// How often a waiting seat looks whether the match is interrupted.
const GLANCE: Duration = Duration::from_millis(50);

/// A wait that takes this much longer than it should says that the machine, or this process, was stopped
/// meanwhile: no player is to blame for that.
const ASLEEP: Duration = Duration::from_secs(1);

/// A player in a thread of its own.
#[derive(Debug)]
pub(crate) struct Seat {
    /// Nothing once the player has been given up.
    thread: Option<PlayerThread>,
    replies: Receiver<PlayerMessage>,
    /// How long the player may take to begin a game.
    to_begin: Duration,
    /// How long this process was stopped since the last question.
    asleep: Duration,
}

/// The number of every question: the next one is asked when there is an answer, or never.
const TASK: u64 = 1;

/// What became of a question.
#[derive(Debug)]
pub(crate) enum Answer {
    /// A move or an error, after this time.
    Given(Box<Result<Choice, PlayerError>>, Duration),
    /// None, although the player was told to stop: the seat is of no use any more.
    Silence,
    /// None, because the player's thread ended by a failure in it: the seat is of no use any more.
    Crash,
    /// None, because the match was interrupted.
    Interrupted,
}

impl Seat {
    /// Makes the player in a thread of its own; it may take so long for that, and to begin a game.
    pub(crate) fn start(
        name: &str,
        make: impl FnOnce() -> Result<Box<dyn Player>, String> + Send + 'static,
        to_begin: Duration,
        interrupt: &Stop,
    ) -> Result<Self, String> {
        let (outbox, replies) = mpsc::channel();
        let thread = PlayerThread::start(name, make, move |message| {
            // Nobody watches a match, and when the other side is gone, the match no longer cares.
            if !matches!(message, PlayerMessage::Thought(..)) {
                let _ = outbox.send(message);
            }
        })
        .map_err(|error| format!("cannot start a thread: {error}"))?;
        let mut seat = Self { thread: Some(thread), replies, to_begin, asleep: Duration::ZERO };
        seat.wait_until_ready(interrupt)?;
        Ok(seat)
    }

    /// Tells the player that a game begins.
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

    /// Asks for a move; when it takes longer than `allowed`, the player is told to stop.
    pub(crate) fn ask(&mut self, game: &Game, limits: &Limits, allowed: Duration, interrupt: &Stop) -> Answer {
        self.asleep = Duration::ZERO;
        if let Some(thread) = &mut self.thread {
            thread.choose(TASK, Box::new(game.clone()), *limits);
        }
        // Until the player's thread runs, only the machine is to blame.
        let mut deadline = Moment::now().after(allowed + TO_BEGIN);
        let mut is_stopped = false;
        let mut is_interrupted = false;
        loop {
            let never = Stop::new();
            match self.next_reply(&mut deadline, if is_interrupted { &never } else { interrupt }) {
                Ok(PlayerMessage::Asked(_, start)) => deadline = start.after(allowed + self.asleep),
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
                    deadline = Moment::now().after(TO_STOP);
                }
            }
        }
    }

    /// Whether this process was stopped while the player was asked.
    pub(crate) fn was_asleep(&self) -> bool {
        !self.asleep.is_zero()
    }

    /// Whether the player can be asked again.
    pub(crate) fn is_usable(&self) -> bool {
        self.thread.is_some()
    }

    /// Leaves the thread to itself: it ends when its player comes back, if ever.
    fn give_up(&mut self) {
        self.thread = None;
    }

    /// Waits for a reply until the deadline, which is put off for as long as this process was stopped.
    fn next_reply(&mut self, deadline: &mut Moment, interrupt: &Stop) -> Result<PlayerMessage, Trouble> {
        loop {
            let start = Moment::now();
            let left = deadline.since(start);
            let wait = left.min(GLANCE);
            let reply = self.replies.recv_timeout(wait);
            let too_long = start.elapsed().saturating_sub(wait);
            if too_long > ASLEEP {
                self.asleep += too_long;
                *deadline = deadline.after(too_long);
            }
            match reply {
                Ok(reply) => return Ok(reply),
                Err(RecvTimeoutError::Disconnected) => return Err(Trouble::Crash),
                Err(RecvTimeoutError::Timeout) if too_long > ASLEEP => {}
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Trouble::Late),
                Err(RecvTimeoutError::Timeout) if interrupt.is_set() => return Err(Trouble::Interrupted),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// What is said of a player whose thread ended by a failure in it.
pub(crate) const CRASH: &str = "it crashed";

enum Trouble {
    Late,
    Crash,
    Interrupted,
}

impl Drop for Seat {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A player that is thinking comes back soon; then it is dropped, and a program behind it ends.
            thread.join();
        }
    }
}
