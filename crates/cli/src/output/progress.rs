//! The progress line of long work.

use std::time::Duration;

use engine::Stop;
use engine::clock::Moment;
use players::time_span::roughly;
use terminal::live_line::LiveLine;

use crate::output::{self, counted, grouped};

const LINE_PERIOD: Duration = Duration::from_millis(200);

/// Shows on a terminal how far the work has come, and how long the rest will take.
pub(crate) struct Progress {
    live: LiveLine,
    start: Moment,
    last: Option<Moment>,
}

impl Progress {
    pub(crate) fn new() -> Self {
        Self { live: LiveLine::on_stderr(), start: Moment::now(), last: None }
    }

    /// Begins the line with a text.
    pub(crate) fn of(text: &str) -> Self {
        let mut progress = Self::new();
        progress.live.show(text);
        progress
    }

    /// Shows the number of finished positions, and returns whether the work continues: until the flag is set.
    pub(crate) fn positions(&mut self, done: u64, all: u64, stop: &Stop) -> bool {
        self.show(|progress| {
            format!("{} of {}  {}", grouped(done), counted(all, "position"), progress.left(done, all))
        });
        !stop.is_set()
    }

    /// Shows a text, if it is time for a new one.
    pub(crate) fn show(&mut self, text: impl FnOnce(&Self) -> String) {
        if self.last.is_none_or(|last| last.elapsed() > LINE_PERIOD) {
            self.show_now(&text(self));
        }
    }

    /// Shows a text that does not wait.
    pub(crate) fn show_now(&mut self, text: &str) {
        self.last = Some(Moment::now());
        self.live.show(text);
    }

    /// Estimated time of the rest, at the same pace: `about 3 min left`.
    pub(crate) fn left(&self, done: u64, all: u64) -> String {
        if done == 0 {
            return String::new();
        }
        let rest = all.saturating_sub(done) as f64 / done as f64;
        match Duration::try_from_secs_f64(self.seconds() * rest) {
            Ok(time) => format!("about {} left", roughly(time)),
            Err(_) => String::new(),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }

    /// Items per second, given their number.
    pub(crate) fn speed(&self, count: u64) -> f64 {
        count as f64 / self.seconds().max(1e-3)
    }

    pub(crate) fn clear(&mut self) {
        self.live.clear();
    }

    /// Prints a warning in place of the line.
    pub(crate) fn warn(&mut self, sentence: &str) {
        self.clear();
        output::warn(&sentence);
    }
}
