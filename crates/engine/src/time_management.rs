//! Time for a move: how much of the clock it gets, and when to end the thinking.
//!
//! The base is the rule of BILL (Lee and Mahajan 1990, section 3.5), which has it from HITECH: when an
//! iteration is done, the next one begins if less than 40% of the time allocated to the move is used; from
//! 40% to 100%, only if the last two iterations disagree about the move; never after that. An alarm at
//! 108% ends an iteration under way, and the move of the one before it is played.

use std::time::Duration;

use crate::GameClock;
use crate::search_cost::SearchCost;

/// The time allocated to a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allocation {
    /// Before this, another iteration begins even if the move is settled.
    settling: Duration,
    /// The time that the move should take at most.
    pub time: Duration,
    /// The time after which an iteration under way is ended.
    pub alarm: Duration,
}

impl Allocation {
    /// The share of the time up to which another iteration always begins.
    const SETTLING: f64 = 0.4;
    /// The share of the time at which an iteration is ended.
    const ALARM: f64 = 1.08;

    /// Minimum time of a move besides the search: messages, and the start and end of a search. Beyond it, the time is
    /// measured, see [`Overhead`](crate::Overhead).
    const OVERHEAD: Duration = Duration::from_millis(2);
    /// Time that stays on the clock in any case: half of the time for the game, but within these limits. On a machine
    /// with more to do than it has processors, a program waits for 25 ms again and again, and at times, with seven
    /// programs waiting for each processor, for 400 ms; with less than this on the clock the move is played without a
    /// search. Measured by `emilia match emilia emilia --time 1s` while others were busy.
    const RESERVE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_millis(300));
    /// An allocation below this finds nothing that a look one move ahead does not.
    const MIN_TIME: Duration = Duration::from_micros(500);

    /// The share of the clock in which the end of the game should be solved once it is in reach: the moves
    /// after that cost nothing.
    const TO_SOLVE: f64 = 1.0 / 3.0;
    /// Maximum share of the clock that one move gets.
    const MAX_SHARE: f64 = 0.5;
    /// Time that is kept for the search that solves the end, as a multiple of that of an ordinary move.
    const KEPT_FOR_THE_END: f64 = 4.0;
    /// The part of their time that moves take on average, because most are settled early: measured over games
    /// of Emilia against itself, `emilia play --engine emilia --against emilia --time 10s --json`.
    const USED: f64 = 0.6;

    /// A time given for this move alone: all of it is used.
    pub fn of_move_time(time: Duration) -> Self {
        let alarm = time - Self::OVERHEAD.min(time / 4);
        Self { settling: alarm, time: alarm, alarm }
    }

    /// A share of the clock of the side to move, with this many empty squares left.
    pub fn of_clock(clock: &GameClock, empty_count: u32, effort: &SearchCost) -> Self {
        let moves = empty_count.div_ceil(2).max(1);
        let usable = Self::usable(clock, moves, effort);
        let most = usable.mul_f64(if moves == 1 { 1.0 } else { Self::MAX_SHARE } / Self::ALARM);
        let solvable = effort.solvable(usable.mul_f64(Self::TO_SOLVE));
        let time = if empty_count <= solvable {
            most
        } else {
            // Of the moves before the end is in reach, the last gets twice the time of the first.
            let before = f64::from((empty_count - solvable).div_ceil(2));
            let shares = (1.5 * before - 0.5 + Self::KEPT_FOR_THE_END) * Self::USED;
            (usable.div_f64(shares) + clock.increment.mul_f64(0.9)).min(most)
        };
        if time < Self::MIN_TIME {
            return Self::NOTHING;
        }
        Self::of_share(time)
    }

    /// No time: the move is played without a search.
    pub const NOTHING: Self = Self { settling: Duration::ZERO, time: Duration::ZERO, alarm: Duration::ZERO };

    /// A share of a clock, to be used as BILL does.
    pub fn of_share(time: Duration) -> Self {
        Self { settling: time.mul_f64(Self::SETTLING), time, alarm: time.mul_f64(Self::ALARM) }
    }

    /// Time of the clock that can be used for this move and all later ones together.
    fn usable(clock: &GameClock, moves: u32, effort: &SearchCost) -> Duration {
        let overhead = Self::OVERHEAD.max(effort.overhead).saturating_sub(clock.increment) * moves;
        let (least, most) = Self::RESERVE;
        let reserve = (effort.game_time.max(clock.remaining) / 2).clamp(least, most);
        // Where the machine has let us wait, it will do so again.
        clock.remaining.saturating_sub(reserve + overhead + 2 * effort.delay)
    }

    /// The same, but over at the latest when the other is.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            settling: self.settling.min(other.settling),
            time: self.time.min(other.time),
            alarm: self.alarm.min(other.alarm),
        }
    }

    /// Whether to think at all, instead of playing what a look one move ahead finds.
    pub fn allows_thought(&self) -> bool {
        self.alarm > Duration::ZERO
    }

    /// Whether to begin another iteration after this time.
    ///
    /// `settled` means that the last two iterations chose the same move. An iteration whose expected time is far more
    /// than what is left is not begun; one that brings the end of the game nearer to a proof (`is_final`) and should be
    /// done in time is, settled or not.
    pub fn begins_another(&self, elapsed: Duration, settled: bool, expected: Duration, is_final: bool) -> bool {
        if elapsed >= self.time || elapsed.saturating_add(expected / 2) > self.alarm {
            return false;
        }
        elapsed < self.settling || !settled || is_final && elapsed + expected <= self.time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_TIME: Duration = Duration::ZERO;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn clock(remaining: f64, increment: f64) -> GameClock {
        GameClock { remaining: seconds(remaining), increment: seconds(increment) }
    }

    fn hundred_seconds() -> Allocation {
        Allocation::of_share(seconds(100.0))
    }

    #[test]
    fn the_rule_is_that_of_bill() {
        let goes_on = |elapsed, settled| hundred_seconds().begins_another(seconds(elapsed), settled, NO_TIME, false);
        assert!(goes_on(39.0, true) && goes_on(39.0, false));
        assert!(!goes_on(41.0, true) && goes_on(41.0, false));
        assert!(!goes_on(99.0, true) && goes_on(99.0, false));
        assert!(!goes_on(101.0, true) && !goes_on(101.0, false));
        let share = Allocation::of_clock(&clock(1800.0, 0.0), 60, &SearchCost::default());
        assert_eq!(share.alarm, share.time.mul_f64(1.08));
    }

    #[test]
    fn an_iteration_is_begun_if_it_can_end_in_time_and_a_proof_even_when_the_move_is_settled() {
        for (elapsed, settled, expected, is_final, begins) in [
            (20.0, false, 500.0, true, false),
            (20.0, false, 100.0, true, true),
            (60.0, true, 30.0, true, true),
            (60.0, true, 30.0, false, false),
            (60.0, true, 50.0, true, false),
        ] {
            let found = hundred_seconds().begins_another(seconds(elapsed), settled, seconds(expected), is_final);
            assert_eq!(found, begins, "{elapsed} {settled} {expected} {is_final}");
        }
    }

    /// Plays a game by the clock alone: every move takes this part of the time up to its alarm, and the
    /// overhead on top.
    fn game(clock: GameClock, part: f64, overhead: Duration) -> (GameClock, Vec<Duration>) {
        game_with(SearchCost::default(), clock, part, overhead)
    }

    fn game_with(
        mut effort: SearchCost,
        mut clock: GameClock,
        part: f64,
        overhead: Duration,
    ) -> (GameClock, Vec<Duration>) {
        let mut times = Vec::new();
        for empty_count in (1..=60).rev().step_by(2) {
            effort.learn_clock(clock.remaining);
            let allocation = Allocation::of_clock(&clock, empty_count, &effort);
            let time = allocation.alarm.mul_f64(part) + overhead;
            assert!(clock.spend(time), "{empty_count} empties: {time:?} taken, too much by {:?}", clock.remaining);
            times.push(time);
        }
        (clock, times)
    }

    #[test]
    fn the_clock_never_runs_out_even_if_every_move_takes_until_its_alarm() {
        for remaining in [0.1, 0.2, 0.5, 1.0, 5.0, 60.0, 300.0, 1800.0, 86_400.0] {
            for increment in [0.0, 0.01, 0.1, 3.0, 30.0] {
                game(clock(remaining, increment), 1.0, Duration::from_millis(2));
            }
        }
        // A slower line to the opponent needs a clock that can pay for it.
        for remaining in [1.0, 5.0, 60.0] {
            game(clock(remaining, 0.0), 1.0, Duration::from_millis(5));
        }
    }

    #[test]
    fn a_large_part_of_a_long_clock_is_used_and_later_moves_get_more() {
        let (clock, times) = game(clock(1800.0, 0.0), Allocation::USED, NO_TIME);
        assert!(clock.remaining < seconds(180.0), "{:?} are left", clock.remaining);
        assert!(times[15] > times[0].mul_f64(1.2), "{times:?}");
        assert!(times[0] > seconds(20.0), "{times:?}");
    }

    #[test]
    fn with_next_to_no_time_the_move_is_played_immediately() {
        for remaining in [0.0, 0.001, 0.01, 0.1, 0.15] {
            let allocation = Allocation::of_clock(&clock(remaining, 0.0), 50, &SearchCost::default());
            assert!(!allocation.allows_thought(), "{remaining}");
        }
        assert!(Allocation::of_clock(&clock(0.3, 0.0), 60, &SearchCost::default()).allows_thought());
    }

    #[test]
    fn a_reserve_stays_on_the_clock_for_a_machine_that_stops_responding() {
        for (time, least) in [(0.5, 0.2), (1.0, 0.25), (5.0, 0.25), (1800.0, 0.25)] {
            let (clock, _) = game(clock(time, 0.0), 1.0, NO_TIME);
            assert!(clock.remaining > seconds(least), "{:?} of {time} s are left", clock.remaining);
        }
    }

    #[test]
    fn less_time_is_used_on_a_machine_that_delays_searches() {
        let mut loaded = SearchCost::default();
        loaded.learn_delay(Duration::from_millis(80));
        let clock = clock(1.0, 0.0);
        let [idle, careful] = [SearchCost::default(), loaded].map(|effort| Allocation::of_clock(&clock, 40, &effort));
        assert!(careful.time < idle.time && careful.allows_thought());
    }

    #[test]
    fn a_measured_overhead_of_moves_is_deducted() {
        let mut effort = SearchCost::default();
        effort.overhead = Duration::from_millis(20);
        let (clock, _) = game_with(effort, clock(1.0, 0.0), 1.0, effort.overhead);
        // The last move may use all but the reserve, to the nanosecond.
        assert!(clock.remaining + Duration::from_micros(1) >= Allocation::RESERVE.1);
    }

    #[test]
    fn an_increment_is_used_but_never_before_it_is_there() {
        let with = Allocation::of_clock(&clock(60.0, 5.0), 50, &SearchCost::default());
        let without = Allocation::of_clock(&clock(60.0, 0.0), 50, &SearchCost::default());
        assert!(with.time > without.time + seconds(4.0));
        let first = Allocation::of_clock(&clock(1.0, 30.0), 50, &SearchCost::default());
        assert!(first.alarm < seconds(1.0));
    }

    #[test]
    fn a_time_for_the_move_is_used_up_and_not_overstepped() {
        for time in [0.001, 0.01, 0.1, 1.0, 100.0] {
            let allocation = Allocation::of_move_time(seconds(time));
            assert!(allocation.alarm < seconds(time) && allocation.alarm >= seconds(time * 0.7));
            assert!(allocation.begins_another(allocation.alarm.mul_f64(0.9), true, NO_TIME, false));
        }
    }

    #[test]
    fn the_shorter_of_two_limits_holds() {
        let clock = Allocation::of_clock(&clock(1800.0, 0.0), 60, &SearchCost::default());
        let short = Allocation::of_move_time(seconds(1.0));
        assert_eq!(clock.and(short), short);
        assert_eq!(Allocation::of_move_time(seconds(1000.0)).and(clock), clock);
    }
}
