//! Reading the results of a campaign, from the first one on, also across restarts of the server.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull};
use futures_util::StreamExt;
use jobs::ContentId;
use tokio::time::timeout;

use crate::connection::{Context, FarmError, Server};
use crate::names;

/// Maximum number of messages of a request.
const BATCH: usize = 128;
/// Time after which the server removes a reader that fetches nothing.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(300);

/// A message with the name under which it was sent: the last part of its subject.
pub(crate) struct Arrived {
    pub(crate) from: String,
    pub(crate) bytes: Vec<u8>,
}

pub(crate) struct ResultReader<'s> {
    server: &'s Server,
    subject: String,
    /// The sequence number of the next message.
    next: u64,
    consumer: Option<PullConsumer>,
    /// Whether all messages of the last request were read.
    pub(crate) has_caught_up: bool,
}

impl<'s> ResultReader<'s> {
    pub(crate) fn new(server: &'s Server, task: &ContentId) -> Self {
        Self { server, subject: names::results_of(task), next: 1, consumer: None, has_caught_up: false }
    }

    /// Messages that have arrived; waits for the first one at most this long.
    pub(crate) async fn read(&mut self, wait: Duration) -> Result<Vec<Arrived>, FarmError> {
        let mut found = Vec::new();
        let read = self.read_from_consumer(wait, &mut found).await;
        if read.is_err() {
            // The server may have been restarted: a new consumer begins where this one ended.
            self.consumer = None;
        }
        // Messages that were read before the connection broke count.
        if found.is_empty() { read.map(|()| found) } else { Ok(found) }
    }

    /// Forgets the consumer; the next one begins where this one ended.
    pub(crate) fn renew(&mut self) {
        self.consumer = None;
    }

    async fn read_from_consumer(&mut self, wait: Duration, found: &mut Vec<Arrived>) -> Result<(), FarmError> {
        const ACTION: &str = "cannot read results";
        let broken = |error: &dyn std::fmt::Display| FarmError(format!("{ACTION}: {error}"));
        let consumer = match &self.consumer {
            Some(consumer) => consumer,
            None => {
                let config = pull::Config {
                    filter_subject: self.subject.clone(),
                    deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.next },
                    ack_policy: AckPolicy::None,
                    inactive_threshold: FORGOTTEN_AFTER,
                    ..Default::default()
                };
                let stream = self.server.stream(names::RESULTS_STREAM).await?;
                self.consumer.insert(stream.create_consumer(config).await.context(ACTION)?)
            }
        };
        // First the waiting messages, without a delay; if there are none, wait for one.
        for is_waiting in [false, true] {
            let limit = wait + Duration::from_secs(5);
            let messages = async {
                match is_waiting {
                    false => consumer.fetch().max_messages(BATCH).messages().await,
                    true => consumer.batch().max_messages(1).expires(wait).messages().await,
                }
            };
            let mut messages = timeout(limit, messages).await.context(ACTION)?.context(ACTION)?;
            while let Some(message) = timeout(limit, messages.next()).await.context(ACTION)? {
                let message = message.map_err(|error| broken(&error))?;
                let info = message.info().map_err(|error| broken(&error))?;
                self.has_caught_up = info.pending == 0;
                if info.stream_sequence >= self.next {
                    self.next = info.stream_sequence + 1;
                    let from = message.subject.rsplit('.').next().unwrap_or_default().to_owned();
                    found.push(Arrived { from, bytes: message.payload.to_vec() });
                }
            }
            if !found.is_empty() {
                return Ok(());
            }
            self.has_caught_up = true;
        }
        Ok(())
    }
}
