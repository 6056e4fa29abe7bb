//! The state of the screen: what happened goes in, what is to be done comes out. It knows no terminal, no thread and
//! no file.

use std::path::PathBuf;
use std::time::Duration;

use engine::{Choice, GameClock, Limits, Progress};
use othello::records::{Format, transcript};
use othello::{Color, Game, Position, Square, SquareSet};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};

use crate::board_shape::BoardShape;
use crate::diagram;
use crate::game_file;
use crate::output::counted;
use crate::registry::PlayableBoard;
use crate::screen::cursor;
use crate::screen::drawing::help;
use crate::screen::drawing::layout::Layout;
use crate::screen::editor::{Edited, Editor};
use crate::screen::event::{Event, FoundGame, Order, OtherBoard, Seating, Task};
use crate::screen::files;
use crate::screen::new_game::{Filled, NewGame, Sides};
use crate::screen::opponent_choice::{Chosen, Focus, OTHER_COLOR, OpponentChoice};
use crate::screen::prompt::{Prompt, Purpose};
use crate::screen::table::{Opponent, Seat, Step, Table};

mod typing;

/// What is shown, and what keys are about.
#[derive(Clone, Debug)]
pub enum View<B: PlayableBoard> {
    /// The game.
    Game,
    /// The help, from this line on.
    Help(u16),
    /// A position that is being set up.
    SetUp(Editor<B>),
    /// Who plays a colour.
    Opponent(OpponentChoice),
    /// A new game.
    NewGame(NewGame),
    /// A text that is typed; with the editor, if it is for a position that is being set up.
    Prompt(Prompt, Option<Editor<B>>),
    /// A question that is answered with yes or no.
    Question(Question),
}

/// A question that is answered with yes or no.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether to leave without saving.
    Leave,
    /// Whether to write over files.
    Overwrite {
        /// The file that is to be written.
        path: PathBuf,
        /// What is there: it, or files that go with it.
        there: Vec<PathBuf>,
    },
}

/// What was found by who thought last.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// Who thought.
    pub who: String,
    /// For which side.
    pub color: Color,
    /// The last report.
    pub progress: Progress,
    /// Whether it is the last word.
    pub is_done: bool,
}

/// Thinking that was ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Work {
    task: Task,
    kind: Kind,
    /// The state of the game that it is about.
    revision: u64,
    is_done: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Move(Color),
    Ponder(Color),
    Advice,
}

/// The state of the screen.
#[derive(Clone, Debug)]
pub struct Screen<B: PlayableBoard> {
    /// The game, its players and clocks.
    pub table: Table<B>,
    /// What is shown.
    pub view: View<B>,
    /// The square that keys are about.
    pub cursor: Square,
    /// What was typed of the name of a square.
    pub typed: String,
    /// What there is to say; without it, whose turn it is.
    pub message: Option<String>,
    /// Whether engines wait to be let go on.
    pub is_waiting: bool,
    /// Whether the values of the moves are shown on the board.
    pub shows_hints: bool,
    /// What is known of the moves of the position, a report a move.
    pub advice: Vec<Progress>,
    /// What was found by who thought last.
    pub thought: Option<Thought>,
    /// Columns and rows of the window.
    pub size: (u16, u16),
    /// The time since the program began.
    pub now: Duration,
    shape: BoardShape,
    ponders: bool,
    revision: u64,
    next_task: Task,
    work: Option<Work>,
    /// The engine that sits down again where a person gets up.
    spare: Seating,
    /// The file that was saved or loaded last.
    file: String,
}

impl<B: PlayableBoard> Screen<B> {
    /// A screen of this size with a game to be played; `spare` is the engine that plays where the person does not.
    pub fn new(table: Table<B>, shape: BoardShape, ponders: bool, spare: Seating, size: (u16, u16)) -> Self {
        let cursor = cursor::home(&table.game().position().board);
        Self {
            table,
            view: View::Game,
            cursor,
            typed: String::new(),
            message: None,
            is_waiting: false,
            shows_hints: false,
            advice: Vec::new(),
            thought: None,
            size,
            now: Duration::ZERO,
            shape,
            ponders,
            revision: 0,
            next_task: 0,
            work: None,
            spare,
            file: String::new(),
        }
    }

