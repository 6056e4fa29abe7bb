//! Iterative deepening: which search of the root comes next.

use std::time::Duration;

use evaluation::Cuts;
use search::{Iteration, SearchReport, Selectivity, solving};

use crate::search_cost::SearchCost;
use crate::time_management::Allocation;
use crate::{Level, Limits};

/// The way to a goal: deeper and deeper searches, then searches to the end with rising confidence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deepening {
    empty_count: u32,
    /// Nothing is searched beyond this.
    goal: Iteration,
    /// Kind of searches that ProbCut prunes: the others need no steps of lower confidence before them.
    cuts: Cuts,
    /// The time that the move has, if it is limited.
    pub(crate) allocation: Option<Allocation>,
    nodes: Option<u64>,
    effort: SearchCost,
}

impl Deepening {
    /// The way that these limits allow for a position with this many empty squares.
    pub(crate) fn new(empty_count: u32, limits: &Limits, level: Option<Level>, effort: SearchCost, cuts: Cuts) -> Self {
        let clock = limits.clock.map(|clock| Allocation::of_clock(&clock, empty_count, &effort));
        let move_time = limits.move_time.map(Allocation::of_move_time);
        let allocation = match (clock, move_time) {
            (Some(clock), Some(time)) => Some(clock.and(time)),
            (clock, time) => clock.or(time),
        };
        Self {
            empty_count,
            goal: goal(empty_count, limits, level, cuts),
            cuts,
            allocation,
            nodes: limits.nodes,
            effort,
        }
    }

    /// The search that comes next, if there is reason and time for one.
    pub(crate) fn next(&self, reports: &[SearchReport]) -> Option<Iteration> {
        let last = reports.last()?;
        if last.exact || self.empty_count == 0 {
            return None;
        }
        let next = self.next_towards_goal(reports)?;
        let Some(allocation) = self.allocation else { return Some(next) };
        let to_the_end = next.depth >= self.empty_count;
        let goes_on =
            allocation.begins_another(last.elapsed, is_settled(reports), self.expected(&next, reports), to_the_end);
        goes_on.then_some(next)
    }

    /// Whether the goal will be reached in any case: there is no limit but the goal.
    fn is_certain(&self) -> bool {
        self.allocation.is_none() && self.nodes.is_none()
    }

    fn next_towards_goal(&self, reports: &[SearchReport]) -> Option<Iteration> {
        let last = reports.last()?;
        let Iteration { depth, selectivity } = last.iteration;
        // The first report only looks one move ahead, even if that is the last one.
        let at_the_end = depth >= self.empty_count && reports.len() > 1;
        if self.goal.depth < self.empty_count {
            let depth = if self.is_certain() { step_to(self.goal.depth, depth)? } else { depth + 1 };
            return (depth <= self.goal.depth).then_some(Iteration { depth, selectivity: self.midgame_selectivity() });
        }
        let next = if self.is_certain() || at_the_end || self.end_is_in_reach(last) {
            solving(self.empty_count, reports)?
        } else {
            let depth = depth + 1;
            Iteration { depth, selectivity: self.midgame_selectivity() }
        };
        if next.depth < self.empty_count {
            return Some(next);
        }
        if at_the_end && selectivity >= self.goal.selectivity {
            return None;
        }
        if !self.cuts.include_endgame() {
            return Some(Iteration { selectivity: Selectivity::EXACT, ..next });
        }
        Some(Iteration { selectivity: next.selectivity.min(self.goal.selectivity), ..next })
    }

    /// The selectivity of the searches on the way. Where only time or nodes limit them, full-width searches
    /// would take most of it: the depth that they cost is worth far more.
    fn midgame_selectivity(&self) -> Selectivity {
        if self.goal.depth < self.empty_count { self.goal.selectivity } else { Selectivity::LOWEST }
    }

    /// Whether a first search to the end can be expected to be done with what is left of time and nodes.
    fn end_is_in_reach(&self, last: &SearchReport) -> bool {
        let is_exact = self.empty_count < 18 || !self.cuts.include_endgame();
        let selectivity = if is_exact { Selectivity::EXACT } else { Selectivity::LOWEST };
        let in_time = self
            .allocation
            .is_none_or(|allocation| last.elapsed + self.effort.time(self.empty_count, selectivity) <= allocation.time);
        let in_nodes = self
            .nodes
            .is_none_or(|max| last.nodes as f64 + SearchCost::nodes(self.empty_count, selectivity) <= max as f64);
        in_time && in_nodes
    }

    fn expected(&self, next: &Iteration, reports: &[SearchReport]) -> Duration {
        let [.., before, last] = reports else { return Duration::ZERO };
        let last_time = last.elapsed.saturating_sub(before.elapsed);
        if next.depth < self.empty_count {
            // It looks deeper than the last one: that long at least.
            return last_time;
        }
        let expected = self.effort.time(self.empty_count, next.selectivity);
        if last.iteration.depth < self.empty_count {
            return expected;
        }
        // Positions differ much more than the steps from one confidence to the next.
        let expected_before = self.effort.time(self.empty_count, last.iteration.selectivity);
        last_time.mul_f64((expected.as_secs_f64() / expected_before.as_secs_f64().max(1e-9)).clamp(1.0, 100.0))
    }
}

