//! Players, hints and analyses with an opening book.

use std::collections::BTreeSet;
use std::path::Path;

use book::{Book, Effort, Finding};
use evaluation::Value;
use othello::{Board, Rules};
use search::Selectivity;

use crate::run::{Folder, amount, emilia, fails, is_misused, json};

/// Moves and what they are worth after f5: all four are in the book.
const REPLIES: [(&str, f32); 3] = [("d6", 1.0), ("f6", 0.5), ("f4", -3.0)];

/// A book in which White has three replies to f5, each with a position after it.
fn book_of_replies(path: &str) {
    let mut book = Book::create(Path::new(path)).expect("a new book");
    let effort = Effort::new(20, Selectivity::LOWEST);
    let start = Board::start();
    let after = start.play("f5".parse().expect("a square")).expect("a legal move");
    for (reply, value) in REPLIES {
        let board = after.play(reply.parse().expect("a square")).expect("a legal move");
        let best = othello::squares(board.moves()).next().expect("a move");
        book.insert(&board, &Finding::best(best, Value::from_discs(-value), effort)).expect("a position");
    }
    let worst = Finding { leaf: book::Leaf::AtMost(Value::from_discs(-9.0)), effort, solved: None, games: 0 };
    book.insert(&after, &worst).expect("a position");
    book.insert(&start, &Finding { leaf: book::Leaf::AtMost(Value::MIN), ..worst }).expect("a position");
}

/// The first moves of White in games of two players with the book, with many seeds.
fn replies(book: &str, settings: &str, seeds: u32) -> Vec<serde_json::Value> {
    let player = format!("emilia@book={book},depth=2,hash=1,weights=hand-made{settings}");
    let choices = (0..seeds).flat_map(|seed| {
        let arguments = ["play", "--engine", &player, "--against", &player, "--json", "--seed"];
        let game = emilia(&[&arguments[..], &[&seed.to_string()]].concat()).well();
        let rows: Vec<_> = game.lines().map(json).collect();
        assert_eq!((&rows[0]["nodes"], amount(&rows[0]["value"])), (&0.into(), -1.0), "{}", rows[0]);
        assert!(rows[2]["nodes"].as_u64() > Some(0), "the book is left: {}", rows[2]);
        rows.into_iter().nth(1)
    });
    choices.collect()
}

/// What a reply from the book is worth, whichever of the four symmetric moves came before.
fn worth(choice: &serde_json::Value) -> String {
    assert_eq!(choice["nodes"], 0, "{choice}");
    format!("{:+.2}", amount(&choice["value"]))
}

#[test]
fn a_player_plays_the_best_move_of_the_book_and_thinks_when_the_book_ends() {
    let folder = Folder::new("book_player");
    let path = folder.path("replies.book");
    book_of_replies(&path);
    for choice in replies(&path, "", 3) {
        assert_eq!(worth(&choice), "+1.00", "{choice}");
    }
}

#[test]
fn randomness_varies_the_moves_and_allows_none_that_is_worse() {
    let folder = Folder::new("book_randomness");
    let path = folder.path("replies.book");
    book_of_replies(&path);
    let found: BTreeSet<_> = replies(&path, ",book-randomness=1", 24).iter().map(worth).collect();
    assert_eq!(found, BTreeSet::from(["+0.50".to_owned(), "+1.00".to_owned()]));
}

#[test]
fn books_that_cannot_be_used_are_refused() {
    let folder = Folder::new("book_player_refused");
    let text = folder.write("notes.book", "precious");
    let play = |settings: &str| {
        let player = format!("emilia@{settings}");
        emilia(&["play", "--engine", &player, "--against", "random", "--json"])
    };
    let said = play(&format!("book={text}")).failed(1);
    assert!(said.contains("notes.book is not a book of Emilia"), "{said}");
    assert!(play("book=none.book").failed(1).contains("there is no book none.book"));
    assert!(play("book-randomness=many").failed(2).contains("book-randomness cannot be \"many\""));
    let small = ["play", "--board", "6", "--engine", "emilia@book=x", "--against", "random", "--json"];
    assert!(emilia(&small).failed(2).contains("books are for the 8x8 board"));
    is_misused(&["hint", "start", "--board", "6", "--book", "x"], "books are for the 8x8 board");
    fails(&["hint", "f5", "--book", &text], "is not a book of Emilia");
    fails(&["analyze", "f5d6", "--book", &text], "is not a book of Emilia");
    let off = play("book=off,depth=1,hash=1,weights=hand-made");
    assert_eq!(off.code, Some(0), "{}", off.stderr);
}

#[test]
fn hints_show_the_values_of_the_book_beside_those_of_the_search() {
    let folder = Folder::new("book_hint");
    let path = folder.path("replies.book");
    book_of_replies(&path);
    let hint = ["hint", "f5", "--book", &path, "--depth", "2", "--lines", "3", "--hash", "1", "--weights", "hand-made"];
    let rows = emilia(&[&hint[..], &["--json"]].concat()).well();
    for row in rows.lines().map(json) {
        let expected = REPLIES.iter().find(|(name, _)| row["move"] == *name).expect("a reply").1;
        assert_eq!(amount(&row["book_value"]), f64::from(expected), "{row}");
    }
    let screen = emilia(&hint).well();
    assert!(screen.lines().nth(1).expect("a head").contains("   book  "), "{screen}");
    let d6 = screen.lines().find(|line| line.contains("  d6 ")).expect("a row");
    assert!(d6.contains("  +1.00  "), "{screen}");
}

#[test]
fn an_analysis_says_which_moves_are_in_the_book() {
    let folder = Folder::new("book_analysis");
    let path = folder.path("replies.book");
    book_of_replies(&path);
    let analyze = |engine: &str, book: &[&str]| {
        let arguments = ["analyze", "f5d6c3d3", "--engine", engine, "--depth", "2", "--exact", "0", "--hash", "1"];
        emilia(&[&arguments[..], book].concat()).well()
    };
    let screen = analyze("emilia@weights=hand-made", &["--book", &path]);
    for (number, in_book) in [(1, true), (2, true), (3, false), (4, false)] {
        let row = screen.lines().find(|line| line.starts_with(&format!("{number:>4} "))).expect("a row");
        assert_eq!(row.contains(" book "), in_book, "{screen}");
    }
    let by_setting = format!("emilia@weights=hand-made,book={path}");
    for (engine, book) in [("emilia@weights=hand-made", &["--book", &path, "--json"][..]), (&by_setting, &["--json"])] {
        let game = json(&analyze(engine, book));
        let said: Vec<_> = game["analysis"].as_array().expect("moves").iter().map(|row| &row["in_book"]).collect();
        assert_eq!(said, [true, true, false, false]);
    }
}
