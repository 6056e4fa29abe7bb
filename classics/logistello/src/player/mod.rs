//! LOGISTELLO: an evaluation based entirely on statistics (Buro 1997).
//!
//! Positions of many games, each labeled by the negamax value of the final results in the tree of all games, give the
//! value of a pattern: how often it was won. These values, summed for each pattern, and two mobility counts are the
//! features; logistic regression finds their weights for every phase of the game, so that the value of a position is
//! its log odds of winning.
//!
//! The tables are made by `emilia learn program logistello`, see `README.md` of the crate.
//!
//! We chose the following, which the paper leaves open:
//! - Phases are three plies long, for pattern values as for weights.
//! - Side to move: one constant per phase for having the move.
//! - A disc at the end of a line is no potential move: see [`mobility`].
//! - Log odds are multiplied by a number of discs, fitted to final scores, so that a search can compare the two.
//! - The search is Emilia's, with the single level of ProbCut of Buro 1995; endgames are solved exactly.

pub mod all_indices;
pub mod discriminant;
pub mod evaluation;
mod explanation;
pub mod indices;
pub mod mobility;
mod move_choice;
pub mod patterns;
mod settings;
pub mod tables;

pub use evaluation::{Form, Logistello};
pub use explanation::explain;
pub use move_choice::{HISTORICAL_NODES, LogistelloPlayer};
pub use settings::LogistelloSettings;
pub use tables::Tables;
