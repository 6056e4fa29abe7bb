//! The opening book, and the statistics of game databases.
//!
//! A [`Book`] is a file of positions up to symmetry, each with its minimax value. It is a graph: a position that several
//! orders of moves lead to is there once, and whatever changes its value also changes that of all its ancestors. The
//! method is that of KEYANO's book (Brockington 1997, section 4, after Delteil 1993): every position keeps its *leaf*,
//! the best move that is not in the book, and the moves outside of the book are searched again only when the best move
//! of a position has dropped below what is known about them, between the new value and the old one
//! ([`Book::settle`]).
//!
//! - [`Book`] opens, reads and changes the file; an [`Editor`] makes several changes together, a [`Snapshot`] reads.
//! - [`LeafSearch`] is what searches; [`EngineSearch`] does it with Emilia's search.
//! - [`planning`] says which position to add next, [`Book::add_all`] adds positions, [`Book::extend`] does both; [`Book::learn`] adds those of a game.
//! - [`Snapshot::check`] compares everything with everything, [`Snapshot::statistics`] counts.
//! - [`json_lines`] and [`edax`] read and write other formats.
//! - [`Snapshot::assessments`] is what players and analysts show: the moves of a position, with the searches that the book
//!   replaces.
//! - [`tree`] is the part of a book around a position, for drawing.
//! - [`explorer`] counts what people played.

mod assessment;
mod book;
mod building;
mod checking;
pub mod edax;
mod edax_exchange;
mod editor;
mod error;
pub mod explorer;
mod extending;
mod graph;
pub mod json_lines;
mod key;
mod leaf_search;
mod lines;
mod merging;
mod notes;
mod overlay;
pub mod planning;
mod position;
mod pruning;
mod record;
mod sealed;
mod settling;
mod snapshot;
mod statistics;
mod tables;
pub mod tree;

pub use assessment::Assessments;
pub use book::Book;
pub use building::Learned;
pub use checking::{Check, Fault};
pub use edax_exchange::EdaxImport;
pub use editor::{Editor, Work};
pub use error::BookError;
pub use leaf_search::{EngineSearch, LeafAnswer, LeafQuestion, LeafSearch, SeveralSearches};
pub use merging::Merged;
pub use position::{BookMove, Destination, Finding, Inserted, Position};
pub use pruning::{Pruned, Pruning};
pub use record::{Effort, Leaf};
pub use settling::Settled;
pub use snapshot::Snapshot;
pub use statistics::{DiscStatistics, Statistics};
