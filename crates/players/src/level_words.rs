//! Levels of Emilia in words: what each does, and how long a move takes.

use engine::{Cost, Level};
use search::Selectivity;

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
        assert_eq!(shown(0), "1@100%, exact from 1, at once, errs by 36");
        assert_eq!(shown(10), "10@100%, exact from 20, at once to 0.2 s");
        assert_eq!(shown(20), "20@73%, exact from 23, 0.2 s to 1.8 s");
    }
}
