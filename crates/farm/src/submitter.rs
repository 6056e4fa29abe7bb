//! The farm as an executor: submits a job in chunks and collects the results.
//!
//! The results on the server are the state of a campaign. A command that was killed and is started again reads them,
//! empties the queue of what it had submitted, and submits what is missing. Nothing depends on a message not being
//! lost: chunks that are neither in the queue nor among the results are submitted again.

use std::collections::VecDeque;
use std::ops::Range;
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::jetstream::kv;
use control::Stop;
use futures_util::StreamExt;
use futures_util::future::join_all;
use jobs::{AnyJob, ContentId, Definition, Executor, InvalidJob, JobError, ResultOrder, Take};
use tokio::runtime::Runtime;

use crate::connection::{Context, FarmAddress, FarmError, Notify, Role, Server, back_off, is_set, pause, runtime};
use crate::ledger::{Aside, Chunk};
use crate::message::{JobMessage, MAX_BYTES};
use crate::names;
use crate::pace::Pace;
use crate::receiving::{Receipt, Receiving};
use crate::results::{Arrived, ResultReader};
use crate::spot_check::SpotCheck;
use crate::state::{
    AsideEntry, CampaignState, Decision, Entry, Phase, WorkerState, host_name, is_running, unix_seconds,
};

/// Default time after which the chunk of a silent worker is given to another one.
pub(crate) const DEFAULT_SILENCE: Duration = Duration::from_secs(20);

/// Settings of a farm.
#[derive(Clone, Debug)]
pub struct FarmSettings {
    /// The version of this program: only workers of the same version do its jobs.
    pub version: String,
    /// The time after which the chunk of a silent worker is given to another one.
    pub silence: Duration,
    /// The number of items of every chunk; by default, as many as take about ten seconds.
    pub chunk: Option<u64>,
}

impl FarmSettings {
    /// Default settings for this version.
    pub fn new(version: &str) -> Self {
        Self { version: version.to_owned(), silence: DEFAULT_SILENCE, chunk: None }
    }
}

/// A farm that carries out jobs.
pub struct Farm {
    runtime: Runtime,
    server: Server,
    settings: FarmSettings,
    notify: Box<Notify>,
}

impl std::fmt::Debug for Farm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Farm").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Interval at which the state is written and decisions are read.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// Time after which a campaign whose command has written nothing may be taken over.
pub(crate) const ABANDONED_AFTER: Duration = Duration::from_secs(6);
/// Interval at which the workers are counted; while there are none, they are counted at every heartbeat.
const COUNT_PERIOD: Duration = Duration::from_secs(5);
/// Maximum number of threads of all workers together for which chunks are submitted at the same time.
const MAX_SLOTS: u64 = 1 << 16;
/// The time over which the rate is measured.
const RATE_PERIOD: Duration = Duration::from_secs(60);
/// Time that a command that ends waits for the server.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);
/// Interval at which the queue is compared with the chunks that should be in it.
const RECONCILIATION: Duration = Duration::from_secs(3);
/// Time that a command that begins waits for an unreachable server: a restart takes less.
const RESTART: Duration = Duration::from_secs(10);
/// Maximum wait for results before the other steps of a campaign are due.
const RESULT_WAIT: Duration = Duration::from_millis(200);
/// Time after which a farm without workers is reported.
const NO_WORKER_WARNING: Duration = Duration::from_secs(5);
/// Time after which an unreachable server is reported: a restart takes less.
const SERVER_WARNING: Duration = Duration::from_secs(5);

