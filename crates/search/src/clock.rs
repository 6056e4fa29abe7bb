//! The only place where a search asks for the time.

use std::time::{Duration, Instant};

/// A moment, for measuring how long something took.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Moment(Instant);

impl Moment {
    /// This moment.
    pub fn now() -> Self {
        Self(Instant::now())
    }

    /// The time since this moment.
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }

    /// The moment that much later; the far future if that cannot be told.
    pub fn after(self, duration: Duration) -> Self {
        const FAR: Duration = Duration::from_secs(86_400 * 365);
        Self(self.0.checked_add(duration.min(FAR)).unwrap_or(self.0))
    }
}
