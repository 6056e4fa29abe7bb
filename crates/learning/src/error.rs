//! Why a step of learning failed.

use std::io;
use std::path::PathBuf;

use arena::{ContestError, PlanError, SprtError};
use othello::records::RecordError;
use othello::records::files::GameFileError;
use players::MakeError;
use storage::Difference;
use storage::whole_file::FileError;

use crate::game_store::StoreError;
use crate::label_store::{LabelStoreError, MOST_STORES};
use crate::labels::Label;
use crate::problem_file::ProblemFileError;
use crate::training::CheckpointError;

/// Why a step of learning failed, or did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// It was told to stop, by its stop flag or by who watched.
    #[error("interrupted")]
    Interrupted,
    /// A store of games.
    #[error(transparent)]
    Games(#[from] StoreError),
    /// A store of labelled positions.
    #[error(transparent)]
    Labels(#[from] LabelStoreError),
    /// A file of problems.
    #[error(transparent)]
    Problems(#[from] ProblemFileError),
    /// A file that is written whole.
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
    /// The system refused.
    #[error("cannot {verb} {}", path.display())]
    Io {
        /// What was tried: read, write, remove, make.
        verb: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// There is nothing to learn from.
    #[error("no games to {purpose}")]
    NoGames {
        /// What for.
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
    /// A store of games has no labels but the outcome.
    #[error(
        "{} is a store of games and has no label {label}; expected a store made by `emilia learn label`",
        path.display()
    )]
    NotLabelled {
        /// The store.
        path: PathBuf,
        /// The label that was asked for.
        label: Label,
    },
    /// More stores than a store of labels can name.
    #[error("there are more than {MOST_STORES} stores; merge some of them first")]
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
        /// How many there are.
        found: usize,
        /// How many were asked for.
        expected: usize,
    },
    /// A checkpoint that cannot be read.
    #[error("{} cannot be used", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// Why.
        source: CheckpointError,
    },
    /// The checkpoint of another training.
    #[error("{} belongs to another training run: {difference}; delete it to start again", path.display())]
    OtherTraining {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: Difference,
    },
    /// A checkpoint whose sentence is not understood.
    #[error("{} belongs to another training run ({found}); delete it to start again", path.display())]
    UnknownTraining {
        /// The file.
        path: PathBuf,
        /// What it says.
        found: String,
    },
    /// Openings that games cannot begin with.
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
    /// A file that is neither a store nor records.
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
    /// The folder of a cycle that another process works in.
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
    /// A line of the log of a cycle that is wrong.
    #[error("{}, line {line}: {found}", path.display())]
    Log {
        /// The log.
        path: PathBuf,
        /// The number of the line.
        line: usize,
        /// What was found, and what was expected.
        found: String,
    },
    /// Weights that are not those of the log.
    #[error("{} has the checksum {found}; expected {expected}, as the log says", path.display())]
    OtherWeights {
        /// The weight file.
        path: PathBuf,
        /// Its checksum.
        found: String,
        /// That of the log.
        expected: String,
    },
}

fn names(labels: &[Label]) -> String {
    labels.iter().map(|label| label.name()).collect::<Vec<_>>().join(", ")
}
