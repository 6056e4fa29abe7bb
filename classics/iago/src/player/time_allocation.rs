//! Time per move: a share of the clock by move number (Rosenbloom 1982, 4.1).

use std::sync::OnceLock;
use std::time::Duration;

use engine::GameClock;

/// The last move of a game.
const LAST_MOVE: usize = 60;

/// The clock of a tournament game, in seconds.
pub(crate) const TOURNAMENT: f64 = 30.0 * 60.0;

/// Time that is removed from the clock at the beginning of the match, in case the machine fails: 2.5 of 30 minutes.
const RESERVE: f64 = 2.5 / 30.0;

/// Whether the time that a move costs besides thinking is charged: discs are turned, moves typed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TournamentOverhead {
    /// It is, as in a tournament.
    #[default]
    Charged,
    /// It is not, as in an analysis ("the 10 seconds per move for overhead is not charged").
    Free,
}

impl TournamentOverhead {
    /// The seconds per move.
    pub const fn seconds(self) -> f64 {
        match self {
            TournamentOverhead::Charged => 10.0,
            TournamentOverhead::Free => 0.0,
        }
    }
}

/// The maximum share of the clock for a move, which leaves time for more than 30 moves ("Some fractions were then
/// reduced by hand").
const GREATEST_FRACTION: f64 = 0.4;

/// Importance of each part of the game: the marginal values at these moves, interpolated linearly.
///
/// Figure 4.1 is lost. According to the text the first move gets hardly any time, because its four choices are equivalent,
/// and more time can pay for the moves at which positions become solvable (46, 48); once the end is solved, the
/// remaining moves cost little.
const IMPORTANCE: [(usize, f64); 6] = [(2, 0.8), (15, 1.0), (35, 1.2), (46, 1.6), (52, 0.5), (60, 0.1)];

/// The share of the first move, relative to an ordinary one.
const FIRST_MOVE: f64 = 0.02;

/// The marginal value of a move, 1 to 60, before it is normalized.
fn importance(move_number: usize) -> f64 {
    if move_number <= 1 {
        return FIRST_MOVE;
    }
    let after = IMPORTANCE.iter().position(|&(number, _)| move_number <= number).unwrap_or(IMPORTANCE.len() - 1);
    let (high, high_value) = IMPORTANCE[after];
    let (low, low_value) = IMPORTANCE[after.saturating_sub(1)];
    if high == low || move_number >= high {
        return high_value;
    }
    low_value + (high_value - low_value) * (move_number - low) as f64 / (high - low) as f64
}

/// The marginal allocations by move number, those of Black (odd) and of White (even) summing to 1 each: Fig. 4.1. The
/// first stands for move 1.
pub fn marginal_allocations() -> &'static [f64; LAST_MOVE] {
    static ALLOCATIONS: OnceLock<[f64; LAST_MOVE]> = OnceLock::new();
    ALLOCATIONS.get_or_init(|| {
        let mut marginals = std::array::from_fn(|index| importance(index + 1));
        for parity in 0..2 {
            let sum: f64 = marginals.iter().skip(parity).step_by(2).sum();
            marginals.iter_mut().skip(parity).step_by(2).for_each(|marginal| *marginal /= sum);
        }
        marginals
    })
}

/// The share of the remaining time that the next move gets after this many moves.
pub fn fraction(moves_played: u32) -> f64 {
    let index = (moves_played as usize).min(LAST_MOVE - 1);
    let marginals = marginal_allocations();
    let rest: f64 = marginals[index..].iter().step_by(2).sum();
    (marginals[index] / rest).min(GREATEST_FRACTION)
}

/// The time for a move on a real clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Allocation {
    /// Allocated time, in seconds.
    pub allocated: f64,
    /// When the search is stopped in any case.
    pub alarm: Duration,
}

impl Allocation {
    /// The paper's factor for iterations that take longer than expected.
    const OVERRUN: f64 = 1.3;
    /// The minimum time that a move costs besides thinking, in seconds.
    const OVERHEAD: f64 = 0.003;
    /// The reserve on a short clock, in seconds: a busy machine may make a program wait that long.
    const SHORT_RESERVE: f64 = 0.3;

