//! Time per move (section 3.5): a share of the clock that grows during the game, most for the first endgame search.
//!
//! The paper says what happens with a share (40%, 100%, 108%: [`engine::Allocation`] has that rule) and that it depends
//! on the time left and on the number of the move, more for later ones; the figures here are ours.

use std::time::Duration;

use engine::{Allocation, GameClock};

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
const LEAST_RESERVE: Duration = Duration::from_millis(100);

/// With a share below this, one ply is as good.
const LEAST: Duration = Duration::from_micros(500);

/// The share of a clock that a move gets, with this many empty squares left and this much time for the game at its
/// beginning; `None` if the move has to be played immediately.
pub fn share_of_clock(clock: &GameClock, empty_count: u32, game_time: Duration) -> Option<Allocation> {
    let moves = empty_count.div_ceil(2).max(1);
    let game_time = game_time.max(clock.remaining);
    let reserve = (game_time / 30).clamp(RESERVE.0, RESERVE.1).min((game_time / 2).max(LEAST_RESERVE));
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
            |part: f64, settled| share.begins_another(share.time().mul_f64(part), settled, Duration::ZERO, false);
        assert!(goes_on(0.39, true) && goes_on(0.39, false));
        assert!(!goes_on(0.41, true) && goes_on(0.41, false));
        assert!(!goes_on(0.99, true) && goes_on(0.99, false));
        assert!(!goes_on(1.01, true) && !goes_on(1.01, false));
        assert_eq!(share.alarm(), share.time().mul_f64(1.08));
    }

    #[test]
    fn a_clock_never_runs_out_even_if_every_move_waits_for_its_alarm() {
        for remaining in [0.1, 0.5, 1.0, 5.0, 60.0, 1800.0] {
            for increment in [0.0, 0.1, 5.0] {
                let mut clock = clock(remaining, increment);
                let game_time = clock.remaining;
                for empty_count in (1..=60).rev().step_by(2) {
                    let share = share_of_clock(&clock, empty_count, game_time);
                    let time = share.map_or(Duration::ZERO, |share| share.alarm()) + Duration::from_millis(1);
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
            let share = share_of_clock(&clock, empty_count, seconds(1800.0)).unwrap().time();
            shares.push(share);
            assert!(clock.spend(share.mul_f64(USED)));
        }
        assert!(shares.windows(2).all(|pair| pair[1] >= pair[0]), "{shares:?}");
        assert!(shares[shares.len() - 1] > shares[0].mul_f64(1.5), "{shares:?}");
        assert!(share_of_clock(&GameClock::new(seconds(0.05)), 40, seconds(60.0)).is_none());
    }
}
