//! The time: the one place that asks the machine for it.
//!
//! A browser has no `std::time::Instant`: a page that runs an engine gives its own clock to
//! `set_source`. Everywhere else the machine's monotonic clock is used.

use std::time::Duration;

/// A point in time, to measure from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Moment(Duration);

impl Moment {
    /// The present.
    pub fn now() -> Self {
        Self(since_beginning())
    }

    /// The moment that much later.
    pub fn after(self, time: Duration) -> Self {
        Self(self.0.saturating_add(time))
    }

    /// The time that has passed since this moment.
    pub fn elapsed(self) -> Duration {
        since_beginning().saturating_sub(self.0)
    }
}

#[cfg(not(target_family = "wasm"))]
fn since_beginning() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;

    static BEGINNING: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGINNING.elapsed()
}

#[cfg(target_family = "wasm")]
fn since_beginning() -> Duration {
    SOURCE.get().map_or(Duration::ZERO, |source| source())
}

#[cfg(target_family = "wasm")]
static SOURCE: std::sync::OnceLock<fn() -> Duration> = std::sync::OnceLock::new();

/// Gives the clock of the host: a function that returns the time since some fixed moment.
///
/// Without it time stands still, and limits of time never end a search. The first source stays.
#[cfg(target_family = "wasm")]
pub fn set_source(source: fn() -> Duration) {
    let _ = SOURCE.set(source);
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
    }
}
