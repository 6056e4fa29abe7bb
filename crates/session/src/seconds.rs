//! Times as messages carry them: numbers of seconds, bounded where they are read.

use std::time::Duration;

use engine::GameClock;
use players::time_span;
use serde::{Deserialize, Serialize};

/// A time of at most `MAX` seconds; in JSON a number of seconds.
///
/// ```
/// use session::Pause;
///
/// assert!(serde_json::from_str::<Pause>("0.5").is_ok());
/// for text in ["-1", "60.1", "1e19", "1e300"] {
///     assert!(serde_json::from_str::<Pause>(text).is_err());
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Seconds<const MAX: u64>(Duration);

/// A pause between the moves of two engines, up to a minute.
pub type Pause = Seconds<60>;

/// The time on a clock of a game: more than any clock that can be set shows after a game, and more than a game takes.
pub type ClockTime = Seconds<{ 1_000 * 24 * 60 * 60 }>;

impl<const MAX: u64> Seconds<MAX> {
    /// The longest time.
    pub const MAX: Duration = Duration::from_secs(MAX);

    /// This time, or the longest if it is longer.
    pub fn at_most(time: Duration) -> Self {
        Self(time.min(Self::MAX))
    }

    /// The time itself.
    pub fn time(self) -> Duration {
        self.0
    }
}

impl<const MAX: u64> TryFrom<f64> for Seconds<MAX> {
    type Error = String;

    fn try_from(seconds: f64) -> Result<Self, String> {
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| *time <= Self::MAX);
        time.map(Self).ok_or_else(|| format!("time out of range: {} s; expected 0 to {MAX} s", shown(seconds)))
    }
}

impl<const MAX: u64> From<Seconds<MAX>> for f64 {
    fn from(seconds: Seconds<MAX>) -> f64 {
        seconds.0.as_secs_f64()
    }
}

/// A number as a message shows it, however large or small: `61`, `0.5`, `1e300`.
pub(crate) fn shown(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// The longest time that a clock begins with or adds, in seconds: that of [`time_span::parse_clock`].
const LONGEST: u64 = time_span::LONGEST.as_secs();

/// A clock that a game can begin with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LegalClock {
    /// The time for the whole game.
    pub remaining: Seconds<LONGEST>,
    /// The time that is added after each move.
    #[serde(default)]
    pub increment: Seconds<LONGEST>,
}

impl LegalClock {
    /// The clock of a game; longer times than are legal are cut.
    pub fn of(clock: GameClock) -> Self {
        Self { remaining: Seconds::at_most(clock.remaining), increment: Seconds::at_most(clock.increment) }
    }

    /// The clock as a game has it.
    pub fn clock(self) -> GameClock {
        GameClock { remaining: self.remaining.time(), increment: self.increment.time() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_were_written_and_others_are_refused() {
        for (text, milliseconds) in [("0.0", 0), ("60.0", 60_000), ("0.123", 123)] {
            let pause: Pause = serde_json::from_str(text).expect("a pause");
            assert_eq!(pause.time(), Duration::from_millis(milliseconds));
            assert_eq!(serde_json::to_string(&pause).expect("JSON"), text);
        }
        for text in ["-0.001", "60.001", "9.3e18", "1e19", "18446744073709551615", "1e300", "-1e-300"] {
            let error = serde_json::from_str::<Pause>(text).expect_err("no pause").to_string();
            assert!(error.contains("time out of range") && error.contains("expected 0 to 60 s"), "{text}: {error}");
            assert!(error.len() < 90, "{error}");
        }
        assert_eq!(Pause::at_most(Duration::MAX).time(), Pause::MAX);
    }

    #[test]
    fn a_clock_is_legal_if_it_could_have_been_typed() {
        let read = |text| serde_json::from_str::<LegalClock>(text).map(LegalClock::clock);
        let clock = time_span::parse_clock("24h+24h").expect("a clock");
        assert_eq!(read(r#"{"remaining":86400,"increment":86400.0}"#).expect("a clock"), clock);
        assert_eq!(LegalClock::of(clock).clock(), clock);
        for text in [r#"{"remaining":86400.5}"#, r#"{"remaining":60,"increment":1e19}"#, r#"{"remaining":-1}"#] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
