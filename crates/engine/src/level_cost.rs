//! Cost of a level: the expected time of a move, before any search.

use std::time::Duration;

use search::Selectivity;

use crate::{Level, SearchCost};

/// Time of a move at a level, on one core of an ordinary machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost {
    /// Before the end is in reach.
    pub midgame: Duration,
    /// In the position that takes longest of those that are searched to the end.
    pub endgame: Duration,
}

/// The nodes of a midgame search of each depth that leaves nothing out, from depth 1 on.
///
/// The mean of 18 positions, after 12, 20 and 28 moves of the six games of `data/games/iago-paper.ggf`, by
/// `emilia hint data/games/iago-paper.ggf --game G --move M --level N --lines 1 --json`.
const FULL_WIDTH: [f64; 10] = [10.0, 59.0, 214.0, 724.0, 2.7e3, 7.0e3, 2.2e4, 6.1e4, 1.8e5, 5.0e5];

/// The nodes of a selective midgame search of depth 11, and the factor for each further move: by the same command at
/// levels 11 to 19.
const SELECTIVE: (f64, f64) = (1.3e4, 1.49);

/// Nodes a second that a core of an ordinary machine searches in the midgame and to the end, by `emilia bench`.
const MIDGAME_SPEED: f64 = 6e6;
const ENDGAME_SPEED: f64 = 3e7;

impl Level {
    /// Time of a move at this level: a rule of thumb, within a factor of three or so.
    pub fn cost(self) -> Cost {
        Cost { midgame: time(self.midgame_nodes(), MIDGAME_SPEED), endgame: time(self.endgame_nodes(), ENDGAME_SPEED) }
    }

    fn midgame_nodes(self) -> f64 {
        let depth = self.midgame().depth;
        match FULL_WIDTH.get(depth as usize - 1) {
            Some(&nodes) if self.midgame().selectivity.is_exact() => nodes,
            _ => SELECTIVE.0 * SELECTIVE.1.powf(f64::from(depth) - 11.0),
        }
    }

    /// The nodes of the most expensive search to the end: at the level's selectivity, after those below it.
    fn endgame_nodes(self) -> f64 {
        let nodes = |empty_count: u32| {
            let goal = self.goal(empty_count);
            let searches = Selectivity::all().filter(|selectivity| *selectivity <= goal.selectivity);
            let nodes: f64 = searches.map(|selectivity| SearchCost::nodes(empty_count, selectivity)).sum();
            if goal.depth < empty_count { 0.0 } else { nodes }
        };
        (1..=60).map(nodes).fold(0.0, f64::max)
    }
}

fn time(nodes: f64, speed: f64) -> Duration {
    // Far beyond any game the arithmetic of durations would overflow.
    Duration::from_secs_f64((nodes / speed).min(1e15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_higher_level_takes_no_less() {
        for (lower, higher) in Level::all().zip(Level::all().skip(1)) {
            assert!(higher.cost().endgame >= lower.cost().endgame, "level {}", higher);
        }
    }

    #[test]
    fn level_twenty_answers_in_seconds_and_the_highest_only_to_the_patient() {
        let cost = |number| Level::new(number).unwrap().cost();
        assert!(cost(0).midgame < Duration::from_millis(1));
        // By hand: 13,000 nodes times 1.49 to the 9th, at 6 million a second.
        assert!((cost(20).midgame.as_secs_f64() - 0.0784).abs() < 0.002, "{:?}", cost(20));
        assert!(cost(20).endgame < Duration::from_secs(5), "{:?}", cost(20));
        assert!(cost(60).endgame > Duration::from_secs(1_000_000_000));
    }
}
