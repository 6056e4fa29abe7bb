//! The formats in which books are exchanged.

use clap::ValueEnum;
use records::Format;

use crate::prelude::*;

/// A format that books are imported from and exported to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ExchangeFormat {
    /// A book of Edax 4 (.dat)
    Edax,
    /// One position per line, in JSON (.jsonl, .json)
    Json,
    /// Games in any format (.txt, .obf, .ggf, .sgf, .wtb)
    Games,
}

impl ExchangeFormat {
    /// The format as requested, or given by the file name.
    ///
    /// `option` is the one that requests it.
    pub(crate) fn of(path: &Path, given: Option<Self>, option: &str) -> Result<Self> {
        if let Some(format) = given {
            return Ok(format);
        }
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("dat") => Ok(Self::Edax),
            Some("jsonl" | "json" | "ndjson") => Ok(Self::Json),
            _ if Format::is_readable(path) => Ok(Self::Games),
            _ => {
                let expected =
                    format!("{option} edax, json or games, or a name ending in .dat, .jsonl or as game files do");
                let sentence = format!("cannot tell the format of {}; expected {expected}", path.display());
                Err(UsageError::new(sentence).into())
            }
        }
    }
}
