//! `emilia learn merge`: games of stores and of records into one store, no two alike.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use learning::game_store::{GameReader, MAGIC, Source};
use learning::merged_store::MergedStore;
use learning::played_game::{PlayedGame, PlayedGameError};
use othello::records::{Format, RecordError};
use serde::Serialize;

use crate::bad_records::BadRecords;
use crate::game_file::{files_meant, records_of};
use crate::live_line::LiveLine;
use crate::output;
use crate::usage_error::UsageError;

const EXAMPLES: &str = "\
Examples:
  emilia learn merge --output all.store first.store second.store
  emilia learn merge --output all.store games.store thor/*.wtb matches.ggf

Games that are the same up to symmetry are taken once: the first of them stays. Records that were not played to \
their end, or that do not begin with the usual start, are left out and counted.";

/// How many games pass between two looks at the terminal.
const GAMES_PER_LINE: u64 = 1 << 12;

/// Put the games of several stores and of records in any format into one store.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Merge {
    /// The store to write, under a name that is free
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Stores, files of records, or folders of those
    #[arg(value_name = "FILES", required = true)]
    files: Vec<PathBuf>,

    /// Print the summary as one JSON object
    #[arg(long)]
    json: bool,
}

/// What became of the games.
#[derive(Serialize, Default)]
struct Summary {
    games: u64,
    positions: u64,
    bytes: u64,
    duplicates: u64,
    unfinished: u64,
    other_starts: u64,
    bad: u64,
}

/// A merge as it goes.
struct Run {
    store: MergedStore,
    summary: Summary,
    bad: BadRecords,
    live: LiveLine,
}

impl Merge {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        let files = files_meant(&self.files)?;
        // Looked at before anything is written: a wrong file should not come to light after half of the work.
        let stores = files.iter().map(|path| is_store(path)).collect::<Result<Vec<bool>>>()?;
        let store = MergedStore::create(&self.output)?;
        let mut run = Run { store, summary: Summary::default(), bad: BadRecords::counted(), live: LiveLine::new() };
        for (path, is_store) in files.iter().zip(stores) {
            if is_store { run.add_store(path)? } else { run.add_records(path)? }
        }
        let Run { store, mut summary, bad, mut live } = run;
        live.clear();
        summary.games = store.games();
        summary.bytes = store.finish()?;
        summary.bad = bad.count();
        self.print(&summary)?;
        bad.conclude(false, "`emilia games --strict` tells why")
    }

    fn print(&self, summary: &Summary) -> Result<()> {
        let mut out = output::stdout();
        if self.json {
            output::json_line(&mut out, summary)?;
        } else {
            let Summary { games, positions, bytes, duplicates, unfinished, other_starts, .. } = *summary;
            writeln!(
                out,
                "{} has {} with {} in {} bytes ({:.1} a game)",
                self.output.display(),
                output::counted(games, "game"),
                output::counted(positions, "position"),
                output::grouped(bytes),
                bytes as f64 / games.max(1) as f64
            )?;
            for (count, why) in [
                (duplicates, "they were there already"),
                (unfinished, "they were not played to their end"),
                (other_starts, "they begin with another position than the usual start"),
            ] {
                if count > 0 {
                    writeln!(out, "{} left out: {why}", output::grouped(count))?;
                }
            }
        }
        out.flush()?;
        Ok(())
    }
}

impl Run {
    fn add_store(&mut self, path: &Path) -> Result<()> {
        let mut reader = GameReader::open(path)?;
        let mut begun = None;
        while let Some(stored) = reader.next() {
            let stored = stored?;
            if begun != Some(stored.source) {
                self.store.begin_source(&reader.sources()[stored.source])?;
                begun = Some(stored.source);
            }
            self.add(stored.number, &stored.game)?;
        }
        Ok(())
    }

    fn add_records(&mut self, path: &Path) -> Result<()> {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let description = format!("records of {name}");
        self.store.begin_source(&Source { is_self_play: false, exact_from: 0, description })?;
        for (number, record) in (0..).zip(records_of(path, None)?) {
            // A record that says something wrong about its moves still has them.
            let game = match record {
                Ok(record) => record.game,
                Err(RecordError { record: Some(record), .. }) => record.game,
                Err(error) => {
                    self.bad.add(&error);
                    continue;
                }
            };
            match PlayedGame::of_record(&game) {
                Ok(game) => self.add(number, &game)?,
                Err(PlayedGameError::Unfinished { .. }) => self.summary.unfinished += 1,
                Err(PlayedGameError::OtherStart) => self.summary.other_starts += 1,
                Err(error) => self.bad.add(&error),
            }
        }
        Ok(())
    }

    fn add(&mut self, number: u64, game: &PlayedGame) -> Result<()> {
        if self.store.add(number, game)? {
            self.summary.positions += game.moves().len() as u64;
        } else {
            self.summary.duplicates += 1;
        }
        if self.store.games().is_multiple_of(GAMES_PER_LINE) {
            self.live.show(&output::counted(self.store.games(), "game"));
        }
        Ok(())
    }
}

/// Whether a file is a store, and not one of records.
fn is_store(path: &Path) -> Result<bool> {
    let mut first = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut first))
        .with_context(|| format!("cannot read {}", path.display()))?;
    if first == MAGIC {
        return Ok(true);
    }
    if Format::from_path(path).is_none() {
        let expected = "a store of games, or a name that ends in .wtb, .ggf, .sgf or .txt";
        let sentence = format!("{} does not begin as a store of games does; expected {expected}", path.display());
        return Err(UsageError::new(sentence).into());
    }
    Ok(false)
}
