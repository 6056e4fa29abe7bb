//! The engines of a session: moves, pondering and hints that it orders, and games that enter opening books.

use std::mem;
use std::time::Duration;

use engine::{Choice, Limits, Progress};
use othello::Color;
use players::PlayableBoard;

use crate::message::{InputKind, Message};
use crate::opponent::{Opponent, Seating};
use crate::order::{Effect, Order, OrderNumber, PlayedGame, Reply};
use crate::session::Session;

/// The result of the last search for a move.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Finding {
    pub(crate) who: String,
    pub(crate) color: Color,
    pub(crate) progress: Progress,
    pub(crate) is_done: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Thinking {
    number: OrderNumber,
    kind: ThinkingKind,
    /// The state of the game that it is about.
    revision: u64,
    is_done: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ThinkingKind {
    Move(Color),
    Ponder(Color),
    /// At this level.
    Advice(u32),
}

/// An engine that was ordered and is not seated yet.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct AwaitedEngine {
    pub(crate) color: Color,
    seating: Seating,
    /// Whether it is the engine with which the session began.
    is_first: bool,
}

impl<B: PlayableBoard> Session<B> {
    /// Handles the end of an order by force, after which no reply comes: what was found by then counts.
    pub fn cut(&mut self, number: OrderNumber, now: Duration) -> Vec<Effect<B>> {
        if self.preparations.contains(&number) {
            return Vec::new();
        }
        let reply = match self.unfinished(number) {
            Some(ThinkingKind::Move(_)) => self.thought.as_ref().and_then(|thought| {
                let Progress { depth, value, book_games, line, nodes, time, .. } = thought.progress.clone();
                let square = *line.first()?;
                let choice = Choice { square, value, from_book: book_games.is_some(), line, depth, nodes, time };
                Some(Reply::Chosen { choice: choice.into() })
            }),
            Some(ThinkingKind::Advice(_)) => Some(Reply::Done),
            Some(ThinkingKind::Ponder(_)) | None => None,
        };
        self.take(number, reply.unwrap_or_else(|| Reply::Failed { reason: "it was stopped".to_owned() }), now)
    }

    /// Orders the engines with which the session begins, for hosts that do not bring them.
    pub fn order_players(&mut self) -> Vec<Effect<B>> {
        for color in [Color::Black, Color::White] {
            if let Some(Opponent { notation, level, .. }) = self.live.opponent(color).cloned() {
                self.order_seat(color, Seating { notation, level });
            }
        }
        self.awaited.values_mut().for_each(|engine| engine.is_first = true);
        mem::take(&mut self.effects)
    }

    pub(crate) fn order(&mut self, order: Order<B>) -> OrderNumber {
        self.last_number += 1;
        let number = self.last_number;
        match &order {
            Order::Seat { color, seating, .. } => {
                let engine = AwaitedEngine { color: *color, seating: seating.clone(), is_first: false };
                self.awaited.insert(number, engine);
            }
            Order::Unseat { color } => self.awaited.retain(|_, engine| engine.color != *color),
            Order::NewGame => self.preparations = vec![number],
            Order::Learn { .. } => drop(self.learning.insert(number)),
            _ => {}
        }
        self.effects.push(Effect::Start { number, order });
        number
    }

    pub(crate) fn order_seat(&mut self, color: Color, seating: Seating) {
        let seed = self.seed;
        self.seed = seed.wrapping_add(1);
        self.order(Order::Seat { color, seating, seed });
    }

    /// The engine that is to move, whether it thinks or waits.
    pub(crate) fn engine_to_move(&self) -> Option<&Opponent> {
        if self.live.is_over() { None } else { self.live.opponent(self.live.turn()) }
    }

    fn current(&self) -> Option<Thinking> {
        self.thinking.filter(|thinking| !thinking.is_done)
    }

    /// The kind of the thinking of this number, while it goes on.
    fn unfinished(&self, number: OrderNumber) -> Option<ThinkingKind> {
        self.current().filter(|thinking| thinking.number == number).map(|thinking| thinking.kind)
    }

    /// Ends the thinking of this number, if it goes on, and returns its kind.
    pub(crate) fn finish(&mut self, number: OrderNumber) -> Option<ThinkingKind> {
        let kind = self.unfinished(number)?;
        self.thinking.as_mut()?.is_done = true;
        Some(kind)
    }

    pub(crate) fn is_thinking(&self) -> bool {
        self.current().is_some_and(|thinking| matches!(thinking.kind, ThinkingKind::Move(_)))
    }

    pub(crate) fn is_advising(&self) -> bool {
        self.current().is_some_and(|thinking| matches!(thinking.kind, ThinkingKind::Advice(_)))
    }

