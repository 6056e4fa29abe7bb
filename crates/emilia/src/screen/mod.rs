//! The full-screen game: a state that takes events and gives orders, the drawing of it, and this loop between both and
//! the world: players in threads, files, the terminal.

mod chair;
mod cursor;
mod drawing;
mod editor;
mod event;
mod files;
mod new_game;
mod opponent_choice;
mod prompt;
#[cfg(test)]
mod screens;
#[cfg(test)]
mod sessions;
mod state;
mod table;
mod terminal;

use std::collections::VecDeque;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use anyhow::{Context, Result};
use engine::clock::Moment;
use engine::{GameClock, Limits, Player};
use othello::{Color, Game};

use crate::board_shape::BoardShape;
use crate::look::Look;
use crate::registry::{self, PlayableBoard, PlayerOptions};
use crate::screen::chair::Chair;
use crate::screen::event::{Event, Order, Seating};
use crate::screen::state::Screen;
use crate::screen::table::{Opponent, Seat, Table};
use crate::screen::terminal::Input;
use players::SearchOptions;

pub use crate::screen::event::{OtherBoard, Seating as EngineChoice};
#[cfg(test)]
pub use crate::screen::new_game::Sides;
pub use crate::screen::terminal::FullScreen;

/// Clocks are drawn so often.
const TICK: Duration = Duration::from_millis(100);

/// How far hints look, at most: they come while the person thinks.
const HINT_LEVEL: u32 = 16;

/// The table of the adviser, in MB.
const HINT_TABLE: u32 = 64;

/// An engine with how it was chosen.
pub type SeatedEngine<B> = (EngineChoice, Box<dyn Player<B>>);

/// A game to be played on the screen.
pub struct Setup<B: PlayableBoard> {
    /// The game, at the position from which it goes on.
    pub game: Game<B>,
    /// The engine of each colour, with its choice; nobody is the person.
    pub engines: [Option<SeatedEngine<B>>; 2],
    /// The engine that plays where a person gets up.
    pub spare: EngineChoice,
    /// The clock of both sides.
    pub control: Option<GameClock>,
    /// Whether engines think in the person's time.
    pub ponders: bool,
    /// How players are made.
    pub options: PlayerOptions,
    /// What the terminal can show.
    pub look: Look,
    /// The board.
    pub shape: BoardShape,
}

/// How a screen ends.
pub enum Left {
    /// The person has left.
    Quit,
    /// A signal, or a terminal that is gone, with the moves that were not saved.
    Terminated(Option<String>),
    /// The person wants another board.
    ForBoard(OtherBoard),
}

/// Plays on the terminal until the person leaves.
pub fn play<B: PlayableBoard>(full_screen: &mut FullScreen, setup: Setup<B>) -> Result<Left> {
    let (events, inbox) = channel();
    let input = events.clone();
    full_screen.listen(Box::new(move |event| {
        // When the game is gone, nobody needs to know any more.
        let _ = input.send(match event {
            Input::Key(key) => Event::Key(key),
            Input::Mouse(mouse) => Event::Mouse(mouse),
            Input::Paste(text) => Event::Paste(text),
            Input::Resize(width, height) => Event::Resize(width, height),
            Input::Terminate => Event::Terminate,
        });
    }));
    let undrawable = "cannot draw on the terminal";
    let size = full_screen.terminal().size().context(undrawable)?;
    let look = setup.look;
    let (mut screen, mut room) = furnish(setup, events, (size.width, size.height));
    let mut watch = Watch::start();
    let mut waiting = VecDeque::from([Event::Tick]);
    loop {
        while let Some(event) = waiting.pop_front() {
            let mut outcomes = Vec::new();
            for order in screen.handle(event, watch.elapsed()) {
                match order {
                    Order::Leave => return Ok(room.leave(Left::Quit)),
                    Order::Terminate => return Ok(room.leave(Left::Terminated(screen.unsaved_moves()))),
                    Order::ChangeBoard(other) => return Ok(room.leave(Left::ForBoard(other))),
                    Order::Suspend => watch.stand_during(|| full_screen.suspend())?,
                    order => outcomes.extend(room.obey(order)),
                }
            }
            put_first(&mut waiting, outcomes);
        }
        full_screen.terminal().draw(|frame| drawing::draw(&screen, look, frame)).context(undrawable)?;
        match inbox.recv_timeout(TICK) {
            Ok(event) => waiting.push_back(event),
            Err(RecvTimeoutError::Timeout) => waiting.push_back(Event::Tick),
            // The listener holds the other end as long as this loop runs.
            Err(RecvTimeoutError::Disconnected) => return Ok(room.leave(Left::Terminated(screen.unsaved_moves()))),
        }
        // What has come meanwhile is drawn together.
        waiting.extend(inbox.try_iter());
    }
}

/// What came of orders is known before whatever else has happened meanwhile, in the order of the orders: who was asked to
/// sit down sits there when the next key comes.
fn put_first<T>(waiting: &mut VecDeque<T>, outcomes: Vec<T>) {
    for outcome in outcomes.into_iter().rev() {
        waiting.push_front(outcome);
    }
}

