//! Spot checks: one result in a hundred is computed again here, to detect invalid results.

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

pub(crate) struct Verdict {
    pub(crate) number: u64,
    pub(crate) worker: String,
    /// The result if it is right, `None` if it is wrong.
    pub(crate) confirmed: Option<AnyOutput>,
}

/// Computes results again in a separate thread.
pub(crate) struct SpotCheck {
    /// Results to be computed again: number, worker and result.
    unchecked: Sender<(u64, String, AnyOutput)>,
    verdicts: Receiver<Verdict>,
    waiting: usize,
    /// Seed of the choice of numbers, unknown to workers.
    secret: u64,
}

impl SpotCheck {
    /// Starts the thread, if results of the job are to be computed again.
    pub(crate) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        job: &'scope dyn AnyJob,
        stop: &'scope Stop,
    ) -> Option<Self> {
        if !job.is_spot_checked() {
            return None;
        }
        let (unchecked, inbox) = channel::<(u64, String, AnyOutput)>();
        let (outbox, verdicts) = channel();
        scope.spawn(move || {
            let mut work = None;
            for (number, worker, output) in inbox {
                let Some(own) = work.get_or_insert_with(|| job.worker(stop))(number) else { return };
                let confirmed = job.agrees(&output, &own).then_some(output);
                if outbox.send(Verdict { number, worker, confirmed }).is_err() {
                    return;
                }
            }
        });
        let secret = (jitter() * u64::MAX as f64) as u64;
        Some(Self { unchecked, verdicts, waiting: 0, secret })
    }

    /// Whether this result should be computed again.
    pub(crate) fn chooses(&self, number: u64) -> bool {
        self.waiting < MAX_WAITING && Random::of_item(self.secret, number).below_u32(ONE_IN) == 0
    }

    /// Submits a result for a check; returns it if that is not possible.
    pub(crate) fn submit(&mut self, number: u64, worker: &str, output: AnyOutput) -> Option<AnyOutput> {
        let unsent = self.unchecked.send((number, worker.to_owned(), output)).err();
        self.waiting += usize::from(unsent.is_none());
        unsent.map(|unsent| unsent.0.2)
    }

    pub(crate) fn verdicts(&mut self) -> Vec<Verdict> {
        let verdicts: Vec<Verdict> = self.verdicts.try_iter().collect();
        self.waiting -= verdicts.len();
        verdicts
    }
}
