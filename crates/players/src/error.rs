//! Errors of making a player.

use std::fmt;
use std::io;
use std::path::PathBuf;

use engine::HashTableError;
use evaluation::NoWeights;
use evaluation::weights::WeightError;
use storage::MissingData;

/// Reason why a player cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MakeError {
    /// The request is invalid: no such player, setting or value.
    #[error("{0}")]
    Request(String),
    /// The file of weights cannot be read.
    #[error("cannot read {}", .0.display())]
    UnreadableWeights(PathBuf, #[source] io::Error),
    /// The file has no weights that could be used.
    #[error("{} cannot be used", .0.display())]
    UnusableWeights(PathBuf, #[source] WeightError),
    /// The weights that ship are supplied at run time, and have not been yet.
    #[error(transparent)]
    NoWeights(#[from] NoWeights),
    /// A data file of the player could not be loaded.
    #[error(transparent)]
    MissingData(#[from] MissingData),
    /// The opening book cannot be used.
    #[cfg(not(target_family = "wasm"))]
    #[error(transparent)]
    Book(#[from] book::BookError),
    /// There is no room for a table of that size.
    #[error(transparent)]
    Table(#[from] HashTableError),
}

impl MakeError {
    /// Something that cannot be meant, with what was found and what was expected.
    pub(crate) fn request(sentence: impl fmt::Display) -> Self {
        Self::Request(sentence.to_string())
    }
}