    /// A time for this move alone.
    pub fn of_move_time(time: Duration) -> Self {
        let usable = time.saturating_sub(Duration::from_secs_f64(Self::OVERHEAD).min(time / 4));
        Self { allocated: usable.as_secs_f64(), alarm: usable }
    }

    /// A share of a clock. `whole` is the clock at the beginning of the game as far as it was seen, `overhead` the time
    /// that a move costs besides thinking.
    pub fn of_clock(clock: &GameClock, whole: Duration, moves_played: u32, overhead: Duration) -> Self {
        let whole = whole.max(clock.remaining).as_secs_f64();
        let reserve = (whole * RESERVE).max(Self::SHORT_RESERVE.min(whole / 2.0));
        let usable = (clock.remaining.as_secs_f64() - reserve).max(0.0);
        let overhead = overhead.as_secs_f64().max(Self::OVERHEAD);
        let share = usable * fraction(moves_played) + clock.increment.as_secs_f64().min(usable / 4.0) - overhead;
        let allocated = share.clamp(0.0, usable / 2.0);
        let alarm = (allocated * Self::OVERRUN).min(usable * 0.75);
        Self { allocated, alarm: Duration::from_secs_f64(alarm) }
    }

    /// The same, but limited by the other.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { allocated: self.allocated.min(other.allocated), alarm: self.alarm.min(other.alarm) }
    }
}

/// The clocks of the original, on which leaf evaluations replace seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HistoricalClock {
    /// Seconds left for each side, the reserve taken off.
    left: [f64; 2],
    /// The moves played when each side was last seen.
    seen: [Option<u32>; 2],
}

impl Default for HistoricalClock {
    fn default() -> Self {
        Self { left: [TOURNAMENT * (1.0 - RESERVE); 2], seen: [None; 2] }
    }
}

impl HistoricalClock {
    /// Evaluations of leaves in a second of the original: "an average of 10000 terminal nodes per move" in games of 30
    /// minutes.
    pub const LEAVES_PER_SECOND: f64 = 10_000.0 / 60.0;

    /// The leaves allocated to the next move of a side (0 Black, 1 White), when this many moves have been played. An
    /// earlier move than before means that a new game has begun.
    pub fn allocate(&mut self, side: usize, moves_played: u32, overhead: TournamentOverhead) -> f64 {
        if self.seen[side].is_some_and(|seen| seen >= moves_played) {
            *self = Self::default();
        }
        if self.seen[side].is_none() {
            // A game that starts from a later position gets the time that would be left by then.
            let marginals = marginal_allocations();
            let rest: f64 = marginals[(moves_played as usize).min(LAST_MOVE - 1)..].iter().step_by(2).sum();
            self.left[side] *= rest.min(1.0);
        }
        self.seen[side] = Some(moves_played);
        (self.left[side] * fraction(moves_played) - overhead.seconds()).max(0.0) * Self::LEAVES_PER_SECOND
    }

    /// The seconds that a side has left, the reserve taken off.
    #[cfg(test)]
    pub(super) const fn left(&self, side: usize) -> f64 {
        self.left[side]
    }

