//! Time per move (section 3.5): a share of the clock that grows during the game, most for the first endgame search.
//!
//! The paper says what happens with a share (40%, 100%, 108%: [`engine::Allocation`] has that rule) and that it depends
//! on the time left and on the number of the move, more for later ones; the figures here are ours.

use std::time::Duration;

use engine::{Allocation, GameClock};

use super::settings::BillSettings;

/// The number of empty squares at which the first endgame search is expected.
const ENDGAME: u32 = 18;

/// The time reserved for the endgame, in units of an ordinary move.
const KEPT_FOR_THE_ENDGAME: f64 = 4.0;

/// By how much each move's share exceeds the previous one, as a fraction of the current share.
const GROWTH: f64 = 0.05;

/// The fraction of their shares that moves use on average, since many are decided earlier; measured in games with a
/// clock.
const USED: f64 = 0.7;

/// The time that a move costs besides thinking.
const OVERHEAD: Duration = Duration::from_millis(2);

/// The reserve that is never used: a thirtieth of the time for the game, within these bounds, and at most half of it.
/// Busy machines make a program wait.
const RESERVE: (Duration, Duration) = (Duration::from_millis(300), Duration::from_secs(3));
/// However short the game is.
const MIN_RESERVE: Duration = Duration::from_millis(100);

/// With a share below this, one ply is as good.
const LEAST: Duration = Duration::from_micros(500);

/// The share of a clock that a move gets, with this many empty squares left and this much time for the game at its
/// beginning; `None` if the move has to be played immediately.
pub fn share_of_clock(clock: &GameClock, empty_count: u32, game_time: Duration) -> Option<Allocation> {
    let moves = empty_count.div_ceil(2).max(1);
    let game_time = game_time.max(clock.remaining);
    let reserve = (game_time / 30).clamp(RESERVE.0, RESERVE.1).min((game_time / 2).max(MIN_RESERVE));
    let overhead = OVERHEAD.saturating_sub(clock.increment) * moves;
    let usable = clock.remaining.saturating_sub(reserve + overhead);
    // The alarm at 108% must fit too.
    let most = usable.mul_f64(if moves == 1 { 0.9 } else { 0.45 });
    let time = if empty_count <= ENDGAME {
        most
    } else {
        // In units of this move's share, later moves get increasingly more.
        let before = f64::from((empty_count - ENDGAME).div_ceil(2));
        let average = 1.0 + GROWTH * before / 2.0;
        let shares = (before * average + KEPT_FOR_THE_ENDGAME * (1.0 + GROWTH * before)) * USED;
        (usable.div_f64(shares) + clock.increment.mul_f64(0.9)).min(most)
    };
    (time >= LEAST).then(|| Allocation::of_share(time))
}

/// BILL's clock on its original machine, on which nodes take the place of time: one for each color, in case it plays
/// both sides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct NodeClock {
    game_time: Duration,
    remaining: [Option<Duration>; 2],
}

impl NodeClock {
    const SPEED: f64 = BillSettings::HISTORICAL_NODES_PER_SECOND;

    /// A clock with this many minutes for a game.
    pub(super) fn of_minutes(minutes: u32) -> Self {
        Self { game_time: Duration::from_secs(60 * u64::from(minutes)), remaining: [None; 2] }
    }

    /// The time that this many nodes take.
    pub(super) fn time_of(nodes: u64) -> Duration {
        Duration::from_secs_f64(nodes as f64 / Self::SPEED)
    }

    /// The nodes that fit in a time.
    pub(super) fn nodes_in(time: Duration) -> u64 {
        (time.as_secs_f64() * Self::SPEED) as u64
    }

    /// The share of a side (0 Black, 1 White) for a move with this many empty squares. A game that starts from a later
    /// position starts with the time that is usually left there.
    pub(super) fn share(&mut self, side: usize, empty_count: u32) -> Allocation {
        let game_time = self.game_time;
        let remaining = *self.remaining[side & 1].get_or_insert_with(|| usually_left(game_time, empty_count));
        share_of_clock(&GameClock::new(remaining), empty_count, game_time).unwrap_or(Allocation::NOTHING)
    }

    /// Subtracts the nodes of a move.
    pub(super) fn spend(&mut self, side: usize, nodes: u64) {
        if let Some(remaining) = &mut self.remaining[side & 1] {
            *remaining = remaining.saturating_sub(Self::time_of(nodes));
        }
    }
}

