//! Time for a move: a share of the clock by the number of the move (Rosenbloom 1982, 4.1).

use std::sync::OnceLock;
use std::time::Duration;

use engine::GameClock;

/// The last move of a game.
const LAST_MOVE: usize = 60;

/// The clock of a tournament game, in seconds.
pub(crate) const TOURNAMENT: f64 = 30.0 * 60.0;

/// What is removed from the clock at the beginning of the match, in case the machine fails: 2.5 of 30 minutes.
const RESERVE: f64 = 2.5 / 30.0;

/// What a move costs besides the thinking in a tournament, in seconds: discs are turned, moves typed in.
pub(crate) const TOURNAMENT_OVERHEAD: f64 = 10.0;

/// The most of the clock that a move gets. With it there is always something left for more than 30 moves ("Some
/// fractions were then reduced by hand").
const GREATEST_FRACTION: f64 = 0.4;

/// How important each part of the game is: the marginal values at these moves, straight lines between them.
///
/// Figure 4.1 is lost. The text says that the first move gets next to nothing, because its four choices are the same,
/// and that more time for the moves at which positions come within reach of being solved (46, 48) can pay; once the
/// end is solved, the remaining moves cost little.
const IMPORTANCE: [(usize, f64); 6] = [(2, 0.8), (15, 1.0), (35, 1.2), (46, 1.6), (52, 0.5), (60, 0.1)];

/// What the first move gets of an ordinary one.
const FIRST_MOVE: f64 = 0.02;

/// The marginal value of a move, 1 to 60, before it is normalised.
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

/// The share of what is left on the clock that the next move gets, when so many moves have been played.
pub fn fraction(moves_played: u32) -> f64 {
    let index = (moves_played as usize).min(LAST_MOVE - 1);
    let marginals = marginal_allocations();
    let rest: f64 = marginals[index..].iter().step_by(2).sum();
    (marginals[index] / rest).min(GREATEST_FRACTION)
}

/// The time of a move on a real clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Allocation {
    /// What is allocated, in seconds.
    pub allocated: f64,
    /// When the search is ended whatever it does.
    pub alarm: Duration,
}

impl Allocation {
    /// The paper's factor for iterations that take longer than was thought.
    const OVERRUN: f64 = 1.3;
    /// What a move costs at least besides the thinking, in seconds.
    const OVERHEAD: f64 = 0.003;
    /// What stays on a short clock whatever happens, in seconds: a busy machine may let a program wait that long.
    const SHORT_RESERVE: f64 = 0.3;

    /// A time for this move alone.
    pub fn of_move_time(time: Duration) -> Self {
        let usable = time.saturating_sub(Duration::from_secs_f64(Self::OVERHEAD).min(time / 4));
        Self { allocated: usable.as_secs_f64(), alarm: usable }
    }

    /// A share of a clock. `whole` is the clock at the beginning of the game as far as it was seen, `overhead` what a
    /// move costs besides the thinking.
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

    /// The same, but over at the latest when the other is.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { allocated: self.allocated.min(other.allocated), alarm: self.alarm.min(other.alarm) }
    }
}

/// The clocks of the original, on which evaluations of leaves take the place of seconds.
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
    pub const LEAVES_A_SECOND: f64 = 10_000.0 / 60.0;

    /// The leaves allocated to the next move of a side (0 Black, 1 White), when so many moves have been played. A side
    /// that is seen at an earlier move than before plays another game.
    pub fn allocate(&mut self, side: usize, moves_played: u32, overhead: bool) -> f64 {
        if self.seen[side].is_some_and(|seen| seen >= moves_played) {
            *self = Self::default();
        }
        if self.seen[side].is_none() {
            // A game that is not played from its beginning has the time that would be left by then.
            let marginals = marginal_allocations();
            let rest: f64 = marginals[(moves_played as usize).min(LAST_MOVE - 1)..].iter().step_by(2).sum();
            self.left[side] *= rest.min(1.0);
        }
        self.seen[side] = Some(moves_played);
        let overhead = if overhead { TOURNAMENT_OVERHEAD } else { 0.0 };
        (self.left[side] * fraction(moves_played) - overhead).max(0.0) * Self::LEAVES_A_SECOND
    }

    /// Takes what a move cost off the clock of a side.
    pub fn spend(&mut self, side: usize, leaves: f64, overhead: bool) {
        let overhead = if overhead { TOURNAMENT_OVERHEAD } else { 0.0 };
        self.left[side] = (self.left[side] - leaves / Self::LEAVES_A_SECOND - overhead).max(0.0);
    }
}
