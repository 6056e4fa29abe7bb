//! A page's session on one board: requests and reports go in, messages and jobs come out.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use engine::analysis::{JudgedMove, Judgement};
use engine::{Choice, Limits, Progress};
use othello::{BoardShape, Color, Game, Rules, Square, SquareSet, squares};
use players::analysts::AnalystChoice;
use players::book_settings::BookSettings;
use players::{PlayableBoard, PlayerNotation};
use records::{Format, GameRecord, link, sgf};
use report::{diagram, svg};
use session::catalogue::{self, Catalogue};
use session::exercises::Exercise;
use session::{
    ClockTime, Event, FoundGame, HintSettings, LegalClock, NewGame, Opponent, Order, OtherBoard, Outcome, Pause,
    PlayerOrder, Resumed, Seat, Seating, Session, Start, Task, View,
};

use crate::boards::WebBoard;
use crate::files::{self, saved_name};
use crate::host::{HostOptions, Lane, Output};
use crate::message::{Explained, FileContent, PlayerChoice, Response, SaveFormat, SeatState, Shown, Solving, State};
use session::job::{Job, PlayedGame, Report, Work};

/// What a move may take.
const MOVE_LIMIT: Duration = Duration::from_secs(120);
/// What hints, and the judgement of one move, may take.
const STUDY_LIMIT: Duration = Duration::from_secs(180);
/// What solving may take, and an analysis that cannot be divided.
const LONG_LIMIT: Duration = Duration::from_secs(1800);
/// What everything else may take.
const SHORT_LIMIT: Duration = Duration::from_secs(30);

/// Views that only tell of thinking come no more often.
const VIEW_PAUSE: Duration = Duration::from_millis(100);

/// The next tick is never further away: an executor can wait as long, whatever timer it has.
const LONGEST_WAIT: Duration = Duration::from_secs(60 * 60);

/// The pause of two engines between moves.
const DEFAULT_PACE: Duration = Duration::from_millis(500);

/// The table of a judgement, in MB: as `emilia analyze` has it.
const ANALYSIS_HASH: u32 = 32;

/// A longer record is no state of ours.
pub(crate) const LONGEST_RECORD: usize = 256 * 1024;

/// Longer lines are not previewed.
const LONGEST_PREVIEW: usize = 120;

/// What comes of one thing that happened.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) now: Duration,
    pub(crate) next_job: u64,
    pub(crate) outputs: Vec<Output>,
    /// Another board was asked for.
    pub(crate) other_board: Option<OtherBoard>,
}

impl Turn {
    pub(crate) fn new(now: Duration, next_job: u64) -> Self {
        Self { now, next_job, outputs: Vec::new(), other_board: None }
    }

    /// Sends a message to the page.
    pub(crate) fn send(&mut self, response: &Response) {
        // All keys are texts and all numbers finite.
        if let Ok(text) = serde_json::to_string(response) {
            self.outputs.push(Output::Send(text));
        }
    }

    /// Tells the page that a request is not obeyed.
    pub(crate) fn refuse(&mut self, reason: String) {
        self.send(&Response::Error { sentence: whole_sentence(&reason) });
    }
}

/// A reason as a sentence of its own, which may begin with the name of a file: names stay as they are.
pub(crate) fn sentence_about(names: &[String], reason: &str) -> String {
    let begins_with = |name: &String| !name.is_empty() && reason.starts_with(name.as_str());
    if names.iter().any(begins_with) { format!("{reason}.") } else { whole_sentence(reason) }
}

/// A reason as a sentence of its own. The name of a square stays as it is: `c8 flips nothing`.
pub(crate) fn whole_sentence(reason: &str) -> String {
    let mut symbols = reason.chars();
    let Some(first) = symbols.next() else { return String::new() };
    let rest = symbols.as_str();
    if rest.starts_with(|symbol: char| symbol.is_ascii_digit()) {
        return format!("{reason}.");
    }
    format!("{}{rest}.", first.to_uppercase())
}

/// How a session on a board begins.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Beginning {
    /// A new game of a person against the strongest player at a friendly level.
    Usual,
    /// A new game as the session on another board asked for it.
    OnOtherBoard(OtherBoard),
    /// The game of a link, with the players of a kept state.
    Linked(String, Option<Box<State>>),
    /// The game of a kept state.
    Kept(Box<State>),
}

/// What a job is for.
#[derive(Clone, PartialEq, Debug)]
enum Purpose {
    /// A player takes a seat; the session is told unless it was there before.
    Seat { color: Color, seating: Seating, is_new: bool },
    /// Something about the players, which only matters if it fails.
    Players,
    /// A move, with the last report.
    Move { task: Task, last: Option<Progress> },
    /// Hints.
    Hints(Task),
    /// A whole analysis.
    Analysis(Task),
    /// The move of this index in an analysis.
    JudgedMove { task: Task, index: usize },
    /// A move that was tried.
    Try { square: String, revision: u64 },
    /// The solving of a position.
    Solving,
    /// What programs think of the position of this revision.
    Explaining(u64),
    /// What the opening book knows about the position of this revision.
    Book(u64),
}

