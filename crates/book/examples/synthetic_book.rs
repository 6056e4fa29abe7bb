//! Makes a book of random games and measures it: `synthetic_book [POSITIONS] [FILE]`.
//!
//! Prints the time to insert positions with propagation, to open the book (to look up positions, as players do, and to
//! change it), and to look up a position, and the number of bytes of a position. Next to the time on the clock is that
//! on the processor, where the system reports it: on a busy machine only that one is meaningful.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use book::{Book, BookError, Effort, Finding};
use evaluation::Value;
use othello::random::Random;
use othello::{Board, Rules, Square, squares};
use search::Selectivity;

/// The plies of a game that enter the book.
const PLIES: usize = 36;

/// The games whose positions are inserted together.
const GAMES: u64 = 1000;

/// Number of times that the book is opened for one figure.
const OPENINGS: u64 = 20;

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
    let begun = Moment::now();
    let (mut games, mut inserted, mut count) = (0, 0u64, 0);
    while count < wanted {
        let (portion, before) = (Moment::now(), inserted);
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
            eprint!("{count} positions, ");
            report("insertions now", portion.per_item(inserted - before));
        }
    }
    report(&format!("{inserted} insertions"), begun.per_item(inserted));
    println!("positions looked at again by propagation: {}", book.work().updates);
    drop(book);
    let bytes = std::fs::metadata(&path)?.len();
    println!("file: {bytes} bytes, {:.1} a position", bytes as f64 / count as f64);

    let mut book = opened(&path)?;

    let boards: Vec<Board> = (0..3000).flat_map(|number| game(number * games / 3000)).map(|(board, _)| board).collect();
    let begun = Moment::now();
    let found = boards.iter().filter(|board| matches!(book.lookup(board), Ok(Some(_)))).count();
    report(&format!("look-up, {found} of {} found", boards.len()), begun.per_item(boards.len() as u64));
    let snapshot = book.snapshot()?;
    let begun = Moment::now();
    let found = boards.iter().filter(|board| matches!(snapshot.lookup(board), Ok(Some(_)))).count();
    report(&format!("look-up in a snapshot, {found} found"), begun.per_item(boards.len() as u64));
    drop(snapshot);

    let new: Vec<_> = (0..1000).flat_map(|number| game(u64::MAX - number)).collect();
    let begun = Moment::now();
    book.update(|editor| new.iter().try_for_each(|(board, finding)| editor.insert(board, finding).map(drop)))?;
    report("insertions at full size", begun.per_item(new.len() as u64));
    let begun = Moment::now();
    for (board, finding) in &new[..100] {
        book.insert(board, finding)?;
    }
    report("one change at a time", begun.per_item(100));
    let count = book.snapshot()?.count()?;
    let begun = Moment::now();
    book.compact()?;
    report("compact, a position", begun.per_item(count));
    drop(book);
    let bytes = std::fs::metadata(&path)?.len();
    println!("compact file: {count} positions in {bytes} bytes, {:.1} a position", bytes as f64 / count as f64);

    let found = opened(&path)?.lookup(&Board::start())?.map(|position| position.value);
    println!("the start is worth {found:?}");
    Ok(())
}

/// Opens the book to look up positions, as players do, and to change it, which reads all of it first.
fn opened(path: &Path) -> Result<Book, BookError> {
    let begun = Moment::now();
    for _ in 0..OPENINGS {
        drop(Book::open_read_only(path)?);
    }
    report("open to look up", begun.per_item(OPENINGS));
    let begun = Moment::now();
    for _ in 0..OPENINGS {
        drop(Book::open(path)?);
    }
    report("open to change", begun.per_item(OPENINGS));
    Book::open(path)
}

/// A moment on the clock and on the processor.
#[derive(Clone, Copy)]
struct Moment {
    clock: Instant,
    processor: Duration,
}

impl Moment {
    fn now() -> Self {
        // The first number is the time that this thread has run, in nanoseconds.
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let nanoseconds = told.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0);
        Self { clock: Instant::now(), processor: Duration::from_nanos(nanoseconds) }
    }

    /// The time since then, in microseconds for each of this many items: on the clock and on the processor.
    fn per_item(self, count: u64) -> (f64, f64) {
        let now = Self::now();
        let each = |time: Duration| time.as_secs_f64() * 1e6 / count as f64;
        (each(now.clock - self.clock), each(now.processor - self.processor))
    }
}

/// Prints the time of an operation.
fn report(what: &str, (clock, processor): (f64, f64)) {
    // The system counts in steps of a few milliseconds, and may have counted none.
    let counted = if processor > 0.0 { format!(", {processor:.2} µs on the processor") } else { String::new() };
    let rate = 1e6 / if processor > 0.0 { processor } else { clock };
    println!("{what}: {clock:.2} µs on the clock{counted}, {rate:.0} a second");
}