    /// Takes note of what happened and says what is to be done.
    pub fn handle(&mut self, event: Event<B>, now: Duration) -> Vec<Order<B>> {
        self.now = self.now.max(now);
        let mut orders = match event {
            Event::Key(key) if key.kind == KeyEventKind::Release => Vec::new(),
            Event::Key(key) => self.key(key),
            Event::Mouse(mouse) => {
                if mouse.kind == MouseEventKind::Down(MouseButton::Left) {
                    self.click(mouse.column, mouse.row);
                }
                Vec::new()
            }
            Event::Paste(text) => self.paste(&text),
            Event::Resize(width, height) => {
                self.size = (width, height);
                Vec::new()
            }
            Event::Tick => Vec::new(),
            Event::Terminate => return vec![Order::Terminate],
            Event::Thought(task, progress) => {
                self.report(task, progress);
                Vec::new()
            }
            Event::Chosen(task, outcome) => {
                self.chosen(task, outcome);
                Vec::new()
            }
            Event::Advised(task, outcome) => {
                if let (Some(_), Err(reason)) = (self.finish(task), outcome) {
                    self.shows_hints = false;
                    self.message = Some(format!("There are no hints: {reason}."));
                }
                Vec::new()
            }
            Event::Seated(color, seating, outcome) => {
                self.seated(color, seating, outcome);
                Vec::new()
            }
            Event::Unfit(reason) => {
                self.failed(&reason);
                Vec::new()
            }
            Event::Saved(path, outcome) => {
                self.saved(&path, outcome);
                Vec::new()
            }
            Event::Exists { path, there } => {
                self.view = View::Question(Question::Overwrite { path, there });
                Vec::new()
            }
            Event::Loaded(path, outcome) => self.loaded(&path, outcome),
            Event::Completed(candidates) => {
                if let View::Prompt(prompt, _) = &mut self.view {
                    prompt.complete(candidates);
                }
                Vec::new()
            }
        };
        if self.table.look_at_clock(self.now) {
            self.changed();
        }
        self.settle(&mut orders);
        orders
    }

    /// Whether a person is to move.
    pub fn is_persons_turn(&self) -> bool {
        !self.table.is_over() && self.table.is_person(self.table.turn())
    }

    /// The engine that is to move, whether it thinks or waits.
    pub fn engine_to_move(&self) -> Option<&Opponent> {
        if self.table.is_over() { None } else { self.table.opponent(self.table.turn()) }
    }

    /// Whether an engine thinks about its move.
    pub fn is_thinking(&self) -> bool {
        self.work.is_some_and(|work| matches!(work.kind, Kind::Move(_)) && !work.is_done)
    }

    /// Whether hints are still being made better.
    pub fn is_advising(&self) -> bool {
        self.work.is_some_and(|work| work.kind == Kind::Advice && !work.is_done)
    }

    /// Takes note that the position, the players or their limits have changed.
    fn changed(&mut self) {
        self.revision += 1;
        self.advice.clear();
        self.typed.clear();
    }

    /// Lets the clock run or stand, and orders the thinking that the state asks for.
    fn settle(&mut self, orders: &mut Vec<Order<B>>) {
        let is_setting_up = matches!(self.view, View::SetUp(_) | View::Prompt(_, Some(_)));
        let waits = self.engine_to_move().is_some() && self.is_waiting;
        let plays = !self.table.is_over() && !is_setting_up;
        self.table.run_clock(plays && !waits, self.now);

        let turn = self.table.turn();
        let wanted = match self.engine_to_move() {
            _ if !plays => None,
            Some(_) if !self.is_waiting => Some(Kind::Move(turn)),
            _ if self.shows_hints => Some(Kind::Advice),
            None if self.ponders && self.can_ponder(!turn) => Some(Kind::Ponder(!turn)),
            _ => None,
        };
        let present = self.work.map(|work| (work.kind, work.revision));
        if wanted.map(|kind| (kind, self.revision)) == present {
            return;
        }
        if self.work.take().is_some_and(|work| !work.is_done) {
            orders.push(Order::Stop);
        }
        let Some(kind) = wanted else { return };
        self.next_task += 1;
        let task = self.next_task;
        self.work = Some(Work { task, kind, revision: self.revision, is_done: false });
        let game = Box::new(self.table.game().clone());
        orders.push(match kind {
            Kind::Move(color) => {
                self.thought = None;
                let level = self.table.opponent(color).and_then(|opponent| opponent.level);
                let clock = self.table.clock_for_engine(self.now);
                Order::Think(task, color, game, Limits { level, clock, ..Limits::default() })
            }
            Kind::Ponder(color) => Order::Ponder(task, color, game, self.limits_of_pondering(color)),
            Kind::Advice => Order::Advise(task, game),
        });
    }

