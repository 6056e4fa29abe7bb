//! The session itself: events and replies go in, effects come out. It has no window, no thread, no clock and no file.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use engine::{GameClock, Level, Progress};
use othello::{BoardShape, Color, Game, Rules};
use players::{PlayableBoard, Registry, time_span};
use records::files::names_beside;
use records::{Date, Format, GameRecord};

use crate::analysis::Analysis;
use crate::catalogue::{Catalogue, words_of_level};
use crate::event::{Edit, Event, NewGame};
use crate::live_game::LiveGame;
use crate::message::{InputKind, Message, last_part};
use crate::opponent::{Opponent, Seating};
use crate::order::{Effect, FileResult, FoundGame, Order, OrderNumber, OtherBoard, Reply};
use crate::reviewing::Review;
use crate::seconds::{self, Pause};
use crate::set_up::{self, SetUp, Written};
use crate::thinking::{AwaitedEngine, Finding, Thinking};
use crate::view::{Confirmation, HintSettings};

/// Maximum pause of two engines between moves.
const MAX_PACE: Duration = Pause::MAX;

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

impl<B: Rules> Start<B> {
    /// A game of these players without a clock, with default settings.
    pub fn new(registry: Arc<Registry>, game: Game<B>, seats: [Option<Opponent>; 2], spare: Seating) -> Self {
        let (hints, pace) = (HintSettings::default(), Duration::ZERO);
        let (control, date, resumed) = (None, None, None);
        Self { registry, game, seats, control, ponders: false, spare, seed: 0, date, hints, pace, resumed }
    }
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

/// A game with its players, as people at a window see it.
///
/// Moments are spans since the session began: no clock is read here.
#[derive(Clone, Debug)]
pub struct Session<B: PlayableBoard> {
    pub(crate) registry: Arc<Registry>,
    pub(crate) live: LiveGame<B>,
    pub(crate) set_up: Option<SetUp<B>>,
    /// Effects since the last event or reply.
    pub(crate) effects: Vec<Effect<B>>,
    pub(crate) message: Option<Message>,
    pub(crate) said: u64,
    pub(crate) question: Option<Confirmation>,
    pub(crate) is_waiting: bool,
    pub(crate) shows_hints: bool,
    pub(crate) hint_settings: HintSettings,
    pub(crate) pace: Duration,
    /// The moment until which two engines pause.
    pub(crate) rests_until: Duration,
    pub(crate) review: Option<Review>,
    pub(crate) analysis: Option<Analysis<B>>,
    /// Assessments of the moves of the position, one for each move.
    pub(crate) advice: Vec<Progress>,
    pub(crate) thought: Option<Finding>,
    pub(crate) now: Duration,
    pub(crate) revision: u64,
    pub(crate) game_number: u64,
    pub(crate) ponders: bool,
    /// Whether a move was played since the last orders were given.
    pub(crate) has_played: bool,
    /// The number of the game that engines have learned, or learn.
    pub(crate) learned_game: Option<u64>,
    pub(crate) learning: BTreeSet<OrderNumber>,
    pub(crate) last_number: OrderNumber,
    pub(crate) thinking: Option<Thinking>,
    /// The engine that replaces a person who leaves a seat.
    pub(crate) spare: Seating,
    /// Engines that were ordered and are not seated yet. No move is made for them in the meantime.
    pub(crate) awaited: BTreeMap<OrderNumber, AwaitedEngine>,
    /// Orders that prepare engines for a game: an engine that fails then is not fit for it.
    pub(crate) preparations: Vec<OrderNumber>,
    /// Seed of the next engine.
    pub(crate) seed: u64,
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
            effects: Vec::new(),
            message: None,
            said: 0,
            question: None,
            is_waiting,
            shows_hints,
            hint_settings: hints,
            pace: pace.min(MAX_PACE),
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
        &self.live.game
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
        self.obey(event);
        self.conclude()
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
        self.conclude()
    }

    /// Handles the result of reading or writing a file, and returns the effects that follow.
    pub fn take_file(&mut self, path: &Path, result: FileResult<B>, now: Duration) -> Vec<Effect<B>> {
        self.now = self.now.max(now);
        match result {
            FileResult::Saved => self.saved(path),
            FileResult::ReportWritten => self.say(Message::ReportWritten { path: path.to_owned() }),
            FileResult::Exists { there, is_report } => {
                self.question = Some(Confirmation::Overwrite { path: path.to_owned(), there, is_report });
            }
            FileResult::Loaded(found) => self.loaded(path, found),
            FileResult::Failed { what, reason } => self.refuse(what, &path.display().to_string(), reason),
        }
        self.conclude()
    }

