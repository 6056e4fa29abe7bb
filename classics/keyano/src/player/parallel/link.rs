//! Communication of the parties of a parallel search: messages, and nothing else.
//!
//! The search asks only for a [`Link`]. Threads implement it (`threads.rs`), and so does a simulation
//! in virtual time (`virtual_time.rs`); messages are plain data that serde can write and read, so
//! that other machines can implement it too.

/// The number of a party. The manager of APHID, or the party that has the root in Young Brothers Wait, is number 0.
pub type PartyNumber = usize;

/// The party that plays the move.
pub const FIRST: PartyNumber = 0;

/// An event at a party.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event<M> {
    /// Another party sent this.
    Message {
        /// The sender.
        from: PartyNumber,
        /// The content.
        message: M,
    },
    /// Another party has left or can no longer be reached. It sends no more messages.
    Lost(PartyNumber),
}

/// A party's connection to all others.
///
/// Time is counted in nodes: a thread takes a node for a microsecond. A party that drops its link has left, and the
/// others get [`Event::Lost`].
pub trait Link<M>: Send {
    /// The number of this party.
    fn me(&self) -> PartyNumber;

    /// The number of all parties, including those that have left.
    fn parties(&self) -> usize;

    /// Sends a message. It arrives unless the receiver is lost; messages from one party to another keep their order.
    fn send(&mut self, to: PartyNumber, message: M);

    /// This party has searched this many nodes since it last said so.
    fn worked(&mut self, nodes: u64);

    /// The events that have arrived, without waiting.
    fn receive(&mut self) -> Option<Event<M>>;

    /// Waits for something to arrive, at most for the time of this many nodes.
    fn wait(&mut self, patience: u64) -> Option<Event<M>>;

    /// The time since the beginning, in nodes.
    fn now(&self) -> u64;
}
