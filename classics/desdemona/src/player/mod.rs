//! DESDEMONA, the Othello program of a team of the Stanford course CS 221 (Corby, Irani, Perry and Swartz 2002).
//!
//! It was written for a board of its own, [`CutBoard`](othello::CutBoard), and also plays 8x8, with the corresponding
//! features. Everything that differs between the two boards is in `boards`.
//!
//! We chose the following, which the paper leaves open:
//! - A pass costs no depth, so that in one iteration a position is always searched to the same depth and the table
//!   needs none. The paper describes no move ordering, and ours has none: moves are tried in the order of the squares.
//! - An unfinished iteration is discarded.
//! - The X-squares (their figure is lost) are by the paper's definition all squares next to a corner that are not on
//!   an edge: three corners of a quadrant have five of them. The C-squares are the squares of the rim next to a corner.
//! - The discs "in a row" of the edge heuristic are a side's longest run on each straight part of the rim and on each
//!   line next to the rim.
//! - Each simple feature is averaged over its images on the board, and the evaluation uses the average of the twelve.
//! - A configuration that occurred in no game is worth 0.

mod adjacency;
mod boards;
mod complex_features;
mod evaluation;
mod landmarks;
mod move_choice;
mod search;
mod settings;
mod simple_features;
mod state;
mod tables;
mod time_strategy;
mod transposition;
mod zobrist;

pub use adjacency::Adjacency;
pub use boards::DesdemonaBoard;
pub use complex_features::{COMPLEX_COUNT, COMPLEX_NAMES};
pub use evaluation::{Evaluation, Mixture, PER_DISC};
pub use move_choice::{Desdemona, HISTORICAL_DEPTH, NAME};
pub use search::{Found, Searcher};
pub use settings::{DesdemonaSettings, Keys};
pub use simple_features::{Indices, Patterns, SIMPLE_COUNT, SimpleFeature};
pub use state::State;
pub use tables::{FILE_ON_8X8, FILE_ON_92, Tables, VALUE_PER_DISC, WEIGHT_PER_DISC};
pub use time_strategy::MoveCount;
pub use transposition::Lookups;
