//! Links between the threads of one program.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use engine::clock::Moment;

use super::link::{Event, FIRST, Link, PartyNumber};

/// The link of a thread.
#[derive(Debug)]
pub(crate) struct ThreadLink<M> {
    me: PartyNumber,
    others: Vec<Sender<Event<M>>>,
    inbox: Receiver<Event<M>>,
    start: Moment,
}

/// The link of the first party and those of this many others.
pub(crate) fn links<M>(others: usize) -> (ThreadLink<M>, Vec<ThreadLink<M>>) {
    let (sender, inbox_of_first) = channel();
    let (mut senders, inboxes): (Vec<_>, Vec<_>) = (0..others).map(|_| channel()).unzip();
    senders.insert(FIRST, sender);
    let start = Moment::now();
    let link = |(me, inbox)| ThreadLink { me, others: senders.clone(), inbox, start };
    (link((FIRST, inbox_of_first)), (FIRST + 1..).zip(inboxes).map(link).collect())
}

impl<M: Send> Link<M> for ThreadLink<M> {
    fn me(&self) -> PartyNumber {
        self.me
    }

    fn parties(&self) -> usize {
        self.others.len()
    }

    fn send(&mut self, to: PartyNumber, message: M) {
        // A receiver that has left is announced as lost.
        let _ = self.others[to].send(Event::Message { from: self.me, message });
    }

    fn worked(&mut self, _: u64) {}

    fn receive(&mut self) -> Option<Event<M>> {
        self.inbox.try_recv().ok()
    }

    fn wait(&mut self, patience: u64) -> Option<Event<M>> {
        self.inbox.recv_timeout(Duration::from_micros(patience)).ok()
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_micros() as u64
    }
}

impl<M> Drop for ThreadLink<M> {
    fn drop(&mut self) {
        for (number, other) in self.others.iter().enumerate() {
            if number != self.me {
                let _ = other.send(Event::Lost(self.me));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_in_order_and_a_thread_that_ends_is_lost() {
        let (mut first, mut links) = links::<u32>(2);
        let mut third = links.pop().unwrap();
        let mut second = links.pop().unwrap();
        std::thread::spawn(move || {
            (1..=3).for_each(|number| second.send(0, number));
            assert_eq!(second.wait(5_000_000), Some(Event::Message { from: 2, message: 7 }));
        });
        third.send(1, 7);
        let heard: Vec<_> = (0..4).map(|_| first.wait(5_000_000)).collect();
        let message = |message| Some(Event::Message { from: 1, message });
        assert_eq!(heard, [message(1), message(2), message(3), Some(Event::Lost(1))]);
        assert_eq!((first.receive(), first.wait(1)), (None, None));
        assert_eq!((first.me(), first.parties(), third.me()), (0, 3, 2));
    }
}
