//! `emilia analyze`: evaluates every move of one game or of many.

use engine::analysis::{GameAnalysis, JudgedMove, Perspective};
use jobs::Job;
use players::analysis_job::{AnalysisItem, AnalysisWork};
use players::analysts::AnalystChoice;
use players::notation::{self as player_notation, PlayerNotation};
use players::opening_book::OpeningBook;
use records::files as game_file;
use report::analysis::{self as analysis_report, AnalysedGame, GameReport, Page};
use storage::checksum::fnv1a;

use crate::arguments::{is_board, open_book};
use crate::defaults;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia analyze f5d6c3d3c4f4e3                   a game given by its moves
  emilia analyze game.sgf --html game.html        a game from a file, with an
                                                  HTML report
  emilia analyze game.sgf --level 20 --exact 24   a deeper search
  emilia analyze games.ggf --game 6               one game from a file
  emilia analyze WTH_1980.wtb --level 8 --json    all games in a file, one JSON
                                                  object each
  emilia analyze game.ggf --engine NAME --exact 15
                                                  by another program, with the
                                                  parts of its evaluation
  emilia analyze game.ggf --engine NAME@depth=8   by another player
  emilia analyze game.ggf --book my.book          what another book says
  emilia analyze --board 6 b3b2d5                 another board
  echo f5d6c3 | emilia analyze -                  from standard input

The best move and the played move are searched to the same depth; the difference between their values is the loss. Near \
the end of the game both are solved exactly, and values are whole discs. Values are for Black, or for the side that \
moves with --perspective mover. The winning chance shown is the one after the played move, with a draw counted as half \
a win. A depth of 14@73% means 14 plies, with branches pruned at 73% confidence; moves of the opening book say book \
instead, and their values are those of the book unless they are proven.

Marks after a move: ?! loses 2+ discs; ? loses 4+, or a proven win or draw; ?? loses 10+. For players that count in \
points, points are converted to discs by the average value of a disc; winning chances are converted to the number of \
discs they are worth in an even midgame position.

Games are analyzed in parallel on all cores and printed in their original order. Ctrl-C stops the analysis and prints \
what has been found so far. Records that cannot be read are reported on standard error and left out, and the exit code is 1.";

/// Analyze games: the best move for every move played, the discs lost, and a summary for each side.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Analyze {
    /// Games such as f5d6c3, names of openings such as tiger, files of games in any format, or folders with such files;
    /// - is standard input
    #[arg(value_name = "GAME|FILE|NAME", required = true)]
    what: Vec<String>,

    /// Game number N in the file [default: all]
    #[arg(long, value_name = "N", value_parser = number(1..=u32::MAX))]
    game: Option<u32>,

    /// The player, which analyzes: see `emilia engines`; with settings as in bill3@depth=8 [default: emilia, or the
    /// strongest player available for that board]
    #[arg(long, value_name = "PLAYER")]
    engine: Option<PlayerNotation>,

    /// Search level, 0 to 60 [default: 14 if there is no other limit; most players without levels search 6 plies]
    #[arg(long, value_name = "N")]
    level: Option<Level>,

    /// Search depth in plies
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=60))]
    depth: Option<u32>,

    /// Time for one search, such as 1s
    #[arg(long, value_name = "TIME", value_parser = player_notation::move_time)]
    move_time: Option<Duration>,

    /// Solve positions with at most N empty squares exactly [default: 20, or what the level solves if that is more]
    #[arg(long, value_name = "N", value_parser = number::<u32>(0..=60))]
    exact: Option<u32>,

    /// The opening book, whose moves are marked: a file, `shipped` or `off` [default: shipped]
    #[arg(long, value_name = "BOOK")]
    book: Option<BookChoice>,

    /// The side from whose point of view values and winning chances are shown: black, or mover for the side that moves.
    /// Graphs are always for Black
    #[arg(long, value_name = "SIDE", default_value = "black")]
    perspective: Perspective,

    /// Write a report to this file: an HTML page that needs no other files
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// The board: 8, 6, 4 or cs221
    #[arg(long, value_parser = any_board(), hide_possible_values = true, default_value = "8", value_name = "BOARD")]
    board: BoardShape,

    /// Format of the input, if neither its name nor its content shows it
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,

    /// Number of threads, each with a position or a game [default: one per core]
    #[arg(long, value_name = "N", default_value_t = one_thread_per_core(), hide_default_value = true, value_parser = number::<u16>(1..=256))]
    threads: u16,

    /// Hash table size in MB (for each search)
    #[arg(long, value_name = "MB", default_value_t = 32, value_parser = number(1..=u32::MAX))]
    hash: u32,

    #[command(flatten)]
    farm: FarmOptions,

    /// Exit with code 0 even if there are bad records
    #[arg(long)]
    lenient: bool,

    /// Print JSON: one object per game
    #[arg(long)]
    json: bool,
}