/// Depth and selectivity of the last search under these limits.
fn goal(empty_count: u32, limits: &Limits, level: Option<Level>, cuts: Cuts) -> Iteration {
    let selectivity = limits.selectivity.map(|percent| Selectivity::from_percent(percent.min(100) as u8));
    let perfect = Iteration { depth: empty_count, selectivity: selectivity.unwrap_or(Selectivity::EXACT) };
    let by_depth = limits.depth.filter(|&depth| depth < empty_count).map(|depth| Iteration {
        depth: depth.max(1),
        selectivity: selectivity.unwrap_or(midgame_selectivity(depth, cuts)),
    });
    let by_level = level.map(|level| level_goal(level, empty_count, cuts)).map(|goal| Iteration {
        depth: goal.depth.min(empty_count),
        selectivity: selectivity.map_or(goal.selectivity, |selectivity| selectivity.min(goal.selectivity)),
    });
    [by_depth, by_level].into_iter().flatten().min_by_key(|goal| (goal.depth, goal.selectivity)).unwrap_or(perfect)
}

/// The selectivity of a midgame search of this depth: with a single level of ProbCut all of them are pruned, as its paper
/// describes.
fn midgame_selectivity(depth: u32, cuts: Cuts) -> Selectivity {
    if cuts == Cuts::Everywhere { Level::midgame_selectivity(depth) } else { Selectivity::LOWEST }
}

/// Goal of a level. If searches to the end are not pruned, even that with the lowest confidence would be exact and take
/// too long: then the depth is that of the midgame instead.
fn level_goal(level: Level, empty_count: u32, cuts: Cuts) -> Iteration {
    let goal = level.goal(empty_count);
    if cuts.include_endgame() {
        return goal;
    }
    if goal.depth >= empty_count && goal.selectivity.is_exact() {
        return goal;
    }
    let depth = level.midgame().depth;
    Iteration { depth, selectivity: midgame_selectivity(depth, cuts) }
}

/// Two plies deeper, so that the depths are all even or all odd, as the goal is: values of odd and even
/// depths differ.
fn step_to(goal: u32, depth: u32) -> Option<u32> {
    match goal.checked_sub(depth)? {
        0 => None,
        1 => Some(goal),
        gap => Some(depth + 2 - gap % 2),
    }
}

fn is_settled(reports: &[SearchReport]) -> bool {
    let [.., before, last] = reports else { return false };
    before.best_move() == last.best_move()
}

#[cfg(test)]
mod tests {
    use evaluation::Value;
    use othello::Square;
    use search::Line;

    use super::*;
    use crate::GameClock;

    /// Runs the iterations with a search that takes `time` for each of them; with `fickle`, every iteration has another
    /// best move than the one before.
    fn follow(deepening: &Deepening, mut time: impl FnMut(&Iteration) -> Duration, fickle: bool) -> Vec<SearchReport> {
        let empty_count = deepening.empty_count;
        let report = |iteration: Iteration, exact, elapsed: Duration, square| SearchReport {
            iteration,
            exact,
            lines: vec![Line { value: Value::EVEN, moves: vec![Square::new(square)] }],
            nodes: elapsed.as_micros() as u64 * 10,
            elapsed,
        };
        let first = Iteration { depth: 1, selectivity: Selectivity::EXACT };
        let mut reports = vec![report(first, false, Duration::ZERO, 0)];
        while let Some(iteration) = deepening.next(&reports) {
            assert!(reports.len() < 200, "an endless way");
            let exact = iteration.depth >= empty_count && iteration.selectivity.is_exact();
            let elapsed = reports.last().unwrap().elapsed + time(&iteration);
            let square = if fickle { reports.len() as u8 % 2 } else { 0 };
            reports.push(report(iteration, exact, elapsed, square));
        }
        reports
    }

    fn last(reports: &[SearchReport]) -> Iteration {
        reports.last().unwrap().iteration
    }

    fn deepening(empty_count: u32, limits: &Limits) -> Deepening {
        Deepening::new(empty_count, limits, None, SearchCost::default(), Cuts::Everywhere)
    }

    /// The reports of iterations that take no time.
    fn reports(empty_count: u32, limits: &Limits, level: Option<Level>, cuts: Cuts) -> Vec<SearchReport> {
        let deepening = Deepening::new(empty_count, limits, level, SearchCost::default(), cuts);
        follow(&deepening, |_| Duration::ZERO, false)
    }

    #[test]
    fn without_limits_the_way_leads_to_the_proven_end() {
        for empty_count in 1..=60 {
            let reports = reports(empty_count, &Limits::default(), None, Cuts::Everywhere);
            assert!(reports.last().unwrap().exact, "{empty_count} empties");
        }
    }

