//! A player in its own thread, with time limits on every answer, so that no player can hold up a match.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use engine::clock::Moment;
use engine::{Choice, Limits, Player, PlayerError, PlayerMessage, PlayerThread, Stop};
use othello::{Game, Rules};

/// The maximum time to create a player or to begin a game: programs read their weights then.
pub(crate) const START_TIMEOUT: Duration = Duration::from_secs(60);

/// The maximum time to answer after a stop request; a player that needs longer is abandoned.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// Interval at which a waiting referee checks whether the match is interrupted.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Two looks that are further apart than a wait by this much mean that the machine or this process was suspended: no
/// player is to blame.
const SUSPENDED: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct TimedPlayer<B: Rules> {
    /// `None` once the player has been abandoned.
    thread: Option<PlayerThread<B>>,
    replies: Receiver<PlayerMessage>,
    to_begin: Duration,
    watch: SuspensionWatch,
}

/// The task number of every request: there is only one at a time.
const TASK: u64 = 1;

#[derive(Debug)]
pub(crate) enum MoveReply {
    /// A move or an error, after this time.
    Given(Box<Result<Choice, PlayerError>>, Duration),
    /// No answer even after a stop request: the player can no longer be used.
    Silence,
    /// The player's thread panicked: the player can no longer be used.
    Crash,
    /// The match was interrupted.
    Interrupted,
}

impl<B: Rules> TimedPlayer<B> {
    /// Creates the player in a thread of its own; `to_begin` limits the time for that and for the start of a game.
    pub(crate) fn start(
        name: &str,
        make: impl FnOnce() -> Result<Box<dyn Player<B>>, String> + Send + 'static,
        to_begin: Duration,
        interrupt: &Stop,
    ) -> Result<Self, String> {
        let (outbox, replies) = mpsc::channel();
        let make = || make().map_err(|reason| PlayerError::NotMade { reason });
        let thread = PlayerThread::start(name, make, move |message| {
            // Reports during the search are not needed, and the receiver may be gone already.
            if !matches!(message, PlayerMessage::Thought(..)) {
                let _ = outbox.send(message);
            }
        })
        .map_err(|error| format!("cannot start a thread: {error}"))?;
        let mut player = Self { thread: Some(thread), replies, to_begin, watch: SuspensionWatch::start() };
        player.wait_until_ready(interrupt)?;
        Ok(player)
    }

    pub(crate) fn new_game(&mut self, interrupt: &Stop) -> Result<(), String> {
        if let Some(thread) = &mut self.thread {
            thread.new_game(TASK);
        }
        self.wait_until_ready(interrupt)
    }

    fn wait_until_ready(&mut self, interrupt: &Stop) -> Result<(), String> {
        self.watch = SuspensionWatch::start();
        let mut deadline = Moment::now().after(self.to_begin);
        let reason = loop {
            match self.next_reply(&mut deadline, interrupt) {
                Ok(PlayerMessage::Ready(_, Err(PlayerError::Panicked { .. }))) => break CRASH.to_owned(),
                Ok(PlayerMessage::Ready(_, result)) => return result.map_err(|error| error.to_string()),
                Ok(_) => {}
                Err(NoReply::Interrupted) => break "interrupted".to_owned(),
                Err(NoReply::Late) => break format!("not ready after {:?}", self.to_begin),
                Err(NoReply::Crash) => break CRASH.to_owned(),
            }
        };
        self.give_up();
        Err(reason)
    }

