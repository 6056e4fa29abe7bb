//! Skipped games, counted by reason: optionally reported one by one, and optionally treated as a failure.

use std::fmt::Display;

use anyhow::{Result, bail};
use records::GameRecord;
use records::files::RecordedBoard;
use records::sink::GameSink;

use crate::output;

#[derive(Debug)]
pub(crate) struct BadRecords {
    count: u64,
    files: u64,
    misfits: u64,
    listed: bool,
}

impl BadRecords {
    /// Each one is reported on standard error.
    pub(crate) fn listed() -> Self {
        Self { count: 0, files: 0, misfits: 0, listed: true }
    }

    /// They are only counted.
    pub(crate) fn counted() -> Self {
        Self { count: 0, files: 0, misfits: 0, listed: false }
    }

    pub(crate) fn add(&mut self, error: &impl Display) {
        self.count += 1;
        if self.listed {
            output::warn(error);
        }
    }

    pub(crate) fn add_file(&mut self, error: &impl Display) {
        self.files += 1;
        if self.listed {
            output::warn(error);
        }
    }

    /// Writes a game; one that the format cannot hold is skipped and counted.
    pub(crate) fn write<B: RecordedBoard>(&mut self, sink: &mut GameSink, record: &GameRecord<B>) -> Result<()> {
        let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
        if let Err(error) = sink.write(record)? {
            self.misfits += 1;
            if self.listed {
                let players = format!("{} against {}", name(&record.black), name(&record.white));
                output::warn(&format!("{players}: {error}"));
            }
        }
        Ok(())
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn files(&self) -> u64 {
        self.files
    }

    /// The number of games that could not be written in the output format.
    pub(crate) fn misfits(&self) -> u64 {
        self.misfits
    }

    /// Reports the number of skipped games, if any, as a failure or only on standard error; the others have been used
    /// in either case. The advice tells the user what to do.
    pub(crate) fn conclude(&self, fail: bool, advice: &str) -> Result<()> {
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
        output::warn(&sentence);
        Ok(())
    }
}