    /// Whether an engine plays a colour that can think in the other's time: programs of their own cannot.
    fn can_ponder(&self, color: Color) -> bool {
        self.table.opponent(color).is_some_and(|opponent| !opponent.notation.is_external())
    }

    /// Until when an engine thinks in the other's time, if nobody stops it: at its own level, or to the end.
    fn limits_of_pondering(&self, color: Color) -> Limits {
        match self.table.opponent(color) {
            Some(Opponent { level: Some(level), .. }) => Limits::of_level(*level),
            // Without any limit it would play at the level that it is used to.
            Some(opponent) if opponent.is_emilia() => Limits::of_depth(B::GEOMETRY.area()),
            _ => Limits::default(),
        }
    }

    /// The thinking of this number, if it is what is being waited for; it is done then.
    fn finish(&mut self, task: Task) -> Option<Kind> {
        let work = self.work.as_mut().filter(|work| work.task == task && !work.is_done)?;
        work.is_done = true;
        Some(work.kind)
    }

    fn report(&mut self, task: Task, progress: Progress) {
        let Some(work) = self.work.filter(|work| work.task == task && !work.is_done) else { return };
        match work.kind {
            Kind::Advice => {
                let Some(&square) = progress.line.first() else { return };
                self.advice.retain(|known| known.line.first() != Some(&square));
                self.advice.push(progress);
            }
            Kind::Move(color) => {
                let who = self.table.player_name(color);
                self.thought = Some(Thought { who, color, progress, is_done: false });
            }
            Kind::Ponder(_) => {}
        }
    }

    fn chosen(&mut self, task: Task, outcome: Result<Choice, String>) {
        let Some(Kind::Move(color)) = self.finish(task) else { return };
        let who = self.table.player_name(color);
        let played = outcome.and_then(|choice| {
            let legal = self.table.play(choice.square, self.now).map_err(|error| format!("{who} failed: {error}"));
            legal.map(|()| choice)
        });
        match played {
            Ok(choice) => {
                let Choice { value, line, depth, nodes, time, .. } = choice;
                let last = self.thought.take().map(|thought| thought.progress).unwrap_or_default();
                let selectivity = last.selectivity;
                let progress = Progress { depth, selectivity, value: value.or(last.value), line, nodes, time };
                self.thought = Some(Thought { who, color, progress, is_done: true });
                self.message = None;
                self.changed();
                self.announce_pass();
                self.cursor = self.cursor_after_move();
            }
            Err(reason) => self.failed(&reason),
        }
    }

    /// Tells of an engine that failed. Only where it is to move, Space lets it try again; elsewhere Space plays.
    fn failed(&mut self, reason: &str) {
        self.is_waiting = true;
        let again = if self.engine_to_move().is_some() { "Space tries again, " } else { "" };
        self.message = Some(format!("{reason}. {again}o chooses another opponent."));
    }

    /// The cursor stays where one may play, else it goes to a legal move.
    fn cursor_after_move(&self) -> Square {
        let board = self.table.game().position().board;
        if board.moves().has(self.cursor) { self.cursor } else { cursor::home(&board) }
    }

    fn announce_pass(&mut self) {
        let plies = self.table.game().plies();
        if let Some(passed) = plies.last().filter(|ply| ply.square.is_none() && !self.table.is_over()) {
            let who = if self.table.is_person(passed.color) { "You have" } else { "The engine has" };
            self.message = Some(format!("{who} no move and must pass ({}): {} again.", passed.color, !passed.color));
        }
    }

    fn seated(&mut self, color: Color, seating: Seating, outcome: Result<String, String>) {
        match outcome {
            Ok(name) => {
                let has_clock = self.table.control().is_some();
                self.spare = seating.clone();
                let opponent = Opponent::new(seating.notation, name, seating.level, has_clock);
                self.message = Some(format!("{color} is {} from now on.", opponent.title()));
                self.table.set_seat(color, Seat::Engine(opponent));
                if matches!(self.view, View::Opponent(_)) {
                    self.view = View::Game;
                }
                self.changed();
            }
            Err(reason) => match &mut self.view {
                View::Opponent(choice) => choice.complaint = Some(reason),
                _ => self.message = Some(format!("{reason}.")),
            },
        }
    }

