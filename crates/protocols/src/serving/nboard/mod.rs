//! The NBoard protocol, version 2, as an engine.
//!
//! The document is NBoard's own (`Protocol.htm`, which comes with NTest). Open questions are decided here: any line
//! interrupts a search, as in NTest, and a `go` that is interrupted is answered with the best move so far; a wrong move
//! or game changes nothing and is reported in the status line.

mod clock;
mod lines;
mod session;

pub use session::Session;
