//! The choice of a player and its level: a list of players, a list of levels, and a line for everything else.

use engine::Level;
use othello::Color;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use session::catalogue::{self, PERSON};
use session::{Catalogue, ListedPlayer, OwnLimits, SeatView, without_limits};

use crate::full_screen::prompt::TextLine;

/// The part of the form that receives the keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Focus {
    /// The list of players.
    Players,
    /// The list of levels.
    Levels,
    /// The line.
    Text,
}

/// A choice that is being made.
#[derive(Clone, Debug)]
pub(crate) struct OpponentChoice {
    /// For which side.
    pub color: Color,
    /// The players that can be chosen; the person comes before them in the list.
    pub catalogue: Catalogue,
    /// Which of the list: 0 is the person; none if what is typed is not in it.
    pub selected: Option<usize>,
    /// The levels of the player at hand to choose from; none stands for its default.
    pub levels: Vec<Option<Level>>,
    /// Which of the levels.
    pub level: usize,
    /// The player as text.
    pub line: TextLine,
    /// The part of the form that receives the keys.
    pub focus: Focus,
    /// The error in the input.
    pub error: Option<String>,
    has_clock: bool,
    /// Whether the last key was a digit of a level.
    is_typing_level: bool,
}

/// The result of a key.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Chosen {
    /// The choice goes on.
    NotYet,
    /// Nothing is to change.
    Cancelled,
    /// A person plays the color.
    Person,
    /// This player plays the color, at this level unless its notation has limits.
    Player {
        /// The player as text.
        player: String,
        /// The level at which the choice stands.
        level: Option<Level>,
    },
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

    /// Turns to a color and its present player.
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

    /// The place in the list of levels at which the choice stands: none where the line says something else than a
    /// level.
    pub(crate) fn level_place(&self) -> Option<usize> {
        (self.own_limits() != OwnLimits::Others).then_some(self.level)
    }

    /// The level at which the choice stands.
    pub(crate) fn chosen_level(&self) -> Option<Level> {
        self.levels.get(self.level).copied().flatten()
    }

    /// Takes a key.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Chosen {
        self.error = None;
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
        let in_players = self.focus == Focus::Players;
        let (place, length) = if in_players {
            (self.selected.unwrap_or(0), self.catalogue.players.len() + 1)
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
            // Another name or command; that of the other color is the screen's.
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
            KeyCode::Char('.') if was_typing_level => {
                self.type_half();
                return;
            }
            _ => return,
        };
        if in_players {
            self.selected = Some(place);
            let name = self.listed().map_or(String::new(), |listed| listed.name.clone());
            self.line = TextLine::new(&name);
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

    /// Makes the list of levels for the player at hand and goes to the one of the line, else to this one, else to the
    /// default.
    fn list_levels(&mut self, wanted: Option<Level>) {
        let text = self.line.text();
        self.levels = match self.selected {
            Some(0) => Vec::new(),
            _ => self.catalogue.levels(&text, self.has_clock, wanted),
        };
        self.level = catalogue::level_to_begin_with(&self.levels, &text, wanted);
    }

    fn take(&self) -> Chosen {
        let player = self.line.text();
        if is_person(&player) { Chosen::Person } else { Chosen::Player { player, level: self.chosen_level() } }
    }
}

fn is_person(text: &str) -> bool {
    text.trim().is_empty() || text.trim() == PERSON
}

#[cfg(test)]
mod tests {
    use othello::{Board, CutBoard};
    use session::{Opponent, Seating};

    use super::*;
    use crate::full_screen::tests::registry;

    fn seat(opponent: Option<&Opponent>) -> SeatView {
        let name = opponent.map_or(PERSON.to_owned(), |opponent| opponent.name.clone());
        SeatView {
            color: Color::White,
            title: name.clone(),
            name,
            recorded: None,
            control: None,
            player: opponent.map(|opponent| opponent.notation.text().to_owned()),
            level: opponent.and_then(|opponent| opponent.level),
            discs: 2,
            seconds: 0.0,
            runs: false,
        }
    }

