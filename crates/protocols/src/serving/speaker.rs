//! What is said to a host while something is thought.

use std::io::{self, Write};

use engine::Stop;

/// Says lines while something is thought, and stops the thinking when nobody hears them.
pub(crate) struct Speaker<'a, W> {
    out: &'a mut W,
    stop: &'a Stop,
    result: io::Result<()>,
}

impl<'a, W: Write> Speaker<'a, W> {
    /// Speaks to the host, about a thought that this flag ends.
    pub(crate) fn new(out: &'a mut W, stop: &'a Stop) -> Self {
        Self { out, stop, result: Ok(()) }
    }

    /// Says a line.
    pub(crate) fn say(&mut self, line: &str) {
        if self.result.is_ok() {
            self.result = writeln!(self.out, "{line}").and_then(|()| self.out.flush());
            if self.result.is_err() {
                self.stop.set();
            }
        }
    }

    /// Whether everything was said.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.result
    }
}
