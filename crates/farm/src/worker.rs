//! A worker: takes chunks of jobs and does them until it is stopped.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{Consumer, PullConsumer, pull};
use async_nats::jetstream::{AckKind, Message};
use control::{Stop, lock};
use futures_util::StreamExt;
use jobs::{ContentId, Definition, JobKinds, KnownWork, LocalFiles, RemoteWork};
use serde_json::Value;

use crate::connection::{FarmAddress, FarmError, Notify, Role, Server, WORKER_AGE, back_off};
use crate::files::{FetchError, KeptFiles};
use crate::message::{ChunkOutcome, JobMessage, MAX_BYTES, ResultMessage, inputs_id};
use crate::names;
use crate::state::{AsideEntry, CampaignState, Entry, WorkerState, host_name, unix_seconds};
use crate::submitter::DEFAULT_SILENCE;

/// Settings of a worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkerSettings {
    /// The server.
    pub address: FarmAddress,
    /// The name of the worker; a new one by default.
    pub name: Option<String>,
    /// The number of chunks that are done at the same time, each by one thread.
    pub threads: usize,
    /// Folder of the files that are kept.
    pub folder: PathBuf,
}

/// Time that a request for a chunk waits at the server.
const REQUEST_WAIT: Duration = Duration::from_secs(10);
/// Number of failed attempts before a warning: three seconds.
const ATTEMPTS_BEFORE_WARNING: usize = 5;
/// Interval at which the stop flag is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Number of deliveries without an answer after which a chunk is reported as failed: it may end its workers.
const MAX_DELIVERIES: i64 = 10;
/// The results of a chunk are sent in messages of about this length.
const PART_BYTES: usize = MAX_BYTES / 2;
/// The number of jobs whose definitions and weights stay in memory.
const MAX_PREPARED: usize = 4;
/// Interval at which the farm is searched for jobs of other versions.
const VERSION_PERIOD: Duration = Duration::from_secs(30);

/// Takes chunks and does them until the flag is set; then hands back those that are not done.
///
/// Returns an error if the address or the credentials are refused, or if the worker was set aside.
pub fn run(settings: &WorkerSettings, kinds: JobKinds, stop: &Stop, notify: Arc<Notify>) -> Result<(), FarmError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(|error| FarmError::new("cannot start the threads of the connection", &error))?;
    let kept = KeptFiles::new(settings.folder.clone());
    let folder = settings.folder.display();
    let kept = kept.map_err(|error| FarmError::new(&format!("cannot use the folder {folder}"), &error))?;
    let result = runtime.block_on(work(settings, kinds, kept, stop.clone(), notify));
    // Chunks that do not look at their flag are not waited for.
    runtime.shutdown_timeout(Duration::from_millis(500));
    result
}

/// Counts of what a worker has done.
#[derive(Debug, Default)]
struct Counts {
    busy: AtomicU32,
    chunks: AtomicU64,
    items: AtomicU64,
    failures: AtomicU64,
    refused: AtomicU64,
}

/// State shared by all threads of a worker.
struct Shared {
    server: Server,
    kinds: JobKinds,
    name: String,
    threads: usize,
    kept: KeptFiles,
    counts: Counts,
    began: Instant,
    began_at: u64,
    stop: Stop,
    notify: Arc<Notify>,
    /// The jobs that are ready to be done, the latest one last.
    prepared: tokio::sync::Mutex<Vec<(ContentId, Arc<KnownWork>)>>,
    /// The flags of the chunks in progress.
    running: Mutex<HashMap<u64, (ContentId, Stop)>>,
    next_chunk: AtomicU64,
    /// The chunks that have failed since the last one that did not.
    failures_in_a_row: AtomicU32,
    /// Last warning.
    last_warning: Mutex<String>,
}

