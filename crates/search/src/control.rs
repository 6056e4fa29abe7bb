//! How a search is ended from outside.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::clock::{self, Moment, NoClock};
use crate::stop::Stop;

/// When a search has to end: a flag that any thread may set, a moment, a number of nodes.
#[derive(Debug, Default)]
pub struct Control {
    stop: Stop,
    deadline: Option<Moment>,
    nodes: Option<u64>,
    /// Time or nodes have run out, or the flag was seen set. The flag itself is the caller's: it stays as it
    /// is, and may be cleared before all parts of the search have seen it.
    spent: AtomicBool,
    /// The nodes at the last look.
    seen: AtomicU64,
}

impl Control {
    /// A search that ends by itself.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, ending also within a few milliseconds after the flag is set. Its poll hook, if it has one
    /// ([`Stop::with_poll`]), is called wherever the search looks at the clock.
    #[must_use]
    pub fn with_stop(self, stop: Stop) -> Self {
        Self { stop, ..self }
    }

    /// The flag that stops it.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The same, ending also after this time from now on; an error where there is no clock, because such a search
    /// would never end.
    pub fn with_time(self, time: Duration) -> Result<Self, NoClock> {
        if !clock::is_running() {
            return Err(NoClock);
        }
        Ok(Self { deadline: Some(Moment::now().after(time)), ..self })
    }

    /// The same, ending also after about this many nodes; with one thread always after the same number.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// Whether the search has to end, or has ended, before its time.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        // What a part of the search has once seen, the others must see too: a flag that is cleared meanwhile
        // must not let the half of a search pass for the whole.
        if self.stop.is_set() {
            self.spent.store(true, Relaxed);
        }
        self.spent.load(Relaxed)
    }

    /// About how many nodes the search has had so far, for someone who watches from another thread.
    pub fn nodes(&self) -> u64 {
        self.seen.load(Relaxed)
    }

    /// Ends the search because a part of it has failed.
    pub(crate) fn end(&self) {
        self.spent.store(true, Relaxed);
    }

    /// Looks at clock and nodes and calls the poll hook, and stops the search if one has run out or the hook says so.
    #[inline]
    pub(crate) fn check(&self, nodes: u64) {
        self.seen.fetch_max(nodes, Relaxed);
        let spent_nodes = self.nodes.is_some_and(|most| nodes >= most);
        let spent_time = self.deadline.is_some_and(|deadline| Moment::now() >= deadline);
        if spent_nodes || spent_time || self.stop.poll() {
            self.spent.store(true, Relaxed);
        }
    }
}
