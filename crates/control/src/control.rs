//! The limits of a search: a flag, a time, a number of nodes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::clock::{self, Moment, NoClock};
use crate::stop::Stop;

/// Limits of a search: a flag that any thread may set, a time limit, a node limit.
#[derive(Debug, Default)]
pub struct Control {
    stop: Stop,
    deadline: Option<Moment>,
    nodes: Option<u64>,
    /// Time or nodes have run out, or a part of the search has read the set flag. The flag itself belongs to the caller,
    /// who may clear it before all parts of the search have read it.
    spent: AtomicBool,
    checked_nodes: AtomicU64,
}

impl Control {
    /// A search without limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a flag: the search ends within a few milliseconds after it is set. Its poll hook, if it has one
    /// ([`Stop::with_poll`]), is called whenever the search checks the clock.
    #[must_use]
    pub fn with_stop(self, stop: Stop) -> Self {
        Self { stop, ..self }
    }

    /// The flag that stops the search.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Adds a time limit, counted from now; an error if there is no clock, because such a search would never end.
    pub fn with_time(self, time: Duration) -> Result<Self, NoClock> {
        if !clock::is_running() {
            return Err(NoClock);
        }
        Ok(Self { deadline: Some(Moment::now().after(time)), ..self })
    }

    /// Adds an approximate node limit; with one thread the search always ends at the same node.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// Whether the search has been stopped or has to stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        // If one part of the search has read the set flag, all parts must stop: a flag that is cleared meanwhile must not
        // make an incomplete search look complete.
        if self.stop.is_set() {
            self.spent.store(true, Relaxed);
        }
        self.spent.load(Relaxed)
    }

    /// The approximate number of nodes so far, for an observer in another thread.
    pub fn nodes(&self) -> u64 {
        self.checked_nodes.load(Relaxed)
    }

    /// Stops the search because a part of it has failed.
    pub fn end(&self) {
        self.spent.store(true, Relaxed);
    }

    /// Checks the clock and the node limit, calls the poll hook, and stops the search if necessary.
    #[inline]
    pub fn check(&self, nodes: u64) {
        self.checked_nodes.fetch_max(nodes, Relaxed);
        let spent_nodes = self.nodes.is_some_and(|max| nodes >= max);
        let spent_time = self.deadline.is_some_and(|deadline| Moment::now() >= deadline);
        if spent_nodes || spent_time || self.stop.poll() {
            self.spent.store(true, Relaxed);
        }
    }
}
