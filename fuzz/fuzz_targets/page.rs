//! Dialogues between the host of a page and an arbitrary page; the input is the seed of a dialogue.
#![no_main]

use std::cell::RefCell;
use std::sync::Arc;

#[allow(dead_code, reason = "the tests of the page use the rest")]
#[path = "../../crates/web/tests/dialogue/mod.rs"]
mod dialogue;

use dialogue::Benches;

thread_local! {
    static BENCHES: RefCell<Benches> = RefCell::new(Benches::new(Arc::clone(classics::registry())));
}

libfuzzer_sys::fuzz_target!(|seed: u64| {
    BENCHES.with_borrow_mut(|benches| {
        dialogue::play(seed, benches);
    });
});