    /// Subtracts the cost of a move from a side's clock.
    pub fn spend(&mut self, side: usize, leaves: f64, overhead: TournamentOverhead) {
        self.left[side] = (self.left[side] - leaves / Self::LEAVES_PER_SECOND - overhead.seconds()).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_of_each_colour_sum_to_one_and_the_first_move_gets_next_to_nothing() {
        let marginals = marginal_allocations();
        for parity in 0..2 {
            let sum: f64 = marginals.iter().skip(parity).step_by(2).sum();
            assert!((sum - 1.0).abs() < 1e-12);
        }
        assert!(marginals[0] < marginals[2] / 20.0);
        // The moves at which positions become solvable get most.
        let most = (0..LAST_MOVE).max_by(|&left, &right| marginals[left].total_cmp(&marginals[right])).unwrap() + 1;
        assert!((44..=48).contains(&most), "{most}");
    }

    #[test]
    fn fractions_are_ratios_of_marginal_values_and_leave_room_for_more_than_thirty_moves() {
        let marginals = marginal_allocations();
        for played in 0..60u32 {
            let rest: f64 = marginals[played as usize..].iter().step_by(2).sum();
            let ratio = marginals[played as usize] / rest;
            assert!((fraction(played) - ratio.min(GREATEST_FRACTION)).abs() < 1e-12);
            assert!(fraction(played) <= GREATEST_FRACTION);
        }
        assert_eq!(fraction(60), GREATEST_FRACTION);
        assert_eq!(fraction(1000), GREATEST_FRACTION);
        // Applied to the remaining time one after the other, the shares give the marginal allocations.
        let mut left = 1.0;
        for played in (1..40).step_by(2) {
            let share = left * fraction(played);
            assert!((share - marginals[played as usize]).abs() < 1e-9, "move {}", played + 1);
            left -= share;
        }
    }

    #[test]
    fn a_tournament_clock_keeps_two_and_a_half_minutes() {
        let clock = GameClock::new(Duration::from_secs(1800));
        let found = Allocation::of_clock(&clock, clock.remaining, 1, Duration::from_secs(10));
        let expected = 1650.0 * fraction(1) - 10.0;
        assert!((found.allocated - expected).abs() < 1e-6, "{found:?}");
        assert!((found.alarm.as_secs_f64() - 1.3 * expected).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn no_clock_runs_out_even_if_every_move_takes_until_its_alarm() {
        for (seconds, increment) in
            [(0.1, 0.0), (0.5, 0.0), (1.0, 0.0), (5.0, 0.0), (5.0, 1.0), (60.0, 0.0), (1800.0, 30.0)]
        {
            for first in 0..2u32 {
                let whole = Duration::from_secs_f64(seconds);
                let mut clock = GameClock { remaining: whole, increment: Duration::from_secs_f64(increment) };
                // More than 30 moves, because the opponent may have to pass.
                for played in (first..60).step_by(2).chain([57, 58, 59, 59, 59, 59]) {
                    let found = Allocation::of_clock(&clock, whole, played, Duration::ZERO);
                    assert!(found.allocated >= 0.0 && found.alarm <= clock.remaining);
                    assert!(clock.spend(found.alarm + Duration::from_micros(500)), "{seconds} s, move {played}");
                }
            }
        }
    }

    #[test]
    fn the_historical_clock_hands_out_27_and_a_half_minutes() {
        let mut clock = HistoricalClock::default();
        let mut spent = 0.0;
        for played in (1..60).step_by(2) {
            let leaves = clock.allocate(1, played, TournamentOverhead::Free);
            clock.spend(1, leaves, TournamentOverhead::Free);
            spent += leaves;
        }
        let whole = 27.5 * 60.0 * HistoricalClock::LEAVES_PER_SECOND;
        assert!(spent <= whole + 1e-6 && spent > 0.9 * whole, "{spent} of {whole}");
        // Another game begins with a full clock.
        assert_eq!(
            clock.allocate(1, 1, TournamentOverhead::Free),
            HistoricalClock::default().allocate(1, 1, TournamentOverhead::Free)
        );
        // Overhead is ten seconds per move.
        let with = HistoricalClock::default().allocate(1, 1, TournamentOverhead::Charged);
        let without = HistoricalClock::default().allocate(1, 1, TournamentOverhead::Free);
        assert!((without - with - 10.0 * HistoricalClock::LEAVES_PER_SECOND).abs() < 1e-6);
        // An arbitrary position gets what would be left at that move.
        let late = HistoricalClock::default().allocate(0, 44, TournamentOverhead::Free);
        assert!(late > 0.0 && late < 27.5 * 60.0 * HistoricalClock::LEAVES_PER_SECOND * 0.2, "{late}");
    }
}
