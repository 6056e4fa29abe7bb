//! The midgame search, the endgame solver and their common parts.

mod compiled;
mod endgame;
pub mod last_empties;
mod local_table;
mod midgame;
pub mod negamax;
mod ordering;
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
