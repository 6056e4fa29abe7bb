//! KEYANO, as M. G. Brockington describes it in "KEYANO Unplugged: the construction of an Othello program" (1997).
//!
//! A fast, simple evaluation (mobility by directions in which discs flip, an approximation of parity, patterns around
//! the edge) under a deep search: NegaScout with a transposition table, killers, a history that re-sorts the squares
//! between iterations, and ProbCut at every depth from 4 to 10. All numbers are learned from games by `emilia learn
//! keyano`.
//!
//! The top of each file and `README.md` of the crate state what the paper leaves open, and what we chose. Its
//! parallel search (APHID) is in [`parallel`]. Of its opening book, [`BookValues`] is here; the book itself is in the crate `book`,
//! and `players` lets KEYANO play from it.
//!
//! ```
//! use engine::{Limits, Player, Silent, Stop};
//! use keyano::{Keyano, Settings};
//! use othello::Game;
//!
//! let mut keyano = Keyano::new(Settings::default());
//! let choice = keyano.choose(&Game::new(), &Limits::of_depth(4), &mut Silent, &Stop::new())?;
//! assert_eq!(choice.depth, 4);
//! # Ok::<(), engine::PlayerError>(())
//! ```

mod book_values;
mod endgame;
pub mod evaluation;
pub mod mobility;
mod move_choice;
mod move_order;
pub mod parallel;
pub mod parity;
pub mod patterns;
#[cfg(test)]
mod samples;
pub mod search;
mod settings;
mod shared_table;
pub mod tables;
mod transposition;

pub use self::search::{OrderQuality, ProbCutUse};
pub use book_values::BookValues;
pub use evaluation::explain;
pub use move_choice::Keyano;
pub use settings::{Counting, Levels, Method, ProbCut, Regions, Settings};
pub use tables::Tables;
