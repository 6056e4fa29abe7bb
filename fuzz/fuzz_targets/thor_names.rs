//! Players and tournaments of the Thor database.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| emilia_fuzz::parse("thor-names", bytes));
