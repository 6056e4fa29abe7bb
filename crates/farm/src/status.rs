//! Status of a farm, and decisions about its campaigns.

use std::time::{Duration, Instant};

use async_nats::jetstream::kv;
use futures_util::{StreamExt, TryStreamExt, stream};
use jobs::ContentId;
use serde::Serialize;
use tokio::runtime::Runtime;

use crate::connection::{FarmAddress, FarmError, Role, Server};
use crate::names;
use crate::state::{AsideEntry, CampaignState, Decision, Entry, Phase, WorkerState, unix_seconds};
use crate::submitter::{ABANDONED_AFTER, decision_key};

/// A campaign with its name.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NamedCampaign {
    /// The definition of its job, by content: its name.
    pub task: String,
    /// The state.
    #[serde(flatten)]
    pub state: CampaignState,
    /// Estimated seconds until the end, if known.
    pub seconds_left: Option<f64>,
}

/// A worker with its name.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NamedWorker {
    /// The name.
    pub worker: String,
    /// The state.
    #[serde(flatten)]
    pub state: WorkerState,
}

/// Workers and campaigns of a farm.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FarmStatus {
    /// The workers, by name.
    pub workers: Vec<NamedWorker>,
    /// The campaigns, the oldest first.
    pub campaigns: Vec<NamedCampaign>,
    /// The chunks that wait or are being done, of all campaigns.
    pub queued_chunks: u64,
    /// The chunks and workers that were set aside.
    pub aside: u64,
}

/// Connection that reads the status of a farm, and may decide about campaigns.
#[derive(Debug)]
pub struct Overseer {
    runtime: Runtime,
    server: Server,
}

impl Overseer {
    /// Connects to read the status, or also to decide about campaigns.
    pub fn connect(address: &FarmAddress, role: Role) -> Result<Self, FarmError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| FarmError::new("cannot start the threads of the connection", &error))?;
        let server = runtime.block_on(async { Server::reach(address.connect(role).await?).await })?;
        Ok(Self { runtime, server })
    }

    /// Status of the farm.
    pub fn status(&self) -> Result<FarmStatus, FarmError> {
        self.runtime.block_on(self.server.status())
    }

    /// Chunks and workers that were set aside.
    pub fn aside(&self) -> Result<Vec<AsideEntry>, FarmError> {
        self.runtime.block_on(async {
            let Some(bucket) = self.server.known_bucket(names::ASIDE).await? else { return Ok(Vec::new()) };
            let entries: Vec<(String, AsideEntry)> = self.server.entries(&bucket).await?;
            Ok(entries.into_iter().map(|(_, entry)| entry).collect())
        })
    }

    /// Removes the entries of chunks and workers that were set aside; these workers are accepted again.
    pub fn clear_aside(&self) -> Result<u64, FarmError> {
        self.runtime.block_on(async {
            let Some(bucket) = self.server.known_bucket(names::ASIDE).await? else { return Ok(0) };
            let entries: Vec<(String, AsideEntry)> = self.server.entries(&bucket).await?;
            for (key, _) in &entries {
                bucket.purge(key).await.map_err(|error| FarmError::new("cannot forget what was set aside", &error))?;
            }
            Ok(entries.len() as u64)
        })
    }

    /// Returns the campaign whose name begins with this text.
    pub fn find(&self, beginning: &str) -> Result<NamedCampaign, FarmError> {
        let mut found = self.status()?.campaigns.into_iter().filter(|campaign| campaign.task.starts_with(beginning));
        match (found.next(), found.next()) {
            (Some(campaign), None) => Ok(campaign),
            (None, _) => Err(FarmError(format!("no job begins with {beginning:?}; `emilia farm jobs` lists them"))),
            (Some(_), Some(_)) => Err(FarmError(format!("several jobs begin with {beginning:?}; give more digits"))),
        }
    }

    /// Pauses a campaign: chunks in progress are finished, no others begin.
    pub fn pause(&self, campaign: &NamedCampaign) -> Result<(), FarmError> {
        self.runtime.block_on(self.server.decide(campaign, Some(Decision::Pause)))
    }

    /// Resumes a campaign that was paused.
    pub fn resume(&self, campaign: &NamedCampaign) -> Result<(), FarmError> {
        self.runtime.block_on(self.server.decide(campaign, None))
    }

    /// Ends a campaign and removes its results from the server.
    pub fn cancel(&self, campaign: &NamedCampaign) -> Result<(), FarmError> {
        self.runtime.block_on(self.server.cancel(campaign))
    }
}

