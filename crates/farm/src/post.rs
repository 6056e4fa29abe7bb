//! Letters over NATS: subjects without a stream, because a letter that arrives late is of no use.

use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use async_nats::Client;
use futures_util::StreamExt;
use jobs::{Letter, Mailbox, Party, Post};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::connection::FarmError;
use crate::names;

/// A letter begins with the number of its sender.
const SENDER_BYTES: usize = size_of::<Party>();

/// The longest letter that is read.
const LONGEST_LETTER: usize = 1 << 20;

/// Carries letters over a connection.
#[derive(Clone, Debug)]
pub struct NatsPost {
    client: Client,
    runtime: Handle,
}

impl NatsPost {
    /// Letters over this connection, whose runtime this is.
    pub(crate) fn new(client: Client, runtime: Handle) -> Self {
        Self { client, runtime }
    }
}

impl Post for NatsPost {
    /// Not to be called from a thread of the runtime itself.
    fn open(&self, conversation: &str, party: Party) -> Result<Box<dyn Mailbox>, String> {
        let subject = names::letter_subject(conversation, party);
        let subscribed = self.runtime.block_on(async {
            let letters = self.client.subscribe(subject).await?;
            // The subscription is known to the server before anybody hears of this mailbox.
            self.client.flush().await.map_err(Box::<dyn std::error::Error + Send + Sync>::from)?;
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>(letters)
        });
        let mut letters =
            subscribed.map_err(|error| FarmError::new("cannot receive letters", error.as_ref()).to_string())?;
        let (arrived, inbox) = mpsc::channel();
        let receiving = self.runtime.spawn(async move {
            while let Some(message) = letters.next().await {
                let Some((from, bytes)) = message.payload.split_first_chunk::<SENDER_BYTES>() else { continue };
                if bytes.len() > LONGEST_LETTER {
                    continue;
                }
                let letter = Letter { from: Party::from_le_bytes(*from), bytes: bytes.to_vec() };
                if arrived.send(letter).is_err() {
                    break;
                }
            }
        });
        let (outbox, mut to_send) = unbounded_channel::<(String, Vec<u8>)>();
        let client = self.client.clone();
        self.runtime.spawn(async move {
            // Ends when the mailbox is dropped and everything is sent.
            while let Some((subject, bytes)) = to_send.recv().await {
                let _ = client.publish(subject, bytes.into()).await;
            }
        });
        let conversation = conversation.to_owned();
        Ok(Box::new(NatsMailbox { conversation, me: party, inbox, outbox, receiving }))
    }
}

struct NatsMailbox {
    conversation: String,
    me: Party,
    inbox: Receiver<Letter>,
    outbox: UnboundedSender<(String, Vec<u8>)>,
    receiving: JoinHandle<()>,
}

impl Mailbox for NatsMailbox {
    fn send(&mut self, to: Party, bytes: Vec<u8>) {
        let subject = names::letter_subject(&self.conversation, to);
        let bytes = [&self.me.to_le_bytes()[..], &bytes].concat();
        // Without a runtime there is no connection.
        let _ = self.outbox.send((subject, bytes));
    }

    fn receive(&mut self, patience: Duration) -> Option<Letter> {
        match patience.is_zero() {
            true => self.inbox.try_recv().ok(),
            false => self.inbox.recv_timeout(patience).ok(),
        }
    }
}

impl Drop for NatsMailbox {
    fn drop(&mut self) {
        self.receiving.abort();
    }
}
