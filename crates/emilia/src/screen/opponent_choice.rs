//! Choosing who plays a colour, and how strong: a list of players, a list of levels, and a line for everything else.

use engine::Level;
use othello::Color;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::level_words;
use crate::player_notation::{Engine, PlayerNotation};
use crate::registry::{PlayableBoard, PlayerOptions};
use crate::screen::event::Seating;
use crate::screen::prompt::TextLine;
use crate::screen::table::Opponent;

/// Moves ahead that players without levels can be asked to look; more takes them too long.
const DEEPEST: u32 = 20;

/// A player in the list.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub description: &'static str,
    /// What it can be told, a setting a text.
    pub settings: Vec<String>,
}

/// What the keys are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Focus {
    /// The list of players.
    Players,
    /// The list of levels.
    Levels,
    /// The line.
    Text,
}

/// A choice that is being made.
#[derive(Clone, Debug)]
pub struct OpponentChoice {
    /// For which side.
    pub color: Color,
    /// Who can be chosen besides a person, who comes first.
    pub players: Vec<Listed>,
    /// Which of the list: 0 is the person; none if what is typed is not in it.
    pub selected: Option<usize>,
    /// The levels to choose from, for the player at hand; none of them is the usual one.
    pub levels: Vec<Option<u32>>,
    /// Which of the levels.
    pub level: usize,
    /// The player as text.
    pub line: TextLine,
    /// What the keys are about.
    pub focus: Focus,
    /// What was wrong.
    pub complaint: Option<String>,
    has_clock: bool,
    /// Whether the last key was a digit of a level.
    is_typing_level: bool,
}

/// What follows a key.
#[derive(Clone, PartialEq, Debug)]
pub enum Chosen {
    /// The choice goes on.
    NotYet,
    /// Nothing is to change.
    Cancelled,
    /// A person plays the colour.
    Person,
    /// This player plays the colour.
    Player(Seating),
}

/// The name of the person in the list.
pub const PERSON: &str = "you";

impl OpponentChoice {
    /// A choice that begins with who plays the colour now.
    pub fn new<B: PlayableBoard>(color: Color, present: Option<&Opponent>, has_clock: bool) -> Self {
        let listed = B::entries().into_iter().map(|entry| Listed {
            name: entry.name,
            description: entry.description,
            settings: entry.settings.iter().map(|setting| format!("{}: {}", setting.name, setting.values)).collect(),
        });
        let mut choice = Self {
            color,
            players: listed.collect(),
            selected: Some(0),
            levels: Vec::new(),
            level: 0,
            line: TextLine::default(),
            focus: Focus::Players,
            complaint: None,
            has_clock,
            is_typing_level: false,
        };
        choice.begin_with(present);
        choice
    }

    /// Turns to who plays the colour now.
    fn begin_with(&mut self, present: Option<&Opponent>) {
        self.selected = Some(0);
        self.line = TextLine::default();
        if let Some(opponent) = present {
            self.line = TextLine::new(opponent.notation.text());
            self.select_by_text();
        }
        self.list_levels(present.and_then(|opponent| opponent.level));
    }

    /// Turns to the other colour.
    pub fn turn_to(&mut self, color: Color, present: Option<&Opponent>) {
        self.color = color;
        self.complaint = None;
        self.begin_with(present);
    }

    /// The player of the list at which the choice stands.
    pub fn listed(&self) -> Option<&Listed> {
        self.players.get(self.selected?.checked_sub(1)?)
    }

    /// What a level means for the player at hand, with its cost.
    pub fn level_text(&self, level: Option<u32>) -> String {
        match level {
            None if self.has_clock => "as long as the clock allows".to_owned(),
            None => "as it is used to".to_owned(),
            Some(number) => match Level::new(number) {
                Ok(level) if self.is_emilia() => level_words::in_few_words(level),
                _ => format!("looks {number} {} ahead", if number == 1 { "move" } else { "moves" }),
            },
        }
    }

    /// The level at which the choice stands.
    pub fn chosen_level(&self) -> Option<u32> {
        self.levels.get(self.level).copied().flatten()
    }

    /// Takes a key.
    pub fn key(&mut self, key: KeyEvent) -> Chosen {
        self.complaint = None;
        let was_typing_level = std::mem::take(&mut self.is_typing_level);
        match key.code {
            KeyCode::Esc => return Chosen::Cancelled,
            KeyCode::Enter => return self.take(),
            KeyCode::Tab => self.focus = self.following(),
            KeyCode::BackTab => {
                self.focus = self.following();
                self.focus = self.following();
            }
            _ => match self.focus {
                Focus::Text => {
                    if self.line.edit(key) {
                        self.select_by_text();
                        let level = self.chosen_level();
                        self.list_levels(level);
                    }
                }
                Focus::Players | Focus::Levels => self.key_in_list(key, was_typing_level),
            },
        }
        Chosen::NotYet
    }

