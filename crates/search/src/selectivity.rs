//! The selectivity of a search: the confidence required to prune a branch.

use std::fmt;

use crate::parameters::SELECTIVITY_LEVELS;

/// A selectivity level: the confidence that ProbCut requires, up to a search without pruning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Selectivity(u8);

impl Selectivity {
    /// The fastest level, with the lowest confidence.
    pub const LOWEST: Selectivity = Selectivity(0);
    /// The search without selective pruning: its values are proven.
    pub const EXACT: Selectivity = Selectivity(SELECTIVITY_LEVELS.len() as u8);

    /// All levels, the lowest confidence first.
    pub fn all() -> impl DoubleEndedIterator<Item = Selectivity> {
        (0..=Self::EXACT.0).map(Selectivity)
    }

    /// The lowest level with at least this confidence.
    pub fn from_percent(percent: u8) -> Self {
        let level = SELECTIVITY_LEVELS.iter().position(|&(level, _)| level >= percent);
        Self(level.map_or(Self::EXACT.0, |level| level as u8))
    }

    /// The probability in percent that a cut is right: 100 for the exact search.
    pub fn percent(self) -> u8 {
        SELECTIVITY_LEVELS.get(usize::from(self.0)).map_or(100, |&(percent, _)| percent)
    }

    /// The number of the level, from 0.
    #[inline]
    pub const fn level(self) -> u8 {
        self.0
    }

    /// Whether nothing is pruned.
    #[inline]
    pub const fn is_exact(self) -> bool {
        self.0 >= Self::EXACT.0
    }

    /// Number of standard deviations by which a probe must be beyond the window.
    #[inline]
    pub(crate) fn deviations(self) -> f32 {
        SELECTIVITY_LEVELS[usize::from(self.0)].1
    }
}

impl fmt::Display for Selectivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.percent())
    }
}
