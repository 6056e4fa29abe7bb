//! Levels of Emilia in words: how each plays, and how long a move takes.

use engine::{Cost, Level, WeakPlay};
use search::Selectivity;
use serde::{Deserialize, Serialize};

use crate::time_span;

/// Words for the weak levels, from 0 in half steps.
const WEAK: [&str; 10] = [
    "just learned the rules",
    "likes edges",
    "takes corners",
    "guards the corners",
    "values mobility",
    "has some experience",
    "looks at your reply",
    "looks three moves ahead",
    "looks four moves ahead",
    "rarely overlooks a move",
];

/// Expected time of a move at a level: before the end, and at most when the end is searched.
pub fn expected_time(level: Level) -> String {
    let Cost { midgame, endgame } = level.cost();
    let (typical, longest) = (time_span::roughly(midgame), time_span::roughly(endgame.max(midgame)));
    if typical == longest { typical } else { format!("{typical} to {longest}") }
}

fn weak_words(level: Level) -> Option<&'static str> {
    let place = Level::all().take_while(|&other| other < level).count();
    WEAK.get(place).copied()
}

/// A level in a few words: how it plays if it is weak, else its search, from where on it solves, and the time.
pub fn in_few_words(level: Level) -> String {
    if let Some(words) = weak_words(level) {
        return words.to_owned();
    }
    let search = level.midgame();
    let solves_from = level.end(Selectivity::EXACT);
    format!("{}@{}, solves from {solves_from} empties, {}", search.depth, search.selectivity, expected_time(level))
}

/// A level in a line: `21@73%, endgame 73% from 30, 87% from 27, …, solves from 24 empties; 0.1 s to 2 s`.
pub fn in_full(level: Level) -> String {
    if let (Some(words), Some(play)) = (weak_words(level), level.weak_play()) {
        let WeakPlay { look_ahead, solves_from, .. } = play;
        let plies = if *look_ahead == 1 { "ply" } else { "plies" };
        let ending = match solves_from {
            0 => String::new(),
            1 => ", solves from 1 empty".to_owned(),
            empties => format!(", solves from {empties} empties"),
        };
        return format!("{words} ({look_ahead} {plies}{ending})");
    }
    let search = level.midgame();
    let solves_from = level.end(Selectivity::EXACT);
    let mut words = format!("{}@{}", search.depth, search.selectivity);
    let mut last = solves_from;
    for selectivity in Selectivity::all().filter(|selectivity| !selectivity.is_exact()) {
        let end = level.end(selectivity);
        if end > solves_from && end != last {
            let endgame = if last == solves_from { " endgame" } else { "" };
            words += &format!(",{endgame} {selectivity} from {end}");
            last = end;
        }
    }
    words + &format!(", solves from {solves_from} empties; {}", expected_time(level))
}

/// A level as data: how it plays and what it costs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LevelFacts {
    /// The level.
    pub level: Level,
    /// Search depth before the end, in plies.
    pub depth: u32,
    /// The confidence of selective pruning, in percent.
    pub selectivity: u8,
    /// From how many empty squares on the end is searched, and with which selectivity.
    pub ends: Vec<EndFacts>,
    /// Parameters of its play, for a weak level.
    pub weak_play: Option<WeakPlay>,
    /// Description in a few words.
    pub description: String,
    /// Expected time of a move before the end is searched, in seconds.
    pub midgame_seconds: f64,
    /// Longest expected time of a move when the end is searched, in seconds.
    pub endgame_seconds: f64,
}

/// Number of empty squares from which a level searches the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EndFacts {
    /// The confidence of selective pruning, in percent.
    pub selectivity: u8,
    /// From how many empty squares on.
    pub empties: u32,
}

impl LevelFacts {
    /// Facts of a level.
    pub fn of(level: Level) -> Self {
        let search = level.midgame();
        let weak_play = level.weak_play().copied();
        let empties = |selectivity: Selectivity| weak_play.map_or(level.end(selectivity), |play| play.solves_from);
        let end =
            |selectivity: Selectivity| EndFacts { selectivity: selectivity.percent(), empties: empties(selectivity) };
        let Cost { midgame, endgame } = level.cost();
        Self {
            level,
            depth: weak_play.map_or(search.depth, |play| play.look_ahead),
            selectivity: search.selectivity.percent(),
            ends: Selectivity::all().map(end).collect(),
            weak_play,
            description: in_few_words(level),
            midgame_seconds: midgame.as_secs_f64(),
            endgame_seconds: endgame.max(midgame).as_secs_f64(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_says_how_it_plays_within_a_line() {
        for level in Level::all() {
            let words = in_few_words(level);
            assert!(words.len() <= 52 && words.contains('@') != level.is_weak(), "{words}");
            assert!(in_full(level).len() <= 120, "{}", in_full(level));
        }
        let shown = |text: &str| in_few_words(text.parse().unwrap());
        assert_eq!(shown("0"), "just learned the rules");
        assert_eq!(shown("4.5"), WEAK[9]);
        assert_eq!(shown("5"), "5@100%, solves from 10 empties, instant");
        assert_eq!(shown("10"), "10@100%, solves from 20 empties, instant");
        assert_eq!(shown("20"), "20@73%, solves from 23 empties, instant to 1.1 s");
        let full = |number| in_full(Level::new(number).unwrap());
        assert_eq!(full(5), "5@100%, solves from 10 empties; instant");
        assert_eq!(
            full(21),
            "21@73%, endgame 73% from 30, 87% from 27, 95% from 26, 98% from 25, solves from 24 empties; 0.1 s to 2 s"
        );
    }
}
