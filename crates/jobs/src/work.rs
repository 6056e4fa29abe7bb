//! The work on the items of a job, the job itself, and its executors: threads of this process, or others.

use std::any::Any;
use std::ops::{ControlFlow, Range};

use control::Stop;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::definition::Definition;
use crate::error::{InvalidJob, JobError};
use crate::ordered_work::{ResultOrder, in_given_order};

/// Does items one after the other in one thread: number and item in, result out; `None` if it was stopped.
pub type Worker<'w, I, O> = Box<dyn FnMut(u64, I) -> Option<O> + 'w>;

/// The work on an item, here or elsewhere. The result follows from the number and the item alone.
pub trait Work: Sync {
    /// The content of an item besides its number; `()` if there is none.
    type Item: Serialize + DeserializeOwned;
    /// The result of an item.
    type Output: Serialize + DeserializeOwned + Send + 'static;

    /// A worker for one thread, which ends when the flag is set.
    fn worker<'w>(&'w self, stop: &'w Stop) -> Worker<'w, Self::Item, Self::Output>;

    /// Checks a remote result, as far as that is cheap.
    fn check(&self, _number: u64, _item: &Self::Item, _output: &Self::Output) -> Result<(), InvalidJob> {
        Ok(())
    }

    /// Whether some results from elsewhere are computed again here and compared, because a check cannot find wrong
    /// ones.
    fn is_spot_checked(&self) -> bool {
        false
    }

    /// Whether a result that was computed again here agrees with the one from elsewhere.
    fn agrees(&self, one: &Self::Output, other: &Self::Output) -> bool {
        // Compared as data, in the form that was sent.
        matches!((serde_json::to_value(one), serde_json::to_value(other)), (Ok(one), Ok(other)) if one == other)
    }
}

/// A job: its work, its items, and its definition for other machines.
#[derive(Clone, Copy)]
pub struct Job<'j, W: Work> {
    /// The work on an item.
    pub work: &'j W,
    /// The item with a number.
    pub items: &'j (dyn Fn(u64) -> W::Item + Sync),
    /// The definition of the job; an error if it cannot be sent elsewhere.
    pub definition: &'j (dyn Fn() -> Result<Definition, InvalidJob> + Sync),
}

impl<W: Work> Job<'_, W> {
    /// Lets the executor do these items and passes the results to `take` in order, until it breaks or `stop` is set.
    pub fn run(
        &self,
        executor: &dyn Executor,
        numbers: Range<u64>,
        stop: &Stop,
        take: impl FnMut(u64, W::Output) -> ControlFlow<()>,
    ) -> Result<(), JobError> {
        self.run_in_order(ResultOrder::ByNumber, executor, numbers, stop, take)
    }

    /// The same with the results in this order.
    pub fn run_in_order(
        &self,
        order: ResultOrder,
        executor: &dyn Executor,
        numbers: Range<u64>,
        stop: &Stop,
        mut take: impl FnMut(u64, W::Output) -> ControlFlow<()>,
    ) -> Result<(), JobError> {
        executor.execute(self, numbers, order, stop, &mut |number, output| match output.0.downcast() {
            Ok(output) => take(number, *output),
            // An executor passes on the outputs of `AnyJob`.
            Err(_) => ControlFlow::Break(()),
        })
    }
}

/// The result of an item of any job.
pub struct AnyOutput(Box<dyn Any + Send>);

/// Type-erased job, for executors.
pub trait AnyJob: Sync {
    /// The definition of the job.
    fn definition(&self) -> Result<Definition, InvalidJob>;

    /// The item with this number as data; null if it has no content.
    fn input(&self, number: u64) -> Result<Value, InvalidJob>;

    /// A worker for one thread of this process.
    fn worker<'w>(&'w self, stop: &'w Stop) -> Box<dyn FnMut(u64) -> Option<AnyOutput> + 'w>;

    /// Reads and checks a remote result.
    fn output(&self, number: u64, data: Value) -> Result<AnyOutput, InvalidJob>;

    /// Whether some results from elsewhere are to be computed again here.
    fn is_spot_checked(&self) -> bool;

    /// Whether two results of an item agree.
    fn agrees(&self, one: &AnyOutput, other: &AnyOutput) -> bool;
}

impl<W: Work> AnyJob for Job<'_, W> {
    fn definition(&self) -> Result<Definition, InvalidJob> {
        (self.definition)()
    }

    fn input(&self, number: u64) -> Result<Value, InvalidJob> {
        Ok(serde_json::to_value((self.items)(number))?)
    }

    fn worker<'w>(&'w self, stop: &'w Stop) -> Box<dyn FnMut(u64) -> Option<AnyOutput> + 'w> {
        let mut work = self.work.worker(stop);
        Box::new(move |number| Some(AnyOutput(Box::new(work(number, (self.items)(number))?))))
    }

    fn output(&self, number: u64, data: Value) -> Result<AnyOutput, InvalidJob> {
        let output: W::Output = serde_json::from_value(data)?;
        self.work.check(number, &(self.items)(number), &output)?;
        Ok(AnyOutput(Box::new(output)))
    }

    fn is_spot_checked(&self) -> bool {
        self.work.is_spot_checked()
    }

    fn agrees(&self, one: &AnyOutput, other: &AnyOutput) -> bool {
        match (one.0.downcast_ref(), other.0.downcast_ref()) {
            (Some(one), Some(other)) => self.work.agrees(one, other),
            _ => false,
        }
    }
}

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
