//! The Go Text Protocol, version 2, as an engine for Othello.
//!
//! Squares are named as Othello players do, a1 in the upper left. A pass is forced, never chosen: `genmove`
//! answers PASS for a side that cannot move, and `play` takes a pass only then. Passes may also be left out.

mod command;
mod rules;
mod session;
mod timing;

pub use session::{Ending, Session, Settings};
