//! From games to what the engine knows.
//!
//! Every step is seeded: the same numbers give the same result on every machine, whatever the number of
//! threads.

pub mod handmade_fit;
pub mod least_squares;
pub mod pattern_fit;
pub mod probcut_fit;
mod random;
pub mod self_play;
pub mod training;
