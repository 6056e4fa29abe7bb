//! How the items of a job are done, and the job itself.

use std::any::Any;
use std::fmt;
use std::ops::{ControlFlow, Range};

use control::Stop;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::definition::Definition;
use crate::error::JobError;
use crate::executor::Executor;
use crate::ordered_work::Order;

/// Does items one after the other in one thread: number and item in, result out; `None` if it was stopped.
pub type Worker<'w, I, O> = Box<dyn FnMut(u64, I) -> Option<O> + 'w>;

/// How an item is done, here or elsewhere. The result follows from the number and the item alone.
pub trait Work: Sync {
    /// What an item consists of besides its number; `()` if the number says everything.
    type Item: Serialize + DeserializeOwned;
    /// The result of an item.
    type Output: Serialize + DeserializeOwned + Send + 'static;

    /// A worker for one thread, which ends when the flag is set.
    fn worker<'w>(&'w self, stop: &'w Stop) -> Worker<'w, Self::Item, Self::Output>;

    /// Whether a result that came from elsewhere can be right, as far as that is cheap to see. The error is a sentence.
    fn check(&self, _number: u64, _item: &Self::Item, _output: &Self::Output) -> Result<(), String> {
        Ok(())
    }

    /// Whether some results from elsewhere are found again here and compared, because a wrong one cannot be seen.
    fn is_spot_checked(&self) -> bool {
        false
    }

    /// Whether a result that was found again here agrees with the one from elsewhere.
    fn agrees(&self, one: &Self::Output, other: &Self::Output) -> bool {
        // As data: what is compared is what was sent.
        matches!((serde_json::to_value(one), serde_json::to_value(other)), (Ok(one), Ok(other)) if one == other)
    }
}

/// A job: how its items are done, what they are, and what defines all that for others.
#[derive(Clone, Copy)]
pub struct Job<'j, W: Work> {
    /// How an item is done.
    pub work: &'j W,
    /// The item with a number.
    pub items: &'j (dyn Fn(u64) -> W::Item + Sync),
    /// What defines the job; the error is a sentence that says why it cannot be sent elsewhere.
    pub definition: &'j (dyn Fn() -> Result<Definition, String> + Sync),
}

impl<W: Work> fmt::Debug for Job<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").finish_non_exhaustive()
    }
}

impl<W: Work> Job<'_, W> {
    /// Lets the executor do the items with these numbers and passes the results to `take` in order, until it breaks or
    /// `stop` is set.
    pub fn run(
        &self,
        executor: &dyn Executor,
        numbers: Range<u64>,
        stop: &Stop,
        take: impl FnMut(u64, W::Output) -> ControlFlow<()>,
    ) -> Result<(), JobError> {
        self.run_in_order(Order::ByNumber, executor, numbers, stop, take)
    }

    /// The same with the results in this order.
    pub fn run_in_order(
        &self,
        order: Order,
        executor: &dyn Executor,
        numbers: Range<u64>,
        stop: &Stop,
        mut take: impl FnMut(u64, W::Output) -> ControlFlow<()>,
    ) -> Result<(), JobError> {
        executor.execute(self, numbers, order, stop, &mut |number, output| match output.0.downcast() {
            Ok(output) => take(number, *output),
            // An executor passes on what `AnyJob` gave it.
            Err(_) => ControlFlow::Break(()),
        })
    }
}

/// The result of an item of any job.
pub struct AnyOutput(Box<dyn Any + Send>);

impl fmt::Debug for AnyOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyOutput")
    }
}

/// A job without its types, as executors see it.
pub trait AnyJob: Sync {
    /// What defines the job. The error is a sentence.
    fn definition(&self) -> Result<Definition, String>;

    /// The item with this number as data; null if the number says everything.
    fn input(&self, number: u64) -> Result<Value, String>;

    /// A worker for one thread of this process.
    fn worker<'w>(&'w self, stop: &'w Stop) -> Box<dyn FnMut(u64) -> Option<AnyOutput> + 'w>;

    /// A result from elsewhere, read and checked. The error is a sentence.
    fn output(&self, number: u64, data: Value) -> Result<AnyOutput, String>;

    /// Whether some results from elsewhere are to be found again here.
    fn is_spot_checked(&self) -> bool;

    /// Whether two results of an item agree.
    fn agrees(&self, one: &AnyOutput, other: &AnyOutput) -> bool;
}

impl<W: Work> AnyJob for Job<'_, W> {
    fn definition(&self) -> Result<Definition, String> {
        (self.definition)()
    }

    fn input(&self, number: u64) -> Result<Value, String> {
        serde_json::to_value((self.items)(number)).map_err(|error| error.to_string())
    }

    fn worker<'w>(&'w self, stop: &'w Stop) -> Box<dyn FnMut(u64) -> Option<AnyOutput> + 'w> {
        let mut work = self.work.worker(stop);
        Box::new(move |number| Some(AnyOutput(Box::new(work(number, (self.items)(number))?))))
    }

    fn output(&self, number: u64, data: Value) -> Result<AnyOutput, String> {
        let output: W::Output = serde_json::from_value(data).map_err(|error| error.to_string())?;
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
