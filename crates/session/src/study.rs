//! Answers about a position, in JSON as a page shows them: solved moves, the opening book, explanations of programs.

use engine::Estimate;
use othello::Color;
use serde::{Deserialize, Serialize};

/// A program's own evaluation of the current position, before any search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Explained {
    /// For which color the program plays.
    pub color: Color,
    /// The program.
    pub player: String,
    /// The side to move, for which the value is.
    pub turn: Color,
    /// The value.
    pub value: f64,
    /// Its unit: `discs`, `points`, `log odds`.
    pub unit: String,
    /// The probability of winning, if the program computes one.
    pub win_probability: Option<f64>,
    /// The parts of the value, in the order of the paper.
    pub parts: Vec<ExplainedPart>,
}

/// A part of an evaluation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExplainedPart {
    /// Its name in the paper.
    pub name: String,
    /// Its value, before any weight.
    pub value: f64,
    /// Its weight in the sum, if it is part of one.
    pub weight: Option<f64>,
    /// Whether it is a detail of another part.
    pub is_detail: bool,
}

/// A solved move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SolvedMove {
    /// The move; none for a pass, or if the game is over.
    #[serde(rename = "move")]
    pub square: Option<String>,
    /// Moves that a symmetry of the board turns it into.
    pub symmetric_moves: Vec<String>,
    /// Its value for the side to move.
    pub value: Estimate,
    /// Best play from it on, itself included.
    pub line: String,
}

/// The content of the opening book for a position. Values are for the side to move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BookPage {
    /// Whether the position is in the book.
    pub in_book: bool,
    /// Its value, if it is in the book.
    pub value: Option<Estimate>,
    /// Whether the value is an upper bound, because moves outside of the book have to be searched.
    pub is_open: bool,
    /// The number of games that were counted.
    pub games: u32,
    /// The moves whose values are known, the best first.
    pub moves: Vec<BookMoveView>,
    /// An upper bound on the value of all other moves, in discs, if one is known.
    pub others_at_most: Option<f64>,
    /// The best line, as far as it is in the book.
    pub line: String,
    /// The lines around the position that are played most, as the module `tree` of the crate `book` writes them, with values for
    /// Black.
    pub tree: serde_json::Value,
}

/// A move with a value in the opening book.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BookMoveView {
    /// The move.
    #[serde(rename = "move")]
    pub square: String,
    /// Moves that a symmetry of the board turns it into; they are not listed again.
    pub symmetric_moves: Vec<String>,
    /// Its value.
    pub value: Estimate,
    /// The position after it.
    pub to: BookDestination,
    /// The depth of the search behind the value; none for a value from elsewhere or of a finished game.
    pub depth: Option<u8>,
    /// The confidence of its selective pruning, in percent.
    pub selectivity: Option<u8>,
    /// The number of games that were counted after it.
    pub games: u32,
    /// The name of the opening that it leads to, if the position after it has one.
    pub opening: Option<String>,
}

/// The position after a move of the opening book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BookDestination {
    /// To a position of the book.
    Book,
    /// To the end of the game.
    End,
    /// Out of the book: it is the best of the moves that do.
    Leaf,
}
