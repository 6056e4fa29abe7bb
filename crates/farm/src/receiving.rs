//! Judgement of messages from workers, without a server.

use std::ops::Range;

use jobs::{AnyJob, AnyOutput, ContentId};

use crate::ledger::{Aside, Ledger};
use crate::message::{ChunkOutcome, ResultMessage, inputs_id};
use crate::spot_check::SpotCheck;

/// Effect of a message.
#[derive(Clone, PartialEq, Debug)]
pub enum Receipt {
    /// It was refused, and counted.
    Refused,
    /// It was recorded.
    Recorded,
    /// Results of this many items, which took this many seconds.
    Results {
        /// The number of items.
        items: u64,
        /// The time.
        seconds: f64,
    },
    /// A chunk was set aside.
    SetAside(Aside),
    /// The worker sent an invalid result.
    InvalidResult {
        /// Reason, in a sentence.
        reason: String,
    },
}

/// Receives the results of a campaign.
pub struct Receiving<'c> {
    job: &'c dyn AnyJob,
    task: ContentId,
    numbers: Range<u64>,
    /// Chunks and results.
    pub ledger: Ledger<AnyOutput>,
    /// Computes some results again.
    pub check: Option<SpotCheck>,
    /// The number of workers on the farm.
    pub workers: usize,
}

impl std::fmt::Debug for Receiving<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Receiving").field("task", &self.task).finish_non_exhaustive()
    }
}

impl<'c> Receiving<'c> {
    /// The results of these items of a job.
    pub fn new(job: &'c dyn AnyJob, task: ContentId, numbers: Range<u64>, check: Option<SpotCheck>) -> Self {
        Self { job, task, ledger: Ledger::new(numbers.clone()), numbers, check, workers: 0 }
    }

    /// Judges a message that was sent under the name `from`, which is part of the subject: the permissions of the
    /// server decide which clients may use a name.
    pub fn receive(&mut self, from: &str, bytes: &[u8]) -> Receipt {
        let Ok(ResultMessage { task, worker, first, attempt, outcome }) = ResultMessage::read(bytes) else {
            self.ledger.refused.malformed += 1;
            return Receipt::Refused;
        };
        if worker != from {
            self.ledger.refused.foreign += 1;
            return Receipt::Refused;
        }
        if self.ledger.is_distrusted(from) {
            // The chunk that it took has left the queue: other workers do it.
            let count = match &outcome {
                ChunkOutcome::Done { outputs, .. } => outputs.len() as u64,
                ChunkOutcome::Failed { count, .. } => *count,
            };
            self.ledger.reopen_some(first, count);
            self.ledger.refused.distrusted += 1;
            return Receipt::Refused;
        }
        match outcome {
            _ if task != self.task => self.refuse_foreign(),
            ChunkOutcome::Failed { reason, .. } => {
                match self.ledger.fail(first, attempt, from, self.workers, &reason) {
                    Some(aside) => Receipt::SetAside(aside),
                    None => Receipt::Recorded,
                }
            }
            // Of an earlier run of the same job, whose results are known.
            ChunkOutcome::Done { outputs, .. } if first.saturating_add(outputs.len() as u64) <= self.numbers.start => {
                self.ledger.refused.repeated += outputs.len() as u64;
                Receipt::Refused
            }
            ChunkOutcome::Done { outputs, .. } if !self.ledger.overlaps(first, outputs.len() as u64) => {
                self.refuse_foreign()
            }
            // The answer to a question of another client.
            ChunkOutcome::Done { outputs, inputs, .. } if !self.was_asked(first, outputs.len() as u64, inputs) => {
                self.refuse_foreign()
            }
            ChunkOutcome::Done { outputs, seconds, .. } => {
                let items = outputs.len() as u64;
                match self.receive_outputs(from, first, outputs) {
                    Ok(()) => Receipt::Results { items, seconds },
                    Err((number, reason)) => {
                        self.ledger.distrust(from, number);
                        Receipt::InvalidResult { reason }
                    }
                }
            }
        }
    }

    fn refuse_foreign(&mut self) -> Receipt {
        self.ledger.refused.foreign += 1;
        Receipt::Refused
    }

    /// Whether these are the inputs of these items.
    fn was_asked(&self, first: u64, count: u64, inputs: u64) -> bool {
        // Items of another run of the same job, which wanted more, may not exist here.
        let range = first.max(self.numbers.start)..(first + count).min(self.numbers.end);
        if range != (first..first + count) {
            return range.clone().all(|number| self.job.input(number).is_ok_and(|input| input.is_null()));
        }
        let own: Vec<_> = range.map(|number| self.job.input(number).unwrap_or_default()).collect();
        inputs_id(&own) == inputs
    }

    /// Takes over results; the error has the number of the invalid item, and the reason.
    fn receive_outputs(
        &mut self,
        worker: &str,
        first: u64,
        outputs: Vec<serde_json::Value>,
    ) -> Result<(), (u64, String)> {
        let count = outputs.len() as u64;
        for (number, data) in (first..).zip(outputs) {
            if !self.ledger.is_missing(number) {
                self.ledger.refused.repeated += u64::from(self.numbers.contains(&number));
                continue;
            }
            let output = self.job.output(number, data);
            let output = output.map_err(|error| (number, format!("its result of item {number} is wrong: {error}")))?;
            let Some(check) = self.check.as_mut().filter(|check| check.chooses(number)) else {
                self.ledger.accept(number, worker, output);
                continue;
            };
            match check.ask(number, worker, output) {
                Ok(()) => self.ledger.accept_in_check(number, worker),
                Err(output) => self.ledger.accept(number, worker, output),
            }
        }
        self.ledger.close(first, count);
        Ok(())
    }

    /// Applies the verdicts of the spot checks; returns the workers with invalid results, and the reasons.
    pub fn apply_checks(&mut self) -> Vec<(String, String)> {
        let mut invalid = Vec::new();
        for verdict in self.check.as_mut().map(SpotCheck::verdicts).unwrap_or_default() {
            match verdict.confirmed {
                Some(output) => self.ledger.confirm(verdict.number, output),
                None => {
                    self.ledger.distrust(&verdict.worker, verdict.number);
                    let reason = format!("its result of item {} is wrong: it was found again", verdict.number);
                    invalid.push((verdict.worker, reason));
                }
            }
        }
        invalid
    }
}
