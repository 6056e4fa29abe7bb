//! The choice of a player and its level: a list of players, a list of levels, and a line for everything else.

use engine::Level;
use othello::Color;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use session::catalogue::{self, PERSON};
use session::{Catalogue, Event, ListedPlayer, OwnLimits, SeatView, without_limits};

use crate::full_screen::prompt::{FormResult, TextLine};

/// The part of the form that receives the keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Focus {
    Players,
    Levels,
    Text,
}

#[derive(Clone, Debug)]
pub(crate) struct OpponentChoice {
    pub color: Color,
    /// The players that can be chosen; the person comes before them in the list.
    pub catalogue: Catalogue,
    /// The place in the list: 0 is the person; none if the typed text is not in it.
    pub selected: Option<usize>,
    /// The levels of the player at hand to choose from; none stands for its default.
    pub levels: Vec<Option<Level>>,
    /// Which of the levels.
    pub level: usize,
    /// The player as text.
    pub line: TextLine,
    pub focus: Focus,
    pub error: Option<String>,
    has_clock: bool,
    /// Whether the last key was a digit of a level.
    is_typing_level: bool,
}

/// The key that turns to the other color; no player's name begins with it.
pub(super) const OTHER_COLOR: char = 'c';

impl OpponentChoice {
    /// A choice that begins with the present player of the color.
    pub(crate) fn new(catalogue: &Catalogue, present: &SeatView, has_clock: bool) -> Self {
        let mut choice = Self {
            color: present.color,
            catalogue: catalogue.clone(),
            selected: Some(0),
            levels: Vec::new(),
            level: 0,
            line: TextLine::default(),
            focus: Focus::Players,
            error: None,
            has_clock,
            is_typing_level: false,
        };
        choice.turn_to(present);
        choice
    }

    pub(crate) fn turn_to(&mut self, present: &SeatView) {
        self.color = present.color;
        self.error = None;
        self.line = TextLine::new(present.player.as_deref().unwrap_or_default());
        self.select_by_text();
        self.list_levels(present.level);
    }

    /// The player of the list at which the choice stands.
    pub(crate) fn listed(&self) -> Option<&ListedPlayer> {
        self.catalogue.players.get(self.selected?.checked_sub(1)?)
    }

    /// Description of a level of the player at hand, with its cost.
    pub(crate) fn level_text(&self, level: Option<Level>) -> String {
        catalogue::words_of_level(&self.line.text(), level, self.has_clock)
    }

    /// The place in the list of levels at which the choice stands; none if the line has other limits than a level.
    pub(crate) fn level_place(&self) -> Option<usize> {
        (self.own_limits() != OwnLimits::Others).then_some(self.level)
    }

    pub(crate) fn chosen_level(&self) -> Option<Level> {
        self.levels.get(self.level).copied().flatten()
    }

    pub(crate) fn key(&mut self, key: KeyEvent) -> FormResult {
        self.error = None;
        let was_typing_level = std::mem::take(&mut self.is_typing_level);
        match key.code {
            KeyCode::Esc => return FormResult::Cancelled,
            KeyCode::Enter => return self.take(),
            KeyCode::Tab => self.focus = self.following(),
            KeyCode::BackTab => {
                self.focus = self.following();
                self.focus = self.following();
            }
            _ => match self.focus {
                Focus::Text => {
                    if self.line.edit(key) {
                        self.follow_text();
                    }
                }
                Focus::Players | Focus::Levels => self.key_in_list(key, was_typing_level),
            },
        }
        FormResult::Open
    }

    pub(crate) fn paste(&mut self, text: &str) {
        self.focus = Focus::Text;
        self.line.insert(text);
        self.follow_text();
    }

    fn following(&self) -> Focus {
        match self.focus {
            Focus::Players if !self.levels.is_empty() => Focus::Levels,
            Focus::Players | Focus::Levels => Focus::Text,
            Focus::Text => Focus::Players,
        }
    }

