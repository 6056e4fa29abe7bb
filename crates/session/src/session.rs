//! The session itself: what happened goes in, what is to be done comes out. It knows no window, no thread, no clock and
//! no file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use engine::{Choice, GameClock, Level, Limits, Progress};
use othello::{BoardShape, Color, Game, Rules, Square};
use players::analysts::AnalystChoice;
use players::{PlayableBoard, Registry, time_span};
use records::files::names_beside;
use records::{Date, Format, GameRecord};

use crate::analysis::Analysis;
use crate::catalogue::{Catalogue, words_of_level};
use crate::event::{Edit, Event, NewGame, Step};
use crate::live_game::LiveGame;
use crate::message::{InputKind, Message, last_part};
use crate::opponent::{Opponent, Seating};
use crate::order::{Effect, FileResult, FoundGame, Order, OrderNumber, OtherBoard, PlayedGame, Reply};
use crate::seconds::{self, Pause};
use crate::set_up::{self, SetUp, Written};
use crate::view::{Confirmation, HintSettings};

/// The hash table of an analysis, in MB: as `emilia analyze` has it.
const ANALYSIS_HASH: u32 = 32;

/// Two engines never pause longer.
const LONGEST_PACE: Duration = Pause::MAX;

/// The beginning of a session.
#[derive(Clone, Debug)]
pub struct Start<B: Rules> {
    /// The players that can be chosen.
    pub registry: Arc<Registry>,
    /// The game, at the position from which it goes on.
    pub game: Game<B>,
    /// Black's and White's engine; none is a person.
    pub seats: [Option<Opponent>; 2],
    /// The clock of both sides.
    pub control: Option<GameClock>,
    /// Whether engines think in the person's time.
    pub ponders: bool,
    /// The engine that replaces a person who leaves a seat.
    pub spare: Seating,
    /// Seed of the first engine that is made; later ones have the numbers after it, so that two do not play the same.
    pub seed: u64,
    /// The date of games that are played here.
    pub date: Option<Date>,
    /// The settings of hints.
    pub hints: HintSettings,
    /// The pause between moves of two engines that play each other.
    pub pace: Duration,
    /// State of an earlier session that this one continues.
    pub resumed: Option<Resumed<B>>,
}

/// State of a session that another one continues.
#[derive(Clone, Debug)]
pub struct Resumed<B: Rules> {
    /// The record of the game; its moves are those of [`Start::game`].
    pub record: Box<GameRecord<B>>,
    /// The times on Black's and White's clock.
    pub clocks: [Duration; 2],
    /// Whether the game was being reviewed.
    pub is_reviewing: bool,
    /// Whether engines waited.
    pub is_waiting: bool,
    /// Whether the values of the moves were shown.
    pub shows_hints: bool,
}

/// A game that is looked at and not played: its clocks stand.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Review {
    /// One that was loaded.
    Loaded,
    /// One that is being played.
    Played {
        /// The moves of its last position.
        moves: Vec<Square>,
        /// Whether an engine waited there.
        waited: bool,
    },
}

/// The result of the last search for a move.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Finding {
    /// Name of the engine.
    pub(crate) who: String,
    /// For which side.
    pub(crate) color: Color,
    /// The last report.
    pub(crate) progress: Progress,
    /// Whether it is the last word.
    pub(crate) is_done: bool,
}

/// Thinking that was ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Thinking {
    number: OrderNumber,
    kind: ThinkingKind,
    /// The state of the game that it is about.
    revision: u64,
    is_done: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ThinkingKind {
    Move(Color),
    Ponder(Color),
    /// At this level.
    Advice(u32),
}

/// An engine that was ordered and is not seated yet.
#[derive(Clone, PartialEq, Debug)]
struct AwaitedEngine {
    color: Color,
    seating: Seating,
    /// Whether it is the engine with which the session began.
    is_first: bool,
}