/// An analysis whose moves are judged by several jobs.
#[derive(Clone, Debug)]
struct Judging<B: Rules> {
    task: Task,
    line: Vec<Square>,
    start: Game<B>,
    choice: Box<AnalystChoice>,
    /// The index of the next move to start with.
    next: usize,
    /// The index of the next move that the session waits for.
    wanted: usize,
    /// Moves that were judged before their turn.
    early: BTreeMap<usize, JudgedMove<B>>,
}

/// A session on a board with what surrounds it.
#[derive(Debug)]
pub(crate) struct BoardClient<B: WebBoard> {
    session: Session<B>,
    options: HostOptions,
    /// The engines that take their seats at first.
    first_seats: [Option<Seating>; 2],
    jobs: BTreeMap<u64, Purpose>,
    judging: Option<Judging<B>>,
    /// The solving of the position of a revision.
    solving: Option<(u64, Solving)>,
    explanations: Vec<Explained>,
    /// The game and revision that were explained, or are being explained.
    explained: Option<(u64, u64)>,
    /// When the last view was sent, and what it showed besides the clocks.
    last_view: Option<(Duration, View)>,
    /// Whether there is something to show.
    is_dirty: bool,
}

/// The players of a board with their levels.
pub(crate) fn players<B: PlayableBoard>() -> Vec<PlayerChoice> {
    let catalogue = Catalogue::of::<B>();
    let choice = |listed: &session::ListedPlayer| {
        let levels = catalogue.levels(&listed.name, false, None);
        PlayerChoice {
            name: listed.name.clone(),
            description: listed.description.clone(),
            settings: listed.settings.clone(),
            levels: catalogue.listed_levels(&listed.name, false, None),
            levels_with_clock: catalogue.listed_levels(&listed.name, true, None),
            usual_level: catalogue::level_to_begin_with(&levels, &listed.name, None),
        }
    };
    catalogue.players.iter().map(choice).collect()
}

/// Refuses players that would reach beyond the page: other programs, files, more memory or threads.
fn check_player(notation: &PlayerNotation, options: &HostOptions) -> Result<(), String> {
    let refused = if notation.is_external() {
        "external programs do not play here".to_owned()
    } else if notation.weights.is_some() {
        "weights= is not allowed here".to_owned()
    } else if notation.settings.iter().any(|(name, _)| BookSettings::has(name)) {
        "book= is not allowed here".to_owned()
    } else if notation.folder.is_some() || !notation.setup.is_empty() {
        "dir= and setup= are not allowed here".to_owned()
    } else if notation.threads.is_some() {
        "threads= is not allowed here".to_owned()
    } else if notation.hash.is_some_and(|hash| hash > options.most_hash) {
        format!("hash= is too large; expected at most {}", options.most_hash)
    } else {
        return Ok(());
    };
    Err(refused)
}

/// How a session begins, before its players are there.
struct Plan<B: Rules> {
    game: Game<B>,
    /// Black's and White's engine.
    seats: [Option<Seating>; 2],
    control: Option<engine::GameClock>,
    hints: HintSettings,
    pace: Duration,
    resumed: Option<Resumed<B>>,
}

impl<B: WebBoard> Plan<B> {
    fn usual() -> Self {
        let seats = [None, Some(strongest::<B>())];
        Self {
            game: Game::default(),
            seats,
            control: None,
            hints: HintSettings::default(),
            pace: DEFAULT_PACE,
            resumed: None,
        }
    }

    fn on_other_board(other: OtherBoard) -> Self {
        let OtherBoard { control, sides, hints, pace, .. } = other;
        let seats = sides.persons().map(|is_person| (!is_person).then(strongest::<B>));
        let pace = Duration::try_from_secs_f64(pace).unwrap_or(DEFAULT_PACE);
        Self { seats, control, hints, pace, ..Self::usual() }
    }

    fn of_state(state: &State, options: &HostOptions) -> Result<Self, String> {
        if state.sgf.len() > LONGEST_RECORD {
            return Err("the kept game is too long".to_owned());
        }
        let record =
            sgf::parse::<B>(&state.sgf).map_err(|problem| format!("the kept game cannot be read: {problem}"))?;
        let mut game = record.game.clone();
        game.rewind();
        while game.move_count() < state.played && game.redo().is_some() {}
        let seat = |kept: &Option<SeatState>| match kept {
            None => Ok(None),
            Some(SeatState { player, level }) => {
                let seating = Seating::parse(player, *level)?;
                check_player(&seating.notation, options)?;
                Ok::<_, String>(Some(seating))
            }
        };
        let seats = [seat(&state.seats[0])?, seat(&state.seats[1])?];
        Ok(Self {
            game,
            seats,
            control: state.control.map(LegalClock::clock),
            hints: state.hints,
            pace: state.pace.time(),
            resumed: Some(Resumed {
                record: Box::new(record),
                clocks: state.seconds.map(ClockTime::time),
                is_reviewing: state.is_reviewing,
                is_waiting: state.is_waiting,
                shows_hints: state.shows_hints,
            }),
        })
    }