    #[test]
    fn every_level_reaches_its_goal_and_nothing_beyond() {
        for level in Level::all() {
            for empty_count in 1..=60 {
                let reports = reports(empty_count, &Limits::default(), Some(level), Cuts::Everywhere);
                let goal = level.goal(empty_count);
                let goal = Iteration { depth: goal.depth.min(empty_count), ..goal };
                assert_eq!(last(&reports), goal, "level {}, {empty_count} empties", level.whole());
            }
        }
    }

    #[test]
    fn a_depth_is_reached_and_not_passed() {
        for depth in 1..30 {
            for (nodes, name) in [(None, "alone"), (Some(u64::MAX), "with plenty of nodes")] {
                let limits = Limits { nodes, ..Limits::of_depth(depth) };
                assert_eq!(last(&reports(40, &limits, None, Cuts::Everywhere)).depth, depth, "{name}");
            }
        }
        let limits = Limits { selectivity: Some(95), ..Limits::of_depth(60) };
        let reached = last(&reports(30, &limits, None, Cuts::Everywhere));
        assert_eq!(reached, Iteration { depth: 30, selectivity: Selectivity::from_percent(95) });
        // Of level and depth the nearer goal counts.
        let reached = |depth, level: u32| {
            last(&reports(40, &Limits::of_depth(depth), Level::new(level).ok(), Cuts::Everywhere)).depth
        };
        assert_eq!((reached(6, 12), reached(20, 4)), (6, 4));
    }

    /// An iteration takes twice as long as the one two plies before it.
    fn doubling(iteration: &Iteration) -> Duration {
        Duration::from_secs_f64(0.001 * 1.5_f64.powi(iteration.depth as i32))
    }

    #[test]
    fn a_move_that_stays_the_same_is_settled_earlier() {
        let deepening = deepening(50, &Limits::of_clock(GameClock::new(Duration::from_secs(300))));
        let [settled, fickle] = [false, true].map(|fickle| follow(&deepening, doubling, fickle));
        assert!(last(&fickle).depth > last(&settled).depth);
        for reports in [settled, fickle] {
            // The iteration under way is ended by the alarm, not by the way itself.
            let before = &reports[reports.len() - 2];
            assert!(before.elapsed < deepening.allocation.unwrap().time);
        }
    }

    #[test]
    fn a_move_time_is_used_up_whether_the_move_is_settled_or_not() {
        let deepening = deepening(50, &Limits::of_time(Duration::from_secs(1)));
        let depths = [false, true].map(|fickle| last(&follow(&deepening, doubling, fickle)).depth);
        assert_eq!(depths[0], depths[1]);
    }

    #[test]
    fn no_time_is_spent_on_searches_that_leave_nothing_out() {
        let clock = Limits::of_clock(GameClock::new(Duration::from_secs(60)));
        for limits in [Limits::of_time(Duration::from_secs(1)), clock, Limits::of_nodes(1_000_000)] {
            let reports = follow(&deepening(50, &limits), doubling, true);
            assert!(reports.len() > 10, "{} reports", reports.len());
            // No nodes are counted here: the iterations may lead to the end.
            for report in reports[1..].iter().filter(|report| report.iteration.depth < 50) {
                assert_eq!(report.iteration.selectivity, Selectivity::LOWEST, "{:?}", report.iteration);
            }
        }
    }

    #[test]
    fn without_pruning_endings_are_solved_immediately_and_no_level_tries_those_out_of_its_reach() {
        let single = Cuts::Single { deep: 8, shallow: 4, deviations: 1.5 };
        for level in Level::all() {
            for empty_count in 1..=60 {
                let reports = reports(empty_count, &Limits::default(), Some(level), single);
                let is_perfect = empty_count <= level.end(Selectivity::EXACT);
                let depth = if is_perfect { empty_count } else { level.midgame().depth.min(empty_count) };
                assert_eq!(last(&reports).depth, depth, "level {}, {empty_count} empties", level.whole());
            }
        }
        let clock = Limits::of_clock(GameClock::new(Duration::from_secs(100)));
        for limits in [Limits::of_time(Duration::from_secs(1)), clock, Limits::default()] {
            for empty_count in 2..60 {
                let deepening = Deepening::new(empty_count, &limits, None, SearchCost::default(), single);
                let reports = follow(&deepening, |_| Duration::from_micros(10), false);
                let to_the_end = reports[1..].iter().filter(|report| report.iteration.depth >= empty_count);
                assert!(to_the_end.clone().count() <= 1 && to_the_end.clone().all(|report| report.exact));
            }
        }
    }

    #[test]
    fn an_end_within_reach_of_the_clock_is_solved() {
        let limits = Limits::of_clock(GameClock::new(Duration::from_secs(100)));
        for empty_count in 2..20 {
            let time = |iteration: &Iteration| match iteration.depth < empty_count {
                true => Duration::from_millis(1),
                false => SearchCost::default().time(empty_count, iteration.selectivity),
            };
            let reports = follow(&deepening(empty_count, &limits), time, false);
            assert!(reports.last().unwrap().exact, "{empty_count} empties");
        }
        // One far out of reach is not even tried.
        assert!(last(&follow(&deepening(45, &limits), doubling, true)).depth < 45);
    }
}
