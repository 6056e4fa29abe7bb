//! Levels of Emilia in words: what each does, and how long a move takes.

use engine::{Cost, Level};
use search::Selectivity;
use serde::{Deserialize, Serialize};

use crate::time_span;

/// How long a move takes at a level: before the end, and at most when the end is searched.
pub fn expected_time(level: Level) -> String {
    let Cost { midgame, endgame } = level.cost();
    let (usual, longest) = (time_span::roughly(midgame), time_span::roughly(endgame.max(midgame)));
    if usual == longest { usual } else { format!("{usual} to {longest}") }
}

/// A level in a few words: depth and selectivity, from where on it is exact, what it takes.
pub fn in_few_words(level: Level) -> String {
    let search = level.midgame();
    let mut words = format!("{}@{}", search.depth, search.selectivity);
    words += &format!(", exact from {}, {}", level.end(Selectivity::EXACT), expected_time(level));
    if level.wavering() > 0.0 {
        words += &format!(", errs by {}", level.wavering());
    }
    words
}

/// A level as data: what it does and what it costs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LevelFacts {
    /// The number of the level.
    pub level: u32,
    /// How many moves it looks ahead before the end.
    pub depth: u32,
    /// How sure it is, in percent, before a branch is cut short.
    pub selectivity: u8,
    /// From how many empty squares on the end is searched, and how surely.
    pub ends: Vec<EndFacts>,
    /// How far, in discs, its judgement errs.
    pub wavering: f32,
    /// What a move is expected to take before the end is searched.
    pub midgame_seconds: f64,
    /// What a move is expected to take at most when the end is searched.
    pub endgame_seconds: f64,
}

/// From where on a level searches the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EndFacts {
    /// How surely, in percent.
    pub selectivity: u8,
    /// From how many empty squares on.
    pub empties: u32,
}

impl LevelFacts {
    /// Those of a level.
    pub fn of(level: Level) -> Self {
        let search = level.midgame();
        let end = |sure: Selectivity| EndFacts { selectivity: sure.percent(), empties: level.end(sure) };
        let Cost { midgame, endgame } = level.cost();
        Self {
            level: level.number(),
            depth: search.depth,
            selectivity: search.selectivity.percent(),
            ends: Selectivity::all().map(end).collect(),
            wavering: level.wavering(),
            midgame_seconds: midgame.as_secs_f64(),
            endgame_seconds: endgame.max(midgame).as_secs_f64(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_says_what_it_costs_within_a_line() {
        for level in Level::all() {
            let words = in_few_words(level);
            assert!(words.contains('@') && words.len() < 46, "{words}");
        }
        let shown = |number| in_few_words(Level::new(number).unwrap());
        assert_eq!(shown(0), "1@100%, exact from 1, instant, errs by 36");
        assert_eq!(shown(10), "10@100%, exact from 20, instant to 0.2 s");
        assert_eq!(shown(20), "20@73%, exact from 23, 0.2 s to 1.8 s");
    }
}
