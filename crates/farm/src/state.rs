//! The state of campaigns and workers, as it is kept on the server and shown by `emilia farm status`.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use jobs::ContentId;
use serde::{Deserialize, Serialize};

use crate::message::MAX_REASON;
use crate::names;

/// Maximum number of items, chunks or messages in a state: no job has more items.
pub const MAX_COUNT: u64 = 1 << 40;
/// Maximum number of threads in the state of a worker.
pub const MAX_THREADS: u32 = 1024;
/// Maximum number of items per second in the state of a worker.
pub const MAX_RATE: f64 = 1e9;
/// Maximum number of characters of a name.
const MAX_NAME: usize = 64;

/// An entry of a bucket, whose content is not trusted.
pub(crate) trait Entry: Sized {
    /// Reads the entry with this key, with all numbers and texts within bounds; `None` if it is not one.
    fn read(key: &str, bytes: &[u8]) -> Option<Self>;
}

/// Puts texts on one line each, with at most this many characters.
fn bound_texts<const N: usize>(texts: [&mut String; N], length: usize) {
    for text in texts {
        let plain = text.chars().map(|symbol| if symbol.is_control() { ' ' } else { symbol });
        *text = plain.take(length).collect();
    }
}

fn bound_counts<const N: usize>(counts: [&mut u64; N], max: u64) {
    counts.into_iter().for_each(|count| *count = (*count).min(max));
}

fn bounded_rate(items_per_second: f64) -> f64 {
    if items_per_second.is_nan() { 0.0 } else { items_per_second.clamp(0.0, MAX_RATE) }
}

impl Entry for CampaignState {
    fn read(key: &str, bytes: &[u8]) -> Option<Self> {
        key.parse::<ContentId>().ok()?;
        let mut state: Self = serde_json::from_slice(bytes).ok()?;
        bound_texts([&mut state.kind, &mut state.version, &mut state.host, &mut state.run], MAX_NAME);
        bound_counts([&mut state.end, &mut state.open_chunks, &mut state.refused, &mut state.repeated], MAX_COUNT);
        bound_counts([&mut state.began, &mut state.written], MAX_COUNT);
        state.first = state.first.min(state.end);
        bound_counts([&mut state.done, &mut state.aside], state.end - state.first);
        state.items_per_second = bounded_rate(state.items_per_second);
        Some(state)
    }
}

impl Entry for WorkerState {
    fn read(key: &str, bytes: &[u8]) -> Option<Self> {
        if key != names::token(key) {
            return None;
        }
        let mut state: Self = serde_json::from_slice(bytes).ok()?;
        bound_texts([&mut state.host, &mut state.version], MAX_NAME);
        bound_counts([&mut state.chunks, &mut state.items, &mut state.failures], MAX_COUNT);
        bound_counts([&mut state.refused, &mut state.began], MAX_COUNT);
        state.threads = state.threads.min(MAX_THREADS);
        state.busy = state.busy.min(state.threads);
        state.items_per_second = bounded_rate(state.items_per_second);
        Some(state)
    }
}

impl Entry for AsideEntry {
    fn read(key: &str, bytes: &[u8]) -> Option<Self> {
        let mut entry: Self = serde_json::from_slice(bytes).ok()?;
        match &mut entry {
            Self::Chunk { task, kind, first, count, reason } => {
                bound_texts([task, kind], MAX_NAME);
                bound_counts([first, count], MAX_COUNT);
                bound_texts([reason], MAX_REASON);
            }
            Self::Worker { worker, reason } => {
                bound_texts([worker], MAX_NAME);
                bound_texts([reason], MAX_REASON);
            }
        }
        (entry.key() == key).then_some(entry)
    }
}

/// A campaign: a submitted job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CampaignState {
    /// The kind of the job.
    pub kind: String,
    /// The version of the program that it is for.
    pub version: String,
    /// The machine of the command that submitted it.
    pub host: String,
    /// The process of that command.
    pub process: u32,
    /// The run of that command.
    pub run: String,
    /// The number of the first item.
    pub first: u64,
    /// The number after the last item.
    pub end: u64,
    /// The number of items whose results have arrived.
    pub done: u64,
    /// The number of chunks that are waiting or being done.
    pub open_chunks: u64,
    /// The number of items that were set aside.
    pub aside: u64,
    /// The number of messages that were refused.
    pub refused: u64,
    /// The number of results that had arrived before.
    #[serde(default)]
    pub repeated: u64,
    /// The items done per second lately.
    pub items_per_second: f64,
    /// Time at which it began, in seconds since 1970.
    pub began: u64,
    /// Time at which this was written, in seconds since 1970.
    pub written: u64,
    /// State of the campaign.
    pub phase: Phase,
}

/// Phase of a campaign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Chunks are submitted, and results collected.
    Running,
    /// No chunks are submitted until it is resumed.
    Paused,
    /// The command that submitted it was stopped; the same command goes on.
    Interrupted,
    /// Everything is done that can be done; some chunks were set aside.
    Incomplete,
    /// The command that submitted it has been silent for a while. Never written: it is derived from the age of the state.
    Abandoned,
}

impl Phase {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Interrupted => "interrupted",
            Self::Incomplete => "incomplete",
            Self::Abandoned => "abandoned",
        }
    }
}

/// A user's decision about a campaign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// It waits until it is resumed.
    Pause,
    /// It ends.
    Cancel,
}

/// A worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkerState {
    /// The machine.
    pub host: String,
    /// The process.
    pub process: u32,
    /// The version of the program.
    pub version: String,
    /// The number of chunks that it does at the same time.
    pub threads: u32,
    /// The number of those that have one.
    pub busy: u32,
    /// The chunks done so far.
    pub chunks: u64,
    /// The items done so far.
    pub items: u64,
    /// The chunks that failed.
    pub failures: u64,
    /// The messages that were refused.
    pub refused: u64,
    /// The items done per second since it began.
    pub items_per_second: f64,
    /// Time at which it began, in seconds since 1970.
    pub began: u64,
}

/// A chunk or a worker that was set aside.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum AsideEntry {
    /// A chunk that failed three times.
    Chunk {
        /// The campaign.
        task: String,
        /// The kind of the job.
        kind: String,
        /// The number of the first item.
        first: u64,
        /// The number of items.
        count: u64,
        /// Why it failed the last time.
        reason: String,
    },
    /// A worker that sent something wrong.
    Worker {
        /// The worker.
        worker: String,
        /// Reason, in a sentence.
        reason: String,
    },
}

impl AsideEntry {
    pub(crate) fn key(&self) -> String {
        match self {
            Self::Chunk { task, first, .. } => format!("chunk.{task}.{first}"),
            Self::Worker { worker, .. } => Self::worker_key(worker),
        }
    }

    pub(crate) fn worker_key(worker: &str) -> String {
        format!("worker.{}", names::token(worker))
    }
}

pub(crate) fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Whether a process runs; `None` if it is one of another machine or unknown to the system.
pub(crate) fn is_running(host: &str, process: u32) -> Option<bool> {
    let is_of_this_machine = cfg!(target_os = "linux") && host == host_name();
    is_of_this_machine.then(|| Path::new("/proc").join(process.to_string()).exists())
}

pub(crate) fn host_name() -> String {
    let named = std::fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| std::env::var("HOSTNAME").ok());
    let named = named.or_else(|| std::env::var("COMPUTERNAME").ok()).unwrap_or_default();
    let name = named.trim();
    if name.is_empty() { "unknown".to_owned() } else { name.to_owned() }
}