    /// The game of a link is looked at; the players of the kept state stay.
    fn of_link(link: &str, state: Option<&State>, options: &HostOptions) -> Result<Self, String> {
        let game = link::parse::<B>(link).map_err(|error| error.to_string())?;
        let kept = state.filter(|state| state.board == BoardShape::of::<B>());
        let mut plan = kept.and_then(|state| Self::of_state(state, options).ok()).unwrap_or_else(Self::usual);
        let is_same = plan.resumed.is_some() && link::format(&plan.game) == link::format(&game);
        if is_same {
            return Ok(plan);
        }
        plan.resumed = Some(Resumed {
            record: Box::new(GameRecord::new(game.clone())),
            clocks: [Duration::ZERO; 2],
            is_reviewing: !game.line().is_empty(),
            is_waiting: !game.line().is_empty(),
            shows_hints: plan.resumed.is_some_and(|resumed| resumed.shows_hints),
        });
        plan.control = None;
        plan.game = game;
        Ok(plan)
    }
}

/// The strongest player of a board.
fn strongest<B: PlayableBoard>() -> Seating {
    let name = players::registry::of_papers().entries::<B>().first().map_or("emilia", |entry| entry.name);
    // The names of players are notations.
    Seating::parse(name, None).unwrap_or_else(|_| Seating::new(PlayerNotation::emilia(), None))
}

impl<B: WebBoard> BoardClient<B> {
    /// A client that has not begun yet. What is wrong with its beginning is said, and the usual one is used.
    pub(crate) fn new(beginning: Beginning, options: HostOptions, turn: &mut Turn) -> Self {
        let plan = match &beginning {
            Beginning::Usual => Ok(Plan::usual()),
            Beginning::OnOtherBoard(other) => Ok(Plan::on_other_board(*other)),
            Beginning::Linked(link, state) => Plan::of_link(link, state.as_deref(), &options),
            Beginning::Kept(state) => Plan::of_state(state, &options),
        };
        let plan = plan.unwrap_or_else(|reason| {
            turn.refuse(reason);
            // A link that cannot be read must not cost the game that was played before.
            match beginning {
                Beginning::Linked(_, Some(state)) => Plan::of_state(&state, &options).unwrap_or_else(|_| Plan::usual()),
                _ => Plan::usual(),
            }
        });
        let Plan { game, seats: first_seats, control, hints, pace, resumed } = plan;
        let has_clock = control.is_some();
        let seats = [0, 1].map(|index: usize| match &first_seats[index] {
            None => Seat::Person,
            Some(Seating { notation, level }) => {
                Seat::Engine(Opponent::new(notation.clone(), notation.label(), *level, has_clock))
            }
        });
        let session = Session::new(Start {
            game,
            seats,
            control,
            ponders: false,
            spare: first_seats.iter().flatten().next().cloned().unwrap_or_else(strongest::<B>),
            date: options.date,
            hints,
            pace,
            resumed,
        });
        Self {
            session,
            options,
            first_seats,
            jobs: BTreeMap::new(),
            judging: None,
            solving: None,
            explanations: Vec::new(),
            explained: None,
            last_view: None,
            is_dirty: true,
        }
    }

    /// Lets the first players sit down, and shows the game.
    pub(crate) fn begin(&mut self, turn: &mut Turn) {
        let seats = std::mem::take(&mut self.first_seats);
        for (color, seating) in [Color::Black, Color::White].into_iter().zip(seats) {
            if let Some(seating) = seating {
                self.seat(color, seating, false, turn);
            }
        }
        self.event(Event::Tick, turn);
        self.show(turn);
    }

    /// Ends all jobs: another client takes over.
    pub(crate) fn leave(&mut self, turn: &mut Turn) {
        for &job in self.jobs.keys() {
            turn.outputs.push(Output::Stop { job });
        }
        self.jobs.clear();
    }

    /// Handles a user action.
    pub(crate) fn event(&mut self, event: Event, turn: &mut Turn) {
        match &event {
            Event::SeatPerson { color } => self.forget_engine(*color),
            Event::NewGame(NewGame { sides, .. }) => {
                let colors = [Color::Black, Color::White].into_iter().zip(sides.persons());
                colors.filter(|(_, is_person)| *is_person).for_each(|(color, _)| self.forget_engine(color));
            }
            _ => {}
        }
        let orders = self.session.handle(event, turn.now);
        self.obey(orders, turn);
        self.is_dirty = true;
        self.settle(turn);
        self.show(turn);
    }

    /// A person takes a seat: an engine that was asked for before and is still being made does not sit down there any more.
    fn forget_engine(&mut self, person: Color) {
        for purpose in self.jobs.values_mut() {
            if matches!(purpose, Purpose::Seat { color, is_new: true, .. } if *color == person) {
                *purpose = Purpose::Players;
            }
        }
    }

