//! The full-screen game: a window that makes events of keys and draws the view of a session, and this loop between
//! both and the world: players in threads, files, the terminal.

mod book;
mod cursor;
pub(crate) mod drawing;
mod new_game;
mod opponent_choice;
#[cfg(test)]
mod pictures;
mod prompt;
mod screen;
#[cfg(test)]
mod screens;
mod terminal;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, Result};
use engine::clock::Moment;
use session::{Catalogue, Effect, Event, OtherBoard, PlayerThreads, StudiedBoard};

use crate::full_screen::screen::{Screen, ScreenRequest};
use crate::full_screen::terminal::Input;
use crate::{EffectResult, Setup, carry_out, files};

pub use crate::full_screen::book::{BookTour, explore_book};
pub use crate::full_screen::terminal::FullScreen;

/// Interval at which clocks are drawn.
const TICK: Duration = Duration::from_millis(100);

/// The end of a screen.
pub enum Left {
    /// The person has left.
    Quit,
    /// A signal, or a terminal that is gone, with the moves that were not saved.
    Terminated(Option<String>),
    /// The person has chosen another board.
    ForBoard(OtherBoard),
}

/// An event that is not handled yet.
enum LoopEvent<B: StudiedBoard> {
    Input(Input),
    Tick,
    Result(EffectResult<B>),
}

/// Plays on the terminal until the person leaves.
pub fn play<B: StudiedBoard>(full_screen: &mut FullScreen, setup: Setup<B>) -> Result<Left> {
    let (loop_events, inbox) = channel();
    let input = loop_events.clone();
    // A failed send means that the game has ended.
    full_screen.listen(Box::new(move |event| drop(input.send(LoopEvent::Input(event)))));
    let undrawable = "cannot draw on the terminal";
    let size = full_screen.terminal().size().context(undrawable)?;
    let look = setup.look;
    let (mut session, mut threads) = setup.furnish(move |answer| drop(loop_events.send(LoopEvent::Result(answer))));
    let catalogue = Catalogue::of::<B>(session.registry());
    let mut screen = Screen::new(B::GEOMETRY, catalogue, session.view(), (size.width, size.height));
    let mut watch = Watch::start();
    let mut waiting = VecDeque::from([LoopEvent::Tick]);
    // Leaving waits until the last game is learned; leaving a second time does not.
    let mut is_leaving = false;
    let left = loop {
        let mut left = None;
        while let Some(loop_event) = waiting.pop_front() {
            let request = match loop_event {
                LoopEvent::Input(input) => screen.handle(input),
                LoopEvent::Tick => Some(ScreenRequest::Event(Event::Tick)),
                LoopEvent::Result(answer) => {
                    let effects = answer.apply(&mut session, watch.elapsed());
                    left = left.or(carry_out_all(effects, &mut threads, &mut waiting));
                    screen.show(session.view());
                    None
                }
            };
            match request {
                None => {}
                Some(ScreenRequest::Event(event)) => {
                    let effects = session.handle(event, watch.elapsed());
                    left = left.or(carry_out_all(effects, &mut threads, &mut waiting));
                    screen.show(session.view());
                }
                Some(ScreenRequest::Complete(text)) => screen.completed(files::beginning_with(&text)),
                Some(ScreenRequest::Suspend) => watch.stand_during(|| full_screen.suspend())?,
                Some(ScreenRequest::Leave) if session.is_learning() && !is_leaving => is_leaving = true,
                Some(ScreenRequest::Leave) => left = left.or(Some(Left::Quit)),
                Some(ScreenRequest::Terminate) => left = left.or(Some(Left::Terminated(session.view().unsaved))),
            }
            if screen.awaits_person() {
                watch.stand_at(session.now());
            } else {
                watch.run();
            }
        }
        if is_leaving && !session.is_learning() {
            left = left.or(Some(Left::Quit));
        }
        if let Some(left) = left {
            break left;
        }
        full_screen.terminal().draw(|frame| drawing::draw(&screen, look, frame)).context(undrawable)?;
        match inbox.recv_timeout(TICK) {
            Ok(loop_event) => waiting.push_back(loop_event),
            Err(RecvTimeoutError::Timeout) => {}
            // The listener holds the other end as long as this loop runs.
            Err(RecvTimeoutError::Disconnected) => break Left::Terminated(session.view().unsaved),
        }
        // Events that have arrived meanwhile are drawn together, with the present clocks.
        waiting.extend(inbox.try_iter());
        waiting.push_back(LoopEvent::Tick);
    };
    threads.leave();
    Ok(left)
}

