//! `emilia games`: searches a database of games.

use std::borrow::Cow;

use othello::Score;
use records::GameHead;
use records::files as game_file;
use records::filter::{self, GameFilter};
use records::sink::GameSink;
use report::columns::left_aligned;
use report::results_page;

use crate::arguments::{GameConditions, output_format};
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia games thor/ --player tamenori --year 1988-1990
        a player's games, in all files of a folder
  emilia games thor/ --player tamenori --player suekuni
        games of two players against each other
  emilia games thor/ --opening f5d6c3d3c4 --count
        how often an opening was played
  emilia games thor/ --opening tiger --black takizawa
        an opening by its name
  emilia games thor/ --black takizawa --score 20..
        clear wins with Black
  emilia games WTH_1997.wtb --event paris --moves
        with the moves
  emilia games thor/ --year 1980 --output 1980.ggf
        write the games found to a file
  emilia games thor/ --score 0 --json --limit 5
        draws, one JSON object per line
  emilia show thor/WTH_1997.wtb --game 7
        a game that was found: the end of its line is what show, hint,
        analyze and others take

Names and events match anywhere in the text, in upper or lower case. An opening is the position after its moves: it \
matches in every orientation and with any order of moves, in games that begin with the standard position.

Records and files that cannot be read are left out and counted on standard error; with --strict each is reported with \
its reason, and the exit code is 1. If no game is found for --output, the file is not written, and the exit code is 1.";

/// Search a database of games, and print or export the games found.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Games {
    /// Files in any format, or folders with such files
    #[arg(value_name = "FILES", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    conditions: GameConditions,

    /// First moves of the game, such as f5d6c3, or the name of the opening
    #[arg(long, value_name = "MOVES|NAME")]
    opening: Option<String>,

    /// Black's final score, or a range: 0, 10.., -64..-1
    #[arg(long, value_name = "SCORES", value_parser = filter::parse_range, allow_hyphen_values = true)]
    score: Option<RangeInclusive<i64>>,

    /// At most N results: the first games that match
    #[arg(long, value_name = "N", value_parser = any_number)]
    limit: Option<u64>,

    /// Print only the number of games
    #[arg(long, conflicts_with = "moves")]
    count: bool,

    /// Also print the moves
    #[arg(long)]
    moves: bool,

    /// Output file, to which the games are written instead of being printed; - is standard output
    #[arg(long, short, value_name = "FILE", conflicts_with_all = ["count", "moves"])]
    output: Option<PathBuf>,

    /// Format of the input, if neither its name nor its content shows it
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,

    /// Format of the output, if its name does not show it
    #[arg(long, value_name = "FORMAT", requires = "output")]
    to: Option<Format>,

    /// Report every bad record, and exit with code 1 if there is one
    #[arg(long)]
    strict: bool,

    /// Print JSON: one object per line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Place<'a> {
    /// File of the game.
    file: Cow<'a, str>,
    /// Number of the game in the file, from 1: the `FILE --game N` of other commands.
    number: u64,
}

impl Place<'_> {
    /// The arguments by which other commands find the game: `games.ggf --game 3`.
    fn arguments(&self) -> String {
        let words = [self.file.to_string(), "--game".to_owned(), self.number.to_string()];
        output::printable(&results_page::command_line(words)).into()
    }
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    #[serde(flatten)]
    head: GameHead,
    /// Black's final score, if it is known.
    score: Option<i32>,
    /// Black's best possible score from some point on.
    theoretical_score: Option<Score>,
    /// Moves of the game.
    moves: MoveSequence,
    /// The name of the opening, if it has one.
    opening: Option<&'static str>,
}

/// Column of the players in a line, and of the moves below them.
const INDENT: usize = 11;

/// The columns of the name of a player.
const NAME_COLUMN: usize = 22;

#[derive(Serialize)]
struct Count {
    /// Number of games found.
    count: u64,
}

