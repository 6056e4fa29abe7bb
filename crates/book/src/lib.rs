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
//! - [`Book::import_json`], [`Book::import_edax`] and their counterparts read and write other formats.
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
//!   *open*, and `Book::settle` searches the moves outside, between the new value and the old one; until then the bound
//!   counts as the value. Open positions are a table of the file, so that an interrupted search resumes. `SearchCounts` counts
//!   the searches, and those that searching everything again would take. What searches is a trait, `LeafSearch`;
//!   `EngineSearch` is Emilia's search at a fixed depth and selectivity, `SeveralSearches` lets any others work at the
//!   same time.
//! - **The parents of a position need no index** (`key.rs`). The key is the number of discs, the occupied squares and
//!   the discs of the side to move, of the symmetric image with the smallest occupied squares: positions with the same
//!   occupied squares are neighbors in the B-tree. A move adds one square, so the parents of a position are found by
//!   taking away one disc at a time (those that can have been placed last, about five) and reading the neighbors of
//!   that place. This works in whatever order positions enter, and costs no space: a position takes 17 bytes of key and
//!   12 of record. The order of keys is also one in which parents come before their children.
//! - **A side to move always has a move.** A position in which it has to pass is the one after the pass, with the sign
//!   of its value changed; the end of a game is no position, because its score is known. Scores proven by a search of
//!   the position itself (`is_solved`) are not changed by the values of its moves; `is_exact` also holds where it
//!   follows from the moves.
//! - **A change that returned is on the disk.** `Book::update` is one transaction with two syncs (redb's quick repair),
//!   so that a book opens immediately after a crash, too; bulk work makes many changes in one. `tests/kills.rs` kills
//!   processes that change a book.
//! - **Nothing is read that is not as it was written.** redb compares its checksums only when it repairs a file, never
//!   when it reads one. So its pages lie in blocks with checksums of ours, which are compared whenever a block is read
//!   (`sealed.rs`): a book of any size opens immediately, a reader of a damaged part gets an error, and a change that
//!   needs it is not made. A file up to 16 MB is read from beginning to end before anything else is done with it, and
//!   one of any size by commands that read all of it (`Book::open_to_read_all`).
//! - **A file that is refused is not touched.** What is only tried or read is opened with everything that would be
//!   written kept in memory (`sealed.rs`), and repaired there if a crash made that necessary. Readers never write, not
//!   even to repair. Some of redb's code panics on damaged pages: `tables.rs` is the only place that calls it, turns a
//!   panic into an error and keeps its message from standard error. (A program built with `panic = "abort"` would end.)
//!   `tests/damage.rs` damages any bytes of a file.
//! - **One process changes a book, or several read it**: redb locks the file, and the others get `BookError::InUse`.
//! - **Plans** (`planning.rs`) say which leaf to follow next, from the book alone, so that the book is all the state of
//!   an unfinished extension: within an error of best play (as Edax's `book deviate`), or by the probability that a
//!   leaf is reached.
//! - **Programs may have books of their own.** A program depends on no book: `players/src/program_book.rs` has
//!   its book, the `LeafSearch` behind it and the settings (`NAME@book=on`).
//! - **Players read books.** `players/src/opening_book.rs` has a player that plays from a book before it thinks, and an
//!   analyst that says which moves are in one; `book_settings.rs` the settings. What all moves of a game from the book
//!   give away together is limited by the player's randomness, so that an open position is searched; a best move that
//!   leads out of the book is played from it. A page cannot name a book. `Refutation` says how deep a move of the book
//!   is tried before it is played, by how many discs it must be worse to be refuted, and which share of the time this
//!   may take; then the next move of the book is tried, best first. `BookAnalyst::with_values` takes over the values of
//!   the book, for Emilia only: other players are asked for their own opinion.
//! - **A book ships** (`players/src/shipped_book.rs`): the compacted, compressed file is part of the program and is
//!   opened in memory at its first use. An option of players says whether a player without a setting uses it: where
//!   people play, not where strength is measured, and not at levels that make mistakes. A book that learns is open for
//!   writing; all players of the process share it. In `play`, the session orders the engines to learn a game that is
//!   over (`session/src/learning.rs`); contests refuse players that learn.
//! - **Long work resumes.** How often `emilia book build` has learned a game is a note in the book (`merging.rs`),
//!   written in the transaction that counts the game, so that games are counted once even when their files grow.
//!   `extending.rs` makes a new plan for every step of a small book, and one for many steps of a large one.
//! - **Several positions are searched at the same time**, each by one thread with an empty hash table, so that the
//!   number of threads does not change the book. `Book::add_all` leaves out the moves that positions of a batch have to
//!   each other, and inserts them together.
//! - `building.rs` learns games, `merging.rs` and `pruning.rs` combine and shorten books, `checking.rs` and
//!   `statistics.rs` look at all of one, `tree.rs` the tree around a position for
//!   drawing (the lines with the largest share, the same for the same book, compared in `tests/trees.rs` with all
//!   lines), `json_lines.rs`, `edax.rs` and `edax_exchange.rs` are other formats (`docs/formats.md`). `cargo run
//!   --release -p book --example synthetic_book -- 10000000` measures a large one.

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
mod statistics;
mod tables;
#[cfg(test)]
mod tests;
pub mod tree;

pub use assessment::Assessments;
pub use book::Book;
pub use building::Learned;
pub use checking::{Check, Fault};
pub use editor::{Editor, SearchCounts};
pub use error::BookError;
pub use extending::Settled;
pub use json_lines::LineError;
pub use leaf_search::{EngineSearch, LeafAnswer, LeafQuestion, LeafSearch, SeveralSearches};
pub use merging::{Imported, Merged};
pub use position::{BookMove, BookPosition, Destination, Finding, Inserted};
pub use pruning::{Pruned, Pruning};
pub use record::{Effort, Leaf};
pub use snapshot::Snapshot;
pub use statistics::{DiscStatistics, Statistics};
