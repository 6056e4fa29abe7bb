//! Skipped games, counted by reason: optionally reported one by one, and optionally treated as a failure.

use std::fmt::Display;

use anyhow::{Result, bail};
use records::GameRecord;
use records::files::RecordedBoard;
use records::sink::GameSink;

use crate::output;

#[derive(Debug, Default)]
pub(crate) struct BadRecords {
    /// Number of records that cannot be read.
    pub(crate) count: u64,
    /// Number of files that cannot be read.
    pub(crate) files: u64,
    /// Number of games that the output format cannot hold.
    pub(crate) misfits: u64,
    listed: bool,
}

impl BadRecords {
    /// Each one is reported on standard error.
    pub(crate) fn listed() -> Self {
        Self { listed: true, ..Self::default() }
    }

    /// They are only counted.
    pub(crate) fn counted() -> Self {
        Self::default()
    }

    fn report(&self, error: &impl Display) {
        if self.listed {
            output::warn(error);
        }
    }

    /// Returns a record that can be read, and counts another one.
    pub(crate) fn readable<T>(&mut self, record: Result<T, impl Display>) -> Option<T> {
        record.map_err(|error| self.add(&error)).ok()
    }

    pub(crate) fn add(&mut self, error: &impl Display) {
        self.count += 1;
        self.report(error);
    }

    pub(crate) fn add_file(&mut self, error: &impl Display) {
        self.files += 1;
        self.report(error);
    }

    /// Writes a game; one that the format cannot hold is skipped and counted.
    pub(crate) fn write<B: RecordedBoard>(&mut self, sink: &mut GameSink, record: &GameRecord<B>) -> Result<()> {
        if let Err(error) = sink.write(record)? {
            self.misfits += 1;
            let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
            self.report(&format!("{} against {}: {error}", name(&record.black), name(&record.white)));
        }
        Ok(())
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
        let Some(skipped) = output::parts(parts) else { return Ok(()) };
        let sentence = format!("{skipped} skipped; {advice}");
        if fail {
            bail!("{sentence}");
        }
        output::warn(&sentence);
        Ok(())
    }
}
