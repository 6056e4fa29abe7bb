//! A small opening book: three replies to f5, each with a position after it.

use book::{Book, Effort, Finding, Leaf};
use evaluation::Value;
use othello::{Board, Rules, squares};
use players::opening_book::OpeningBook;
use search::Selectivity;

/// White's replies to f5 with their values for White, and how many games were counted after them.
pub(crate) const REPLIES: [(&str, f32, u32); 3] = [("d6", 1.0, 60), ("f6", 0.5, 30), ("f4", -3.0, 10)];

/// The depth of the searches behind all values, at the lowest selectivity.
pub(crate) const DEPTH: u8 = 20;

pub(crate) fn small_book() -> OpeningBook {
    let mut book = Book::in_memory().expect("a book");
    let effort = Effort::new(DEPTH, Selectivity::LOWEST);
    let start = Board::start();
    let after = start.play("f5".parse().expect("a square")).expect("a legal move");
    for (reply, value, games) in REPLIES {
        let board = after.play(reply.parse().expect("a square")).expect("a legal move");
        let best = squares(board.moves()).next().expect("a move");
        let finding = Finding { games, ..Finding::best(best, Value::from_discs(-value), effort) };
        book.insert(&board, &finding).expect("a position");
    }
    // There are no other replies.
    let finding = Finding { leaf: Leaf::Covered, effort, solved: None, games: 100 };
    book.insert(&after, &finding).expect("a position");
    book.insert(&start, &finding).expect("a position");
    OpeningBook::of_book(book).expect("a book")
}
