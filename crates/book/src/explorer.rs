//! What people played: the moves of a database of games in any position, with their results, years and players.
//!
//! An [`Index`] is built from game records once and kept in a file; a question reads only the part of it that belongs to
//! positions with the same number of discs. Positions are found in every orientation and by every order of moves.
//!
//! ```
//! use book::explorer::{Filter, Index, IndexBuilder};
//! use records::{GameRecord, transcript};
//! use othello::{Board, Position};
//!
//! let mut builder = IndexBuilder::new();
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

mod answer;
mod building;
mod filter;
mod index_file;
mod left_out;
mod phase_losses;
mod player_statistics;
mod position_key;
mod replaying;
mod sources;
mod strength;
mod tally;
#[cfg(test)]
mod tests;

pub use answer::{Answer, PlayedMove, PlayerCount, YearCount, Years};
pub use building::IndexBuilder;
pub use filter::Filter;
pub use index_file::{Index, IndexError};
pub use left_out::LeftOut;
pub use phase_losses::{Phase, PhaseLosses};
pub use player_statistics::{OpeningRecord, Opponent, PlayerStatistics};
pub use replaying::PlayerGame;
pub use sources::{Progress, Relation, Sources, SourcesError};
pub use strength::Strength;
pub use tally::Tally;
