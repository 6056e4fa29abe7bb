//! Stores of games, as they stand in a file and with checksums that are right.
#![no_main]

use std::path::Path;

use learning::game_store::GameReader;

/// The bytes of fields in the head of a block.
const FIELDS: usize = 24;

fn read(path: &Path) {
    if let Ok(reader) = GameReader::open(path) {
        // The first error is the last game.
        reader.take_while(Result::is_ok).for_each(drop);
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    read(emilia_fuzz::file(bytes));
    read(emilia_fuzz::file(&emilia_fuzz::with_checksums::<FIELDS>(b"EMIGAMES", bytes)));
});
