//! LOGISTELLO, the program of M. Buro (1997), rebuilt from its papers.

mod player;

pub use player::*;
