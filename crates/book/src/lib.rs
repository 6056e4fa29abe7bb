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
//! - [`planning`] chooses the position to add next, [`Book::add_all`] adds positions, [`Book::extend`] does both;
//!   [`Book::learn`] adds those of a game.
//! - [`Snapshot::check`] compares everything with everything, [`Snapshot::statistics`] counts.
//! - [`Book::import_json`], [`Book::import_edax`] and their counterparts read and write other formats (`docs/formats.md`).
//! - [`Snapshot::assessments`] is what players and analysts show: the moves of a position, with the searches that the book
//!   replaces.
//! - [`tree`] is the part of a book around a position, for drawing.
//! - [`explorer`] counts what people played.
//!
//! # Design
//!
//! - **Values are true after every change** (`editor.rs`): inserting, removing, merging or searching a position updates
//!   all of its ancestors in the same transaction, those with the most discs first, so that each is visited a single
//!   time. `tests/values.rs` compares with a plain negamax over a slow book after each of 10,000 random changes.
//! - **Searches happen only when the best move drops.** When the leaf of a position enters the book, its value stays as
//!   a bound on the other moves (`Leaf::AtMost`). Only when the best known move falls below that bound the position is
//!   *open*, and `Book::settle` searches the moves outside; until then the bound counts as the value. Open positions are a
//!   table of the file, so that an interrupted search resumes.
//! - **The parents of a position need no index** (`key.rs`), because the order of keys makes them easy to find. This works
//!   in whatever order positions enter, and costs no space: a position takes 17 bytes of key and 12 of record.
//! - **A side to move always has a move.** A position in which it has to pass is the one after the pass, with the sign
//!   of its value changed; the end of a game is no position, because its score is known. Scores proven by a search of
//!   the position itself (`is_solved`) are not changed by the values of its moves; `is_exact` also holds where it
//!   follows from the moves.
//! - **A change that returned is on the disk.** `Book::update` is one transaction with two syncs (redb's quick repair),
//!   so that a book opens immediately after a crash, too; bulk work makes many changes in one. `tests/kills.rs` kills
//!   processes that change a book.
//! - **Nothing is read that is not as it was written.** redb's pages lie in blocks with checksums of ours, which are
//!   compared whenever a block is read (`sealed.rs`): a book of any size opens immediately, a reader of a damaged part gets
//!   an error, and a change that needs it is not made. A file up to 16 MB is read from beginning to end before anything
//!   else is done with it, and one of any size by commands that read all of it (`Book::open_to_read_all`).
//! - **A file that is refused is not touched.** What is only tried or read is opened with everything that would be
//!   written kept in memory, and repaired there if a crash made that necessary. Readers never write, not even to repair.
//!   Some of redb's code panics on damaged pages: `tables.rs` is the only place that calls it, turns a panic into an error
//!   and keeps its message from standard error. (A program built with `panic = "abort"` would end.) `tests/damage.rs`
//!   damages any bytes of a file.
//! - **One process changes a book, or several read it**: redb locks the file, and the others get `BookError::InUse`.
//! - **Plans** (`planning.rs`) say which leaf to follow next, from the book alone, so that the book is all the state of
//!   an unfinished extension: within an error of best play (as Edax's `book deviate`), or by the probability that a
//!   leaf is reached. `extending.rs` makes a new plan for every step of a small book, and one for many of a large one.
//! - **This crate depends on no player.** `players/src/opening_book.rs` has a player that plays from a book before it
//!   thinks, an analyst that reports the moves in one, and the books that learn; `players/src/shipped_book.rs` has the
//!   book that ships, compacted and compressed, and `players/src/program_book.rs` the books of other programs.
//! - **Long work resumes.** How often `emilia book build` has learned a game is a note in the book (`merging.rs`),
//!   written in the transaction that counts the game, so that games are counted once even when their files grow.
//! - **Several positions are searched at the same time**, each by one thread with an empty hash table, so that the
//!   number of threads does not change the book. `Book::add_all` leaves out the moves that positions of a batch have to
//!   each other, and inserts them together.

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
mod json_lines;
mod key;
mod leaf_search;
mod merging;
pub mod planning;
mod position;
mod pruning;
mod record;
mod sealed;
mod snapshot;
mod tables;
#[cfg(test)]
mod tests;
pub mod tree;

pub use assessment::Assessments;
pub use book::Book;
pub use checking::{Check, DiscStatistics, Fault, Statistics};
pub use editor::{Editor, SearchCounts};
pub use error::BookError;
pub use extending::Settled;
pub use json_lines::LineError;
pub use leaf_search::{EngineSearch, EngineSearcher, LeafAnswer, LeafQuestion, LeafSearch, SeveralSearches};
pub use merging::{Imported, Merged};
pub use planning::Extended;
pub use position::{BookMove, BookPosition, Destination, Finding, Inserted};
pub use pruning::{Pruned, Pruning};
pub use record::{Effort, Leaf};
pub use snapshot::Snapshot;
