//! Limits of the search for a move.

use std::time::Duration;

use control::clock::{self, NoClock};
use serde::{Deserialize, Serialize};

use crate::{Level, PlayerError, seconds};

/// Limits of the search for one move: the one that is reached first ends it.
///
/// With none of them a player searches as long as it finds useful, or until it is stopped; one whose depth does not
/// grow by itself plays at its default depth.
///
/// ```
/// # use engine::Limits;
/// # use std::time::Duration;
/// let limits = Limits { nodes: Some(100_000), ..Limits::of_time(Duration::from_secs(1)) };
/// assert_eq!(limits.depth, None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Limits {
    /// Search depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Confidence required before a branch is cut, in percent: 100 is a full-width search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selectivity: Option<u32>,
    /// Positions to visit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time for this move.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "seconds::optional")]
    pub move_time: Option<Duration>,
    /// Time for the rest of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<GameClock>,
    /// Playing strength, 0 to 60; below 5 also half levels such as `2.5`. Other players use it as a depth
    /// ([`Limits::depth_or_level`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
}

impl Limits {
    /// A depth alone.
    pub fn of_depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A number of positions alone.
    pub fn of_nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A time for the move alone.
    pub fn of_time(time: Duration) -> Self {
        Self { move_time: Some(time), ..Self::default() }
    }

    /// A clock alone.
    pub fn of_clock(clock: GameClock) -> Self {
        Self { clock: Some(clock), ..Self::default() }
    }

    /// A whole level alone, at most the strongest.
    pub fn of_level(level: u32) -> Self {
        Self { level: Some(Level::clamped(level)), ..Self::default() }
    }

    /// The depth, or the level as a depth: what limits the players that have no levels.
    pub fn depth_or_level(&self) -> Option<u32> {
        self.depth.or(self.level.map(Level::whole))
    }

    /// Refuses time limits if no clock can measure them ([`clock`](crate::clock)): the search would never end. Players
    /// with such limits call it before they search.
    pub fn require_clock(&self, player: &str) -> Result<(), PlayerError> {
        self.require(clock::is_running(), player)
    }

    fn require(&self, has_clock: bool, player: &str) -> Result<(), PlayerError> {
        let is_timed = self.move_time.is_some() || self.clock.is_some();
        if is_timed && !has_clock {
            return Err(PlayerError::Unsupported { player: player.to_owned(), reason: NoClock.to_string() });
        }
        Ok(())
    }
}

/// The clock of the side to move, as it stands when the move is requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameClock {
    /// Time left for all further moves.
    #[serde(with = "seconds")]
    pub remaining: Duration,
    /// Time added after each move.
    #[serde(default, with = "seconds")]
    pub increment: Duration,
}

impl GameClock {
    /// A clock that shows this time and gets nothing added.
    pub fn new(remaining: Duration) -> Self {
        Self { remaining, increment: Duration::ZERO }
    }

    /// Takes the time of a move off the clock and adds the increment; false if the time had run out.
    pub fn spend(&mut self, time: Duration) -> bool {
        let in_time = time <= self.remaining;
        self.remaining = self.remaining.saturating_sub(time) + self.increment;
        in_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_they_were_written_with_times_in_seconds() {
        let clock = GameClock { remaining: Duration::from_millis(90_050), increment: Duration::from_millis(333) };
        let limits = Limits { depth: Some(8), clock: Some(clock), ..Limits::of_time(Duration::from_micros(1_100_001)) };
        let text = serde_json::to_string(&limits).unwrap();
        assert_eq!(text, r#"{"depth":8,"move_time":1.100001,"clock":{"remaining":90.05,"increment":0.333}}"#);
        assert_eq!(serde_json::from_str::<Limits>(&text).unwrap(), limits);
        assert_eq!(serde_json::from_str::<Limits>("{}").unwrap(), Limits::default());
        assert!(serde_json::from_str::<Limits>(r#"{"move_time":-1}"#).is_err());
    }

    #[test]
    fn limits_of_time_are_refused_where_there_is_no_clock_and_others_are_not() {
        let second = Duration::from_secs(1);
        let untimed = [Limits::default(), Limits::of_depth(3), Limits::of_nodes(9), Limits::of_level(2)];
        let timed = [Limits::of_time(second), Limits::of_clock(GameClock::new(second))];
        for limits in untimed {
            assert_eq!(limits.require(false, "iago"), Ok(()));
        }
        for limits in timed.into_iter().chain(timed.map(|limits| Limits { depth: Some(3), ..limits })) {
            assert_eq!(limits.require_clock("iago"), Ok(()), "this machine has a clock");
            let error = limits.require(false, "iago").unwrap_err();
            assert_eq!(error.to_string(), "iago cannot do this: time limits need a clock, and none is installed");
        }
    }

    #[test]
    fn a_clock_loses_the_time_of_a_move_and_gains_the_increment() {
        let mut clock = GameClock { remaining: Duration::from_secs(10), increment: Duration::from_secs(2) };
        assert!(clock.spend(Duration::from_secs(7)));
        assert_eq!(clock.remaining, Duration::from_secs(5));
        assert!(!clock.spend(Duration::from_secs(6)));
        assert_eq!(clock.remaining, Duration::from_secs(2));
    }
}
