//! LOGISTELLO, the program of M. Buro (1997), rebuilt from its papers.

#[cfg(feature = "laboratory")]
pub mod experiments;
#[cfg(feature = "learning")]
pub mod learning;
mod player;
mod program;

pub use player::*;
pub use program::{BOOK, program};