    fn conclude(&mut self) -> Vec<Effect<B>> {
        if self.live.look_at_clock(self.now) {
            self.changed();
        }
        self.settle();
        self.let_engines_learn();
        mem::take(&mut self.effects)
    }

    /// Records that the position, the players or their limits have changed.
    pub(crate) fn changed(&mut self) {
        self.revision += 1;
        self.advice.clear();
    }

    fn obey(&mut self, event: Event) {
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
            Event::MoveNow => self.move_now(),
            Event::Go { step } => self.go(step),
            Event::StepIn { square } => self.step_in(&square),
            Event::GoTo { moves } => self.go_along(&self.live.game.line(), moves),
            Event::ShowHints { shown } => {
                self.shows_hints = shown;
                self.advice.clear();
                self.say(Message::HintsShown { shown });
            }
            Event::SetHints { level, lines } => self.set_hints(level, lines),
            Event::SetPace { seconds } => self.set_pace(seconds),
            Event::Analyze { level } => self.analyze(level),
            Event::StopAnalysis => self.stop_analysis(),
            Event::ShowMove { number } => self.show_move(number),
            Event::WriteReport { path, overwrite } => {
                match self.analysis.as_ref().filter(|analysis| analysis.judged() > 0) {
                    Some(analysis) => {
                        let html = analysis.page(&self.record());
                        self.effects.push(Effect::WriteReport { path, html, overwrite });
                    }
                    None => self.say(Message::NoAnalysis),
                }
            }
            Event::ChangeLevel { by } => self.change_level(by),
            Event::Seat { color, player, level } => match Seating::parse(&player, level) {
                Ok(seating) => self.order_seat(color, seating),
                Err(reason) => self.refuse(InputKind::Player, &player, reason),
            },
            Event::SeatPerson { color } => {
                self.live.set_seat(color, None);
                self.changed();
                self.say(Message::PersonSeated { color });
                self.order(Order::Unseat { color });
            }
            Event::Swap => {
                self.live.swap_seats();
                self.changed();
                self.say(Message::Swapped);
                self.order(Order::Swap);
            }
            Event::NewGame(new_game) => self.begin(&new_game),
            Event::Restart => {
                self.restart(Game::from_position(self.live.game.start()));
                self.is_waiting = false;
            }
            Event::SetUp(edit) => self.edit(&edit),
            Event::Paste { text } => self.paste(&text),
            Event::Save { path, overwrite } => {
                let record = Box::new(self.record());
                self.effects.push(Effect::Save { path, record, overwrite });
            }
            Event::Load { path, number } => self.effects.push(Effect::Load { path, number }),
        }
    }

    pub(crate) fn say(&mut self, message: Message) {
        self.message = Some(message);
        self.said += 1;
    }

    pub(crate) fn refuse(&mut self, what: InputKind, text: &str, reason: String) {
        self.say(Message::Refused { what, text: text.to_owned(), reason });
    }

    pub(crate) fn is_persons_turn(&self) -> bool {
        let turn = self.live.turn();
        !self.live.is_over() && self.live.is_person(turn) && self.awaited.values().all(|engine| engine.color != turn)
    }

    pub(crate) fn announce_pass(&mut self) {
        let plies = self.live.game.plies();
        if let Some(passed) = plies.last().filter(|ply| ply.square.is_none() && !self.live.is_over()) {
            let color = passed.color;
            self.say(Message::Passed { color, is_person: self.live.is_person(color) });
        }
    }

    fn saved(&mut self, path: &Path) {
        let has_moves = Format::from_path(path) != Some(Format::Obf);
        if has_moves {
            self.live.is_unsaved = false;
        }
        let beside = names_beside(path).into_iter().flatten().map(|name| last_part(&name)).collect();
        self.say(Message::Saved { path: path.to_owned(), beside, has_moves });
    }

    fn loaded(&mut self, path: &Path, found: FoundGame<B>) {
        let FoundGame { record, number, count, has_more } = found;
        let (path, moves) = (path.to_owned(), record.game.line().len());
        let (black, white) = (record.black.clone(), record.white.clone());
        self.say(Message::Loaded { path, black, white, moves, number, count, has_more });
        self.replace_game(|live| live.load(*record), Some(Review::Loaded));
    }

    /// Replaces the game; engines wait until they may continue it. The analysis of the one before ends.
    fn replace_game(&mut self, change: impl FnOnce(&mut LiveGame<B>), review: Option<Review>) {
        change(&mut self.live);
        self.set_up = None;
        self.is_waiting = true;
        self.review = review;
        self.rests_until = self.now;
        self.thought = None;
        self.game_number += 1;
        self.changed();
        self.order(Order::NewGame);
        self.stop_analysis();
        self.analysis = None;
    }

    fn restart(&mut self, game: Game<B>) {
        self.replace_game(|live| live.restart(game, live.control), None);
    }

    fn edit(&mut self, edit: &Edit) {
        let set_up = self.set_up.get_or_insert_with(|| SetUp::new(&self.live.game.position()));
        match edit {
            Edit::Begin => self.set_up = Some(SetUp::new(&self.live.game.position())),
            Edit::Cancel => self.set_up = None,
            Edit::Done => {
                let game = Game::from_position(set_up.position());
                self.say(Message::PositionSetUp);
                self.restart(game);
            }
            Edit::Put { square, .. } | Edit::Change { square } => {
                if let Err(error) = set_up.edit(edit) {
                    self.refuse(InputKind::SetUp, square, error.to_string());
                }
            }
            // The rest cannot fail.
            Edit::Turn | Edit::Clear | Edit::Start => drop(set_up.edit(edit)),
        }
    }

    fn paste(&mut self, text: &str) {
        match set_up::read::<B>(text) {
            Ok(Written::Position(position)) => self.set_up = Some(SetUp::new(&position)),
            Ok(Written::Game(record)) => {
                self.say(Message::GamePasted { moves: record.game.line().len() });
                self.replace_game(|live| live.load(*record), Some(Review::Loaded));
            }
            Err(reason) => self.refuse(InputKind::Paste, text, reason),
        }
    }

    fn begin(&mut self, new_game: &NewGame) {
        let NewGame { sides, clock, board } = new_game;
        let text = clock.trim();
        let control = if text.is_empty() { Ok(None) } else { time_span::parse_clock(text).map(Some) };
        let control = match control {
            Ok(control) => control,
            Err(reason) => return self.refuse(InputKind::Clock, text, reason),
        };
        if *board != BoardShape::of::<B>() {
            let (hints, pace) = (self.hint_settings, self.pace.as_secs_f64());
            let other = OtherBoard { shape: *board, control, sides: *sides, hints, pace };
            return self.effects.push(Effect::ChangeBoard(other));
        }
        self.replace_game(|live| live.restart(Game::default(), control), None);
        self.is_waiting = false;
        // Engines that were ordered in the last game are not seated where a person plays now.
        self.awaited.clear();
        for (color, is_person) in [Color::Black, Color::White].into_iter().zip(sides.persons()) {
            if is_person && !self.live.is_person(color) {
                if let Some(Opponent { notation, level, .. }) = self.live.opponent(color).cloned() {
                    self.spare = Seating { notation, level };
                }
                self.live.set_seat(color, None);
                self.order(Order::Unseat { color });
            } else if !is_person && self.live.is_person(color) {
                // Until the engine is seated, no move is ordered.
                self.order_seat(color, self.spare.clone());
            }
        }
        // Seating comes first, so that every player gets the new game.
        self.effects.rotate_left(1);
    }

    fn play(&mut self, name: &str) {
        if self.live.is_over() {
            self.say(Message::GameIsOver);
        } else if !self.is_persons_turn() && !self.is_waiting {
            self.say(Message::NotYourTurn);
        } else {
            let now = self.now;
            if self.make_move(name, |live, square| live.play(square, None, now)) {
                // The game goes on, whether the person moved for itself or for a paused engine.
                self.is_waiting = false;
                self.review = None;
                self.has_played = true;
                self.changed();
                self.announce_pass();
            }
        }
    }

    /// The record of the game as it stands.
    pub fn record(&self) -> GameRecord<B> {
        self.live.record(self.date)
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
            Ok(pace) if pace <= MAX_PACE => {
                self.pace = pace;
                self.rests_until = self.rests_until.min(self.now.saturating_add(pace));
                self.say(Message::Pace { milliseconds: pace.as_millis() as u64 });
            }
            _ => {
                let (text, max) = (seconds::shown(seconds), MAX_PACE.as_secs());
                let reason = format!("pace out of range: {text} s; expected 0 to {max} s");
                self.refuse(InputKind::Pace, &text, reason);
            }
        }
    }

    fn change_level(&mut self, by: i32) {
        let turn = self.live.turn();
        let Some(color) = [turn, !turn].into_iter().find(|&color| self.live.opponent(color).is_some()) else {
            return self.say(Message::NoEngine);
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