    /// Lets the engine that thinks or pauses move soon.
    pub(crate) fn move_now(&mut self) {
        match self.current() {
            _ if self.is_resting() => self.rests_until = self.now,
            Some(Thinking { number, kind: ThinkingKind::Move(_), .. }) => {
                self.say(Message::MovesSoon);
                self.effects.push(Effect::Stop { number });
            }
            _ => self.say(Message::NobodyThinks),
        }
    }

    pub(crate) fn is_resting(&self) -> bool {
        let is_watched = !self.live.has_person() && !self.live.is_over();
        is_watched && !self.is_waiting && self.now < self.rests_until
    }

    /// Starts or stops the clock, and orders the thinking that the state requires.
    pub(crate) fn settle(&mut self) {
        let waits = self.engine_to_move().is_some() && self.is_waiting;
        let plays = !self.live.is_over() && self.set_up.is_none();
        if self.engine_to_move().is_some() && !waits {
            // An engine that may think ends the review.
            self.review = None;
        }
        let rests = self.is_resting();
        self.live.run_clock(plays && !waits && !rests && self.review.is_none(), self.now);

        let turn = self.live.turn();
        let wanted = match self.engine_to_move() {
            _ if !plays => None,
            Some(_) if !self.is_waiting && !rests => Some(ThinkingKind::Move(turn)),
            _ if self.shows_hints => Some(ThinkingKind::Advice(self.hint_settings.level)),
            None if self.ponders && self.can_ponder(!turn) => Some(ThinkingKind::Ponder(!turn)),
            _ => None,
        };
        let present = self.thinking.map(|thinking| (thinking.kind, thinking.revision));
        if wanted.map(|kind| (kind, self.revision)) == present {
            return;
        }
        if let Some(Thinking { number, is_done: false, .. }) = self.thinking.take() {
            self.effects.push(Effect::Stop { number });
        }
        let Some(kind) = wanted else { return };
        let game = PlayedGame::of(&self.live.game);
        let order = match kind {
            ThinkingKind::Move(color) => {
                self.thought = None;
                let level = self.live.opponent(color).and_then(|opponent| opponent.level);
                let clock = self.live.clock_for_engine(self.now);
                Order::Think { color, game, limits: Limits { level, clock, ..Limits::default() } }
            }
            ThinkingKind::Ponder(color) => Order::Ponder { color, game, limits: self.limits_of_pondering(color) },
            ThinkingKind::Advice(level) => Order::Advise { game, level, moves: Vec::new().into() },
        };
        let number = self.order(order);
        self.thinking = Some(Thinking { number, kind, revision: self.revision, is_done: false });
    }

    /// Whether the engine of a color can think in the other's time: external programs cannot.
    fn can_ponder(&self, color: Color) -> bool {
        self.live.opponent(color).is_some_and(|opponent| !opponent.notation.is_external())
    }

    /// The limits of pondering, unless it is stopped: the engine's own level, or the end of the game.
    fn limits_of_pondering(&self, color: Color) -> Limits {
        match self.live.opponent(color) {
            Some(Opponent { level: Some(level), .. }) => Limits { level: Some(*level), ..Limits::default() },
            // Without any limit it would play at its default level.
            Some(opponent) if opponent.is_emilia() => Limits::of_depth(B::GEOMETRY.area()),
            _ => Limits::default(),
        }
    }

    pub(crate) fn report(&mut self, number: OrderNumber, progress: Progress) {
        match self.unfinished(number) {
            Some(ThinkingKind::Advice(_)) => {
                let Some(&square) = progress.line.first() else { return };
                let known = self.advice.iter().position(|known| known.line.first() == Some(&square));
                let known = known.map(|index| self.advice.remove(index));
                self.advice.push(match known {
                    Some(known) => known.or_better(progress),
                    None => progress,
                });
            }
            Some(ThinkingKind::Move(color)) => {
                let who = self.live.player_name(color);
                self.thought = Some(Finding { who, color, progress, is_done: false });
            }
            Some(ThinkingKind::Ponder(_)) | None => {}
        }
    }

    pub(crate) fn chosen(&mut self, number: OrderNumber, choice: Choice) {
        let Some(ThinkingKind::Move(color)) = self.finish(number) else { return };
        let who = self.live.player_name(color);
        let last = self.thought.as_ref().map(|thought| thought.progress.clone()).unwrap_or_default();
        let Choice { square, value, from_book, line, depth, nodes, time } = choice;
        let value = value.or(last.value);
        match self.live.play(square, value, self.now) {
            Ok(()) => {
                let book_games = if from_book { last.book_games.or(Some(0)) } else { None };
                let progress = Progress { depth, selectivity: last.selectivity, value, book_games, line, nodes, time };
                self.thought = Some(Finding { who, color, progress, is_done: true });
                self.message = None;
                self.said += 1;
                self.rests_until = self.now.saturating_add(self.pace);
                self.has_played = true;
                self.changed();
                self.announce_pass();
            }
            Err(error) => self.failed(format!("{who} failed: {error}")),
        }
    }

