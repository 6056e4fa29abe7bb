//! An NBoard session with a player that answers immediately: whatever the host sends, it ends normally.
#![no_main]

use std::io::Cursor;

use engine::RandomPlayer;
use protocols::serving::Served;
use protocols::serving::inbox::Inbox;
use protocols::serving::nboard::Session;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let player = Box::new(RandomPlayer::new(1));
    let served = Served { name: "random".to_owned(), player, has_levels: false, sides: vec![8] };
    let mut out = Vec::new();
    let ending = Session::new(Inbox::of(Cursor::new(bytes.to_vec())), &mut out, served).run();
    assert!(ending.is_ok(), "{ending:?}");
    assert!(String::from_utf8(out).is_ok(), "answers are text");
});
