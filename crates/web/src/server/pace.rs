//! Limit on the rate of a client's messages: a bucket that fills again with time.

use std::time::Duration;

/// The messages that a client may still send. A large message counts as many; reading pauses while the bucket is empty.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Pace {
    burst: f64,
    per_second: f64,
    /// The rest of the bucket, below zero if the last message was more than that.
    left: f64,
    /// The moment of the last message.
    at: Duration,
}

impl Pace {
    pub(crate) fn new(burst: u32, per_second: u32) -> Self {
        let burst = f64::from(burst);
        Self { burst, per_second: f64::from(per_second), left: burst, at: Duration::ZERO }
    }

    /// Counts a message of this many units.
    pub(crate) fn take(&mut self, units: u32, now: Duration) {
        let passed = now.saturating_sub(self.at).as_secs_f64();
        self.left = (self.left + passed * self.per_second).min(self.burst) - f64::from(units);
        self.at = now;
    }

    /// The moment from which the next message may be read.
    pub(crate) fn next(&self) -> Duration {
        self.at + Duration::from_secs_f64((-self.left).max(0.0) / self.per_second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn a_burst_passes_at_once_and_then_messages_are_read_at_the_pace() {
        let mut pace = Pace::new(60, 10);
        for _ in 0..60 {
            pace.take(1, seconds(5));
            assert!(pace.next() <= seconds(5));
        }
        pace.take(1, seconds(5));
        assert_eq!(pace.next(), seconds(5) + Duration::from_millis(100));
        pace.take(1, seconds(6));
        assert_eq!(pace.next(), seconds(6));
    }

    #[test]
    fn a_pause_fills_the_bucket_and_no_more() {
        let mut pace = Pace::new(60, 10);
        pace.take(1, seconds(1000));
        pace.take(79, seconds(1000));
        assert_eq!(pace.next(), seconds(1002));
    }
}
