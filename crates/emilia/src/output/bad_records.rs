//! Records that could not be used: reported or only counted, and perhaps a reason to fail.

use std::fmt::Display;

use anyhow::{Result, bail};
use othello::records::GameRecord;
use othello::records::sink::GameSink;

use crate::output;

/// The bad records met so far.
#[derive(Debug)]
pub struct BadRecords {
    count: u64,
    listed: bool,
}

impl BadRecords {
    /// Each is reported on standard error as it is met.
    pub fn listed() -> Self {
        Self { count: 0, listed: true }
    }

    /// They are only counted.
    pub fn counted() -> Self {
        Self { count: 0, listed: false }
    }

    /// Takes note of one.
    pub fn add(&mut self, error: &impl Display) {
        self.count += 1;
        if self.listed {
            output::complain(error);
        }
    }

    /// Writes a game; one that the format cannot hold is a bad record.
    pub fn write(&mut self, sink: &mut GameSink, record: &GameRecord) -> Result<()> {
        let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
        if let Err(error) = sink.write(record)? {
            self.add(&format!("{} against {}: {error}", name(&record.black), name(&record.white)));
        }
        Ok(())
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Says how many there were, if any, as a failure or else only on standard error; the good
    /// records have been used either way. The advice says what the user could do.
    pub fn conclude(&self, fail: bool, advice: &str) -> Result<()> {
        let sentence = match self.count {
            0 => return Ok(()),
            1 => format!("1 record is bad and was left out; {advice}"),
            count => format!("{count} records are bad and were left out; {advice}"),
        };
        if fail {
            bail!("{sentence}");
        }
        output::complain(&sentence);
        Ok(())
    }
}
