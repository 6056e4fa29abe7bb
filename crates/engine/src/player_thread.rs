//! A player in a separate thread: requests are sent to it, and its answers come as messages.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use othello::{Board, Game, Rules};

use crate::clock::Moment;
use crate::{Chosen, Limits, Player, PlayerError, Progress, Silent, Stop};

/// Number of a request, which every message about it carries: it shows that an answer belongs to a request that was
/// replaced.
pub type RequestId = u64;

/// Message of a player in a thread.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayerMessage {
    /// It was made, or has begun a game, or could not.
    Ready(RequestId, Result<(), PlayerError>),
    /// It starts a request now: its time runs from here, not from when the request was sent.
    Started(RequestId, Moment),
    /// It reports progress.
    Thought(RequestId, Progress),
    /// It has chosen a move, or failed to, after this time.
    Chosen(RequestId, Chosen, Duration),
    /// It has valued the moves, or failed to, after this time.
    Valued(RequestId, Result<Vec<Progress>, PlayerError>, Duration),
    /// It no longer thinks in the opponent's time.
    Pondered(RequestId),
    /// It has learned a game, with a sentence about it; `None` if it does not learn; or the error.
    Learned(Result<Option<String>, PlayerError>),
}

enum PlayerRequest<B: Rules> {
    NewGame,
    Choose(Box<Game<B>>, Limits, Stop),
    ValueMoves(Box<Game<B>>, usize, Limits, Stop),
    Ponder(Box<Game<B>>, Limits, Stop),
    Learn(Box<Game<B>>, Stop),
}

/// A player in a separate thread, so that the caller never waits for it.
///
/// A request ends the one before it, whose answer still comes. A panic of the player is reported as a failure
/// ([`PlayerError::Panicked`]). When the thread is dropped, the player is stopped but not waited for: the thread ends
/// when the player returns.
///
/// Thinking in the opponent's time is [`ponder`](Self::ponder): what the player remembers of it makes its own next
/// move faster or better.
///
/// ```
/// use std::sync::mpsc::channel;
///
/// use engine::{Emilia, Limits, Options, Player, PlayerMessage, PlayerThread};
/// use othello::{Board, Game};
///
/// let (messages, inbox) = channel();
/// let emilia: Emilia = Emilia::new(&Options { table_megabytes: 1, ..Options::default() })?;
/// let mut thread = PlayerThread::of(Box::new(emilia), move |message| drop(messages.send(message)));
/// let mut game = Game::new();
/// game.play("f5".parse()?)?;
/// thread.ponder(1, Box::new(game.clone()), Limits::default());
/// // Here the opponent thinks.
/// game.play("d6".parse()?)?;
/// thread.choose(2, Box::new(game), Limits::of_depth(4));
/// let choice = inbox.iter().find_map(|message| match message {
///     PlayerMessage::Chosen(2, choice, _) => Some(choice),
///     _ => None,
/// });
/// assert_eq!(choice.ok_or("no answer")??.depth, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PlayerThread<B: Rules = Board> {
    requests: Sender<(RequestId, PlayerRequest<B>)>,
    stop: StopOnDrop,
    /// The flag that ends learning: not set by the next request, but by the end of the thread.
    stop_learning: StopOnDrop,
    thread: JoinHandle<()>,
}

/// The flag that ends a search; it is set at the latest when the answer can no longer be received.
#[derive(Debug)]
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

impl<B: Rules> PlayerThread<B> {
    /// Starts a thread for an existing player; `send` receives all of its messages in that thread.
    pub fn of(player: Box<dyn Player<B>>, send: impl FnMut(PlayerMessage) + Send + 'static) -> Self {
        let (requests, inbox) = channel();
        let thread = thread::spawn(move || answer(player, &inbox, send));
        Self { requests, stop: StopOnDrop(Stop::new()), stop_learning: StopOnDrop(Stop::new()), thread }
    }

