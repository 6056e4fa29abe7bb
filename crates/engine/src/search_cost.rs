//! Cost of searching a position to the end of the game, in nodes and in time on this machine.

use std::time::Duration;

use search::{SearchReport, Selectivity};

/// Expected cost of searches to the end on this machine, and the delays measured on it.
///
/// The number of nodes is a fact about the solver, measured once; the nodes per second are a fact about
/// the machine and its other business, measured with every search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchCost {
    nodes_per_second: f64,
    /// Whether the speed is that of a search to the end.
    is_measured: bool,
    /// Delay between the alarm and the end of a search, at worst: the machine had other business.
    pub delay: Duration,
    /// Time that a move takes on the clock besides the search, as measured by [`Overhead`](crate::Overhead).
    pub overhead: Duration,
    /// Maximum that the clock has shown in this game; zero if it was not seen yet.
    pub game_time: Duration,
}

/// The nodes of one search to the end at each confidence, the lowest first, when those before
/// have gone before: the number at [`MEASURED_AT`] empty squares and the factor for each further one.
///
/// Measured with `cargo run --release -p engine --example solve_cost -- 40 18 22`, on positions of games
/// between low levels; half of the positions take more.
const NODES: [(f64, f64); 6] =
    [(5.4e5, 1.58), (2.6e5, 1.98), (3.8e5, 2.12), (4.3e5, 2.21), (4.5e5, 2.35), (7.0e5, 2.61)];

/// The number of empty squares that [`NODES`] begins at.
const MEASURED_AT: f64 = 20.0;

/// One position in six takes this many times what the one in the middle takes.
const SPREAD: f64 = 2.1;

impl SearchCost {
    /// The speed of a slow machine, until one is measured.
    const DEFAULT_SPEED: f64 = 9e6;

    /// Ratio of the nodes per second of a search to the end and of one of the midgame, by `emilia bench`.
    const ENDGAME_SPEED_RATIO: f64 = 3.5;

    /// Factor by which a delay shrinks after each move.
    const DELAY_DECAY: f64 = 0.9;

    /// Minimum time of a search whose speed is measured.
    const MIN_TIME: Duration = Duration::from_millis(5);

    /// The nodes that a search to the end takes at this confidence, after those at lower ones.
    pub fn nodes(empty_count: u32, selectivity: Selectivity) -> f64 {
        let (nodes, factor) = NODES[usize::from(selectivity.level()).min(NODES.len() - 1)];
        nodes * factor.powf(f64::from(empty_count) - MEASURED_AT)
    }

    /// The time that a search to the end takes at this confidence, after those at lower ones.
    pub fn time(&self, empty_count: u32, selectivity: Selectivity) -> Duration {
        self.time_of(Self::nodes(empty_count, selectivity))
    }

    /// The time that is enough to solve five positions out of six with this many empty squares.
    pub(crate) fn time_to_solve(&self, empty_count: u32) -> Duration {
        self.time_of(Self::nodes_to_solve(empty_count) * SPREAD)
    }

    /// The time in seconds in which this many threads solve half of the positions with this many empty squares. Early in
    /// the game it is longer than a [`Duration`] should be.
    pub fn seconds_to_solve(&self, empty_count: u32, threads: u16) -> f64 {
        Self::nodes_to_solve(empty_count) / (self.nodes_per_second * f64::from(threads.max(1)))
    }

    fn nodes_to_solve(empty_count: u32) -> f64 {
        Selectivity::all().map(|selectivity| Self::nodes(empty_count, selectivity)).sum()
    }

    /// The greatest number of empty squares that can be expected to be solved in this time.
    pub fn solvable(&self, time: Duration) -> u32 {
        (1..=60).rev().find(|&empty_count| self.time_to_solve(empty_count) <= time).unwrap_or(0)
    }

    fn time_of(&self, nodes: f64) -> Duration {
        // Far beyond any clock the arithmetic of durations would overflow.
        Duration::from_secs_f64((nodes / self.nodes_per_second).min(1e9))
    }

    /// Takes the speed of a search into account; one to the end counts most.
    pub fn learn(&mut self, report: &SearchReport, to_the_end: bool) {
        if report.elapsed < Self::MIN_TIME || report.nodes == 0 || self.is_measured && !to_the_end {
            return;
        }
        let speed = report.nodes as f64 / report.elapsed.as_secs_f64();
        self.nodes_per_second = if to_the_end { speed } else { speed * Self::ENDGAME_SPEED_RATIO };
        self.is_measured |= to_the_end;
    }

    /// Takes note of how long after its alarm a search ended; a delay of long ago counts less and less.
    pub fn learn_delay(&mut self, delay: Duration) {
        self.delay = delay.max(self.delay.mul_f64(Self::DELAY_DECAY));
    }

    /// Takes note of what the clock shows.
    pub fn learn_clock(&mut self, remaining: Duration) {
        self.game_time = self.game_time.max(remaining);
    }
}

impl Default for SearchCost {
    fn default() -> Self {
        Self {
            nodes_per_second: Self::DEFAULT_SPEED,
            is_measured: false,
            delay: Duration::ZERO,
            overhead: Duration::ZERO,
            game_time: Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_empties_and_more_certainty_take_more_nodes() {
        for empty_count in 1..60 {
            for selectivity in Selectivity::all() {
                assert!(SearchCost::nodes(empty_count + 1, selectivity) > SearchCost::nodes(empty_count, selectivity));
            }
        }
        for (less, more) in Selectivity::all().zip(Selectivity::all().skip(1)) {
            assert!(SearchCost::nodes(30, more) > SearchCost::nodes(30, less));
        }
    }

    #[test]
    fn solvable_positions_take_no_longer_than_the_time_given() {
        let effort = SearchCost::default();
        for seconds in [0, 1, 10, 1_000, 100_000] {
            let time = Duration::from_secs(seconds);
            let empty_count = effort.solvable(time);
            assert!(empty_count == 0 || effort.time_to_solve(empty_count) <= time);
            assert!(effort.time_to_solve(empty_count + 1) > time);
        }
    }

    #[test]
    fn a_faster_machine_solves_more() {
        let report = |nodes| SearchReport {
            iteration: search::Iteration { depth: 20, selectivity: Selectivity::EXACT },
            exact: true,
            lines: Vec::new(),
            nodes,
            elapsed: Duration::from_secs(1),
        };
        let (mut slow, mut fast) = (SearchCost::default(), SearchCost::default());
        slow.learn(&report(1_000_000), true);
        fast.learn(&report(100_000_000), true);
        let time = Duration::from_secs(10);
        assert!(fast.solvable(time) > slow.solvable(time));
        // What was measured at the end is not overruled by the midgame.
        let solvable = fast.solvable(time);
        fast.learn(&report(1_000_000), false);
        assert_eq!(fast.solvable(time), solvable);
    }
}