    /// Requests a move; after `allowed` a stop request follows.
    pub(crate) fn choose(&mut self, game: &Game<B>, limits: &Limits, allowed: Duration, interrupt: &Stop) -> MoveReply {
        // Before the player's clock runs: this thread may have to wait for a processor as soon as that one has work.
        self.watch = SuspensionWatch::start();
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
                Ok(PlayerMessage::Started(_, start)) => deadline = start.after(allowed + self.watch.suspended),
                Ok(PlayerMessage::Chosen(_, Err(PlayerError::Panicked { .. }), _)) | Err(NoReply::Crash) => {
                    self.give_up();
                    return MoveReply::Crash;
                }
                Ok(PlayerMessage::Chosen(..)) if is_interrupted => return MoveReply::Interrupted,
                Ok(PlayerMessage::Chosen(_, result, time)) => return MoveReply::Given(Box::new(result), time),
                Ok(_) => {}
                Err(NoReply::Late) if is_stopped => {
                    self.give_up();
                    return if is_interrupted { MoveReply::Interrupted } else { MoveReply::Silence };
                }
                Err(reason) => {
                    is_interrupted = matches!(reason, NoReply::Interrupted);
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
        !self.watch.suspended.is_zero()
    }

    pub(crate) fn is_usable(&self) -> bool {
        self.thread.is_some()
    }

    /// Abandons the thread: it ends when its player returns, if ever.
    fn give_up(&mut self) {
        self.thread = None;
    }

    /// Waits for a reply until the deadline, which is extended by the time this process was suspended.
    fn next_reply(&mut self, deadline: &mut Moment, interrupt: &Stop) -> Result<PlayerMessage, NoReply> {
        loop {
            let left = deadline.since(Moment::now());
            let wait = left.min(POLL_INTERVAL);
            let reply = self.replies.recv_timeout(wait);
            let suspended = self.watch.look(Moment::now());
            *deadline = deadline.after(suspended);
            match reply {
                Ok(reply) => return Ok(reply),
                Err(RecvTimeoutError::Disconnected) => return Err(NoReply::Crash),
                Err(RecvTimeoutError::Timeout) if !suspended.is_zero() => {}
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(NoReply::Late),
                Err(RecvTimeoutError::Timeout) if interrupt.is_set() => return Err(NoReply::Interrupted),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// Notices when this process was suspended: one look follows another within the poll interval unless it was. No moment lies
/// outside of two looks, so that no suspension is missed, wherever it finds the thread.
#[derive(Debug)]
struct SuspensionWatch {
    last_look: Moment,
    /// Time for which this process was suspended since the start.
    suspended: Duration,
}

impl SuspensionWatch {
    fn start() -> Self {
        Self { last_look: Moment::now(), suspended: Duration::ZERO }
    }

    /// Time for which this process was suspended since the last look.
    fn look(&mut self, now: Moment) -> Duration {
        let too_long = now.since(self.last_look).saturating_sub(POLL_INTERVAL);
        self.last_look = now;
        let found = if too_long > SUSPENDED { too_long } else { Duration::ZERO };
        self.suspended += found;
        found
    }
}

pub(crate) const CRASH: &str = "it crashed";

enum NoReply {
    Late,
    Crash,
    Interrupted,
}

impl<B: Rules> Drop for TimedPlayer<B> {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A thinking player returns soon; then it is dropped, and its external program ends.
            thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suspension_is_noticed_wherever_it_finds_the_thread() {
        let start = Moment::now();
        let at = |milliseconds| start.after(Duration::from_millis(milliseconds));
        let mut watch = SuspensionWatch { last_look: start, suspended: Duration::ZERO };
        // Waits, some of them on a busy machine.
        for time in [50, 100, 130, 900, 950] {
            assert_eq!(watch.look(at(time)), Duration::ZERO, "{time}");
        }
        // Whether in a wait, before it or after it, and before the first one as well.
        assert_eq!(watch.look(at(3_500)), Duration::from_millis(2_500));
        assert_eq!(watch.look(at(3_550)), Duration::ZERO);
        assert_eq!(watch.suspended, Duration::from_millis(2_500));
        let mut watch = SuspensionWatch { last_look: start, suspended: Duration::ZERO };
        assert_eq!(watch.look(at(2_550)), Duration::from_millis(2_500));
    }
}