impl Farm {
    /// Connects to a server and creates there what is missing, unless it is stopped. `notify` receives messages
    /// for the user.
    pub fn connect(
        address: &FarmAddress,
        settings: FarmSettings,
        stop: &Stop,
        notify: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<Self, FarmError> {
        let runtime = runtime()?;
        let connected = runtime.block_on(persist(stop, &notify, async || {
            let client = address.connect(Role::Submitter, None).await;
            let client = client.map_err(|error| match error.is_final() {
                true => StepError::Job(JobError::Farm(error.0)),
                false => StepError::Away(error),
            })?;
            let server = Server::new(client);
            server.set_up().await?;
            server.set_up_consumer(&settings.version, settings.silence).await?;
            Ok(server)
        }));
        let server = connected.map_err(|error| FarmError(error.to_string()))?;
        Ok(Self { runtime, server, settings, notify: Box::new(notify) })
    }
}

impl Executor for Farm {
    fn execute(
        &self,
        job: &dyn AnyJob,
        numbers: Range<u64>,
        // Always by number: so the same files come out, however many workers there are.
        _: ResultOrder,
        stop: &Stop,
        take: &mut Take<'_>,
    ) -> Result<(), JobError> {
        if numbers.is_empty() || stop.is_set() {
            return Ok(());
        }
        let definition = job.definition().map_err(JobError::Definition)?;
        let definition = Definition { version: self.settings.version.clone(), ..definition };
        // Ends the thread of the spot checks, whatever happens here.
        let over = Stop::new();
        std::thread::scope(|scope| {
            let check = SpotCheck::start(scope, job, &over);
            let result = self.runtime.block_on(async {
                match Campaign::begin(self, job, &definition, numbers, check, stop).await? {
                    Some(campaign) => campaign.run(take).await,
                    None => Ok(()),
                }
            });
            over.set();
            result
        })
    }
}

struct Campaign<'c> {
    farm: &'c Farm,
    server: &'c Server,
    job: &'c dyn AnyJob,
    stop: &'c Stop,
    kind: String,
    task: ContentId,
    /// Makes the messages of this run different from those of earlier ones.
    run: String,
    receiving: Receiving<'c>,
    pace: Pace,
    states: kv::Store,
    revision: u64,
    began: Instant,
    began_at: u64,
    rate: Rate,
    is_paused: bool,
    /// Number of chunks that the workers of the farm can do at the same time, and the time of that count.
    slots: u64,
    counted: Option<Instant>,
    reader: ResultReader<'c>,
    /// The number of reconciliations in a row that found the queue empty.
    empty_queues: u32,
    /// Time at which results last arrived.
    last_result: Instant,
}

impl<'c> Campaign<'c> {
    /// Takes over the campaign of a job, or begins it; `None` if it was stopped.
    async fn begin(
        farm: &'c Farm,
        job: &'c dyn AnyJob,
        definition: &Definition,
        numbers: Range<u64>,
        check: Option<SpotCheck>,
        stop: &'c Stop,
    ) -> Result<Option<Self>, JobError> {
        let (server, notify) = (&farm.server, farm.notify.as_ref());
        let task = persist(stop, notify, async || Ok(server.store_definition(definition).await?)).await?;
        let mut campaign = Self {
            farm,
            server,
            job,
            stop,
            kind: definition.kind.clone(),
            task,
            run: server.client.new_inbox().rsplit('.').next().unwrap_or_default().to_owned(),
            receiving: Receiving::new(job, task, numbers, check),
            pace: Pace::new(farm.settings.chunk),
            states: persist(stop, notify, async || Ok(server.bucket(names::CAMPAIGNS).await?)).await?,
            revision: 0,
            began: Instant::now(),
            began_at: unix_seconds(),
            rate: Rate::default(),
            is_paused: false,
            slots: 0,
            counted: None,
            reader: ResultReader::new(server, &task),
            empty_queues: 0,
            last_result: Instant::now(),
        };
        if !persist(stop, notify, async || campaign.claim().await).await? {
            return Ok(None);
        }
        persist(stop, notify, async || Ok(campaign.purge_jobs().await?)).await?;
        campaign.read_decision().await?;
        campaign.read_aside().await;
        persist(stop, notify, async || campaign.read_earlier_results().await).await?;
        Ok(Some(campaign))
    }

