//! DESDEMONA, the program of Corby, Irani, Perry and Swartz (2002), rebuilt from its paper.

#[cfg(feature = "learning")]
pub mod learning;
mod player;

pub use player::*;
