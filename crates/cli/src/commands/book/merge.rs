//! `emilia book merge`: merges books into one.

use std::fs::File;
use std::io::Read;

use book::{Book, Merged, Snapshot};

use super::name_of;
use crate::arguments::{book_to_read_all, change_or_create, is_built_in, require_file};
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia book merge all.book one.book two.book   the positions of both
  emilia book merge my.book shipped              a copy of the book that ships

Of a position that is in several books, the deepest search wins, and games are added up. Values are made true. \
Ctrl-C stops the merge; the same command resumes.";

/// Merge books into one, which is created if it does not exist.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Merge {
    /// The book to change
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// The books to merge into it: files, or `shipped`, `keyano` or `logistello` for one that ships with the program
    #[arg(value_name = "OTHERS", required = true)]
    others: Vec<PathBuf>,

    /// Print JSON: one object, the summary
    #[arg(long)]
    json: bool,
}

/// Changes of a book by the positions of others.
#[derive(Serialize)]
pub(crate) struct Summary {
    /// Number of new positions.
    new: u64,
    /// Number of positions with a better search.
    improved: u64,
    /// Number of positions that were known.
    known: u64,
    /// The positions of the book now.
    positions: u64,
}

impl Summary {
    pub(crate) fn new(merged: Merged, book: &Book) -> Result<Self> {
        let Merged { new, improved, known } = merged;
        Ok(Self { new, improved, known, positions: book.snapshot()?.count()? })
    }

    pub(crate) fn print(&self, json: bool, book: &Book) -> Result<()> {
        output::print(json, self, |out| {
            let Self { new, improved, known, positions } = self;
            let [new, improved, known] = [new, improved, known].map(|&count| grouped(count));
            writeln!(out, "{new} new, {improved} improved, {known} known before")?;
            Ok(writeln!(out, "{} has {}", name_of(book), counted(*positions, "position"))?)
        })
    }
}

impl Merge {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        require_file(environment.registry, &self.book)?;
        let files =
            self.others.iter().filter(|path| !is_built_in(environment.registry, path)).cloned().collect::<Vec<_>>();
        FileRoles::new().reads_all(&files).writes("", &self.book).check()?;
        let stop = interrupt::flag()?;
        // All are opened before anything is changed: a wrong name should not be noticed halfway through the work.
        let others = self.others.iter().map(|path| {
            let snapshot = book_to_read_all(environment.registry, path)?.into_snapshot()?;
            let note = if is_built_in(environment.registry, path) { None } else { file_note("merge", path)? };
            Ok((note, snapshot))
        });
        let others = others.collect::<Result<Vec<_>>>()?;
        change_or_create(&self.book, |book| self.merge(book, &others, &stop))
    }

    fn merge(&self, book: &mut Book, others: &[(Option<String>, Snapshot)], stop: &Stop) -> Result<()> {
        let all = others.iter().map(|(_, other)| Ok(other.count()?)).sum::<Result<u64>>()?;
        let mut progress = Progress::new();
        let mut total = Merged::default();
        let (mut before, mut is_complete) = (0, true);
        for (note, other) in others {
            let merged = book.merge(other, note.as_deref(), &mut |done| {
                is_complete = progress.positions(before + done, all, stop);
                is_complete
            })?;
            before += other.count()?;
            total.new += merged.new;
            total.improved += merged.improved;
            total.known += merged.known;
            if !is_complete || stop.is_set() {
                is_complete &= before == all;
                break;
            }
        }
        progress.clear();
        if is_complete {
            book.update(|editor| {
                others.iter().flat_map(|(note, _)| note).try_for_each(|note| editor.remove_note(note))
            })?;
        }
        Summary::new(total, book)?.print(self.json, book)?;
        if is_complete { Ok(()) } else { Err(Interrupted.into()) }
    }
}

const CHUNK: u64 = 1 << 20;

/// The name under which a book records the part of a file that was read; it follows from the content of the file. A
/// stream has none: it cannot be read again.
pub(crate) fn file_note(what: &str, path: &Path) -> Result<Option<String>> {
    if path == Path::new(STANDARD_STREAM) || !path.is_file() {
        return Ok(None);
    }
    let unreadable = || format!("cannot read {}", path.display());
    let mut file = File::open(path).with_context(unreadable)?;
    let mut outcome: io::Result<()> = Ok(());
    let chunks = std::iter::from_fn(|| {
        let mut chunk = Vec::new();
        match Read::by_ref(&mut file).take(CHUNK).read_to_end(&mut chunk) {
            Ok(0) => None,
            Ok(_) => Some(chunk),
            Err(error) => {
                outcome = Err(error);
                None
            }
        }
    });
    let checksum = storage::checksum::fnv1a(chunks);
    outcome.with_context(unreadable)?;
    Ok(Some(format!("{what} {checksum:016x}")))
}