    /// Notes that time has passed.
    pub(crate) fn tick(&mut self, turn: &mut Turn) {
        let orders = self.session.handle(Event::Tick, turn.now);
        self.obey(orders, turn);
        self.settle(turn);
        let view = without_clocks(self.session.view());
        let is_new = self.last_view.as_ref().is_none_or(|(_, shown)| *shown != view);
        if self.is_dirty || is_new {
            self.show(turn);
        }
    }

    /// When to look at the clocks, or to show what could not be shown before.
    pub(crate) fn next_tick(&self) -> Option<Duration> {
        let (shown, view) = self.last_view.as_ref()?;
        let flush = self.is_dirty.then(|| *shown + VIEW_PAUSE);
        let live = self.session.view();
        let has_engines = live.seats.iter().all(|seat| !seat.is_person());
        // Counted from the last tick: nothing new may have been shown since.
        let pause = (live.is_thinking && has_engines && view.pace > 0.0).then(|| self.session.now() + VIEW_PAUSE);
        let clock = live.seats.iter().find(|seat| seat.runs && seat.control.is_some()).map(|seat| {
            // A clock with more time is looked at before it can have run out.
            self.session.now() + self.session.clock_shown(seat.color).min(LONGEST_WAIT) + Duration::from_millis(1)
        });
        [flush, pause, clock].into_iter().flatten().min()
    }

    /// Loads a game.
    pub(crate) fn load(&mut self, name: String, found: FoundGame<B>, turn: &mut Turn) {
        self.take(Outcome::Loaded(PathBuf::from(name), Ok(found)), turn);
        self.settle(turn);
        self.show(turn);
    }

    /// Sends the game as a file.
    pub(crate) fn save(&mut self, format: SaveFormat, turn: &mut Turn) {
        let name = saved_name(format);
        let written = match format {
            SaveFormat::Svg => {
                let game = self.session.game();
                let last_move = game.moves().last().copied();
                let position = game.position();
                let picture = svg::picture(&position, last_move, &diagram::situation(&position));
                Ok(vec![FileContent::of_text(name, picture)])
            }
            SaveFormat::Html => {
                let path = PathBuf::from(name);
                let orders = self.session.handle(Event::WriteReport { path, overwrite: true }, turn.now);
                let page = orders.into_iter().find_map(|order| match order {
                    Order::WriteReport { html, .. } => Some(vec![FileContent::of_text(name, html)]),
                    _ => None,
                });
                page.ok_or_else(|| "the game has not been analyzed".to_owned())
            }
            _ => {
                let path = PathBuf::from(name);
                let format = Format::from_path(&path).unwrap_or(Format::Transcript);
                let written = files::written(&self.session.record(), format, name);
                if written.is_ok() {
                    self.take(Outcome::Saved(path, Ok(())), turn);
                }
                written
            }
        };
        match written {
            Ok(files) => turn.send(&Response::Files { files }),
            Err(reason) => turn.refuse(reason),
        }
        self.show(turn);
    }

    /// Solves the current position.
    pub(crate) fn solve(&mut self, outcome_only: bool, all_moves: bool, turn: &mut Turn) {
        self.end_solving(turn);
        if B::EMILIA.is_none() {
            return turn.refuse(format!("there is no solver for the {} board", B::GEOMETRY.name));
        }
        let solving = Solving {
            is_running: true,
            outcome_only,
            progress: None,
            answers: Vec::new(),
            nodes: 0,
            seconds: 0.0,
            failure: None,
        };
        self.solving = Some((self.session.view().revision, solving));
        let position = self.session.game().position();
        self.start(Work::Solve { position, outcome_only, all_moves }, Purpose::Solving, turn);
        self.show(turn);
    }

    /// Stops solving; what was asked stays on show.
    pub(crate) fn stop_solving(&mut self, turn: &mut Turn) {
        self.stop(|purpose| *purpose == Purpose::Solving, turn);
    }

    /// Forgets the solving of a position.
    fn end_solving(&mut self, turn: &mut Turn) {
        self.stop(|purpose| *purpose == Purpose::Solving, turn);
        self.jobs.retain(|_, purpose| *purpose != Purpose::Solving);
        self.solving = None;
    }

    /// Judges a move that is not played.
    pub(crate) fn try_move(&mut self, square: String, turn: &mut Turn) {
        let game = self.session.game();
        let found = B::GEOMETRY.parse_square(&square).map_err(|error| error.to_string());
        let legal = found.and_then(|found| {
            let is_legal = game.position().board.moves().has(found);
            if is_legal { Ok(found) } else { Err(format!("the move {square} is not legal")) }
        });
        match legal {
            Ok(found) => {
                let (game, choice) = (PlayedGame::of(game), usual_analyst());
                let revision = self.session.view().revision;
                let work = Work::Judge { game, square: found.into(), choice: Box::new(choice) };
                self.stop(|purpose| matches!(purpose, Purpose::Try { .. }), turn);
                self.start(work, Purpose::Try { square, revision }, turn);
            }
            Err(reason) => turn.refuse(reason),
        }
    }