/// A game with its players, as people at a window see it.
///
/// Moments are spans since the session began, so that nothing here asks for the time.
#[derive(Clone, Debug)]
pub struct Session<B: PlayableBoard> {
    registry: Arc<Registry>,
    pub(crate) live: LiveGame<B>,
    /// The position that is being set up.
    pub(crate) set_up: Option<SetUp<B>>,
    /// The last message.
    pub(crate) message: Option<Message>,
    /// Number of messages so far.
    pub(crate) said: u64,
    pub(crate) question: Option<Confirmation>,
    /// Whether engines are paused.
    pub(crate) is_waiting: bool,
    pub(crate) shows_hints: bool,
    pub(crate) hint_settings: HintSettings,
    /// The pause of two engines between moves.
    pub(crate) pace: Duration,
    /// Until when two engines pause.
    rests_until: Duration,
    pub(crate) review: Option<Review>,
    pub(crate) analysis: Option<Analysis<B>>,
    /// Assessments of the moves of the position, one for each move.
    pub(crate) advice: Vec<Progress>,
    pub(crate) thought: Option<Finding>,
    /// The time since the session began.
    pub(crate) now: Duration,
    pub(crate) revision: u64,
    pub(crate) game_number: u64,
    ponders: bool,
    /// Whether a move was played since the last orders were given.
    pub(crate) has_played: bool,
    /// The number of the game that engines have learned, or learn.
    pub(crate) learned_game: Option<u64>,
    /// Orders of engines that still learn.
    pub(crate) learning: BTreeSet<OrderNumber>,
    /// The number of the last order.
    last_number: OrderNumber,
    thinking: Option<Thinking>,
    /// The engine that replaces a person who leaves a seat.
    spare: Seating,
    /// Engines that were ordered and are not seated yet. No move is made for them in the meantime.
    awaited: BTreeMap<OrderNumber, AwaitedEngine>,
    /// Orders that prepare engines for a game: an engine that fails then is not fit for it.
    preparations: Vec<OrderNumber>,
    /// Seed of the next engine.
    seed: u64,
    date: Option<Date>,
}

impl<B: PlayableBoard> Session<B> {
    /// A session with a game to be played. Its first event, a tick, gives the first orders.
    pub fn new(start: Start<B>) -> Self {
        let Start { registry, game, seats, control, ponders, spare, seed, date, hints, pace, resumed } = start;
        let mut live = LiveGame::new(game, seats, control);
        let (mut review, mut is_waiting, mut shows_hints) = (None, false, false);
        if let Some(resumed) = resumed {
            live.resume(&resumed.record, resumed.clocks);
            review = resumed.is_reviewing.then_some(Review::Loaded);
            is_waiting = resumed.is_waiting;
            shows_hints = resumed.shows_hints;
        }
        Self {
            registry,
            live,
            set_up: None,
            message: None,
            said: 0,
            question: None,
            is_waiting,
            shows_hints,
            hint_settings: hints,
            pace: pace.min(LONGEST_PACE),
            rests_until: Duration::ZERO,
            review,
            analysis: None,
            advice: Vec::new(),
            thought: None,
            now: Duration::ZERO,
            revision: 0,
            game_number: 1,
            ponders,
            has_played: false,
            learned_game: None,
            learning: BTreeSet::new(),
            last_number: 0,
            thinking: None,
            spare,
            awaited: BTreeMap::new(),
            preparations: Vec::new(),
            seed,
            date,
        }
    }

