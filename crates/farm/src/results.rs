//! Reading the results of a campaign, from the first one on, also across restarts of the server.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull};
use futures_util::StreamExt;
use jobs::ContentId;

use crate::connection::{FarmError, Server};
use crate::names;

/// Maximum number of messages of a request.
const BATCH: usize = 128;
/// Time after which the server removes a reader that fetches nothing.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(300);

/// A message with the name under which it was sent: the last part of its subject.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Arrived {
    pub(crate) from: String,
    pub(crate) bytes: Vec<u8>,
}

/// Reads the results of a campaign.
#[derive(Debug)]
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
        let broken = |error: &dyn std::error::Error| FarmError::new("cannot read results", error);
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
                self.consumer.insert(stream.create_consumer(config).await.map_err(|error| broken(&error))?)
            }
        };
        // First the waiting messages, without a delay; if there are none, wait for one.
        for (max, expires) in [(BATCH, None), (1, Some(wait))] {
            let limit = wait + Duration::from_secs(5);
            let mut messages = match expires {
                None => tokio::time::timeout(limit, consumer.fetch().max_messages(max).messages()).await,
                Some(time) => {
                    tokio::time::timeout(limit, consumer.batch().max_messages(max).expires(time).messages()).await
                }
            }
            .map_err(|error| broken(&error))?
            .map_err(|error| broken(&error))?;
            while let Some(message) =
                tokio::time::timeout(limit, messages.next()).await.map_err(|error| broken(&error))?
            {
                let message = message.map_err(|error| FarmError(format!("cannot read results: {error}")))?;
                let (sequence, pending) = match message.info() {
                    Ok(info) => (info.stream_sequence, info.pending),
                    Err(error) => return Err(FarmError(format!("cannot read results: {error}"))),
                };
                self.has_caught_up = pending == 0;
                if sequence >= self.next {
                    self.next = sequence + 1;
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
