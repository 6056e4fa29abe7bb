//! Errors of a step of learning.

use std::io;
use std::path::PathBuf;

use arena::{ContestError, PlanError, SprtError};
use engine::settings::SettingError;
use evaluation::weights::PHASE_COUNT;
use jobs::JobError;
use players::MakeError;
use records::RecordError;
use records::files::GameFileError;
use storage::Difference;
use storage::whole_file::FileError;

use crate::game_store::StoreError;
use crate::label_store::{LabelStoreError, MAX_STORES};
use crate::labels::Label;
use crate::problem_file::ProblemFileError;
use crate::training::CheckpointError;

/// Why a step of learning failed or was not completed.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// It was stopped, by its stop flag or by the observer.
    #[error("interrupted")]
    Interrupted,
    /// A store of games.
    #[error(transparent)]
    Games(#[from] StoreError),
    /// A store of labeled positions.
    #[error(transparent)]
    Labels(#[from] LabelStoreError),
    /// A file of problems.
    #[error(transparent)]
    Problems(#[from] ProblemFileError),
    /// An error of a file that is replaced atomically.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file of records.
    #[error(transparent)]
    RecordFile(#[from] GameFileError),
    /// A record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Weights.
    #[error(transparent)]
    Weights(#[from] MakeError),
    /// A match cannot be set up.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A match.
    #[error(transparent)]
    Match(#[from] ContestError),
    /// The test that ends a match.
    #[error(transparent)]
    Sprt(#[from] SprtError),
    /// The executor of a job.
    #[error(transparent)]
    Job(#[from] JobError),
    /// The operating system reported an error.
    #[error("cannot {verb} {}", path.display())]
    Io {
        /// The operation: read, write, remove, make.
        verb: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// There are no games to learn from.
    #[error("no games to {purpose}")]
    NoGames {
        /// The purpose of the games.
        purpose: &'static str,
    },
    /// A store has other labels.
    #[error("{} has no label {label}: only {}", path.display(), names(found))]
    NoLabel {
        /// The store.
        path: PathBuf,
        /// The label that was asked for.
        label: Label,
        /// The labels that it has.
        found: Vec<Label>,
    },
    /// A store of games has only one label, the outcome.
    #[error(
        "{} is a store of games and has no label {label}; expected a store made by `emilia learn label`",
        path.display()
    )]
    NotLabeled {
        /// The store.
        path: PathBuf,
        /// The label that was asked for.
        label: Label,
    },
    /// More stores than a label store can refer to.
    #[error("there are more than {MAX_STORES} stores; merge some of them first")]
    TooManyStores,
    /// More games than can be numbered.
    #[error("there are too many games to number; use --first N to take fewer")]
    TooManyGames,
    /// Too few positions to choose problems from.
    #[error(
        "the held-out games of the stores have {found} such positions; expected at least {expected}: ask for fewer with \
         --count"
    )]
    TooFewPositions {
        /// The number found.
        found: usize,
        /// The number asked for.
        expected: usize,
    },
    /// Interactions are learned from weights without them.
    #[error("the weights already have interactions; expected weights without them, from `emilia learn train`")]
    HasInteractions,
    /// The phases cannot be divided evenly into so many stages.
    #[error("{found} stages; expected a number that divides the {PHASE_COUNT} phases")]
    Stages {
        /// The number asked for.
        found: usize,
    },
    /// A checkpoint that cannot be read.
    #[error("{} cannot be used", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// Why.
        source: CheckpointError,
    },
    /// The checkpoint of a different training.
    #[error("{} belongs to another training run: {difference}; delete it to start again", path.display())]
    OtherTraining {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: Difference,
    },
    /// Openings that cannot be used for games.
    #[error("game {number} of {} {problem}", path.display())]
    Opening {
        /// The file.
        path: PathBuf,
        /// The number of the opening, from 1.
        number: usize,
        /// What is wrong with it, and what was expected.
        problem: &'static str,
    },
    /// A file without openings.
    #[error("{} has no games; expected openings", path.display())]
    NoOpenings {
        /// The file.
        path: PathBuf,
    },
    /// A file that is neither a store nor a file of records.
    #[error(
        "wrong file header in {}; expected a store of games, or a file name ending in .wtb, .ggf, .sgf or .txt",
        path.display()
    )]
    NotGames {
        /// The file.
        path: PathBuf,
    },
    /// A folder without games.
    #[error("{} has no stores and no files of games (.wtb, .ggf, .sgf, .txt or .obf)", path.display())]
    NothingToMerge {
        /// The folder.
        path: PathBuf,
    },
    /// The folder of a cycle is in use by another process.
    #[error("{} is in use by another process", folder.display())]
    CycleInUse {
        /// The folder.
        folder: PathBuf,
    },
    /// A file without the settings of a cycle.
    #[error("{} does not have the settings of a cycle ({found}); choose another folder", path.display())]
    NoSettings {
        /// The file.
        path: PathBuf,
        /// What was found.
        found: String,
    },
    /// The folder of another cycle.
    #[error("{} belongs to another cycle: its {difference}, or another folder", path.display())]
    OtherCycle {
        /// The file of its settings.
        path: PathBuf,
        /// What differs.
        difference: Difference,
    },
    /// A line of the log of a cycle is invalid.
    #[error("{}, line {line}: {found}", path.display())]
    Log {
        /// The log.
        path: PathBuf,
        /// The number of the line.
        line: usize,
        /// What was found, and what was expected.
        found: String,
    },
    /// The weights differ from those in the log.
    #[error("{} has the checksum {found}; expected {expected}, as the log says", path.display())]
    OtherWeights {
        /// The weight file.
        path: PathBuf,
        /// Its checksum.
        found: String,
        /// The checksum in the log.
        expected: String,
    },
    /// A setting of a learner is invalid.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Options of a learner exclude each other.
    #[error("{0}")]
    Options(String),
    /// A program cannot learn from these games.
    #[error("{0}")]
    Unlearnable(String),
}

fn names(labels: &[Label]) -> String {
    labels.iter().map(|label| label.name()).collect::<Vec<_>>().join(", ")
}
