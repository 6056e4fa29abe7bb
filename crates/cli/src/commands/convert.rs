//! `emilia convert`: games from one format into another.

use records::files::{self as game_file, display_name};
use records::sink::GameSink;

use crate::arguments::output_format;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia convert WTH_1980.wtb games.ggf   a Thor database, with its WTH.JOU and
                                          WTH.TRN
  emilia convert games.ggf games.txt      only the moves, one game per line
  emilia convert --to sgf games.txt -     to standard output
  echo f5d6c3 | emilia convert --from transcript - game.sgf

Formats, by extension or by --from and --to: transcript (.txt), obf, ggf, sgf, thor (.wtb). A transcript is read in any layout: games over several \
lines, PGN (.pgn), the JSON of Othello Quest, addresses of games.

OUT is replaced only when all games have been written: if the command fails or is killed, or if there is no game to \
write, the old file is unchanged.

Records that cannot be read or written are reported on standard error and left out; all others are converted. If \
there were any such records, the exit code is 1 (0 with --lenient). Without any game, it is always 1.";

/// Convert games between transcript, OBF, GGF, SGF and Thor.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Convert {
    /// The file to read; - is standard input
    #[arg(value_name = "IN")]
    input: PathBuf,

    /// The file to write; - is standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// Format of the input, if neither its name nor its content shows it
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,

    /// Format of the output, if its name does not show it
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,

    /// Exit with code 0 even if there are bad records, as long as a game was converted
    #[arg(long)]
    lenient: bool,

    /// Print JSON: one object, the summary
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary {
    /// Records converted.
    converted: u64,
    /// Records that cannot be read.
    bad: u64,
    /// Games that the format of the output cannot hold.
    misfits: u64,
}

impl Convert {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        let to = output_format(&self.output, self.to)?;
        if self.input == Path::new(STANDARD_STREAM) && self.from.is_none() {
            bail_usage!("cannot tell the format of standard input; expected --from FORMAT");
        }
        FileRoles::new().reads("", &self.input).writes_all("", GameSink::files(&self.output, to)).check()?;
        let records = game_file::records_of(&self.input, self.from)?;
        let mut sink = GameSink::create(&self.output, to)?;
        let mut bad = BadRecords::listed();
        for record in records {
            if let Some(record) = bad.readable(record) {
                bad.write(&mut sink, &record)?;
            }
        }
        let converted = sink.finish()?;
        let (is_file, output) = (self.output != Path::new(STANDARD_STREAM), self.output.display());
        if is_file && (self.json || converted > 0) {
            let summary = Summary { converted, bad: bad.count, misfits: bad.misfits };
            output::row(&mut output::stdout(), self.json, &summary, || {
                format!("{} written to {output}", counted(converted, "game"))
            })?;
        }
        if converted > 0 {
            return bad.conclude(!self.lenient, "the others were converted");
        }
        let unwritten = if is_file { format!(", and {output} was not written") } else { String::new() };
        bad.conclude(true, &format!("no game was converted{unwritten}"))?;
        // Standard output without a game is what an input without a game becomes.
        ensure!(!is_file, "no game in {}; {output} was not written", display_name(&self.input));
        Ok(())
    }
}