    fn saved(&mut self, path: &std::path::Path, outcome: Result<(), String>) {
        match outcome {
            Ok(()) => {
                self.view = View::Game;
                let holds_moves = Format::from_path(path) != Some(Format::Obf);
                self.message = Some(if holds_moves {
                    self.table.saved();
                    let beside = game_file::names_beside(path).map_or(String::new(), |names| {
                        let [players, tournaments] = names.map(|name| files::last_part(&name));
                        format!(", with {players} and {tournaments} for the names")
                    });
                    format!("Saved as {}{beside}.", path.display())
                } else {
                    format!("Saved as {}: the position alone, without the moves.", path.display())
                });
            }
            Err(reason) => self.complain(Purpose::Save, &path.display().to_string(), reason),
        }
    }

    fn loaded(&mut self, path: &std::path::Path, outcome: Result<FoundGame<B>, String>) -> Vec<Order<B>> {
        match outcome {
            Ok(FoundGame { record, number, count: games }) => {
                let names = match (record.black.as_str(), record.white.as_str()) {
                    ("", "") => String::new(),
                    (black, white) => format!("{black} against {white}, "),
                };
                let count = record.game.line().len() as u64;
                let place = match games {
                    0 | 1 => String::new(),
                    files::MOST_COUNTED => format!(" Game {number} of {games} or more"),
                    _ => format!(" Game {number} of {games}"),
                };
                let next = match number + 1 {
                    _ if place.is_empty() => String::new(),
                    next if next <= games => format!("; {}#{next} loads the next.", files::last_part(path)),
                    _ => ".".to_owned(),
                };
                let moves = counted(count, "move");
                self.message = Some(format!("{}: {names}{moves}.{place}{next}", path.display()));
                self.put_on_table(|table| table.load(*record))
            }
            Err(reason) => {
                self.complain(Purpose::Load, &path.display().to_string(), reason);
                Vec::new()
            }
        }
    }

    /// Says what is wrong with what was typed, where it can be typed again.
    fn complain(&mut self, purpose: Purpose, typed: &str, reason: String) {
        if !matches!(&self.view, View::Prompt(prompt, _) if prompt.purpose == purpose) {
            self.view = View::Prompt(Prompt::new(purpose, typed), None);
        }
        if let View::Prompt(prompt, _) = &mut self.view {
            prompt.complaint = Some(reason);
        }
    }

    /// Puts another game on the table, which engines go on with when they are let.
    fn put_on_table(&mut self, change: impl FnOnce(&mut Table<B>)) -> Vec<Order<B>> {
        change(&mut self.table);
        self.view = View::Game;
        self.is_waiting = true;
        self.thought = None;
        self.cursor = cursor::home(&self.table.game().position().board);
        self.changed();
        vec![Order::NewGame]
    }

