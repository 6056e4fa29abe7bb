//! The error for arguments that can be parsed but are invalid.

use std::fmt;

/// An error in the command line: exit code 2 instead of 1.
///
/// Its sentence says what was found and what was expected.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct UsageError(String);

impl UsageError {
    pub(crate) fn new(sentence: impl fmt::Display) -> Self {
        Self(sentence.to_string())
    }
}

/// Returns an error in the command line, as `anyhow::bail` returns one of the task.
macro_rules! bail_usage {
    ($($sentence:tt)*) => {
        return Err($crate::arguments::UsageError::new(format_args!($($sentence)*)).into())
    };
}

/// Returns an error in the command line unless a condition is true, like `anyhow::ensure`.
macro_rules! ensure_usage {
    ($condition:expr, $($sentence:tt)*) => {
        if !($condition) {
            $crate::arguments::bail_usage!($($sentence)*);
        }
    };
}

pub(crate) use {bail_usage, ensure_usage};
