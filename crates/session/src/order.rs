//! Orders to a workbench and its replies, as data: in JSON what a host sends to whatever does the work, in this process
//! or in another one, and what it gets back.

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
pub enum Order<B: Rules> {
    /// Make a player and keep it for a color.
    Seat {
        /// The color.
        color: Color,
        /// The player.
        seating: Seating,
        /// Seed of its random choices.
        seed: u64,
    },
    /// Drop the player of a color.
    Unseat {
        /// The color.
        color: Color,
    },
    /// Swap the players.
    Swap,
    /// Start a new game for all players.
    NewGame,
    /// Let the player of a color choose a move.
    Think {
        /// The color.
        color: Color,
        /// The game.
        game: PlayedGame<B>,
        /// The limits of the search.
        limits: Limits,
    },
    /// Let the player of a color ponder in the opponent's time.
    Ponder {
        /// The color.
        color: Color,
        /// The game.
        game: PlayedGame<B>,
        /// The limits of the search.
        limits: Limits,
    },
    /// Let the player of a color learn a game, for later games.
    Learn {
        /// The color.
        color: Color,
        /// The game.
        game: PlayedGame<B>,
    },
    /// Value moves.
    Advise {
        /// The game.
        game: PlayedGame<B>,
        /// The level of the search.
        level: u32,
        /// The moves; all of them if the list is empty.
        moves: MoveSequence<B>,
    },
    /// Judge all moves of a game from an index on.
    Analyze {
        /// The game.
        game: PlayedGame<B>,
        /// The index of the first move.
        from: usize,
        /// The analyst.
        choice: Box<AnalystChoice>,
    },
    /// Judge one move after a game.
    Judge {
        /// The game before the move.
        game: PlayedGame<B>,
        /// The move.
        square: SquareName<B>,
        /// The analyst.
        choice: Box<AnalystChoice>,
    },
    /// Solve a position.
    Solve {
        /// The position.
        position: Position<B>,
        /// Only whether it is won, drawn or lost.
        outcome_only: bool,
        /// All moves instead of only the best one.
        all_moves: bool,
    },
    /// Look a position up in the opening book.
    Book {
        /// The position.
        position: Position<B>,
    },
    /// Let programs explain their evaluation of a position.
    Explain {
        /// The position.
        position: Position<B>,
        /// The programs with their colors.
        players: Vec<(Color, String)>,
    },
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
pub enum Reply<B: Rules> {
    /// Progress of a player or of the adviser.
    Thought {
        /// The progress.
        progress: json::Progress<B>,
    },
    /// A judged move.
    Judged {
        /// The move with its judgement.
        judged: Box<json::JudgedMove<B>>,
    },
    /// Progress of the solver.
    Solving {
        /// The last result in a few words.
        progress: String,
        /// Positions visited.
        nodes: u64,
        /// Time taken so far, in seconds.
        seconds: f64,
    },
    /// The player was made.
    Seated {
        /// Its name.
        name: String,
    },
    /// The player has chosen a move.
    Chosen {
        /// Its choice.
        choice: json::Choice<B>,
    },
    /// The player has learned a game.
    Learned {
        /// A sentence about it; none if the player does not learn.
        what: Option<String>,
    },
    /// The position was solved.
    Solved {
        /// The moves, the best first.
        answers: Vec<SolvedMove>,
        /// Positions visited.
        nodes: u64,
        /// Time taken, in seconds.
        seconds: f64,
    },
    /// Content of the opening book.
    Book {
        /// The content.
        page: Box<BookPage>,
    },
    /// Explanations of programs.
    Explained {
        /// The explanations.
        explanations: Vec<Explained>,
    },
    /// The order was carried out, and there is nothing else to say.
    Done,
    /// The order failed.
    Failed {
        /// The reason, as a sentence without a full stop.
        reason: String,
    },
}

impl<B: Rules> Reply<B> {
    /// Whether no other reply to the order follows.
    pub fn is_last(&self) -> bool {
        !matches!(self, Reply::Thought { .. } | Reply::Judged { .. } | Reply::Solving { .. })
    }
}

/// Something to be done outside of the session.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect<B: Rules> {
    /// Carry out an order.
    Start {
        /// Its number, which its replies carry.
        number: OrderNumber,
        /// The order.
        order: Order<B>,
    },
    /// End an order soon. A last reply may still come.
    Stop {
        /// Its number.
        number: OrderNumber,
    },
    /// Write the game.
    Save {
        /// The file.
        path: PathBuf,
        /// The game.
        record: Box<GameRecord<B>>,
        /// Whether existing files may be overwritten.
        overwrite: bool,
    },
    /// Write the report of an analysis.
    WriteReport {
        /// The file.
        path: PathBuf,
        /// The page.
        html: String,
        /// Whether an existing file may be overwritten.
        overwrite: bool,
    },
    /// Read a game of a file.
    Load {
        /// The file.
        path: PathBuf,
        /// The number of the game, counted from 1.
        number: usize,
    },
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
pub enum FileResult<B: Rules> {
    /// The game was written.
    Saved,
    /// The report was written.
    ReportWritten,
    /// Files exist that would be overwritten.
    Exists {
        /// The files that exist: the one to be written, or files that go with it.
        there: Vec<PathBuf>,
        /// Whether a report is to be written instead of the game.
        is_report: bool,
    },
    /// A game was read.
    Loaded(FoundGame<B>),
    /// Nothing was read or written.
    Failed {
        /// The kind of the input.
        what: InputKind,
        /// The reason, as a sentence without a full stop.
        reason: String,
    },
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
