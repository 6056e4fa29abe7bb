//! The panel of the opening book.

use std::fs;
use std::path::{Path, PathBuf};

use book::{Book, Effort, Finding, Leaf};
use evaluation::Value;
use othello::{Board, Rules, Square, squares};
use records::transcript;
use search::Selectivity;
use serde_json::json;

use crate::accessibility::is_accessible;
use crate::analysis::analyze;
use crate::driver::{DOWN, ENTER, LEFT, RIGHT};
use crate::looks::{PHONE, fits, speak, speaks};
use crate::page::{Page, emilia};

/// Lines of the book with the value of the last position for its side to move, and the games that were counted there.
const LINES: [(&str, f32, u32); 8] = [
    ("", 0.0, 100),
    ("f5", 0.0, 100),
    ("f5d6", -1.0, 60),
    ("f5f6", -0.5, 30),
    ("f5f4", 5.0, 10),
    ("f5d6c3", 0.25, 40),
    ("f5d6c3d3", -0.5, 40),
    ("f5d6c5", 1.5, 20),
];

/// Makes a small book; its path.
pub fn small_book(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.book", std::process::id()));
    let _ = fs::remove_file(&path);
    let mut book = Book::create(&path).expect("a new book");
    let effort = Effort::new(18, Selectivity::LOWEST);
    for (line, value, games) in LINES.iter().rev() {
        let board: Board = transcript::parse(line).expect("moves").position().board;
        let is_outside =
            |square: &Square| board.play(*square).is_some_and(|after| book.lookup(&after).expect("a book").is_none());
        let leaf = match squares(board.moves()).find(is_outside) {
            Some(square) => Leaf::Best { square, value: Value::from_discs(*value) },
            None => Leaf::Covered,
        };
        book.insert(&board, &Finding { leaf, effort, solved: None, games: *games }).expect("a position");
    }
    path
}

/// The texts of the list, row by row.
const ROWS: &str = "[...document.querySelectorAll('#book-moves tbody tr')].map((row) => [row.dataset.bookMove, ...[...row.cells].slice(1).map((cell) => cell.textContent)])";

/// Opens the panel after these moves.
fn open_panel(page: &Page, link: &str) {
    page.visit(link);
    page.click("#tab-openings");
    page.wait("document.querySelector('#book-moves tbody tr') !== null");
}

/// Waits until the panel is about the position after these moves.
fn is_at(page: &Page, link: &str) {
    page.wait_for_link(link);
    page.wait("document.querySelector('#panel-openings').getAttribute('aria-busy') === null");
}

pub fn stepping(page: &Page, book: &Path) {
    open_panel(page, "f5");
    // The same figures as those of the program.
    let path = book.to_str().expect("a path");
    let known = &emilia(&["book", "show", path, "f5", "--json"])[0];
    let shown = page
        .value("app.book.page.moves.map(({ move, value, to, depth, games }) => [move, value.discs, to, depth, games])");
    let moves = known["moves"].as_array().expect("moves");
    let expected: Vec<_> = moves
        .iter()
        .map(|row| json!([row["move"], row["value"]["discs"], row["to"], row["depth"], row["games"]]))
        .collect();
    let discs = |row: &serde_json::Value| row[1].as_f64();
    for (found, expected) in shown.as_array().expect("moves").iter().zip(&expected) {
        assert_eq!(
            (&found[0], discs(found), &found[2], &found[3], &found[4]),
            (&expected[0], discs(expected), &expected[2], &expected[3], &expected[4])
        );
    }
    assert_eq!(shown.as_array().map(Vec::len), Some(3));
    assert_eq!(page.value(ROWS)[1], json!(["f6", "+0.50", "18@73%", "30", "Diagonal"]));

    // By clicks: into a move of the list, out again, and two moves of the tree deep.
    page.click("[data-book-move=d6] button");
    is_at(page, "f5d6");
    page.wait("document.querySelector('[data-book-move=c3]') !== null");
    assert_eq!(
        page.value("document.querySelector('#book-moves tr[data-to=leaf] .leads-to').textContent"),
        "leaves the book"
    );
    page.click("#book-out");
    is_at(page, "f5d6@1");
    page.click("[data-branch=d6c3]");
    is_at(page, "f5d6c3");
    assert_eq!(page.shown("view.is_reviewing"), true, "the engine does not answer");

    // By keys: the focus stays in the tree, and the arrows do not go through the game.
    page.click("#book-out");
    page.click("#book-out");
    is_at(page, "f5d6c3@1");
    page.wait("document.querySelector('[data-branch=d6c3]') !== null");
    page.value("document.querySelector('#book-tree [role=treeitem]').focus()");
    for (key, branch) in [(RIGHT, "d6c3"), (LEFT, "d6"), (DOWN, "d6c3"), (DOWN, "d6c3d3")] {
        page.press(key);
        assert_eq!(page.value("document.activeElement.dataset.branch"), branch);
    }
    page.press(LEFT);
    page.press(ENTER);
    is_at(page, "f5d6c3");
    page.wait("document.activeElement?.matches('#book-tree [role=treeitem]')");
    let announced = page.text("#live");
    assert!(announced.contains("c3"), "{announced}");

    // At the end of the book the panel has a message; the game continues.
    page.visit("f5d6c3f3");
    page.click("#tab-openings");
    page.wait("document.querySelector('#book-state').textContent === 'This position is not in the book.'");
    assert_eq!(page.value("document.querySelectorAll('#book-tree svg, #book-moves tr').length"), 0);
    assert_eq!(page.errors(), Vec::<String>::new());
}

pub fn values_and_analysis(page: &Page) {
    page.visit("f5");
    page.click("#tab-values");
    page.fill("#hint-level", "2");
    page.click("#toggle-hints");
    page.wait("document.querySelector('#lines [data-hint=f6] .hint-value')?.textContent === '+0.50'");
    page.wait("document.querySelector('#lines [data-hint=f6] .depth')?.textContent === 'book'");
    page.visit("f5d6c3f3");
    analyze(page, 2);
    let marked = page.value("[...document.querySelectorAll('[data-judged]')].map((row) => row.querySelector('.in-book')?.textContent ?? '')");
    // The value of f3 is that of the book, too, which it leaves.
    assert_eq!(marked, json!(["book", "book", "book", "book"]));
    // A puzzle must not be answered by the book.
    page.click("#tab-study");
    page.fill("#puzzle-empties", "6");
    page.click("#start-puzzle");
    page.wait("app.study?.kind === 'puzzle'");
    page.click("#tab-openings");
    page.wait("/hidden/.test(document.querySelector('#book-state').textContent)");
}

pub fn looks(page: &Page) {
    open_panel(page, "f5");
    is_accessible(page, "the book");
    page.prefer(&[("prefers-color-scheme", "dark"), ("prefers-reduced-motion", "reduce")]);
    page.resize(PHONE.0, PHONE.1);
    open_panel(page, "f5");
    fits(page, "the book");
    speak(page, "ja");
    fits(page, "the book in Japanese");
    speaks(page, "the book");
    is_accessible(page, "the book in the dark on a phone and in Japanese");
}

pub fn no_book(page: &Page) {
    page.visit("f5");
    assert_eq!(page.value("document.querySelector('#tab-openings').hidden"), true);
    page.press("5");
    assert_eq!(page.value("app.tab"), "values");
}
