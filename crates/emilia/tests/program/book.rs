//! `emilia book`: books are shown, exchanged, merged and pruned.

use std::path::Path;

use book::{Book, Effort, Finding, Leaf};
use evaluation::Value;
use othello::random::Random;
use othello::{Board, Rules};
use search::Selectivity;
use serde_json::Value as Json;

use crate::books::{after, best, finding};
use crate::run::{Folder, QUICK, amount, count, emilia_with_input, list, row, rows, well};

/// Makes a book of three positions: the start, f5 and f5d6, with known values.
///
/// The start is worth what its only move is: -1.5. After f5, d6 is in the book and worth 1.5 to White, the leaf f6 0.25.
fn small_book(folder: &Folder, name: &str) {
    let mut book = Book::create(Path::new(&folder.path(name))).expect("a new book");
    book.insert(&after("f5d6"), &finding(best("c3", -1.5), 2)).expect("a position");
    book.insert(&after("f5"), &finding(best("f6", 0.25), 2)).expect("a position");
    book.insert(&Board::start(), &finding(Leaf::AtMost(Value::MIN), 3)).expect("a position");
}

/// A folder with that book as `small.book`.
fn folder_with_book(test: &str) -> Folder {
    let folder = Folder::new(test);
    small_book(&folder, "small.book");
    folder
}

/// The positions of a book as JSON lines.
fn positions(folder: &Folder, book: &str) -> String {
    folder.well(&format!("book export {book} - --to json"))
}

#[test]
fn a_position_is_shown_with_every_move_and_the_best_line() {
    let folder = folder_with_book("book_show");
    let start = folder.well("book show small.book");
    assert!(start.starts_with("Black to move, 60 empty squares\nIn the book: value -1.50, 3 games\n"), "{start}");
    // All four moves are the same up to symmetry; the line is f5d6c3 in another orientation.
    let moves = start.lines().find_map(|row| row.strip_prefix("d3 (c4 f5 e6)")).expect("a row");
    let words: Vec<_> = moves.split_whitespace().collect();
    assert_eq!(words[..5], ["-1.50", "20@73%", "book", "2", "d3c5f6"], "{moves}");
    let entry = folder.row("book show small.book f5");
    assert_eq!((&entry["in_book"], &entry["games"], &entry["depth"]), (&true.into(), &2.into(), &20.into()));
    let moves = list(&entry["moves"]);
    for (shown, square, to, discs) in [(&moves[0], "d6", "book", 1.5), (&moves[1], "f6", "leaf", 0.25)] {
        assert_eq!((&shown["move"], &shown["to"], amount(&shown["value"])), (&square.into(), &to.into(), discs));
    }
    assert_eq!((&moves[2]["to"], &moves[2]["at_most"]), (&"outside".into(), &0.25.into()));
    assert_eq!(moves.len(), list(&row("show f5")["legal_moves"]).len());
    // In another orientation, and as a board.
    assert_eq!(folder.row("book show small.book c4")["value"], entry["value"]);
    let board = "'---------------------------OX------XO--------------------------- X'";
    assert_eq!(folder.row(&format!("book show small.book {board}")), folder.row("book show small.book start"));
    // Outside of the book.
    let screen = folder.well("book show small.book f5d6c3d3");
    assert!(screen.contains("\nNot in the book\n"), "{screen}");
    let entry = folder.row("book show small.book f5d6c3d3");
    assert_eq!((&entry["in_book"], &entry["value"]), (&false.into(), &Json::Null));
    // A book is neither merged with itself nor exported over another kind of file.
    folder.is_misused("book merge small.book small.book", "cannot be both read and written");
    folder.write("other.dat", "precious");
    folder.fails("book export small.book other.dat", "is a different kind of file");
    assert_eq!(folder.read("other.dat"), "precious");
}