    /// Looks the current position up in the opening book.
    pub(crate) fn look_up(&mut self, turn: &mut Turn) {
        if !self.has_book() {
            return turn.refuse("there is no opening book here".to_owned());
        }
        let revision = self.session.view().revision;
        if self.jobs.values().any(|purpose| *purpose == Purpose::Book(revision)) {
            return;
        }
        // What is asked about another position is of no more use.
        self.stop(|purpose| matches!(purpose, Purpose::Book(_)), turn);
        self.jobs.retain(|_, purpose| !matches!(purpose, Purpose::Book(_)));
        let position = self.session.game().position();
        self.start(Work::Book { position }, Purpose::Book(revision), turn);
    }

    /// Whether there is an opening book for this board.
    fn has_book(&self) -> bool {
        self.options.has_book && BoardShape::of::<B>() == BoardShape::Eight
    }

    /// Shows the positions along a line of play.
    pub(crate) fn preview(&self, line: String, turn: &mut Turn) {
        let found = line.parse::<othello::json::Line<B>>().map_err(|error| error.to_string());
        let positions = found.and_then(|moves| {
            if moves.squares.len() > LONGEST_PREVIEW {
                return Err("the line is too long".to_owned());
            }
            let mut game = Game::from_position(self.session.game().position());
            let mut positions = vec![game.position()];
            for square in moves.squares {
                game.play(square).map_err(|error| error.to_string())?;
                positions.push(game.position());
            }
            Ok(positions)
        });
        match positions {
            Ok(positions) => turn.send(&Response::Preview {
                line,
                boards: positions.iter().map(|position| session::BoardView::of(position).rows).collect(),
                turns: positions.iter().map(|position| position.turn).collect(),
            }),
            Err(reason) => turn.refuse(reason),
        }
    }

    /// Handles what a workbench says about a job.
    pub(crate) fn report(&mut self, job: u64, report: &str, turn: &mut Turn) {
        let Some(purpose) = self.jobs.get(&job).cloned() else { return };
        match serde_json::from_str::<Report<B>>(report) {
            Ok(report) => self.heed(job, purpose, report, turn),
            // Who talks nonsense about a job need not go on with it.
            Err(_) => {
                turn.outputs.push(Output::Stop { job });
                return self.cut(job, turn);
            }
        }
        self.settle(turn);
        self.show_soon(turn);
    }

    fn heed(&mut self, job: u64, purpose: Purpose, report: Report<B>, turn: &mut Turn) {
        let is_last = !matches!(report, Report::Thought { .. } | Report::Solving { .. })
            && !matches!((&purpose, &report), (Purpose::Analysis(_), Report::Judged { .. }));
        if is_last {
            self.jobs.remove(&job);
        }
        match (purpose, report) {
            (Purpose::Seat { color, seating, is_new }, Report::Seated { name }) if is_new || name.is_err() => {
                self.take(Outcome::Seated(color, seating, name), turn);
            }
            (Purpose::Players, Report::Done { outcome: Err(reason) }) => self.take(Outcome::Unfit(reason), turn),
            (Purpose::Move { task, .. }, Report::Thought { progress }) => {
                let progress = Progress::from(progress);
                self.jobs.insert(job, Purpose::Move { task, last: Some(progress.clone()) });
                self.take(Outcome::Thought(task, progress), turn);
            }
            (Purpose::Move { task, .. }, Report::Chosen { choice }) => {
                self.take(Outcome::Chosen(task, choice.map(Choice::from)), turn);
                // A move is shown immediately.
                self.settle(turn);
                self.show(turn);
            }
            (Purpose::Hints(task), Report::Thought { progress }) => {
                self.take(Outcome::Thought(task, progress.into()), turn);
            }
            (Purpose::Hints(task), Report::Done { outcome }) => {
                let is_over = !self.jobs.values().any(|purpose| *purpose == Purpose::Hints(task));
                if is_over || outcome.is_err() {
                    // Nobody waits for the other parts any more.
                    self.stop(|purpose| *purpose == Purpose::Hints(task), turn);
                    self.jobs.retain(|_, purpose| *purpose != Purpose::Hints(task));
                    self.take(Outcome::Advised(task, outcome), turn);
                }
            }
            (Purpose::Analysis(task), Report::Judged { judged }) => {
                self.take(Outcome::Judged(task, Box::new((*judged).into())), turn);
            }
            (Purpose::Analysis(task), Report::Done { outcome }) => self.take(Outcome::Analyzed(task, outcome), turn),
            (Purpose::JudgedMove { task, index }, Report::Judged { judged }) => {
                self.judged(task, index, (*judged).into(), turn);
            }
            (Purpose::JudgedMove { task, .. }, Report::Done { outcome: Err(reason) }) => {
                self.fail_analysis(task, reason, turn);
            }
            (Purpose::Try { square, revision }, Report::Judged { judged }) => {
                let judgement = serde_json::to_value(&judged.judgement).ok();
                let found = Judgement::from(judged.judgement);
                let [is_win, is_best] =
                    [Exercise::Puzzle, Exercise::Mistake].map(|exercise| exercise.is_solved_by(&found));
                turn.send(&Response::Tried { square, revision, judgement, is_win, is_best, failure: None });
            }
            (Purpose::Try { square, revision }, Report::Done { outcome: Err(reason) }) => {
                turn.send(&untried(square, revision, reason));
            }
            (Purpose::Solving, Report::Solving { progress, nodes, seconds }) => {
                if let Some((_, solving)) = &mut self.solving {
                    (solving.progress, solving.nodes, solving.seconds) = (Some(progress), nodes, seconds);
                }
            }
            (Purpose::Solving, Report::Solved { answers, nodes, seconds }) => {
                if let Some((_, solving)) = &mut self.solving {
                    solving.is_running = false;
                    solving.nodes = solving.nodes.max(nodes);
                    solving.seconds = seconds;
                    match answers {
                        Ok(answers) => solving.answers = answers,
                        Err(reason) => solving.failure = Some(reason),
                    }
                }
            }
            (Purpose::Explaining(revision), Report::Explained { explanations })
                if self.explained.is_some_and(|(_, wanted)| wanted == revision) =>
            {
                self.explanations = explanations;
            }
            (Purpose::Book(revision), Report::Book { page: Ok(page) }) => {
                turn.send(&Response::Book { revision, page: Some(page), failure: None });
            }
            (purpose @ Purpose::Book(_), Report::Book { page: Err(reason) }) => self.give_up(purpose, reason, turn),
            // A workbench could not read its job, or there is nothing to say.
            (purpose, Report::Done { outcome: Err(reason) }) => self.give_up(purpose, reason, turn),
            _ => {}
        }
        self.is_dirty = true;
    }

