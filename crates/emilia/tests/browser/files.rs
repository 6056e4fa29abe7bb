//! Files and texts that come and go.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::analysis::analyze;
use crate::page::{Page, emilia};

const GAME: &str = "f5d6c3d3c4f4";

/// Saves the game in a format; the files, the one with the game first.
fn save(page: &Page, format: &str, names: &[&str]) -> Vec<PathBuf> {
    page.click("#save");
    page.click(&format!("[data-save={format}]"));
    let files = names.iter().map(|name| page.saved(name)).collect();
    page.click("#save-dialog [data-close]");
    files
}

/// Begins another game, so that what is opened is seen to come.
fn forget(page: &Page) {
    page.visit("e6");
    page.wait_for_link("e6");
}

fn is_opened(page: &Page, format: &str) {
    // A position is taken over as it stands.
    if format == "obf" {
        page.wait("app.shown.view.set_up !== null || app.shown.view.empties === 54");
        if !page.shown("view.set_up").is_null() {
            page.click("#set-up-done");
            page.wait("app.shown.view.set_up === null");
        }
    } else {
        page.wait("app.shown.link.startsWith('f5d6c3d3c4f4')");
        page.click("#last");
    }
    page.wait("app.shown.view.empties === 54");
    let known = &emilia(&["show", GAME, "--json"])[0];
    let board = page.value("app.shown.view.board.rows.join('')");
    assert!(known["position"].as_str().expect("a position").starts_with(board.as_str().expect("a board")), "{format}");
}

/// Drops files onto the page.
fn drop_files(page: &Page, paths: &[PathBuf]) {
    let content =
        |path: &PathBuf| json!([path.file_name().expect("a name").to_string_lossy(), fs::read(path).expect("a file")]);
    let files: Vec<_> = paths.iter().map(content).collect();
    page.value(&format!(
        "(() => {{ const data = new DataTransfer(); \
         for (const [name, bytes] of {}) data.items.add(new File([new Uint8Array(bytes)], name)); \
         const event = (kind) => new DragEvent(kind, {{ dataTransfer: data, bubbles: true, cancelable: true }}); \
         document.body.dispatchEvent(event('dragover')); document.body.dispatchEvent(event('drop')); }})()",
        json!(files)
    ));
}

/// Pastes a text onto the page.
fn paste(page: &Page, text: &str) {
    page.value(&format!(
        "(() => {{ const data = new DataTransfer(); data.setData('text/plain', {}); \
         document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true, cancelable: true }})); }})()",
        json!(text)
    ));
}

/// Chooses files in the dialog.
fn choose_files(page: &Page, paths: &[PathBuf]) {
    page.click("#open");
    let paths: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
    page.type_into("#open-files", &paths.join("\n"));
}

pub fn every_format(page: &Page) {
    page.visit(GAME);
    let formats: [(&str, &[&str]); 5] = [
        ("txt", &["game.txt"]),
        ("ggf", &["game.ggf"]),
        ("sgf", &["game.sgf"]),
        ("obf", &["position.obf"]),
        ("wtb", &["game.wtb", "game.jou", "game.trn"]),
    ];
    let saved = formats.map(|(format, names)| (format, save(page, format, names)));
    let drawing = fs::read_to_string(&save(page, "svg", &["board.svg"])[0]).expect("a drawing");
    assert!(drawing.starts_with("<svg"), "{drawing}");
    let picture = fs::read(&save(page, "png", &["board.png"])[0]).expect("a picture");
    assert_eq!(picture[..8], *b"\x89PNG\r\n\x1a\n");
    analyze(page, 2);
    page.click("#save-report");
    let report = fs::read_to_string(page.saved("analysis.html")).expect("a report");
    assert!(report.contains("<svg") && report.contains("f5"), "{report}");

    for (format, files) in &saved {
        // The program reads what the page has saved.
        let name = files[0].to_string_lossy();
        let known = &emilia(&["show", &name, "--json"])[0];
        assert_eq!(known["position"], emilia(&["show", GAME, "--json"])[0]["position"], "{format}");
        forget(page);
        choose_files(page, files);
        is_opened(page, format);
        forget(page);
        drop_files(page, files);
        is_opened(page, format);
        if *format != "wtb" {
            forget(page);
            paste(page, &fs::read_to_string(&files[0]).expect("a text"));
            is_opened(page, format);
        }
    }
    // By hand, into the field of the dialog.
    forget(page);
    page.click("#open");
    page.type_into("#open-text", "f5 d6 c3 d3 c4 f4");
    page.click("#open-take");
    is_opened(page, "txt");
    // What is no game says so, and changes nothing. It stays where it can be corrected.
    let is_shown = |text: &str, words: &str| {
        let note = format!("document.querySelector('#open-note').textContent.includes({})", json!(words));
        page.wait(&format!("document.querySelector('#open-dialog[open]') !== null && {note}"));
        assert_eq!(page.value("document.querySelector('#open-text').value"), text);
    };
    forget(page);
    paste(page, "f5 f5");
    page.wait("document.querySelector('#message').textContent !== ''");
    is_shown("f5 f5", "illegal");
    assert_eq!(page.link(), "e6");
    page.type_into("#open-text", " d6");
    page.click("#open-take");
    is_shown("f5 f5 d6", "illegal");
    // A board with a slip is refused by the game, not by the reader.
    forget(page);
    let board = format!("{}Q X", "-".repeat(63));
    paste(page, &board);
    is_shown(&board, "'Q'");
    page.click("#open-dialog [data-close]");
    page.click("#open");
    assert_eq!(page.value("document.querySelector('#open-text').value"), "", "another begins empty");
    page.click("#open-dialog [data-close]");
    page.click("#set-up");
    page.fill("#set-up-text", "f5 f5");
    page.click("#set-up-paste");
    page.wait("document.querySelector('#set-up-note').textContent.includes('illegal')");
    assert_eq!(page.value("document.querySelector('#set-up-text').value"), "f5 f5");
    page.click("#set-up-start");
    page.wait("document.querySelector('#set-up-text').value.startsWith('-----')");
    page.click("#set-up-cancel");
    // A game in several lines with its players, and the address of a game.
    forget(page);
    paste(page, "[Black \"Rose\"]\n[White \"Tamenori\"]\n\n1. f5 d6 2. c3 d3\n3. c4 f4\n");
    is_opened(page, "txt");
    assert_eq!(page.shown("view.seats[0].recorded"), "Rose");
    forget(page);
    paste(page, "https://example.org/#f5d6c3d3c4f4(f3e6)");
    is_opened(page, "txt");
}

pub fn choice(page: &Page) {
    page.visit("");
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/games/iago-paper.ggf");
    let games = games.canonicalize().expect("a file");
    let known = &emilia(&["show", &games.to_string_lossy(), "--game", "3", "--json"])[0];
    choose_files(page, &[games]);
    page.wait("document.querySelector('#open-dialog[open] [data-game=\"3\"]') !== null");
    page.click("[data-game=\"3\"]");
    page.wait("app.shown.view.moves.length > 0 && document.querySelector('dialog[open]') === null");
    let moves = page.value("app.shown.view.moves.map((ply) => ply.square ?? '').join('')");
    assert_eq!(moves, known["moves"]);
    assert_eq!(page.shown("view.seats[0].recorded"), known["black"]);
    assert_eq!(page.shown("view.seats[1].recorded"), known["white"]);
}
