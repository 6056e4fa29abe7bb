//! What the host calls and what it supplies. Text and weights are passed byte by byte, so that no pointer is.
#![allow(unsafe_code, reason = "exported names are unsafe to declare, not to use")]

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use engine::clock;

use crate::checks;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// The milliseconds since some moment.
    safe fn milliseconds() -> f64;
    /// Whether to stop the search: not 0.
    safe fn poll() -> u32;
}

/// The return value of a failed check.
const FAILED: u64 = u64::MAX;

static WEIGHTS: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static FAILURE: Mutex<String> = Mutex::new(String::new());

fn outcome(result: Result<u64, String>) -> u64 {
    result.unwrap_or_else(|failure| {
        *FAILURE.lock().unwrap_or_else(PoisonError::into_inner) = failure;
        FAILED
    })
}

/// Adds a byte to the weight file.
#[unsafe(no_mangle)]
extern "C" fn add_weight_byte(byte: u8) {
    WEIGHTS.lock().unwrap_or_else(PoisonError::into_inner).push(byte);
}

/// A byte of the sentence that says why the last check failed, or -1 after its end.
#[unsafe(no_mangle)]
extern "C" fn failure_byte(index: usize) -> i32 {
    let failure = FAILURE.lock().unwrap_or_else(PoisonError::into_inner);
    failure.as_bytes().get(index).map_or(-1, |&byte| i32::from(byte))
}

/// Installs the clock of the host.
#[unsafe(no_mangle)]
extern "C" fn install_clock() {
    clock::install(|| Duration::from_secs_f64(milliseconds().max(0.0) / 1000.0));
}

/// The signature of the search with the supplied weights.
#[unsafe(no_mangle)]
extern "C" fn signature() -> u64 {
    outcome(checks::signature(&WEIGHTS.lock().unwrap_or_else(PoisonError::into_inner)))
}

/// The number of players; each has to refuse time limits as long as there is no clock.
#[unsafe(no_mangle)]
extern "C" fn refusals() -> u64 {
    outcome(checks::refusals())
}

/// The nodes of a search that was asked for more threads than are available.
#[unsafe(no_mangle)]
extern "C" fn nodes_with_threads(threads: usize) -> u64 {
    outcome(checks::nodes_with_threads(threads))
}

/// The nodes of a player's search of this many milliseconds.
#[unsafe(no_mangle)]
extern "C" fn nodes_in_time(player: usize, milliseconds: u32) -> u64 {
    outcome(checks::nodes_in_time(player, Duration::from_millis(milliseconds.into())))
}

/// The nodes of a player's search that only the host ends.
#[unsafe(no_mangle)]
extern "C" fn nodes_until_stopped(player: usize) -> u64 {
    outcome(checks::nodes_until_stopped(player, || poll() != 0))
}