    /// Starts a thread of this name that makes its player first, which may take long, and then reports that it is ready
    /// (id 0).
    pub fn start<F>(name: &str, make: F, mut send: impl FnMut(PlayerMessage) + Send + 'static) -> io::Result<Self>
    where
        F: FnOnce() -> Result<Box<dyn Player<B>>, PlayerError> + Send + 'static,
    {
        let label = name.to_owned();
        // The system cuts the names of threads, and a zero byte ends them.
        let short: String = name.chars().filter(|symbol| *symbol != '\0').take(15).collect();
        let (requests, inbox) = channel();
        let thread = thread::Builder::new().name(short).spawn(move || match guarded(&label, make) {
            Ok(player) => {
                send(PlayerMessage::Ready(0, Ok(())));
                answer(player, &inbox, send);
            }
            Err(error) => send(PlayerMessage::Ready(0, Err(error))),
        })?;
        Ok(Self { requests, stop: StopOnDrop(Stop::new()), stop_learning: StopOnDrop(Stop::new()), thread })
    }

    /// Starts a new game; a message reports when the player is ready.
    pub fn new_game(&mut self, id: RequestId) {
        self.request(id, PlayerRequest::NewGame);
    }

    /// Requests a move.
    pub fn choose(&mut self, id: RequestId, game: Box<Game<B>>, limits: Limits) {
        let stop = self.begin();
        self.request(id, PlayerRequest::Choose(game, limits, stop));
    }

    /// Requests the values of the best `count` moves.
    pub fn value_moves(&mut self, id: RequestId, game: Box<Game<B>>, count: usize, limits: Limits) {
        let stop = self.begin();
        self.request(id, PlayerRequest::ValueMoves(game, count, limits, stop));
    }

    /// Lets the player think in the opponent's time; the answer is discarded, and no progress is reported.
    pub fn ponder(&mut self, id: RequestId, game: Box<Game<B>>, limits: Limits) {
        let stop = self.begin();
        self.request(id, PlayerRequest::Ponder(game, limits, stop));
    }

    /// Lets the player learn a game, for the games to come. Requests that follow wait for it.
    pub fn learn(&self, game: Box<Game<B>>) {
        self.request(0, PlayerRequest::Learn(game, self.stop_learning.0.clone()));
    }

    /// Ends the search; an answer still comes.
    pub fn stop(&self) {
        self.stop.0.set();
    }

    /// Ends the thread and waits for that, but not longer than this; a player that takes longer is abandoned.
    pub fn leave(self, patience: Duration) {
        let Self { requests, stop, stop_learning, thread } = self;
        drop((requests, stop, stop_learning));
        let start = Moment::now();
        while !thread.is_finished() && start.elapsed() < patience {
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Ends the thread and waits until its player is gone, and with it a program behind it.
    pub fn join(self) {
        let Self { requests, stop, stop_learning, thread } = self;
        drop((requests, stop, stop_learning));
        // A panic of the player was caught; a panic of the receiver is reported by its own thread.
        let _ = thread.join();
    }

    /// Ends the request before, and returns the flag of the next one.
    fn begin(&mut self) -> Stop {
        let stop = Stop::new();
        self.stop = StopOnDrop(stop.clone());
        stop
    }

    fn request(&self, id: RequestId, request: PlayerRequest<B>) {
        // A thread that has ended has reported the reason.
        let _ = self.requests.send((id, request));
    }
}

/// Interval at which the end of a thread is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Answers requests until the channel is closed.
fn answer<B: Rules>(
    mut player: Box<dyn Player<B>>,
    requests: &Receiver<(RequestId, PlayerRequest<B>)>,
    mut send: impl FnMut(PlayerMessage),
) {
    while let Ok((id, request)) = requests.recv() {
        let name = player.name().to_owned();
        let start = Moment::now();
        let message = match request {
            PlayerRequest::NewGame => PlayerMessage::Ready(id, guarded(&name, || player.new_game())),
            PlayerRequest::Choose(game, limits, stop) => {
                send(PlayerMessage::Started(id, start));
                let mut observer = |progress: &Progress| send(PlayerMessage::Thought(id, progress.clone()));
                let choice = guarded(&name, || player.choose(&game, &limits, &mut observer, &stop));
                PlayerMessage::Chosen(id, choice, start.elapsed())
            }
            PlayerRequest::ValueMoves(game, count, limits, stop) => {
                send(PlayerMessage::Started(id, start));
                let mut observer = |progress: &Progress| send(PlayerMessage::Thought(id, progress.clone()));
                let values = guarded(&name, || player.value_moves(&game, count, &limits, &mut observer, &stop));
                PlayerMessage::Valued(id, values, start.elapsed())
            }
            PlayerRequest::Ponder(game, limits, stop) => {
                // The answer is discarded, and a player that fails now fails again when it matters.
                let _ = guarded(&name, || player.choose(&game, &limits, &mut Silent, &stop));
                PlayerMessage::Pondered(id)
            }
            PlayerRequest::Learn(game, stop) => PlayerMessage::Learned(guarded(&name, || player.learn(&game, &stop))),
        };
        send(message);
    }
}

/// Turns a panic of a player into an error with the message of the panic.
pub fn guarded<T>(player: &str, work: impl FnOnce() -> Result<T, PlayerError>) -> Result<T, PlayerError> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(PlayerError::Panicked { player: player.to_owned(), words: words_of(&*panic) }))
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
    words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without words".to_owned())
}

#[cfg(test)]
mod tests {
    use othello::SquareSet;