    fn choice(text: &str, level: Option<u32>, has_clock: bool) -> OpponentChoice {
        let level = level.map(Level::clamped);
        let opponent = Opponent::new(Box::new(text.parse().expect("a player")), text.to_owned(), level, has_clock);
        OpponentChoice::new(&Catalogue::of::<Board>(&registry()), &seat(Some(&opponent)), has_clock)
    }

    /// The player that was chosen.
    fn seated(chosen: &Chosen) -> Result<Seating, String> {
        let Chosen::Player { player, level } = chosen else { panic!("{chosen:?} is no player") };
        Seating::parse(player, *level)
    }

    fn taken(choice: &mut OpponentChoice, keys: &[KeyCode]) -> Result<Seating, String> {
        press(choice, keys);
        seated(&press(choice, &[KeyCode::Enter]))
    }

    fn press(choice: &mut OpponentChoice, keys: &[KeyCode]) -> Chosen {
        let mut last = Chosen::NotYet;
        for &key in keys {
            last = choice.key(KeyEvent::new(key, KeyModifiers::NONE));
        }
        last
    }

    fn seating(text: &str, level: Option<u32>) -> Result<Seating, String> {
        Ok(Seating::new(text.parse().expect("a player"), level.map(Level::clamped)))
    }

    #[test]
    fn it_begins_with_who_plays_and_enter_changes_nothing() {
        let mut choice = choice("emilia", Some(12), false);
        assert_eq!((choice.selected, choice.chosen_level()), (Some(1), Level::new(12).ok()));
        assert_eq!(taken(&mut choice, &[]), seating("emilia", Some(12)));
        assert_eq!(press(&mut choice, &[KeyCode::Esc]), Chosen::Cancelled);
    }

    #[test]
    fn every_player_of_the_board_can_be_chosen_by_arrows() {
        let mut choice = OpponentChoice::new(&Catalogue::of::<CutBoard>(&registry()), &seat(None), false);
        assert_eq!(press(&mut choice, &[KeyCode::Enter]), Chosen::Person);
        for entry in registry().entries::<CutBoard>() {
            press(&mut choice, &[KeyCode::Down]);
            assert_eq!(taken(&mut choice, &[]), seating(entry.name, None));
        }
        press(&mut choice, &[KeyCode::Home]);
        assert_eq!(press(&mut choice, &[KeyCode::Enter]), Chosen::Person);
    }

    #[test]
    fn a_level_is_chosen_by_arrows_or_by_typing_its_number() {
        let mut choice = choice("emilia", None, false);
        assert_eq!(choice.chosen_level(), Level::new(1).ok(), "friendly");
        assert_eq!(taken(&mut choice, &[KeyCode::Right, KeyCode::Down, KeyCode::Down]), seating("emilia", Some(2)));
        press(&mut choice, &[KeyCode::Char('2')]);
        assert_eq!(choice.chosen_level(), Level::new(2).ok());
        press(&mut choice, &[KeyCode::Char('1')]);
        assert_eq!(choice.chosen_level(), Level::new(21).ok(), "of the 2 before and a 1");
        press(&mut choice, &[KeyCode::Char('7')]);
        assert_eq!(choice.chosen_level(), Level::new(7).ok(), "there is no level 217");
        press(&mut choice, &[KeyCode::End]);
        assert_eq!(choice.chosen_level(), Level::new(60).ok());
        for (keys, level) in [("2.5", "2.5"), ("2.", "2.5"), ("2.51", "1"), ("0.5", "0.5"), ("12.", "12"), ("25", "25")]
        {
            typed(&mut choice, keys);
            assert_eq!(choice.chosen_level(), level.parse().ok(), "{keys}");
            press(&mut choice, &[KeyCode::Home]);
        }
    }

