//! The window: it receives keys, clicks and pasted texts, and returns requests. It uses neither a
//! terminal nor files, and has the game only as the view of the session.

use std::path::PathBuf;

use engine::analysis::Perspective;
use othello::{Color, Geometry, Square};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use session::{
    AnalysisView, Catalogue, Confirmation, Edit, Event, HintSettings, InputKind, Message, SeatView, Step, View,
};

use crate::files::numbered;
use crate::full_screen::cursor;
use crate::full_screen::drawing::{Layout, footer, help};
use crate::full_screen::new_game::{Field, NewGameForm};
use crate::full_screen::opponent_choice::{Focus, OTHER_COLOR, OpponentChoice};
use crate::full_screen::prompt::{FormResult, Prompt, Purpose};
use crate::full_screen::terminal::Input;

/// The form that is open over the game, and receives the keys.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// Nothing: the game itself.
    Game,
    /// The help, from this line on.
    Help(u16),
    SetUp,
    Opponent(OpponentChoice),
    NewGame(NewGameForm),
    Prompt(Prompt),
    /// The analysis of the game, beside its board.
    Analysis,
    /// Whether to leave without saving.
    Leave,
    /// Whether to overwrite files.
    Overwrite {
        path: PathBuf,
        /// The files that exist: this one, or files that go with it.
        there: Vec<PathBuf>,
        is_report: bool,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ScreenRequest {
    Event(Event),
    /// Look for files whose names begin so.
    Complete(String),
    /// Give the terminal back for a while.
    Suspend,
    Leave,
    /// Leave because of a signal, or because the terminal is gone.
    Terminate,
}

#[derive(Clone, Debug)]
pub(crate) struct Screen {
    pub view: View,
    pub form: Form,
    pub geometry: Geometry,
    /// The square at the cursor.
    pub cursor: Square,
    /// The same while a position is set up.
    pub set_up_cursor: Square,
    pub set_up_error: Option<String>,
    /// The typed beginning of the name of a square.
    pub typed: String,
    /// Whether the last key completed a typed square, which is played immediately: an Enter after it, pressed out of habit,
    /// must not play another move.
    ignores_enter: bool,
    /// The message to show; without it, whose turn it is.
    pub message: Option<String>,
    /// The side from whose point of view the values of an analysis are shown.
    pub perspective: Perspective,
    /// Columns and rows of the window.
    pub size: (u16, u16),
    catalogue: Catalogue,
    /// The file that was saved last.
    saved_file: String,
    /// The file that was loaded last, or the opening.
    loaded_file: String,
    /// Whether the person has pressed a key or a button of the mouse.
    is_attended: bool,
}

impl Screen {
    pub(crate) fn new(geometry: Geometry, catalogue: Catalogue, view: View, size: (u16, u16)) -> Self {
        let cursor = cursor::home(&geometry, &view);
        Self {
            view,
            form: Form::Game,
            geometry,
            cursor,
            set_up_cursor: cursor,
            set_up_error: None,
            typed: String::new(),
            ignores_enter: false,
            message: None,
            perspective: Perspective::default(),
            size,
            catalogue,
            saved_file: String::new(),
            loaded_file: String::new(),
            is_attended: false,
        }
    }

    pub(crate) fn handle(&mut self, input: Input) -> Option<ScreenRequest> {
        self.is_attended |= match &input {
            Input::Key(key) => key.kind != KeyEventKind::Release,
            Input::Mouse(mouse) => matches!(mouse.kind, MouseEventKind::Down(_)),
            Input::Paste(_) => true,
            Input::Resize(..) | Input::Terminate => false,
        };
        match input {
            Input::Key(key) if key.kind == KeyEventKind::Release => None,
            Input::Key(key) => self.key(key),
            Input::Mouse(mouse) => match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => self.click(mouse.column, mouse.row),
                MouseEventKind::ScrollUp => self.scroll(Step::Back, KeyCode::Up),
                MouseEventKind::ScrollDown => self.scroll(Step::Forward, KeyCode::Down),
                _ => None,
            },
            Input::Paste(text) => self.paste(&text),
            Input::Resize(width, height) => {
                self.size = (width, height);
                None
            }
            Input::Terminate => Some(ScreenRequest::Terminate),
        }
    }

    pub(crate) fn show(&mut self, view: View) {
        let before = std::mem::replace(&mut self.view, view);
        if self.view.revision != before.revision {
            self.typed.clear();
        }
        if self.view.game != before.game {
            self.cursor = cursor::home(&self.geometry, &self.view);
            self.form = Form::Game;
        } else if (&self.view.board, self.view.turn) != (&before.board, before.turn) {
            // The cursor stays where one may play, else it goes to a legal move.
            let name = self.geometry.square_name(self.cursor);
            if self.view.legal_moves.iter().all(|legal| legal.square != name) {
                self.cursor = cursor::home(&self.geometry, &self.view);
            }
        }
        if self.view.said != before.said {
            self.message = self.view.message.clone().and_then(|said| self.take_message(&said.message));
        }
        if let Some(Confirmation::Overwrite { path, there, is_report }) = &self.view.question {
            self.form = Form::Overwrite { path: path.clone(), there: there.clone(), is_report: *is_report };
        }
        if matches!(self.form, Form::Analysis) && self.view.analysis.is_none() {
            self.form = Form::Game;
        }
        if self.view.set_up.is_some() && before.set_up.is_none() {
            self.set_up_cursor = self.cursor;
            self.set_up_error = None;
        }
        match (&self.view.set_up, &self.form) {
            (Some(_), Form::Game) => self.form = Form::SetUp,
            (None, Form::SetUp) => self.form = Form::Game,
            _ => {}
        }
    }

    /// Handles a message, and returns the text for the message line unless a form shows it.
    fn take_message(&mut self, message: &Message) -> Option<String> {
        match (message, &mut self.form) {
            (Message::Refused { what: InputKind::Player, reason, .. }, Form::Opponent(choice)) => {
                choice.error = Some(reason.clone());
                return None;
            }
            (Message::Refused { what: InputKind::Clock, reason, .. }, Form::NewGame(form)) => {
                form.field = Field::Clock;
                form.error = Some(reason.clone());
                return None;
            }
            (Message::Refused { what, text, reason }, _) => {
                let purpose = match what {
                    InputKind::Save => Purpose::Save,
                    InputKind::Load => Purpose::Load,
                    InputKind::Paste => Purpose::Paste,
                    InputKind::Report => Purpose::Report,
                    _ => return Some(with_keys(message)),
                };
                self.warn(purpose, text, reason.clone());
                return None;
            }
            (Message::Seated { .. }, Form::Opponent(_)) | (Message::Saved { .. }, _) => self.form = Form::Game,
            (Message::ReportWritten { .. }, _) => self.form = Form::Analysis,
            _ => {}
        }
        Some(with_keys(message))
    }

    /// Shows the error in a typed text, where it can be typed again.
    fn warn(&mut self, purpose: Purpose, typed: &str, reason: String) {
        if !matches!(&self.form, Form::Prompt(prompt) if prompt.purpose == purpose) {
            self.form = Form::Prompt(Prompt::new(purpose, typed));
        }
        if let Form::Prompt(prompt) = &mut self.form {
            prompt.error = Some(reason);
        }
    }

    /// Takes the names of files that begin with the typed text.
    pub(crate) fn completed(&mut self, candidates: Vec<String>) {
        if let Form::Prompt(prompt) = &mut self.form {
            prompt.complete(candidates);
        }
    }

    pub(crate) fn seat(&self, color: Color) -> &SeatView {
        &self.view.seats[color as usize]
    }

    pub(crate) fn is_over(&self) -> bool {
        self.view.result.is_some()
    }

    /// Whether there are moves that would be lost.
    pub(crate) fn is_unsaved(&self) -> bool {
        self.view.unsaved.is_some()
    }

    /// Whether it is the turn of a person who has not touched anything yet: the clock starts with the first key.
    pub(crate) fn awaits_person(&self) -> bool {
        !self.is_attended && !self.is_over() && self.seat(self.view.turn).is_person()
    }

    /// The engine that is to move, whether it thinks or waits.
    fn engine_to_move(&self) -> Option<&SeatView> {
        Some(self.seat(self.view.turn)).filter(|seat| !seat.is_person() && !self.is_over())
    }

    fn key(&mut self, key: KeyEvent) -> Option<ScreenRequest> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('c') => return Some(ScreenRequest::Leave),
                KeyCode::Char('z') => return Some(ScreenRequest::Suspend),
                _ => {}
            }
        }
        match &mut self.form {
            Form::Game => self.key_in_game(key),
            Form::Help(line) => {
                let layout = Layout::new(self.geometry, self.size);
                match layout.and_then(|layout| help::after_key(key.code, *line, &layout)) {
                    Some(from) => *line = from,
                    None => self.form = Form::Game,
                }
                None
            }
            Form::SetUp => self.key_in_set_up(key),
            Form::Opponent(choice) => match choice.key(key) {
                FormResult::Cancelled => self.back_to_game("Nothing was changed."),
                FormResult::Done(event) => {
                    if let Event::SeatPerson { .. } = event {
                        self.form = Form::Game;
                    }
                    Some(ScreenRequest::Event(event))
                }
                FormResult::Open => {
                    let is_listing = choice.focus != Focus::Text;
                    if key.code == KeyCode::Char(OTHER_COLOR) && is_listing {
                        let other = !choice.color;
                        choice.turn_to(&self.view.seats[other as usize]);
                    }
                    None
                }
            },
            Form::NewGame(form) => match form.key(key) {
                FormResult::Open => None,
                FormResult::Cancelled => self.back_to_game("Nothing was changed."),
                FormResult::Done(event) => Some(ScreenRequest::Event(event)),
            },
            Form::Prompt(_) => self.key_in_prompt(key),
            Form::Analysis => self.key_in_analysis(key),
            Form::Leave => match key.code {
                KeyCode::Char('y' | 'Y') => Some(ScreenRequest::Leave),
                KeyCode::Char('n' | 'N') | KeyCode::Esc => self.back_to_game("Nothing was done."),
                _ => None,
            },
            Form::Overwrite { path, is_report, .. } => {
                let (path, overwrite) = (path.clone(), true);
                let form = if *is_report { Form::Analysis } else { Form::Game };
                let event = match key.code {
                    KeyCode::Char('y' | 'Y') if *is_report => Event::WriteReport { path, overwrite },
                    KeyCode::Char('y' | 'Y') => Event::Save { path, overwrite },
                    KeyCode::Char('n' | 'N') | KeyCode::Esc => {
                        self.message = Some("Nothing was written.".to_owned());
                        Event::Dismiss
                    }
                    _ => return None,
                };
                self.form = form;
                Some(ScreenRequest::Event(event))
            }
        }
    }

    fn open(&mut self, form: Form) -> Option<ScreenRequest> {
        self.form = form;
        None
    }

    fn back_to_game(&mut self, message: &str) -> Option<ScreenRequest> {
        self.form = Form::Game;
        self.message = Some(message.to_owned());
        None
    }

    fn key_in_game(&mut self, key: KeyEvent) -> Option<ScreenRequest> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if std::mem::take(&mut self.ignores_enter) && key.code == KeyCode::Enter {
            self.message =
                Some("The typed move was played without Enter; press it again to play at the cursor.".to_owned());
            return None;
        }
        self.message = None;
        if let Some(square) = cursor::moved(&self.geometry, self.cursor, key.code) {
            self.cursor = square;
            return None;
        }
        let event = match key.code {
            KeyCode::Enter if !self.typed.is_empty() => self.typed_move(),
            KeyCode::Char(' ') if self.view.is_thinking => Event::Wait,
            KeyCode::Enter | KeyCode::Char(' ') if self.view.is_waiting => Event::Continue,
            KeyCode::Enter | KeyCode::Char(' ') => self.move_at(self.cursor),
            KeyCode::Esc | KeyCode::Backspace => {
                self.typed.clear();
                return None;
            }
            KeyCode::Home => Event::Go { step: Step::ToStart },
            KeyCode::End => Event::Go { step: Step::ToEnd },
            KeyCode::PageUp => Event::Go { step: Step::Back },
            KeyCode::PageDown => Event::Go { step: Step::Forward },
            KeyCode::Tab => Event::Go { step: Step::Variation },
            KeyCode::F(1) => return self.open(Form::Help(0)),
            KeyCode::Char(letter) if !control => return self.letter(letter.to_ascii_lowercase()),
            _ => return self.refuse_key(&key_name(key)),
        };
        Some(ScreenRequest::Event(event))
    }

    /// Shows that a key has no effect, and how to list those that have.
    fn refuse_key(&mut self, name: &str) -> Option<ScreenRequest> {
        self.typed.clear();
        self.message = Some(format!("{name} does nothing here; ? lists the keys."));
        None
    }

    fn letter(&mut self, letter: char) -> Option<ScreenRequest> {
        let last_column = char::from(b'a' + self.geometry.side - 1);
        let event = match letter {
            // A game that is over has no squares to be typed.
            'a' if self.is_over() => return self.open_analysis(),
            'a'..='z' if letter <= last_column => {
                self.typed = letter.to_string();
                return None;
            }
            '0'..='9' if !self.typed.is_empty() => {
                self.typed.push(letter);
                // On ten rows a1 may still become a10.
                if self.typed.ends_with('1') && self.typed.len() == 2 && self.geometry.side > 9 {
                    return None;
                }
                self.ignores_enter = true;
                self.typed_move()
            }
            'u' => Event::Go { step: Step::TakeBack },
            'r' => Event::Go { step: Step::PlayAgain },
            ',' | '<' => Event::Go { step: Step::Back },
            '.' | '>' => Event::Go { step: Step::Forward },
            '+' | '=' => Event::ChangeLevel { by: 1 },
            '-' => Event::ChangeLevel { by: -1 },
            'v' => Event::ShowHints { shown: !self.view.shows_hints },
            '1'..='9' => Event::SetHints { level: None, lines: letter.to_digit(10).map(|digit| digit as usize) },
            '*' => self.change_hint_level(1),
            '/' => self.change_hint_level(-1),
            't' => Event::SetPace { seconds: next_pace(self.view.pace) },
            'x' => return self.open_analysis(),
            'm' => Event::MoveNow,
            'w' => Event::Swap,
            'p' => Event::SetUp(Edit::Begin),
            'q' if !self.is_unsaved() => return Some(ScreenRequest::Leave),
            _ => return self.open_by_letter(letter),
        };
        Some(ScreenRequest::Event(event))
    }

    /// Shows the analysis of the game, which begins if it has not.
    fn open_analysis(&mut self) -> Option<ScreenRequest> {
        if self.view.can.analyze {
            self.form = Form::Analysis;
        }
        Some(ScreenRequest::Event(Event::Analyze { level: None }))
    }

    fn change_hint_level(&self, by: i32) -> Event {
        let (lowest, highest) = HintSettings::LEVELS.into_inner();
        let level = self.view.hint_settings.level.saturating_add_signed(by).clamp(lowest, highest);
        Event::SetHints { level: Some(level), lines: None }
    }

    fn open_by_letter(&mut self, letter: char) -> Option<ScreenRequest> {
        let form = match letter {
            '?' => Form::Help(0),
            'n' => Form::NewGame(NewGameForm::new(&self.view.new_game)),
            'o' => {
                let turn = self.view.turn;
                let engines = [!turn, turn].into_iter().find(|&color| !self.seat(color).is_person());
                let seat = self.seat(engines.unwrap_or(!turn));
                Form::Opponent(OpponentChoice::new(&self.catalogue, seat, self.view.control.is_some()))
            }
            's' => Form::Prompt(Prompt::new(Purpose::Save, &self.saved_file)),
            'l' => Form::Prompt(Prompt::new(Purpose::Load, &self.loaded_file)),
            'q' => Form::Leave,
            _ => return self.refuse_key(&format!("{letter:?}")),
        };
        self.open(form)
    }

    fn move_at(&self, square: Square) -> Event {
        Event::Play { square: self.geometry.square_name(square) }
    }

    /// The move that was typed, whatever it is; the cursor goes there.
    fn typed_move(&mut self) -> Event {
        let square = std::mem::take(&mut self.typed);
        if let Ok(square) = self.geometry.parse_square(&square) {
            self.cursor = square;
        }
        Event::Play { square }
    }

    fn key_in_set_up(&mut self, key: KeyEvent) -> Option<ScreenRequest> {
        self.set_up_error = None;
        if let Some(square) = cursor::moved(&self.geometry, self.set_up_cursor, key.code) {
            self.set_up_cursor = square;
            return None;
        }
        let letter = match key.code {
            KeyCode::Char(letter) if !key.modifiers.contains(KeyModifiers::CONTROL) => letter.to_ascii_lowercase(),
            KeyCode::Enter => return Some(ScreenRequest::Event(Event::SetUp(Edit::Done))),
            KeyCode::Esc => 'q',
            KeyCode::Delete | KeyCode::Backspace => '-',
            KeyCode::F(1) => '?',
            _ => return self.refuse_key_in_set_up(key),
        };
        let square = self.geometry.square_name(self.set_up_cursor);
        let put = |disc| Edit::Put { square: square.clone(), disc };
        let edit = match letter {
            'b' | 'x' => put(Some(Color::Black)),
            'w' | 'o' => put(Some(Color::White)),
            '-' | '.' => put(None),
            ' ' => Edit::Change { square },
            't' => Edit::Turn,
            'c' => Edit::Clear,
            's' => Edit::Start,
            'q' => {
                self.back_to_game("Nothing was changed.");
                Edit::Cancel
            }
            'p' => return self.open(Form::Prompt(Prompt::new(Purpose::Paste, ""))),
            '?' => return self.open(Form::Help(0)),
            _ => return self.refuse_key_in_set_up(key),
        };
        if matches!(edit, Edit::Put { .. }) {
            self.set_up_cursor = cursor::next(&self.geometry, self.set_up_cursor);
        }
        Some(ScreenRequest::Event(Event::SetUp(edit)))
    }

    fn refuse_key_in_set_up(&mut self, key: KeyEvent) -> Option<ScreenRequest> {
        let key = key_name(key);
        self.set_up_error = Some(format!("{key} does nothing here; the keys are beside the board, ? lists all."));
        None
    }

    /// Turns the wheel: through the game, or through a list.
    fn scroll(&mut self, step: Step, key: KeyCode) -> Option<ScreenRequest> {
        match self.form {
            Form::Game | Form::Analysis => Some(ScreenRequest::Event(Event::Go { step })),
            Form::Help(_) | Form::Opponent(_) => self.key(key.into()),
            _ => None,
        }
    }

    fn click(&mut self, column: u16, row: u16) -> Option<ScreenRequest> {
        let layout = Layout::new(self.geometry, self.size);
        if let Some(key) = layout.and_then(|layout| footer::key_at(self, &layout, column, row)) {
            return self.key(key.into());
        }
        let square = layout?.square_at(column, row)?;
        match &self.form {
            Form::Game => {
                self.message = None;
                self.typed.clear();
                self.cursor = square;
                Some(ScreenRequest::Event(self.move_at(square)))
            }
            Form::SetUp => {
                self.set_up_cursor = square;
                let square = self.geometry.square_name(square);
                Some(ScreenRequest::Event(Event::SetUp(Edit::Change { square })))
            }
            _ => None,
        }
    }

    fn key_in_prompt(&mut self, key: KeyEvent) -> Option<ScreenRequest> {
        let Form::Prompt(prompt) = &mut self.form else { return None };
        match key.code {
            KeyCode::Esc if self.view.set_up.is_some() => self.open(Form::SetUp),
            KeyCode::Esc => match prompt.purpose {
                Purpose::Save => self.back_to_game("Nothing was saved."),
                Purpose::Load => self.back_to_game("Nothing was loaded."),
                Purpose::Paste => self.back_to_game("Nothing was changed."),
                Purpose::Report => self.open(Form::Analysis),
            },
            KeyCode::Tab if prompt.purpose != Purpose::Paste => Some(ScreenRequest::Complete(prompt.line.text())),
            KeyCode::Enter => self.answer().map(ScreenRequest::Event),
            _ => {
                if prompt.line.edit(key) {
                    prompt.error = None;
                    prompt.candidates.clear();
                }
                None
            }
        }
    }

    fn answer(&mut self) -> Option<Event> {
        let Form::Prompt(prompt) = &mut self.form else { return None };
        let text = prompt.line.text().trim().to_owned();
        let path = PathBuf::from(&text);
        let expected = match prompt.purpose {
            Purpose::Paste => {
                // If the session refuses the text, the prompt opens again.
                self.form = Form::Game;
                return Some(Event::Paste { text });
            }
            Purpose::Report if !text.is_empty() => return Some(Event::WriteReport { path, overwrite: false }),
            Purpose::Save if !text.is_empty() => {
                self.saved_file = text;
                return Some(Event::Save { path, overwrite: false });
            }
            Purpose::Load if !text.is_empty() => {
                let (name, number) = numbered(&text);
                let path = PathBuf::from(name);
                self.loaded_file = text;
                return Some(Event::Load { path, number });
            }
            Purpose::Save => "a name to save the game as, such as game.sgf",
            Purpose::Load => "the name of a file with games, such as game.sgf, or an opening such as tiger",
            Purpose::Report => "a name such as game.html",
        };
        prompt.error = Some(format!("no name given; expected {expected}"));
        None
    }

    fn paste(&mut self, text: &str) -> Option<ScreenRequest> {
        match &mut self.form {
            Form::SetUp => return Some(ScreenRequest::Event(Event::Paste { text: text.to_owned() })),
            Form::Prompt(prompt) => prompt.insert(text),
            Form::Opponent(choice) => choice.paste(text),
            Form::NewGame(form) => form.clock.insert(text),
            Form::Game => self.form = Form::Prompt(Prompt::new(Purpose::Paste, text)),
            Form::Help(_) | Form::Analysis | Form::Leave | Form::Overwrite { .. } => {}
        }
        None
    }

    fn key_in_analysis(&mut self, key: KeyEvent) -> Option<ScreenRequest> {
        let Some(analysis) = &self.view.analysis else { return self.open(Form::Game) };
        self.message = None;
        let event = match key.code {
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('x' | 'q') => return self.open(Form::Game),
            KeyCode::F(1) | KeyCode::Char('?') => return self.open(Form::Help(0)),
            KeyCode::Char('r') => {
                let file = if self.saved_file.is_empty() { &self.loaded_file } else { &self.saved_file };
                let name = file.rsplit_once('.').map_or("game", |(name, _)| name);
                let prompt = Prompt::new(Purpose::Report, &format!("{name}.html"));
                return self.open(Form::Prompt(prompt));
            }
            KeyCode::Char('v') => {
                self.perspective = self.perspective.other();
                return None;
            }
            KeyCode::Up | KeyCode::Down => {
                let number = self.mistake_beside(analysis, key.code == KeyCode::Down)?;
                Event::ShowMove { number }
            }
            KeyCode::Left | KeyCode::PageUp | KeyCode::Char('<' | ',') => Event::Go { step: Step::Back },
            KeyCode::Right | KeyCode::PageDown | KeyCode::Char('>' | '.') => Event::Go { step: Step::Forward },
            KeyCode::Home => Event::Go { step: Step::ToStart },
            KeyCode::End => Event::Go { step: Step::ToEnd },
            KeyCode::Char(' ') if analysis.is_running => Event::StopAnalysis,
            KeyCode::Char(' ') => Event::Analyze { level: None },
            _ => return self.refuse_key(&key_name(key)),
        };
        Some(ScreenRequest::Event(event))
    }

    /// The mistake before or after the move that is shown; from elsewhere, the first or the last.
    fn mistake_beside(&self, analysis: &AnalysisView, is_next: bool) -> Option<usize> {
        let numbers: Vec<_> = analysis.mistakes().map(|judged| judged.number).collect();
        let shown = analysis.next.unwrap_or(self.view.move_count + 1);
        if is_next {
            numbers.iter().copied().find(|&number| number > shown).or(numbers.last().copied())
        } else {
            numbers.iter().rev().copied().find(|&number| number < shown).or(numbers.first().copied())
        }
    }

    /// The line below the board.
    pub(crate) fn words(&self) -> String {
        if !self.typed.is_empty() {
            let more = if self.typed.len() > 1 { "Enter plays it" } else { "type the row" };
            return format!("Move: {}_ ({more}; Esc clears it)", self.typed);
        }
        let said = self.message.clone().unwrap_or_default();
        let turn = self.view.turn;
        let state = if let Some(result) = &self.view.result {
            format!("{} Press a to analyze, n for a new game, u to undo, s to save.", result.verdict)
        } else if let Some(SeatView { title, .. }) = self.engine_to_move() {
            match (self.view.is_waiting, &said) {
                (true, said) if said.contains("Space") => String::new(),
                (true, _) => format!("{title} ({turn}) is waiting: Space lets it play."),
                (false, _) => format!("{title} ({turn}) is thinking: m makes it move now, Space pauses it."),
            }
        } else {
            let example = self.view.legal_moves.first().map(|legal| legal.square.as_str()).unwrap_or_default();
            let ask = format!("Your move ({turn}): type a square such as {example}, or");
            let full = format!("{ask} use the arrows and Enter.");
            let place = Layout::new(self.geometry, self.size).map(|layout| layout.message);
            let has_room = place.is_none_or(|place| place.height > 1 || full.len() <= usize::from(place.width));
            let ask = if has_room { full } else { format!("{ask} arrows, Enter.") };
            let is_stopped = self.view.control.is_some() && self.awaits_person();
            if is_stopped { format!("{ask} Your clock starts with the first key.") } else { ask }
        };
        format!("{said} {state}").trim().to_owned()
    }
}

