//! Games that an index leaves out.

use serde::{Deserialize, Serialize};

/// Number of games left out when an index was made, by reason. It is part of the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LeftOut {
    /// Files that cannot be read.
    pub unreadable_files: u64,
    /// Records that cannot be read.
    pub bad_records: u64,
    /// Games that begin with another position than that of the rules.
    pub other_starts: u64,
    /// Games without moves.
    pub without_moves: u64,
}