/// Carries out the effects of a session. Immediate results go before everything that waits. If the person wants another
/// board, nothing more is to be done here.
fn carry_out_all<B: StudiedBoard>(
    effects: Vec<Effect<B>>,
    threads: &mut PlayerThreads<B>,
    waiting: &mut VecDeque<LoopEvent<B>>,
) -> Option<Left> {
    let mut answers = Vec::new();
    for effect in effects {
        match carry_out(effect, threads) {
            Ok(answer) => answers.extend(answer.map(LoopEvent::Result)),
            Err(other) => return Some(Left::ForBoard(other)),
        }
    }
    put_first(waiting, answers);
    None
}

/// Puts immediate results before everything that has happened meanwhile, in their order: an engine is seated before the
/// next key is handled.
fn put_first<T>(waiting: &mut VecDeque<T>, results: Vec<T>) {
    for result in results.into_iter().rev() {
        waiting.push_front(result);
    }
}

/// The time since the screen began, without that in which the program was stopped or the game had to wait for the person.
struct Watch {
    start: Moment,
    stood: Duration,
    /// The time that it shows while it is stopped; none while it runs.
    stands_at: Option<Duration>,
}

impl Watch {
    fn start() -> Self {
        Self { start: Moment::now(), stood: Duration::ZERO, stands_at: None }
    }

    fn elapsed(&self) -> Duration {
        self.stands_at.unwrap_or_else(|| self.start.elapsed().saturating_sub(self.stood))
    }

    /// Stops the watch, which shows this time from now on.
    fn stand_at(&mut self, shown: Duration) {
        self.stands_at = Some(shown);
    }

    /// Lets the watch run on from where it was stopped.
    fn run(&mut self) {
        if let Some(shown) = self.stands_at.take() {
            self.stood = self.start.elapsed().saturating_sub(shown);
        }
    }

    /// Does something that takes no time by this watch.
    fn stand_during<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let before = Moment::now();
        let outcome = work();
        self.stood += before.elapsed();
        outcome
    }
}

#[cfg(test)]
mod loop_tests {
    use super::*;

    #[test]
    fn results_of_effects_come_in_their_order_and_before_what_waits() {
        let mut waiting = VecDeque::from(["a key", "another key"]);
        put_first(&mut waiting, vec!["Black is seated", "White is seated"]);
        assert_eq!(waiting, ["Black is seated", "White is seated", "a key", "another key"]);
    }

    #[test]
    fn a_watch_stands_while_the_program_is_stopped() {
        let away = Duration::from_millis(20);
        let (before, mut watch) = (Moment::now(), Watch::start());
        watch.stand_during(|| std::thread::sleep(away));
        let by_watch = watch.elapsed();
        assert!(by_watch + away <= before.elapsed());
    }

    #[test]
    fn a_watch_that_was_stopped_runs_on_from_there() {
        let away = Duration::from_millis(20);
        let mut watch = Watch::start();
        let stopped = watch.elapsed();
        watch.stand_at(stopped);
        let before = Moment::now();
        std::thread::sleep(away);
        assert_eq!(watch.elapsed(), stopped);
        watch.run();
        let after = watch.elapsed();
        assert!(stopped <= after && after + away <= stopped + before.elapsed());
    }
}
