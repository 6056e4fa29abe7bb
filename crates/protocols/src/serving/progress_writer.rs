//! Lines sent to a host during a search.

use std::io::{self, Write};

use engine::Stop;

/// Writes lines during a search, and stops the search when they cannot be written.
pub(crate) struct ProgressWriter<'a, W> {
    out: &'a mut W,
    stop: &'a Stop,
    result: io::Result<()>,
}

impl<'a, W: Write> ProgressWriter<'a, W> {
    /// A writer for the search that this flag stops.
    pub(crate) fn new(out: &'a mut W, stop: &'a Stop) -> Self {
        Self { out, stop, result: Ok(()) }
    }

    /// Writes a line.
    pub(crate) fn say(&mut self, line: &str) {
        if self.result.is_ok() {
            self.result = writeln!(self.out, "{line}").and_then(|()| self.out.flush());
            if self.result.is_err() {
                self.stop.set();
            }
        }
    }

    /// Whether everything was written.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.result
    }
}
