//! Makes a book of random games and measures it: `synthetic_book [POSITIONS] [FILE]`.
//!
//! Prints how long it takes to insert positions with propagation, to open the book, and to look up a position, and how
//! many bytes a position takes.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use book::{Book, Effort, Finding};
use evaluation::Value;
use othello::random::Random;
use othello::{Board, Rules, Square, squares};
use search::Selectivity;

/// The plies of a game that enter the book.
const PLIES: usize = 36;

/// The games whose positions are inserted together.
const GAMES: u64 = 1000;

/// The positions of a random game.
fn game(number: u64) -> Vec<(Board, Finding)> {
    let mut random = Random::of_item(1, number);
    let mut board = Board::start();
    let mut positions = Vec::with_capacity(PLIES);
    for _ in 0..PLIES {
        if board.must_pass() {
            board = board.pass();
        }
        let moves: Vec<Square> = squares(board.moves()).collect();
        if moves.is_empty() {
            break;
        }
        let value = Value::new(random.below(2048) as i32 - 1024);
        let leaf = moves[random.below(moves.len())];
        positions.push((board, Finding::best(leaf, value, Effort::new(20, Selectivity::LOWEST))));
        let square = moves[random.below(moves.len())];
        board = board.after(square, board.flips(square));
    }
    positions
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let wanted: u64 = arguments.next().map_or(Ok(1_000_000), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let path = arguments.next().map_or(folder.path().join("synthetic.book"), PathBuf::from);
    let mut book = Book::open_or_create(&path)?;
    let begun = Instant::now();
    let (mut games, mut inserted, mut count, mut last) = (0, 0u64, 0, Instant::now());
    while count < wanted {
        let before = inserted;
        count = book.update(|editor| {
            for number in games..games + GAMES {
                for (board, finding) in game(number) {
                    editor.insert(&board, &finding)?;
                    inserted += 1;
                }
            }
            editor.count()
        })?;
        games += GAMES;
        if games % (20 * GAMES) == 0 || count >= wanted {
            let rate = (inserted - before) as f64 / last.elapsed().as_secs_f64();
            eprintln!("{count} positions after {:.0} s, now {rate:.0} insertions/s", begun.elapsed().as_secs_f64());
        }
        last = Instant::now();
    }
    let seconds = begun.elapsed().as_secs_f64();
    let work = book.work();
    println!("insertions: {inserted} in {seconds:.1} s, {:.0} a second", inserted as f64 / seconds);
    println!("positions looked at again by propagation: {}", work.updates);
    drop(book);
    let bytes = std::fs::metadata(&path)?.len();
    println!("file: {bytes} bytes, {:.1} a position", bytes as f64 / count as f64);

    let begun = Instant::now();
    let mut book = Book::open(&path)?;
    println!("open: {:.1} ms", begun.elapsed().as_secs_f64() * 1000.0);

    let boards: Vec<Board> = (0..3000).flat_map(|number| game(number * games / 3000)).map(|(board, _)| board).collect();
    let begun = Instant::now();
    let found = boards.iter().filter(|board| matches!(book.lookup(board), Ok(Some(_)))).count();
    println!("look-up: {:.2} µs, {found} of {} found", per_item(begun, boards.len()), boards.len());
    let snapshot = book.snapshot()?;
    let begun = Instant::now();
    let found = boards.iter().filter(|board| matches!(snapshot.lookup(board), Ok(Some(_)))).count();
    println!("look-up in a snapshot: {:.2} µs, {found} found", per_item(begun, boards.len()));
    drop(snapshot);

    let new: Vec<_> = (0..300).flat_map(|number| game(u64::MAX - number)).collect();
    let begun = Instant::now();
    book.update(|editor| new.iter().try_for_each(|(board, finding)| editor.insert(board, finding).map(drop)))?;
    println!("insertions at full size: {:.0} a second", 1e6 / per_item(begun, new.len()));
    let begun = Instant::now();
    for (board, finding) in &new[..100] {
        book.insert(board, finding)?;
    }
    println!("one change at a time: {:.1} ms each", per_item(begun, 100) / 1000.0);
    drop(book);

    let begun = Instant::now();
    let book = Book::open_read_only(&path)?;
    let opened = begun.elapsed();
    let found = book.lookup(&Board::start())?.map(|position| position.value);
    println!("open to read: {:.1} ms; the start is worth {:?}", opened.as_secs_f64() * 1000.0, found);
    Ok(())
}

/// The microseconds for each of so many items.
fn per_item(begun: Instant, count: usize) -> f64 {
    begun.elapsed().as_secs_f64() * 1e6 / count as f64
}
