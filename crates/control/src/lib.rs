//! The stop flag of a computation, the clock that measures it, its limits, and locks.
//!
//! This crate must depend on no other crate of the project.

pub mod clock;
mod control;
mod lock;
mod stop;

pub use control::Control;
pub use lock::{lock, wait};
pub use stop::Stop;
