//! Players and the adviser at work, each in a thread of its own, so that the screen never waits for them.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use engine::clock::Moment;
use engine::{Limits, Player, Progress, Silent, Stop};
use othello::{Game, Rules};

use crate::screen::event::{Event, Task};

/// What someone in a chair is asked for.
enum Request<B: Rules> {
    NewGame,
    Think(Task, Box<Game<B>>, Limits, Stop),
    Ponder(Box<Game<B>>, Limits, Stop),
}

/// Someone who thinks when asked to.
#[derive(Debug)]
pub struct Chair<B: Rules> {
    requests: Option<Sender<Request<B>>>,
    /// Ends what is being thought.
    stop: Stop,
    thread: JoinHandle<()>,
}

/// Who does not come to an end by then is left behind: the program ends anyway.
const PATIENCE: Duration = Duration::from_secs(1);

impl<B: Rules> Chair<B> {
    /// A chair for a player, who tells what it finds as events.
    pub fn of_player(mut player: Box<dyn Player<B>>, events: Sender<Event<B>>) -> Self {
        Self::new(move |requests| {
            while let Ok(request) = requests.recv() {
                let event = match request {
                    Request::NewGame => match fit(&mut *player) {
                        Ok(()) => continue,
                        Err(reason) => Event::Unfit(reason),
                    },
                    Request::Think(task, game, limits, stop) => {
                        let name = player.name().to_owned();
                        let mut observer = reporter(task, &events);
                        let choice = guarded(&name, || {
                            player.choose(&game, &limits, &mut observer, &stop).map_err(|error| error.to_string())
                        });
                        Event::Chosen(task, choice)
                    }
                    Request::Ponder(game, limits, stop) => {
                        let name = player.name().to_owned();
                        // Nobody waits for an answer, and who fails now fails again when it matters.
                        let _ = guarded(&name, || {
                            let choice = player.choose(&game, &limits, &mut Silent, &stop);
                            choice.map(drop).map_err(|error| error.to_string())
                        });
                        continue;
                    }
                };
                if events.send(event).is_err() {
                    return;
                }
            }
        })
    }

    /// A chair for the adviser.
    pub fn of_adviser(mut adviser: Box<dyn Player<B>>, events: Sender<Event<B>>) -> Self {
        Self::new(move |requests| {
            while let Ok(request) = requests.recv() {
                let Request::Think(task, game, limits, stop) = request else { continue };
                let mut observer = reporter(task, &events);
                let outcome = guarded("the adviser", || {
                    let values = adviser.value_moves(&game, usize::MAX, &limits, &mut observer, &stop);
                    values.map(drop).map_err(|error| error.to_string())
                });
                if events.send(Event::Advised(task, outcome)).is_err() {
                    return;
                }
            }
        })
    }

    fn new(work: impl FnOnce(Receiver<Request<B>>) + Send + 'static) -> Self {
        let (requests, inbox) = channel();
        Self { requests: Some(requests), stop: Stop::new(), thread: thread::spawn(move || work(inbox)) }
    }

    /// Tells of a new game.
    pub fn new_game(&mut self) {
        self.ask(Request::NewGame);
    }

    /// Asks for a move, or for advice.
    pub fn think(&mut self, task: Task, game: Box<Game<B>>, limits: Limits) {
        let stop = self.begin();
        self.ask(Request::Think(task, game, limits, stop));
    }

    /// Lets a player think in the time of the other.
    pub fn ponder(&mut self, game: Box<Game<B>>, limits: Limits) {
        let stop = self.begin();
        self.ask(Request::Ponder(game, limits, stop));
    }

    /// Ends what is being thought; an answer may still come.
    pub fn stop(&self) {
        self.stop.set();
    }

    /// Ends what was asked for before, and gives the flag of what comes.
    fn begin(&mut self) -> Stop {
        self.stop.set();
        self.stop = Stop::new();
        self.stop.clone()
    }

    fn ask(&self, request: Request<B>) {
        if let Some(requests) = &self.requests {
            // A thread that is gone has said why.
            let _ = requests.send(request);
        }
    }

