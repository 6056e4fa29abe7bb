//! The host of a page: a session, and around it the files, links and states that a page brings and takes.
//!
//! It has no thread, no clock and no disk. An executor gives it the requests of its page and the reports about its jobs,
//! and carries out its outputs: messages for the page, jobs to start and to stop.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use othello::{BoardShape, CutBoard, SmallBoard, with_board};
use players::Registry;
use records::{Date, link, opening_names, sgf};
use serde_json::error::Category;
use session::puzzles::{self, Puzzle};
use session::{Edit, Event, FoundGame, StudiedBoard};

use crate::client::{self, Beginning, BoardClient, Client, MAX_RECORD};
use crate::files::{self, Listed};
use crate::message::{FileContent, Request, Response, State};
use crate::turn::{Turn, sentence_about};

/// An order for the executor.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "a variant describes its fields")]
pub enum Output {
    /// Send a text to the page.
    Send(String),
    /// Let a workbench do a job, whose number no other job has: an order for [`Workbench::run`](session::Workbench::run). It
    /// is stopped after the time limit.
    Start { job: u64, lane: Lane, order: String, time_limit: Duration },
    /// Let a job end soon. Its last report still comes, or [`Host::cut`] is called.
    Stop { job: u64 },
    /// Send the page a [`Response::Farm`] after the next look at the farm, once for any number of these orders before it.
    LookAtFarm,
}

/// The workbench of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lane {
    /// The one that keeps the players of the game: its jobs are done in order, one at a time.
    Game,
    /// Any that is free.
    Study,
}

/// Settings of a host.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HostOptions {
    /// Seed of the random choices of players.
    pub seed: u64,
    /// Number of study jobs that run simultaneously.
    pub study_lanes: usize,
    /// Whether the moves to be valued are divided among these; otherwise one job values all of them.
    pub splits_hints: bool,
    /// Maximum hash table size of a player, in MB.
    pub max_hash: u32,
    /// The date of games that are played here.
    pub date: Option<Date>,
    /// Whether the workbenches have an opening book.
    pub has_book: bool,
    /// Whether there is a farm to look at.
    pub has_farm: bool,
}

/// The host of one page.
#[derive(Debug)]
pub struct Host {
    registry: Arc<Registry>,
    options: HostOptions,
    client: Box<dyn Client>,
    next_job: u64,
    has_greeted: bool,
}

impl Host {
    /// A host with a new game against Emilia at its friendliest. Nothing happens before the `hello` of the page.
    pub fn new(registry: Arc<Registry>, options: HostOptions) -> Self {
        let mut turn = Turn::new(Duration::ZERO, 1);
        let client = client::client(&registry, BoardShape::Eight, &Beginning::Default, options, &mut turn);
        Self { registry, options, client, next_job: 1, has_greeted: false }
    }

    /// Handles a request of the page.
    pub fn receive(&mut self, message: &str, now: Duration) -> Vec<Output> {
        self.take_turn(now, |host, turn| match serde_json::from_str::<Request>(message) {
            Ok(request) => host.obey(request, turn),
            Err(error) => turn.refuse(misunderstanding(&error)),
        })
    }

    /// Handles a reply of a workbench to a job.
    pub fn reply(&mut self, job: u64, reply: &str, now: Duration) -> Vec<Output> {
        self.take_turn(now, |host, turn| host.client.reply(job, reply, turn))
    }

    /// Handles the end of a job by force, after which no reply comes.
    pub fn cut(&mut self, job: u64, now: Duration) -> Vec<Output> {
        self.take_turn(now, |host, turn| host.client.cut(job, turn))
    }

    /// Notes that time has passed.
    pub fn tick(&mut self, now: Duration) -> Vec<Output> {
        self.take_turn(now, |host, turn| host.client.tick(turn))
    }

    /// When [`tick`](Self::tick) is to be called next, unless something else happens before.
    pub fn next_tick(&self) -> Option<Duration> {
        self.client.next_tick()
    }