#[test]
fn a_damaged_book_is_read_correctly_or_refused_without_being_changed() {
    let folder = Folder::new("book_damaged");
    small_book(&folder, "sound.book");
    small_book(&folder, "other.book");
    folder.write("lines.jsonl", positions(&folder, "sound.book"));
    let run = |line: &str, book: &str| folder.emilia(&line.replace("BOOK", book));
    let reading = ["show BOOK", "check BOOK", "export BOOK - --to json", &format!("verify BOOK {QUICK}")];
    let changing = [
        "import BOOK lines.jsonl",
        "merge BOOK other.book",
        "prune BOOK",
        &format!("extend BOOK --positions 4 {QUICK}"),
        &format!("build BOOK --positions 4 {QUICK}"),
        &format!("learn BOOK f5d6 {QUICK}"),
    ];
    let bytes = folder.bytes("sound.book");
    let in_use: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] != 0).collect();
    let mut random = Random::new(3);
    let mut refused = 0;
    for _ in 0..8 {
        let mut damaged = bytes.clone();
        for _ in 0..20 {
            damaged[in_use[random.below(in_use.len())]] ^= 1 + random.below(255) as u8;
        }
        folder.write("damaged.book", &damaged);
        for command in reading.iter().chain(&changing) {
            let line = format!("book {command}");
            let found = run(&line, "damaged.book");
            if found.code == Some(0) {
                let is_as_before = !reading.contains(command) || found.stdout == run(&line, "sound.book").well();
                assert!(is_as_before, "{line}: {}", found.stdout);
                folder.write("damaged.book", &damaged);
                continue;
            }
            refused += 1;
            let said = found.failed(1);
            assert!(said.contains("damaged.book is ") && said.lines().count() == 1, "{line}: {said}");
            assert!(folder.bytes("damaged.book") == damaged, "{line} changed the file");
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn a_book_is_the_same_after_export_and_import_in_a_lossless_format() {
    let folder = folder_with_book("book_exchange");
    assert!(folder.well("book export small.book small.jsonl").starts_with("3 positions written to "));
    let said = folder.well("book import copy.book small.jsonl");
    assert!(said.starts_with("3 new, 0 improved, 0 known before\n") && said.ends_with(" has 3 positions\n"), "{said}");
    assert_eq!(positions(&folder, "copy.book"), folder.read("small.jsonl"));
    // Edax has whole discs only: its export of an import is identical.
    folder.well("book export small.book small.dat");
    let said = folder.row("book import back.book small.dat");
    assert_eq!([&said["new"], &said["positions"]], [3, 3]);
    folder.well("book export back.book again.dat");
    assert_eq!(folder.bytes("again.dat")[18..], folder.bytes("small.dat")[18..]);
    assert_eq!(amount(&folder.row("book show back.book start")["value"]), -2.0);
    // The book's only line, as a game.
    assert_eq!(folder.well("book export small.book - --to games").len(), "f5d6\n".len());
    // A bad line is left out, and the others are imported.
    let lines = format!("nonsense\n{}", folder.read("small.jsonl"));
    let path = folder.path("some.book");
    let run = emilia_with_input(&format!("book import '{path}' - --from json"), lines);
    assert!(run.stdout.starts_with("3 new"), "{}", run.stdout);
    let said = run.failed(1);
    assert!(said.contains("line 1: ") && said.contains("1 position was left out"), "{said}");
}

#[test]
fn books_are_checked_counted_merged_and_pruned() {
    let folder = folder_with_book("book_care");
    let check = folder.row("book check small.book");
    assert_eq!([&check["positions"], &check["links"], &check["faults"]], [3, 5, 0]);
    assert!(folder.well("book check small.book").ends_with("everything is right\n"));
    let counted = folder.row("book statistics small.book");
    assert_eq!([&counted["positions"], &counted["games"], &counted["open"]], [3, 3, 0]);
    assert_eq!(counted["by_search"][0], serde_json::json!({"depth": 20, "selectivity": 73, "positions": 2}));
    assert_eq!(counted["covered"], 1, "all moves from the start are the same by symmetry");
    assert!(folder.well("book statistics small.book").starts_with("3 positions in "));
    for known in [0, 3] {
        let merged = folder.row("book merge all.book small.book");
        assert_eq!([&merged["known"], &merged["positions"]], [known, 3]);
    }
    let start = folder.row("book show all.book");
    assert_eq!(start["games"], 6);
    assert!(folder.well("book prune all.book --discs 5").starts_with("1 position removed, "));
    assert_eq!(folder.row("book show all.book")["value"], start["value"]);
    folder.well("book check all.book");
}

#[test]
fn a_book_that_is_being_changed_is_in_use_and_readers_do_not_disturb_one_another() {
    let folder = folder_with_book("book_in_use");
    let path = folder.path("small.book");
    let open = Book::open(Path::new(&path)).expect("a book");
    folder.fails("book show small.book", "is in use by another process");
    drop(open);
    let open = Book::open_read_only(Path::new(&path)).expect("a book");
    folder.well("book show small.book");
    folder.fails("book prune small.book", "is in use by another process");
    drop(open);
}

#[test]
fn the_books_of_the_program_are_read_by_their_names() {
    let folder = Folder::new("book_built_in");
    // A file of this name does not hide the book, and is reached with its folder.
    small_book(&folder, "shipped");
    let number = |book: &str| count(&folder.row(&format!("book statistics {book}"))["positions"]);
    assert_eq!((number("./shipped"), number("shipped") >= 50_000), (3, true));
    folder.emilia(&format!("book learn ./shipped f5d6c3 {QUICK}")).done();
    // The books of classic programs, and a copy of one.
    for name in ["keyano", "logistello"] {
        let book = classics::registry().book(name).expect("a book");
        let expected = book.shipped().expect("a book").snapshot();
        assert_eq!(number(name), expected.count().expect("a number"));
        let shown = folder.row(&format!("book show {name} f5"));
        let value = expected.value(&after("f5")).expect("a value").expect("in the book");
        assert!((amount(&shown["value"]) - f64::from(value.discs())).abs() < 0.006, "{shown}");
    }
    folder.well("book merge my.book keyano");
    assert_eq!(positions(&folder, "my.book"), positions(&folder, "keyano"));
}

#[test]
fn openings_are_named_wherever_a_position_is() {
    let folder = folder_with_book("book_names");
    let tiger = "f5d6c3d3c4";
    for command in ["show", "book show shipped", "book show small.book"] {
        let shown = |position: &str| folder.row(&format!("{command} {position}"));
        assert_eq!(shown("tiger"), shown(tiger), "{command}");
    }
    let hinted = |position: &str| row(&format!("hint {position} --depth 1"))["position"].clone();
    assert_eq!(hinted("Tiger"), hinted(tiger));
    let [one, other] = [("name.book", "tiger"), ("moves.book", tiger)].map(|(book, opening)| {
        folder.well(&format!("book learn {book} {opening} {QUICK}"));
        folder.well(&format!("book extend {book} --position {opening} --positions 8 {QUICK}"));
        positions(&folder, book)
    });
    assert_eq!(one, other);
    // The list of names.
    let (names, openings) = (well("explore --names"), rows("explore --names").len());
    assert_eq!(names.lines().count(), openings + 1);
    assert_eq!(names.lines().last(), Some(format!("{openings} openings").as_str()));
    assert_eq!(openings, records::opening_names::all().len());
    let row = names.lines().find(|line| line.contains(" Tiger")).expect("the tiger");
    assert!(row.starts_with("f5d6c3d3c4 ") && names.lines().all(|line| line.len() <= 80), "{names}");
}

#[test]
fn a_foreign_file_is_reported_in_a_few_lines() {
    let folder = Folder::new("book_foreign");
    folder.write("foreign.jsonl", "{\"name\":1}\n".repeat(300));
    let said = folder.emilia("book import my.book foreign.jsonl").failed(1);
    assert!(said.lines().count() <= 12 && said.contains("and 290 more"), "{said}");
    assert!(said.contains("no position was imported: all of"), "{said}");
}

#[test]
fn an_export_to_edax_reports_its_progress_and_can_be_stopped() {
    let mut book = Book::in_memory().expect("a book");
    let mut samples = search::samples::Samples::<Board>::new(7);
    for _ in 0..3000 {
        let board = samples.position_with_moves(search::samples::Origin::SensibleGame, 30);
        let first = othello::squares(board.moves()).next().expect("a move");
        book.insert(&board, &Finding::best(first, Value::EVEN, Effort::new(1, Selectivity::LOWEST))).expect("inserted");
    }
    let snapshot = book.snapshot().expect("a snapshot");
    let all = snapshot.count().expect("a number");
    let header = book::edax::EdaxHeader::new(2000, [1, 1, 0, 0, 0]);
    let mut reports = Vec::new();
    let written = snapshot.export_edax(&header, &mut Vec::new(), &mut |done, all| {
        reports.push((done, all));
        true
    });
    let written = written.expect("an export");
    assert!(written >= all && reports.iter().any(|&(done, of)| done > 0 && done < of && of == written), "{reports:?}");
    let mut reports = 0;
    let stopped = snapshot.export_edax(&header, &mut Vec::new(), &mut |done, _| {
        reports += 1;
        done == 0
    });
    assert!(stopped.expect("an export") < written && reports > 0);
}
