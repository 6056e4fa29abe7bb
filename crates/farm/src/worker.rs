//! A worker: takes chunks of jobs and does them until it is stopped.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use control::{Stop, lock};
use futures_util::StreamExt;
use jobs::{ContentId, Definition, JobKinds, KnownWork, LocalFiles, RemoteWork};
use serde_json::Value;

use crate::connection::{
    Context, FarmAddress, FarmError, Notify, POLL_INTERVAL, Role, Server, WORKER_AGE, back_off, pause, runtime,
};
use crate::files::{KeptFiles, Undone};
use crate::message::{ChunkOutcome, JobMessage, MAX_BYTES, ResultMessage, inputs_id};
use crate::names;
use crate::state::{AsideEntry, CampaignState, Entry, WorkerState, host_name, is_running, unix_seconds};
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
    let runtime = runtime()?;
    let folder = &settings.folder;
    let kept = KeptFiles::new(folder.clone()).context(&format!("cannot use the folder {}", folder.display()))?;
    let result = runtime.block_on(work(settings, kinds, kept, stop.clone(), notify));
    // Chunks that do not look at their flag are not waited for.
    runtime.shutdown_timeout(Duration::from_millis(500));
    result
}

struct Shared {
    server: Server,
    kinds: JobKinds,
    name: String,
    kept: KeptFiles,
    state: Mutex<WorkerState>,
    began: Instant,
    stop: Stop,
    notify: Arc<Notify>,
    /// The jobs that are ready to be done, the latest one last.
    prepared: tokio::sync::Mutex<Vec<(ContentId, Arc<KnownWork>)>>,
    /// The flags of the chunks in progress.
    running: Mutex<HashMap<u64, (ContentId, Stop)>>,
    next_chunk: AtomicU64,
    /// The chunks that have failed since the last one that did not.
    failures_in_a_row: AtomicU32,
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
    let state = WorkerState {
        host: host_name(),
        process: std::process::id(),
        version: kinds.version.clone(),
        threads: settings.threads.max(1) as u32,
        busy: 0,
        chunks: 0,
        items: 0,
        failures: 0,
        refused: 0,
        items_per_second: 0.0,
        began: unix_seconds(),
    };
    let shared = Arc::new(Shared {
        name: names::token(settings.name.as_deref().unwrap_or(&default)),
        server,
        kinds,
        kept,
        state: Mutex::new(state),
        began: Instant::now(),
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
    for _ in 0..settings.threads.max(1) {
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
        let connected =
            async { Server::reach(settings.address.connect(Role::Worker, Some(Arc::clone(notify))).await?).await };
        match connected.await {
            Ok(server) => {
                notify(&format!("connected to {}", settings.address.shown()));
                return Ok(Some(server));
            }
            Err(error) if error.is_final() => return Err(error),
            Err(error) if attempt == 0 => notify(&format!("{error}; trying again until the server is there")),
            Err(_) => {}
        }
        pause(back_off(attempt), stop).await;
        attempt += 1;
    }
    Ok(None)
}

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
        let state = serde_json::to_vec(&shared.current_state()).unwrap_or_default();
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
            Some(WorkerState { host, process, .. })
                if process != std::process::id() && is_running(&host, process) == Some(true) =>
            {
                let name = &self.name;
                let sentence = format!("the name {name} is taken by process {process} on {host}");
                Err(FarmError(format!("{sentence}; give this worker another one")))
            }
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

    fn current_state(&self) -> WorkerState {
        let state = lock(&self.state).clone();
        let items_per_second = state.items as f64 / self.began.elapsed().as_secs_f64().max(1e-3);
        WorkerState { items_per_second, ..state }
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

    async fn consumer(&self) -> Result<PullConsumer, FarmError> {
        let name = names::consumer(&self.kinds.version);
        let found = self.server.jetstream.get_consumer_from_stream(name, names::JOBS_STREAM).await;
        found.context("there are no jobs for this version")
    }

    async fn take_one(&self, consumer: &PullConsumer) -> Result<(), FarmError> {
        let request = consumer.batch().max_messages(1).expires(REQUEST_WAIT).messages();
        let mut messages = request.await.context("cannot take a chunk")?;
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
        lock(&self.state).busy += 1;
        let handled = self.handle(&message, consumer.cached_info().config.ack_wait).await;
        lock(&self.state).busy -= 1;
        handled
    }

    /// Does a chunk: its results are on the server before it leaves the queue.
    async fn handle(&self, message: &Message, silence: Duration) -> Result<(), FarmError> {
        let job = match JobMessage::read(&message.payload) {
            Ok(job) if job.version == self.kinds.version => job,
            Ok(JobMessage { version, .. }) => {
                let own = &self.kinds.version;
                let sentence = format!("a chunk is for version {version} of Emilia; this is version {own}");
                return self.refuse(message, &sentence).await;
            }
            Err(error) => return self.refuse(message, &error.to_string()).await,
        };
        let deliveries = message.info().map_or(1, |info| info.delivered);
        let key = self.next_chunk.fetch_add(1, Relaxed);
        let stop = Stop::new();
        lock(&self.running).insert(key, (job.task, stop.clone()));
        if self.stop.is_set() {
            stop.set();
        }
        let done = if deliveries > MAX_DELIVERIES {
            Err(Undone::Failed(format!("{} workers took it and were not heard of again", deliveries - 1)))
        } else {
            self.do_chunk(&job, message, silence, &stop).await
        };
        lock(&self.running).remove(&key);
        let is_published = match done {
            Ok(parts) => {
                let is_published = self.publish_parts(&job, parts).await;
                if is_published {
                    self.failures_in_a_row.store(0, Relaxed);
                    let mut state = lock(&self.state);
                    state.chunks += 1;
                    state.items += job.count;
                }
                is_published
            }
            Err(Undone::Failed(reason)) => {
                lock(&self.state).failures += 1;
                self.failures_in_a_row.fetch_add(1, Relaxed);
                (self.notify)(&format!("chunk {} of {} failed: {reason}", job.first, job.task.short()));
                self.publish(&job, job.first, ChunkOutcome::Failed { count: job.count, reason }).await
            }
            Err(Undone::Stopped) => false,
            Err(Undone::Later(error)) => {
                let _ = message.ack_with(AckKind::Nak(Some(Duration::from_secs(2)))).await;
                return Err(error);
            }
        };
        if !is_published {
            // Back into the queue.
            let _ = message.ack_with(AckKind::Nak(None)).await;
            let _ = tokio::time::timeout(Duration::from_secs(1), self.server.client.flush()).await;
            return Ok(());
        }
        // If this is lost, the chunk is done again, and its results count once.
        let _ = tokio::time::timeout(Duration::from_secs(5), message.double_ack()).await;
        Ok(())
    }

    /// Removes an unusable message from the queue.
    async fn refuse(&self, message: &Message, sentence: &str) -> Result<(), FarmError> {
        lock(&self.state).refused += 1;
        (self.notify)(&format!("refused a message: {sentence}"));
        let _ = message.ack_with(AckKind::Term).await;
        Ok(())
    }

    /// Does the items of a chunk in a thread; meanwhile reports to the server that it is in progress.
    async fn do_chunk(
        &self,
        job: &JobMessage,
        message: &Message,
        silence: Duration,
        stop: &Stop,
    ) -> Result<Vec<Part>, Undone> {
        let period = (silence / 4).max(Duration::from_millis(100));
        let work = with_progress(self.prepare(job), message, period).await?;
        let (job, stop) = (job.clone(), stop.clone());
        let doing = tokio::task::spawn_blocking(move || {
            let done = catch_unwind(AssertUnwindSafe(|| do_items(work.as_ref().as_ref(), &job, &stop)));
            let failed = |panic: Box<dyn Any + Send>| {
                Undone::Failed(format!("the worker panicked: {}", panic_text(panic.as_ref())))
            };
            done.unwrap_or_else(|panic| Err(failed(panic)))
        });
        with_progress(doing, message, period).await.unwrap_or(Err(Undone::Stopped))
    }

    /// The work of a job, with its files fetched.
    async fn prepare(&self, job: &JobMessage) -> Result<Arc<KnownWork>, Undone> {
        // One after the other: all threads do the same job, and its weights are fetched once.
        let mut prepared = self.prepared.lock().await;
        if let Some(index) = prepared.iter().position(|(task, _)| *task == job.task) {
            let found = prepared.remove(index);
            let work = Arc::clone(&found.1);
            prepared.push(found);
            return Ok(work);
        }
        let bytes = self.server.fetch(&job.task).await?;
        let definition: Definition = serde_json::from_slice(&bytes)
            .map_err(|error| Undone::Failed(format!("the definition cannot be read: {error}")))?;
        let mut files = LocalFiles::default();
        for id in &definition.files {
            let path = match self.kept.find(id) {
                Some(path) => path,
                None => {
                    let bytes = self.server.fetch(id).await?;
                    self.kept.keep(id, &bytes).map_err(Undone::Later)?
                }
            };
            files.0.insert(*id, path);
        }
        // Loading weights takes a moment.
        let kinds = self.kinds.clone();
        let work = tokio::task::spawn_blocking(move || kinds.prepare(&definition, &files)).await;
        let work = work.map_err(|error| Undone::Failed(format!("the job cannot be prepared: {error}")))?;
        let work = Arc::new(work.map_err(|error| Undone::Failed(error.to_string()))?);
        prepared.push((job.task, Arc::clone(&work)));
        if prepared.len() > MAX_PREPARED {
            prepared.remove(0);
        }
        Ok(work)
    }

    async fn publish_parts(&self, job: &JobMessage, parts: Vec<Part>) -> bool {
        for Part { first, outputs, seconds } in parts {
            let inputs: Vec<Value> = (first - job.first..).take(outputs.len()).map(|index| job.input(index)).collect();
            let inputs = inputs_id(&inputs);
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

    fn stop_chunks(&self, task: Option<ContentId>) {
        for (_, stop) in lock(&self.running).values().filter(|(of, _)| task.is_none_or(|task| task == *of)) {
            stop.set();
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

/// Results that fit into one message.
struct Part {
    first: u64,
    outputs: Vec<Value>,
    seconds: f64,
}

/// Does the items of a chunk one after the other.
fn do_items(work: &dyn RemoteWork, job: &JobMessage, stop: &Stop) -> Result<Vec<Part>, Undone> {
    let mut step = work.start(stop);
    let mut parts: Vec<Part> = Vec::new();
    let (mut bytes, mut start) = (0, Instant::now());
    for (index, number) in (job.first..job.first + job.count).enumerate() {
        if stop.is_set() {
            return Err(Undone::Stopped);
        }
        let output = step(number, job.input(index as u64)).map_err(|error| Undone::Failed(error.to_string()))?;
        // A stopped item may be incomplete.
        let output = output.filter(|_| !stop.is_set()).ok_or(Undone::Stopped)?;
        let length = serde_json::to_string(&output).map_or(0, |text| text.len());
        if length > PART_BYTES {
            return Err(Undone::Failed(format!("the result of item {number} has {length} bytes")));
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
    Ok(parts)
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no text".to_owned())
}
