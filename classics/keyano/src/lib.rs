//! KEYANO, the program of M. G. Brockington (1997), rebuilt from its paper.

#[cfg(not(target_family = "wasm"))]
mod book_search;
#[cfg(feature = "laboratory")]
pub mod experiments;
#[cfg(feature = "learning")]
pub mod learning;
mod player;
mod program;

#[cfg(not(target_family = "wasm"))]
pub use book_search::KeyanoSearch;
pub use player::*;
pub use program::{BOOK, program};