impl Server {
    /// A bucket, if the farm has been used before.
    async fn known_bucket(&self, name: &str) -> Result<Option<kv::Store>, FarmError> {
        use async_nats::jetstream::ErrorCode;
        use async_nats::jetstream::context::{GetStreamErrorKind, KeyValueErrorKind};
        use std::error::Error;
        match self.jetstream.get_key_value(name).await {
            Ok(bucket) => Ok(Some(bucket)),
            Err(error) if error.kind() == KeyValueErrorKind::GetBucket => {
                let source = error
                    .source()
                    .and_then(|source| source.downcast_ref::<async_nats::jetstream::context::GetStreamError>());
                match source.map(|source| source.kind()) {
                    Some(GetStreamErrorKind::JetStream(error)) if error.error_code() == ErrorCode::STREAM_NOT_FOUND => {
                        Ok(None)
                    }
                    _ => Err(FarmError::new(&format!("cannot use the bucket {name}"), &error)),
                }
            }
            Err(error) => Err(FarmError::new(&format!("cannot use the bucket {name}"), &error)),
        }
    }

    /// Status of the farm.
    pub async fn status(&self) -> Result<FarmStatus, FarmError> {
        let mut workers = Vec::new();
        if let Some(bucket) = self.known_bucket(names::WORKERS).await? {
            let named = |(worker, state)| NamedWorker { worker, state };
            workers.extend(self.entries(&bucket).await?.into_iter().map(named));
        }
        workers.sort_by(|one, other| one.worker.cmp(&other.worker));
        let mut campaigns = Vec::new();
        if let Some(bucket) = self.known_bucket(names::CAMPAIGNS).await? {
            let entries = self.entries(&bucket).await?;
            campaigns.extend(entries.into_iter().map(|(task, state)| named_campaign(task, state, unix_seconds())));
        }
        campaigns.sort_by_key(|campaign: &NamedCampaign| (campaign.state.began, campaign.task.clone()));
        let mut aside = 0;
        if let Some(bucket) = self.known_bucket(names::ASIDE).await? {
            aside = self.entries::<AsideEntry>(&bucket).await?.len() as u64;
        }
        let queue = self.stream(names::JOBS_STREAM).await?.get_info().await;
        let queued_chunks = queue.map_or(0, |info| info.state.messages);
        Ok(FarmStatus { workers, campaigns, queued_chunks, aside })
    }

    async fn decide(&self, campaign: &NamedCampaign, decision: Option<Decision>) -> Result<(), FarmError> {
        let broken = |error: &dyn std::error::Error| FarmError::new("cannot write the decision", error);
        let task: ContentId = campaign.task.parse().map_err(|error| broken(&error))?;
        let bucket = self.bucket(names::CAMPAIGNS).await?;
        match decision {
            Some(decision) => {
                let bytes = serde_json::to_vec(&decision).map_err(|error| broken(&error))?;
                bucket.put(decision_key(&task), bytes.into()).await.map_err(|error| broken(&error))?;
            }
            None => bucket.purge(decision_key(&task)).await.map_err(|error| broken(&error))?,
        }
        Ok(())
    }

