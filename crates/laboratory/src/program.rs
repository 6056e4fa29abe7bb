//! A program as it registers itself where there is a laboratory.

use jobs::JobKind;
use learning::learner::Learner;

use crate::Experiment;

/// A program with its learner and its experiments.
#[derive(Debug)]
pub struct LabProgram {
    /// Its players.
    pub player: players::Program,
    /// Learner of its tables.
    pub learner: Option<Learner>,
    /// Experiments, in the order in which they are listed.
    pub experiments: Vec<Experiment>,
    /// Kinds of its own jobs, for workers on other machines.
    pub job_kinds: Vec<JobKind>,
}

impl LabProgram {
    /// A program that only plays.
    pub fn new(player: players::Program) -> Self {
        Self { player, learner: None, experiments: Vec::new(), job_kinds: Vec::new() }
    }

    /// The same program with a learner.
    #[must_use]
    pub fn with_learner(self, learner: Learner) -> Self {
        Self { learner: Some(learner), ..self }
    }

    /// The same program with experiments.
    #[must_use]
    pub fn with_experiments(self, experiments: Vec<Experiment>) -> Self {
        Self { experiments, ..self }
    }
}
