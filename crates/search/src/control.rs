//! How a search is ended from outside.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::clock::Moment;

/// When a search has to end: a flag that any thread may raise, a moment, a number of nodes.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    deadline: Option<Moment>,
    nodes: Option<u64>,
}

impl Control {
    /// A search that ends by itself, or when [`Control::stop`] is called.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, ending also after this time from now on.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Self {
        Self { deadline: Some(Moment::now().after(time)), ..self }
    }

    /// The same, ending also after about so many nodes; with one thread always after the same number.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// Ends the search within a few milliseconds.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether the search has to end, or has ended, before its time.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Looks at clock and nodes, and stops the search if one has run out.
    #[inline]
    pub(crate) fn check(&self, nodes: u64) {
        if self.nodes.is_some_and(|most| nodes >= most)
            || self.deadline.is_some_and(|deadline| Moment::now() >= deadline)
        {
            self.stop();
        }
    }
}
