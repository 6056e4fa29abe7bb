//! A GTP session with a player that answers immediately: whatever the host sends, it ends normally.
#![no_main]

use std::io::Cursor;

use engine::Limits;
use engine::RandomPlayer;
use othello::Board;
use protocols::serving::Served;
use protocols::serving::gtp::{Session, Settings};
use protocols::serving::inbox::Inbox;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let player = Box::new(RandomPlayer::new(1));
    let served: Served<Board> = Served { name: "random".to_owned(), player, has_levels: false, sides: vec![8, 6] };
    let inbox = Inbox::of(Cursor::new(bytes.to_vec()));
    let mut out = Vec::new();
    let ending = Session::new(&inbox, &mut out, served, Limits::of_level(1), Settings::default()).run();
    assert!(ending.is_ok(), "{ending:?}");
    let said = String::from_utf8(out).expect("answers are text");
    assert!(said.split_terminator("\n\n").all(|answer| answer.starts_with(['=', '?'])), "{said}");
});
