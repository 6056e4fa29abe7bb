//! BILL, the program of K.-F. Lee and S. Mahajan (1990), rebuilt from its paper.

#[cfg(feature = "laboratory")]
pub mod experiments;
#[cfg(feature = "learning")]
pub mod learning;
mod player;
mod program;

pub use player::*;
pub use program::program;
