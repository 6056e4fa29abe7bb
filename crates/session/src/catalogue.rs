//! The choices of a game: the players of a board with their settings and levels, sides, boards.

use engine::Level;
use players::Entry;
use players::book_settings::BookSettings;
use players::notation::{Engine, common_keys};
use players::{PlayableBoard, PlayerNotation, PlayerOptions, Registry, level_words};
use serde::{Deserialize, Serialize};

use crate::opponent::OwnLimits;

/// The deepest search offered for players without levels; deeper ones take too long.
const MAX_DEPTH: u32 = 20;

const RANDOM: &str = "random";

/// Name of the person where players are listed, which can also be typed.
pub const PERSON: &str = "you";

/// Which sides the person plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sides {
    /// Black, who begins.
    Black,
    /// White.
    White,
    /// Both: two people at one window.
    Both,
    /// None: two engines.
    Neither,
}

impl Sides {
    /// All that can be chosen.
    pub const ALL: [Sides; 4] = [Sides::Black, Sides::White, Sides::Both, Sides::Neither];

    /// The sides of a person who plays these colors, Black first.
    pub fn of(persons: [bool; 2]) -> Self {
        match persons {
            [true, false] => Sides::Black,
            [false, true] => Sides::White,
            [true, true] => Sides::Both,
            [false, false] => Sides::Neither,
        }
    }

    /// Whether a person plays Black and White.
    pub fn persons(self) -> [bool; 2] {
        [matches!(self, Sides::Black | Sides::Both), matches!(self, Sides::White | Sides::Both)]
    }

    /// The choice in a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Sides::Black => "Black",
            Sides::White => "White",
            Sides::Both => "both",
            Sides::Neither => "neither",
        }
    }
}

/// A player that can be chosen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ListedPlayer {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its settings, a text each.
    pub settings: Vec<String>,
}

/// The players of a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Catalogue {
    /// All of them, the strongest first.
    pub players: Vec<ListedPlayer>,
}

/// A level that can be chosen for a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ListedLevel {
    /// The level; without one the player plays by the clock or at its own default.
    pub level: Option<Level>,
    /// Its description, with its cost.
    pub words: String,
}

impl Catalogue {
    /// The players of a board.
    pub fn of<B: PlayableBoard>(registry: &Registry) -> Self {
        let listed = |entry: &Entry<B>| ListedPlayer {
            name: entry.name.to_owned(),
            description: entry.description.to_owned(),
            settings: settings(entry),
        };
        Self { players: registry.entries::<B>().iter().map(listed).collect() }
    }

    /// The place in the list of the player that a notation begins with, whole or half typed.
    pub fn place_of(&self, text: &str) -> Option<usize> {
        let name = text.trim().split(['@', ':']).next().unwrap_or_default();
        self.players.iter().position(|listed| listed.name == name)
    }

    /// The levels to choose from for a player, whole or half typed. The level at which it plays now, `present`, is
    /// listed even if it is beyond those that are offered.
    pub fn levels(&self, text: &str, has_clock: bool, present: Option<Level>) -> Vec<Option<Level>> {
        let default = std::iter::once(None);
        let is_whole = text.trim().parse::<PlayerNotation>().is_ok();
        match self.place_of(text).map(|place| self.players[place].name.as_str()) {
            None if !is_whole => Vec::new(),
            Some(RANDOM) => default.collect(),
            Some(Engine::EMILIA) => {
                let levels = Level::all().map(Some);
                if has_clock { default.chain(levels).collect() } else { levels.collect() }
            }
            _ => {
                let depths = (1..=MAX_DEPTH).map(Level::clamped);
                let beyond = own_level(text).or(present).filter(|&level| level > Level::clamped(MAX_DEPTH));
                default.chain(depths.chain(beyond).map(Some)).collect()
            }
        }
    }

    /// The same with descriptions.
    pub fn listed_levels(&self, text: &str, has_clock: bool, present: Option<Level>) -> Vec<ListedLevel> {
        let levels = self.levels(text, has_clock, present).into_iter();
        levels.map(|level| ListedLevel { level, words: words_of_level(text, level, has_clock) }).collect()
    }
}

