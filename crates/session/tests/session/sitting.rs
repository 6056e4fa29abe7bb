//! A session whose orders are carried out at once, for tests.

use std::time::Duration;

use engine::{Choice, GameClock, Level, Limits, Progress};
use othello::{Game, SquareSet};
use players::{PlayableBoard, PlayerOptions, SearchOptions, registry};
use session::{Event, HintSettings, Opponent, Order, Outcome, PlayerOrder, Seat, Seating, Session, Start, Task, View};

/// A session with an engine that plays the first legal move, or keeps thinking.
pub(crate) struct Sitting<B: PlayableBoard> {
    pub(crate) session: Session<B>,
    pub(crate) now: Duration,
    /// Whether the engine answers only when it is told to.
    pub(crate) is_slow: bool,
    /// What the engine is thinking about.
    pub(crate) asked: Option<(Task, Box<Game<B>>, Limits)>,
    /// Every other order.
    pub(crate) orders: Vec<Order<B>>,
}

pub(crate) fn seating(text: &str) -> Seating {
    Seating::new(text.parse().expect("a player"), None)
}

/// An engine, at this level or at its usual one.
pub(crate) fn engine(text: &str, level: Option<u32>) -> Seat {
    Seat::Engine(Opponent::new(seating(text).notation, text.to_owned(), level.map(Level::clamped), false))
}

/// An engine that plays by the clock.
pub(crate) fn by_clock(text: &str) -> Seat {
    Seat::Engine(Opponent::new(seating(text).notation, text.to_owned(), None, true))
}

pub(crate) fn minutes(count: u64) -> Option<GameClock> {
    Some(GameClock::new(Duration::from_secs(60 * count)))
}

/// A game that nobody ponders in.
pub(crate) fn start<B: PlayableBoard>(game: Game<B>, seats: [Seat; 2], control: Option<GameClock>) -> Start<B> {
    let (hints, pace) = (HintSettings::default(), Duration::ZERO);
    Start { game, seats, control, ponders: false, spare: seating("random"), date: None, hints, pace, resumed: None }
}

impl<B: PlayableBoard> Sitting<B> {
    /// The person has Black against an engine.
    pub(crate) fn new() -> Self {
        Self::with([Seat::Person, engine("random", None)], None)
    }

    pub(crate) fn with(seats: [Seat; 2], control: Option<GameClock>) -> Self {
        Self::of(start(Game::default(), seats, control))
    }

    pub(crate) fn of(start: Start<B>) -> Self {
        let session = Session::new(start);
        let mut sitting = Self { session, now: Duration::ZERO, is_slow: false, asked: None, orders: Vec::new() };
        sitting.handle(Event::Tick);
        sitting
    }

    pub(crate) fn handle(&mut self, event: Event) {
        let orders = self.session.handle(event, self.now);
        self.carry_out(orders);
    }

    pub(crate) fn take(&mut self, outcome: Outcome<B>) {
        let orders = self.session.take(outcome, self.now);
        self.carry_out(orders);
    }

    pub(crate) fn play(&mut self, square: &str) {
        self.handle(Event::Play { square: square.to_owned() });
    }

    pub(crate) fn view(&self) -> View {
        self.session.view()
    }

    pub(crate) fn moves(&self) -> String {
        report::words::names::<B>(&self.session.game().moves())
    }

    /// What is said, in words.
    pub(crate) fn said(&self) -> String {
        self.view().message.map(|said| said.sentence).unwrap_or_default()
    }

    /// The engine's answer to what it was asked.
    pub(crate) fn answer(&mut self) -> Option<Outcome<B>> {
        let (task, game, _) = self.asked.take()?;
        let square = game.position().board.moves().first()?;
        Some(Outcome::Chosen(task, Ok(Choice::of(square))))
    }

    fn carry_out(&mut self, orders: Vec<Order<B>>) {
        for order in orders {
            match order {
                Order::Player(PlayerOrder::Think(task, _, game, limits)) => {
                    self.asked = Some((task, game, limits));
                    if !self.is_slow
                        && let Some(answer) = self.answer()
                    {
                        self.take(answer);
                    }
                }
                Order::Player(PlayerOrder::Advise(task, game, _)) => {
                    for (square, value) in othello::squares(game.position().board.moves()).zip(1..) {
                        let value = Some(engine::Estimate::Discs { hundredths: 25 * value });
                        self.take(Outcome::Thought(
                            task,
                            Progress { depth: 1, value, line: vec![square], ..Progress::default() },
                        ));
                    }
                    self.take(Outcome::Advised(task, Ok(())));
                }
                Order::Player(PlayerOrder::Seat(color, seating)) => {
                    let search = SearchOptions { hash: 1, ..SearchOptions::default() };
                    let options = PlayerOptions { search, ..PlayerOptions::default() };
                    let outcome = registry::of_papers()
                        .limited_player::<B>(&seating.without_clock(), &options)
                        .map(|player| player.name().to_owned())
                        .map_err(|error| error.to_string());
                    self.take(Outcome::Seated(color, seating, outcome));
                }
                order => self.orders.push(order),
            }
        }
    }
}
