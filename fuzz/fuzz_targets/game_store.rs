//! Stores of games, as found in a file and with corrected checksums.
#![no_main]

use std::path::Path;

use learning::game_store::GameReader;

/// The bytes of fields in a block header.
const FIELDS: usize = 24;

fn read(path: &Path) {
    if let Ok(reader) = GameReader::open(path) {
        // Reading stops at the first error.
        reader.take_while(Result::is_ok).for_each(drop);
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    read(emilia_fuzz::file(bytes));
    read(emilia_fuzz::file(&emilia_fuzz::with_checksums::<FIELDS>(b"EMIGAMES", bytes)));
});
