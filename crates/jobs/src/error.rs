//! Why a job could not be carried out.

/// Why a job could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The job cannot be described as data.
    #[error("this job cannot be sent to a farm: {0}")]
    Definition(String),
    /// The farm cannot be reached or used.
    #[error("{0}")]
    Farm(String),
    /// Somebody cancelled the job.
    #[error("the job was cancelled with `emilia farm cancel`")]
    Cancelled,
    /// Some items failed again and again; all others are done.
    #[error(
        "{items} of the job failed three times and were set aside, the first of them with: {reason}. The other results \
         are kept; the same command tries the rest again"
    )]
    SetAside {
        /// What failed, such as `12 items`.
        items: String,
        /// Why the first of them failed.
        reason: String,
    },
}
