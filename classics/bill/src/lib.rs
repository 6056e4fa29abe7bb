//! BILL, the program of K.-F. Lee and S. Mahajan (1990), rebuilt from its paper.

#[cfg(feature = "learning")]
pub mod learning;
mod player;

pub use player::*;