    use super::*;
    use crate::{Choice, Estimate, Observer};

    /// A player whose name determines its behavior.
    struct Actor(&'static str);

    impl Player<Board> for Actor {
        fn name(&self) -> &str {
            self.0
        }

        fn new_game(&mut self) -> Result<(), PlayerError> {
            let (player, reason) = (self.0.to_owned(), "it has had enough".to_owned());
            if self.0 == "tired" { Err(PlayerError::Failed { player, reason }) } else { Ok(()) }
        }

        fn choose(&mut self, game: &Game, _limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Chosen {
            observer.report(&Progress { depth: 7, ..Progress::default() });
            assert!(self.0 != "panicker", "all is lost");
            while self.0 == "brooder" && !stop.is_set() {
                thread::yield_now();
            }
            let square = game.position().board.moves().first().ok_or(PlayerError::GameOver)?;
            Ok(Choice { value: Some(Estimate::Points(1)), ..Choice::of(square) })
        }
    }

    const LONG: Duration = Duration::from_secs(10);

    fn thread_of(name: &'static str) -> (PlayerThread, Receiver<PlayerMessage>) {
        let (messages, inbox) = channel();
        (PlayerThread::of(Box::new(Actor(name)), move |message| drop(messages.send(message))), inbox)
    }

    #[test]
    fn a_player_reports_when_it_begins_what_it_finds_and_what_it_chooses() {
        let before = Moment::now();
        let (mut thread, messages) = thread_of("quick");
        thread.choose(3, Box::default(), Limits::default());
        let received: Vec<_> = messages.iter().take(3).collect();
        assert!(matches!(received[0], PlayerMessage::Started(3, start) if start >= before), "{received:?}");
        assert!(matches!(&received[1], PlayerMessage::Thought(3, progress) if progress.depth == 7), "{received:?}");
        assert!(
            matches!(&received[2], PlayerMessage::Chosen(3, Ok(choice), time)
                if choice.square.to_string() == "d3" && *time <= before.elapsed()),
            "{received:?}"
        );
        thread.value_moves(4, Box::default(), usize::MAX, Limits::default());
        let valued = messages.iter().find_map(|message| match message {
            PlayerMessage::Valued(4, values, _) => Some(values),
            _ => None,
        });
        assert_eq!(valued.map(|values| values.map(|values| values.len())), Some(Ok(4)), "all moves of the start");
        thread.leave(LONG);
        assert!(messages.recv().is_err(), "the thread has ended");
    }

    #[test]
    fn a_stopped_player_answers_and_is_ready_for_the_next_request() {
        let (mut thread, messages) = thread_of("brooder");
        thread.choose(1, Box::default(), Limits::default());
        thread.ponder(2, Box::default(), Limits::default());
        thread.choose(3, Box::default(), Limits::default());
        thread.stop();
        let answered = |message| match message {
            PlayerMessage::Chosen(id, Ok(_), _) | PlayerMessage::Pondered(id) => Some(id),
            _ => None,
        };
        let answers: Vec<_> = messages.iter().filter_map(answered).take(3).collect();
        assert_eq!(answers, [1, 2, 3]);
        thread.join();
    }

    #[test]
    fn a_request_does_not_end_learning_but_the_end_of_the_thread_does() {
        /// Learns until the flag is set, the first time only for a moment.
        struct Learner(u32);
        impl Player<Board> for Learner {
            fn name(&self) -> &str {
                "learner"
            }

            fn choose(&mut self, game: &Game, _: &Limits, _: &mut dyn Observer, _: &Stop) -> Chosen {
                Ok(Choice::of(game.position().board.moves().first().ok_or(PlayerError::GameOver)?))
            }

            fn learn(&mut self, _game: &Game, stop: &Stop) -> Result<Option<String>, PlayerError> {
                self.0 += 1;
                while self.0 > 1 && !stop.is_set() {
                    thread::yield_now();
                }
                thread::sleep(Duration::from_millis(20));
                Ok(Some(format!("stopped: {}", stop.is_set())))
            }
        }
        let (messages, inbox) = channel();
        let mut thread = PlayerThread::of(Box::new(Learner(0)), move |message| drop(messages.send(message)));
        thread.learn(Box::default());
        thread.choose(1, Box::default(), Limits::default());
        let received: Vec<_> = inbox.iter().take(3).collect();
        assert_eq!(received[0], PlayerMessage::Learned(Ok(Some("stopped: false".to_owned()))), "{received:?}");
        assert!(matches!(received[2], PlayerMessage::Chosen(1, Ok(_), _)), "{received:?}");
        thread.learn(Box::default());
        thread.join();
        assert_eq!(inbox.recv(), Ok(PlayerMessage::Learned(Ok(Some("stopped: true".to_owned())))));
    }

    #[test]
    fn a_dropped_thread_ends_the_search() {
        let (mut thread, messages) = thread_of("brooder");
        thread.choose(1, Box::default(), Limits::default());
        assert!(matches!(messages.recv(), Ok(PlayerMessage::Started(1, _))));
        assert!(matches!(messages.recv(), Ok(PlayerMessage::Thought(1, _))));
        drop(thread);
        assert!(matches!(messages.recv(), Ok(PlayerMessage::Chosen(1, Ok(_), _))));
        assert!(messages.recv().is_err(), "the thread has ended");
    }

    #[test]
    fn panics_and_failures_are_reported_as_text_and_the_player_can_be_used_again() {
        let (mut thread, messages) = thread_of("panicker");
        for id in [1, 2] {
            thread.choose(id, Box::default(), Limits::default());
            let failure = messages.iter().find_map(|message| match message {
                PlayerMessage::Chosen(answered, Err(error), _) if answered == id => Some(error.to_string()),
                _ => None,
            });
            assert_eq!(failure.as_deref(), Some("panicker failed: it panicked (all is lost)"));
        }
        let (mut thread, messages) = thread_of("tired");
        thread.new_game(5);
        let Ok(PlayerMessage::Ready(5, Err(error))) = messages.recv() else { panic!("it is not ready") };
        assert_eq!(error.to_string(), "tired failed: it has had enough");
    }

    #[test]
    fn a_player_is_made_in_its_own_thread_and_reports_when_it_is_ready() {
        let make = |outcome: fn() -> Result<Box<dyn Player>, PlayerError>| {
            let (messages, inbox) = channel();
            let thread = PlayerThread::<Board>::start("a\0name", outcome, move |message| drop(messages.send(message)));
            (thread.expect("a thread"), inbox.recv().expect("a message"))
        };
        assert_eq!(make(|| Ok(Box::new(Actor("quick")))).1, PlayerMessage::Ready(0, Ok(())));
        let error = || PlayerError::NotMade { reason: "it has no weights".to_owned() };
        assert_eq!(error().to_string(), "it has no weights");
        let refused = make(|| Err(PlayerError::NotMade { reason: "it has no weights".to_owned() }));
        assert_eq!(refused.1, PlayerMessage::Ready(0, Err(error())));
        let (_, ready) = make(|| panic!("no memory"));
        assert!(
            matches!(ready, PlayerMessage::Ready(0, Err(PlayerError::Panicked { words, .. })) if words == "no memory")
        );
    }
}
