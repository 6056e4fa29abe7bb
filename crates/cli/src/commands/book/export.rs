//! `emilia book export`: writes a book in another format.

use book::edax::EdaxHeader;
use book::{BookError, Snapshot};
use othello::{Board, Game, Rules};
use records::files::{STANDARD_STREAM, today};
use records::sink::GameSink;
use records::{Date, Format, GameRecord};
use storage::whole_file::{self, FileError, NewFile};

use super::exchange_format::ExchangeFormat;
use super::progress::Progress;
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

/// Summary of an export.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Written {
    /// Number of positions written.
    Positions(u64),
    /// Number of games written.
    Games(u64),
}

impl Export {
    pub(crate) fn run(&self, registry: &Registry) -> Result<()> {
        let format = ExchangeFormat::of(&self.output, self.to, "--to")?;
        FileRoles::new().reads("", &self.book).writes("", &self.output).check()?;
        let stop = interrupt::flag()?;
        let snapshot = book_to_read_all(registry, &self.book)?.into_snapshot()?;
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
        let mut out = output::stdout();
        if self.json {
            output::json_line(&mut out, &written)?;
        } else {
            let count = match written {
                Written::Positions(count) => counted(count, "position"),
                Written::Games(count) => counted(count, "game"),
            };
            writeln!(out, "{count} written to {}", self.output.display())?;
        }
        Ok(out.flush()?)
    }

    fn write_edax(&self, snapshot: &Snapshot, stop: &Stop) -> Result<u64> {
        let date = today();
        let [month, day] = [date.and_then(Date::month), date.and_then(Date::day)].map(|part| part.unwrap_or(1));
        let header = EdaxHeader::new(date.map_or(2000, Date::year), [month, day, 0, 0, 0]);
        let write = |mut out: &mut dyn Write| {
            let mut progress = Progress::new(stop);
            let mut report = |done, all| progress.positions(done, Some(all));
            let written = snapshot.export_edax(&header, &mut out, &mut report)?;
            if stop.is_set() { Err(Interrupted.into()) } else { Ok(written) }
        };
        self.write_whole(b"XADEKOOB", "book of Edax", write)
    }

    fn write_json(&self, snapshot: &Snapshot, stop: &Stop) -> Result<u64> {
        let all = snapshot.count()?;
        let write = |mut out: &mut dyn Write| {
            let mut progress = Progress::new(stop);
            let written = snapshot.export_json(&mut out, &mut |done| progress.positions(done, Some(all)))?;
            if stop.is_set() { Err(Interrupted.into()) } else { Ok(written) }
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
        let mut progress = Progress::new(stop);
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
        interrupt::check(&stop)?;
        Ok(sink.finish()?)
    }
}
