//! The host of the page and its workbenches as a WebAssembly module, for the page without a server.
//!
//! A worker of the browser takes one of two roles: `host_role` or `workbench_role`; `checks` are for tests. Text and
//! files come in through a buffer that the script fills (`input`). Output is passed to functions of the script, as a
//! pointer and a length to be read before they return. A panic is reported (`failed`) before it ends the instance, so
//! that the script can start another one.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code, reason = "exported names are unsafe to declare, not to use")]

mod checks;
mod host_role;
mod workbench_role;

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use players::Registry;

/// Functions of the script. Texts are UTF-8.
mod script {
    #[link(wasm_import_module = "script")]
    unsafe extern "C" {
        /// Returns the milliseconds since some moment.
        pub(super) safe fn milliseconds() -> f64;
        /// Puts a file into the buffer of [`super::input`]; 0 if it cannot be loaded.
        pub(super) safe fn load(name: *const u8, length: usize) -> u32;
        /// Reports why the module failed.
        pub(super) safe fn failed(sentence: *const u8, length: usize);
        /// Passes on a reply of the workbench to its order.
        pub(super) safe fn tell(reply: *const u8, length: usize);
        pub(super) safe fn send(message: *const u8, length: usize);
        /// Starts a job, in the lane of the game if not 0, with a time limit in milliseconds.
        pub(super) safe fn start(job: f64, is_game: u32, time_limit: f64, order: *const u8, length: usize);
        pub(super) safe fn stop(job: f64);
        /// Returns whether to stop the search: not 0.
        pub(super) safe fn poll() -> u32;
    }
}

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes a buffer of this length for the input of the next call.
#[unsafe(no_mangle)]
extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

fn registry() -> Arc<Registry> {
    Arc::clone(classics::registry())
}

fn taken_bytes() -> Vec<u8> {
    INPUT.take()
}

fn taken_text() -> String {
    String::from_utf8(taken_bytes()).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Prepares an instance: it reports why it fails, and loads tables when they are needed.
#[unsafe(no_mangle)]
extern "C" fn prepare() {
    std::panic::set_hook(Box::new(|panic| failed(&panic.to_string())));
    storage::install_loader(|name| (script::load(name.as_ptr(), name.len()) != 0).then(taken_bytes));
}

/// Installs the clock of the script.
#[unsafe(no_mangle)]
extern "C" fn install_clock() {
    engine::clock::install(|| duration(script::milliseconds()));
}

fn failed(sentence: &str) {
    script::failed(sentence.as_ptr(), sentence.len());
}

fn duration(milliseconds: f64) -> Duration {
    Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default()
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