    /// Lets the host act, changes the board if that was asked for, and returns the outputs.
    fn take_turn(&mut self, now: Duration, act: impl FnOnce(&mut Self, &mut Turn)) -> Vec<Output> {
        let mut turn = Turn::new(now, self.next_job);
        act(self, &mut turn);
        if let Some(other) = turn.other_board.take() {
            self.replace(other.shape, &Beginning::OnOtherBoard(other), &mut turn);
        }
        self.next_job = turn.next_job;
        turn.outputs
    }

    fn replace(&mut self, shape: BoardShape, beginning: &Beginning, turn: &mut Turn) {
        self.client.leave(turn);
        self.client = client::client(&self.registry, shape, beginning, self.options, turn);
        self.client.begin(turn);
    }

    fn event(&mut self, event: Event, turn: &mut Turn) {
        self.client.handle(Request::Event { event }, turn);
    }

    fn obey(&mut self, request: Request, turn: &mut Turn) {
        match request {
            Request::Hello { state, link } => {
                self.has_greeted = true;
                self.greet(state, link, turn);
            }
            _ if !self.has_greeted => turn.refuse("the first message has to be a hello"),
            Request::Open { files, number, from } => self.open(&files, number, from, turn),
            Request::Puzzle { empties, number, day } => {
                let of_day = day.map(|day| puzzles::first_of_day(empties, day));
                match puzzles::puzzle(empties, number.or(of_day).unwrap_or(1)) {
                    Some(puzzle) => self.show_puzzle(puzzle, turn),
                    None => turn.refuse("there are no puzzles"),
                }
            }
            Request::Players { board } => {
                let players = with_board!(board, B => client::players::<B>(&self.registry));
                turn.send(&Response::Players { board, players });
            }
            Request::Event { event: Event::Save { .. } | Event::Load { .. } | Event::WriteReport { .. } } => {
                turn.refuse("a page has no access to the files of the host");
            }
            Request::Farm if self.options.has_farm => turn.outputs.push(Output::LookAtFarm),
            Request::Farm => turn.refuse("there is no farm here"),
            request => self.client.handle(request, turn),
        }
    }

    fn show_puzzle(&mut self, puzzle: Puzzle, turn: &mut Turn) {
        if self.client.board() != BoardShape::Eight {
            self.replace(BoardShape::Eight, &Beginning::Default, turn);
        }
        let Puzzle { empties, number, count, problem } = puzzle;
        self.event(Event::Paste { text: problem.position.to_string() }, turn);
        self.event(Event::SetUp(Edit::Done), turn);
        turn.send(&Response::Puzzle { empties, number, count, all_empties: puzzles::all_empties() });
    }

    fn greet(&mut self, state: Option<Box<State>>, link: Option<String>, turn: &mut Turn) {
        let link = link.filter(|link| !link.is_empty());
        let found = match (link, state) {
            (Some(link), Some(state)) => {
                // A link that cannot be read must not cost the game that was played before.
                let board = linked_board(&link).unwrap_or(state.board);
                Ok((board, Beginning::Linked(link, Some(state))))
            }
            (Some(link), None) => linked_board(&link).map(|board| (board, Beginning::Linked(link, None))),
            (None, Some(state)) => Ok((state.board, Beginning::Kept(state))),
            (None, None) => Ok((BoardShape::Eight, Beginning::Default)),
        };
        let (shape, beginning) = found.unwrap_or_else(|reason| {
            turn.refuse(reason);
            (BoardShape::Eight, Beginning::Default)
        });
        self.replace(shape, &beginning, turn);
    }

