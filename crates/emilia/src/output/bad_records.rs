//! Games that were left out, counted by reason: reported one by one or not, and perhaps a reason to fail.

use std::fmt::Display;

use anyhow::{Result, bail};
use othello::records::GameRecord;
use othello::records::sink::GameSink;

use crate::output;

/// What was left out so far.
#[derive(Debug)]
pub struct BadRecords {
    count: u64,
    files: u64,
    misfits: u64,
    listed: bool,
}

impl BadRecords {
    /// Each is reported on standard error as it is met.
    pub fn listed() -> Self {
        Self { count: 0, files: 0, misfits: 0, listed: true }
    }

    /// They are only counted.
    pub fn counted() -> Self {
        Self { count: 0, files: 0, misfits: 0, listed: false }
    }

    /// Counts a record that cannot be read.
    pub fn add(&mut self, error: &impl Display) {
        self.count += 1;
        if self.listed {
            output::complain(error);
        }
    }

    /// Counts a file that cannot be read.
    pub fn add_file(&mut self, error: &impl Display) {
        self.files += 1;
        if self.listed {
            output::complain(error);
        }
    }

    /// Writes a game; one that the format cannot hold is left out and counted.
    pub fn write(&mut self, sink: &mut GameSink, record: &GameRecord) -> Result<()> {
        let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
        if let Err(error) = sink.write(record)? {
            self.misfits += 1;
            if self.listed {
                let players = format!("{} against {}", name(&record.black), name(&record.white));
                output::complain(&format!("{players}: {error}"));
            }
        }
        Ok(())
    }

    /// How many records could not be read.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many files could not be read.
    pub fn files(&self) -> u64 {
        self.files
    }

    /// How many games could be read, but not be written in the format of the output.
    pub fn misfits(&self) -> u64 {
        self.misfits
    }

    /// Reports how many were left out, if any, as a failure or else only on standard error; the others have been used
    /// either way. The advice says what the user could do.
    pub fn conclude(&self, fail: bool, advice: &str) -> Result<()> {
        let part = |count: u64, noun: &str, one: &str, more: &str| {
            let verb = if count == 1 { one } else { more };
            (count > 0).then(|| format!("{} {verb}", output::counted(count, noun)))
        };
        let parts = [
            part(self.files, "file", "cannot be read", "cannot be read"),
            part(self.count, "record", "is bad", "are bad"),
            part(self.misfits, "game", "does not fit the output format", "do not fit the output format"),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        if parts.is_empty() {
            return Ok(());
        }
        let were = if self.files + self.count + self.misfits == 1 { "was" } else { "were" };
        let sentence = format!("{} and {were} left out; {advice}", parts.join(", "));
        if fail {
            bail!("{sentence}");
        }
        output::complain(&sentence);
        Ok(())
    }
}
