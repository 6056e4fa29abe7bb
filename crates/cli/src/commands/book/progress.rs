//! The progress line of work on a book.

use engine::clock::Moment;
use players::time_span::roughly;

use crate::prelude::*;

/// The interval between updates of the line.
const LINE_PERIOD: Duration = Duration::from_millis(200);

/// Shows on a terminal how far the work has come, and how long the rest will take.
pub(crate) struct Progress {
    live: LiveLine,
    start: Moment,
    last: Option<Moment>,
    stop: Stop,
}

impl Progress {
    /// Nothing is done yet; the flag is the one that Ctrl-C sets.
    pub(crate) fn new(stop: &Stop) -> Self {
        Self { live: LiveLine::on_stderr(), start: Moment::now(), last: None, stop: stop.clone() }
    }

    /// Shows the number of finished positions, with the number of all if it is known, and returns whether to go on.
    pub(crate) fn positions(&mut self, done: u64, all: Option<u64>) -> bool {
        if self.is_due() {
            let text = match all {
                Some(all) => {
                    let left = self.left(done, all);
                    format!("{} of {}  {left}", grouped(done), counted(all, "position"))
                }
                None => counted(done, "position"),
            };
            self.live.show(&text);
        }
        !self.stop.is_set()
    }

    /// Shows a text, if it is time for a new one.
    pub(crate) fn show(&mut self, text: impl FnOnce(&Self) -> String) {
        if self.is_due() {
            let text = text(self);
            self.live.show(&text);
        }
    }

    /// Whether a new line is due.
    fn is_due(&mut self) -> bool {
        let is_due = self.last.is_none_or(|last| last.elapsed() > LINE_PERIOD);
        if is_due {
            self.last = Some(Moment::now());
        }
        is_due
    }

    /// Estimated time of the rest, at the same pace: `about 3 min left`.
    pub(crate) fn left(&self, done: u64, all: u64) -> String {
        if done == 0 {
            return String::new();
        }
        let rest = all.saturating_sub(done) as f64 / done as f64;
        match Duration::try_from_secs_f64(self.start.elapsed().as_secs_f64() * rest) {
            Ok(time) => format!("about {} left", roughly(time)),
            Err(_) => String::new(),
        }
    }

    /// The time since the work began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Erases the line.
    pub(crate) fn clear(&mut self) {
        self.live.clear();
    }
}