/// Index of the first choice in a list of levels: the level of the notation, else this one, else the default.
pub fn level_to_begin_with(levels: &[Option<Level>], text: &str, wanted: Option<Level>) -> usize {
    let friendly = PlayerOptions::friendly_level();
    let place = |level: Option<Level>| levels.iter().position(|&listed| listed == level);
    place(own_level(text).or(wanted)).or_else(|| place(friendly.filter(|_| is_emilia(text)))).unwrap_or(0)
}

/// The limits that a notation, whole or half typed, sets for its player.
pub fn own_limits(text: &str) -> OwnLimits {
    text.trim().parse().map_or(OwnLimits::None, |notation| OwnLimits::of(&notation))
}

fn own_level(text: &str) -> Option<Level> {
    match own_limits(text) {
        OwnLimits::Level(level) => Some(level),
        OwnLimits::None | OwnLimits::Others => None,
    }
}

/// Whether a notation, whole or half typed, is that of the player that has levels.
pub fn is_emilia(text: &str) -> bool {
    text.trim().split(['@', ':']).next() == Some(Engine::EMILIA)
}

/// Describes a level of a player, with its cost.
pub fn words_of_level(text: &str, level: Option<Level>, has_clock: bool) -> String {
    match level {
        None if has_clock => "as strong as the clock allows".to_owned(),
        None => "its own default".to_owned(),
        Some(level) if is_emilia(text) => level_words::in_few_words(level),
        Some(level) => {
            let depth = level.whole();
            format!("searches {depth} {}", if depth == 1 { "ply" } else { "plies" })
        }
    }
}

/// The settings of a built-in player: its own, and those that all players have.
fn settings<B: PlayableBoard>(entry: &Entry<B>) -> Vec<String> {
    // A page cannot choose a file.
    let own = entry.settings.iter().filter(|setting| !BookSettings::has(setting.name));
    let own = own.map(|setting| format!("{}: {}", setting.name, setting.values));
    let is_emilia = entry.name == Engine::EMILIA;
    let is_known = |key: &&str| !matches!(*key, "dir" | "setup") && (is_emilia || *key != "weights");
    let common: Vec<_> = common_keys().filter(is_known).collect();
    own.chain([common.join(", ")]).collect()
}

#[cfg(test)]
mod tests {
    use othello::Board;

    use super::*;

    fn registry() -> Registry {
        Registry::new(vec![players::test_support::program()]).expect("different names")
    }

    #[test]
    fn sides_are_what_the_person_plays() {
        for sides in Sides::ALL {
            assert_eq!(Sides::of(sides.persons()), sides);
        }
    }

    #[test]
    fn levels_are_those_that_a_player_has() {
        let catalogue = Catalogue::of::<Board>(&registry());
        let levels = |text: &str, has_clock| catalogue.levels(text, has_clock, None);
        assert_eq!(levels("random", false), [None]);
        assert_eq!(levels("emilia", false), Level::all().map(Some).collect::<Vec<_>>());
        assert_eq!(levels("emilia@level=", true)[0], None, "half typed, and by the clock");
        assert_eq!(levels("simple", false).len(), 1 + MAX_DEPTH as usize);
        assert_eq!(catalogue.levels("simple", false, Level::new(40).ok()).last(), Some(&Level::new(40).ok()));
        assert_eq!(levels("gtp:", false), [], "not yet a player");
        let listed = catalogue.listed_levels("simple", false, None);
        assert_eq!((listed[0].words.as_str(), listed[2].words.as_str()), ("its own default", "searches 2 plies"));
        let emilia = levels("emilia", false);
        assert_eq!(emilia[level_to_begin_with(&emilia, "emilia", None)], PlayerOptions::friendly_level());
        let chosen = level_to_begin_with(&emilia, "emilia@level=2.5", Level::new(3).ok());
        assert_eq!(emilia[chosen].map(|level| level.to_string()).as_deref(), Some("2.5"));
        assert_eq!(words_of_level("emilia", None, true), "as strong as the clock allows");
    }

    #[test]
    fn settings_of_other_programs_are_not_listed_for_built_in_players() {
        let emilia = &Catalogue::of::<Board>(&registry()).players[0];
        let settings = emilia.settings.join("; ");
        assert!(settings.contains("hash") && settings.contains("weights") && !settings.contains("dir"), "{settings}");
    }
}
