//! DESDEMONA, the program of Corby, Irani, Perry and Swartz (2002), rebuilt from its paper.

#[cfg(feature = "laboratory")]
pub mod experiments;
#[cfg(feature = "learning")]
pub mod learning;
mod player;
mod program;

pub use player::*;
pub use program::program;
