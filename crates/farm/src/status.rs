//! Status of a farm, and decisions about its campaigns.

use std::time::{Duration, Instant};

use async_nats::jetstream::context::{GetStreamError, GetStreamErrorKind};
use async_nats::jetstream::{ErrorCode, kv};
use futures_util::{StreamExt, TryStreamExt, stream};
use jobs::ContentId;
use serde::Serialize;
use tokio::runtime::Runtime;

use crate::connection::{Context, FarmAddress, FarmError, Role, Server, runtime};
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
        let runtime = runtime()?;
        let server = runtime.block_on(async { Server::reach(address.connect(role, None).await?).await })?;
        Ok(Self { runtime, server })
    }

    /// Status of the farm.
    pub fn status(&self) -> Result<FarmStatus, FarmError> {
        self.runtime.block_on(self.server.status())
    }

    /// Chunks and workers that were set aside.
    pub fn aside(&self) -> Result<Vec<AsideEntry>, FarmError> {
        let entries = self.runtime.block_on(self.server.known_entries(names::ASIDE))?;
        Ok(entries.into_iter().map(|(_, entry)| entry).collect())
    }

    /// Removes the entries of chunks and workers that were set aside; these workers are accepted again.
    pub fn clear_aside(&self) -> Result<(), FarmError> {
        self.runtime.block_on(async {
            let entries = self.server.known_entries::<AsideEntry>(names::ASIDE).await?;
            if entries.is_empty() {
                return Ok(());
            }
            let bucket = self.server.bucket(names::ASIDE).await?;
            for (key, _) in entries {
                bucket.purge(key).await.context("cannot forget what was set aside")?;
            }
            Ok(())
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
    /// The valid entries of a bucket, by key; none if the farm has not been used before.
    async fn known_entries<T: Entry>(&self, name: &str) -> Result<Vec<(String, T)>, FarmError> {
        let bucket = match self.jetstream.get_key_value(name).await {
            Err(error) if is_missing(&error) => return Ok(Vec::new()),
            bucket => bucket.context(&format!("cannot use the bucket {name}"))?,
        };
        self.entries(&bucket).await
    }

    async fn status(&self) -> Result<FarmStatus, FarmError> {
        let workers = self.known_entries(names::WORKERS).await?.into_iter();
        let mut workers: Vec<_> = workers.map(|(worker, state)| NamedWorker { worker, state }).collect();
        workers.sort_by(|one, other| one.worker.cmp(&other.worker));
        let campaigns = self.known_entries(names::CAMPAIGNS).await?.into_iter();
        let named = |(task, state)| named_campaign(task, state, unix_seconds());
        let mut campaigns: Vec<_> = campaigns.map(named).collect();
        campaigns.sort_by_key(|campaign| (campaign.state.began, campaign.task.clone()));
        let aside = self.known_entries::<AsideEntry>(names::ASIDE).await?.len() as u64;
        let queue = self.stream(names::JOBS_STREAM).await?.get_info().await;
        let queued_chunks = queue.map_or(0, |info| info.state.messages);
        Ok(FarmStatus { workers, campaigns, queued_chunks, aside })
    }

    async fn decide(&self, campaign: &NamedCampaign, decision: Option<Decision>) -> Result<(), FarmError> {
        const ACTION: &str = "cannot write the decision";
        let task: ContentId = campaign.task.parse().context(ACTION)?;
        let bucket = self.bucket(names::CAMPAIGNS).await?;
        match decision {
            Some(decision) => {
                let bytes = serde_json::to_vec(&decision).context(ACTION)?;
                bucket.put(decision_key(&task), bytes.into()).await.map(drop).context(ACTION)
            }
            None => bucket.purge(decision_key(&task)).await.context(ACTION),
        }
    }

    async fn cancel(&self, campaign: &NamedCampaign) -> Result<(), FarmError> {
        const ACTION: &str = "cannot cancel the job";
        let task: ContentId = campaign.task.parse().context(ACTION)?;
        self.decide(campaign, Some(Decision::Cancel)).await?;
        let _ = self.client.publish(names::CONTROL, campaign.task.clone().into()).await;
        self.client.flush().await.context(ACTION)?;
        // Its command ends the campaign; clocks of machines differ, so it gets the time of some heartbeats.
        let bucket = self.bucket(names::CAMPAIGNS).await?;
        let is_left = matches!(campaign.state.phase, Phase::Interrupted | Phase::Incomplete);
        let start = Instant::now();
        while !is_left && start.elapsed() < ABANDONED_AFTER {
            let entry = bucket.entry(campaign.task.as_str()).await.context(ACTION)?;
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
        const ACTION: &str = "cannot read the state of the farm";
        let reading = async {
            let all = format!("{}>", bucket.prefix);
            let subjects = bucket.stream.info_with_subjects(all).await.context(ACTION)?;
            let subjects: Vec<(String, usize)> = subjects.try_collect().await.context(ACTION)?;
            let keys = subjects.iter().filter_map(|(subject, _)| subject.strip_prefix(&bucket.prefix));
            let mut keys: Vec<String> = keys.filter(|key| names::is_key(key)).map(str::to_owned).collect();
            keys.sort_unstable();
            // The next page repeats keys if others were added before them meanwhile.
            keys.dedup();
            keys.truncate(MAX_ENTRIES);
            // Many at the same time: a farm may have thousands of workers.
            let mut entries = stream::iter(keys).map(|key| bucket.entry(key)).buffered(TOGETHER);
            let mut found = Vec::new();
            while let Some(entry) = entries.next().await {
                if let Some(entry) = entry.context(ACTION)?.filter(|entry| entry.operation == kv::Operation::Put)
                    && let Some(value) = T::read(&entry.key, &entry.value)
                {
                    found.push((entry.key, value));
                }
            }
            Ok(found)
        };
        tokio::time::timeout(READING, reading).await.context(ACTION)?
    }
}

fn is_missing(error: &(dyn std::error::Error + 'static)) -> bool {
    let source = error.source().and_then(|source| source.downcast_ref::<GetStreamError>());
    matches!(source.map(|source| source.kind()),
        Some(GetStreamErrorKind::JetStream(error)) if error.error_code() == ErrorCode::STREAM_NOT_FOUND)
}

/// Maximum number of entries of a bucket that are read.
const MAX_ENTRIES: usize = 20_000;

/// Maximum time left that is shown, in seconds: 10,000 days.
const MAX_SECONDS_LEFT: f64 = 10_000.0 * 24.0 * 3600.0;

/// Number of entries that are requested at the same time.
const TOGETHER: usize = 64;

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