/// Some moves of one of the games, which are analyzed one after the other.
struct Portion {
    game: usize,
    moves: std::ops::Range<usize>,
}

/// The result of a job: the analyzed moves, fewer if it was stopped, or why there are none.
type Found<B> = Result<Vec<JudgedMove<B>>, String>;

impl Analyze {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        with_board!(self.board, B => self.run_on::<B>(environment.registry, environment.look))
    }

    fn choice<B: PlayableBoard>(&self, registry: &Registry) -> AnalystChoice {
        let Self { level, depth, move_time, .. } = *self;
        AnalystChoice {
            notation: self.engine.clone(),
            limits: Limits { level, depth, move_time, ..Limits::default() },
            exact_from: self.exact,
            hash: self.hash,
        }
        .with_default_level::<B>(registry, defaults::level())
    }

    fn run_on<B: PlayableBoard>(&self, registry: &Arc<Registry>, look: Look) -> Result<()> {
        let choice = self.choice::<B>(registry);
        // An unknown player is reported before anything is read.
        choice.analyst::<B>(registry)?;
        // A player with a book of its own uses that one.
        let own = choice.has_own_book().then_some(&BookChoice::Off);
        let book = open_book(self.book.as_ref().or(own), self.board)?;
        FileRoles::new().reads_all(&self.what).writes_all("--html", &self.html).check()?;
        if let Some(path) = &self.html {
            whole_file::check_replaceable(path, Page::BEGINNING.as_bytes(), "report")?;
        }
        let mut bad = BadRecords::listed();
        let games = self.games::<B>(&mut bad)?;
        let stop = interrupt::flag()?;
        let analyst = choice.description::<B>(registry);
        let mut report = AnalysisWriter { command: self, book, look, page: Page::default(), unit: None };
        let outcome = report.write_all(registry, &games, &choice, &analyst, &mut bad, &stop);
        // The games that are finished are kept whatever happened to the rest.
        if let Some(path) = self.html.as_ref().filter(|_| !report.page.is_empty()) {
            whole_file::replace(path, report.page.html().as_bytes())?;
        }
        outcome?;
        interrupt::check(&stop)?;
        ensure!(bad.count + bad.files > 0 || !games.is_empty(), "no game to analyze");
        let advice = if games.is_empty() { "there are no others" } else { "the others were analyzed" };
        bad.conclude(!self.lenient || games.is_empty(), advice)
    }

    fn games<B: PlayableBoard>(&self, bad: &mut BadRecords) -> Result<Vec<(usize, GameRecord<B>)>> {
        if is_board(&self.what.join(" ")) {
            bail_usage!("a board has no moves to analyze; expected a game, or use emilia hint for a position");
        }
        let mut games = Vec::new();
        let mut unreadable = Vec::new();
        let mut count = 0;
        let is_wanted = |number: usize| self.game.is_none_or(|wanted| wanted as usize == number);
        let mut take = |record: Result<GameRecord<B>, String>| {
            count += 1;
            match record {
                _ if !is_wanted(count) => {}
                Ok(record) if record.game.line().is_empty() => {
                    bad.add(&format!("game {count} has no moves to analyze"));
                }
                Ok(record) => games.push((count, record)),
                Err(sentence) => bad.add(&sentence),
            }
        };
        for what in &self.what {
            let path = Path::new(what);
            if what == STANDARD_STREAM || path.exists() {
                for file in game_file::expand_paths(&[path.to_owned()])? {
                    match B::read_games(&file, self.from) {
                        Ok(records) => records.for_each(|record| take(record.map_err(|error| error.to_string()))),
                        // One file of a folder that cannot be read does not keep the others from being analyzed.
                        Err(error) if path.is_dir() => unreadable.push(error),
                        Err(error) => return Err(error.into()),
                    }
                }
                continue;
            }
            let record = named_opening::transcript_or_name::<B>(what, "file")?;
            ensure_usage!(!record.game.line().is_empty(), "no game given; expected a game such as f5d6c3, or a file");
            take(Ok(record));
        }
        for error in &unreadable {
            bad.add_file(&report::words::sentence(error));
        }
        if let Some(wanted) = self.game.filter(|&wanted| wanted as usize > count) {
            bail_usage!("no game {wanted}: {} found; expected 1 to {count}", counted(count as u64, "game"));
        }
        Ok(games)
    }
}