    fn state(&self, phase: Phase) -> CampaignState {
        let done = self.receiving.ledger.done();
        CampaignState {
            kind: self.kind.clone(),
            version: self.farm.settings.version.clone(),
            host: host_name(),
            process: std::process::id(),
            run: self.run.clone(),
            first: self.receiving.ledger.numbers.start,
            end: self.receiving.ledger.numbers.end,
            done,
            open_chunks: self.receiving.ledger.open_chunks() as u64,
            aside: self.items_aside(),
            refused: self.receiving.ledger.refused.suspicious(),
            repeated: self.receiving.ledger.refused.repeated,
            items_per_second: self.rate.items_per_second(done),
            began: self.began_at,
            written: unix_seconds(),
            phase,
        }
    }

    fn key(&self) -> String {
        self.task.to_string()
    }

    fn items_aside(&self) -> u64 {
        self.receiving.ledger.aside().iter().map(|aside| aside.count).sum()
    }

    /// Makes this command the only one that runs the campaign. Returns whether it may go on.
    async fn claim(&mut self) -> Result<bool, StepError> {
        const ACTION: &str = "cannot begin a campaign";
        let state = serde_json::to_vec(&self.state(Phase::Running)).context(ACTION)?;
        let start = Instant::now();
        let mut seen = None;
        while !self.stop.is_set() {
            let Some(entry) = self.states.entry(self.key()).await.context(ACTION)? else {
                if let Ok(revision) = self.states.create(self.key(), state.clone().into()).await {
                    self.revision = revision;
                    return Ok(true);
                }
                continue;
            };
            let other = CampaignState::read(&self.key(), &entry.value);
            let is_left = entry.operation != kv::Operation::Put || other.as_ref().is_none_or(is_left);
            if is_left || seen == Some(entry.revision) && start.elapsed() > ABANDONED_AFTER {
                if let Ok(revision) = self.states.update(self.key(), state.clone().into(), entry.revision).await {
                    self.revision = revision;
                    return Ok(true);
                }
            } else if let (Some(before), Some(other)) = (seen, other)
                && before != entry.revision
            {
                let CampaignState { host, process, .. } = other;
                let sentence = format!("the same job is already running on this farm, by process {process} on {host}");
                return Err(StepError::Job(JobError::Farm(sentence)));
            }
            seen = Some(entry.revision);
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        Ok(false)
    }

    /// Removes from the queue what was submitted for this campaign.
    async fn purge_jobs(&self) -> Result<(), FarmError> {
        let stream = self.server.stream(names::JOBS_STREAM).await?;
        let subject = names::job_subject(&self.farm.settings.version, &self.task);
        stream.purge().filter(subject).await.map(drop).context("cannot empty the queue")
    }

    /// Reads the results that an earlier run of the same command left.
    async fn read_earlier_results(&mut self) -> Result<(), StepError> {
        while !self.reader.has_caught_up && !self.stop.is_set() {
            self.receive_messages(Duration::from_millis(50)).await?;
        }
        self.last_result = Instant::now();
        // Items done by earlier runs do not count for the current rate.
        self.rate.note(self.receiving.ledger.done());
        Ok(())
    }

    async fn run(mut self, take: &mut Take<'_>) -> Result<(), JobError> {
        let mut is_broken_off = false;
        let (mut last_heartbeat, mut last_reconciliation) = (None::<Instant>, Instant::now());
        let mut troubles = 0;
        let (mut is_away, mut away_since) = (false, Instant::now());
        let mut was_reported = false;
        let stop = self.stop;
        while !stop.is_set() && !is_broken_off {
            for (worker, reason) in self.receiving.apply_checks() {
                self.distrust(&worker, &reason).await;
            }
            while let Some((number, output)) = self.receiving.ledger.take() {
                if take(number, output).is_break() {
                    is_broken_off = true;
                    break;
                }
            }
            if is_broken_off || self.receiving.ledger.is_over() {
                break;
            }
            let step = async {
                if last_heartbeat.is_none_or(|last| last.elapsed() > HEARTBEAT) {
                    self.heartbeat().await?;
                    last_heartbeat = Some(Instant::now());
                    let lacks_workers = self.slots == 0 && self.began.elapsed() > NO_WORKER_WARNING;
                    if lacks_workers && !was_reported {
                        let version = &self.farm.settings.version;
                        (self.farm.notify)(&format!(
                            "no worker of version {version} on the farm; waiting for `emilia worker` to be started"
                        ));
                    }
                    was_reported = lacks_workers;
                }
                if !self.is_paused {
                    self.submit().await?;
                }
                if last_reconciliation.elapsed() > RECONCILIATION {
                    last_reconciliation = Instant::now();
                    self.reconcile().await?;
                }
                self.receive_messages(RESULT_WAIT).await
            };
            let step = tokio::select! {
                done = step => done,
                // Requests that the server does not answer are abandoned.
                () = is_set(stop) => break,
            };
            match step {
                Ok(()) => {
                    if is_away {
                        (self.farm.notify)("the server is back");
                    }
                    (troubles, is_away, away_since) = (0, false, Instant::now());
                }
                Err(StepError::Job(error)) => {
                    self.end(Phase::Interrupted).await;
                    return Err(error);
                }
                Err(StepError::Away(error)) => {
                    troubles += 1;
                    if !is_away && away_since.elapsed() > SERVER_WARNING {
                        is_away = true;
                        (self.farm.notify)(&format!("{error}; trying again until the server is back"));
                    }
                    pause(back_off(troubles), stop).await;
                }
            }
        }
        let is_over = self.receiving.ledger.is_over();
        match self.receiving.ledger.aside().first().cloned() {
            Some(Aside { reason, .. }) if is_over => {
                self.end(Phase::Incomplete).await;
                let count = self.items_aside();
                let items = if count == 1 { "1 item".to_owned() } else { format!("{count} items") };
                return Err(JobError::SetAside { items, reason });
            }
            _ if is_over || is_broken_off => self.clean_up().await,
            _ => self.end(Phase::Interrupted).await,
        }
        Ok(())
    }

    /// Writes the state, reads what was decided, counts the workers.
    async fn heartbeat(&mut self) -> Result<(), StepError> {
        self.read_decision().await.map_err(StepError::Job)?;
        self.read_aside().await;
        self.rate.note(self.receiving.ledger.done());
        let phase = if self.is_paused { Phase::Paused } else { Phase::Running };
        let state = serde_json::to_vec(&self.state(phase)).context(NO_ANSWER)?;
        self.revision = match self.states.update(self.key(), state.into(), self.revision).await {
            Ok(revision) => revision,
            Err(_) => {
                // Another command took this one for dead, or the server was restored.
                let entry = self.states.entry(self.key()).await.context(NO_ANSWER)?;
                let other = entry.as_ref().and_then(|entry| CampaignState::read(&self.key(), &entry.value));
                match (entry, other) {
                    (_, Some(CampaignState { host, process, run, .. })) if run != self.run => {
                        let sentence = format!("process {process} on {host} has taken over this job");
                        return Err(StepError::Job(JobError::Farm(sentence)));
                    }
                    // Either our own entry, of which only the answer was lost, or an invalid one, which is overwritten.
                    (Some(entry), _) if entry.operation == kv::Operation::Put => entry.revision,
                    // It was cancelled while this command was disconnected.
                    _ => return Err(StepError::Job(JobError::Cancelled)),
                }
            }
        };
        if self.slots == 0 || self.counted.is_none_or(|counted| counted.elapsed() > COUNT_PERIOD) {
            self.count_slots().await?;
            self.counted = Some(Instant::now());
        }
        Ok(())
    }

    /// Distrusts the workers that any command of the farm has set aside.
    async fn read_aside(&mut self) {
        // If the server is unreachable, the next heartbeat tries again.
        let Ok(bucket) = self.server.bucket(names::ASIDE).await else { return };
        for (_, entry) in self.server.entries::<AsideEntry>(&bucket).await.unwrap_or_default() {
            if let AsideEntry::Worker { worker, .. } = entry {
                self.receiving.ledger.distrust_from_now_on(&worker);
            }
        }
    }

    async fn count_slots(&mut self) -> Result<(), StepError> {
        let bucket = self.server.bucket(names::WORKERS).await?;
        let workers = self.server.entries::<WorkerState>(&bucket).await?;
        let own = workers.iter().filter(|(_, worker)| worker.version == self.farm.settings.version);
        let threads = own.map(|(_, worker)| u64::from(worker.threads));
        let (workers, slots) = threads.fold((0, 0), |(workers, slots), threads| (workers + 1, slots + threads));
        (self.receiving.workers, self.slots) = (workers, slots.min(MAX_SLOTS));
        Ok(())
    }

    /// Reads whether the campaign is paused or cancelled.
    async fn read_decision(&mut self) -> Result<(), JobError> {
        let key = decision_key(&self.task);
        // If the server is unreachable, the next heartbeat tries again.
        let Ok(entry) = self.states.get(key.as_str()).await else { return Ok(()) };
        let decision = entry.and_then(|bytes| serde_json::from_slice::<Decision>(&bytes).ok());
        match decision {
            Some(Decision::Cancel) => {
                self.clean_up().await;
                return Err(JobError::Cancelled);
            }
            Some(Decision::Pause) if !self.is_paused => {
                self.is_paused = true;
                let _ = self.purge_jobs().await;
                // The chunks are submitted again when the campaign is resumed.
                self.receiving.ledger.reopen();
            }
            None if self.is_paused => self.is_paused = false,
            _ => {}
        }
        Ok(())
    }

    /// Submits chunks until every worker has one waiting.
    async fn submit(&mut self) -> Result<(), StepError> {
        let max_open = (2 * self.slots).max(4) as usize;
        let mut chunks = Vec::new();
        while self.receiving.ledger.open_chunks() < max_open {
            let size = self.pace.size(self.receiving.ledger.left(), self.slots);
            let Some(chunk) = self.receiving.ledger.next_chunk(size) else { break };
            chunks.push(chunk);
        }
        let mut sent = Vec::new();
        let mut outcome = Ok(());
        for chunk in chunks {
            if outcome.is_err() {
                self.receiving.ledger.give_back(chunk);
                continue;
            }
            let Some((id, bytes)) = self.message(chunk).map_err(StepError::Job)? else {
                self.receiving.ledger.split(chunk);
                continue;
            };
            let mut headers = HeaderMap::new();
            headers.insert("Nats-Msg-Id", id);
            let subject = names::job_subject(&self.farm.settings.version, &self.task);
            match self.server.jetstream.publish_with_headers(subject, headers, bytes.into()).await.context(NO_ANSWER) {
                Ok(answer) => sent.push(async move { (chunk, answer.await.context(NO_ANSWER)) }),
                Err(error) => {
                    self.receiving.ledger.give_back(chunk);
                    outcome = Err(error);
                }
            }
        }
        for (chunk, answer) in join_all(sent).await {
            if let Err(error) = answer {
                // Published again under the same identity: it counts once even if it had arrived.
                self.receiving.ledger.give_back(chunk);
                outcome = Err(error);
            }
        }
        Ok(outcome?)
    }

    /// The message of a chunk and its identity; `None` if it is too long, so that two chunks are needed.
    fn message(&self, chunk: Chunk) -> Result<Option<(String, Vec<u8>)>, JobError> {
        let Chunk { first, count, attempt } = chunk;
        let inputs: Result<Vec<_>, InvalidJob> = (first..first + count).map(|number| self.job.input(number)).collect();
        let mut inputs = inputs.map_err(JobError::Definition)?;
        if inputs.iter().all(serde_json::Value::is_null) {
            inputs.clear();
        }
        let (version, run) = (self.farm.settings.version.clone(), self.run.clone());
        let message = JobMessage { version, task: self.task, run, first, count, attempt, inputs };
        let bytes = serde_json::to_vec(&message).map_err(|error| JobError::Definition(error.into()))?;
        if bytes.len() <= MAX_BYTES * 9 / 10 {
            return Ok(Some((message.id(), bytes)));
        }
        if count == 1 {
            return Err(JobError::Definition(format!("item {first} has {} bytes", bytes.len()).into()));
        }
        Ok(None)
    }

    /// Compares the queue with what should be in it: chunks that it has lost are submitted again.
    async fn reconcile(&mut self) -> Result<(), StepError> {
        if self.receiving.ledger.open_chunks() == 0 || self.is_paused || self.last_result.elapsed() < RECONCILIATION {
            self.empty_queues = 0;
            return Ok(());
        }
        let stream = self.server.stream(names::JOBS_STREAM).await?;
        let subject = names::job_subject(&self.farm.settings.version, &self.task);
        let mut subjects = stream.info_with_subjects(&subject).await.context(NO_ANSWER)?;
        let mut waiting = 0;
        while let Some(found) = subjects.next().await {
            waiting += found.context(NO_ANSWER)?.1;
        }
        if waiting > 0 {
            self.empty_queues = 0;
            return Ok(());
        }
        // Results are published before their chunks leave the queue, so they would have been read by now.
        self.empty_queues += 1;
        self.reader.renew();
        if self.empty_queues > 1 {
            self.empty_queues = 0;
            self.receiving.ledger.reopen();
        }
        Ok(())
    }

    /// Applies the messages from workers that have arrived; waits for the first one at most this long.
    async fn receive_messages(&mut self, wait: Duration) -> Result<(), StepError> {
        for Arrived { from, bytes } in self.reader.read(wait).await? {
            match self.receiving.receive(&from, &bytes) {
                Receipt::Refused | Receipt::Recorded => {}
                Receipt::Results { items, seconds } => {
                    self.pace.measured(items, seconds, bytes.len());
                    self.last_result = Instant::now();
                }
                Receipt::SetAside(Aside { first, count, reason }) => {
                    let (task, kind) = (self.key(), self.kind.clone());
                    self.write_aside(&AsideEntry::Chunk { task, kind, first, count, reason }).await;
                }
                Receipt::InvalidResult(reason) => self.distrust(&from, &reason).await,
            }
        }
        Ok(())
    }

    async fn distrust(&self, worker: &str, reason: &str) {
        (self.farm.notify)(&format!("worker {worker} was set aside: {reason}"));
        self.write_aside(&AsideEntry::Worker { worker: worker.to_owned(), reason: reason.to_owned() }).await;
    }

    async fn write_aside(&self, entry: &AsideEntry) {
        // The list is only shown: failing to write it does no harm.
        if let (Ok(bucket), Ok(bytes)) = (self.server.bucket(names::ASIDE).await, serde_json::to_vec(entry)) {
            let _ = bucket.put(entry.key(), bytes.into()).await;
        }
    }

    /// Leaves the campaign as it is, so that the same command can continue it.
    async fn end(&mut self, phase: Phase) {
        let ending = async {
            let _ = self.purge_jobs().await;
            if let Ok(state) = serde_json::to_vec(&self.state(phase)) {
                let _ = self.states.update(self.key(), state.into(), self.revision).await;
            }
        };
        let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, ending).await;
    }

