//! What thinks for a client: its players, an adviser, an analyst and a solver, one job at a time in the calling thread.

use std::fmt;
use std::sync::Arc;

use engine::analysis::{Analyst, JudgedMove, judge_each_move};
use engine::clock::Moment;
use engine::explanation::Explanation;
use engine::{Limits, Player, PlayerError, Progress, Stop, json};
use othello::{Board, BoardShape, Color, CutBoard, Game, Position, Rules, SmallBoard, Square, SquareSet};
use players::analysts::AnalystChoice;
use players::{PlayerOptions, SearchOptions, SharedResources, registry};
use report::words::sentence;
use search::HashTable;

use crate::book_page::{self, OpeningBook};
use crate::job::{Job, JobBoard, Outcome, Report, Work};
use crate::studied_board::{SolveQuestion, Solved, StudiedBoard};
use crate::study::{Explained, ExplainedPart};

/// What a workbench may use.
#[derive(Clone, Debug)]
pub struct Resources {
    /// Search threads.
    pub threads: u16,
    /// The largest hash table of its own, in MB.
    pub hash: u32,
    /// A hash table that it shares with others, for the players and the adviser of the 8x8 board.
    pub shared: Option<Arc<HashTable>>,
    /// The opening book.
    pub book: Option<OpeningBook>,
}

/// The players of a client, and everything else that thinks for it.
#[derive(Debug)]
pub struct Workbench {
    resources: Resources,
    bench: Option<Box<dyn Bench>>,
}

impl Workbench {
    /// A workbench without players.
    pub fn new(resources: Resources) -> Self {
        Self { resources, bench: None }
    }

    /// Does a job, which is a text that a [host](crate::host::Host) made. Everything that comes of it is told; the
    /// last text is the result. When the flag is set, it ends soon.
    pub fn run(&mut self, job: &str, stop: &Stop, tell: &mut dyn FnMut(String)) {
        let board = match serde_json::from_str::<JobBoard>(job) {
            Ok(JobBoard { board }) => board,
            Err(error) => return tell(failure(&error.to_string())),
        };
        let bench = match self.bench.take() {
            Some(bench) if bench.board() == board => bench,
            // Players of another board are of no more use.
            _ => new_bench(board, self.resources.clone()),
        };
        self.bench.insert(bench).run(job, stop, tell);
    }
}

fn failure(reason: &str) -> String {
    text(&Report::<Board>::Done { outcome: Err(format!("the job cannot be read: {reason}")) })
}

/// A report as a text.
fn text<B: Rules>(report: &Report<B>) -> String {
    // It has only texts as keys and finite numbers.
    serde_json::to_string(report).unwrap_or_default()
}

/// A workbench for one board.
trait Bench: fmt::Debug + Send {
    fn board(&self) -> BoardShape;

    fn run(&mut self, job: &str, stop: &Stop, tell: &mut dyn FnMut(String));
}

fn new_bench(board: BoardShape, resources: Resources) -> Box<dyn Bench> {
    match board {
        BoardShape::Eight => Box::new(BoardBench::<Board>::new(resources)),
        BoardShape::Six => Box::new(BoardBench::<SmallBoard<6>>::new(resources)),
        BoardShape::Four => Box::new(BoardBench::<SmallBoard<4>>::new(resources)),
        BoardShape::Cut => Box::new(BoardBench::<CutBoard>::new(resources)),
    }
}

struct BoardBench<B: StudiedBoard> {
    resources: Resources,
    /// Black's and White's player.
    players: [Option<Box<dyn Player<B>>>; 2],
    /// Made when moves are valued for the first time.
    adviser: Option<B::Adviser>,
    /// The analyst of the last judgement.
    analyst: Option<(AnalystChoice, Box<dyn Analyst<B>>)>,
}

impl<B: StudiedBoard> fmt::Debug for BoardBench<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoardBench").field("resources", &self.resources).finish_non_exhaustive()
    }
}