struct AnalysisWriter<'a> {
    command: &'a Analyze,
    book: Option<OpeningBook>,
    look: Look,
    page: Page,
    /// The unit of the values of the last game.
    unit: Option<&'static str>,
}

impl AnalysisWriter<'_> {
    /// Analyses the games and writes each as soon as it and those before it are finished.
    fn write_all<B: PlayableBoard>(
        &mut self,
        registry: &Arc<Registry>,
        games: &[(usize, GameRecord<B>)],
        choice: &AnalystChoice,
        analyst: &str,
        bad: &mut BadRecords,
        stop: &Stop,
    ) -> Result<()> {
        let jobs = jobs(games, choice.is_independent::<B>(registry));
        let work = AnalysisWork::<B>::new(Arc::clone(registry), choice.clone(), self.book.clone());
        let book_choice = match &self.book {
            Some(_) => self.command.book.clone().unwrap_or(BookChoice::Shipped),
            None => BookChoice::Off,
        };
        let items = |number: u64| {
            let Portion { game, moves } = &jobs[number as usize];
            AnalysisItem::new(&games[*game].1.game, moves.clone())
        };
        let definition = || {
            let texts = (0..jobs.len() as u64).filter_map(|number| serde_json::to_vec(&items(number)).ok());
            work.definition(&book_choice, fnv1a(texts))
        };
        let job = Job { work: &work, items: &items, definition: &definition };
        let executor = self.command.farm.executor(usize::from(self.command.threads))?;
        let mut live = LiveLine::on_stderr();
        let mut out = output::stdout();
        let mut outcome = Ok(());
        let mut judged: Found<B> = Ok(Vec::new());
        live.show(&format!("{}, {}", counted(games.len() as u64, "game"), analyst));
        let done = job.run(executor.as_ref(), 0..jobs.len() as u64, stop, |number, found| {
            let found: Found<B> = found.judged();
            let Portion { game: index, moves } = &jobs[number as usize];
            let (number, record) = &games[*index];
            let is_stopped = found.as_ref().is_ok_and(|found| found.len() < moves.len());
            match (&mut judged, found) {
                (Ok(judged), Ok(mut found)) => judged.append(&mut found),
                (judged @ Ok(_), Err(sentence)) => *judged = Err(sentence),
                (Err(_), _) => {}
            }
            let length = record.game.line().len();
            if let Ok(judged) = &judged {
                let done = judged.len();
                live.show(&format!("game {} of {}: {done} of {length} moves", index + 1, games.len()));
            }
            if moves.end < length && !is_stopped {
                return ControlFlow::Continue(());
            }
            live.clear();
            match std::mem::replace(&mut judged, Ok(Vec::new())) {
                Ok(moves) => {
                    let analysis = GameAnalysis::new(moves);
                    let perspective = self.command.perspective;
                    let game = AnalysedGame { number: *number, record, analysis, analyst, perspective };
                    outcome = self.write(&game, &mut out);
                }
                Err(sentence) => bad.add(&format!("game {number}: {sentence}")),
            }
            if outcome.is_err() || is_stopped {
                stop.set();
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        if outcome.is_ok() {
            outcome = done.map_err(Into::into);
        }
        if let Some(unit) = self.unit.filter(|_| outcome.is_ok() && !self.command.json) {
            writeln!(out, "\n{}", self.look.dim(&analysis_report::legend(unit).join("\n")))?;
        }
        outcome?;
        Ok(out.flush()?)
    }

    fn write<B: Rules>(&mut self, game: &AnalysedGame<'_, B>, out: &mut impl Write) -> Result<()> {
        if game.analysis.moves.is_empty() {
            return Ok(());
        }
        if self.command.html.is_some() {
            self.page.add(game);
        }
        if self.command.json {
            output::json_line(out, &GameReport::from(game))?;
        } else {
            if self.unit.replace(game.unit()).is_some() {
                writeln!(out, "\n")?;
            }
            analysis_report::write_text(game, self.look, out)?;
        }
        Ok(out.flush()?)
    }
}

/// The work: position by position if the analyst keeps nothing between positions, else game by game.
fn jobs<B: Rules>(games: &[(usize, GameRecord<B>)], by_position: bool) -> Vec<Portion> {
    let of_game = |(game, (_, record)): (usize, &(usize, GameRecord<B>))| {
        let length = record.game.line().len();
        let step = if by_position { 1 } else { length.max(1) };
        (0..length).step_by(step).map(move |first| Portion { game, moves: first..first + step })
    };
    games.iter().enumerate().flat_map(of_game).collect()
}
