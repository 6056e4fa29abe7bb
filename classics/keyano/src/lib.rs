//! KEYANO, the program of M. G. Brockington (1997), rebuilt from its paper.

mod player;

pub use player::*;
