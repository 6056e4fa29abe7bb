//! Records of games: transcripts, OBF, GGF, SGF and Thor, read one record at a time; games in a text of any layout; share
//! links; and the names of openings.
//!
//! Depends on the rules of the game (`othello`) and on `storage`, not on an evaluation or a search.

mod date;
mod error;
pub mod files;
pub mod filter;
mod format;
pub mod ggf;
mod json;
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
mod writer;

pub use date::Date;
pub use error::{Place, RecordError, RecordProblem, WriteError};
pub use format::{Format, ParseFormatError};
pub use json::GameHead;
pub use reader::{Records, open, read};
pub use record::{Annotation, Ending, GameRecord, TheoreticalScore};
pub use time_control::TimeControl;
pub use writer::Writer;
