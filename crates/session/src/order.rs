//! Orders to a workbench and its replies, as data: a host sends them as JSON to a workbench in this process or in another
//! one, and receives its replies.

use std::path::PathBuf;

use engine::{GameClock, Limits, json};
use othello::json::{MoveSequence, SquareName};
use othello::{BoardShape, Color, Game, IllegalMoveError, Position, Rules};
use players::analysts::AnalystChoice;
use records::GameRecord;
use serde::{Deserialize, Serialize};

use crate::catalogue::Sides;
use crate::message::InputKind;
use crate::opponent::Seating;
use crate::study::{BookPage, Explained, SolvedMove};
use crate::view::HintSettings;

/// Number of an order; no two orders of a session have the same.
pub type OrderNumber = u64;

/// Work for a [workbench](crate::BoardWorkbench); in JSON its `kind` says which.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "", tag = "kind", rename_all = "snake_case")]
#[allow(missing_docs, reason = "a variant describes its fields")]
pub enum Order<B: Rules> {
    /// Make a player and keep it for a color. The seed is that of its random choices.
    Seat { color: Color, seating: Seating, seed: u64 },
    /// Drop the player of a color.
    Unseat { color: Color },
    /// Swap the players.
    Swap,
    /// Start a new game for all players.
    NewGame,
    /// Let the player of a color choose a move.
    Think { color: Color, game: PlayedGame<B>, limits: Limits },
    /// Let the player of a color ponder in the opponent's time.
    Ponder { color: Color, game: PlayedGame<B>, limits: Limits },
    /// Let the player of a color learn a game, for later games.
    Learn { color: Color, game: PlayedGame<B> },
    /// Value moves at a level; all of them if the list is empty.
    Advise { game: PlayedGame<B>, level: u32, moves: MoveSequence<B> },
    /// Judge all moves of a game from an index on, with an analyst.
    Analyze { game: PlayedGame<B>, from: usize, choice: Box<AnalystChoice> },
    /// Judge one move after a game, with an analyst.
    Judge { game: PlayedGame<B>, square: SquareName<B>, choice: Box<AnalystChoice> },
    /// Solve a position: only whether it is won, drawn or lost, or all moves instead of only the best one.
    Solve { position: Position<B>, outcome_only: bool, all_moves: bool },
    /// Look a position up in the opening book.
    Book { position: Position<B> },
    /// Let programs with their colors explain their evaluation of a position.
    Explain { position: Position<B>, players: Vec<(Color, String)> },
}

impl<B: Rules> Order<B> {
    /// The order as text for a [`Workbench`](crate::Workbench): a line with the board and a line with the order, both JSON.
    pub fn text(&self) -> serde_json::Result<String> {
        Ok(format!("{}\n{}", serde_json::to_string(&BoardShape::of::<B>())?, serde_json::to_string(self)?))
    }
}

/// A game as far as it was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct PlayedGame<B: Rules> {
    /// The position at its start.
    pub start: Position<B>,
    /// The moves.
    pub moves: MoveSequence<B>,
}

impl<B: Rules> PlayedGame<B> {
    /// The game up to its current position.
    pub fn of(game: &Game<B>) -> Self {
        Self { start: game.start(), moves: game.moves().into() }
    }

    /// The game up to the end of its line.
    pub fn whole(game: &Game<B>) -> Self {
        Self { start: game.start(), moves: game.line().into() }
    }

    /// The game itself.
    pub fn game(&self) -> Result<Game<B>, IllegalMoveError> {
        Game::from_moves(self.start, self.moves.squares.iter().copied()).map_err(|(_, error)| error)
    }
}

/// A reply to an order; in JSON its `reply` says which. The last reply ends the order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "", tag = "reply", rename_all = "snake_case")]
#[allow(missing_docs, reason = "a variant describes its fields")]
pub enum Reply<B: Rules> {
    /// Progress of a player or of the adviser.
    Thought { progress: json::Progress<B> },
    /// A judged move.
    Judged { judged: Box<json::JudgedMove<B>> },
    /// Progress of the solver: the last result in a few words, and the positions visited.
    Solving { progress: String, nodes: u64, seconds: f64 },
    /// The player was made, and has this name.
    Seated { name: String },
    /// The player has chosen a move.
    Chosen { choice: json::Choice<B> },
    /// The player has learned a game, described by a sentence; none if the player does not learn.
    Learned { what: Option<String> },
    /// The position was solved: its moves, the best first, and the positions visited.
    Solved { answers: Vec<SolvedMove>, nodes: u64, seconds: f64 },
    /// Content of the opening book.
    Book { page: Box<BookPage> },
    /// Explanations of programs.
    Explained { explanations: Vec<Explained> },
    /// The order was carried out, and there is nothing else to report.
    Done,
    /// The order failed; the reason is a sentence without a full stop.
    Failed { reason: String },
}

impl<B: Rules> Reply<B> {
    /// Whether no other reply to the order follows.
    pub fn is_last(&self) -> bool {
        !matches!(self, Reply::Thought { .. } | Reply::Judged { .. } | Reply::Solving { .. })
    }
}

/// Something to be done outside of the session.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "a variant describes its fields")]
pub enum Effect<B: Rules> {
    /// Carry out an order. Its replies carry the number.
    Start { number: OrderNumber, order: Order<B> },
    /// End an order soon. A last reply may still come.
    Stop { number: OrderNumber },
    /// Write the game; `overwrite` allows replacing existing files.
    Save { path: PathBuf, record: Box<GameRecord<B>>, overwrite: bool },
    /// Write the report of an analysis, a page; `overwrite` allows replacing an existing file.
    WriteReport { path: PathBuf, html: String, overwrite: bool },
    /// Read the game of this number, counted from 1, of a file.
    Load { path: PathBuf, number: usize },
    /// Play on another board, in another session.
    ChangeBoard(OtherBoard),
}

/// A game on another board than that of the session.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OtherBoard {
    /// The board.
    pub shape: BoardShape,
    /// The clock of both sides.
    pub control: Option<GameClock>,
    /// The sides that the person plays.
    pub sides: Sides,
    /// The settings of hints.
    pub hints: HintSettings,
    /// The pause of two engines between moves, in seconds.
    pub pace: f64,
}

/// Result of reading or writing a file.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "a variant describes its fields")]
pub enum FileResult<B: Rules> {
    /// The game was written.
    Saved,
    /// The report was written.
    ReportWritten,
    /// These files exist and would be overwritten by a report or by a game: the file to be written, or files that go with
    /// it.
    Exists { there: Vec<PathBuf>, is_report: bool },
    /// A game was read.
    Loaded(FoundGame<B>),
    /// Nothing was read or written; the reason is a sentence without a full stop.
    Failed { what: InputKind, reason: String },
}

/// A game that was read.
#[derive(Clone, PartialEq, Debug)]
pub struct FoundGame<B: Rules> {
    /// The game.
    pub record: Box<GameRecord<B>>,
    /// Its number in the file, counted from 1.
    pub number: usize,
    /// The number of games in the file, as far as they were counted.
    pub count: usize,
    /// Whether there are more than were counted.
    pub has_more: bool,
}
