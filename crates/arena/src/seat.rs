//! A seat: a player in a thread of its own, so that no player can hold up a match.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use engine::{Choice, Limits, Player, PlayerError, Silent, Stop};
use othello::Game;

/// How long a player may take to be made or to begin a game: programs read their weights then.
const TO_BEGIN: Duration = Duration::from_secs(60);

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
    orders: Option<Sender<Order>>,
    replies: Receiver<Reply>,
    thread: Option<JoinHandle<()>>,
    stop: Stop,
    /// How long this process was stopped since the last question.
    asleep: Duration,
}

enum Order {
    NewGame,
    Choose { game: Box<Game>, limits: Limits },
}

enum Reply {
    /// The player was made, or began a game, or could not.
    Ready(Result<(), String>),
    /// The player was asked at this moment: its clock runs from here.
    Asked(Instant),
    /// The player has answered after this time.
    Answered(Box<Result<Choice, PlayerError>>, Duration),
}

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
    /// Makes the player in a thread of its own.
    pub(crate) fn start(
        name: &str,
        make: impl FnOnce() -> Result<Box<dyn Player>, String> + Send + 'static,
        interrupt: &Stop,
    ) -> Result<Self, String> {
        let (orders, inbox) = mpsc::channel();
        let (outbox, replies) = mpsc::channel();
        let stop = Stop::new();
        let flag = stop.clone();
        let thread = thread::Builder::new()
            .name(name.chars().filter(|symbol| *symbol != '\0').take(15).collect())
            .spawn(move || {
                // The other side is gone when the match no longer cares: then nothing is left to do.
                let mut player = match make() {
                    Ok(player) => player,
                    Err(sentence) => {
                        let _ = outbox.send(Reply::Ready(Err(sentence)));
                        return;
                    }
                };
                let _ = outbox.send(Reply::Ready(Ok(())));
                for order in inbox {
                    let reply = match order {
                        Order::NewGame => Reply::Ready(player.new_game().map_err(|error| error.to_string())),
                        Order::Choose { game, limits } => {
                            let start = Instant::now();
                            let _ = outbox.send(Reply::Asked(start));
                            let result = player.choose(&game, &limits, &mut Silent, &flag);
                            Reply::Answered(Box::new(result), start.elapsed())
                        }
                    };
                    if outbox.send(reply).is_err() {
                        return;
                    }
                }
            })
            .map_err(|error| format!("cannot start a thread: {error}"))?;
        let mut seat = Self { orders: Some(orders), replies, thread: Some(thread), stop, asleep: Duration::ZERO };
        seat.wait_until_ready(interrupt)?;
        Ok(seat)
    }

    /// Tells the player that a game begins.
    pub(crate) fn new_game(&mut self, interrupt: &Stop) -> Result<(), String> {
        self.send(Order::NewGame);
        self.wait_until_ready(interrupt)
    }

    fn wait_until_ready(&mut self, interrupt: &Stop) -> Result<(), String> {
        let mut deadline = Instant::now() + TO_BEGIN;
        loop {
            match self.next_reply(&mut deadline, interrupt) {
                Ok(Reply::Ready(result)) => return result,
                Ok(_) => {}
                Err(Trouble::Interrupted) => {
                    self.give_up();
                    return Err("interrupted".to_owned());
                }
                Err(Trouble::Late) => {
                    self.give_up();
                    return Err(format!("not ready after {} seconds", TO_BEGIN.as_secs()));
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
        self.stop.clear();
        self.asleep = Duration::ZERO;
        self.send(Order::Choose { game: Box::new(game.clone()), limits: *limits });
        // Until the player's thread runs, only the machine is to blame.
        let mut deadline = Instant::now() + allowed + TO_BEGIN;
        let mut is_stopped = false;
        let mut is_interrupted = false;
        loop {
            let never = Stop::new();
            match self.next_reply(&mut deadline, if is_interrupted { &never } else { interrupt }) {
                Ok(Reply::Asked(start)) => deadline = start + allowed + self.asleep,
                Ok(Reply::Answered(..)) if is_interrupted => return Answer::Interrupted,
                Ok(Reply::Answered(result, time)) => return Answer::Given(result, time),
                Ok(Reply::Ready(_)) => {}
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
                    self.stop.set();
                    deadline = Instant::now() + TO_STOP;
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
        self.orders.is_some()
    }

    fn send(&self, order: Order) {
        if let Some(orders) = &self.orders {
            // If the thread is gone, the missing reply says so.
            let _ = orders.send(order);
        }
    }

    /// Leaves the thread to itself: it ends when its player comes back, if ever.
    fn give_up(&mut self) {
        self.stop.set();
        self.orders = None;
        self.thread = None;
    }

    /// Waits for a reply until the deadline, which is put off for as long as this process was stopped.
    fn next_reply(&mut self, deadline: &mut Instant, interrupt: &Stop) -> Result<Reply, Trouble> {
        loop {
            let start = Instant::now();
            let left = deadline.saturating_duration_since(start);
            let wait = left.min(GLANCE);
            let reply = self.replies.recv_timeout(wait);
            let too_long = start.elapsed().saturating_sub(wait);
            if too_long > ASLEEP {
                self.asleep += too_long;
                *deadline += too_long;
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
pub(crate) const CRASH: &str = "a failure inside the player ended it";

enum Trouble {
    Late,
    Crash,
    Interrupted,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.stop.set();
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // A player that is thinking comes back soon; then it is dropped, and a program behind it ends.
            let _ = thread.join();
        }
    }
}