    /// Handles the end of a job by force.
    pub(crate) fn cut(&mut self, job: u64, turn: &mut Turn) {
        if let Some(purpose) = self.jobs.remove(&job) {
            self.give_up(purpose, "it was stopped".to_owned(), turn);
            self.settle(turn);
            self.show(turn);
        }
    }

    /// What follows from a job that ended without its result.
    fn give_up(&mut self, purpose: Purpose, reason: String, turn: &mut Turn) {
        match purpose {
            Purpose::Seat { color, seating, .. } => self.take(Outcome::Seated(color, seating, Err(reason)), turn),
            Purpose::Players | Purpose::Explaining(_) => {}
            Purpose::Move { task, last } => {
                let found = last.and_then(|last| {
                    let Progress { depth, value, book_games, line, nodes, time, .. } = last;
                    Some(Choice {
                        square: *line.first()?,
                        value,
                        from_book: book_games.is_some(),
                        line,
                        depth,
                        nodes,
                        time,
                    })
                });
                self.take(Outcome::Chosen(task, found.ok_or(reason)), turn);
            }
            Purpose::Hints(task) => {
                if !self.jobs.values().any(|purpose| *purpose == Purpose::Hints(task)) {
                    self.take(Outcome::Advised(task, Ok(())), turn);
                }
            }
            Purpose::Analysis(task) | Purpose::JudgedMove { task, .. } => self.fail_analysis(task, reason, turn),
            Purpose::Try { square, revision } => {
                turn.send(&untried(square, revision, reason));
            }
            Purpose::Book(revision) => {
                turn.send(&Response::Book { revision, page: None, failure: Some(reason) });
            }
            Purpose::Solving => {
                if let Some((_, solving)) = &mut self.solving {
                    solving.is_running = false;
                    solving.failure = Some(reason);
                }
            }
        }
    }

    /// Tells the session the result of an order, and obeys what follows.
    fn take(&mut self, outcome: Outcome<B>, turn: &mut Turn) {
        let orders = self.session.take(outcome, turn.now);
        self.is_dirty = true;
        self.obey(orders, turn);
    }

    fn obey(&mut self, orders: Vec<Order<B>>, turn: &mut Turn) {
        for order in orders {
            match order {
                Order::Player(order) => self.order_players(order, turn),
                Order::ChangeBoard(other) => turn.other_board = Some(other),
                // The host does not pass on events that name files.
                Order::Save { .. } | Order::WriteReport { .. } | Order::Load { .. } => {}
            }
        }
    }

