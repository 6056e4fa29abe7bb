//! Choosing who plays a colour, and how strong: a list of players, a list of levels, and a line for everything else.

use engine::Level;
use othello::Color;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::level_words;
use crate::player_notation::{COMMON_KEYS, Engine, PlayerNotation};
use crate::registry::{Entry, PlayableBoard, PlayerOptions};
use crate::screen::event::Seating;
use crate::screen::prompt::TextLine;
use crate::screen::table::{Opponent, OwnLimits};

/// Moves ahead that players without levels can be asked to look; more takes them too long.
const DEEPEST: u32 = 20;

/// What a player can be told of how long it thinks; a level that is chosen from the list takes the place of all.
const LIMITS: [&str; 5] = ["level", "depth", "nodes", "move-time", "time"];

/// The player that has no levels.
const RANDOM: &str = "random";

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

/// The key that turns to the other colour; no player's name begins with it.
pub const OTHER_COLOR: char = 'c';

/// The name of the person in the list.
pub const PERSON: &str = "you";

impl OpponentChoice {
    /// A choice that begins with who plays the colour now.
    pub fn new<B: PlayableBoard>(color: Color, present: Option<&Opponent>, has_clock: bool) -> Self {
        let listed = B::entries().into_iter().map(|entry| Listed {
            name: entry.name,
            description: entry.description,
            settings: settings(&entry),
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

    /// The place in the list of levels at which the choice stands: none where the line says something else than a
    /// level.
    pub fn level_place(&self) -> Option<usize> {
        (self.own_limits() != OwnLimits::Others).then_some(self.level)
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
                        self.follow_text();
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
                let has_settings = symbol == '@' && self.line.text().contains('@');
                self.focus = Focus::Text;
                let symbol = if has_settings { ',' } else { symbol };
                self.line.insert(symbol.encode_utf8(&mut [0; 4]));
                return;
            }
            // Another name or command; that of the other colour is the screen's.
            KeyCode::Char(letter) if letter.is_alphabetic() && letter != OTHER_COLOR && !has_control => {
                self.focus = Focus::Text;
                self.line = TextLine::new(letter.encode_utf8(&mut [0; 4]));
                self.follow_text();
                return;
            }
            KeyCode::Char(digit @ '0'..='9') if !has_control => {
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
            self.choose_level(place);
        }
    }

    /// Goes to a level of the list, in place of what the line says of how long the player thinks.
    fn choose_level(&mut self, place: usize) {
        self.level = place;
        if self.own_limits() != OwnLimits::None {
            self.line = TextLine::new(&without_limits(&self.line.text()));
        }
    }

    /// Goes to the level of a digit, or of the one before it and this one: 2 and then 1 is 21.
    fn type_level(&mut self, digit: char, goes_on: bool) {
        let digit = digit.to_digit(10).unwrap_or(0);
        let before = self.chosen_level().filter(|_| goes_on).unwrap_or(0);
        let wanted = [before * 10 + digit, digit].map(Some);
        if let Some(place) = wanted.iter().find_map(|wanted| self.levels.iter().position(|level| level == wanted)) {
            self.focus = Focus::Levels;
            self.choose_level(place);
            self.is_typing_level = true;
        }
    }

    /// Whether the player at hand is the one that has levels.
    pub fn is_emilia(&self) -> bool {
        // Known by its name also while what follows it is not yet whole.
        self.listed().is_some_and(|listed| listed.name == Engine::EMILIA)
    }

    fn own_limits(&self) -> OwnLimits {
        self.notation().map_or(OwnLimits::None, |notation| OwnLimits::of(&notation))
    }

    fn notation(&self) -> Result<PlayerNotation, String> {
        self.line.text().trim().parse()
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
        let text = text.trim();
        let name = text.split(['@', ':']).next().unwrap_or_default();
        self.selected = match self.players.iter().position(|listed| listed.name == name) {
            Some(index) => Some(index + 1),
            None if text.is_empty() || text == PERSON => Some(0),
            None => None,
        };
    }

    /// Makes the list of levels for the player at hand and goes to the one of the line, else to this one, else to the
    /// usual one.
    fn list_levels(&mut self, wanted: Option<u32>) {
        let usual = std::iter::once(None);
        let wanted = match self.own_limits() {
            OwnLimits::Level(level) => Some(level),
            OwnLimits::None | OwnLimits::Others => wanted,
        };
        self.levels = match self.listed().map(|listed| listed.name) {
            None if self.selected == Some(0) || self.notation().is_err() => Vec::new(),
            Some(RANDOM) => usual.collect(),
            Some(Engine::EMILIA) => {
                let levels = Level::all().map(|level| Some(level.number()));
                if self.has_clock { usual.chain(levels).collect() } else { levels.collect() }
            }
            // Whoever was told to look farther goes on to do so.
            _ => {
                usual.chain((1..=DEEPEST).map(Some)).chain(wanted.filter(|&level| level > DEEPEST).map(Some)).collect()
            }
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
            Ok(notation) => match OwnLimits::of(&notation) {
                OwnLimits::None => Chosen::Player(Seating::new(notation, self.chosen_level())),
                // As if it had been chosen from the list, so that it is shown and can be changed.
                OwnLimits::Level(level) => {
                    let notation = without_limits(text.trim()).parse().unwrap_or(notation);
                    Chosen::Player(Seating::new(notation, Some(level)))
                }
                OwnLimits::Others => Chosen::Player(Seating::new(notation, None)),
            },
            Err(error) => {
                self.complaint = Some(error);
                Chosen::NotYet
            }
        }
    }
}

/// What a player of the house can be told: its own settings, and those that all know.
fn settings<B: PlayableBoard>(entry: &Entry<B>) -> Vec<String> {
    let own = entry.settings.iter().map(|setting| format!("{}: {}", setting.name, setting.values));
    let is_emilia = entry.name == Engine::EMILIA;
    let is_known = |key: &&str| !matches!(*key, "dir" | "setup") && (is_emilia || *key != "weights");
    let common: Vec<_> = COMMON_KEYS.into_iter().filter(is_known).collect();
    own.chain([common.join(", ")]).collect()
}

/// The notation of a player without what it says of how long it thinks.
fn without_limits(text: &str) -> String {
    let Some((name, rest)) = text.split_once('@').filter(|(name, _)| !name.contains(':')) else {
        return text.to_owned();
    };
    // Commas part the settings and a colon ends them, unless a backslash stands before.
    let mut settings = vec![String::new()];
    let (mut command, mut is_plain) = ("", false);
    for (index, symbol) in rest.char_indices() {
        match symbol {
            ':' if !is_plain => {
                command = &rest[index..];
                break;
            }
            ',' if !is_plain => settings.push(String::new()),
            _ => settings.last_mut().expect("there is one from the beginning").push(symbol),
        }
        is_plain = symbol == '\\' && !is_plain;
    }
    settings.retain(|setting| {
        let key = setting.split('=').next().unwrap_or_default();
        !LIMITS.contains(&key.trim())
    });
    let sign = if settings.is_empty() { "" } else { "@" };
    format!("{name}{sign}{}{command}", settings.join(","))
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

    fn typed(choice: &mut OpponentChoice, text: &str) {
        press(choice, &text.chars().map(KeyCode::Char).collect::<Vec<_>>());
    }

    #[test]
    fn a_level_that_is_typed_is_that_of_the_list_and_one_of_the_list_takes_its_place() {
        let mut choice = choice("emilia", Some(1), false);
        typed(&mut choice, "@level=12");
        assert_eq!(choice.chosen_level(), Some(12));
        assert_eq!(press(&mut choice, &[KeyCode::Enter]), seating("emilia", Some(12)));
        press(&mut choice, &[KeyCode::Tab, KeyCode::Right, KeyCode::Down]);
        assert_eq!((choice.line.text().as_str(), choice.chosen_level()), ("emilia", Some(13)));
        // Who began with a level in the notation, too.
        let mut choice = self::choice("emilia@hash=4,level=5", None, false);
        assert_eq!((choice.chosen_level(), choice.level_place()), (Some(5), Some(choice.level)));
        assert_eq!(press(&mut choice, &[KeyCode::Char('2'), KeyCode::Enter]), seating("emilia@hash=4", Some(2)));
        // Another limit is none of the list, until one of the list is chosen.
        let mut choice = self::choice("emilia@depth=3", None, false);
        assert_eq!(choice.level_place(), None);
        assert_eq!(press(&mut choice, &[KeyCode::Enter]), seating("emilia@depth=3", None));
        assert_eq!(press(&mut choice, &[KeyCode::Char('7'), KeyCode::Enter]), seating("emilia", Some(7)));
        // Beyond the list.
        let mut choice = self::choice("iago", Some(40), false);
        assert_eq!(press(&mut choice, &[KeyCode::Enter]), seating("iago", Some(40)));
    }

    #[test]
    fn limits_are_taken_out_of_a_notation_and_nothing_else() {
        for (text, rest) in [
            ("emilia", "emilia"),
            ("emilia@level=5", "emilia"),
            ("emilia@hash=4, level=5,seed=1", "emilia@hash=4,seed=1"),
            ("gtp@depth=3:prog -x level=5,depth=3", "gtp:prog -x level=5,depth=3"),
            ("gtp:prog @level=5", "gtp:prog @level=5"),
            ("emilia@name=a\\,level=3,level=5", "emilia@name=a\\,level=3"),
            ("gtp@name=a\\:b,move-time=1s:prog", "gtp@name=a\\:b:prog"),
        ] {
            assert_eq!(without_limits(text), rest);
        }
    }

    #[test]
    fn the_levels_stay_while_a_setting_is_half_typed_and_settings_are_told() {
        let mut choice = choice("emilia", Some(12), false);
        let levels = choice.levels.clone();
        for symbol in "@level=".chars() {
            typed(&mut choice, &symbol.to_string());
            assert!(choice.is_emilia() && choice.levels == levels, "{choice:?}");
            assert_eq!(choice.chosen_level(), Some(12));
        }
        let settings = choice.listed().expect("emilia").settings.join("; ");
        assert!(settings.contains("hash") && settings.contains("weights") && !settings.contains("dir"), "{settings}");
        // A second setting follows the first.
        let mut choice = self::choice("emilia@hash=4", Some(12), false);
        typed(&mut choice, "@seed=1");
        assert_eq!(choice.line.text(), "emilia@hash=4,seed=1");
    }

    #[test]
    fn a_name_or_a_command_is_typed_at_once() {
        let mut choice = choice("emilia", Some(1), false);
        typed(&mut choice, "gtp:prog -c");
        assert_eq!(press(&mut choice, &[KeyCode::Enter]), seating("gtp:prog -c", None));
        let names = Board::entries().into_iter().map(|entry| entry.name);
        let names: Vec<_> = names.chain(CutBoard::entries().into_iter().map(|entry| entry.name)).collect();
        assert!(names.iter().all(|name| !name.starts_with(OTHER_COLOR)), "{names:?}");
    }

    #[test]
    fn with_a_clock_emilia_may_play_by_the_clock() {
        let choice = choice("emilia", None, true);
        assert_eq!((choice.levels[0], choice.chosen_level()), (None, None));
        assert_eq!(choice.level_text(None), "as long as the clock allows");
    }
}
