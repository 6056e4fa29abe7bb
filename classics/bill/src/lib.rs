//! BILL, the program of K.-F. Lee and S. Mahajan (1990), rebuilt from its paper.

mod player;

pub use player::*;
