//! An engine as an opponent: its notation, its level and its name.

use engine::{GameClock, Level, Limits};
use players::{PlayerNotation, PlayerOptions};
use serde::{Deserialize, Serialize};

/// The settings that limit how long a player thinks about a move; a level chosen from the list replaces them.
const LIMITS: [&str; 4] = ["level", "depth", "nodes", "move-time"];

const CLOCK: [&str; 2] = ["time", "increment"];

/// A player for a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Seating {
    /// The player.
    pub notation: Box<PlayerNotation>,
    /// The level at which it is to play, if one was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
}

impl Seating {
    /// A player at a level, or at its own default.
    pub fn new(notation: PlayerNotation, level: Option<Level>) -> Self {
        Self { notation: Box::new(notation), level }
    }

    /// Reads a player that was typed with a level that was chosen beside it. A level in the text is moved out of it, so
    /// that it is shown and can be changed; any other limit in the text replaces the level.
    pub fn parse(text: &str, level: Option<Level>) -> Result<Self, String> {
        let notation: PlayerNotation = text.trim().parse()?;
        Ok(match OwnLimits::of(&notation) {
            OwnLimits::None => Self::new(notation, level),
            OwnLimits::Level(level) => Self::new(without_limits(text.trim()).parse().unwrap_or(notation), Some(level)),
            OwnLimits::Others => Self::new(notation, None),
        })
    }

    /// The notation that the player is made from: without its own clock, which the session runs and passes on with
    /// every move.
    pub fn without_clock(&self) -> PlayerNotation {
        without(self.notation.text(), &CLOCK).parse().unwrap_or_else(|_| (*self.notation).clone())
    }
}

/// An engine as it was chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct Opponent {
    /// Its notation.
    pub notation: Box<PlayerNotation>,
    /// Its name.
    pub name: String,
    /// Its level; without one it plays by the clock or at its own default.
    pub level: Option<Level>,
}

impl Opponent {
    /// The opponent of a notation, at a level that suits a newcomer if it has no limit and no clock.
    pub fn new(notation: Box<PlayerNotation>, name: String, level: Option<Level>, has_clock: bool) -> Self {
        let mut opponent = Self { notation, name, level };
        let has_clock = has_clock || opponent.own_clock().is_some();
        if level.is_none() && !has_clock && opponent.is_emilia() && !opponent.has_own_limits() {
            opponent.level = PlayerOptions::friendly_level();
        }
        opponent
    }

    /// Whether it is the player that has levels.
    pub fn is_emilia(&self) -> bool {
        self.notation.engine.is_emilia()
    }

    pub(crate) fn has_own_limits(&self) -> bool {
        OwnLimits::of(&self.notation) != OwnLimits::None
    }

    /// The clock of its notation, which replaces that of the game.
    pub(crate) fn own_clock(&self) -> Option<GameClock> {
        self.notation.limits(&Limits::default()).clock
    }

    /// Its name, and how strong it plays.
    pub fn title(&self) -> String {
        let level = match OwnLimits::of(&self.notation) {
            OwnLimits::None => self.level,
            OwnLimits::Level(level) => Some(level),
            OwnLimits::Others => None,
        };
        level.map_or_else(|| self.name.clone(), |level| format!("{} {level}", self.name))
    }
}

/// The limits of a notation for each move of its player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OwnLimits {
    /// None: it plays at a level.
    None,
    /// A level alone.
    Level(Level),
    /// A depth, a number of nodes, a time for every move.
    Others,
}

impl OwnLimits {
    /// Returns the limits of a notation.
    pub fn of(notation: &PlayerNotation) -> Self {
        // The selectivity does not limit the time, and any level is a ceiling under a clock.
        let limits = Limits { selectivity: None, clock: None, ..notation.limits(&Limits::default()) };
        match limits.level {
            _ if limits == Limits::default() => OwnLimits::None,
            Some(level) if limits == (Limits { level: Some(level), ..Limits::default() }) => OwnLimits::Level(level),
            _ => OwnLimits::Others,
        }
    }
}

/// The notation of a player without its limits for each move. Its clock stays.
pub fn without_limits(text: &str) -> String {
    without(text, &LIMITS)
}

fn without(text: &str, keys: &[&str]) -> String {
    let Some((name, rest)) = text.split_once('@').filter(|(name, _)| !name.contains(':')) else {
        return text.to_owned();
    };
    // Commas separate the settings and a colon ends them, unless a backslash precedes them.
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
        !keys.contains(&key.trim())
    });
    let sign = if settings.is_empty() { "" } else { "@" };
    format!("{name}{sign}{}{command}", settings.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newcomer_meets_a_friendly_emilia_and_others_as_they_are() {
        let level = |text: &str, level, has_clock| {
            Opponent::new(Box::new(text.parse().expect("a player")), "x".to_owned(), level, has_clock).level
        };
        assert_eq!(level("emilia", None, false), PlayerOptions::friendly_level());
        assert_eq!(level("emilia", Level::new(20).ok(), false), Level::new(20).ok());
        assert_eq!(level("emilia", None, true), None);
        assert_eq!(level("emilia@depth=3", None, false), None);
        assert_eq!(level("emilia@time=1m", None, false), None);
        assert_eq!(level("emilia@time=1m", Level::new(8).ok(), false), Level::new(8).ok());
        assert_eq!(level("simple", None, false), None);
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
            ("emilia@level=8,time=1m", "emilia@time=1m"),
        ] {
            assert_eq!(without_limits(text), rest);
        }
        let seating = Seating::new("emilia@level=8,time=1m,increment=2s".parse().expect("a player"), None);
        assert_eq!(seating.without_clock().text(), "emilia@level=8");
    }

    #[test]
    fn a_level_that_is_typed_is_a_chosen_one_and_another_limit_takes_its_place() {
        let parsed = |text: &str, level| {
            Seating::parse(text, level).map(|seating| (seating.notation.text().to_owned(), seating.level))
        };
        let level = |text: &str| text.parse::<Level>().ok();
        assert_eq!(parsed(" emilia ", level("3")), Ok(("emilia".to_owned(), level("3"))));
        assert_eq!(parsed("emilia@hash=4,level=12", level("3")), Ok(("emilia@hash=4".to_owned(), level("12"))));
        assert_eq!(parsed("emilia@level=2.5", level("3")), Ok(("emilia".to_owned(), level("2.5"))));
        assert_eq!(parsed("emilia@depth=3", level("3")), Ok(("emilia@depth=3".to_owned(), None)));
        assert_eq!(parsed("emilia@level=8,time=1m", None), Ok(("emilia@time=1m".to_owned(), level("8"))));
        assert!(parsed("emilia@level=61", None).is_err_and(|reason| reason.contains("0 to 60")));
    }
}