    /// Reports an engine that failed. It can try again only if it is to move.
    fn failed(&mut self, reason: String) {
        self.is_waiting = true;
        self.say(Message::Failed { reason, can_retry: self.engine_to_move().is_some() });
    }

    pub(crate) fn order_failed(&mut self, number: OrderNumber, reason: String) {
        match self.finish(number) {
            Some(ThinkingKind::Move(_)) => self.failed(reason),
            Some(ThinkingKind::Advice(_)) => {
                self.shows_hints = false;
                self.say(Message::NoHints { reason });
            }
            Some(ThinkingKind::Ponder(_)) => {}
            None if self.learning.remove(&number) => self.say(Message::LearningFailed { reason }),
            None if self.preparations.contains(&number) => self.failed(reason),
            None => match self.awaited.remove(&number) {
                Some(AwaitedEngine { seating, .. }) => self.refuse(InputKind::Player, seating.notation.text(), reason),
                None => self.end_analysis(number, Some(reason)),
            },
        }
    }

    pub(crate) fn seated(&mut self, number: OrderNumber, name: String) {
        let Some(AwaitedEngine { color, seating, is_first }) = self.awaited.remove(&number) else { return };
        self.preparations.push(number);
        if is_first {
            return;
        }
        let has_clock = self.live.control.is_some();
        self.spare = seating.clone();
        let opponent = Opponent::new(seating.notation, name, seating.level, has_clock);
        self.say(Message::Seated { color, player: opponent.title() });
        self.live.set_seat(color, Some(opponent));
        self.changed();
    }

    /// Whether an engine is still learning a game.
    pub fn is_learning(&self) -> bool {
        !self.learning.is_empty()
    }

    /// Lets the engines learn the game if it has just come to its end: each game once, and each book once.
    pub(crate) fn let_engines_learn(&mut self) {
        let has_ended = mem::take(&mut self.has_played) && self.live.game.is_over();
        if !has_ended || self.learned_game == Some(self.game_number) {
            return;
        }
        let mut books = Vec::new();
        for color in [Color::Black, Color::White] {
            let book = self.live.opponent(color).and_then(|opponent| opponent.notation.learning_book());
            let Some(book) = book.map(str::to_owned).filter(|book| !books.contains(book)) else { continue };
            books.push(book);
            let game = PlayedGame::of(&self.live.game);
            self.order(Order::Learn { color, game });
        }
        if !books.is_empty() {
            self.learned_game = Some(self.game_number);
            self.say(Message::Learning);
        }
    }

    pub(crate) fn learned(&mut self, number: OrderNumber, what: Option<String>) {
        if self.learning.remove(&number)
            && let Some(what) = what
        {
            self.say(Message::Learned { what });
        }
    }
}

#[cfg(test)]
mod tests {
    use othello::{Board, Game};

    use super::*;
    use crate::event::{Event, Step};
    use crate::session::Start;

    /// A session in which a person with Black has the last move, against this engine.
    fn before_the_last_move(engine: &str) -> Session<Board> {
        let spare = Seating::new(engine.parse().expect("a player"), None);
        let opponent = Opponent::new(spare.notation.clone(), "emilia".to_owned(), None, false);
        let start = format!("{}O- X", "X".repeat(62)).parse().expect("a position");
        let registry = std::sync::Arc::new(players::Registry::core());
        Session::new(Start::new(registry, Game::from_position(start), [None, Some(opponent)], spare))
    }

    fn learning_orders(session: &mut Session<Board>, event: Event) -> usize {
        let effects = session.handle(event, Duration::ZERO);
        let learns = |effect: &&Effect<Board>| {
            matches!(effect, Effect::Start { order: Order::Learn { color: Color::White, .. }, .. })
        };
        effects.iter().filter(learns).count()
    }

    #[test]
    fn a_game_is_learned_once_when_it_ends_and_the_next_one_again() {
        let last = || Event::Play { square: "h8".to_owned() };
        let mut session = before_the_last_move("emilia@book=a.book,book-learning=on");
        assert_eq!(learning_orders(&mut session, Event::Tick), 0);
        assert_eq!(learning_orders(&mut session, last()), 1);
        assert!(session.is_learning());
        let number = *session.learning.first().expect("an order");
        session.take(number, Reply::Learned { what: Some("much".to_owned()) }, Duration::ZERO);
        assert!(!session.is_learning());
        assert_eq!(session.message, Some(Message::Learned { what: "much".to_owned() }));
        // A game is not learned twice because its end is played again.
        assert_eq!(learning_orders(&mut session, Event::Go { step: Step::Back }), 0);
        assert_eq!(learning_orders(&mut session, last()), 0);
        assert_eq!(learning_orders(&mut session, Event::Restart), 0);
        assert_eq!(learning_orders(&mut session, last()), 1);
        let mut other = before_the_last_move("emilia@book=a.book");
        assert_eq!(learning_orders(&mut other, last()), 0);
    }
}
