//! Whole files of games, in the detected format and in all others.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| emilia_fuzz::parse("file", bytes));
