//! Records that could not be used: reported, counted, and a reason to fail in the end.

use std::fmt::Display;
use std::io::{self, Write};

use anyhow::{Result, bail};

/// More than this many are only counted, so that they do not hide everything else.
const MOST_REPORTED: u64 = 20;

/// The bad records met so far.
#[derive(Debug, Default)]
pub struct BadRecords {
    count: u64,
}

impl BadRecords {
    /// Reports one on standard error.
    pub fn report(&mut self, error: &impl Display) {
        self.count += 1;
        if self.count <= MOST_REPORTED {
            let _ = writeln!(io::stderr(), "emilia: {error}");
        }
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Fails if there were any, unless the user wanted to be lenient; the good ones have been used
    /// either way.
    pub fn conclude(&self, lenient: bool) -> Result<()> {
        let not_shown = self.count.saturating_sub(MOST_REPORTED);
        let hidden = if not_shown > 0 { format!(", {not_shown} of them not shown") } else { String::new() };
        let sentence = match self.count {
            0 => return Ok(()),
            1 => "1 record is bad and was left out".to_owned(),
            count => format!("{count} records are bad and were left out{hidden}"),
        };
        if lenient {
            let _ = writeln!(io::stderr(), "emilia: {sentence}");
            return Ok(());
        }
        bail!("{sentence} (--lenient makes this no failure)");
    }
}