    /// Adds a text that was pasted to the line.
    pub fn paste(&mut self, text: &str) {
        self.focus = Focus::Text;
        self.line.insert(text);
        self.select_by_text();
        let level = self.chosen_level();
        self.list_levels(level);
    }

    fn following(&self) -> Focus {
        match self.focus {
            Focus::Players if !self.levels.is_empty() => Focus::Levels,
            Focus::Players | Focus::Levels => Focus::Text,
            Focus::Text => Focus::Players,
        }
    }

    fn key_in_list(&mut self, key: KeyEvent, was_typing_level: bool) {
        let in_players = self.focus == Focus::Players;
        let (place, length) = if in_players {
            (self.selected.unwrap_or(0), self.players.len() + 1)
        } else {
            (self.level, self.levels.len())
        };
        let last = length.saturating_sub(1);
        let page = 8;
        let place = match key.code {
            KeyCode::Up => place.saturating_sub(1),
            KeyCode::Down => (place + 1).min(last),
            KeyCode::PageUp => place.saturating_sub(page),
            KeyCode::PageDown => (place + page).min(last),
            KeyCode::Home => 0,
            KeyCode::End => last,
            KeyCode::Left => {
                self.focus = Focus::Players;
                return;
            }
            KeyCode::Right => {
                if !self.levels.is_empty() {
                    self.focus = Focus::Levels;
                }
                return;
            }
            // What begins a setting or a command goes on in the line.
            KeyCode::Char(symbol @ ('@' | ':')) => {
                self.focus = Focus::Text;
                self.line.insert(symbol.encode_utf8(&mut [0; 4]));
                return;
            }
            KeyCode::Char(digit @ '0'..='9') if !key.modifiers.contains(KeyModifiers::CONTROL) => {
                self.type_level(digit, was_typing_level);
                return;
            }
            _ => return,
        };
        if in_players {
            self.selected = Some(place);
            let name = self.listed().map_or("", |listed| listed.name);
            self.line = TextLine::new(name);
            let level = self.chosen_level();
            self.list_levels(level);
        } else {
            self.level = place;
        }
    }

    /// Goes to the level of a digit, or of the one before it and this one: 2 and then 1 is 21.
    fn type_level(&mut self, digit: char, goes_on: bool) {
        let digit = digit.to_digit(10).unwrap_or(0);
        let before = self.chosen_level().filter(|_| goes_on).unwrap_or(0);
        let wanted = [before * 10 + digit, digit].map(Some);
        if let Some(place) = wanted.iter().find_map(|wanted| self.levels.iter().position(|level| level == wanted)) {
            self.focus = Focus::Levels;
            self.level = place;
            self.is_typing_level = true;
        }
    }

    /// Whether the player at hand is the one that has levels.
    pub fn is_emilia(&self) -> bool {
        self.notation().is_ok_and(|notation| notation.engine == Engine::House("emilia".to_owned()))
    }

    fn notation(&self) -> Result<PlayerNotation, String> {
        self.line.text().trim().parse()
    }

    /// Goes to the player of the list that the line begins with.
    fn select_by_text(&mut self) {
        let text = self.line.text();
        let text = text.trim();
        let name = text.split(['@', ':']).next().unwrap_or_default();
        self.selected = match self.players.iter().position(|listed| listed.name == name) {
            Some(index) => Some(index + 1),
            None if text.is_empty() || text == PERSON => Some(0),
            None => None,
        };
    }

    /// Makes the list of levels for the player at hand and goes to this one, or to the nearest that there is.
    fn list_levels(&mut self, wanted: Option<u32>) {
        let usual = std::iter::once(None);
        let text = self.line.text();
        self.levels = match self.notation() {
            Err(_) => Vec::new(),
            Ok(_) if text.trim() == PERSON => Vec::new(),
            Ok(notation) if notation.engine == Engine::House("random".to_owned()) => usual.collect(),
            Ok(_) if self.is_emilia() => {
                let levels = Level::all().map(|level| Some(level.number()));
                if self.has_clock { usual.chain(levels).collect() } else { levels.collect() }
            }
            Ok(_) => usual.chain((1..=DEEPEST).map(Some)).collect(),
        };
        let friendly = PlayerOptions::friendly_level().map(Level::number);
        let place = |level: Option<u32>| self.levels.iter().position(|&listed| listed == level);
        self.level = place(wanted).or_else(|| place(friendly.filter(|_| self.is_emilia()))).unwrap_or(0);
    }

