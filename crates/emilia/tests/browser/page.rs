//! The page in a browser, as a person uses it, with a look at what its host has sent.

use std::fs;
use std::ops::Deref;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::driver::Browser;
use crate::place::Place;

/// The page of a place in a browser.
pub struct Page {
    browser: Browser,
    pub place: Place,
}

impl Deref for Page {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        &self.browser
    }
}

impl Page {
    /// A page that is not opened yet.
    pub fn new(browser: Browser, place: Place) -> Self {
        // Nothing moves, so that what is measured stands still.
        browser.prefer(&[("prefers-reduced-motion", "reduce")]);
        Self { browser, place }
    }

    /// Opens the page, with a game in its address if one is given.
    #[track_caller]
    pub fn visit(&self, link: &str) {
        // Another fragment alone would not load the page again.
        self.open("about:blank");
        let fragment = if link.is_empty() { String::new() } else { format!("#{link}") };
        self.open(&format!("{}{fragment}", self.place.address()));
        self.is_ready();
    }

    /// Waits until the page shows a game; from then on `app` is the state of the page.
    #[track_caller]
    pub fn is_ready(&self) {
        self.wait("document.readyState === 'complete' && document.querySelector('main') !== null");
        self.value(
            "import(new URL('app.js', location.href)).then((module) => { window.app = module.app; return true; })",
        );
        self.wait("app.shown !== null && document.querySelector('#connection').dataset.status === 'connected'");
        self.wait("document.querySelector('[data-square]') !== null");
    }

    /// The last message of the host, or a part of it: `view.turn`, `link`.
    #[track_caller]
    pub fn shown(&self, part: &str) -> Value {
        self.value(&format!("app.shown.{part}"))
    }

    /// The game as a link.
    #[track_caller]
    pub fn link(&self) -> String {
        self.shown("link").as_str().expect("a link").to_owned()
    }

    /// Waits until the game is this one.
    #[track_caller]
    pub fn wait_for_link(&self, link: &str) {
        self.wait(&format!("app.shown.link === {}", json!(link)));
    }

    /// The text of an element.
    #[track_caller]
    pub fn text(&self, selector: &str) -> String {
        let text = self.value(&format!("document.querySelector({}).textContent", json!(selector)));
        text.as_str().expect("a text").to_owned()
    }

    /// Plays a square by a click, and waits until it is played.
    #[track_caller]
    pub fn play(&self, square: &str) {
        let count = self.shown("view.move_count").as_u64().expect("a number");
        self.click(&format!("[data-square=\"{square}\"]"));
        self.wait(&format!("app.shown.view.move_count > {count}"));
    }

    /// Waits until the person can play, or the game is over; the first legal move, if there is one.
    #[track_caller]
    pub fn turn(&self) -> Option<String> {
        self.wait("app.shown.view.can.play || app.shown.view.result !== null");
        if !self.shown("view.result").is_null() {
            return None;
        }
        Some(self.shown("view.legal_moves[0].square").as_str().expect("a square").to_owned())
    }

    /// Begins a new game by the form, where these are the radio buttons to press.
    #[track_caller]
    pub fn new_game(&self, board: &str, sides: &str) {
        self.click("#new-game");
        self.click(&format!("#new-game-form input[name=board][value=\"{board}\"]"));
        self.click(&format!("#new-game-form input[name=sides][value={sides}]"));
        for color in ["black", "white"] {
            if sides != "both" && sides != color {
                self.choose(&format!("#{color}-player"), "emilia");
                self.choose(&format!("#{color}-level"), "1");
            }
        }
        self.click("#start-game");
        self.wait(&format!(
            "app.shown.view.board.shape === '{board}' && app.shown.view.new_game.sides === '{sides}' && \
             document.querySelector('dialog[open]') === null"
        ));
    }

    /// The discs that are drawn, row by row.
    #[track_caller]
    pub fn drawn(&self) -> Value {
        self.value(
            "[...document.querySelectorAll('#board [role=row]')].map((row) => [...row.children].map((square) => \
             ({ black: 'X', white: 'O', '': '-' })[square.dataset.disc] ?? ' ').join(''))",
        )
    }

    /// Waits for a file that the page saves, and removes it from the folder.
    #[track_caller]
    pub fn saved(&self, name: &str) -> PathBuf {
        let path = self.downloads().join(name);
        let start = Instant::now();
        // The browser reserves the name with an empty file, and gives it to the file when that is complete.
        while !fs::metadata(&path).is_ok_and(|file| file.len() > 0) {
            assert!(start.elapsed() < Duration::from_secs(60), "{name} is not saved");
            thread::sleep(Duration::from_millis(20));
        }
        let kept = self.folder().join(name);
        fs::rename(path, &kept).expect("a file");
        kept
    }
}

/// Output of the program as JSON, an object a line.
#[track_caller]
pub fn emilia(arguments: &[&str]) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_emilia")).args(arguments).output().expect("the program runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}
