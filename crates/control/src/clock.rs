//! Time measurement: the only module that reads the system clock.
//!
//! Native programs use the monotonic clock. WebAssembly has none: a page that runs an engine installs its own with
//! `install`. Until then, every duration is measured as zero and a time limit is refused with [`NoClock`].

use std::time::Duration;

/// A point in time, for measuring durations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Moment(Duration);

impl Moment {
    /// The current time; always the same if there is no clock.
    pub fn now() -> Self {
        Self(since_beginning())
    }

    /// The point in time this much later.
    pub fn after(self, time: Duration) -> Self {
        Self(self.0.saturating_add(time))
    }

    /// The time from an earlier moment to this one; zero if that moment is later.
    pub fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The time elapsed since this moment.
    pub fn elapsed(self) -> Duration {
        since_beginning().saturating_sub(self.0)
    }
}

/// A time limit was requested, but there is no clock to measure it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("time limits need a clock, and none is installed")]
pub struct NoClock;

#[cfg(target_family = "wasm")]
pub use source::install;
pub use source::is_running;
use source::since_beginning;

#[cfg(not(target_family = "wasm"))]
mod source {
    use std::sync::LazyLock;
    use std::time::{Duration, Instant};

    /// Whether there is a clock: always, except in WebAssembly before one is installed.
    pub fn is_running() -> bool {
        true
    }

    pub(super) fn since_beginning() -> Duration {
        static BEGINNING: LazyLock<Instant> = LazyLock::new(Instant::now);
        BEGINNING.elapsed()
    }
}

#[cfg(target_family = "wasm")]
mod source {
    use std::time::Duration;

    use super::InstalledClock;

    static CLOCK: InstalledClock = InstalledClock(std::sync::OnceLock::new());

    /// Installs the clock of the host: a function that returns the time since some fixed moment.
    ///
    /// Only the first call has an effect, so that no measurement mixes two clocks.
    pub fn install(clock: fn() -> Duration) {
        CLOCK.install(clock);
    }

    /// Whether the host has installed a clock.
    pub fn is_running() -> bool {
        CLOCK.0.get().is_some()
    }

    pub(super) fn since_beginning() -> Duration {
        CLOCK.read()
    }
}

/// A clock that the host supplies after the program has started.
#[cfg(any(test, target_family = "wasm"))]
struct InstalledClock(std::sync::OnceLock<fn() -> Duration>);

#[cfg(any(test, target_family = "wasm"))]
impl InstalledClock {
    fn install(&self, clock: fn() -> Duration) {
        let _ = self.0.set(clock);
    }

    fn read(&self) -> Duration {
        self.0.get().map_or(Duration::ZERO, |clock| clock())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elapsed_time_agrees_with_the_time_slept() {
        let start = Moment::now();
        std::thread::sleep(Duration::from_millis(20));
        let elapsed = start.elapsed();
        assert!(elapsed >= Duration::from_millis(20), "{elapsed:?}");
        assert!(Moment::now() > start);
        assert!(is_running());
    }

    #[test]
    fn time_is_zero_until_the_host_installs_a_clock_and_only_the_first_clock_counts() {
        let clock = InstalledClock(std::sync::OnceLock::new());
        assert!(clock.0.get().is_none());
        assert_eq!(clock.read(), Duration::ZERO);
        clock.install(|| Duration::from_millis(7));
        clock.install(|| Duration::from_millis(8));
        assert_eq!(clock.read(), Duration::from_millis(7));
    }
}
