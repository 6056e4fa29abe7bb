//! The formats of game records, and how to detect them.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::brief;
use crate::lines::{BYTE_ORDER_MARK, decode};
use crate::text::{begins_with_board, begins_with_moves};
use crate::transcript::is_blank;

/// A format of game records.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// A sequence of moves, `f5d6c3…`, one game per line when written; read in any layout, with the tags of PGN, as the
    /// JSON of Othello Quest, and as the address of a game.
    Transcript,
    /// One board per line, with the scores of moves for problems.
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

    /// The name on the command line, which is also the file extension except for Thor and transcripts.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Transcript => "transcript",
            Format::Obf => "obf",
            Format::Ggf => "ggf",
            Format::Sgf => "sgf",
            Format::Thor => "thor",
        }
    }

    /// The format for the extension of a file name, or `None` for an unknown extension.
    pub fn from_path(path: impl AsRef<Path>) -> Option<Self> {
        let extension = path.as_ref().extension()?.to_str()?;
        // No file of Thor has its name as the extension.
        extension.parse().ok().filter(|_| !extension.eq_ignore_ascii_case(Format::Thor.name()))
    }

    /// Whether the extension of a file name is that of records: of a format, or of PGN, which is read as a transcript
    /// and not written.
    pub fn is_readable(path: impl AsRef<Path>) -> bool {
        let extension = path.as_ref().extension();
        Self::from_path(&path).is_some() || extension.is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
    }

    /// Detects the format of a file from its first bytes.
    ///
    /// ```
    /// # use records::Format;
    /// assert_eq!(Format::detect(b"(;GM[Othello]PB[Logistello]"), Format::Ggf);
    /// assert_eq!(Format::detect(b"F5 D6 C3"), Format::Transcript);
    /// ```
    pub fn detect(bytes: &[u8]) -> Self {
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        // A Thor file begins with its century, 19 or 20, and no text does.
        if bytes.first().is_some_and(|&byte| byte < b' ' && !byte.is_ascii_whitespace()) {
            return Format::Thor;
        }
        let text = decode(&bytes[..bytes.len().min(HEAD)]);
        if let Some(tree) = text.find("(;").or(text.find("(GM[")).map(|index| &text[index..]) {
            let game = tree.split_once("GM[").map_or("", |(_, game)| game.trim_start());
            let is_ggf = game.get(..7).is_some_and(|game| game.eq_ignore_ascii_case("othello"));
            return if is_ggf { Format::Ggf } else { Format::Sgf };
        }
        let lines = text.lines().filter(|line| !is_blank(line));
        // Boards may be followed by moves, and then they are the beginnings of games.
        let has_moves = |line: &str| {
            let board = line.split([';', '%']).next().unwrap_or_default();
            begins_with_moves(line) || board.contains(|symbol: char| symbol.is_ascii_digit())
        };
        let is_problem = lines.clone().next().is_some_and(begins_with_board) && !lines.clone().any(has_moves);
        if is_problem { Format::Obf } else { Format::Transcript }
    }
}

/// The number of bytes examined to detect the format.
const HEAD: usize = 1 << 14;

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is not the name of a format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a format; expected transcript, obf, ggf, sgf or thor")]
pub struct ParseFormatError(String);

/// Reads a name in any case; `txt` and `wtb` are accepted, too.
impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = match text.to_ascii_lowercase().as_str() {
            "txt" => Format::Transcript.name().to_owned(),
            "wtb" => Format::Thor.name().to_owned(),
            name => name.to_owned(),
        };
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| ParseFormatError(brief(text)))
    }
}
