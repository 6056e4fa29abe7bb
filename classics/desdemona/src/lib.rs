//! DESDEMONA, the program of Corby, Irani, Perry and Swartz (2002), rebuilt from its paper.

mod player;

pub use player::*;
