//! Transcripts.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| emilia_fuzz::parse("transcript", bytes));
