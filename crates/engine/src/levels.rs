//! Levels of strength, 0 to 60: how deep each searches, with which selectivity, and from where on it plays perfectly.
//!
//! The scale is the one that players know from other programs: level 21 searches 21 plies deep, and the highest plays
//! perfectly if it is given the time. Below 5 there is a level at every half step: these play like people who are
//! learning the game ([`WeakPlay`](crate::WeakPlay)).

use std::fmt;
use std::str::FromStr;

use search::{Iteration, Selectivity};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A level of strength: a whole number from 0 to 60, or a half between two of them below 5.
///
/// It is written as a number everywhere, in JSON too: `10`, `2.5`.
///
/// ```
/// use engine::Level;
///
/// let level = Level::new(21)?;
/// assert_eq!(level.goal(40).depth, 21);
/// assert_eq!(level.goal(24).selectivity.percent(), 100);
/// assert!(Level::new(61).is_err());
///
/// let weak: Level = "2.5".parse()?;
/// assert!(weak.is_weak() && weak < Level::new(3)?);
/// # Ok::<(), engine::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level {
    /// Twice the number of the level.
    halves: u8,
}

/// There is no such level.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown level {0:?}; expected 0 to {max}; below {first} also half levels such as 2.5", max = Level::STRONGEST, first = Level::FIRST_SERIOUS)]
pub struct LevelError(String);

impl Level {
    /// The level of a person who has just learned the rules.
    pub const WEAKEST: Level = Level { halves: 0 };
    /// The lowest level that plays as well as it can.
    pub const FIRST_SERIOUS: Level = Level { halves: 10 };
    /// The level that plays perfectly, given the time.
    pub const STRONGEST: Level = Level { halves: 120 };

    /// The highest level that searches every move to its full depth; those above prune moves that look hopeless.
    const LAST_FULL_WIDTH: u32 = 10;

    /// Level and number of empty squares from which on the end is played perfectly; between two of these
    /// the number rises evenly. The work grows about as fast with the empties as with the depth before
    /// them, so that the last moves take no longer than those of the midgame.
    const PERFECT: [(u32, u32); 5] = [(0, 1), (10, 20), (21, 24), (30, 30), (60, 60)];

    /// Number of additional empty squares that can be searched to the end in the same time at each selectivity below
    /// 100%, the lowest first: from the table in `search_cost.rs` around 24 empties.
    const SELECTIVE: [u32; 5] = [6, 3, 2, 1, 0];

    /// The empty squares of a board at the start of a game.
    const MAX_EMPTIES: u32 = 60;

    /// The level of a whole number.
    pub fn new(number: u32) -> Result<Self, LevelError> {
        if number > Self::STRONGEST.whole() { Err(LevelError(number.to_string())) } else { Ok(Self::clamped(number)) }
    }

    /// The level of a whole number; the strongest for every number beyond it.
    pub const fn clamped(number: u32) -> Self {
        let strongest = Self::STRONGEST.whole();
        Self { halves: if number > strongest { Self::STRONGEST.halves } else { 2 * number as u8 } }
    }

    /// All levels, the weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Level> + Clone {
        (Self::WEAKEST.halves..=Self::STRONGEST.halves).map(|halves| Self { halves }).filter(|level| level.exists())
    }

    /// The number of the level, rounded down to a whole one.
    pub const fn whole(self) -> u32 {
        self.halves as u32 / 2
    }

    /// Whether its number is a whole one.
    pub const fn is_whole(self) -> bool {
        self.halves.is_multiple_of(2)
    }

    /// Whether it makes mistakes on purpose, as described at [`Level::weak_play`](crate::Level::weak_play).
    pub fn is_weak(self) -> bool {
        self < Self::FIRST_SERIOUS
    }

    /// Its place among the weak levels.
    pub(crate) fn weak_index(self) -> Option<usize> {
        self.is_weak().then_some(usize::from(self.halves))
    }

    /// Half steps exist among the weak levels alone.
    fn exists(self) -> bool {
        self <= Self::STRONGEST && (self.is_whole() || self.is_weak())
    }

    fn of_number(number: f64) -> Option<Self> {
        let halves = 2.0 * number;
        let is_in_range = halves >= 0.0 && halves <= f64::from(Self::STRONGEST.halves) && halves.fract() == 0.0;
        let level = Self { halves: halves as u8 };
        (is_in_range && level.exists()).then_some(level)
    }

    /// Depth and selectivity of searches before the end is in reach. The moves of a weak level are not found by such a
    /// search, but positions are analysed with it.
    pub fn midgame(self) -> Iteration {
        let depth = self.whole().max(1);
        Iteration { depth, selectivity: Self::midgame_selectivity(depth) }
    }

    /// The selectivity of a midgame search of this depth: shallow ones cost so little that they prune nothing.
    pub(crate) fn midgame_selectivity(depth: u32) -> Selectivity {
        if depth <= Self::LAST_FULL_WIDTH { Selectivity::EXACT } else { Selectivity::LOWEST }
    }

    /// The number of empty squares from which on the end of the game is searched with at least this selectivity.
    pub fn end(self, selectivity: Selectivity) -> u32 {
        let level = self.whole();
        let above = Self::PERFECT.iter().position(|&(number, _)| level <= number).unwrap_or(1).max(1);
        let ((low, low_empties), (high, high_empties)) = (Self::PERFECT[above - 1], Self::PERFECT[above]);
        let perfect = low_empties + (high_empties - low_empties) * (level - low) / (high - low);
        let more =
            if level <= Self::LAST_FULL_WIDTH { None } else { Self::SELECTIVE.get(usize::from(selectivity.level())) };
        (perfect + more.copied().unwrap_or(0)).min(Self::MAX_EMPTIES)
    }

    /// Depth and selectivity of the search with this many empty squares.
    pub fn goal(self, empty_count: u32) -> Iteration {
        let surest = Selectivity::all().rev().find(|&selectivity| empty_count <= self.end(selectivity));
        match surest {
            Some(selectivity) => Iteration { depth: empty_count, selectivity },
            None => self.midgame(),
        }
    }
}

