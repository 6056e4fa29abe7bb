//! The formats of game records, and how to tell them apart.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A format of game records.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// Moves one after the other, `f5d6c3…`, a game a line.
    Transcript,
    /// A board a line, with the scores of moves for problems.
    Obf,
    /// The Generic Game Format of GGS and NBoard.
    Ggf,
    /// The Smart Game Format, game number 2.
    Sgf,
    /// The Thor database of the French federation: `.wtb` with its `.jou` and `.trn`.
    Thor,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 5] = [Format::Transcript, Format::Obf, Format::Ggf, Format::Sgf, Format::Thor];

    /// The name on the command line, which is also the usual file extension but for Thor and transcripts.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Transcript => "transcript",
            Format::Obf => "obf",
            Format::Ggf => "ggf",
            Format::Sgf => "sgf",
            Format::Thor => "thor",
        }
    }

    /// The format that the extension of a file name stands for, if it is one that we know.
    pub fn from_path(path: impl AsRef<Path>) -> Option<Self> {
        let extension = path.as_ref().extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "txt" | "transcript" => Some(Format::Transcript),
            "obf" => Some(Format::Obf),
            "ggf" => Some(Format::Ggf),
            "sgf" => Some(Format::Sgf),
            "wtb" => Some(Format::Thor),
            _ => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text does not name a format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a format; expected transcript, obf, ggf, sgf or thor")]
pub struct ParseFormatError(String);

/// Reads a name in any case; `txt` and `wtb` are names too.
impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.to_ascii_lowercase().as_str() {
            "transcript" | "txt" => Ok(Format::Transcript),
            "obf" => Ok(Format::Obf),
            "ggf" => Ok(Format::Ggf),
            "sgf" => Ok(Format::Sgf),
            "thor" | "wtb" => Ok(Format::Thor),
            _ => Err(ParseFormatError(text.chars().take(20).collect())),
        }
    }
}
