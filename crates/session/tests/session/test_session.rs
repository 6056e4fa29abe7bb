//! A session whose effects are carried out immediately, for tests.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use engine::{Choice, GameClock, Level, Limits, Progress};
use othello::{Game, SquareSet};
use players::{PlayableBoard, PlayerOptions, Registry, SearchOptions, test_support};
use session::{Effect, Event, FileResult, Opponent, Order, OrderNumber, Reply, Seating, Session, Start, View};

/// A session with an engine that plays the first legal move, or keeps thinking.
pub(crate) struct TestSession<B: PlayableBoard> {
    pub(crate) session: Session<B>,
    pub(crate) now: Duration,
    /// Whether the engine answers only on demand.
    pub(crate) is_slow: bool,
    pub(crate) asked: Option<(OrderNumber, Game<B>, Limits)>,
    pub(crate) effects: Vec<Effect<B>>,
}

fn registry() -> Arc<Registry> {
    Arc::new(Registry::new(vec![test_support::program()]).expect("different names"))
}

pub(crate) fn seating(text: &str) -> Seating {
    Seating::new(text.parse().expect("a player"), None)
}

/// An engine, at this level or at its default.
pub(crate) fn engine(text: &str, level: Option<u32>) -> Option<Opponent> {
    Some(Opponent::new(seating(text).notation, text.to_owned(), level.map(Level::clamped), false))
}

pub(crate) fn by_clock(text: &str) -> Option<Opponent> {
    Some(Opponent::new(seating(text).notation, text.to_owned(), None, true))
}

pub(crate) fn minutes(count: u64) -> Option<GameClock> {
    Some(GameClock::new(Duration::from_secs(60 * count)))
}

/// A game without pondering.
pub(crate) fn start<B: PlayableBoard>(
    game: Game<B>,
    seats: [Option<Opponent>; 2],
    control: Option<GameClock>,
) -> Start<B> {
    Start { control, ..Start::new(registry(), game, seats, seating("random")) }
}

impl<B: PlayableBoard> TestSession<B> {
    /// The person has Black against an engine.
    pub(crate) fn new() -> Self {
        Self::with([None, engine("random", None)], None)
    }

    pub(crate) fn with(seats: [Option<Opponent>; 2], control: Option<GameClock>) -> Self {
        Self::of(start(Game::default(), seats, control))
    }

    pub(crate) fn of(start: Start<B>) -> Self {
        let session = Session::new(start);
        let mut test = Self { session, now: Duration::ZERO, is_slow: false, asked: None, effects: Vec::new() };
        test.handle(Event::Tick);
        test
    }

    pub(crate) fn handle(&mut self, event: Event) {
        let effects = self.session.handle(event, self.now);
        self.carry_out(effects);
    }

    pub(crate) fn take(&mut self, number: OrderNumber, reply: Reply<B>) {
        let effects = self.session.take(number, reply, self.now);
        self.carry_out(effects);
    }

    pub(crate) fn take_file(&mut self, path: &str, result: FileResult<B>) {
        let effects = self.session.take_file(Path::new(path), result, self.now);
        self.carry_out(effects);
    }

    pub(crate) fn last_order(&self) -> Option<&Order<B>> {
        self.effects.iter().rev().find_map(|effect| match effect {
            Effect::Start { order, .. } => Some(order),
            _ => None,
        })
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

    pub(crate) fn said(&self) -> String {
        self.view().message.map(|said| said.sentence).unwrap_or_default()
    }

    pub(crate) fn answer(&mut self) {
        if let Some((number, game, _)) = self.asked.take()
            && let Some(square) = game.position().board.moves().first()
        {
            self.take(number, Reply::Chosen { choice: Choice::of(square).into() });
        }
    }

    fn carry_out(&mut self, effects: Vec<Effect<B>>) {
        for effect in effects {
            match effect {
                Effect::Start { number, order: Order::Think { game, limits, .. } } => {
                    self.asked = Some((number, game.game().expect("legal moves"), limits));
                    if !self.is_slow {
                        self.answer();
                    }
                }
                Effect::Start { number, order: Order::Advise { game, .. } } => {
                    let position = game.game().expect("legal moves").position();
                    for (square, value) in othello::squares(position.board.moves()).zip(1..) {
                        let value = Some(engine::Estimate::Discs { hundredths: 25 * value });
                        let progress = Progress { depth: 1, value, line: vec![square], ..Progress::default() };
                        self.take(number, Reply::Thought { progress: progress.into() });
                    }
                    self.take(number, Reply::Done);
                }
                Effect::Start { number, order: Order::Seat { seating, .. } } => {
                    let search = SearchOptions { hash: 1, ..SearchOptions::default() };
                    let options = PlayerOptions { search, ..PlayerOptions::default() };
                    let reply = match registry().limited_player::<B>(&seating.without_clock(), &options) {
                        Ok(player) => Reply::Seated { name: player.name().to_owned() },
                        Err(error) => Reply::Failed { reason: error.to_string() },
                    };
                    self.take(number, reply);
                }
                effect => self.effects.push(effect),
            }
        }
    }
}