async fn work(
    settings: &WorkerSettings,
    kinds: JobKinds,
    kept: KeptFiles,
    stop: Stop,
    notify: Arc<Notify>,
) -> Result<(), FarmError> {
    settings.address.server()?;
    let Some(server) = connect(settings, &stop, &notify).await? else { return Ok(()) };
    let inbox = server.client.new_inbox();
    let unique = inbox.rsplit('.').next().unwrap_or_default();
    let default = format!("{}-{}-{unique}", host_name(), std::process::id());
    let shared = Arc::new(Shared {
        name: names::token(settings.name.as_deref().unwrap_or(&default)),
        server,
        kinds,
        threads: settings.threads.max(1),
        kept,
        counts: Counts::default(),
        began: Instant::now(),
        began_at: unix_seconds(),
        stop: stop.clone(),
        notify,
        prepared: tokio::sync::Mutex::default(),
        running: Mutex::default(),
        next_chunk: AtomicU64::new(0),
        failures_in_a_row: AtomicU32::new(0),
        last_warning: Mutex::default(),
    });
    shared.begin().await?;
    let mut slots = Vec::new();
    for _ in 0..shared.threads {
        slots.push(tokio::spawn(slot(Arc::clone(&shared))));
    }
    let control = tokio::spawn(listen(Arc::clone(&shared)));
    let heartbeat = tokio::spawn(heartbeats(Arc::clone(&shared)));
    while !stop.is_set() && !heartbeat.is_finished() {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    stop.set();
    shared.stop_chunks(None);
    for slot in slots {
        let _ = slot.await;
    }
    control.abort();
    let result = if heartbeat.is_finished() { heartbeat.await.unwrap_or(Ok(())) } else { Ok(()) };
    shared.deregister().await;
    result
}

/// Connects; tries again while the server is unreachable. `None` if it was stopped.
async fn connect(settings: &WorkerSettings, stop: &Stop, notify: &Arc<Notify>) -> Result<Option<Server>, FarmError> {
    let mut attempt = 0;
    while !stop.is_set() {
        let connected = async {
            Server::reach(settings.address.connect_and_report(Role::Worker, Some(Arc::clone(notify))).await?).await
        };
        let error = match connected.await {
            Ok(server) => {
                notify(&format!("connected to {}", settings.address.shown()));
                return Ok(Some(server));
            }
            Err(error) => error,
        };
        if error.is_final() {
            return Err(error);
        }
        if attempt == 0 {
            notify(&format!("{error}; trying again until the server is there"));
        }
        pause(back_off(attempt), stop).await;
        attempt += 1;
    }
    Ok(None)
}

/// Whether a worker runs on this machine; false for workers of other machines.
fn is_alive(worker: &WorkerState) -> bool {
    cfg!(target_os = "linux")
        && worker.host == host_name()
        && Path::new("/proc").join(worker.process.to_string()).exists()
}

/// Waits, unless the flag is set.
async fn pause(time: Duration, stop: &Stop) {
    let end = Instant::now() + time;
    while Instant::now() < end && !stop.is_set() {
        tokio::time::sleep(POLL_INTERVAL.min(time)).await;
    }
}

/// Takes one chunk after the other.
async fn slot(shared: Arc<Shared>) {
    let mut consumer: Option<PullConsumer> = None;
    let mut attempt = 0;
    while !shared.stop.is_set() {
        let took = async {
            let consumer = match &consumer {
                Some(consumer) => consumer,
                None => consumer.insert(shared.consumer().await?),
            };
            shared.take_one(consumer).await
        };
        match took.await {
            Ok(()) => {
                attempt = 0;
                // After a failure, other workers get the chance to take the chunk: the problem may be this machine.
                let failures = shared.failures_in_a_row.load(Relaxed);
                if failures > 0 {
                    pause(back_off(failures.min(4) as usize), &shared.stop).await;
                }
            }
            Err(error) => {
                consumer = None;
                if attempt == ATTEMPTS_BEFORE_WARNING {
                    shared.warn(&format!("{error}; trying again"));
                }
                pause(back_off(attempt), &shared.stop).await;
                attempt += 1;
            }
        }
    }
}

/// Receives the names of campaigns that have ended, and stops their chunks.
async fn listen(shared: Arc<Shared>) {
    while let Ok(mut messages) = shared.server.client.subscribe(names::CONTROL).await {
        while let Some(message) = messages.next().await {
            let task = std::str::from_utf8(&message.payload).ok().and_then(|text| text.parse().ok());
            if let Some(task) = task {
                shared.stop_chunks(Some(task));
            }
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Reports regularly that this worker is running; ends with an error if it was set aside.
async fn heartbeats(shared: Arc<Shared>) -> Result<(), FarmError> {
    let mut last_look: Option<Instant> = None;
    let mut reported = Vec::new();
    while !shared.stop.is_set() {
        let state = serde_json::to_vec(&shared.state()).unwrap_or_default();
        if let Ok(bucket) = shared.server.bucket(names::WORKERS).await {
            let _ = bucket.put(&shared.name, state.into()).await;
        }
        if let Ok(bucket) = shared.server.bucket(names::ASIDE).await
            && let key = AsideEntry::worker_key(&shared.name)
            && let Ok(Some(bytes)) = bucket.get(&key).await
            && let Some(AsideEntry::Worker { reason, .. }) = AsideEntry::read(&key, &bytes)
        {
            return Err(FarmError(format!("this worker ({}) was set aside: {reason}", shared.name)));
        }
        if last_look.is_none_or(|last| last.elapsed() > VERSION_PERIOD) {
            last_look = Some(Instant::now());
            shared.report_other_versions(&mut reported).await;
        }
        pause(WORKER_AGE / 4, &shared.stop).await;
    }
    Ok(())
}

impl Shared {
    /// Creates streams and buckets that do not exist yet, if that is allowed, and refuses a name that is taken.
    async fn begin(&self) -> Result<(), FarmError> {
        if self.server.jetstream.get_stream(names::JOBS_STREAM).await.is_err() {
            // A worker that may not create anything waits for the first job; the refusal is not waited for.
            let (server, version) = (self.server.clone(), self.kinds.version.clone());
            tokio::spawn(async move {
                if server.set_up().await.is_ok() {
                    let _ = server.set_up_consumer(&version, DEFAULT_SILENCE).await;
                }
            });
            return Ok(());
        }
        let Ok(bucket) = self.server.bucket(names::WORKERS).await else { return Ok(()) };
        let other = bucket.get(&self.name).await.ok().flatten();
        let other = other.and_then(|bytes| WorkerState::read(&self.name, &bytes));
        match other {
            // A worker that was killed is listed for a while.
            Some(other) if other.process != std::process::id() && is_alive(&other) => Err(FarmError(format!(
                "the name {} is taken by process {} on {}; give this worker another one",
                self.name, other.process, other.host
            ))),
            _ => Ok(()),
        }
    }

    /// Reports a problem, unless the last report was the same.
    fn warn(&self, sentence: &str) {
        let mut last = lock(&self.last_warning);
        if *last != sentence {
            (self.notify)(sentence);
            sentence.clone_into(&mut last);
        }
    }

    fn state(&self) -> WorkerState {
        let Counts { busy, chunks, items, failures, refused } = &self.counts;
        let items = items.load(Relaxed);
        WorkerState {
            host: host_name(),
            process: std::process::id(),
            version: self.kinds.version.clone(),
            threads: self.threads as u32,
            busy: busy.load(Relaxed),
            chunks: chunks.load(Relaxed),
            items,
            failures: failures.load(Relaxed),
            refused: refused.load(Relaxed),
            items_per_second: items as f64 / self.began.elapsed().as_secs_f64().max(1e-3),
            began: self.began_at,
        }
    }

    async fn deregister(&self) {
        let goodbye = async {
            if let Ok(bucket) = self.server.bucket(names::WORKERS).await {
                let _ = bucket.delete(&self.name).await;
            }
            let _ = self.server.client.flush().await;
        };
        let _ = tokio::time::timeout(Duration::from_secs(2), goodbye).await;
    }

    /// Reports campaigns for other versions of the program.
    async fn report_other_versions(&self, reported: &mut Vec<String>) {
        let Ok(bucket) = self.server.bucket(names::CAMPAIGNS).await else { return };
        for (key, CampaignState { kind, version, .. }) in self.server.entries(&bucket).await.unwrap_or_default() {
            if version != self.kinds.version && !reported.contains(&version) {
                (self.notify)(&format!(
                    "refused: the job {} ({kind}) is for version {version} of Emilia; this worker is version {} and \
                     takes only jobs of its own version",
                    key.get(..12).unwrap_or(&key),
                    self.kinds.version
                ));
                reported.push(version);
            }
        }
    }

    /// The consumer that the workers of this version share.
    async fn consumer(&self) -> Result<PullConsumer, FarmError> {
        let name = names::consumer(&self.kinds.version);
        let found: Result<Consumer<pull::Config>, _> =
            self.server.jetstream.get_consumer_from_stream(name, names::JOBS_STREAM).await;
        found.map_err(|error| FarmError::new("there are no jobs for this version", &error))
    }

    /// Waits for a chunk and does it.
    async fn take_one(&self, consumer: &PullConsumer) -> Result<(), FarmError> {
        let broken = |error: &dyn std::error::Error| FarmError::new("cannot take a chunk", error);
        let request = consumer.batch().max_messages(1).expires(REQUEST_WAIT).messages();
        let mut messages = request.await.map_err(|error| broken(&error))?;
        let end = Instant::now() + REQUEST_WAIT + Duration::from_secs(5);
        let message = loop {
            if self.stop.is_set() {
                return Ok(());
            }
            if Instant::now() > end {
                return Err(FarmError("the farm does not answer".to_owned()));
            }
            match tokio::time::timeout(POLL_INTERVAL, messages.next()).await {
                Ok(Some(message)) => break message.map_err(|error| FarmError(error.to_string()))?,
                Ok(None) => return Ok(()),
                Err(_) => {}
            }
        };
        self.counts.busy.fetch_add(1, Relaxed);
        let handled = self.handle(&message, consumer.cached_info().config.ack_wait).await;
        self.counts.busy.fetch_sub(1, Relaxed);
        handled
    }

    /// Does a chunk: its results are on the server before it leaves the queue.
    async fn handle(&self, message: &Message, silence: Duration) -> Result<(), FarmError> {
        let job = match JobMessage::read(&message.payload) {
            Ok(job) if job.version == self.kinds.version => job,
            Ok(JobMessage { version, .. }) => {
                let own = &self.kinds.version;
                return self
                    .refuse(message, &format!("a chunk is for version {version} of Emilia; this is version {own}"))
                    .await;
            }
            Err(error) => return self.refuse(message, &error.to_string()).await,
        };
        let deliveries = message.info().map_or(1, |info| info.delivered);
        let key = self.next_chunk.fetch_add(1, Relaxed);
        let stop = Stop::new();
        if let Ok(mut running) = self.running.lock() {
            running.insert(key, (job.task, stop.clone()));
        }
        if self.stop.is_set() {
            stop.set();
        }
        let done = if deliveries > MAX_DELIVERIES {
            Done::Failed(format!("{} workers took it and were not heard of again", deliveries - 1))
        } else {
            self.do_chunk(&job, message, silence, &stop).await
        };
        if let Ok(mut running) = self.running.lock() {
            running.remove(&key);
        }
        match done {
            Done::Parts(parts) => {
                let count = job.count;
                if !self.publish_parts(&job, parts).await {
                    return self.hand_back(message).await;
                }
                self.failures_in_a_row.store(0, Relaxed);
                self.counts.chunks.fetch_add(1, Relaxed);
                self.counts.items.fetch_add(count, Relaxed);
            }
            Done::Failed(reason) => {
                self.counts.failures.fetch_add(1, Relaxed);
                self.failures_in_a_row.fetch_add(1, Relaxed);
                (self.notify)(&format!("chunk {} of {} failed: {reason}", job.first, job.task.short()));
                let outcome = ChunkOutcome::Failed { count: job.count, reason };
                if !self.publish(&job, job.first, outcome).await {
                    return self.hand_back(message).await;
                }
            }
            Done::Stopped => return self.hand_back(message).await,
            // Other workers may be able to do it.
            Done::Here(reason) => {
                let _ = message.ack_with(AckKind::Nak(Some(Duration::from_secs(2)))).await;
                return Err(FarmError(reason));
            }
            Done::Away => {
                let _ = message.ack_with(AckKind::Nak(Some(Duration::from_secs(2)))).await;
                return Err(FarmError("the farm does not answer".to_owned()));
            }
        }
        // If this is lost, the chunk is done again, and its results count once.
        let _ = tokio::time::timeout(Duration::from_secs(5), message.double_ack()).await;
        Ok(())
    }

    async fn hand_back(&self, message: &Message) -> Result<(), FarmError> {
        let _ = message.ack_with(AckKind::Nak(None)).await;
        let _ = tokio::time::timeout(Duration::from_secs(1), self.server.client.flush()).await;
        Ok(())
    }

    /// Removes an unusable message from the queue.
    async fn refuse(&self, message: &Message, sentence: &str) -> Result<(), FarmError> {
        self.counts.refused.fetch_add(1, Relaxed);
        (self.notify)(&format!("refused a message: {sentence}"));
        let _ = message.ack_with(AckKind::Term).await;
        Ok(())
    }

    /// Does the items of a chunk in a thread; meanwhile reports to the server that it is in progress.
    async fn do_chunk(&self, job: &JobMessage, message: &Message, silence: Duration, stop: &Stop) -> Done {
        let preparing = self.prepare(job);
        let period = (silence / 4).max(Duration::from_millis(100));
        let work = match with_progress(preparing, message, period).await {
            Ok(work) => work,
            Err(FetchError::Refused(reason)) => return Done::Failed(reason),
            Err(FetchError::Here(reason)) => return Done::Here(reason),
            Err(FetchError::Away(_)) => return Done::Away,
        };
        let (job, stop) = (job.clone(), stop.clone());
        let doing = tokio::task::spawn_blocking(move || {
            let done = catch_unwind(AssertUnwindSafe(|| do_items(work.as_ref().as_ref(), &job, &stop)));
            done.unwrap_or_else(|panic| Done::Failed(format!("the worker panicked: {}", panic_text(panic.as_ref()))))
        });
        with_progress(doing, message, period).await.unwrap_or(Done::Stopped)
    }

    /// The work of a job, with its files fetched.
    async fn prepare(&self, job: &JobMessage) -> Result<Arc<KnownWork>, FetchError> {
        // One after the other: all threads want the same job, and its weights are fetched once.
        let mut prepared = self.prepared.lock().await;
        if let Some(index) = prepared.iter().position(|(task, _)| *task == job.task) {
            let found = prepared.remove(index);
            let work = Arc::clone(&found.1);
            prepared.push(found);
            return Ok(work);
        }
        let bytes = self.server.fetch(&job.task).await?;
        let definition: Definition = serde_json::from_slice(&bytes)
            .map_err(|error| FetchError::Refused(format!("the definition cannot be read: {error}")))?;
        let mut files = LocalFiles::default();
        for id in &definition.files {
            let path = match self.kept.find(id) {
                Some(path) => path,
                None => {
                    let bytes = self.server.fetch(id).await?;
                    self.kept.keep(id, &bytes).map_err(|error| FetchError::Here(error.0))?
                }
            };
            files.0.insert(*id, path);
        }
        // Loading weights takes a moment.
        let kinds = self.kinds.clone();
        let work = tokio::task::spawn_blocking(move || kinds.prepare(&definition, &files)).await;
        let work = work.map_err(|error| FetchError::Refused(format!("the job cannot be prepared: {error}")))?;
        let work = Arc::new(work.map_err(|error| FetchError::Refused(error.to_string()))?);
        prepared.push((job.task, Arc::clone(&work)));
        if prepared.len() > MAX_PREPARED {
            prepared.remove(0);
        }
        Ok(work)
    }

    async fn publish_parts(&self, job: &JobMessage, parts: Vec<Part>) -> bool {
        for Part { first, outputs, seconds } in parts {
            let asked: Vec<Value> = (first - job.first..).take(outputs.len()).map(|index| job.input(index)).collect();
            let inputs = inputs_id(&asked);
            if !self.publish(job, first, ChunkOutcome::Done { outputs, inputs, seconds }).await {
                return false;
            }
        }
        true
    }

    /// Publishes a result, and tries again while the server is unreachable. Returns whether the server has it.
    ///
    /// It has no message id: the server would drop it as a copy of a message that another client had sent under the same id.
    /// The ledger counts every item once.
    async fn publish(&self, job: &JobMessage, first: u64, outcome: ChunkOutcome) -> bool {
        let (task, worker, attempt) = (job.task, self.name.clone(), job.attempt);
        let message = ResultMessage { task, worker, first, attempt, outcome };
        let Ok(bytes) = serde_json::to_vec(&message) else { return false };
        let subject = names::result_subject(&job.task, &self.name);
        // When the worker is stopped, the server gets a few more chances.
        for attempt in 0.. {
            let publishing = self.server.jetstream.publish(subject.clone(), bytes.clone().into());
            if let Ok(answer) = publishing.await
                && answer.await.is_ok()
            {
                return true;
            }
            if self.stop.is_set() && attempt > 2 {
                break;
            }
            tokio::time::sleep(back_off(attempt.min(6))).await;
        }
        false
    }

    /// Stops the chunks of a job, or all.
    fn stop_chunks(&self, task: Option<ContentId>) {
        if let Ok(running) = self.running.lock() {
            for (_, stop) in running.values().filter(|(of, _)| task.is_none_or(|task| task == *of)) {
                stop.set();
            }
        }
    }
}

/// Waits for a future; meanwhile reports to the server that the chunk is in progress.
async fn with_progress<T>(future: impl Future<Output = T>, message: &Message, period: Duration) -> T {
    let mut future = std::pin::pin!(future);
    loop {
        tokio::select! {
            done = &mut future => return done,
            () = tokio::time::sleep(period) => {
                let _ = message.ack_with(AckKind::Progress).await;
            }
        }
    }
}

/// End of work on a chunk.
enum Done {
    Parts(Vec<Part>),
    Failed(String),
    Stopped,
    /// There is a problem on this machine, such as a full disk.
    Here(String),
    /// The server did not provide the files.
    Away,
}

/// Results that fit into one message.
struct Part {
    first: u64,
    outputs: Vec<Value>,
    seconds: f64,
}

/// Does the items of a chunk one after the other.
fn do_items(work: &dyn RemoteWork, job: &JobMessage, stop: &Stop) -> Done {
    let mut step = work.start(stop);
    let mut parts: Vec<Part> = Vec::new();
    let (mut bytes, mut start) = (0, Instant::now());
    for (index, number) in (job.first..job.first + job.count).enumerate() {
        if stop.is_set() {
            return Done::Stopped;
        }
        let output = match step(number, job.input(index as u64)) {
            // A stopped item may be incomplete.
            Ok(_) if stop.is_set() => return Done::Stopped,
            Ok(Some(output)) => output,
            Ok(None) => return Done::Stopped,
            Err(error) => return Done::Failed(error.to_string()),
        };
        let length = serde_json::to_string(&output).map_or(0, |text| text.len());
        if length > PART_BYTES {
            return Done::Failed(format!("the result of item {number} has {length} bytes"));
        }
        if bytes + length > PART_BYTES || parts.is_empty() {
            parts.push(Part { first: number, outputs: Vec::new(), seconds: 0.0 });
            (bytes, start) = (0, if parts.len() > 1 { Instant::now() } else { start });
        }
        bytes += length + 1;
        if let Some(part) = parts.last_mut() {
            part.outputs.push(output);
            part.seconds = start.elapsed().as_secs_f64();
        }
    }
    Done::Parts(parts)
}

/// The text of a panic.
fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no text".to_owned())
}