    /// Ends the thread, unless it takes too long.
    pub fn leave(mut self) {
        self.stop.set();
        self.requests = None;
        let start = Moment::now();
        while !self.thread.is_finished() && start.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Nobody thinks for a chair that is gone, however the screen has ended.
impl<B: Rules> Drop for Chair<B> {
    fn drop(&mut self) {
        self.stop.set();
    }
}

fn fit<B: Rules>(player: &mut dyn Player<B>) -> Result<(), String> {
    let name = player.name().to_owned();
    guarded(&name, || player.new_game().map_err(|error| error.to_string()))
}

/// Tells each report as an event.
fn reporter<B: Rules>(task: Task, events: &Sender<Event<B>>) -> impl FnMut(&Progress) {
    let events = events.clone();
    move |progress: &Progress| {
        // When the screen is gone, the flag is set too.
        let _ = events.send(Event::Thought(task, progress.clone()));
    }
}

/// Does something that must not take the program with it: a panic becomes a failure with its own words.
fn guarded<T>(who: &str, work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(format!("{who} failed: it panicked ({})", words_of(&*panic))))
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
    words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without words".to_owned())
}

#[cfg(test)]
mod tests {
    use engine::{Choice, Observer, PlayerError};
    use othello::{Board, SquareSet};

    use super::*;

    /// Does what its name says.
    struct Actor(&'static str);

    impl Player<Board> for Actor {
        fn name(&self) -> &str {
            self.0
        }

        fn new_game(&mut self) -> Result<(), PlayerError> {
            let (player, reason) = (self.0.to_owned(), "it has had enough".to_owned());
            if self.0 == "tired" { Err(PlayerError::Failed { player, reason }) } else { Ok(()) }
        }

        fn choose(
            &mut self,
            game: &Game,
            _limits: &Limits,
            observer: &mut dyn Observer,
            stop: &Stop,
        ) -> Result<Choice, PlayerError> {
            observer.report(&Progress { depth: 7, ..Progress::default() });
            assert!(self.0 != "panicker", "all is lost");
            while self.0 == "brooder" && !stop.is_set() {
                thread::yield_now();
            }
            game.position().board.moves().first().map(Choice::of).ok_or(PlayerError::GameOver)
        }
    }

    fn chair(name: &'static str) -> (Chair<Board>, Receiver<Event<Board>>) {
        let (events, inbox) = channel();
        (Chair::of_player(Box::new(Actor(name)), events), inbox)
    }

    fn game() -> Box<Game> {
        Box::default()
    }

    #[test]
    fn a_player_tells_what_it_finds_and_what_it_chooses() {
        let (mut chair, events) = chair("quick");
        chair.think(3, game(), Limits::default());
        let said: Vec<_> = events.iter().take(2).collect();
        assert!(matches!(&said[0], Event::Thought(3, progress) if progress.depth == 7), "{said:?}");
        assert!(matches!(&said[1], Event::Chosen(3, Ok(choice)) if choice.square.to_string() == "d3"), "{said:?}");
        chair.leave();
    }

    #[test]
    fn one_that_is_stopped_answers_and_is_ready_for_the_next_question() {
        let (mut chair, events) = chair("brooder");
        chair.think(1, game(), Limits::default());
        chair.ponder(game(), Limits::default());
        chair.think(2, game(), Limits::default());
        chair.stop();
        let chosen: Vec<_> = events
            .iter()
            .filter_map(|event| if let Event::Chosen(task, _) = event { Some(task) } else { None })
            .take(2)
            .collect();
        assert_eq!(chosen, [1, 2]);
        chair.leave();
    }

    #[test]
    fn a_chair_that_is_dropped_ends_the_thinking() {
        let (mut chair, events) = chair("brooder");
        chair.think(1, game(), Limits::default());
        assert!(matches!(events.recv(), Ok(Event::Thought(1, _))));
        drop(chair);
        assert!(matches!(events.recv(), Ok(Event::Chosen(1, Ok(_)))));
        assert!(events.recv().is_err(), "the thread has ended");
    }

    #[test]
    fn panics_and_failures_become_sentences() {
        let (mut chair, events) = chair("panicker");
        chair.think(1, game(), Limits::default());
        let failure =
            events.iter().find_map(|event| if let Event::Chosen(_, Err(words)) = event { Some(words) } else { None });
        assert_eq!(failure.as_deref(), Some("panicker failed: it panicked (all is lost)"));
        chair.leave();
        let (mut chair, events) = self::chair("tired");
        chair.new_game();
        assert!(matches!(events.recv(), Ok(Event::Unfit(words)) if words == "tired failed: it has had enough"));
        chair.leave();
    }
}
