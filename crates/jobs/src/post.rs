//! Letters between the parties of work that is done in several places at the same time.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The number of a party in a conversation.
pub type Party = u32;

/// What somebody sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letter {
    /// Who says to have sent it.
    pub from: Party,
    /// What it says.
    pub bytes: Vec<u8>,
}

/// Carries letters between the parties of conversations.
pub trait Post: Send + Sync {
    /// The mailbox of a party. Conversations have names that nobody guesses. The error is a sentence.
    fn open(&self, conversation: &str, party: Party) -> Result<Box<dyn Mailbox>, String>;
}

/// What a party sends and receives.
///
/// Letters from one party to another keep their order. Any of them may be lost, for example with a connection.
pub trait Mailbox: Send {
    /// Sends a letter, without waiting.
    fn send(&mut self, to: Party, bytes: Vec<u8>);

    /// The next letter; waits for it at most this long.
    fn receive(&mut self, patience: Duration) -> Option<Letter>;
}

/// Where the letters to a party of a conversation go.
type Boxes = HashMap<(String, Party), Sender<Letter>>;

/// Conversations inside of this process.
#[derive(Clone, Debug, Default)]
pub struct LocalPost(Arc<Mutex<Boxes>>);

#[derive(Debug)]
struct LocalMailbox {
    post: LocalPost,
    conversation: String,
    me: Party,
    inbox: Receiver<Letter>,
}

impl Post for LocalPost {
    fn open(&self, conversation: &str, party: Party) -> Result<Box<dyn Mailbox>, String> {
        let (sender, inbox) = channel();
        let conversation = conversation.to_owned();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert((conversation.clone(), party), sender);
        Ok(Box::new(LocalMailbox { post: self.clone(), conversation, me: party, inbox }))
    }
}

impl Mailbox for LocalMailbox {
    fn send(&mut self, to: Party, bytes: Vec<u8>) {
        let boxes = self.post.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = boxes.get(&(self.conversation.clone(), to)) {
            // A party that has left does not read it.
            let _ = sender.send(Letter { from: self.me, bytes });
        }
    }

    fn receive(&mut self, patience: Duration) -> Option<Letter> {
        match patience.is_zero() {
            true => self.inbox.try_recv().ok(),
            false => self.inbox.recv_timeout(patience).ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_reach_their_party_in_order_and_no_other_conversation() {
        let post = LocalPost::default();
        let mut first = post.open("a", 0).unwrap();
        let mut second = post.open("a", 1).unwrap();
        let mut stranger = post.open("b", 0).unwrap();
        (0..3).for_each(|number| second.send(0, vec![number]));
        second.send(7, vec![9]);
        for number in 0..3 {
            assert_eq!(first.receive(Duration::ZERO), Some(Letter { from: 1, bytes: vec![number] }));
        }
        assert_eq!(first.receive(Duration::from_millis(1)), None);
        assert_eq!(stranger.receive(Duration::ZERO), None);
    }
}