    fn take(&mut self) -> Chosen {
        let text = self.line.text();
        if text.trim().is_empty() || text.trim() == PERSON {
            return Chosen::Person;
        }
        match self.notation() {
            Ok(notation) => {
                let level = self.chosen_level();
                Chosen::Player(Seating::new(notation, level))
            }
            Err(error) => {
                self.complaint = Some(error);
                Chosen::NotYet
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use othello::{Board, CutBoard};

    use super::*;

    fn choice(text: &str, level: Option<u32>, has_clock: bool) -> OpponentChoice {
        let opponent = Opponent::new(Box::new(text.parse().expect("a player")), text.to_owned(), level, has_clock);
        OpponentChoice::new::<Board>(Color::White, Some(&opponent), has_clock)
    }

    fn press(choice: &mut OpponentChoice, keys: &[KeyCode]) -> Chosen {
        let mut last = Chosen::NotYet;
        for &key in keys {
            last = choice.key(KeyEvent::new(key, KeyModifiers::NONE));
        }
        last
    }

    fn seating(text: &str, level: Option<u32>) -> Chosen {
        Chosen::Player(Seating::new(text.parse().expect("a player"), level))
    }

    #[test]
    fn it_begins_with_who_plays_and_enter_changes_nothing() {
        let mut choice = choice("emilia", Some(12), false);
        assert_eq!((choice.selected, choice.chosen_level()), (Some(1), Some(12)));
        assert_eq!(press(&mut choice, &[KeyCode::Enter]), seating("emilia", Some(12)));
        assert_eq!(press(&mut choice, &[KeyCode::Esc]), Chosen::Cancelled);
    }

    #[test]
    fn every_player_of_the_board_can_be_chosen_by_arrows() {
        let mut choice = OpponentChoice::new::<CutBoard>(Color::Black, None, false);
        assert_eq!(press(&mut choice, &[KeyCode::Enter]), Chosen::Person);
        for entry in CutBoard::entries() {
            press(&mut choice, &[KeyCode::Down]);
            assert_eq!(press(&mut choice, &[KeyCode::Enter]), seating(entry.name, None));
        }
        press(&mut choice, &[KeyCode::Home]);
        assert_eq!(press(&mut choice, &[KeyCode::Enter]), Chosen::Person);
    }

    #[test]
    fn a_level_is_chosen_by_arrows_or_by_typing_its_number() {
        let mut choice = choice("emilia", None, false);
        assert_eq!(choice.chosen_level(), Some(1), "friendly");
        assert_eq!(press(&mut choice, &[KeyCode::Right, KeyCode::Down, KeyCode::Enter]), seating("emilia", Some(2)));
        press(&mut choice, &[KeyCode::Char('2')]);
        assert_eq!(choice.chosen_level(), Some(2));
        press(&mut choice, &[KeyCode::Char('1')]);
        assert_eq!(choice.chosen_level(), Some(21), "of the 2 before and a 1");
        press(&mut choice, &[KeyCode::Char('7')]);
        assert_eq!(choice.chosen_level(), Some(7), "there is no level 217");
        press(&mut choice, &[KeyCode::End]);
        assert_eq!(choice.chosen_level(), Some(60));
    }

    #[test]
    fn settings_and_external_programs_are_typed() {
        let mut choice = choice("iago", None, false);
        press(&mut choice, &"@historical".chars().map(KeyCode::Char).collect::<Vec<_>>());
        assert_eq!(choice.listed().map(|listed| listed.name), Some("iago"));
        assert_eq!(press(&mut choice, &[KeyCode::Enter]), seating("iago@historical", None));
        assert!(choice.key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)) == Chosen::NotYet);
        choice.paste("gtp:/usr/games/gtp-rhino -l 3");
        assert!(choice.listed().is_none());
        assert_eq!(press(&mut choice, &[KeyCode::Enter]), seating("gtp:/usr/games/gtp-rhino -l 3", None));
        choice.paste("x");
        // From what is not in the list, arrows lead into it.
        press(&mut choice, &[KeyCode::Tab, KeyCode::Down]);
        assert_eq!(choice.listed().map(|listed| listed.name), Some("emilia"));
        press(&mut choice, &[KeyCode::BackTab]);
        assert!(choice.key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)) == Chosen::NotYet);
        choice.paste("emilia@level=61");
        assert_eq!(press(&mut choice, &[KeyCode::Enter]), Chosen::NotYet);
        assert!(choice.complaint.as_deref().is_some_and(|words| words.contains("0 to 60")), "{choice:?}");
    }

    #[test]
    fn with_a_clock_emilia_may_play_by_the_clock() {
        let choice = choice("emilia", None, true);
        assert_eq!((choice.levels[0], choice.chosen_level()), (None, None));
        assert_eq!(choice.level_text(None), "as long as the clock allows");
    }
}
