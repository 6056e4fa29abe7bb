//! Books to test with.

use crate::{Book, BookPosition, Check, Effort, Finding, LeafAnswer, LeafQuestion, Snapshot};
use evaluation::Value;
use othello::random::Random;
use othello::{Board, Rules, Square, squares};
use search::Selectivity;

/// A search whose answers depend on nothing but the question: every move has a fixed value.
pub(crate) fn fixed_search(question: &LeafQuestion) -> Option<LeafAnswer> {
    let value = |square: Square| {
        let after = question.board.play(square).unwrap().canonical();
        Value::new((after.hash64() % 2048) as i32 - 1024)
    };
    let best = squares(question.moves).map(|square| (value(square), square)).max()?;
    Some(LeafAnswer { square: best.1, value: best.0, effort: Effort::new(10, Selectivity::LOWEST) })
}

/// A finding about a position, the same for the same seed.
pub(crate) fn finding(board: &Board, random: &mut Random) -> Finding {
    let moves: Vec<Square> = squares(board.moves()).collect();
    let value = Value::new(random.below(2049) as i32 - 1024);
    let effort = Effort::new(10 + random.below(12) as u8, Selectivity::from_percent([73, 98][random.below(2)]));
    Finding { games: random.below(100) as u32, ..Finding::best(moves[random.below(moves.len())], value, effort) }
}

/// Positions of random games up to this many plies, in which a side has a choice.
pub(crate) fn boards(seed: u64, games: usize, plies: usize) -> Vec<Board> {
    let mut random = Random::new(seed);
    let mut boards = Vec::new();
    for _ in 0..games {
        let mut board = Board::start();
        for _ in 0..plies {
            if board.must_pass() {
                board = board.pass();
            }
            if !board.can_move() {
                break;
            }
            boards.push(board);
            let moves: Vec<Square> = squares(board.moves()).collect();
            board = board.play(moves[random.below(moves.len())]).unwrap();
        }
    }
    boards
}

pub(crate) fn fill(book: &mut Book, seed: u64, games: usize, plies: usize) {
    let mut random = Random::new(seed ^ 0xff);
    book.update(|editor| {
        for board in boards(seed, games, plies) {
            editor.insert(&board, &finding(&board, &mut random))?;
        }
        Ok(())
    })
    .unwrap();
}

pub(crate) fn content(book: &Book) -> String {
    let mut text = Vec::new();
    book.snapshot().unwrap().export_json(&mut text, &mut |_| true).unwrap();
    String::from_utf8(text).unwrap()
}

pub(crate) fn new_book() -> Book {
    Book::in_memory().unwrap()
}

/// A book with the positions of random games.
pub(crate) fn filled(seed: u64, games: usize, plies: usize) -> Book {
    let mut book = new_book();
    fill(&mut book, seed, games, plies);
    book
}

/// Checks a book from beginning to end.
pub(crate) fn checked(book: &Book) -> Check {
    let check = book.snapshot().unwrap().check(&mut |_| true).unwrap();
    assert!(check.is_sound(), "{:?}", check.faults);
    check
}

pub(crate) fn positions(snapshot: &Snapshot) -> Vec<BookPosition> {
    snapshot.positions().map(Result::unwrap).collect()
}
