//! The stop flag of a computation, the clock that measures it, and its limits. Depends on no other crate of the project.

pub mod clock;
mod control;
mod stop;

pub use control::Control;
pub use stop::Stop;
