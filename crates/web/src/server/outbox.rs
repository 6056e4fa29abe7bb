//! Messages on their way to a client that may read slowly.

use std::collections::VecDeque;
use std::sync::Mutex;

use control::lock;
use tokio::sync::Notify;

use super::limits::{MAX_UNREAD, MAX_UNREAD_BYTES, UNREAD_PAUSE};

/// Beginning of every view; it replaces any view before it.
const VIEW: &str = r#"{"type":"view""#;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outgoing {
    Text(String),
    /// Are you there?
    Ping,
    Close(u16, &'static str),
}

/// Messages that wait until the client reads them. Their number and size have a limit.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    waiting: Mutex<Waiting>,
    changed: Notify,
    /// Notified when a message was sent and few are left.
    pub(crate) drained: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    messages: VecDeque<Outgoing>,
    bytes: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Overflow;

impl Outbox {
    /// Adds a message. A view takes the place of one that waits right before it.
    pub(crate) fn send(&self, text: String) -> Result<(), Overflow> {
        let mut waiting = lock(&self.waiting);
        if text.starts_with(VIEW)
            && let Some(Outgoing::Text(last)) = waiting.messages.back()
            && last.starts_with(VIEW)
        {
            waiting.bytes -= last.len();
            waiting.messages.pop_back();
        }
        waiting.bytes += text.len();
        waiting.messages.push_back(Outgoing::Text(text));
        self.changed.notify_one();
        let is_full = waiting.messages.len() > MAX_UNREAD || waiting.bytes > MAX_UNREAD_BYTES;
        if is_full { Err(Overflow) } else { Ok(()) }
    }

    /// Whether the client should read some of its waiting messages before it sends more.
    pub(crate) fn is_crowded(&self) -> bool {
        lock(&self.waiting).messages.len() > UNREAD_PAUSE
    }

    pub(crate) fn ping(&self) {
        let mut waiting = lock(&self.waiting);
        if waiting.messages.is_empty() {
            waiting.messages.push_back(Outgoing::Ping);
            self.changed.notify_one();
        }
    }

    pub(crate) fn close(&self, code: u16, reason: &'static str) {
        lock(&self.waiting).messages.push_back(Outgoing::Close(code, reason));
        self.changed.notify_one();
    }

    pub(crate) async fn next(&self) -> Outgoing {
        loop {
            let message = {
                let mut waiting = lock(&self.waiting);
                let message = waiting.messages.pop_front();
                if let Some(Outgoing::Text(text)) = &message {
                    waiting.bytes -= text.len();
                }
                if waiting.messages.len() == UNREAD_PAUSE {
                    self.drained.notify_one();
                }
                message
            };
            match message {
                Some(message) => return message,
                None => self.changed.notified().await,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn view(number: u32) -> String {
        format!("{VIEW},\"number\":{number}}}")
    }

    #[tokio::test]
    async fn only_the_last_of_several_views_waits_and_everything_else_stays_in_order() {
        let outbox = Outbox::default();
        for text in [view(1), view(2), "a".to_owned(), "b".to_owned(), view(3), view(4)] {
            outbox.send(text).unwrap();
        }
        outbox.close(1000, "bye");
        for text in [view(2), "a".to_owned(), "b".to_owned(), view(4)] {
            assert_eq!(outbox.next().await, Outgoing::Text(text));
        }
        assert_eq!(outbox.next().await, Outgoing::Close(1000, "bye"));
        assert_eq!(lock(&outbox.waiting).bytes, 0);
    }

    #[tokio::test]
    async fn a_crowd_is_over_when_few_messages_are_left() {
        let outbox = Outbox::default();
        for _ in 0..2 * UNREAD_PAUSE {
            outbox.send("x".to_owned()).unwrap();
        }
        assert!(outbox.is_crowded());
        let mut sent = 0;
        while outbox.is_crowded() {
            assert!(outbox.drained.notified().now_or_never().is_none(), "{sent} messages were sent");
            outbox.next().await;
            sent += 1;
        }
        assert_eq!(sent, UNREAD_PAUSE);
        outbox.drained.notified().await;
    }

    #[test]
    fn what_waits_has_a_limit_but_views_never_reach_it() {
        let outbox = Outbox::default();
        for number in 0..10_000 {
            assert_eq!(outbox.send(view(number)), Ok(()));
        }
        let count = (0..10_000).take_while(|_| outbox.send("x".to_owned()).is_ok()).count();
        assert_eq!(count, MAX_UNREAD - 1);
        let outbox = Outbox::default();
        assert_eq!(outbox.send("x".repeat(MAX_UNREAD_BYTES + 1)), Err(Overflow));
    }
}
