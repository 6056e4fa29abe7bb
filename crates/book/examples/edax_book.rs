//! Converts between a book and one of Edax, and shows positions as Edax's `book show` does:
//! `edax_book import EDAX.dat BOOK`, `edax_book export BOOK EDAX.dat`, `edax_book show BOOK [MOVES]`.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use book::edax::EdaxHeader;
use book::{Book, Destination};
use othello::json::Line;
use othello::{Board, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["import", from, to] => {
            let import = Book::open_or_create(Path::new(to))?.import_edax(File::open(from)?, &mut |_| true)?;
            println!("{import:?}");
        }
        ["export", from, to] => {
            let header = EdaxHeader::new(2000, [1, 1, 0, 0, 0]);
            let mut writer = BufWriter::new(File::create_new(to)?);
            let snapshot = Book::open_read_only(Path::new(from))?.snapshot()?;
            println!("{} positions", snapshot.export_edax(&header, &mut writer)?);
        }
        ["show", from] => show(from, "")?,
        ["show", from, moves] => show(from, moves)?,
        _ => return Err("expected import, export or show with their files".into()),
    }
    Ok(())
}

fn show(book: &str, moves: &str) -> Result<(), Box<dyn Error>> {
    let mut board = Board::start();
    for square in moves.parse::<Line>()?.squares {
        board = board.play(square).ok_or("an illegal move")?;
    }
    let book = Book::open_read_only(Path::new(book))?;
    let snapshot = book.snapshot()?;
    let value = snapshot.value(&board)?.ok_or("the position is not in the book")?;
    print!("Best score: {:+.2}\nMoves:", value.discs());
    for known in snapshot.moves(&board)? {
        let (open, close) = if known.destination == Destination::Leaf { ('<', '>') } else { ('[', ']') };
        print!(" {open}{}:{:+.2}{close}", known.square, known.value.discs());
    }
    println!();
    Ok(())
}