    async fn clean_up(&mut self) {
        let cleaning = async {
            let _ = self.server.client.publish(names::CONTROL, self.key().into()).await;
            self.server.forget(&self.farm.settings.version, &self.task).await;
        };
        let _ = tokio::time::timeout(2 * SHUTDOWN_TIMEOUT, cleaning).await;
    }
}

impl Server {
    /// Removes the chunks, the results, the definition and the state of a campaign, as far as the server answers: the
    /// rest expires.
    pub(crate) async fn forget(&self, version: &str, task: &ContentId) {
        if let Ok(stream) = self.stream(names::JOBS_STREAM).await {
            let _ = stream.purge().filter(names::job_subject(version, task)).await;
        }
        if let Ok(stream) = self.stream(names::RESULTS_STREAM).await {
            let _ = stream.purge().filter(names::results_of(task)).await;
        }
        if let Ok(files) = self.files().await {
            let _ = files.delete(task.to_string()).await;
        }
        if let Ok(states) = self.bucket(names::CAMPAIGNS).await {
            let _ = states.purge(decision_key(task)).await;
            let _ = states.purge(task.to_string()).await;
        }
        // Chunks of this job that were set aside are no longer of interest.
        if let Ok(bucket) = self.bucket(names::ASIDE).await {
            for (key, entry) in self.entries::<AsideEntry>(&bucket).await.unwrap_or_default() {
                if matches!(entry, AsideEntry::Chunk { task: of, .. } if of == task.to_string()) {
                    let _ = bucket.purge(key).await;
                }
            }
        }
    }
}