impl<B: StudiedBoard> Bench for BoardBench<B> {
    fn board(&self) -> BoardShape {
        BoardShape::of::<B>()
    }

    fn run(&mut self, job: &str, stop: &Stop, tell: &mut dyn FnMut(String)) {
        match serde_json::from_str::<Job<B>>(job) {
            Ok(Job { work, .. }) => self.work(work, stop, &mut |report| tell(text(&report))),
            Err(error) => tell(failure(&error.to_string())),
        }
    }
}

impl<B: StudiedBoard> BoardBench<B> {
    fn new(resources: Resources) -> Self {
        Self { resources, players: [None, None], adviser: None, analyst: None }
    }

    fn work(&mut self, work: Work<B>, stop: &Stop, tell: &mut dyn FnMut(Report<B>)) {
        let report = match work {
            Work::Seat { color, seating, seed } => {
                let search = SearchOptions { threads: self.resources.threads, hash: self.resources.hash };
                let options = PlayerOptions {
                    seed,
                    search,
                    default_book: self.resources.book.is_some(),
                    ..PlayerOptions::default()
                };
                let notation = seating.without_clock();
                let shared =
                    SharedResources { table: self.resources.shared.as_ref(), book: self.resources.book.as_ref() };
                let made = registry::of_papers().limited_player_with::<B>(&notation, &options, shared);
                let name = made.map_err(|error| sentence(&error)).map(|player| {
                    let name = player.name().to_owned();
                    self.players[color as usize] = Some(player);
                    name
                });
                Report::Seated { name }
            }
            Work::Unseat { color } => {
                self.players[color as usize] = None;
                Report::Done { outcome: Ok(()) }
            }
            Work::Swap => {
                self.players.swap(0, 1);
                Report::Done { outcome: Ok(()) }
            }
            Work::NewGame => {
                let begin = |player: &mut Box<dyn Player<B>>| player.new_game().map_err(|error| error.to_string());
                Report::Done { outcome: self.players.iter_mut().flatten().try_for_each(begin) }
            }
            Work::Think { color, game, limits } => {
                let mut told = |progress: &Progress| tell(thought(progress));
                let choice = game.game().and_then(|game| {
                    let player = self.players[color as usize].as_mut().ok_or("no player has this color")?;
                    player.choose(&game, &limits, &mut told, stop).map_err(|error| error.to_string())
                });
                Report::Chosen { choice: choice.map(json::Choice::from) }
            }
            Work::Advise { game, level, moves } => {
                let mut told = |progress: &Progress| tell(thought(progress));
                let outcome = game.game().and_then(|game| self.advise(&game, &moves.squares, level, &mut told, stop));
                Report::Done { outcome }
            }
            Work::Analyze { game, from, choice } => {
                let outcome = game.game().and_then(|game| self.analyze(&game, from, &choice, stop, tell));
                Report::Done { outcome }
            }
            Work::Judge { game, square, choice } => {
                let judged = game.game().and_then(|game| {
                    self.judge(&game, square.square, &choice, stop).map_err(|error| error.to_string())
                });
                match judged {
                    Ok(judged) => Report::Judged { judged: Box::new(judged.into()) },
                    Err(reason) => Report::Done { outcome: Err(reason) },
                }
            }
            Work::Solve { position, outcome_only, all_moves } => {
                let start = Moment::now();
                let mut told = |progress: &str, nodes| {
                    let (progress, seconds) = (progress.to_owned(), start.elapsed().as_secs_f64());
                    tell(Report::Solving { progress, nodes, seconds });
                };
                let question = SolveQuestion { outcome_only, all_moves };
                let solved = B::solve(&position, question, &self.resources, stop, &mut told);
                let seconds = start.elapsed().as_secs_f64();
                match solved {
                    Ok(Solved { answers, nodes }) => Report::Solved { answers: Ok(answers), nodes, seconds },
                    Err(reason) => Report::Solved { answers: Err(reason), nodes: 0, seconds },
                }
            }
            Work::Book { position } => {
                let page = self.resources.book.as_ref().ok_or_else(|| "there is no opening book".to_owned());
                Report::Book { page: page.and_then(|book| book_page::page(book, &position)).map(Box::new) }
            }
            Work::Explain { position, players } => {
                let explained = |(color, player): (Color, String)| {
                    let entry = players::registry::of_papers().entry::<B>(&player).ok()?;
                    let explanation = entry.explain?(&position.board);
                    Some(explained_by(color, player, &position, explanation))
                };
                Report::Explained { explanations: players.into_iter().filter_map(explained).collect() }
            }
        };
        tell(report);
    }

