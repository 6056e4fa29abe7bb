//! IAGO, the program of P. S. Rosenbloom (1982), rebuilt from its paper.

#[cfg(feature = "learning")]
pub mod learning;
mod player;

pub use player::*;
