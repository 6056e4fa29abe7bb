//! The messages between those who submit jobs and workers: JSON, checked before anything is done with it.

use jobs::ContentId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use storage::checksum::fnv1a;

/// Maximum length of a message: by default, a server accepts 1 MiB.
pub(crate) const MAX_BYTES: usize = 1_000_000;
pub(crate) const MAX_ITEMS: u64 = 1 << 16;
/// Maximum time of a chunk that is accepted, in seconds: results are kept for two weeks.
const MAX_SECONDS: f64 = 14.0 * 24.0 * 3600.0;
/// Maximum length of the reason of a failure; the rest is cut off.
pub(crate) const MAX_REASON: usize = 1000;

/// A chunk of a job: items with consecutive numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobMessage {
    /// The version of the program that can do it.
    pub(crate) version: String,
    /// The definition of the job, by its content.
    pub(crate) task: ContentId,
    /// The run of the submitting command, which makes message ids unique.
    pub(crate) run: String,
    /// The number of the first item.
    pub(crate) first: u64,
    /// The number of items.
    pub(crate) count: u64,
    /// Number of submissions of the chunk, from 1.
    pub(crate) attempt: u32,
    /// The items; empty if an item is determined by its number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) inputs: Vec<Value>,
}

/// Results of a chunk, or of a part of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResultMessage {
    /// The definition of the job, by its content.
    pub(crate) task: ContentId,
    /// The worker.
    pub(crate) worker: String,
    /// The number of the first item.
    pub(crate) first: u64,
    /// The attempt that this is the result of.
    pub(crate) attempt: u32,
    /// Outcome of the chunk, or of a part of it.
    pub(crate) outcome: ChunkOutcome,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub(crate) enum ChunkOutcome {
    /// The results of consecutive items.
    Done {
        outputs: Vec<Value>,
        /// The inputs that the worker had, by [`inputs_id`]: the result of a forged input is no proof against it.
        inputs: u64,
        seconds: f64,
    },
    Failed {
        count: u64,
        reason: String,
    },
}

/// Reason why a message is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum MessageError {
    #[error("the message has {0} bytes; expected at most {MAX_BYTES}")]
    TooLong(usize),
    #[error("the message cannot be read: {0}")]
    Malformed(String),
    #[error("the message has {0}")]
    Numbers(&'static str),
}

fn read<'m, T: Deserialize<'m>>(bytes: &'m [u8]) -> Result<T, MessageError> {
    if bytes.len() > MAX_BYTES {
        return Err(MessageError::TooLong(bytes.len()));
    }
    serde_json::from_slice(bytes).map_err(|error| MessageError::Malformed(error.to_string()))
}

/// Identifies the inputs of some items.
pub(crate) fn inputs_id<'i>(inputs: impl IntoIterator<Item = &'i Value>) -> u64 {
    fnv1a(inputs.into_iter().map(|input| format!("{input}\n")))
}

impl JobMessage {
    /// Reads a message and checks its numbers.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, MessageError> {
        let message: Self = read(bytes)?;
        let Self { first, count, ref inputs, .. } = message;
        check_range(first, count)?;
        if !inputs.is_empty() && inputs.len() as u64 != count {
            return Err(MessageError::Numbers("another number of inputs than of items"));
        }
        Ok(message)
    }

    /// The identity of the message: a copy has the same, and the server drops it.
    pub(crate) fn id(&self) -> String {
        let Self { task, run, first, attempt, .. } = self;
        format!("{}.{run}.{first}.{attempt}", task.short())
    }

    pub(crate) fn input(&self, index: u64) -> Value {
        self.inputs.get(index as usize).cloned().unwrap_or_default()
    }
}

impl ResultMessage {
    /// Reads a message and checks its numbers.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, MessageError> {
        let mut message: Self = read(bytes)?;
        let count = match &mut message.outcome {
            ChunkOutcome::Done { outputs, seconds, .. } => {
                if !(0.0..=MAX_SECONDS).contains(seconds) {
                    return Err(MessageError::Numbers("an impossible time"));
                }
                outputs.len() as u64
            }
            ChunkOutcome::Failed { count, reason } => {
                reason.truncate(reason.floor_char_boundary(MAX_REASON));
                *count
            }
        };
        check_range(message.first, count)?;
        Ok(message)
    }
}

fn check_range(first: u64, count: u64) -> Result<(), MessageError> {
    let is_possible = count > 0 && count <= MAX_ITEMS && first.checked_add(count).is_some();
    if is_possible { Ok(()) } else { Err(MessageError::Numbers("an impossible range of items")) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn job() -> JobMessage {
        let inputs = vec![Value::from(1), Value::from("two"), Value::Null];
        let task = ContentId::of(b"task");
        JobMessage { version: "1".into(), task, run: "r".into(), first: 7, count: 3, attempt: 1, inputs }
    }

    fn result() -> ResultMessage {
        let outcome = ChunkOutcome::Done { outputs: vec![Value::from(3)], inputs: 1, seconds: 0.5 };
        ResultMessage { task: ContentId::of(b"task"), worker: "w".into(), first: 7, attempt: 1, outcome }
    }

    #[test]
    fn messages_are_read_back_unchanged() {
        let text = serde_json::to_string(&job()).expect("JSON");
        assert_eq!(JobMessage::read(text.as_bytes()), Ok(job()));
        let text = serde_json::to_string(&result()).expect("JSON");
        assert_eq!(ResultMessage::read(text.as_bytes()), Ok(result()));
        assert!(text.contains(r#""outcome":{"done":{"outputs":[3],"inputs":1,"seconds":0.5}}"#), "{text}");
    }

    #[test]
    fn impossible_numbers_and_unknown_keys_are_refused() {
        let refused = |message: &JobMessage| JobMessage::read(&serde_json::to_vec(message).expect("JSON")).is_err();
        assert!(refused(&JobMessage { count: 0, ..job() }));
        assert!(refused(&JobMessage { count: 2, ..job() }));
        assert!(refused(&JobMessage { first: u64::MAX, ..job() }));
        assert!(refused(&JobMessage { count: MAX_ITEMS + 1, inputs: Vec::new(), ..job() }));
        let more = serde_json::to_string(&job()).expect("JSON").replacen('{', r#"{"more":1,"#, 1);
        assert!(JobMessage::read(more.as_bytes()).is_err());
        let long = vec![b' '; MAX_BYTES + 1];
        assert_eq!(ResultMessage::read(&long), Err(MessageError::TooLong(MAX_BYTES + 1)));
        for seconds in [-1.0, 1e308] {
            let outcome = ChunkOutcome::Done { outputs: vec![Value::from(3)], inputs: 1, seconds };
            let message = serde_json::to_vec(&ResultMessage { outcome, ..result() }).expect("JSON");
            assert_eq!(ResultMessage::read(&message), Err(MessageError::Numbers("an impossible time")));
        }
        let reason = "é".repeat(2000);
        let failed = ResultMessage { outcome: ChunkOutcome::Failed { count: 1, reason }, ..result() };
        let read = ResultMessage::read(&serde_json::to_vec(&failed).expect("JSON")).expect("a failure");
        assert!(matches!(read.outcome, ChunkOutcome::Failed { reason, .. } if reason.len() <= MAX_REASON));
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = JobMessage::read(&bytes);
            let _ = ResultMessage::read(&bytes);
        }
    }
}
