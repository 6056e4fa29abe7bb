//! Games that were skipped, counted by reason: reported one by one or not, and perhaps a reason to fail.

use std::fmt::Display;

use anyhow::{Result, bail};
use othello::records::GameRecord;
use othello::records::sink::GameSink;

use crate::output;

/// What was skipped so far.
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

    /// Writes a game; one that the format cannot hold is skipped and counted.
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

    /// Reports how many were skipped, if any, as a failure or else only on standard error; the others have been used
    /// either way. The advice says what the user could do.
    pub fn conclude(&self, fail: bool, advice: &str) -> Result<()> {
        let misfits = match self.misfits {
            1 => "1 game that does not fit the output format".to_owned(),
            count => format!("{} that do not fit the output format", output::counted(count, "game")),
        };
        let parts = [
            (self.files, output::counted(self.files, "unreadable file")),
            (self.count, output::counted(self.count, "bad record")),
            (self.misfits, misfits),
        ];
        let all: u64 = parts.iter().map(|(count, _)| count).sum();
        if all == 0 {
            return Ok(());
        }
        let parts: Vec<_> = parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words).collect();
        let were = if all == 1 { "was" } else { "were" };
        let sentence = format!("{} {were} skipped; {advice}", parts.join(" and "));
        if fail {
            bail!("{sentence}");
        }
        output::complain(&sentence);
        Ok(())
    }
}
