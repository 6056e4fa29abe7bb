//! Match files: any bytes, and any lines after the header of the match that is resumed.
#![no_main]

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use arena::{MatchFile, OpeningTerms, Patience, PlayerId, PlayerTerms, Terms};
use engine::Limits;
use othello::{Board, Game, Rules};

static TERMS: LazyLock<Terms> = LazyLock::new(|| {
    let player = |name: &str| PlayerTerms::new(name.to_owned(), PlayerId::Random, false, Limits::default());
    Terms {
        players: vec![player("one"), player("two")],
        pairs: 1,
        seed: 1,
        board: Board::GEOMETRY.name.to_owned(),
        openings: OpeningTerms::given(&[Game::new()]),
        patience: Patience::default(),
        sprt: None,
    }
});

/// The file of a match in which no game has been played.
static HEADER: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let path = emilia_fuzz::file(b"");
    let mut opened = MatchFile::open::<Board>(path, &TERMS).expect("an empty file is a match that has not begun");
    opened.file.begin(&[Game::new()]).expect("a header can be written");
    fs::read(path).expect("what was written can be read")
});

fn read(path: &Path) {
    if let Ok(opened) = MatchFile::open::<Board>(path, &TERMS) {
        for game in &opened.games {
            let _ = game.record();
        }
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    read(emilia_fuzz::file(bytes));
    read(emilia_fuzz::file(&[&HEADER[..], bytes].concat()));
});