    #[test]
    fn settings_and_external_programs_are_typed() {
        let mut choice = choice("iago", None, false);
        press(&mut choice, &"@historical".chars().map(KeyCode::Char).collect::<Vec<_>>());
        assert_eq!(choice.listed().map(|listed| listed.name.as_str()), Some("iago"));
        assert_eq!(taken(&mut choice, &[]), seating("iago@historical", None));
        assert!(choice.key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)) == Chosen::NotYet);
        choice.paste("gtp:/usr/games/gtp-rhino -l 3");
        assert!(choice.listed().is_none());
        assert_eq!(taken(&mut choice, &[]), seating("gtp:/usr/games/gtp-rhino -l 3", None));
        choice.paste("x");
        // From what is not in the list, arrows lead into it.
        press(&mut choice, &[KeyCode::Tab, KeyCode::Down]);
        assert_eq!(choice.listed().map(|listed| listed.name.as_str()), Some("emilia"));
        press(&mut choice, &[KeyCode::BackTab]);
        assert!(choice.key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)) == Chosen::NotYet);
        choice.paste("emilia@level=61");
        assert!(taken(&mut choice, &[]).is_err_and(|words| words.contains("0 to 60")), "{choice:?}");
    }

    fn typed(choice: &mut OpponentChoice, text: &str) {
        press(choice, &text.chars().map(KeyCode::Char).collect::<Vec<_>>());
    }

    #[test]
    fn a_level_that_is_typed_is_that_of_the_list_and_one_of_the_list_takes_its_place() {
        let mut choice = choice("emilia", Some(1), false);
        typed(&mut choice, "@level=12");
        assert_eq!(choice.chosen_level(), Level::new(12).ok());
        assert_eq!(taken(&mut choice, &[]), seating("emilia", Some(12)));
        press(&mut choice, &[KeyCode::Tab, KeyCode::Right, KeyCode::Down]);
        assert_eq!((choice.line.text().as_str(), choice.chosen_level()), ("emilia", Level::new(13).ok()));
        // Who began with a level in the notation, too.
        let mut choice = self::choice("emilia@hash=4,level=5", None, false);
        assert_eq!((choice.chosen_level(), choice.level_place()), (Level::new(5).ok(), Some(choice.level)));
        assert_eq!(taken(&mut choice, &[KeyCode::Char('2')]), seating("emilia@hash=4", Some(2)));
        // Another limit is none of the list, until one of the list is chosen.
        let mut choice = self::choice("emilia@depth=3", None, false);
        assert_eq!(choice.level_place(), None);
        assert_eq!(taken(&mut choice, &[]), seating("emilia@depth=3", None));
        assert_eq!(taken(&mut choice, &[KeyCode::Char('7')]), seating("emilia", Some(7)));
        // Beyond the list.
        let mut choice = self::choice("iago", Some(40), false);
        assert_eq!(taken(&mut choice, &[]), seating("iago", Some(40)));
    }

    #[test]
    fn the_levels_stay_while_a_setting_is_half_typed_and_a_second_one_follows_the_first() {
        let mut choice = choice("emilia", Some(12), false);
        let levels = choice.levels.clone();
        for symbol in "@level=".chars() {
            typed(&mut choice, &symbol.to_string());
            assert!(choice.is_emilia() && choice.levels == levels, "{choice:?}");
            assert_eq!(choice.chosen_level(), Level::new(12).ok());
        }
        // A second setting follows the first.
        let mut choice = self::choice("emilia@hash=4", Some(12), false);
        typed(&mut choice, "@seed=1");
        assert_eq!(choice.line.text(), "emilia@hash=4,seed=1");
    }

    #[test]
    fn a_name_or_a_command_is_typed_at_once() {
        let mut choice = choice("emilia", Some(1), false);
        typed(&mut choice, "gtp:prog -c");
        assert_eq!(taken(&mut choice, &[]), seating("gtp:prog -c", None));
        let registry = registry();
        let names = registry.entries::<Board>().iter().map(|entry| entry.name);
        let names: Vec<_> = names.chain(registry.entries::<CutBoard>().iter().map(|entry| entry.name)).collect();
        assert!(names.iter().all(|name| !name.starts_with(OTHER_COLOR)), "{names:?}");
    }

    #[test]
    fn with_a_clock_emilia_may_play_by_the_clock() {
        let choice = choice("emilia", None, true);
        assert_eq!((choice.levels[0], choice.chosen_level()), (None, None));
        assert_eq!(choice.level_text(None), "as strong as the clock allows");
    }
}