    /// Opens files: games of the 8x8 board, one game of any board, or a position.
    fn open(&mut self, files: &[FileContent], number: Option<usize>, from: Option<usize>, turn: &mut Turn) {
        if let [FileContent { text: Some(text), .. }] = files {
            let is_opening = opening_names::find(text).is_some();
            // The 8x8 board, which has the names, comes with the opening.
            if is_opening && self.client.board() != BoardShape::Eight {
                self.replace(BoardShape::Eight, &Beginning::Default, turn);
            }
            if is_opening || session::looks_like_board(text) {
                return self.event(Event::Paste { text: text.clone() }, turn);
            }
        }
        let name = files.first().map_or_else(String::new, FileContent::shown);
        let reason = match files::read_games(files, number, from.unwrap_or(1)) {
            Ok(Listed { chosen: Some(record), number, count, has_more, .. }) => {
                return self.load(&name, FoundGame { record, number, count, has_more }, turn);
            }
            Ok(Listed { games, count, has_more, .. }) if games.iter().any(|game| game.failure.is_none()) => {
                return turn.send(&Response::Games { name, games, count, has_more });
            }
            Ok(Listed { games, .. }) => {
                games.into_iter().find_map(|game| game.failure).unwrap_or_else(|| format!("{name} has no games"))
            }
            Err(reason) => reason.to_string(),
        };
        // It may be a game of another board; the board that is shown comes first.
        let shown = self.client.board();
        let is_loaded = shown == BoardShape::Four && self.load_as::<SmallBoard<4>>(&name, files, turn)
            || shown == BoardShape::Cut && self.load_as::<CutBoard>(&name, files, turn)
            || self.load_as::<SmallBoard<6>>(&name, files, turn)
            || self.load_as::<SmallBoard<4>>(&name, files, turn)
            || self.load_as::<CutBoard>(&name, files, turn);
        if !is_loaded {
            let names: Vec<String> = files.iter().map(FileContent::shown).collect();
            turn.send(&Response::Error { sentence: sentence_about(&names, &reason) });
        }
    }

    /// Loads the only game of a file if it is one of this board.
    fn load_as<B: StudiedBoard>(&mut self, name: &str, files: &[FileContent], turn: &mut Turn) -> bool {
        let Ok(record) = files::read_game::<B>(files) else { return false };
        let found = FoundGame { record: Box::new(record), number: 1, count: 1, has_more: false };
        self.load(name, found, turn);
        true
    }

    fn load<B: StudiedBoard>(&mut self, name: &str, found: FoundGame<B>, turn: &mut Turn) {
        // What a page cannot keep would be lost with the connection.
        if sgf::format(&found.record).len() > MAX_RECORD {
            let max = MAX_RECORD >> 10;
            return turn.refuse(format!("the record of the game in {name} is too long; expected at most {max} KB"));
        }
        if self.client.board() != BoardShape::of::<B>() {
            self.replace(BoardShape::of::<B>(), &Beginning::Default, turn);
        }
        let client: &mut dyn Any = &mut *self.client;
        if let Some(client) = client.downcast_mut::<BoardClient<B>>() {
            client.load(name, found, turn);
        }
    }
}

const MAX_QUOTATION: usize = 40;

fn misunderstanding(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
    // Names are between backquotes; those of a page can be anything.
    let name: String = reason.split('`').nth(1).unwrap_or_default().chars().take(MAX_QUOTATION).collect();
    match error.classify() {
        Category::Data if reason.starts_with("missing field") => {
            format!("the message is not understood: it lacks {name:?}")
        }
        Category::Data if reason.starts_with("unknown variant") => {
            format!("the message is not understood: {name:?} is unknown here")
        }
        // The bounds of numbers are our own words.
        Category::Data if !reason.starts_with("invalid") && reason.contains(" out of range: ") => reason.to_owned(),
        Category::Data => "the message is not understood: a value in it has the wrong type".to_owned(),
        Category::Syntax | Category::Eof | Category::Io => "the message is not understood: it is not JSON".to_owned(),
    }
}

/// The board of a link.
fn linked_board(text: &str) -> Result<BoardShape> {
    let (length, max) = (text.len(), link::MAX_LENGTH);
    ensure!(length <= max, "the link is too long: {length} bytes; expected at most {max}");
    let name = link::board(text);
    let named = |shape: &BoardShape| shape.name() == name;
    BoardShape::ALL.into_iter().find(named).with_context(|| format!("{name:?} in the link is not a board"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_links_and_others_are_refused() {
        assert_eq!(linked_board("f5d6").expect("a board"), BoardShape::Eight);
        for shape in BoardShape::ALL {
            assert_eq!(linked_board(&format!("{}~", shape.name())).expect("a board"), shape);
        }
        assert!(linked_board("9x9~f5").expect_err("no such board").to_string().contains("9x9"));
        assert!(linked_board(&"f5".repeat(link::MAX_LENGTH)).expect_err("too long").to_string().contains("too long"));
    }
}
