//! Stores of labeled positions, as they stand in a file and with checksums that are right.
#![no_main]

use std::path::Path;

use learning::label_store::LabelReader;

/// The bytes of fields in the head of a block.
const FIELDS: usize = 12;

fn read(path: &Path) {
    if let Ok(reader) = LabelReader::open(path) {
        let _ = reader.read(0..=64, |_| {});
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    read(emilia_fuzz::file(bytes));
    read(emilia_fuzz::file(&emilia_fuzz::with_checksums::<FIELDS>(b"EMILABEL", bytes)));
});