    async fn cancel(&self, campaign: &NamedCampaign) -> Result<(), FarmError> {
        let broken = |error: &dyn std::error::Error| FarmError::new("cannot cancel the job", error);
        let task: ContentId = campaign.task.parse().map_err(|error| broken(&error))?;
        self.decide(campaign, Some(Decision::Cancel)).await?;
        let _ = self.client.publish(names::CONTROL, campaign.task.clone().into()).await;
        self.client.flush().await.map_err(|error| broken(&error))?;
        // Its command ends the campaign; clocks of machines differ, so it gets the time of some heartbeats.
        let bucket = self.bucket(names::CAMPAIGNS).await?;
        let is_left = matches!(campaign.state.phase, Phase::Interrupted | Phase::Incomplete);
        let start = Instant::now();
        while !is_left && start.elapsed() < ABANDONED_AFTER {
            let entry = bucket.entry(campaign.task.as_str()).await.map_err(|error| broken(&error))?;
            if entry.is_none_or(|entry| entry.operation != kv::Operation::Put) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        // The command is gone. If it comes back, it finds nothing, and takes that for a cancellation.
        self.forget(&campaign.state.version, &task).await;
        Ok(())
    }

    /// The valid entries of a bucket, by key.
    ///
    /// Read without a consumer: a user who may create one can have it send the content of the bucket to any subject.
    pub(crate) async fn entries<T: Entry>(&self, bucket: &kv::Store) -> Result<Vec<(String, T)>, FarmError> {
        let broken = |error: &dyn std::error::Error| FarmError::new("cannot read the state of the farm", error);
        let reading = async {
            let all = format!("{}>", bucket.prefix);
            let subjects = bucket.stream.info_with_subjects(all).await.map_err(|error| broken(&error))?;
            let subjects: Vec<(String, usize)> = subjects.try_collect().await.map_err(|error| broken(&error))?;
            let keys = subjects.iter().filter_map(|(subject, _)| subject.strip_prefix(&bucket.prefix));
            let mut keys: Vec<String> = keys.filter(|key| names::is_key(key)).map(str::to_owned).collect();
            keys.sort_unstable();
            // The next page repeats keys if others were added before them meanwhile.
            keys.dedup();
            keys.truncate(MAX_ENTRIES);
            // Many at the same time: a farm may have thousands of workers.
            let mut entries = stream::iter(keys)
                .map(async |key| bucket.entry(key).await.map_err(|error| broken(&error)))
                .buffered(TOGETHER);
            let mut found = Vec::new();
            while let Some(entry) = entries.next().await {
                if let Some(entry) = entry?.filter(|entry| entry.operation == kv::Operation::Put)
                    && let Some(value) = T::read(&entry.key, &entry.value)
                {
                    found.push((entry.key, value));
                }
            }
            Ok(found)
        };
        tokio::time::timeout(READING, reading).await.map_err(|error| broken(&error))?
    }
}

/// The maximum number of entries of a bucket that are read.
const MAX_ENTRIES: usize = 20_000;

/// The longest time left that is shown, in seconds: 10,000 days.
const MAX_SECONDS_LEFT: f64 = 10_000.0 * 24.0 * 3600.0;

/// Number of entries that are requested at the same time.
const TOGETHER: usize = 64;

/// Time limit for reading a bucket.
const READING: Duration = Duration::from_secs(10);

fn named_campaign(task: String, mut state: CampaignState, now: u64) -> NamedCampaign {
    // Much longer than between two heartbeats, because clocks of machines differ.
    let is_silent = state.written.saturating_add(2 * ABANDONED_AFTER.as_secs()) < now;
    if is_silent && matches!(state.phase, Phase::Running | Phase::Paused) {
        state.phase = Phase::Abandoned;
    }
    let left = (state.end - state.first.min(state.end)).saturating_sub(state.done) as f64;
    let is_running = state.phase == Phase::Running && state.items_per_second > 0.0;
    let seconds_left = is_running.then(|| left / state.items_per_second).filter(|seconds| *seconds < MAX_SECONDS_LEFT);
    NamedCampaign { task, state, seconds_left }
}