    fn order_players(&mut self, order: PlayerOrder<B>, turn: &mut Turn) {
        match order {
            PlayerOrder::Seat(color, seating) => self.seat(color, seating, true, turn),
            PlayerOrder::Unseat(color) => self.start(Work::Unseat { color }, Purpose::Players, turn),
            PlayerOrder::Swap => self.start(Work::Swap, Purpose::Players, turn),
            PlayerOrder::NewGame => self.start(Work::NewGame, Purpose::Players, turn),
            PlayerOrder::Think(task, color, game, limits) => {
                let work = Work::Think { color, game: PlayedGame::of(&game), limits };
                self.start(work, Purpose::Move { task, last: None }, turn);
            }
            // A page does not let engines think in the person's time.
            PlayerOrder::Ponder(..) => {}
            // No player of a page has a book of its own.
            PlayerOrder::Learn(..) => {}
            PlayerOrder::Advise(task, game, level) => self.advise(task, &game, level, turn),
            PlayerOrder::Stop => {
                self.stop(|purpose| matches!(purpose, Purpose::Move { .. } | Purpose::Hints(_)), turn);
                // Nobody waits for the rest of the hints.
                self.jobs.retain(|_, purpose| !matches!(purpose, Purpose::Hints(_)));
            }
            PlayerOrder::Analyze(task, game, from, choice) => {
                self.drop_analysis(turn);
                if choice.is_independent::<B>(players::registry::of_papers()) {
                    let (line, start) = (game.line(), Game::from_position(game.start()));
                    let early = BTreeMap::new();
                    self.judging = Some(Judging { task, line, start, choice, next: from, wanted: from, early });
                    for _ in 0..self.options.study_lanes.max(1) {
                        self.judge_next(turn);
                    }
                } else {
                    let work = Work::Analyze { game: PlayedGame::whole(&game), from, choice };
                    self.start(work, Purpose::Analysis(task), turn);
                }
            }
            PlayerOrder::StopAnalysis => {
                let task = self.drop_analysis(turn);
                if let Some(task) = task {
                    self.take(Outcome::Analyzed(task, Ok(())), turn);
                }
            }
        }
    }

    fn seat(&mut self, color: Color, seating: Seating, is_new: bool, turn: &mut Turn) {
        if let Err(reason) = check_player(&seating.notation, &self.options) {
            return self.take(Outcome::Seated(color, seating, Err(reason)), turn);
        }
        let seed = self.options.seed.wrapping_add(turn.next_job);
        let purpose = Purpose::Seat { color, seating: seating.clone(), is_new };
        self.start(Work::Seat { color, seating, seed }, purpose, turn);
    }

    /// Lets all moves be valued, by several jobs if that is how it is done here.
    fn advise(&mut self, task: Task, game: &Game<B>, level: u32, turn: &mut Turn) {
        let moves: Vec<_> = squares(game.position().board.moves()).collect();
        let is_divided = self.options.splits_hints && B::EMILIA.is_some();
        let parts = if is_divided { self.options.study_lanes.clamp(1, moves.len().max(1)) } else { 1 };
        for part in 0..parts {
            let own = if parts == 1 { Vec::new() } else { moves.iter().copied().skip(part).step_by(parts).collect() };
            let work = Work::Advise { game: PlayedGame::of(game), level, moves: own.into() };
            self.start(work, Purpose::Hints(task), turn);
        }
    }

    /// Starts the judgement of the next move of the analysis, if there is one.
    fn judge_next(&mut self, turn: &mut Turn) {
        let Some(judging) = &mut self.judging else { return };
        let Some(&square) = judging.line.get(judging.next) else { return };
        let (task, index) = (judging.task, judging.next);
        let game = PlayedGame { start: judging.start.start(), moves: judging.line[..index].to_vec().into() };
        let work = Work::Judge { game, square: square.into(), choice: judging.choice.clone() };
        judging.next += 1;
        self.start(work, Purpose::JudgedMove { task, index }, turn);
    }

    /// Passes on judged moves in their order.
    fn judged(&mut self, task: Task, index: usize, judged: JudgedMove<B>, turn: &mut Turn) {
        let Some(judging) = self.judging.as_mut().filter(|judging| judging.task == task) else { return };
        judging.early.insert(index, judged);
        let mut ready = Vec::new();
        while let Some(judged) = judging.early.remove(&judging.wanted) {
            judging.wanted += 1;
            ready.push(judged);
        }
        let is_complete = judging.wanted >= judging.line.len();
        for judged in ready {
            self.take(Outcome::Judged(task, Box::new(judged)), turn);
        }
        if is_complete {
            self.judging = None;
            self.take(Outcome::Analyzed(task, Ok(())), turn);
        } else {
            self.judge_next(turn);
        }
    }

    /// Ends the jobs of an analysis; its task, if there was one.
    fn drop_analysis(&mut self, turn: &mut Turn) -> Option<Task> {
        let is_part = |purpose: &Purpose| matches!(purpose, Purpose::Analysis(_) | Purpose::JudgedMove { .. });
        self.stop(is_part, turn);
        let whole = self.jobs.values().find_map(|purpose| match purpose {
            Purpose::Analysis(task) => Some(*task),
            _ => None,
        });
        self.jobs.retain(|_, purpose| !is_part(purpose));
        self.judging.take().map(|judging| judging.task).or(whole)
    }