impl Games {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        let filter = self.filter()?;
        let output = self.output.as_ref().map(|path| Ok::<_, anyhow::Error>((path, output_format(path, self.to)?)));
        let output = output.transpose()?;
        let files = game_file::expand_paths(&self.files)?;
        let outputs = output.map_or_else(Vec::new, |(path, format)| GameSink::files(path, format));
        FileRoles::new().reads_all(&files).writes_all("--output", outputs).check()?;
        let mut bad = if self.strict { BadRecords::listed() } else { BadRecords::counted() };
        let is_only_file = files.len() == 1;
        let mut files = files.into_iter();
        // Of several files, one that cannot be read is left out.
        let mut next_records = |bad: &mut BadRecords| -> Result<Option<(PathBuf, records::Records<'static>)>> {
            for file in files.by_ref() {
                match game_file::records_of(&file, self.from) {
                    Ok(records) => return Ok(Some((file, records))),
                    Err(error) if is_only_file => return Err(error.into()),
                    Err(error) => bad.add_file(&report::words::sentence(&error)),
                }
            }
            Ok(None)
        };
        // Opened before the output is created, so that a wrong name leaves no empty file behind.
        let mut next = next_records(&mut bad)?;
        let mut sink = output.map(|(path, format)| GameSink::create(path, format)).transpose()?;

        let look = environment.look;
        let columns = wrapping::columns(&io::stdout());
        let mut out = output::stdout();
        let mut matches = 0;
        let limit = self.limit.unwrap_or(u64::MAX);
        'files: while let Some((file, records)) = next {
            // Bad records have a number, too, as they have for `--game` of other commands.
            for (number, record) in (1..).zip(records) {
                if matches >= limit {
                    break 'files;
                }
                let Some(record) = bad.readable(record).filter(|record| filter.accepts(record)) else { continue };
                matches += 1;
                match &mut sink {
                    Some(sink) => bad.write(sink, &record)?,
                    None if self.count => {}
                    None => {
                        let place = Place { file: file.to_string_lossy(), number };
                        if self.json {
                            output::json_line(&mut out, &row(place, &record))?;
                        } else {
                            self.print(&place, &record, look, columns, &mut out)?;
                        }
                    }
                }
            }
            next = next_records(&mut bad)?;
        }

        if let Some(sink) = sink {
            let written = sink.finish()?;
            if let Some(path) = self.output.as_deref().filter(|path| *path != Path::new(game_file::STANDARD_STREAM)) {
                if written == 0 {
                    let what = if matches == 0 { "found" } else { "written" };
                    let advice = format!("no game was {what}, and {} was not written", path.display());
                    bad.conclude(true, &advice)?;
                    bail!("{advice}");
                }
                writeln!(out, "{} written", counted(written, "game"))?;
            }
        } else if self.count {
            output::row(&mut out, self.json, &Count { count: matches }, || matches.to_string())?;
        } else if !self.json {
            writeln!(out, "{}", look.dim(&counted(matches, "game")))?;
        }
        out.flush()?;
        bad.conclude(self.strict, if self.strict { "the others were searched" } else { "--strict shows why" })
    }

    fn filter(&self) -> Result<GameFilter> {
        let GameConditions { black, white, event, year: years, .. } = self.conditions.clone();
        let opening = self.opening.as_deref().map(named_opening::opening).transpose()?;
        let players = self.conditions.players();
        Ok(GameFilter { players, black, white, event, years, scores: self.score.clone(), opening })
    }

    fn print(
        &self,
        place: &Place<'_>,
        record: &GameRecord,
        look: Look,
        columns: Option<usize>,
        out: &mut impl Write,
    ) -> Result<()> {
        let date = record.date.map_or_else(|| "?".to_owned(), |date| date.to_string());
        let [black, white] =
            [&record.black, &record.white].map(|name| left_aligned(&output::printable(name), NAME_COLUMN));
        let event = look.dim(&output::printable(&record.event));
        let event = if record.event.is_empty() { String::new() } else { event + "  " };
        let line = format!("{date:<10} {black} {:>5}  {white} {event}{}", result(record), place.arguments());
        writeln!(out, "{}", wrapping::wrapped(&line, columns, INDENT))?;
        if self.moves {
            let moves = wrapping::wrapped_moves::<Board>(&record.game.line(), columns, INDENT, INDENT);
            writeln!(out, "{:INDENT$}{moves}", "")?;
        }
        Ok(())
    }
}

/// The discs of both sides, empty squares given to the winner: `44-20`.
fn result(record: &GameRecord) -> String {
    match filter::black_score(record) {
        Some(score) => format!("{}-{}", (64 + score) / 2, (64 - score) / 2),
        None => "?".to_owned(),
    }
}

fn row<'a>(place: Place<'a>, record: &GameRecord) -> Row<'a> {
    Row {
        place,
        head: record.into(),
        score: filter::black_score(record),
        theoretical_score: record.theoretical.map(|theoretical| theoretical.score),
        moves: record.game.line().into(),
        opening: opening_names::of_game(&record.game).map(|opening| opening.name),
    }
}
