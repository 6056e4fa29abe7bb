//! Work that takes time, as data: what a host orders, and what a workbench reports about it.

use engine::{Limits, json};
use othello::json::{Line, SquareName};
use othello::{BoardShape, Color, Game, Position, Rules};
use players::analysts::AnalystChoice;
use serde::{Deserialize, Serialize};

use crate::opponent::Seating;
use crate::study::{BookPage, Explained, SolvedMove};

/// The board that a job is about, which has to be known before the rest can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JobBoard {
    /// The board.
    pub board: BoardShape,
}

/// A piece of work on a board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Job<B: Rules> {
    /// The board.
    pub board: BoardShape,
    /// The work.
    pub work: Work<B>,
}

/// What is to be done; in JSON its `work` says which.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "", tag = "kind", rename_all = "snake_case")]
pub enum Work<B: Rules> {
    /// Make a player and keep it for a color.
    Seat {
        /// The color.
        color: Color,
        /// The player.
        seating: Seating,
        /// Decides what it leaves to chance.
        seed: u64,
    },
    /// Drop the player of a color.
    Unseat {
        /// The color.
        color: Color,
    },
    /// Swap the players.
    Swap,
    /// Tell the players that a new game begins.
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
    /// Value moves.
    Advise {
        /// The game.
        game: PlayedGame<B>,
        /// The level of the search.
        level: u32,
        /// The moves; all of them if there are none here.
        moves: Line<B>,
    },
    /// Judge all moves of a game, from the one of this index on.
    Analyze {
        /// The game.
        game: PlayedGame<B>,
        /// The index of the first move.
        from: usize,
        /// Who judges.
        choice: Box<AnalystChoice>,
    },
    /// Judge one move after a game.
    Judge {
        /// The game before the move.
        game: PlayedGame<B>,
        /// The move.
        square: SquareName<B>,
        /// Who judges.
        choice: Box<AnalystChoice>,
    },
    /// Solve a position.
    Solve {
        /// The position.
        position: Position<B>,
        /// Only whether it is won, drawn or lost.
        outcome_only: bool,
        /// All moves, and not the best alone.
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

/// A game as far as it was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct PlayedGame<B: Rules> {
    /// The position at its start.
    pub start: Position<B>,
    /// The moves.
    pub moves: Line<B>,
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

    /// The game itself, or why it cannot be played.
    pub fn game(&self) -> Result<Game<B>, String> {
        Game::from_moves(self.start, self.moves.squares.iter().copied()).map_err(|(_, error)| error.to_string())
    }
}

/// What a workbench says about a job; in JSON its `report` says which. The last one of a job is its result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "", tag = "report", rename_all = "snake_case")]
pub enum Report<B: Rules> {
    /// A player was made and has this name, or not.
    Seated {
        /// Its name.
        name: Outcome<String>,
    },
    /// It is done, or not.
    Done {
        /// Nothing, or why not.
        outcome: Outcome<()>,
    },
    /// A player or the adviser has found something.
    Thought {
        /// What it has found.
        progress: json::Progress<B>,
    },
    /// A player has chosen a move, or not.
    Chosen {
        /// Its choice.
        choice: Outcome<json::Choice<B>>,
    },
    /// A move was judged.
    Judged {
        /// The move with its judgement.
        judged: Box<json::JudgedMove<B>>,
    },
    /// Solving goes on.
    Solving {
        /// How far it is.
        progress: String,
        /// Positions visited.
        nodes: u64,
        /// Time taken so far, in seconds.
        seconds: f64,
    },
    /// A position was solved, or not.
    Solved {
        /// The moves, the best first.
        answers: Outcome<Vec<SolvedMove>>,
        /// Positions visited.
        nodes: u64,
        /// Time taken, in seconds.
        seconds: f64,
    },
    /// A position was looked up, or not.
    Book {
        /// What the book knows.
        page: Outcome<Box<BookPage>>,
    },
    /// Programs have explained themselves.
    Explained {
        /// What they said.
        explanations: Vec<Explained>,
    },
}

/// A result, or a sentence that says why there is none.
pub type Outcome<T> = Result<T, String>;
