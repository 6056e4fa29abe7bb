//! Levels of strength, 0 to 60: how far each looks ahead, how surely, and from where on it plays perfectly.
//!
//! The scale is the one that players know from other programs: level 21 looks 21 moves ahead, the lowest
//! levels are for beginners, and the highest plays perfectly if it is given the time.

use std::fmt;

use search::{Iteration, Selectivity};
use serde::{Deserialize, Serialize};

/// A level of strength.
///
/// ```
/// use engine::Level;
///
/// let level = Level::new(21)?;
/// assert_eq!(level.goal(40).depth, 21);
/// assert_eq!(level.goal(24).selectivity.percent(), 100);
/// assert!(Level::new(61).is_err());
/// # Ok::<(), engine::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct Level(u8);

/// There is no such level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no level {0}; expected 0 to {max}", max = Level::STRONGEST.0)]
pub struct LevelError(u32);

impl TryFrom<u32> for Level {
    type Error = LevelError;

    fn try_from(number: u32) -> Result<Self, LevelError> {
        Self::new(number)
    }
}

impl From<Level> for u32 {
    fn from(level: Level) -> Self {
        level.number()
    }
}

impl Level {
    /// The level that a beginner can beat.
    pub const WEAKEST: Level = Level(0);
    /// The level that plays perfectly, given the time.
    pub const STRONGEST: Level = Level(60);

    /// The highest level that looks at every move to its full depth; those above cut what looks hopeless.
    const LAST_FULL_WIDTH: u32 = 10;

    /// Level and number of empty squares from which on the end is played perfectly; between two of these
    /// the number rises evenly. The work grows about as fast with the empties as with the depth before
    /// them, so that the last moves take no longer than those of the midgame.
    const PERFECT: [(u32, u32); 5] = [(0, 1), (10, 20), (21, 24), (30, 30), (60, 60)];

    /// How many empty squares more can be searched to the end in the same time at each confidence below
    /// certainty, the least sure first: what the table in `effort.rs` gives around 24 empties.
    const SELECTIVE: [u32; 5] = [6, 3, 2, 1, 0];

    /// How far, in discs, the judgement of the lowest levels errs.
    const WAVERING: [f32; 5] = [36.0, 14.0, 5.0, 2.0, 1.0];

    /// The empty squares of a board at the start of a game.
    const MOST_EMPTIES: u32 = 60;

    /// The level of this number.
    pub fn new(number: u32) -> Result<Self, LevelError> {
        if number > u32::from(Self::STRONGEST.0) { Err(LevelError(number)) } else { Ok(Self(number as u8)) }
    }

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (0..=Self::STRONGEST.0).map(Level)
    }

    /// The number of the level.
    pub fn number(self) -> u32 {
        u32::from(self.0)
    }

    /// What is searched before the end is in reach.
    pub fn midgame(self) -> Iteration {
        let depth = self.number().max(1);
        Iteration { depth, selectivity: Self::midgame_selectivity(depth) }
    }

    /// How sure a midgame search of this depth is: shallow ones cost so little that they leave nothing out.
    pub(crate) fn midgame_selectivity(depth: u32) -> Selectivity {
        if depth <= Self::LAST_FULL_WIDTH { Selectivity::EXACT } else { Selectivity::LOWEST }
    }

    /// The number of empty squares from which on the end of the game is searched at least so surely.
    pub fn end(self, selectivity: Selectivity) -> u32 {
        let level = self.number();
        let above = Self::PERFECT.iter().position(|&(number, _)| level <= number).unwrap_or(1).max(1);
        let ((low, low_empties), (high, high_empties)) = (Self::PERFECT[above - 1], Self::PERFECT[above]);
        let perfect = low_empties + (high_empties - low_empties) * (level - low) / (high - low);
        let more =
            if level <= Self::LAST_FULL_WIDTH { None } else { Self::SELECTIVE.get(usize::from(selectivity.level())) };
        (perfect + more.copied().unwrap_or(0)).min(Self::MOST_EMPTIES)
    }

    /// What is searched with so many empty squares.
    pub fn goal(self, empty_count: u32) -> Iteration {
        let surest = Selectivity::all().rev().find(|&selectivity| empty_count <= self.end(selectivity));
        match surest {
            Some(selectivity) => Iteration { depth: empty_count, selectivity },
            None => self.midgame(),
        }
    }

    /// How far, in discs, the judgement of a move errs: nothing but for the lowest levels, which are to be
    /// beaten and never to play the same game twice.
    pub fn wavering(self) -> f32 {
        Self::WAVERING.get(usize::from(self.0)).copied().unwrap_or(0.0)
    }
}

/// What the level does: `depth 21@73%, to the end 73% from 30, 87% from 27, …, exact from 24 empties`.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Iteration { depth, selectivity } = self.midgame();
        write!(f, "depth {depth}@{selectivity}")?;
        if self.wavering() > 0.0 {
            let discs = self.wavering();
            write!(f, " give or take {discs} disc{}", if discs == 1.0 { "" } else { "s" })?;
        }
        let exact = self.end(Selectivity::EXACT);
        f.write_str(", to the end")?;
        let mut last = exact;
        for selectivity in Selectivity::all().filter(|selectivity| !selectivity.is_exact()) {
            let end = self.end(selectivity);
            if end > exact && end != last {
                write!(f, " {selectivity} from {end},")?;
                last = end;
            }
        }
        write!(f, " exact from {exact} {}", if exact == 1 { "empty" } else { "empties" })
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
                    "{empty_count} empties: level {} {less:?}, then {more:?}",
                    lower.number()
                );
            }
        }
    }

    #[test]
    fn what_can_be_searched_to_the_end_surely_can_be_searched_less_surely() {
        for level in Level::all() {
            for (less, more) in Selectivity::all().zip(Selectivity::all().skip(1)) {
                assert!(level.end(less) >= level.end(more), "level {}", level.number());
            }
            // The end is never nearer than the midgame's own horizon, so no depth reaches beyond it.
            assert!(level.number() <= level.end(Selectivity::EXACT) || level.number() == 0, "{}", level.number());
        }
    }

    #[test]
    fn levels_say_what_they_do() {
        let shown = |number| Level::new(number).unwrap().to_string();
        assert_eq!(shown(0), "depth 1@100% give or take 36 discs, to the end exact from 1 empty");
        assert_eq!(shown(4), "depth 4@100% give or take 1 disc, to the end exact from 8 empties");
        assert!(Selectivity::all().all(|selectivity| Level::STRONGEST.end(selectivity) == 60));
        assert_eq!(shown(10), "depth 10@100%, to the end exact from 20 empties");
        assert_eq!(
            shown(21),
            "depth 21@73%, to the end 73% from 30, 87% from 27, 95% from 26, 98% from 25, exact from 24 empties"
        );
        assert_eq!(Level::STRONGEST.goal(60), Iteration { depth: 60, selectivity: Selectivity::EXACT });
        assert_eq!(Level::new(61).unwrap_err().to_string(), "there is no level 61; expected 0 to 60");
    }
}
