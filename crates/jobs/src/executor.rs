//! Executors of jobs: threads of this process, or others.

use std::ops::{ControlFlow, Range};

use control::Stop;

use crate::error::JobError;
use crate::ordered_work::{ResultOrder, in_given_order};
use crate::work::{AnyJob, AnyOutput};

/// Receives the results; it may end the job.
pub type Take<'t> = dyn FnMut(u64, AnyOutput) -> ControlFlow<()> + 't;

/// Carries out jobs.
pub trait Executor {
    /// Does the items with these numbers and passes the results to `take`, until it breaks or `stop` is set.
    fn execute(
        &self,
        job: &dyn AnyJob,
        numbers: Range<u64>,
        order: ResultOrder,
        stop: &Stop,
        take: &mut Take<'_>,
    ) -> Result<(), JobError>;
}

/// Threads of this process; each does one item at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads(pub usize);

impl Executor for Threads {
    fn execute(
        &self,
        job: &dyn AnyJob,
        numbers: Range<u64>,
        order: ResultOrder,
        stop: &Stop,
        take: &mut Take<'_>,
    ) -> Result<(), JobError> {
        let count = numbers.end.saturating_sub(numbers.start);
        let threads = self.0.min(usize::try_from(count).unwrap_or(usize::MAX));
        in_given_order(order, numbers, threads, || job.worker(stop), take);
        Ok(())
    }
}
