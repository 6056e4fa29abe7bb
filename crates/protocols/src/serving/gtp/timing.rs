//! Time by the rules of GTP: a main time, then periods in which so many moves are to be made.

use std::time::Duration;

use engine::{GameClock, Limits};
use othello::Color;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Timing {
    /// The time of a period and the moves to be made in it; without periods, no moves.
    period: (Duration, u32),
    sides: [Side; 2],
}

/// Time left of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Main(Duration),
    Period { left: Duration, moves: u32 },
}

impl Timing {
    /// Share of a move in its period that is used: messages take time, too.
    const USED: f64 = 0.95;

    pub(crate) fn new(main: Duration, period: Duration, moves: u32) -> Option<Self> {
        // The protocol's sign for a game without a limit; no time at all would make no sense.
        let is_unlimited = !period.is_zero() && moves == 0 || main.is_zero() && period.is_zero();
        let timing = Self { period: (period, moves), sides: [Side::Main(main); 2] };
        (!is_unlimited).then_some(timing)
    }

    /// Sets a clock as the host shows it; no moves mean the main time.
    pub(crate) fn set(&mut self, color: Color, left: Duration, moves: u32) {
        self.sides[color as usize] = if moves == 0 { Side::Main(left) } else { Side::Period { left, moves } };
    }

    /// Takes the time of a move off a clock, until the host sends the clock.
    pub(crate) fn spend(&mut self, color: Color, time: Duration) {
        let (period, moves) = self.period;
        let side = &mut self.sides[color as usize];
        *side = match *side {
            Side::Main(left) if time <= left || moves == 0 => Side::Main(left.saturating_sub(time)),
            Side::Main(left) => {
                let excess = time.saturating_sub(left);
                after_move(period.saturating_sub(excess), moves, self.period)
            }
            Side::Period { left, moves } => after_move(left.saturating_sub(time), moves, self.period),
        };
    }

    pub(crate) fn limits(&self, color: Color) -> Limits {
        let (period, moves) = self.period;
        match self.sides[color as usize] {
            Side::Period { left, moves } => share(left, moves),
            // What is left of the main time is less than a move gets afterwards.
            Side::Main(left) if moves > 0 && left < period / moves => share(period, moves),
            Side::Main(left) => Limits::of_clock(GameClock::new(left)),
        }
    }
}

fn share(left: Duration, moves: u32) -> Limits {
    Limits::of_time((left / moves.max(1)).mul_f64(Timing::USED))
}

fn after_move(left: Duration, moves: u32, (period, all): (Duration, u32)) -> Side {
    if moves <= 1 { Side::Period { left: period, moves: all } } else { Side::Period { left, moves: moves - 1 } }
}

/// Reads seconds. The protocol has whole ones; parts of a second are understood too.
pub(crate) fn seconds(text: &str) -> Option<Duration> {
    /// More than any game takes, and far from where arithmetic overflows.
    const MAX_SECONDS: f64 = 1e8;

    let seconds: f64 = text.parse().ok()?;
    (0.0..=MAX_SECONDS).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Color = Color::Black;

    fn timing(main: u64, period: u64, moves: u32) -> Timing {
        Timing::new(Duration::from_secs(main), Duration::from_secs(period), moves).unwrap()
    }

    fn seconds_of(time: f64) -> Duration {
        Duration::from_secs_f64(time)
    }

    #[test]
    fn a_main_time_alone_is_a_clock() {
        let mut timing = timing(60, 0, 0);
        timing.spend(BLACK, seconds_of(10.5));
        assert_eq!(timing.limits(BLACK), Limits::of_clock(GameClock::new(seconds_of(49.5))));
        assert_eq!(timing.limits(Color::White), Limits::of_clock(GameClock::new(seconds_of(60.0))));
        timing.set(BLACK, seconds_of(1.25), 0);
        assert_eq!(timing.limits(BLACK), Limits::of_clock(GameClock::new(seconds_of(1.25))));
        timing.spend(BLACK, seconds_of(100.0));
        assert_eq!(timing.limits(BLACK), Limits::of_clock(GameClock::new(Duration::ZERO)));
    }

    #[test]
    fn in_a_period_every_move_has_its_share() {
        let mut timing = timing(5, 10, 2);
        assert!(timing.limits(BLACK).clock.is_some());
        timing.spend(BLACK, seconds_of(7.0));
        // Two seconds of the period are gone, and one of its two moves is made.
        assert_eq!(timing.limits(BLACK), Limits::of_time(seconds_of(8.0 * 0.95)));
        timing.spend(BLACK, seconds_of(1.0));
        assert_eq!(timing.limits(BLACK), Limits::of_time(seconds_of(5.0 * 0.95)));
        timing.set(BLACK, seconds_of(3.0), 1);
        assert_eq!(timing.limits(BLACK), Limits::of_time(seconds_of(3.0 * 0.95)));
    }

    #[test]
    fn no_limit_differs_from_no_time() {
        let [zero, ten] = [Duration::ZERO, Duration::from_secs(10)];
        assert_eq!(Timing::new(zero, ten, 0), None);
        assert_eq!(Timing::new(zero, zero, 0), None);
        assert!(Timing::new(zero, ten, 1).is_some() && Timing::new(ten, zero, 0).is_some());
    }

    #[test]
    fn times_are_read_and_nonsense_is_not() {
        assert_eq!((seconds("10"), seconds("0.25")), (Some(seconds_of(10.0)), Some(seconds_of(0.25))));
        for text in ["", "-1", "x", "NaN", "inf", "1e99"] {
            assert_eq!(seconds(text), None, "{text:?}");
        }
    }
}
