//! `emilia book import`: merges a book of another format into one of ours.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};

use book::{Book, Merged};

use super::build::DEFAULT_PLIES;
use super::export::ExchangeFormat;
use super::game_learning::{GameLearning, games_of};
use super::merge::{Summary, file_note};
use super::search_options::BookSearchOptions;
use crate::arguments::{change_or_create, require_file};
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia book import my.book edax/data/book.dat
  emilia book import my.book positions.jsonl
  cat positions.jsonl | emilia book import my.book - --from json

Formats, by extension or by --from: edax (.dat), json (.jsonl, .json), games (.txt, .obf, .ggf, .sgf, .wtb). What is \
imported is merged: of a position that is in the book already, the deeper search wins, and games are added up. Values are \
made true, whatever the file says. Games have no values: their positions are searched at level 16, as by \
emilia book build, which has options for it.

Ctrl-C stops the import; the same command resumes. Positions that are wrong are reported on standard error and left out; all others are imported, and the exit code is 1.";

/// Merge positions of another format into a book, which is created if it does not exist.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Import {
    /// The book to change
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// The file to read; - is standard input
    #[arg(value_name = "IN")]
    input: PathBuf,

    /// Format of the input, if neither its name nor its content shows it
    #[arg(long, value_name = "FORMAT")]
    from: Option<ExchangeFormat>,

    /// Print JSON: one object, the summary
    #[arg(long)]
    json: bool,
}

const LISTED: usize = 10;

struct Imported {
    merged: Merged,
    /// The first of the positions that were left out, in words.
    faults: Vec<String>,
    fault_count: u64,
    is_complete: bool,
}

impl Import {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        require_file(environment.registry, &self.book)?;
        let format = ExchangeFormat::of(&self.input, self.from, "--from")?;
        FileRoles::new().reads("", &self.input).writes("", &self.book).check()?;
        let stop = interrupt::flag()?;
        if format == ExchangeFormat::Games {
            return self.import_games(environment.registry, &stop);
        }
        // Opened before the book is created, so that a wrong name leaves no empty book behind.
        let (input, file) = self.open()?;
        let note = file_note("import", &self.input)?;
        change_or_create(&self.book, |book| self.import_positions(book, format, input, file.as_ref(), note, &stop))
    }

    fn import_positions(
        &self,
        book: &mut Book,
        format: ExchangeFormat,
        input: Box<dyn BufRead>,
        file: Option<&File>,
        note: Option<String>,
        stop: &Stop,
    ) -> Result<()> {
        let imported = match format {
            ExchangeFormat::Edax => import_edax(book, input, stop),
            _ => import_json(book, input, file, note.as_deref(), stop),
        };
        let Imported { merged, faults, fault_count, is_complete } =
            imported.with_context(|| format!("cannot import {}", self.input.display()))?;
        for fault in faults.iter().take(LISTED) {
            output::warn(&format_args!("{}, {fault}", self.input.display()));
        }
        if let more @ 1.. = fault_count.saturating_sub(LISTED as u64) {
            output::warn(&format_args!("{}: and {} more", self.input.display(), grouped(more)));
        }
        if let Some(note) = note.filter(|_| is_complete) {
            book.update(|editor| editor.remove_note(&note))?;
        }
        if is_complete && book.snapshot()?.count()? == 0 {
            ensure!(fault_count == 0, "no position was imported: all of {} is wrong", self.input.display());
            bail!("no position was imported: {} has none", self.input.display());
        }
        Summary::new(merged, book)?.print(self.json, book)?;
        ensure!(is_complete, Interrupted);
        let were = if fault_count == 1 { "was" } else { "were" };
        let positions = counted(fault_count, "position");
        ensure!(fault_count == 0, "{positions} {were} left out; the others were imported");
        Ok(())
    }

    fn import_games(&self, registry: &Registry, stop: &Stop) -> Result<()> {
        let mut bad = BadRecords::listed();
        let games = games_of(std::slice::from_ref(&self.input), None, &mut bad)?;
        let what = if bad.count > 0 { "no game could be read from" } else { "there is no game in" };
        ensure!(!games.is_empty(), "{what} {}", self.input.display());
        let mut search = BookSearchOptions::with_defaults().search(registry, stop)?;
        let learning = GameLearning { plies: DEFAULT_PLIES.into(), resumes: true, json: self.json, stop };
        change_or_create(&self.book, |book| learning.learn(book, &games, search.as_mut()))?;
        bad.conclude(true, "the others were imported")
    }

    /// The input, and its file if that has an end.
    fn open(&self) -> Result<(Box<dyn BufRead>, Option<File>)> {
        if self.input == Path::new(STANDARD_STREAM) {
            return Ok((Box::new(io::stdin().lock()), None));
        }
        let file = File::open(&self.input).with_context(|| format!("cannot read {}", self.input.display()))?;
        let is_regular = file.metadata().is_ok_and(|found| found.is_file());
        let same = file.try_clone().ok().filter(|_| is_regular);
        Ok((Box::new(BufReader::with_capacity(1 << 16, file)), same))
    }
}

fn import_edax(book: &mut Book, input: impl BufRead, stop: &Stop) -> Result<Imported> {
    let mut progress = Progress::new();
    let mut is_complete = true;
    let import = book.import_edax(input, &mut |done, all| {
        is_complete = progress.positions(done, all, stop);
        is_complete
    })?;
    let faults = import.faults.iter().map(ToString::to_string).collect();
    Ok(Imported { merged: import.merged, faults, fault_count: import.fault_count, is_complete })
}

fn import_json(
    book: &mut Book,
    input: impl BufRead,
    file: Option<&File>,
    note: Option<&str>,
    stop: &Stop,
) -> Result<Imported> {
    let mut progress = Progress::new();
    let mut is_complete = true;
    let import = book.import_json(input, note, &mut |done| {
        // The number of lines is not known before the last is read, but the number of bytes is.
        progress.show(|progress| {
            let place = |mut file: &File| Some((file.stream_position().ok()?, file.metadata().ok()?.len()));
            let left = file.and_then(place).map_or(String::new(), |(read, size)| progress.left(read, size));
            format!("{}  {left}", counted(done, "position"))
        });
        is_complete = !stop.is_set();
        is_complete
    })?;
    let faults = import.faults.iter().map(ToString::to_string).collect();
    Ok(Imported { merged: import.merged, faults, fault_count: import.fault_count, is_complete })
}
