//! The engine as a WebAssembly module, with what `cargo xtask test wasm` asks of it under Node (`check.mjs`).
//!
//! The host acts as a web page would: it installs a clock, is polled whether to stop, and supplies the weights. On
//! other targets this crate is empty.
#![cfg(target_family = "wasm")]

mod checks;
mod exports;