    /// The players that can be chosen.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game<B> {
        self.live.game()
    }

    /// The time of the last event or outcome, since the session began.
    pub fn now(&self) -> Duration {
        self.now
    }

    /// The time that the clock of a color shows, at the time of the last event.
    pub fn clock_shown(&self, color: Color) -> Duration {
        self.live.clock_shown(color, self.now)
    }

    /// The pause of two engines between moves.
    pub fn pace(&self) -> Duration {
        self.pace
    }

    /// Whether nothing more can be played.
    pub fn is_over(&self) -> bool {
        self.live.is_over()
    }

    /// Handles a user action, this long after the session began, and returns the effects that follow.
    pub fn handle(&mut self, event: Event, now: Duration) -> Vec<Effect<B>> {
        self.now = self.now.max(now);
        if event != Event::Tick {
            self.message = None;
            self.question = None;
        }
        let orders = self.obey(event);
        self.conclude(orders)
    }

    /// Handles a reply to an order, and returns the effects that follow.
    pub fn take(&mut self, number: OrderNumber, reply: Reply<B>, now: Duration) -> Vec<Effect<B>> {
        self.now = self.now.max(now);
        match reply {
            Reply::Thought { progress } => self.report(number, progress.into()),
            Reply::Chosen { choice } => self.chosen(number, choice.into()),
            Reply::Seated { name } => self.seated(number, name),
            Reply::Learned { what } => self.learned(number, what),
            Reply::Judged { judged } => {
                if let Some(analysis) = self.analysis.as_mut().filter(|analysis| analysis.number == number) {
                    analysis.add((*judged).into());
                }
            }
            Reply::Done => {
                self.finish(number);
                self.end_analysis(number, None);
            }
            Reply::Failed { reason } => self.order_failed(number, reason),
            // Windows order these themselves.
            Reply::Solving { .. } | Reply::Solved { .. } | Reply::Book { .. } | Reply::Explained { .. } => {}
        }
        self.conclude(Vec::new())
    }

    /// Handles the end of an order by force, after which no reply comes: what was found by then counts.
    pub fn cut(&mut self, number: OrderNumber, now: Duration) -> Vec<Effect<B>> {
        if self.preparations.contains(&number) {
            return Vec::new();
        }
        let thinking = self.thinking.filter(|thinking| thinking.number == number && !thinking.is_done);
        let reply = match thinking.map(|thinking| thinking.kind) {
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

    /// Handles the result of reading or writing a file, and returns the effects that follow.
    pub fn take_file(&mut self, path: &Path, result: FileResult<B>, now: Duration) -> Vec<Effect<B>> {
        self.now = self.now.max(now);
        let mut effects = Vec::new();
        match result {
            FileResult::Saved => self.saved(path),
            FileResult::ReportWritten => self.say(Message::ReportWritten { path: path.to_owned() }),
            FileResult::Exists { there, is_report } => {
                self.question = Some(Confirmation::Overwrite { path: path.to_owned(), there, is_report });
            }
            FileResult::Loaded(found) => effects = self.loaded(path, found),
            FileResult::Failed { what, reason } => self.refuse(what, &path.display().to_string(), reason),
        }
        self.conclude(effects)
    }

    fn order_failed(&mut self, number: OrderNumber, reason: String) {
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

    /// The effect of an order, with its number.
    pub(crate) fn order(&mut self, order: Order<B>) -> Effect<B> {
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
        Effect::Start { number, order }
    }

    /// Orders the engines with which the session begins, for hosts that do not bring them.
    pub fn order_players(&mut self) -> Vec<Effect<B>> {
        let mut effects = Vec::new();
        for color in [Color::Black, Color::White] {
            if let Some(Opponent { notation, level, .. }) = self.live.opponent(color).cloned() {
                effects.push(self.order_seat(color, Seating { notation, level }));
            }
        }
        self.awaited.values_mut().for_each(|engine| engine.is_first = true);
        effects
    }

    /// The effect of seating an engine.
    fn order_seat(&mut self, color: Color, seating: Seating) -> Effect<B> {
        let seed = self.seed;
        self.seed = seed.wrapping_add(1);
        self.order(Order::Seat { color, seating, seed })
    }

    fn conclude(&mut self, mut effects: Vec<Effect<B>>) -> Vec<Effect<B>> {
        if self.live.look_at_clock(self.now) {
            self.changed();
        }
        self.settle(&mut effects);
        self.let_engines_learn(&mut effects);
        effects
    }

    fn obey(&mut self, event: Event) -> Vec<Effect<B>> {
        match event {
            Event::Tick | Event::Dismiss => {}
            Event::Play { square } => self.play(&square),
            Event::Continue => {
                self.is_waiting = false;
                if self.engine_to_move().is_some() {
                    self.review = None;
                }
            }
            Event::Wait => self.is_waiting |= self.is_thinking() || self.is_resting(),
            Event::MoveNow if self.is_resting() => self.rests_until = self.now,
            Event::MoveNow if self.is_thinking() => {
                self.say(Message::MovesSoon);
                return self.thinking.map(|thinking| Effect::Stop { number: thinking.number }).into_iter().collect();
            }
            Event::MoveNow => self.say(Message::NobodyThinks),
            Event::Go { step } => self.go(step),
            Event::StepIn { square } => self.step_in(&square),
            Event::GoTo { moves } => self.go_to(moves),
            Event::ShowHints { shown } => {
                self.shows_hints = shown;
                self.advice.clear();
                self.say(Message::HintsShown { shown });
            }
            Event::SetHints { level, lines } => self.set_hints(level, lines),
            Event::SetPace { seconds } => self.set_pace(seconds),
            Event::Analyze { level } => return self.analyze(level),
            Event::StopAnalysis => {
                return self.analysis.as_ref().and_then(Analysis::stop).into_iter().collect();
            }
            Event::ShowMove { number } => self.show_move(number),
            Event::WriteReport { path, overwrite } => {
                let Some(analysis) = self.analysis.as_ref().filter(|analysis| analysis.judged() > 0) else {
                    self.say(Message::NoAnalysis);
                    return Vec::new();
                };
                let html = analysis.page(&self.live.record(self.date));
                return vec![Effect::WriteReport { path, html, overwrite }];
            }
            Event::ChangeLevel { by } => self.change_level(by),
            Event::Seat { color, player, level } => match Seating::parse(&player, level) {
                Ok(seating) => return vec![self.order_seat(color, seating)],
                Err(reason) => self.refuse(InputKind::Player, &player, reason),
            },
            Event::SeatPerson { color } => {
                self.live.set_seat(color, None);
                self.changed();
                self.say(Message::PersonSeated { color });
                return vec![self.order(Order::Unseat { color })];
            }
            Event::Swap => {
                self.live.swap_seats();
                self.changed();
                self.say(Message::Swapped);
                return vec![self.order(Order::Swap)];
            }
            Event::NewGame(new_game) => return self.begin(&new_game),
            Event::Restart => {
                let game = Game::from_position(self.live.game().start());
                let orders = self.replace_game(|live| live.restart(game, live.control()), None);
                self.is_waiting = false;
                return orders;
            }
            Event::SetUp(edit) => return self.edit(&edit),
            Event::Paste { text } => return self.paste(&text),
            Event::Save { path, overwrite } => {
                let record = Box::new(self.record());
                return vec![Effect::Save { path, record, overwrite }];
            }
            Event::Load { path, number } => return vec![Effect::Load { path, number }],
        }
        Vec::new()
    }

    pub(crate) fn say(&mut self, message: Message) {
        self.message = Some(message);
        self.said += 1;
    }

    fn refuse(&mut self, what: InputKind, text: &str, reason: String) {
        self.say(Message::Refused { what, text: text.to_owned(), reason });
    }

    /// Whether a person is to move.
    pub(crate) fn is_persons_turn(&self) -> bool {
        let turn = self.live.turn();
        !self.live.is_over() && self.live.is_person(turn) && self.awaited.values().all(|engine| engine.color != turn)
    }

    /// The engine that is to move, whether it thinks or waits.
    pub(crate) fn engine_to_move(&self) -> Option<&Opponent> {
        if self.live.is_over() { None } else { self.live.opponent(self.live.turn()) }
    }

    /// Whether an engine thinks about its move.
    pub(crate) fn is_thinking(&self) -> bool {
        self.thinking.is_some_and(|thinking| matches!(thinking.kind, ThinkingKind::Move(_)) && !thinking.is_done)
    }

    /// Whether two engines pause before the next move.
    pub(crate) fn is_resting(&self) -> bool {
        let is_watched = !self.live.has_person() && !self.live.is_over();
        is_watched && !self.is_waiting && self.now < self.rests_until
    }

    /// Whether hints are still being made better.
    pub(crate) fn is_advising(&self) -> bool {
        self.thinking.is_some_and(|thinking| matches!(thinking.kind, ThinkingKind::Advice(_)) && !thinking.is_done)
    }

    /// Records that the position, the players or their limits have changed.
    fn changed(&mut self) {
        self.revision += 1;
        self.advice.clear();
    }

    /// Starts or stops the clock, and orders the thinking that the state requires.
    fn settle(&mut self, effects: &mut Vec<Effect<B>>) {
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
            effects.push(Effect::Stop { number });
        }
        let Some(kind) = wanted else { return };
        let game = PlayedGame::of(self.live.game());
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
        effects.push(self.order(order));
        let (number, revision) = (self.last_number, self.revision);
        self.thinking = Some(Thinking { number, kind, revision, is_done: false });
    }

    /// Whether an engine plays a color that can think in the other's time: programs of their own cannot.
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

    /// Ends the thinking of this number, if it goes on, and returns its kind.
    fn finish(&mut self, number: OrderNumber) -> Option<ThinkingKind> {
        let thinking = self.thinking.as_mut().filter(|thinking| thinking.number == number && !thinking.is_done)?;
        thinking.is_done = true;
        Some(thinking.kind)
    }

    fn report(&mut self, number: OrderNumber, progress: Progress) {
        let Some(thinking) = self.thinking.filter(|thinking| thinking.number == number && !thinking.is_done) else {
            return;
        };
        match thinking.kind {
            ThinkingKind::Advice(_) => {
                let Some(&square) = progress.line.first() else { return };
                let known = self.advice.iter().position(|known| known.line.first() == Some(&square));
                let known = known.map(|index| self.advice.remove(index));
                self.advice.push(match known {
                    Some(known) => known.or_better(progress),
                    None => progress,
                });
            }
            ThinkingKind::Move(color) => {
                let who = self.live.player_name(color);
                self.thought = Some(Finding { who, color, progress, is_done: false });
            }
            ThinkingKind::Ponder(_) => {}
        }
    }

    fn chosen(&mut self, number: OrderNumber, choice: Choice) {
        let Some(ThinkingKind::Move(color)) = self.finish(number) else { return };
        let who = self.live.player_name(color);
        let value = choice.value.or(self.thought.as_ref().and_then(|thought| thought.progress.value));
        match self.live.play(choice.square, value, self.now) {
            Ok(()) => {
                let Choice { value, from_book, line, depth, nodes, time, .. } = choice;
                let last = self.thought.take().map(|thought| thought.progress).unwrap_or_default();
                let (selectivity, value) = (last.selectivity, value.or(last.value));
                let book_games = if from_book { last.book_games.or(Some(0)) } else { None };
                let progress = Progress { depth, selectivity, value, book_games, line, nodes, time };
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

    fn announce_pass(&mut self) {
        let plies = self.live.game().plies();
        if let Some(passed) = plies.last().filter(|ply| ply.square.is_none() && !self.live.is_over()) {
            let color = passed.color;
            self.say(Message::Passed { color, is_person: self.live.is_person(color) });
        }
    }

    fn seated(&mut self, number: OrderNumber, name: String) {
        let Some(AwaitedEngine { color, seating, is_first }) = self.awaited.remove(&number) else { return };
        self.preparations.push(number);
        if is_first {
            return;
        }
        let has_clock = self.live.control().is_some();
        self.spare = seating.clone();
        let opponent = Opponent::new(seating.notation, name, seating.level, has_clock);
        self.say(Message::Seated { color, player: opponent.title() });
        self.live.set_seat(color, Some(opponent));
        self.changed();
    }

    fn saved(&mut self, path: &Path) {
        let has_moves = Format::from_path(path) != Some(Format::Obf);
        if has_moves {
            self.live.saved();
        }
        let beside = names_beside(path).into_iter().flatten().map(|name| last_part(&name)).collect();
        self.say(Message::Saved { path: path.to_owned(), beside, has_moves });
    }

    fn loaded(&mut self, path: &Path, found: FoundGame<B>) -> Vec<Effect<B>> {
        let FoundGame { record, number, count, has_more } = found;
        let (path, moves) = (path.to_owned(), record.game.line().len());
        let (black, white) = (record.black.clone(), record.white.clone());
        self.say(Message::Loaded { path, black, white, moves, number, count, has_more });
        self.replace_game(|live| live.load(*record), Some(Review::Loaded))
    }

    /// Replaces the game; engines wait until they may continue it. The analysis of the one before ends.
    fn replace_game(&mut self, change: impl FnOnce(&mut LiveGame<B>), review: Option<Review>) -> Vec<Effect<B>> {
        change(&mut self.live);
        self.set_up = None;
        self.is_waiting = true;
        self.review = review;
        self.rests_until = self.now;
        self.thought = None;
        self.game_number += 1;
        self.changed();
        let begins = self.order(Order::NewGame);
        [begins].into_iter().chain(self.analysis.take().and_then(|analysis| analysis.stop())).collect()
    }

    fn edit(&mut self, edit: &Edit) -> Vec<Effect<B>> {
        let set_up = self.set_up.get_or_insert_with(|| SetUp::new(&self.live.game().position()));
        match edit {
            Edit::Begin => self.set_up = Some(SetUp::new(&self.live.game().position())),
            Edit::Cancel => self.set_up = None,
            Edit::Done => {
                let game = Game::from_position(set_up.position());
                self.say(Message::PositionSetUp);
                return self.replace_game(|live| live.restart(game, live.control()), None);
            }
            Edit::Put { square, .. } | Edit::Change { square } => {
                if let Err(error) = set_up.edit(edit) {
                    self.refuse(InputKind::SetUp, square, error.to_string());
                }
            }
            // The rest cannot fail.
            Edit::Turn | Edit::Clear | Edit::Start => drop(set_up.edit(edit)),
        }
        Vec::new()
    }

    fn paste(&mut self, text: &str) -> Vec<Effect<B>> {
        match set_up::read::<B>(text) {
            Ok(Written::Position(position)) => self.set_up = Some(SetUp::new(&position)),
            Ok(Written::Game(record)) => {
                self.say(Message::GamePasted { moves: record.game.line().len() });
                return self.replace_game(|live| live.load(*record), Some(Review::Loaded));
            }
            Err(reason) => self.refuse(InputKind::Paste, text, reason),
        }
        Vec::new()
    }

    /// Begins another game.
    fn begin(&mut self, new_game: &NewGame) -> Vec<Effect<B>> {
        let NewGame { sides, clock, board } = new_game;
        let control = match clock.trim() {
            "" => None,
            text => match time_span::parse_clock(text) {
                Ok(clock) => Some(clock),
                Err(reason) => {
                    self.refuse(InputKind::Clock, text, reason);
                    return Vec::new();
                }
            },
        };
        if *board != BoardShape::of::<B>() {
            let (hints, pace) = (self.hint_settings, self.pace.as_secs_f64());
            return vec![Effect::ChangeBoard(OtherBoard { shape: *board, control, sides: *sides, hints, pace })];
        }
        let mut effects = self.replace_game(|live| live.restart(Game::default(), control), None);
        self.is_waiting = false;
        // Engines that were ordered in the last game are not seated where a person plays now.
        self.awaited.clear();
        for (color, is_person) in [Color::Black, Color::White].into_iter().zip(sides.persons()) {
            if is_person && !self.live.is_person(color) {
                self.keep_spare(color);
                self.live.set_seat(color, None);
                effects.push(self.order(Order::Unseat { color }));
            } else if !is_person && self.live.is_person(color) {
                // Until the engine is seated, no move is asked for.
                effects.push(self.order_seat(color, self.spare.clone()));
            }
        }
        // Seating comes first, so that every player gets the new game.
        effects.rotate_left(1);
        effects
    }

    /// Remembers the engine that plays a color, for when one is needed again.
    fn keep_spare(&mut self, color: Color) {
        if let Some(Opponent { notation, level, .. }) = self.live.opponent(color).cloned() {
            self.spare = Seating { notation, level };
        }
    }

    fn play(&mut self, name: &str) {
        if self.live.is_over() {
            self.say(Message::GameIsOver);
        } else if !self.is_persons_turn() && !self.is_waiting {
            self.say(Message::NotYourTurn);
        } else {
            let square = B::GEOMETRY.parse_square(name).map_err(|error| error.to_string());
            let played =
                square.and_then(|square| self.live.play(square, None, self.now).map_err(|error| error.to_string()));
            match played {
                Ok(()) => {
                    // The game goes on, whether the person moved for itself or for a paused engine.
                    self.is_waiting = false;
                    self.review = None;
                    self.has_played = true;
                    self.changed();
                    self.announce_pass();
                }
                Err(reason) => self.refuse(InputKind::Move, name, reason),
            }
        }
    }

    /// Goes to another position of the game. Engines wait there, unless the person took a turn back.
    fn go(&mut self, step: Step) {
        let missing = match step {
            Step::TakeBack if self.is_persons_turn() => Message::NothingToTakeBack { own: true },
            Step::TakeBack | Step::Back | Step::ToStart => Message::NothingToTakeBack { own: false },
            Step::PlayAgain | Step::Forward | Step::ToEnd => Message::NothingToPlayAgain,
            Step::Variation => Message::NoVariation,
        };
        let last = self.last_position();
        if !self.live.go(step, self.now) {
            self.say(missing);
            return;
        }
        // Taking back a turn is playing, not reviewing.
        if matches!(step, Step::TakeBack | Step::PlayAgain) && self.live.has_person() {
            self.changed();
            self.thought = None;
            self.is_waiting = self.engine_to_move().is_some();
        } else {
            self.look_around(last);
        }
    }

    /// Shows the position after a move of either side. Engines wait there.
    fn step_in(&mut self, name: &str) {
        if self.live.is_over() {
            self.say(Message::GameIsOver);
            return;
        }
        let last = self.last_position();
        let square = B::GEOMETRY.parse_square(name).map_err(|error| error.to_string());
        let shown = square.and_then(|square| self.live.step_in(square, self.now).map_err(|error| error.to_string()));
        match shown {
            Ok(()) => {
                self.look_around(last);
                self.announce_pass();
            }
            Err(reason) => self.refuse(InputKind::Move, name, reason),
        }
    }

    /// Goes to the position after this number of moves of the line.
    fn go_to(&mut self, moves: usize) {
        let (line, last) = (self.live.game().line(), self.last_position());
        let count = moves.min(line.len());
        if count != self.live.game().move_count() && self.live.go_along(&line, count, self.now) {
            self.look_around(last);
        }
    }

    /// The record of the game as it stands.
    pub fn record(&self) -> GameRecord<B> {
        self.live.record(self.date)
    }

    /// The last position of the game that is being played.
    fn last_position(&self) -> Review {
        Review::Played { moves: self.live.game().moves(), waited: self.is_waiting }
    }

    /// Records that another position is shown than the last one of the game. Back at the last position the game goes
    /// on as before.
    fn look_around(&mut self, before: Review) {
        self.changed();
        self.thought = None;
        self.is_waiting = self.engine_to_move().is_some();
        match self.review.take().unwrap_or(before) {
            Review::Played { moves, waited } if moves == self.live.game().moves() => self.is_waiting &= waited,
            review => self.review = Some(review),
        }
    }

    /// Shows the position before a move of the analyzed game.
    fn show_move(&mut self, number: usize) {
        let Some(analysis) = &self.analysis else {
            self.say(Message::NoAnalysis);
            return;
        };
        let (line, last) = (analysis.line().to_vec(), self.last_position());
        let count = number.saturating_sub(1).min(line.len());
        let is_shown = line.get(..count) == Some(&self.live.game().moves());
        if !is_shown && self.live.go_along(&line, count, self.now) {
            self.look_around(last);
        }
    }

    /// Starts or resumes the analysis of the whole line of the game. Engines wait meanwhile.
    fn analyze(&mut self, level: Option<u32>) -> Vec<Effect<B>> {
        let game = self.live.game().clone();
        if game.line().is_empty() {
            self.say(Message::NothingToAnalyze);
            return Vec::new();
        }
        if !self.live.is_over() {
            let last = self.last_position();
            self.review.get_or_insert(last);
            self.is_waiting = self.engine_to_move().is_some();
        }
        let limits = level.map_or(Limits::default(), Limits::of_level);
        let choice = AnalystChoice { notation: None, limits, exact_from: None, hash: ANALYSIS_HASH };
        let analyst = choice.description::<B>(&self.registry);
        // Without a level, the analysis that was begun is resumed.
        let is_same =
            |analysis: &&Analysis<B>| analysis.is_of(&game) && (level.is_none() || analysis.analyst() == analyst);
        let from = match self.analysis.as_ref().filter(is_same) {
            Some(analysis) if analysis.is_running || analysis.is_complete() => return Vec::new(),
            Some(analysis) => analysis.judged(),
            None => 0,
        };
        let before = self.analysis.as_ref().and_then(Analysis::stop);
        let begins = self.order(Order::Analyze { game: PlayedGame::whole(&game), from, choice: Box::new(choice) });
        let number = self.last_number;
        match self.analysis.as_mut().filter(|_| from > 0) {
            Some(analysis) => (analysis.number, analysis.is_running) = (number, true),
            None => self.analysis = Some(Analysis::new(number, &game, analyst.clone())),
        }
        self.say(Message::Analyzing { analyst });
        before.into_iter().chain([begins]).collect()
    }

    /// Ends the analysis of this order, if there is one, because of an error or not.
    fn end_analysis(&mut self, number: OrderNumber, failure: Option<String>) {
        let Some(analysis) = self.analysis.as_mut().filter(|analysis| analysis.number == number) else { return };
        analysis.is_running = false;
        let (judged, moves, mistakes) = (analysis.judged(), analysis.line().len(), analysis.mistakes());
        self.say(match failure {
            None => Message::Analyzed { judged, moves, mistakes },
            Some(reason) => Message::AnalysisFailed { reason },
        });
    }

    fn set_hints(&mut self, level: Option<u32>, lines: Option<usize>) {
        let HintSettings { level: before, lines: listed } = self.hint_settings;
        let (level, lines) = (level.unwrap_or(before), lines.unwrap_or(listed));
        match HintSettings::checked(level, lines) {
            Ok(settings) => self.hint_settings = settings,
            Err(reason) => {
                let has_level = HintSettings::LEVELS.contains(&level);
                let text = if has_level { lines.to_string() } else { level.to_string() };
                return self.refuse(InputKind::Hints, &text, reason);
            }
        }
        if level != before {
            self.advice.clear();
        }
        self.say(Message::HintSettings { level, lines });
    }

    fn set_pace(&mut self, seconds: f64) {
        match Duration::try_from_secs_f64(seconds) {
            Ok(pace) if pace <= LONGEST_PACE => {
                self.pace = pace;
                self.rests_until = self.rests_until.min(self.now.saturating_add(pace));
                self.say(Message::Pace { milliseconds: pace.as_millis() as u64 });
            }
            _ => {
                let (text, most) = (seconds::shown(seconds), LONGEST_PACE.as_secs());
                let reason = format!("pace out of range: {text} s; expected 0 to {most} s");
                self.refuse(InputKind::Pace, &text, reason);
            }
        }
    }

    /// Lets the engine play a level higher or lower.
    fn change_level(&mut self, by: i32) {
        let turn = self.live.turn();
        let Some(color) = [turn, !turn].into_iter().find(|&color| self.live.opponent(color).is_some()) else {
            self.say(Message::NoEngine);
            return;
        };
        let has_clock = self.live.control_of(color).is_some();
        let Some(opponent) = self.live.opponent_mut(color) else { return };
        let player = opponent.name.clone();
        let text = opponent.notation.text().to_owned();
        let levels = Catalogue::of::<B>(&self.registry).levels(&text, has_clock, opponent.level);
        let levels: Vec<Level> = levels.into_iter().flatten().collect();
        let how = |level| words_of_level(&text, level, has_clock);
        let message = match opponent.level {
            _ if opponent.has_own_limits() => Message::OwnLimits { player: text },
            _ if levels.is_empty() => Message::NoLevels { player },
            None => Message::WithoutLevel { player, how: how(None) },
            Some(before) => {
                let place = levels.partition_point(|&level| level < before) as i64;
                let last = levels.len() as i64 - 1;
                let level = levels[(place + i64::from(by)).clamp(0, last) as usize];
                opponent.level = Some(level);
                if level != before {
                    self.changed();
                }
                Message::Level { player, level, how: how(Some(level)) }
            }
        };
        self.say(message);
    }
}