    fn key_in_list(&mut self, key: KeyEvent, was_typing_level: bool) {
        let has_control = key.modifiers.contains(KeyModifiers::CONTROL);
        let (place, length) = match self.focus {
            Focus::Players => (self.selected.unwrap_or(0), self.catalogue.players.len() + 1),
            _ => (self.level, self.levels.len()),
        };
        let last = length.saturating_sub(1);
        let page = 8;
        match key.code {
            KeyCode::Up => self.go_to(place.saturating_sub(1)),
            KeyCode::Down => self.go_to((place + 1).min(last)),
            KeyCode::PageUp => self.go_to(place.saturating_sub(page)),
            KeyCode::PageDown => self.go_to((place + page).min(last)),
            KeyCode::Home => self.go_to(0),
            KeyCode::End => self.go_to(last),
            KeyCode::Left => self.focus = Focus::Players,
            KeyCode::Right if !self.levels.is_empty() => self.focus = Focus::Levels,
            // A setting or a command continues in the line.
            KeyCode::Char(symbol @ ('@' | ':')) => {
                let has_settings = symbol == '@' && self.line.text().contains('@');
                self.focus = Focus::Text;
                let symbol = if has_settings { ',' } else { symbol };
                self.line.insert(symbol.encode_utf8(&mut [0; 4]));
            }
            // Another name or command; the key of the other color belongs to the screen.
            KeyCode::Char(letter) if letter.is_alphabetic() && letter != OTHER_COLOR && !has_control => {
                self.focus = Focus::Text;
                self.line = TextLine::new(letter.encode_utf8(&mut [0; 4]));
                self.follow_text();
            }
            KeyCode::Char(digit @ '0'..='9') if !has_control => self.type_level(digit, was_typing_level),
            KeyCode::Char('.') if was_typing_level => self.type_half(),
            _ => {}
        }
    }

    /// Goes to a place of the list that receives the keys.
    fn go_to(&mut self, place: usize) {
        if self.focus != Focus::Players {
            return self.choose_level(place);
        }
        self.selected = Some(place);
        let name = self.listed().map_or(String::new(), |listed| listed.name.clone());
        self.line = TextLine::new(&name);
        let level = self.chosen_level();
        self.list_levels(level);
    }

    /// Goes to a level of the list, in place of the limits in the line.
    fn choose_level(&mut self, place: usize) {
        self.level = place;
        if self.own_limits() != OwnLimits::None {
            self.line = TextLine::new(&without_limits(&self.line.text()));
        }
    }

    /// Goes to the level of a digit, or of the one before it and this one: 2 and then 1 is 21.
    fn type_level(&mut self, digit: char, goes_on: bool) {
        let digit = digit.to_digit(10).unwrap_or(0);
        let before = self.chosen_level().filter(|_| goes_on);
        if digit == 5 && before.is_some_and(|level| !level.is_whole()) {
            // The half step was there with its point.
            return;
        }
        let before = before.map_or(0, Level::whole);
        let wanted = [before * 10 + digit, digit].map(|number| Level::new(number).ok());
        let place = |wanted: &Option<Level>| self.levels.iter().position(|level| wanted.is_some() && level == wanted);
        if let Some(place) = wanted.iter().find_map(place) {
            self.focus = Focus::Levels;
            self.choose_level(place);
            self.is_typing_level = true;
        }
    }

    /// Goes to the half step above the level that was typed, if there is one.
    fn type_half(&mut self) {
        let half = self.chosen_level().and_then(|level| format!("{}.5", level.whole()).parse().ok());
        if let Some(place) = half.and_then(|half: Level| self.levels.iter().position(|&level| level == Some(half))) {
            self.choose_level(place);
            self.is_typing_level = true;
        }
    }

    /// Whether the player at hand is the one that has levels.
    pub(crate) fn is_emilia(&self) -> bool {
        catalogue::is_emilia(&self.line.text())
    }

    fn own_limits(&self) -> OwnLimits {
        catalogue::own_limits(&self.line.text())
    }

    /// Lets the lists follow the line.
    fn follow_text(&mut self) {
        self.select_by_text();
        let level = self.chosen_level();
        self.list_levels(level);
    }

    /// Goes to the player of the list that the line begins with.
    fn select_by_text(&mut self) {
        let text = self.line.text();
        self.selected = match self.catalogue.place_of(&text) {
            Some(index) => Some(index + 1),
            None if is_person(&text) => Some(0),
            None => None,
        };
    }

    /// Lists the levels of the chosen player and goes to the one of the line, to this one, or to the default.
    fn list_levels(&mut self, wanted: Option<Level>) {
        let text = self.line.text();
        self.levels = match self.selected {
            Some(0) => Vec::new(),
            _ => self.catalogue.levels(&text, self.has_clock, wanted),
        };
        self.level = catalogue::level_to_begin_with(&self.levels, &text, wanted);
    }

    fn take(&self) -> FormResult {
        let (color, player) = (self.color, self.line.text());
        FormResult::Done(match is_person(&player) {
            true => Event::SeatPerson { color },
            false => Event::Seat { color, player, level: self.chosen_level() },
        })
    }
}

fn is_person(text: &str) -> bool {
    text.trim().is_empty() || text.trim() == PERSON
}