/// The time since the screen began, without that in which the program was stopped.
struct Watch {
    start: Moment,
    stood: Duration,
}

impl Watch {
    fn start() -> Self {
        Self { start: Moment::now(), stood: Duration::ZERO }
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed().saturating_sub(self.stood)
    }

    /// Does something that takes no time by this watch.
    fn stand_during<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let before = Moment::now();
        let outcome = work();
        self.stood += before.elapsed();
        outcome
    }
}

/// The screen of a game and the room in which its players sit.
fn furnish<B: PlayableBoard>(setup: Setup<B>, events: Sender<Event<B>>, size: (u16, u16)) -> (Screen<B>, Room<B>) {
    let Setup { game, engines, spare, control, ponders, options, shape, .. } = setup;
    let mut room = Room { chairs: [None, None], adviser: None, options, events, seated: 1 };
    let mut seats = [Seat::Person, Seat::Person];
    for (color, engine) in [Color::Black, Color::White].into_iter().zip(engines) {
        if let Some((Seating { notation, level }, player)) = engine {
            let name = player.name().to_owned();
            seats[color as usize] = Seat::Engine(Opponent::new(notation, name, level, control.is_some()));
            room.chairs[color as usize] = Some(Chair::of_player(player, room.events.clone()));
        }
    }
    (Screen::new(Table::new(game, seats, control), shape, ponders, spare, size), room)
}

/// Where the players sit, and what the screen's orders are carried out with.
struct Room<B: PlayableBoard> {
    /// Black's and White's engine.
    chairs: [Option<Chair<B>>; 2],
    /// Called when hints are asked for the first time.
    adviser: Option<Chair<B>>,
    options: PlayerOptions,
    events: Sender<Event<B>>,
    /// The seed of the last who sat down, beyond that of the first, so that two of one kind do not play the same. Those
    /// who play from the beginning have taken two.
    seated: u64,
}

impl<B: PlayableBoard> Room<B> {
    /// Carries out an order; what came of it at once.
    fn obey(&mut self, order: Order<B>) -> Option<Event<B>> {
        match order {
            Order::Seat(color, seating) => Some(self.seat(color, seating)),
            Order::Unseat(color) => {
                self.empty(color);
                None
            }
            Order::Swap => {
                self.chairs.swap(0, 1);
                None
            }
            Order::NewGame => {
                self.chairs.iter_mut().flatten().for_each(Chair::new_game);
                None
            }
            Order::Think(task, color, game, limits) => match &mut self.chairs[color as usize] {
                Some(chair) => {
                    chair.think(task, game, limits);
                    None
                }
                None => Some(Event::Chosen(task, Err("nobody sits there".to_owned()))),
            },
            Order::Ponder(_, color, game, limits) => {
                if let Some(chair) = &mut self.chairs[color as usize] {
                    chair.ponder(game, limits);
                }
                None
            }
            Order::Advise(task, game) => match self.adviser() {
                Ok(adviser) => {
                    adviser.think(task, game, Limits::of_level(HINT_LEVEL));
                    None
                }
                Err(error) => Some(Event::Advised(task, Err(format!("{error:#}")))),
            },
            Order::Stop => {
                self.chairs.iter().chain([&self.adviser]).flatten().for_each(Chair::stop);
                None
            }
            Order::Save { path, record, overwrite } => Some(files::save(path, &record, overwrite)),
            Order::Load(path, number) => Some(files::load(path, number)),
            Order::Complete(text) => Some(Event::Completed(files::beginning_with(&text))),
            // The loop does these itself.
            Order::Suspend | Order::ChangeBoard(_) | Order::Leave | Order::Terminate => None,
        }
    }

    fn seat(&mut self, color: Color, seating: Seating) -> Event<B> {
        self.seated += 1;
        let seed = self.options.seed.wrapping_add(self.seated);
        let options = PlayerOptions { seed, ..self.options };
        let outcome = registry::limited_player::<B>(&seating.notation, &options)
            .map(|player| {
                let name = player.name().to_owned();
                self.empty(color);
                self.chairs[color as usize] = Some(Chair::of_player(player, self.events.clone()));
                name
            })
            .map_err(|error| report::words::sentence(&error));
        Event::Seated(color, seating, outcome)
    }

    fn empty(&mut self, color: Color) {
        if let Some(chair) = self.chairs[color as usize].take() {
            chair.leave();
        }
    }

    fn adviser(&mut self) -> Result<&mut Chair<B>> {
        if self.adviser.is_none() {
            let hash = self.options.search.hash.min(HINT_TABLE);
            let search = SearchOptions { hash, ..self.options.search };
            let adviser = registry::player::<B>(None, &PlayerOptions { search, ..self.options })?;
            self.adviser = Some(Chair::of_adviser(adviser, self.events.clone()));
        }
        self.adviser.as_mut().context("the adviser is not there")
    }

    /// Ends the threads.
    fn leave(self, left: Left) -> Left {
        let chairs: Vec<_> = self.chairs.into_iter().chain([self.adviser]).flatten().collect();
        chairs.iter().for_each(Chair::stop);
        chairs.into_iter().for_each(Chair::leave);
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_of_orders_come_in_their_order_and_before_what_waits() {
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
}