    fn advise(
        &mut self,
        game: &Game<B>,
        moves: &[Square],
        level: u32,
        told: &mut dyn FnMut(&Progress),
        stop: &Stop,
    ) -> Outcome<()> {
        let adviser = match self.adviser.take() {
            Some(adviser) => adviser,
            None => B::adviser(&self.resources)?,
        };
        let adviser = self.adviser.insert(adviser);
        let known = book_page::known_moves(self.resources.book.as_ref(), &game.position().board);
        known.tell(moves, told);
        let mut observer = |progress: &Progress| told(&known.complete(progress));
        let outcome = B::advise(adviser, game, moves, &Limits::of_level(level), &mut observer, stop);
        outcome.map_err(|error| error.to_string())
    }

    fn analyst(&mut self, choice: &AnalystChoice) -> Result<&mut Box<dyn Analyst<B>>, PlayerError> {
        let known = match self.analyst.take() {
            Some((known, analyst)) if known == *choice => (known, analyst),
            _ => {
                let made = book_page::analyst(choice, self.resources.book.as_ref());
                (choice.clone(), made.map_err(|error| PlayerError::NotMade { reason: sentence(&error) })?)
            }
        };
        Ok(&mut self.analyst.insert(known).1)
    }

    /// Judges a move by itself, after which nothing is remembered.
    fn judge(
        &mut self,
        game: &Game<B>,
        square: Square,
        choice: &AnalystChoice,
        stop: &Stop,
    ) -> Result<JudgedMove<B>, PlayerError> {
        let position = game.position();
        if !position.board.moves().has(square) {
            let reason = format!("{} is not a legal move", B::GEOMETRY.square_name(square));
            return Err(PlayerError::NotMade { reason });
        }
        let analyst = self.analyst(choice)?;
        analyst.new_game()?;
        let judgement = analyst.judge(game, square, stop)?;
        Ok(JudgedMove { number: game.move_count() + 1, position, judgement })
    }

    /// Judges the moves of a game one after the other.
    fn analyze(
        &mut self,
        game: &Game<B>,
        from: usize,
        choice: &AnalystChoice,
        stop: &Stop,
        tell: &mut dyn FnMut(Report<B>),
    ) -> Outcome<()> {
        let analyst = self.analyst(choice).map_err(|error| error.to_string())?;
        let report = |judged: JudgedMove<B>| tell(Report::Judged { judged: Box::new(judged.into()) });
        judge_each_move(&mut **analyst, game, from..usize::MAX, stop, report).map_err(|error| error.to_string())
    }
}

fn thought<B: Rules>(progress: &Progress) -> Report<B> {
    Report::Thought { progress: progress.clone().into() }
}

fn explained_by<B: Rules>(color: Color, player: String, position: &Position<B>, found: Explanation) -> Explained {
    let Explanation { parts, value, unit, win_probability } = found;
    let part = |part: engine::explanation::Part| {
        let engine::explanation::Part { name, value, weight, is_detail } = part;
        ExplainedPart { name, value, weight, is_detail }
    };
    let parts = parts.into_iter().map(part).collect();
    Explained { color, player, turn: position.turn, value, unit: unit.to_owned(), win_probability, parts }
}