/// The time that a side has left with this many empty squares, if its moves before took what moves take on average.
fn usually_left(game_time: Duration, empty_count: u32) -> Duration {
    let mut clock = GameClock::new(game_time);
    let first = 60 - (60 - empty_count.min(60)) % 2;
    for empty_count in (empty_count + 1..=first).rev().step_by(2) {
        if let Some(share) = share_of_clock(&clock, empty_count, game_time) {
            clock.remaining = clock.remaining.saturating_sub(share.time.mul_f64(USED));
        }
    }
    clock.remaining
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn clock(remaining: f64, increment: f64) -> GameClock {
        GameClock { remaining: seconds(remaining), increment: seconds(increment) }
    }

    #[test]
    fn the_next_iteration_begins_by_the_rule_of_40_100_and_108_percent() {
        let share = share_of_clock(&clock(1800.0, 0.0), 40, Duration::ZERO).unwrap();
        let goes_on =
            |part: f64, settled| share.begins_another(share.time.mul_f64(part), settled, Duration::ZERO, false);
        assert!(goes_on(0.39, true) && goes_on(0.39, false));
        assert!(!goes_on(0.41, true) && goes_on(0.41, false));
        assert!(!goes_on(0.99, true) && goes_on(0.99, false));
        assert!(!goes_on(1.01, true) && !goes_on(1.01, false));
        assert_eq!(share.alarm, share.time.mul_f64(1.08));
    }

    #[test]
    fn a_clock_never_runs_out_even_if_every_move_waits_for_its_alarm() {
        for remaining in [0.1, 0.5, 1.0, 5.0, 60.0, 1800.0] {
            for increment in [0.0, 0.1, 5.0] {
                let mut clock = clock(remaining, increment);
                let game_time = clock.remaining;
                for empty_count in (1..=60).rev().step_by(2) {
                    let share = share_of_clock(&clock, empty_count, game_time);
                    let time = share.map_or(Duration::ZERO, |share| share.alarm) + Duration::from_millis(1);
                    assert!(clock.spend(time), "{remaining} s, {empty_count} empty squares");
                }
            }
        }
    }

    #[test]
    fn later_moves_get_more_and_the_endgame_most() {
        let mut clock = clock(1800.0, 0.0);
        let mut shares = Vec::new();
        for empty_count in (ENDGAME..=60).rev().step_by(2) {
            let share = share_of_clock(&clock, empty_count, seconds(1800.0)).unwrap().time;
            shares.push(share);
            assert!(clock.spend(share.mul_f64(USED)));
        }
        assert!(shares.windows(2).all(|pair| pair[1] >= pair[0]), "{shares:?}");
        assert!(shares[shares.len() - 1] > shares[0].mul_f64(1.5), "{shares:?}");
        assert!(share_of_clock(&GameClock::new(seconds(0.05)), 40, seconds(60.0)).is_none());
    }

    #[test]
    fn the_clock_of_the_original_gives_1100_nodes_for_a_second() {
        let mut clock = NodeClock::of_minutes(30);
        // Half an hour has 1,980,000 nodes. The first move gets what it gets of a real clock.
        assert_eq!(NodeClock::nodes_in(seconds(1800.0)), 1_980_000);
        let first = share_of_clock(&GameClock::new(seconds(1800.0)), 60, seconds(1800.0)).unwrap();
        assert_eq!(clock.share(0, 60), first);
        clock.spend(0, 110_000);
        let second = share_of_clock(&GameClock::new(seconds(1700.0)), 58, seconds(1800.0)).unwrap();
        assert_eq!(clock.share(0, 58), second);
        assert_eq!(clock.share(1, 59).time, clock.share(1, 59).time, "looking costs nothing");
        // The other side's clock has not run. Nothing left means no thought.
        assert!(clock.share(1, 59).time > second.time.mul_f64(0.9));
        clock.spend(0, 2_000_000);
        assert_eq!(clock.share(0, 56), Allocation::NOTHING);
    }

    #[test]
    fn a_game_from_a_later_position_starts_with_what_earlier_moves_leave() {
        let whole = seconds(360.0);
        assert_eq!(usually_left(whole, 60), whole);
        assert_eq!(usually_left(whole, 59), whole);
        let mut played = GameClock::new(whole);
        for empty_count in [60, 58, 56, 54] {
            let share = share_of_clock(&played, empty_count, whole).unwrap();
            assert!(played.spend(share.time.mul_f64(USED)));
        }
        assert_eq!(usually_left(whole, 52), played.remaining);
        let left: Vec<Duration> = (1..=60).map(|empty_count| usually_left(whole, empty_count)).collect();
        assert!(left.windows(2).all(|pair| pair[0] <= pair[1]), "{left:?}");
    }
}
