//! `emilia book export`: writes a book in another format.

use book::edax::EdaxHeader;
use book::{BookError, Snapshot};
use clap::ValueEnum;
use records::Date;
use records::files::today;
use records::sink::GameSink;
use storage::whole_file::{self, FileError, NewFile};

use crate::arguments::book_to_read_all;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia book export my.book book.dat           for Edax
  emilia book export my.book positions.jsonl    one position per line
  emilia book export my.book lines.txt          the lines of the book as games
  emilia book export my.book - --to json        to standard output

Formats, by extension or by --to: edax (.dat), json (.jsonl, .json), games (.txt, .obf, .ggf, .sgf, .wtb). Edax knows \
only whole discs, and no games. The games together go through every position that can be reached from the start, and \
each ends where the book ends.

OUT is replaced only when everything has been written: if the command fails or is killed, or if there is nothing to \
write, the old file is unchanged.";

/// Write a book for Edax, as JSON lines, or as games.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Export {
    /// The book: a file, or `shipped`, `keyano` or `logistello` for one that ships with the program
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// The file to write; - is standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// Format of the output, if its name does not show it
    #[arg(long, value_name = "FORMAT")]
    to: Option<ExchangeFormat>,

    /// Print JSON: one object, the summary
    #[arg(long)]
    json: bool,
}

/// A format that books are imported from and exported to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ExchangeFormat {
    /// A book of Edax 4 (.dat)
    Edax,
    /// One position per line, in JSON (.jsonl, .json)
    Json,
    /// Games in any format (.txt, .obf, .ggf, .sgf, .wtb)
    Games,
}

impl ExchangeFormat {
    /// The format as requested by this option, or given by the file name.
    pub(crate) fn of(path: &Path, given: Option<Self>, option: &str) -> Result<Self> {
        if let Some(format) = given {
            return Ok(format);
        }
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("dat") => Ok(Self::Edax),
            Some("jsonl" | "json" | "ndjson") => Ok(Self::Json),
            _ if Format::is_readable(path) => Ok(Self::Games),
            _ => bail_usage!(
                "cannot tell the format of {}; expected {option} edax, json or games, or a name ending in .dat, .jsonl or \
                 as game files do",
                path.display()
            ),
        }
    }
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Written {
    /// Number of positions written.
    Positions(u64),
    /// Number of games written.
    Games(u64),
}

impl Export {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        let format = ExchangeFormat::of(&self.output, self.to, "--to")?;
        FileRoles::new().reads("", &self.book).writes("", &self.output).check()?;
        let stop = interrupt::flag()?;
        let snapshot = book_to_read_all(environment.registry, &self.book)?.into_snapshot()?;
        let written = match format {
            ExchangeFormat::Edax => Written::Positions(self.write_edax(&snapshot, &stop)?),
            ExchangeFormat::Json => Written::Positions(self.write_json(&snapshot, &stop)?),
            ExchangeFormat::Games => Written::Games(self.write_games(&snapshot, &stop)?),
        };
        if self.output == Path::new(STANDARD_STREAM) {
            return Ok(());
        }
        let (Written::Positions(count) | Written::Games(count)) = written;
        ensure!(count > 0, "nothing to export; {} was not written", self.output.display());
        output::row(&mut output::stdout(), self.json, &written, || {
            let noun = if matches!(written, Written::Games(_)) { "game" } else { "position" };
            format!("{} written to {}", counted(count, noun), self.output.display())
        })
    }

    fn write_edax(&self, snapshot: &Snapshot, stop: &Stop) -> Result<u64> {
        let date = today();
        let [month, day] = [date.and_then(Date::month), date.and_then(Date::day)].map(|part| part.unwrap_or(1));
        let header = EdaxHeader::new(date.map_or(2000, Date::year), [month, day, 0, 0, 0]);
        let write = |mut out: &mut dyn Write| {
            let mut progress = Progress::new();
            let mut report = |done, all| progress.positions(done, all, stop);
            let written = snapshot.export_edax(&header, &mut out, &mut report)?;
            interrupt::check(stop).map(|()| written)
        };
        self.write_whole(b"XADEKOOB", "book of Edax", write)
    }

    fn write_json(&self, snapshot: &Snapshot, stop: &Stop) -> Result<u64> {
        let all = snapshot.count()?;
        let write = |mut out: &mut dyn Write| {
            let mut progress = Progress::new();
            let written = snapshot.export_json(&mut out, &mut |done| progress.positions(done, all, stop))?;
            interrupt::check(stop).map(|()| written)
        };
        self.write_whole(b"{\"board\":", "book as JSON lines", write)
    }

    /// Writes a file that replaces one that begins in the same way, or to standard output.
    fn write_whole(
        &self,
        beginning: &[u8],
        what: &str,
        write: impl FnOnce(&mut dyn Write) -> Result<u64>,
    ) -> Result<u64> {
        if self.output == Path::new(STANDARD_STREAM) {
            return write(&mut output::stdout()).map_err(|error| self.named(error));
        }
        whole_file::check_replaceable(&self.output, beginning, what)?;
        let mut file = NewFile::create(&self.output)?;
        let written = write(&mut file).map_err(|error| self.named(error))?;
        if written > 0 {
            file.commit()?;
        }
        Ok(written)
    }

    /// An error of writing with the name of the file; that of standard output has one.
    fn named(&self, error: anyhow::Error) -> anyhow::Error {
        match error.downcast() {
            Ok(BookError::Stream { source, .. }) if self.output == Path::new(STANDARD_STREAM) => source.into(),
            Ok(BookError::Stream { source, .. }) => FileError::Unwritable(self.output.clone(), source).into(),
            Ok(error) => error.into(),
            Err(error) => error,
        }
    }

    fn write_games(&self, snapshot: &Snapshot, stop: &Stop) -> Result<u64> {
        let format = Format::from_path(&self.output).unwrap_or(Format::Transcript);
        let mut sink = GameSink::create(&self.output, format)?;
        let mut outcome: Result<()> = Ok(());
        let mut progress = Progress::new();
        let mut lines = 0;
        let all = snapshot.count()?;
        snapshot.lines(&Board::start(), &mut |moves, done| {
            let mut game = Game::new();
            outcome = moves.iter().try_for_each(|&square| Ok(game.play(square)?));
            if outcome.is_err() {
                return false;
            }
            lines += 1;
            progress.show(|progress| format!("{}  {}", counted(lines, "game"), progress.left(done, all)));
            outcome = sink.write(&GameRecord::new(game)).map_err(Into::into).and_then(|fit| Ok(fit?));
            outcome.is_ok() && !stop.is_set()
        })?;
        progress.clear();
        outcome?;
        interrupt::check(stop)?;
        Ok(sink.finish()?)
    }
}
