//! Spot checks: one result in a hundred is computed again here, to detect invalid results.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

use control::Stop;
use jobs::{AnyJob, AnyOutput};
use othello::random::Random;

use crate::connection::jitter;

/// Share of results that are computed again: one in this many.
const ONE_IN: u32 = 100;

/// Maximum number of waiting results: with many workers, fewer than one in a hundred are computed again.
const MAX_WAITING: usize = 16;

/// A result to be computed again.
struct Question {
    number: u64,
    worker: String,
    output: AnyOutput,
}

/// Outcome of a check.
pub(crate) struct Verdict {
    pub(crate) number: u64,
    pub(crate) worker: String,
    /// The result if it is right, `None` if it is wrong.
    pub(crate) confirmed: Option<AnyOutput>,
}

/// Computes results again in a separate thread.
pub struct SpotCheck {
    questions: Sender<Question>,
    verdicts: Mutex<Receiver<Verdict>>,
    waiting: usize,
    /// Seed of the choice of numbers, unknown to workers.
    secret: u64,
}

impl std::fmt::Debug for SpotCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SpotCheck").field("waiting", &self.waiting).finish_non_exhaustive()
    }
}

impl SpotCheck {
    /// Starts the thread, if the job wants it.
    pub(crate) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        job: &'scope dyn AnyJob,
        stop: &'scope Stop,
    ) -> Option<Self> {
        if !job.is_spot_checked() {
            return None;
        }
        let (questions, inbox) = channel::<Question>();
        let (outbox, verdicts) = channel();
        scope.spawn(move || {
            let mut work = None;
            for Question { number, worker, output } in inbox {
                let Some(own) = work.get_or_insert_with(|| job.worker(stop))(number) else { return };
                let confirmed = job.agrees(&output, &own).then_some(output);
                if outbox.send(Verdict { number, worker, confirmed }).is_err() {
                    return;
                }
            }
        });
        let secret = (jitter() * u64::MAX as f64) as u64;
        Some(Self { questions, verdicts: Mutex::new(verdicts), waiting: 0, secret })
    }

    /// Whether this result should be computed again.
    pub(crate) fn chooses(&self, number: u64) -> bool {
        self.waiting < MAX_WAITING && Random::of_item(self.secret, number).below_u32(ONE_IN) == 0
    }

    /// Submits a result for a check; returns it if that is not possible.
    pub(crate) fn ask(&mut self, number: u64, worker: &str, output: AnyOutput) -> Result<(), AnyOutput> {
        let question = Question { number, worker: worker.to_owned(), output };
        self.questions.send(question).map_err(|unsent| unsent.0.output)?;
        self.waiting += 1;
        Ok(())
    }

    /// Verdicts since the last call.
    pub(crate) fn verdicts(&mut self) -> Vec<Verdict> {
        let verdicts = self.verdicts.get_mut().map(|verdicts| verdicts.try_iter().collect()).unwrap_or_default();
        let verdicts: Vec<Verdict> = verdicts;
        self.waiting -= verdicts.len();
        verdicts
    }
}