pub(crate) fn decision_key(task: &ContentId) -> String {
    format!("decision.{task}")
}

/// Whether the command of a campaign has left it, or died on this machine.
fn is_left(state: &CampaignState) -> bool {
    let is_dead = is_running(&state.host, state.process) == Some(false);
    is_dead || matches!(state.phase, Phase::Interrupted | Phase::Incomplete)
}

/// Recent number of items done per second.
#[derive(Debug, Default)]
struct Rate(VecDeque<(Instant, u64)>);

impl Rate {
    /// Records the number of items that are done now.
    fn note(&mut self, done: u64) {
        self.0.push_back((Instant::now(), done));
        while self.0.len() > 2 && self.0[1].0.elapsed() > RATE_PERIOD {
            self.0.pop_front();
        }
    }

    /// The items per second since the oldest note.
    fn items_per_second(&self, done: u64) -> f64 {
        let Some((since, before)) = self.0.front() else { return 0.0 };
        done.saturating_sub(*before) as f64 / since.elapsed().as_secs_f64().max(1e-3)
    }
}

/// Message for a request without an answer.
const NO_ANSWER: &str = "the farm does not answer";

/// Failure of a step: permanent, or until the server is back.
enum StepError {
    Job(JobError),
    Away(FarmError),
}

impl From<FarmError> for StepError {
    fn from(error: FarmError) -> Self {
        Self::Away(error)
    }
}

/// Tries again for a while if the server is unreachable.
async fn persist<T>(
    stop: &Stop,
    notify: &Notify,
    mut attempt: impl AsyncFnMut() -> Result<T, StepError>,
) -> Result<T, JobError> {
    let start = Instant::now();
    let mut was_reported = false;
    loop {
        let tried = tokio::select! {
            tried = attempt() => tried,
            () = is_set(stop) => return Err(JobError::Farm("interrupted before the farm answered".to_owned())),
        };
        match tried {
            Ok(value) => return Ok(value),
            Err(StepError::Away(error)) if start.elapsed() < RESTART => {
                // A restart of the server takes less than a second.
                if !was_reported && start.elapsed() > Duration::from_secs(1) {
                    was_reported = true;
                    notify(&format!("{error}; trying again for {} s", RESTART.as_secs()));
                }
                tokio::time::sleep(back_off(1)).await;
            }
            Err(StepError::Away(error)) => return Err(JobError::Farm(error.0)),
            Err(StepError::Job(error)) => return Err(error),
        }
    }
}