    fn fail_analysis(&mut self, task: Task, reason: String, turn: &mut Turn) {
        self.drop_analysis(turn);
        self.take(Outcome::Analyzed(task, Err(reason)), turn);
    }

    /// Asks the programs at the board what they think of a new position, and forgets what was about another one.
    fn settle(&mut self, turn: &mut Turn) {
        let view = self.session.view();
        if self.solving.as_ref().is_some_and(|(revision, _)| *revision != view.revision) {
            self.end_solving(turn);
        }
        let now = (view.game, view.revision);
        if self.explained == Some(now) {
            return;
        }
        self.explained = Some(now);
        let explains =
            |name: &str| players::registry::of_papers().entry::<B>(name).is_ok_and(|entry| entry.explain.is_some());
        let named = view.seats.iter().filter_map(|seat| {
            let name = seat.player.as_deref()?.split('@').next()?.to_owned();
            explains(&name).then_some((seat.color, name))
        });
        let players: Vec<_> = named.collect();
        // What a program thought of the last position stays on show until it has thought of this one.
        self.explanations.retain(|explained| players.contains(&(explained.color, explained.player.clone())));
        if !players.is_empty() {
            let position = self.session.game().position();
            self.stop(|purpose| matches!(purpose, Purpose::Explaining(_)), turn);
            self.start(Work::Explain { position, players }, Purpose::Explaining(view.revision), turn);
        }
    }

    fn start(&mut self, work: Work<B>, purpose: Purpose, turn: &mut Turn) {
        let (lane, time_limit) = match &purpose {
            Purpose::Seat { .. } | Purpose::Players => (Lane::Game, SHORT_LIMIT),
            Purpose::Move { .. } => (Lane::Game, MOVE_LIMIT),
            Purpose::Hints(_) | Purpose::JudgedMove { .. } | Purpose::Try { .. } => (Lane::Study, STUDY_LIMIT),
            Purpose::Analysis(_) | Purpose::Solving => (Lane::Study, LONG_LIMIT),
            Purpose::Explaining(_) | Purpose::Book(_) => (Lane::Study, SHORT_LIMIT),
        };
        let job = turn.next_job;
        turn.next_job += 1;
        let Ok(work) = serde_json::to_string(&Job { board: BoardShape::of::<B>(), work }) else { return };
        self.jobs.insert(job, purpose);
        turn.outputs.push(Output::Start { job, lane, work, time_limit });
    }

    fn stop(&self, is_meant: impl Fn(&Purpose) -> bool, turn: &mut Turn) {
        for (&job, _) in self.jobs.iter().filter(|(_, purpose)| is_meant(purpose)) {
            turn.outputs.push(Output::Stop { job });
        }
    }

    /// Shows the session now.
    fn show(&mut self, turn: &mut Turn) {
        if turn.other_board.is_some() {
            return;
        }
        let view = self.session.view();
        let record = self.session.record();
        let seat = |index: usize| {
            let seat = &view.seats[index];
            seat.player.clone().map(|player| SeatState { player, level: seat.level })
        };
        let state = State {
            board: view.board.shape,
            sgf: sgf::format(&record),
            played: view.move_count,
            seats: [seat(0), seat(1)],
            control: view.control.map(LegalClock::of),
            seconds: [Color::Black, Color::White].map(|color| ClockTime::at_most(self.session.clock_shown(color))),
            shows_hints: view.shows_hints,
            hints: view.hint_settings,
            pace: Pause::at_most(self.session.pace()),
            is_reviewing: view.is_reviewing,
            is_waiting: view.is_waiting || view.is_reviewing,
        };
        let shown = Shown {
            explanations: self.explanations.clone(),
            has_book: self.has_book(),
            has_farm: self.options.has_farm,
            solving: self.solving.as_ref().map(|(_, solving)| solving.clone()),
            link: link::format(self.session.game()),
            state,
            view,
        };
        self.last_view = Some((turn.now, without_clocks(shown.view.clone())));
        self.is_dirty = false;
        turn.send(&Response::View(Box::new(shown)));
    }

    /// Shows the session, unless it was shown a moment ago: then the next tick does it.
    fn show_soon(&mut self, turn: &mut Turn) {
        let is_early = self.last_view.as_ref().is_some_and(|(shown, _)| turn.now < *shown + VIEW_PAUSE);
        if self.is_dirty && !is_early {
            self.show(turn);
        }
    }
}

/// The analyst of `emilia analyze`.
fn usual_analyst() -> AnalystChoice {
    AnalystChoice { notation: None, limits: Limits::default(), exact_from: None, hash: ANALYSIS_HASH }
}

/// The response to a move that could not be judged.
fn untried(square: String, revision: u64, reason: String) -> Response {
    Response::Tried { square, revision, judgement: None, is_win: false, is_best: false, failure: Some(reason) }
}

/// A view whose clocks say nothing, to be compared with another.
fn without_clocks(mut view: View) -> View {
    for seat in &mut view.seats {
        seat.seconds = 0.0;
    }
    view
}
