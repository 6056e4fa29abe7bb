//! LOGISTELLO: an evaluation that is statistics from beginning to end (Buro 1997).
//!
//! Positions of many games, each labelled by the negamax value of the final results in the tree of all games, tell what
//! a pattern of discs is worth: how often it was won. These values, summed up for each pattern, and two counts of
//! mobility are the features; logistic regression finds their weights for every phase of the game, so that the value of
//! a position is the log odds of winning it.
//!
//! The tables are made by `emilia learn logistello`, see `docs/logistello.md`.
//!
//! Where the paper is silent:
//! - Phases are three plies long, for pattern values as for weights.
//! - Side to move: one constant a phase for having the move.
//! - A disc at the end of a line promises no move: see [`mobility`].
//! - Log odds are multiplied by a number of discs, fitted to final scores, so that a search can compare them with those.
//! - The search is the project's own with the single level of ProbCut of Buro 1995; endings are solved exactly.

pub mod discriminant;
pub mod evaluation;
mod explanation;
pub mod indices;
pub mod mobility;
pub mod patterns;
mod player;
mod settings;
pub mod tables;

pub use evaluation::{Form, Logistello};
pub use explanation::explain;
pub use player::{HISTORICAL_NODES, LogistelloPlayer};
pub use settings::LogistelloSettings;
pub use tables::Tables;