/// The pauses between the moves of two engines that a key goes through, in seconds.
const PACES: [f64; 5] = [0.0, 0.5, 1.0, 2.0, 5.0];

/// The next longer pause; after the longest, none.
fn next_pace(present: f64) -> f64 {
    PACES.into_iter().find(|&pace| pace > present).unwrap_or(PACES[0])
}

/// Display name of a key: `'k'`, `F5`, `Ctrl-K`.
fn key_name(key: KeyEvent) -> String {
    let control = if key.modifiers.contains(KeyModifiers::CONTROL) { "Ctrl-" } else { "" };
    match key.code {
        KeyCode::Char(letter) if !control.is_empty() => format!("{control}{}", letter.to_ascii_uppercase()),
        KeyCode::Char(letter) => format!("{letter:?}"),
        code => format!("{control}{code}"),
    }
}

/// A message with the keys that help.
fn with_keys(message: &Message) -> String {
    let without = message.to_string();
    let without_stop = without.trim_end_matches('.');
    match message {
        Message::GameIsOver => format!("{without_stop}: press a to analyze it, n for a new game, u to undo."),
        Message::NotYourTurn => format!("{without_stop}: Space pauses the engine, m makes it move now."),
        // Space retries only if an engine is to move; otherwise it plays a move.
        Message::Failed { can_retry: true, .. } => format!("{without} Space tries again, o chooses another opponent."),
        Message::Failed { can_retry: false, .. } => format!("{without} o chooses another opponent."),
        Message::NoEngine => format!("{without_stop}; o chooses one."),
        Message::OwnLimits { .. } | Message::NoLevels { .. } => {
            format!("{without_stop}; o chooses another opponent.")
        }
        Message::WithoutLevel { .. } => format!("{without_stop}; o chooses a level."),
        _ => without,
    }
}
