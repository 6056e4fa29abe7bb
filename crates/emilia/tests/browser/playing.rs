//! Games, values, variations.

use serde_json::{Value, json};

use crate::driver::{DOWN, ENTER, LEFT, RIGHT, TAB, UP};
use crate::page::{Page, emilia};

/// Compares the end of a game with what the program says of its moves.
#[track_caller]
fn is_over_by_the_rules(page: &Page, board: &str) {
    let moves = page.value("app.shown.view.moves.map((ply) => ply.square ?? '').join('')");
    let known = &emilia(&["show", moves.as_str().expect("moves"), "--board", board, "--json"])[0];
    assert_eq!(known["over"], true, "{known}");
    assert_eq!(page.drawn(), page.shown("view.board.rows"));
    let rows = page.drawn();
    let discs: String = rows.as_array().expect("rows").iter().filter_map(Value::as_str).collect();
    let position = known["position"].as_str().or(known["board"].as_str()).expect("a position");
    assert_eq!(position.split(' ').next(), Some(discs.as_str()), "{known}");
    let verdict = page.shown("view.result.verdict");
    assert!(!verdict.as_str().expect("a verdict").is_empty());
    assert!(!page.text("#situation").is_empty());
}

pub fn by_clicks(page: &Page) {
    page.visit("");
    // A new visitor plays Black against Emilia at its friendliest.
    assert_eq!(page.shown("view.seats[1].player"), "emilia");
    let mut moves = 0;
    while let Some(square) = page.turn() {
        page.play(&square);
        moves += 1;
        assert!(moves < 61, "the game ends");
    }
    is_over_by_the_rules(page, "8");
    page.new_game("4x4", "white");
    while let Some(square) = page.turn() {
        page.play(&square);
    }
    is_over_by_the_rules(page, "4");
    assert_eq!(page.errors(), Vec::<String>::new());
}

/// Presses a key until something is true.
#[track_caller]
fn press_until(page: &Page, key: &str, expression: &str) {
    for _ in 0..40 {
        if page.value(expression) == true {
            return;
        }
        page.press(key);
    }
    panic!("{expression} is not reached");
}

pub fn by_keys(page: &Page) {
    page.visit("");
    page.press("n");
    page.wait("document.querySelector('#new-game-dialog[open]') !== null");
    press_until(page, TAB, "document.activeElement.name === 'board'");
    press_until(page, RIGHT, "document.activeElement.value === '6x6'");
    press_until(page, TAB, "document.activeElement.id === 'start-game'");
    page.press(ENTER);
    page.wait("app.shown.view.board.shape === '6x6' && document.querySelectorAll('[data-square]').length === 36");
    page.press("b");
    let place = |square: &str| {
        let mut symbols = square.bytes();
        let column = i32::from(symbols.next().expect("a column") - b'a');
        (column, i32::from(symbols.next().expect("a row") - b'1'))
    };
    while let Some(square) = page.turn() {
        let focused = page.wait("document.activeElement.dataset.square ?? false");
        let (from, to) = (place(focused.as_str().expect("a square")), place(&square));
        let count = page.shown("view.move_count");
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        (0..across.abs()).for_each(|_| page.press(if across > 0 { RIGHT } else { LEFT }));
        (0..down.abs()).for_each(|_| page.press(if down > 0 { DOWN } else { UP }));
        assert_eq!(page.value("document.activeElement.dataset.square"), json!(square));
        page.press(ENTER);
        page.wait(&format!("app.shown.view.move_count > {count}"));
    }
    is_over_by_the_rules(page, "6");
    // Moves are announced to screen readers.
    let last = page.shown("view.last_move.square");
    let announced = page.text("#live");
    assert!(!announced.is_empty(), "nothing is announced after {last}");
    page.press("u");
    page.wait("app.shown.view.result === null");
    page.press("?");
    page.wait("document.querySelector('#help-dialog[open]') !== null");
}

pub fn values(page: &Page) {
    page.visit("f5d6c3d3c4");
    page.click("#tab-values");
    page.fill("#hint-level", "6");
    page.wait("app.shown.view.hint_settings.level === 6");
    page.click("#toggle-hints");
    page.wait("app.shown.view.hints.length === app.shown.view.legal_moves.length && !app.shown.view.is_advising");
    page.wait(
        "[...document.querySelectorAll('.square.legal')].every((square) => square.matches('.valued') && \
         /^[-+−]?\\d/.test(square.querySelector('.value').dataset.text) && /%/.test(square.querySelector('.chance').dataset.text))",
    );
    let best = page.value("[...document.querySelectorAll('.square.best')].map((square) => square.dataset.square)");
    let known = page.value("app.shown.view.hints.filter((hint) => hint.is_best).map((hint) => hint.move)");
    assert_eq!(best.as_array().map(Vec::len), known.as_array().map(Vec::len));
    // The first of the lines can be stepped through on the board, and left again.
    let before = page.drawn();
    page.click("#lines [data-hint] [data-line-move]");
    page.wait("app.preview !== null && !document.querySelector('#preview-bar').hidden");
    page.wait("document.querySelector('#board').classList.contains('preview')");
    assert_ne!(page.drawn(), before);
    page.click("[data-action=preview-close]");
    page.wait("app.preview === null && !document.querySelector('#board').classList.contains('preview')");
    assert_eq!(page.drawn(), before);
    page.click("#toggle-hints");
    page.wait("document.querySelector('.square.valued') === null");
}

pub fn variations(page: &Page) {
    page.visit("");
    page.new_game("8x8", "both");
    for square in ["f5", "d6", "c3"] {
        page.play(square);
    }
    page.click("#back");
    page.wait("app.shown.view.move_count === 2");
    page.play("c5");
    page.wait_for_link("f5d6c5(c3)");
    page.click("[data-variation=\"3-c3\"]");
    page.wait_for_link("f5d6c3(c5)");
    assert_eq!(page.drawn(), page.shown("view.board.rows"));
    page.click("#next-variation");
    page.wait_for_link("f5d6c5(c3)");
    page.click("#first");
    page.wait_for_link("f5d6c5(c3)@0");
    page.click("[data-move=\"2\"]");
    page.wait_for_link("f5d6c5(c3)@2");
    page.click("#last");
    page.wait_for_link("f5d6c5(c3)");
    page.click("#take-back");
    page.wait_for_link("f5d6c5(c3)@2");
    page.click("#play-again");
    page.wait_for_link("f5d6c5(c3)");
    // In a long list, the move that is shown is in sight.
    page.visit("f5d6c3d3c4f4c5b3c2e3d2c6b4b5f2e6");
    for button in ["#first", "#last", "#back"] {
        page.click(button);
        page.wait(
            "(() => { const box = document.querySelector('.moves-box').getBoundingClientRect(); \
             const now = document.querySelector('#moves [aria-current]')?.getBoundingClientRect(); \
             return now ? now.top >= box.top - 1 && now.bottom <= box.bottom + 1 : app.shown.view.move_count === 0; })()",
        );
    }
}
