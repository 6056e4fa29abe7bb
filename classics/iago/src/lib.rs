//! IAGO, the program of P. S. Rosenbloom (1982), rebuilt from its paper.

mod player;

pub use player::*;