    fn key(&mut self, key: KeyEvent) -> Vec<Order<B>> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('c') => return vec![Order::Leave],
                KeyCode::Char('z') => return vec![Order::Suspend],
                _ => {}
            }
        }
        match &mut self.view {
            View::Game => self.key_in_game(key),
            View::Help(line) => {
                let layout = Layout::new(B::GEOMETRY, self.size);
                match layout.and_then(|layout| help::after_key(key.code, *line, &layout)) {
                    Some(from) => *line = from,
                    None => self.view = View::Game,
                }
                Vec::new()
            }
            View::SetUp(editor) => match editor.key(key) {
                Edited::On => Vec::new(),
                Edited::Cancelled => self.back_to_game("Nothing was changed."),
                Edited::Paste => {
                    let editor = editor.clone();
                    self.view = View::Prompt(Prompt::new(Purpose::Paste, ""), Some(editor));
                    Vec::new()
                }
                Edited::Done => {
                    let game = Game::from_position(editor.position());
                    self.message = Some("The position is set up.".to_owned());
                    self.put_on_table(|table| table.restart(game, table.control()))
                }
            },
            View::Opponent(choice) => match choice.key(key) {
                Chosen::Cancelled => self.back_to_game("Nothing was changed."),
                Chosen::Player(seating) => vec![Order::Seat(choice.color, seating)],
                Chosen::Person => {
                    let color = choice.color;
                    self.table.set_seat(color, Seat::Person);
                    self.changed();
                    self.back_to_game("");
                    self.message = Some(format!("You play {color} from now on."));
                    vec![Order::Unseat(color)]
                }
                Chosen::NotYet => {
                    let is_listing = choice.focus != Focus::Text;
                    if key.code == KeyCode::Char(OTHER_COLOR) && is_listing {
                        let other = !choice.color;
                        choice.turn_to(other, self.table.opponent(other));
                    }
                    Vec::new()
                }
            },
            View::NewGame(form) => match form.key(key) {
                Filled::NotYet => Vec::new(),
                Filled::Cancelled => self.back_to_game("Nothing was changed."),
                Filled::Begin(control) => {
                    let (sides, shape) = (form.sides, form.board);
                    self.begin(sides, control, shape)
                }
            },
            View::Prompt(..) => self.key_in_prompt(key),
            View::Question(question) => {
                let question = question.clone();
                match key.code {
                    KeyCode::Char('y' | 'Y') => self.say_yes(&question),
                    KeyCode::Char('n' | 'N') | KeyCode::Esc => self.back_to_game("Nothing was done."),
                    _ => Vec::new(),
                }
            }
        }
    }

    fn back_to_game(&mut self, message: &str) -> Vec<Order<B>> {
        self.view = View::Game;
        self.message = (!message.is_empty()).then(|| message.to_owned());
        Vec::new()
    }

    fn say_yes(&mut self, question: &Question) -> Vec<Order<B>> {
        self.view = View::Game;
        match question {
            Question::Leave => vec![Order::Leave],
            Question::Overwrite { path, .. } => {
                vec![Order::Save { path: path.clone(), record: Box::new(self.table.record()), overwrite: true }]
            }
        }
    }

    /// Begins another game.
    fn begin(&mut self, sides: Sides, control: Option<GameClock>, shape: BoardShape) -> Vec<Order<B>> {
        if shape != self.shape {
            return vec![Order::ChangeBoard(OtherBoard { shape, control, sides })];
        }
        self.message = None;
        let mut orders = self.put_on_table(|table| table.restart(Game::default(), control));
        self.is_waiting = false;
        for (color, is_person) in [Color::Black, Color::White].into_iter().zip(sides.persons()) {
            if is_person && !self.table.is_person(color) {
                self.keep_spare(color);
                self.table.set_seat(color, Seat::Person);
                orders.push(Order::Unseat(color));
            } else if !is_person && self.table.is_person(color) {
                // Until the engine has sat down, nobody is asked for a move of a person who is not there.
                orders.push(Order::Seat(color, self.spare.clone()));
            }
        }
        // Sitting down comes first, so that everybody who plays is told of the new game.
        orders.rotate_left(1);
        orders
    }

    /// Remembers the engine that plays a colour, for when one is needed again.
    fn keep_spare(&mut self, color: Color) {
        if let Some(Opponent { notation, level, .. }) = self.table.opponent(color).cloned() {
            self.spare = Seating { notation, level };
        }
    }

    fn key_in_game(&mut self, key: KeyEvent) -> Vec<Order<B>> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        self.message = None;
        if let Some(square) = cursor::moved(&B::GEOMETRY, self.cursor, key.code) {
            self.cursor = square;
            return Vec::new();
        }
        match key.code {
            KeyCode::Enter if !self.typed.is_empty() => self.play_typed(),
            KeyCode::Enter => self.play_or_go_on(self.cursor),
            KeyCode::Char(' ') if self.is_thinking() => self.is_waiting = true,
            KeyCode::Char(' ') => self.play_or_go_on(self.cursor),
            KeyCode::Esc | KeyCode::Backspace => self.typed.clear(),
            KeyCode::Home => self.go(Step::ToStart),
            KeyCode::End => self.go(Step::ToEnd),
            KeyCode::PageUp => self.go(Step::Back),
            KeyCode::PageDown => self.go(Step::Forward),
            KeyCode::Tab => self.go(Step::Variation),
            KeyCode::F(1) => self.view = View::Help(0),
            KeyCode::Char(letter) if !control => return self.letter(letter.to_ascii_lowercase()),
            _ => {}
        }
        Vec::new()
    }

    fn letter(&mut self, letter: char) -> Vec<Order<B>> {
        let last_column = char::from(b'a' + B::GEOMETRY.side - 1);
        match letter {
            'a'..='z' if letter <= last_column => self.typed = letter.to_string(),
            '0'..='9' if !self.typed.is_empty() => self.type_digit(letter),
            '?' => self.view = View::Help(0),
            'u' => self.go(Step::TakeBack),
            'r' => self.go(Step::PlayAgain),
            ',' | '<' => self.go(Step::Back),
            '.' | '>' => self.go(Step::Forward),
            '+' | '=' => self.change_level(1),
            '-' => self.change_level(-1),
            'v' => {
                self.shows_hints = !self.shows_hints;
                self.advice.clear();
                let state = if self.shows_hints { "shown on the board" } else { "hidden" };
                self.message = Some(format!("The values of the moves are {state}."));
            }
            'm' if self.is_thinking() => {
                self.message = Some("It answers as soon as it can.".to_owned());
                return vec![Order::Stop];
            }
            'm' => self.message = Some("No engine is thinking about a move.".to_owned()),
            'w' => {
                self.table.swap_seats();
                self.changed();
                self.message = Some("The players have changed sides.".to_owned());
                return vec![Order::Swap];
            }
            'n' => {
                let persons = [Color::Black, Color::White].map(|color| self.table.is_person(color));
                let form = NewGame::new(Sides::of(persons), self.table.control(), self.shape);
                self.view = View::NewGame(form);
            }
            'o' => {
                let turn = self.table.turn();
                let engines = [!turn, turn].into_iter().find(|&color| self.table.opponent(color).is_some());
                let color = engines.unwrap_or(!turn);
                let has_clock = self.table.control().is_some();
                let choice = OpponentChoice::new::<B>(color, self.table.opponent(color), has_clock);
                self.view = View::Opponent(choice);
            }
            'p' => {
                self.view = View::SetUp(Editor::new(&self.table.game().position(), self.cursor));
            }
            's' => self.view = View::Prompt(Prompt::new(Purpose::Save, &self.file), None),
            'l' => self.view = View::Prompt(Prompt::new(Purpose::Load, &self.file), None),
            'q' if self.table.is_unsaved() => self.view = View::Question(Question::Leave),
            'q' => return vec![Order::Leave],
            _ => self.message = Some(format!("{letter:?} does nothing here; ? shows what does.")),
        }
        Vec::new()
    }

    /// Adds a digit to the name of a square; when it can be no other, the move is played.
    fn type_digit(&mut self, digit: char) {
        self.typed.push(digit);
        let may_go_on = self.typed.ends_with('1') && self.typed.len() == 2 && B::GEOMETRY.side > 9;
        if !may_go_on {
            self.play_typed();
        }
    }

    fn play_typed(&mut self) {
        let typed = std::mem::take(&mut self.typed);
        match B::GEOMETRY.parse_square(&typed) {
            Ok(square) => {
                self.cursor = square;
                self.play(square);
            }
            Err(error) => self.message = Some(format!("{error}.")),
        }
    }

    fn play_or_go_on(&mut self, square: Square) {
        if self.engine_to_move().is_some() && self.is_waiting {
            self.is_waiting = false;
        } else {
            self.play(square);
        }
    }

    fn play(&mut self, square: Square) {
        if self.table.is_over() {
            self.message = Some("The game is over: n begins another, u takes back.".to_owned());
        } else if !self.is_persons_turn() && !self.is_waiting {
            self.message = Some("It is not your turn: Space stops the engine, m lets it move now.".to_owned());
        } else {
            match self.table.play(square, self.now) {
                Ok(()) => {
                    // Where the person has moved for itself or for a waiting engine, the game goes on.
                    self.is_waiting = false;
                    self.changed();
                    self.announce_pass();
                    self.cursor = self.cursor_after_move();
                }
                Err(error) => self.message = Some(format!("{error}.")),
            }
        }
    }

    /// Goes to another position of the game. Engines wait there, unless the person took a turn back.
    fn go(&mut self, step: Step) {
        let missing = match step {
            Step::TakeBack if self.is_persons_turn() => "There is no move of yours to take back.",
            Step::TakeBack | Step::Back | Step::ToStart => "There is no move to take back.",
            Step::PlayAgain | Step::Forward | Step::ToEnd => "There is no move to play again.",
            Step::Variation => "No other move was tried in place of the last one.",
        };
        if !self.table.go(step, self.now) {
            self.message = Some(missing.to_owned());
            return;
        }
        self.changed();
        self.thought = None;
        self.is_waiting = self.engine_to_move().is_some();
        self.cursor = self.cursor_after_move();
    }

    /// Lets the engine play a level higher or lower.
    fn change_level(&mut self, by: i32) {
        let turn = self.table.turn();
        let Some(color) = [turn, !turn].into_iter().find(|&color| self.table.opponent(color).is_some()) else {
            self.message = Some("No engine plays; o chooses one.".to_owned());
            return;
        };
        let has_clock = self.table.control().is_some();
        let Some(opponent) = self.table.opponent_mut(color) else { return };
        let name = opponent.name.clone();
        let choice = OpponentChoice::new::<B>(color, Some(opponent), has_clock);
        let levels = choice.levels.iter().flatten();
        let range = levels.clone().min().copied().zip(levels.max().copied());
        self.message = Some(match (opponent.level, range) {
            _ if opponent.has_own_limits() => {
                format!("{} says itself how long it thinks; o chooses again.", opponent.notation.text())
            }
            (_, None) => format!("{name} has no levels; o chooses another opponent."),
            (None, _) => format!("{name} plays {}; o chooses a level.", choice.level_text(None)),
            (Some(before), Some((lowest, highest))) => {
                // Who was told to play at a level beyond those of the list stays there.
                let level = before.saturating_add_signed(by).clamp(lowest.min(before), highest.max(before));
                opponent.level = Some(level);
                if level != before {
                    self.changed();
                }
                format!("{name} plays at level {level}: {}.", choice.level_text(Some(level)))
            }
        });
    }

    fn click(&mut self, column: u16, row: u16) {
        let layout = Layout::new(B::GEOMETRY, self.size);
        let Some(square) = layout.and_then(|layout| layout.square_at(column, row)) else { return };
        match &mut self.view {
            View::Game => {
                self.message = None;
                self.typed.clear();
                self.cursor = square;
                self.play(square);
            }
            View::SetUp(editor) => editor.change(square),
            _ => {}
        }
    }

    /// What there is to say below the board.
    pub fn words(&self) -> String {
        if !self.typed.is_empty() {
            let more = if self.typed.len() > 1 { " (Enter plays it)" } else { "" };
            return format!("Move: {}_{more}", self.typed);
        }
        let said = self.message.clone().unwrap_or_default();
        let turn = self.table.turn();
        let state = if self.table.is_over() {
            format!("{} n begins a new game, u takes back, s saves.", self.table.verdict())
        } else if let Some(opponent) = self.engine_to_move() {
            match (self.is_waiting, &said) {
                (true, said) if said.contains("Space") => String::new(),
                (true, _) => format!("{} ({turn}) waits: Space lets it play.", opponent.title()),
                (false, _) => {
                    format!("{} ({turn}) is thinking: m makes it move, Space makes it wait.", opponent.title())
                }
            }
        } else {
            let moves = self.table.game().position().board.moves();
            let example = othello::squares(moves).next().map(|square| B::GEOMETRY.square_name(square));
            let example = example.unwrap_or_default();
            let ask = format!("Your move ({turn}): type a square such as {example}, or");
            let full = format!("{ask} use the arrows and Enter.");
            let place = Layout::new(B::GEOMETRY, self.size).map(|layout| layout.message);
            let has_room = place.is_none_or(|place| place.height > 1 || full.len() <= usize::from(place.width));
            if has_room { full } else { format!("{ask} arrows, Enter.") }
        };
        format!("{said} {state}").trim().to_owned()
    }

    /// The moves that would be lost, with the position where they began if it is another than usual.
    pub fn unsaved_moves(&self) -> Option<String> {
        let game = self.table.game();
        let moves = transcript::format(game);
        match game.start() {
            _ if !self.table.is_unsaved() => None,
            start if start == Position::start() => Some(moves),
            start => Some(format!("{moves} from {start}")),
        }
    }

    /// The situation in a few words, for the title.
    pub fn situation(&self) -> String {
        match self.table.out_of_time() {
            Some(color) => format!("{color} is out of time"),
            None => diagram::situation(&self.table.game().position()),
        }
    }
}
