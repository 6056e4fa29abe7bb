//! Stores of labeled positions, as found in a file and with corrected checksums.
#![no_main]

use std::path::Path;

use learning::label_store::LabelReader;

/// The bytes of fields in a block header.
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
