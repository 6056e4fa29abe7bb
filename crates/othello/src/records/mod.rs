//! Games on file: transcripts, OBF, GGF, SGF and Thor, read one record at a time.

mod date;
mod error;
mod format;
mod obf;
mod record;
mod time_control;

pub use date::Date;
pub use error::{Place, RecordError, RecordProblem};
pub use format::{Format, ParseFormatError};
pub use obf::ParsePositionError;
pub use record::{Annotation, Ending, GameRecord, TheoreticalScore};
pub use time_control::TimeControl;
