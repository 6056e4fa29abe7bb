//! Small books with known values.

use std::path::Path;

use book::{Book, Effort, Finding, Leaf};
use evaluation::Value;
use othello::{Board, Rules, squares};
use records::transcript;
use search::Selectivity;

/// The position after these moves.
pub fn after(moves: &str) -> Board {
    transcript::parse(moves).expect("a game").position().board
}

/// A finding by a search of 20 plies.
pub fn finding(leaf: Leaf, games: u32) -> Finding {
    Finding { leaf, effort: Effort::new(20, Selectivity::LOWEST), solved: None, games }
}

/// A leaf with this value in discs.
pub fn best(square: &str, discs: f32) -> Leaf {
    Leaf::Best { square: square.parse().expect("a square"), value: Value::from_discs(discs) }
}

/// Makes a book with the start, a first move, and replies to it that are worth this many discs.
pub fn book_of_replies(path: &str, first: &str, replies: &[(&str, f32)]) {
    let mut book = Book::create(Path::new(path)).expect("a new book");
    for (reply, discs) in replies {
        let board = after(&format!("{first}{reply}"));
        let square = squares(board.moves()).next().expect("a move");
        let leaf = Leaf::Best { square, value: Value::from_discs(-discs) };
        book.insert(&board, &finding(leaf, 0)).expect("a position");
    }
    // Other replies are worse.
    book.insert(&after(first), &finding(Leaf::AtMost(Value::from_discs(-9.0)), 0)).expect("a position");
    book.insert(&after(""), &finding(Leaf::AtMost(Value::MIN), 0)).expect("a position");
}
