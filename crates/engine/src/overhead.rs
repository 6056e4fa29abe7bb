//! Time that a move takes besides the search: messages, pipes, a server, a person who types the moves in.

use std::time::Duration;

use crate::GameClock;

/// The overhead of a move, measured: what the clock has lost from one of our moves to the next beyond the time
/// that we have used ourselves.
///
/// It is an average, so that a clock in whole seconds gives a useful value, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overhead {
    /// The clock at our last move, the move's number, and the time that it took us.
    last: Option<(GameClock, usize, Duration)>,
    lost: Duration,
    moves: u32,
}

impl Overhead {
    /// After this many moves the older half of what was measured counts for half.
    const MEMORY: u32 = 60;

    /// The clock was set by hand if it lost more than this share of itself without our doing.
    const SET_BY_HAND: u32 = 4;

    /// Looks at the clock before a move; `move_count` moves have been played in the game.
    pub fn look(&mut self, clock: &GameClock, move_count: usize) {
        let last = self.last.replace((*clock, move_count, Duration::ZERO));
        let Some((before, last_count, used)) = last else { return };
        // Another game, or a move taken back: the clock shows nothing.
        if move_count <= last_count || before.increment != clock.increment {
            return;
        }
        let expected = (before.remaining + before.increment).saturating_sub(used);
        let lost = expected.saturating_sub(clock.remaining);
        if lost > before.remaining / Self::SET_BY_HAND {
            return;
        }
        self.lost += lost;
        self.moves += 1;
        if self.moves == Self::MEMORY {
            self.lost /= 2;
            self.moves /= 2;
        }
    }

    /// Takes note of the time that the move took us.
    pub fn used(&mut self, time: Duration) {
        if let Some((.., used)) = &mut self.last {
            *used = time;
        }
    }

    /// A new game begins; what was measured still holds.
    pub fn new_game(&mut self) {
        self.last = None;
    }

    /// The overhead of a move.
    pub fn of_move(&self) -> Duration {
        if self.moves == 0 { Duration::ZERO } else { self.lost / self.moves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// Measures a game in which every move takes us 100 ms and the host this much more, on a clock that advances in
    /// steps of `step`.
    fn measured(overhead: u64, step: u64) -> Overhead {
        let mut found = Overhead::default();
        let mut remaining = 60_000;
        for turn in 0..30 {
            found.look(&GameClock::new(milliseconds(remaining / step * step)), 2 * turn);
            found.used(milliseconds(100));
            remaining -= 100 + overhead;
        }
        found
    }

    #[test]
    fn the_overhead_is_what_the_clock_loses_beyond_our_own_time() {
        assert_eq!(measured(0, 1).of_move(), Duration::ZERO);
        assert_eq!(measured(7, 1).of_move(), milliseconds(7));
        assert_eq!(Overhead::default().of_move(), Duration::ZERO);
    }

    #[test]
    fn a_clock_in_whole_seconds_is_understood() {
        // 30 moves of 300 ms are 9 seconds on such a clock, of which 3 were ours.
        let found = measured(200, 1000).of_move();
        assert!(found > milliseconds(150) && found < milliseconds(400), "{found:?}");
    }

    #[test]
    fn other_games_moves_taken_back_and_clocks_set_by_hand_do_not_count() {
        let mut overhead = measured(5, 1);
        let expected = overhead.of_move();
        overhead.new_game();
        for (remaining, move_count) in [(60_000, 0), (50_000, 0), (20_000, 2)] {
            overhead.look(&GameClock::new(milliseconds(remaining)), move_count);
            overhead.used(milliseconds(10));
        }
        assert_eq!(overhead.of_move(), expected);
    }

    #[test]
    fn an_increment_is_no_loss() {
        let mut overhead = Overhead::default();
        let increment = milliseconds(1000);
        for (turn, remaining) in [60_000, 60_797, 61_594].into_iter().enumerate() {
            overhead.look(&GameClock { remaining: milliseconds(remaining), increment }, 2 * turn);
            overhead.used(milliseconds(200));
        }
        assert_eq!(overhead.of_move(), milliseconds(3));
    }

    #[test]
    fn old_measurements_are_forgotten() {
        let mut overhead = measured(40, 1);
        let mut remaining = 600_000;
        overhead.new_game();
        for turn in 0..400 {
            overhead.look(&GameClock::new(milliseconds(remaining)), 2 * turn);
            overhead.used(milliseconds(100));
            remaining -= 100;
        }
        assert!(overhead.of_move() < milliseconds(1), "{:?}", overhead.of_move());
    }
}
