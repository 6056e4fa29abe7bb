//! The error for arguments that can be parsed but are invalid.

use std::fmt;

/// An error in the command line: exit code 2 instead of 1.
///
/// It wraps an error or a sentence that says what was found and what was expected.
#[derive(Debug)]
pub(crate) struct UsageError(String);

impl UsageError {
    /// The sentence to print.
    pub(crate) fn new(sentence: impl fmt::Display) -> Self {
        Self(sentence.to_string())
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}
