//! What a move costs on the clock of a host beside the thinking, measured from one move to the next.

use std::time::Duration;

use engine::GameClock;
use othello::Color;

/// The time between what a player uses and what its host takes off the clock: messages, a slow line, a
/// machine with other work to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overhead {
    /// The last move: whose it was, what the clock showed before it, and what it took by our own account.
    last: Option<(Color, GameClock, Duration)>,
    /// What a move usually costs.
    usual: Duration,
    /// What a move has cost at worst, forgotten little by little.
    worst: Duration,
}

impl Overhead {
    /// Learns from what a clock shows now, and says what of it can be used with so many moves to come.
    pub fn usable(&mut self, color: Color, shown: GameClock, moves: u32) -> GameClock {
        if let Some((_, before, used)) = self.last.filter(|&(last, ..)| last == color) {
            let expected = (before.remaining + before.increment).saturating_sub(used);
            self.learn(expected.saturating_sub(shown.remaining));
        }
        let needed = self.usual.saturating_mul(moves) + self.worst;
        // Whoever fears more than that does not play any more.
        let remaining = shown.remaining - needed.min(shown.remaining / 10 * 9);
        GameClock { remaining, ..shown }
    }

    /// Remembers what a move took that was begun with this on the clock of the host.
    pub fn note(&mut self, color: Color, shown: GameClock, used: Duration) {
        self.last = Some((color, shown, used));
    }

    /// Another game begins, whose clock says nothing about the last move.
    pub fn new_game(&mut self) {
        self.last = None;
    }

    fn learn(&mut self, overhead: Duration) {
        self.usual = (3 * self.usual + overhead) / 4;
        self.worst = overhead.max(self.worst * 7 / 8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Color = Color::Black;

    fn milliseconds(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    /// Plays a game of 30 moves in which each takes a tenth of what is usable, and the host takes more.
    fn play(overhead: Duration, increment: Duration) -> (Overhead, GameClock) {
        let mut measured = Overhead::default();
        let mut clock = GameClock { remaining: milliseconds(5_000), increment };
        for moves in (1..=30).rev() {
            let used = measured.usable(BLACK, clock, moves).remaining / 10;
            measured.note(BLACK, clock, used);
            assert!(clock.spend(used + overhead), "{moves} moves to go");
        }
        (measured, clock)
    }

    #[test]
    fn what_the_host_takes_off_is_measured_and_left_aside() {
        let (measured, _) = play(milliseconds(40), Duration::ZERO);
        assert_eq!((measured.usual.as_millis(), measured.worst), (39, milliseconds(40)));
        let (measured, _) = play(milliseconds(40), milliseconds(20));
        assert_eq!(measured.worst, milliseconds(40));
        // Three of five seconds go to the host: without the measure, nothing would be left for the last moves.
        let (_, clock) = play(milliseconds(100), Duration::ZERO);
        assert!(clock.remaining > Duration::ZERO);
    }

    #[test]
    fn a_host_that_takes_nothing_costs_nothing() {
        let (measured, _) = play(Duration::ZERO, Duration::ZERO);
        assert_eq!((measured.usual, measured.worst), (Duration::ZERO, Duration::ZERO));
        let clock = GameClock::new(milliseconds(700));
        assert_eq!(Overhead::default().usable(BLACK, clock, 30), clock);
    }

    #[test]
    fn another_game_and_the_other_side_say_nothing() {
        let mut measured = Overhead::default();
        measured.note(BLACK, GameClock::new(milliseconds(5_000)), milliseconds(100));
        let clock = GameClock::new(milliseconds(1_000));
        assert_eq!(measured.usable(Color::White, clock, 30), clock);
        measured.new_game();
        assert_eq!(measured.usable(BLACK, clock, 30), clock);
    }

    #[test]
    fn a_tenth_of_the_clock_is_always_usable() {
        let mut measured = Overhead::default();
        measured.note(BLACK, GameClock::new(milliseconds(9_000)), milliseconds(100));
        let clock = GameClock::new(milliseconds(1_000));
        assert_eq!(measured.usable(BLACK, clock, 30).remaining, milliseconds(100));
    }
}
