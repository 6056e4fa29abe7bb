//! Records of games: transcripts, OBF, GGF, SGF and Thor, read one record at a time; games in a text of any layout; share
//! links; and the names of openings.
//!
//! Depends on the rules of the game (`othello`) and on `storage`, not on an evaluation or a search.
//!
//! # Design
//!
//! - **Names of openings belong to positions** (`opening_names`), not to moves: they are looked up by the canonical
//!   board and the side to move, and a game has the name of the last named position along it. The list is a text file
//!   in `data`, with its sources.
//! - **Record readers stream**: they yield one game or one error at a time and continue after an error, so that a bad
//!   record affects only itself. Text of any layout (transcripts, PGN, boards with moves, addresses, the JSON of
//!   Othello Quest) has one reader for commands, screen and page: `records/text`. Its documentation has the rule for
//!   which lines are one game.

mod date;
mod error;
pub mod files;
pub mod filter;
mod format;
pub mod ggf;
mod lines;
pub mod link;
pub mod obf;
pub mod opening_names;
pub mod printable;
mod properties;
mod quest;
mod reader;
mod record;
mod replay;
pub mod sgf;
pub mod sink;
pub mod text;
pub mod thor;
mod time_control;
pub mod transcript;

pub use date::Date;
use error::brief;
pub use error::{Place, RecordError, RecordProblem, WriteError};
pub use format::{Format, ParseFormatError};
pub use reader::{Records, open, read};
pub use record::{Annotation, Ending, GameHead, GameRecord, TheoreticalScore};
pub use sink::Writer;
pub use time_control::TimeControl;
