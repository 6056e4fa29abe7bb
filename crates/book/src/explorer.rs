//! Explorer of played games: the moves of a database of games in any position, with their results, years and players.
//!
//! An [`Index`] is built from game records once and kept in a file; a question reads only the part of it that belongs to
//! positions with the same number of discs. Positions are found in every orientation and by every order of moves.
//!
//! ```
//! use book::explorer::{Filter, Index, IndexBuilder};
//! use records::{GameRecord, transcript};
//! use othello::{Board, Position};
//!
//! let mut builder = IndexBuilder::default();
//! for moves in ["f5d6c3d3c4", "e6f4c3c4d3", "f5f6e6"] {
//!     builder.add(&GameRecord::new(transcript::parse::<Board>(moves)?));
//! }
//! let index = Index::from_bytes(builder.finish())?;
//! let after_f5 = transcript::parse::<Board>("f5")?.position();
//! let answer = index.ask(&after_f5, &Filter::default())?;
//! let moves: Vec<_> = answer.moves.iter().map(|played| (played.square.to_string(), played.tally.games)).collect();
//! assert_eq!(moves, [("d6".to_owned(), 2), ("f6".to_owned(), 1)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Design
//!
//! `explorer` answers what was played in a position from an **index** of game records, which is one file. For every
//! number of discs it has a column with an entry for every game: a key of the position that the game reached with this
//! number of discs, up to symmetry, and the move that followed, in the same orientation. A question reads one column,
//! which is less than a megabyte for 124,326 games, and compares all its keys; no tree of positions is needed,
//! transpositions are found by themselves, and a filter is a condition on the games found. The tests compare all
//! answers with a slow pass over the games.
//!
//! - **What an index was made from is part of it** (`sources.rs`, `docs/formats.md`): the paths that were given, and
//!   every file with its length and time. So an index of changed files is made again, and one of other games is
//!   recognized. Files are sorted and each is read once, whatever paths lead to it; what was left out is counted in the
//!   index. A file that the user named is not replaced by an index of other games without `--rebuild`, nor if it is
//!   damaged; one among the caches is (`explore/index_place.rs`).
//! - **Players are rated when an index is made** (`strength.rs`): Elo ratings by a fit to all results (Bradley-Terry,
//!   with two imaginary draws against 1500). Ratings that come with games and fitted ones are never mixed in one game.
//!   The rating less two standard errors ranks the players beside a move.
//! - **A game can be replayed from the columns**, up to symmetry (`player_statistics.rs`): `--analyze` needs no other file to
//!   analyze the latest games of a player with `engine::analysis`, only the player's own moves, and adds up the losses
//!   by phase (`phase_losses.rs`).

mod answer;
mod building;
mod filter;
mod index_file;
mod phase_losses;
mod player_statistics;
mod position_key;
mod sources;
mod strength;
mod tally;
#[cfg(test)]
mod tests;

pub use answer::{PlayedMove, PlayedMoves, PlayerCount, YearCount, Years};
pub use building::{IndexBuilder, LeftOut};
pub use filter::Filter;
pub use index_file::{Index, IndexError};
pub use phase_losses::{Phase, PhaseLosses};
pub use player_statistics::{OpeningRecord, Opponent, PlayerGame, PlayerStatistics};
pub use sources::{Progress, Relation, Sources, SourcesError};
pub use strength::Strength;
pub use tally::Tally;