/// The number of the level: `10`, `2.5`.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.whole(), if self.is_whole() { "" } else { ".5" }))
    }
}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Level({self})")
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        // Other ways to write a number, such as 1e1 and +3, are mistakes rather than levels.
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let number = text.parse().ok().filter(|_| is_plain);
        number.and_then(Self::of_number).ok_or_else(|| LevelError(text.to_owned()))
    }
}

impl Serialize for Level {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Whole levels stay what they were when there were no others: files are compared by their text.
        if self.is_whole() {
            serializer.serialize_u32(self.whole())
        } else {
            serializer.serialize_f64(f64::from(self.halves) / 2.0)
        }
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LevelVisitor)
    }
}

struct LevelVisitor;

impl Visitor<'_> for LevelVisitor {
    type Value = Level;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a level from 0 to {}", Level::STRONGEST)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Level, E> {
        self.visit_f64(number as f64)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Level, E> {
        self.visit_f64(number as f64)
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Level, E> {
        Level::of_number(number).ok_or_else(|| E::custom(LevelError(number.to_string())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_level_never_searches_less() {
        for empty_count in 0..=60 {
            for (lower, higher) in Level::all().zip(Level::all().skip(1)) {
                let (less, more) = (lower.goal(empty_count), higher.goal(empty_count));
                assert!(
                    more.depth > less.depth || more.depth == less.depth && more.selectivity >= less.selectivity,
                    "{empty_count} empties: level {lower} {less:?}, then {more:?}",
                );
            }
        }
    }

    #[test]
    fn the_end_is_searched_earlier_with_less_confidence() {
        for level in Level::all() {
            for (less, more) in Selectivity::all().zip(Selectivity::all().skip(1)) {
                assert!(level.end(less) >= level.end(more), "level {level}");
            }
            // The end is never nearer than the midgame's own horizon, so no depth reaches beyond it.
            assert!(level.whole() <= level.end(Selectivity::EXACT) || level.whole() == 0, "{level}");
        }
    }

    #[test]
    fn the_search_of_a_level_is_known() {
        let ends = |number| {
            let level = Level::new(number).unwrap();
            Selectivity::all().map(|selectivity| level.end(selectivity)).collect::<Vec<_>>()
        };
        assert_eq!(ends(5), [10; 6]);
        assert_eq!(ends(10), [20; 6]);
        assert_eq!(ends(21), [30, 27, 26, 25, 24, 24]);
        assert_eq!(ends(60), [60; 6]);
        assert_eq!(Level::STRONGEST.goal(60), Iteration { depth: 60, selectivity: Selectivity::EXACT });
    }

    #[test]
    fn there_are_ten_levels_below_five_in_half_steps_and_whole_ones_from_there() {
        let numbers: Vec<String> = Level::all().map(|level| level.to_string()).collect();
        assert_eq!(numbers[..11], ["0", "0.5", "1", "1.5", "2", "2.5", "3", "3.5", "4", "4.5", "5"]);
        assert_eq!(numbers[11..], (6..=60).map(|number| number.to_string()).collect::<Vec<_>>());
        assert_eq!(Level::all().filter(|level| level.is_weak()).count(), 10);
        assert_eq!(Level::clamped(1000), Level::STRONGEST);
    }

    #[test]
    fn levels_are_read_as_they_were_written_and_other_texts_refused() {
        for level in Level::all() {
            assert_eq!(level.to_string().parse(), Ok(level));
            let json = serde_json::to_string(&level).unwrap();
            assert_eq!(json, level.to_string());
            assert_eq!(serde_json::from_str::<Level>(&json).unwrap(), level);
        }
        assert_eq!("2.0".parse(), Level::new(2));
        for text in ["", "61", "-1", "5.5", "2.25", "1e1", "+3", "level", "NaN", "inf", "60.5", "1000", "2,5"] {
            let expected = format!("unknown level {text:?}; expected 0 to 60; below 5 also half levels such as 2.5");
            assert_eq!(text.parse::<Level>().unwrap_err().to_string(), expected);
        }
        assert_eq!(Level::new(61).unwrap_err(), "61".parse::<Level>().unwrap_err());
        for json in ["61", "-1", "5.5", "2.25", "\"3\"", "null", "1e300"] {
            assert!(serde_json::from_str::<Level>(json).is_err(), "{json}");
        }
    }
}
