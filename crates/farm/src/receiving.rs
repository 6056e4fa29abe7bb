//! Judgement of messages from workers, without a server.

use std::ops::Range;

use jobs::{AnyJob, AnyOutput, ContentId};

use crate::ledger::{Aside, Ledger};
use crate::message::{ChunkOutcome, ResultMessage, inputs_id};
use crate::spot_check::SpotCheck;

/// Effect of a message.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Receipt {
    /// It was refused, and counted.
    Refused,
    Recorded,
    /// Results of this many items, which took this many seconds.
    Results {
        items: u64,
        seconds: f64,
    },
    /// A chunk was set aside.
    SetAside(Aside),
    /// The worker sent an invalid result, for this reason.
    InvalidResult(String),
}

/// Receives the results of a campaign.
pub(crate) struct Receiving<'c> {
    job: &'c dyn AnyJob,
    task: ContentId,
    pub(crate) ledger: Ledger<AnyOutput>,
    check: Option<SpotCheck>,
    /// The number of workers on the farm.
    pub(crate) workers: usize,
}

impl<'c> Receiving<'c> {
    pub(crate) fn new(job: &'c dyn AnyJob, task: ContentId, numbers: Range<u64>, check: Option<SpotCheck>) -> Self {
        Self { job, task, ledger: Ledger::new(numbers), check, workers: 0 }
    }

    /// Judges a message that was sent under the name `from`, which is part of the subject: the permissions of the
    /// server decide which clients may use a name.
    pub(crate) fn receive(&mut self, from: &str, bytes: &[u8]) -> Receipt {
        let Ok(ResultMessage { task, worker, first, attempt, outcome }) = ResultMessage::read(bytes) else {
            self.ledger.refused.malformed += 1;
            return Receipt::Refused;
        };
        let items = match &outcome {
            ChunkOutcome::Done { outputs, .. } => outputs.len() as u64,
            ChunkOutcome::Failed { count, .. } => *count,
        };
        if worker == from && self.ledger.is_distrusted(from) {
            // The chunk that it took has left the queue: other workers do it.
            self.ledger.reopen_some(first, items);
            self.ledger.refused.distrusted += 1;
            return Receipt::Refused;
        }
        match outcome {
            _ if worker != from || task != self.task => {}
            ChunkOutcome::Failed { reason, .. } => {
                let aside = self.ledger.fail(first, attempt, from, self.workers, &reason);
                return aside.map_or(Receipt::Recorded, Receipt::SetAside);
            }
            // The results belong to an earlier run of the same job, and are known.
            ChunkOutcome::Done { .. } if first.saturating_add(items) <= self.ledger.numbers.start => {
                self.ledger.refused.repeated += items;
                return Receipt::Refused;
            }
            // With different inputs, the results belong to a job of another client.
            ChunkOutcome::Done { outputs, inputs, seconds }
                if self.ledger.overlaps(first, items) && self.has_inputs(first, items, inputs) =>
            {
                return match self.receive_outputs(from, first, outputs) {
                    Ok(()) => Receipt::Results { items, seconds },
                    Err((number, reason)) => {
                        self.ledger.distrust(from, number);
                        Receipt::InvalidResult(reason)
                    }
                };
            }
            ChunkOutcome::Done { .. } => {}
        }
        self.ledger.refused.foreign += 1;
        Receipt::Refused
    }

    /// Whether these are the inputs of these items.
    fn has_inputs(&self, first: u64, count: u64, inputs: u64) -> bool {
        // Items of a longer run of the same job may not exist here.
        let range = first.max(self.ledger.numbers.start)..(first + count).min(self.ledger.numbers.end);
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
                self.ledger.refused.repeated += u64::from(self.ledger.numbers.contains(&number));
                continue;
            }
            let output = self.job.output(number, data);
            let output = output.map_err(|error| (number, format!("its result of item {number} is wrong: {error}")))?;
            // A result that is spot-checked is accepted later, in `apply_checks`.
            let output = match self.check.as_mut().filter(|check| check.chooses(number)) {
                Some(check) => check.submit(number, worker, output),
                None => Some(output),
            };
            self.ledger.accept(number, worker, output);
        }
        self.ledger.close(first, count);
        Ok(())
    }

    /// Applies the verdicts of the spot checks; returns the workers with invalid results, and the reasons.
    pub(crate) fn apply_checks(&mut self) -> Vec<(String, String)> {
        let mut invalid = Vec::new();
        for verdict in self.check.as_mut().map(SpotCheck::verdicts).unwrap_or_default() {
            match verdict.confirmed {
                Some(output) => self.ledger.confirm(verdict.number, output),
                None => {
                    self.ledger.distrust(&verdict.worker, verdict.number);
                    let reason = format!(
                        "its result of item {} is wrong: a second computation gave another one",
                        verdict.number
                    );
                    invalid.push((verdict.worker, reason));
                }
            }
        }
        invalid
    }
}
