//! Errors of jobs.

use crate::content_id::ContentId;

/// A job, an item or a result that cannot be sent or is refused.
#[derive(Debug, thiserror::Error)]
pub enum InvalidJob {
    /// The job is for another version of the program, which may have other results.
    #[error("the job is for version {found} of Emilia; this is version {expected}")]
    Version {
        /// The version of the job.
        found: String,
        /// The version of this program.
        expected: String,
    },
    /// The program has no such kind of jobs.
    #[error("unknown kind of job {found:?}; expected {expected}")]
    Kind {
        /// The kind of the job.
        found: String,
        /// The names of all kinds, separated by commas.
        expected: String,
    },
    /// The parameters are not those of the kind.
    #[error("the parameters of the job are invalid: {0}")]
    Parameters(serde_json::Error),
    /// A file that the job does not name.
    #[error("the job does not name the file {0}")]
    File(ContentId),
    /// An item with this number that is not one of the kind.
    #[error("item {0} is invalid: {1}")]
    Item(u64, serde_json::Error),
    /// A result of the item with this number that cannot be written as data.
    #[error("the result of item {0} cannot be sent: {1}")]
    Output(u64, serde_json::Error),
    /// Data that cannot be read or written.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A reason of the kind itself, as a sentence.
    #[error("{0}")]
    Other(String),
}

impl From<&str> for InvalidJob {
    fn from(reason: &str) -> Self {
        Self::Other(reason.to_owned())
    }
}

impl From<String> for InvalidJob {
    fn from(reason: String) -> Self {
        Self::Other(reason)
    }
}

/// Reason why a job was not carried out completely.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The job cannot be described as data.
    #[error("this job cannot be sent to a farm: {0}")]
    Definition(InvalidJob),
    /// The farm cannot be reached or used.
    #[error("{0}")]
    Farm(String),
    /// A user cancelled the job.
    #[error("the job was cancelled with `emilia farm cancel`")]
    Cancelled,
    /// Some items failed repeatedly; all others are done.
    #[error(
        "{items} of the job failed three times and were set aside, the first of them with: {reason}. The other results \
         are kept; the same command tries the rest again"
    )]
    SetAside {
        /// The failed items, such as `12 items`.
        items: String,
        /// The reason for the first of them.
        reason: String,
    },
}
