//! The midgame search, the endgame solver and their common parts.
//!
//! # Verification
//!
//! - **`negamax`** is a slow and obvious search: alpha-beta with nothing but the rules, fewest replies first. Tests and
//!   `cargo xtask verify-search` compare with it.
//! - **`verify`** replays the line of a solved position to the last disc, and solves it again with another number of
//!   threads, with a tiny table, with none, and without selective searches; `emilia solve --verify` calls it.
//! - **`samples`** generates positions for tests and benchmarks from a seed: from random, half-sensible and greedy
//!   games, and arbitrary ones, because solvers break on passes and wiped-out sides.

mod compiled;
mod endgame;
pub mod last_empties;
mod local_table;
mod midgame;
pub mod negamax;
mod parameters;
mod probcut;
mod pvs;
mod root;
pub mod samples;
mod searcher;
mod selectivity;
mod threads;
mod transposition;
pub mod verify;
mod worker;

pub use compiled::{CompiledSearch, Next, SearchRequest, SearchableBoard};
pub use searcher::{Iteration, Line, Question, SearchReport, Searcher, solving};
pub use selectivity::Selectivity;
pub use transposition::{HashEntry, HashTable, HashTableError, SearchResult};
