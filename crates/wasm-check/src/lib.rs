//! The engine as a WebAssembly module, with what `cargo xtask test wasm` asks of it under Node (`check.mjs`).
//!
//! The host is reached as a page reaches it: it installs a clock, it is polled whether to stop, and it hands in the
//! weights. On other targets this crate is empty.
#![cfg(target_family = "wasm")]

mod checks;
mod exports;
