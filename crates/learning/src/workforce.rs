//! The executor of the work of learning: threads of this process, or a farm.

use std::fmt;
use std::ops::{ControlFlow, Range};

use control::Stop;
use jobs::{Definition, Executor, Job, JobError, Work};
use players::portable_player::PortableWeights;
use players::weights::WeightsChoice;
use serde::{Deserialize, Serialize};

/// An executor of jobs, with the weights of their evaluation if it may be elsewhere.
#[derive(Clone, Copy)]
pub struct Workforce<'w> {
    executor: &'w dyn Executor,
    weights: Option<&'w WeightsChoice>,
    pub(crate) stop: &'w Stop,
}

impl fmt::Debug for Workforce<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workforce").field("weights", &self.weights).finish_non_exhaustive()
    }
}

/// The parameters of a job, with the weights of its evaluation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct WithWeights<P> {
    pub(crate) weights: PortableWeights,
    pub(crate) job: P,
}

impl<'w> Workforce<'w> {
    /// An executor that has the evaluation already: threads of this process.
    pub fn of(executor: &'w dyn Executor, stop: &'w Stop) -> Self {
        Self { executor, weights: None, stop }
    }

    /// An executor that may be elsewhere and gets these weights.
    pub fn with_weights(executor: &'w dyn Executor, weights: &'w WeightsChoice, stop: &'w Stop) -> Self {
        Self { executor, weights: Some(weights), stop }
    }

    /// Lets the items with these numbers be done and passes the results to `take` in order, until it breaks or it is
    /// stopped. Other machines get the kind of the work and these parameters.
    pub(crate) fn run<W: Work, P: Serialize>(
        &self,
        work: &W,
        kind: &str,
        items: &(dyn Fn(u64) -> W::Item + Sync),
        parameters: &(dyn Fn() -> P + Sync),
        numbers: Range<u64>,
        take: impl FnMut(u64, W::Output) -> ControlFlow<()>,
    ) -> Result<(), JobError> {
        let weights = self.weights;
        let definition = move || {
            let weights = weights.ok_or("its weights are only known here")?;
            let (weights, supply) = PortableWeights::of(weights)?;
            let definition = Definition::new(kind, &WithWeights { weights, job: parameters() })?;
            Ok(supply.into_iter().fold(definition, Definition::with_supply))
        };
        Job { work, items, definition: &definition }.run(self.executor, numbers, self.stop, take)
    }
}
