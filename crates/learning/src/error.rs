//! Errors of a step of learning.

use std::io;
use std::path::{Path, PathBuf};

use arena::{ContestError, PlanError, SprtError};
use engine::settings::SettingError;
use evaluation::weights::PHASE_COUNT;
use jobs::JobError;
use players::MakeError;
use records::RecordError;
use records::files::GameFileError;
use storage::whole_file::FileError;
use storage::{Difference, FormatError};

use crate::label_store::MAX_STORES;
use crate::labels::Label;

pub(crate) type Result<T, E = LearnError> = std::result::Result<T, E>;

/// Why a step of learning failed or was not completed.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// It was stopped, by its stop flag or by the observer.
    #[error("interrupted")]
    Interrupted,
    /// A file that is replaced atomically.
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
    /// A setting of a learner is invalid.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The operating system reported an error.
    #[error("cannot {verb} {}", path.display())]
    Io {
        /// The operation: read, use, write, remove, make.
        verb: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file or folder cannot be used.
    #[error("{} {problem}", path.display())]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        problem: FileProblem,
    },
    /// A line of a file is invalid.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The problem, and what was expected.
        problem: String,
    },
    /// Openings that cannot be used for games.
    #[error("game {number} of {} {problem}", path.display())]
    Opening {
        /// The file.
        path: PathBuf,
        /// The number of the opening, from 1.
        number: usize,
        /// The problem, and what was expected.
        problem: &'static str,
    },
    /// A file that is neither a store nor a file of records.
    #[error(
        "wrong file header in {}; expected a store of games, or a file name ending in .wtb, .ggf, .sgf or .txt",
        .0.display()
    )]
    NotGames(PathBuf),
    /// There are no games for this purpose.
    #[error("no games to {0}")]
    NoGames(&'static str),
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
        /// The number requested.
        expected: usize,
    },
    /// Interactions are learned from weights without them.
    #[error("the weights already have interactions; expected weights without them, from `emilia learn train`")]
    HasInteractions,
    /// The phases cannot be divided evenly into this number of stages.
    #[error("{0} stages; expected a number that divides the {PHASE_COUNT} phases")]
    Stages(usize),
    /// Options of a learner exclude each other.
    #[error("{0}")]
    Options(String),
    /// A program cannot learn from these games.
    #[error("{0}")]
    Unlearnable(String),
}

/// Why a file or folder cannot be used; the message follows its name.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// Another process is doing this.
    #[error("is in use: another process is {0}")]
    InUse(&'static str),
    #[error("is in use by another process")]
    CycleInUse,
    #[error("is not a store of games: {0}; expected one that `emilia learn play` or `learn merge` wrote")]
    NoGameStore(String),
    #[error("is not a store of labeled positions: {0}; expected one that `emilia learn label` wrote")]
    NoLabelStore(String),
    #[error(
        "is truncated: {found} bytes follow byte {offset}; expected at least {expected}. Only the `emilia learn play` \
         command that made it can continue it"
    )]
    Torn { offset: u64, found: usize, expected: usize },
    /// A store of labeled positions has no last block and ends at this byte.
    #[error(
        "is not finished: it ends at byte {0}, without its last block; run the `emilia learn label` command that made it \
         again to finish it"
    )]
    Unfinished(u64),
    /// The content after this byte is damaged.
    #[error("is damaged after byte {0}: {1}")]
    Damaged(u64, String),
    #[error("holds other games: {0}, or another file")]
    OtherGames(Difference),
    #[error("holds other labels: {0}, or another file")]
    OtherLabels(Difference),
    #[error("is a merged store, to which no games can be added; choose another name")]
    Merged,
    #[error("has no label {0}: only {found}", found = names(.1))]
    NoLabel(Label, Vec<Label>),
    #[error("is a store of games and has no label {0}; expected a store made by `emilia learn label`")]
    NotLabeled(Label),
    #[error("cannot be used: {0}")]
    Checkpoint(CheckpointError),
    #[error("belongs to another training run: {0}; delete it to start again")]
    OtherTraining(Difference),
    #[error("has no games; expected openings")]
    NoOpenings,
    #[error("has no stores and no files of games (.wtb, .ggf, .sgf, .txt or .obf)")]
    NothingToMerge,
    #[error("does not have the settings of a cycle ({0}); choose another folder")]
    NoSettings(String),
    #[error("belongs to another cycle: its {0}, or another folder")]
    OtherCycle(Difference),
    #[error("has the checksum {found}; expected {expected}, as the log says")]
    OtherWeights { found: String, expected: String },
}

/// Why bytes are not a valid checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    #[error("not a usable checkpoint of a training run: {0}")]
    Format(#[from] FormatError),
    #[error("the checkpoint is damaged: its lengths do not match")]
    Damaged,
}

impl LearnError {
    /// Converts errors of the operating system for a file.
    pub(crate) fn io(verb: &'static str, path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::Io { verb, path: path.to_owned(), source }
    }

    /// Converts errors of the operating system for a file that is used in several ways.
    pub(crate) fn using(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        Self::io("use", path)
    }
}

impl FileProblem {
    /// The error of a file with this problem.
    pub(crate) fn of(self, path: &Path) -> LearnError {
        LearnError::Unusable { path: path.to_owned(), problem: self }
    }
}

fn names(labels: &[Label]) -> String {
    labels.iter().map(|label| label.name()).collect::<Vec<_>>().join(", ")
}
