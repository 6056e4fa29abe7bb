//! Interrupting a search: by a flag, a number of positions, or time.

use std::time::Duration;

use crate::Stop;
use crate::clock::Moment;

/// The clock and the flag are checked after this many positions: some tens of microseconds for these programs.
pub const INTERVAL: u64 = 256;

/// Counts the positions of a search and decides when it has to end.
#[derive(Clone, Debug)]
pub struct Interruption<'a> {
    stop: &'a Stop,
    start: Moment,
    nodes: u64,
    node_limit: u64,
    time_limit: Duration,
    is_due: bool,
    is_armed: bool,
}

impl<'a> Interruption<'a> {
    /// A search that begins now and ends with the flag, after this many positions or after a time.
    ///
    /// It is armed only by [`arm`](Self::arm), so that a first, short iteration always finds a move.
    pub fn new(stop: &'a Stop, nodes: Option<u64>, time: Option<Duration>) -> Self {
        Self {
            stop,
            start: Moment::now(),
            nodes: 0,
            node_limit: nodes.unwrap_or(u64::MAX),
            time_limit: time.unwrap_or(Duration::MAX),
            is_due: false,
            is_armed: false,
        }
    }

    /// The same, armed from the beginning: no result is needed first. The flag is then polled exactly once every
    /// [`INTERVAL`] positions.
    #[must_use]
    pub fn armed(self) -> Self {
        Self { is_armed: true, ..self }
    }

    /// From now on the search may be ended.
    pub fn arm(&mut self) {
        self.is_armed = true;
        self.is_due |= self.looks_due();
    }

    /// Counts a position; true if the search has to end. Once it is true it stays so.
    #[inline]
    pub fn count(&mut self) -> bool {
        self.nodes += 1;
        if self.is_armed && (self.nodes >= self.node_limit || self.nodes.is_multiple_of(INTERVAL)) {
            self.is_due |= self.looks_due();
        }
        self.is_due
    }

    /// Whether the search has to end, checked immediately.
    pub fn is_due(&mut self) -> bool {
        if self.is_armed {
            self.is_due |= self.looks_due();
        }
        self.is_due
    }

    /// The reason to end concerned a part of the search only, which was left: the rest continues. Clears the flag.
    pub fn resume(&mut self) {
        self.stop.clear();
        self.is_due = false;
    }

    /// Whether the time is over.
    pub fn is_late(&self) -> bool {
        self.start.elapsed() >= self.time_limit
    }

    /// Sets another number of positions, counted from the beginning of the search.
    pub fn set_nodes(&mut self, nodes: u64) {
        self.node_limit = nodes;
    }

    /// The positions counted so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The time since the beginning.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn looks_due(&self) -> bool {
        self.stop.poll() || self.nodes >= self.node_limit || self.start.elapsed() >= self.time_limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_ends_at_its_limit_and_not_before_it_is_armed() {
        let stop = Stop::new();
        let mut search = Interruption::new(&stop, Some(10), None);
        assert!((0..50).all(|_| !search.count()));
        search.arm();
        assert!(search.is_due() && search.count());
        let mut search = Interruption::new(&stop, Some(10), None);
        search.arm();
        assert_eq!((1..).find(|_| search.count()), Some(10));
        assert_eq!(search.nodes(), 10);
    }

    #[test]
    fn the_flag_and_the_time_are_noticed() {
        let stop = Stop::new();
        let mut search = Interruption::new(&stop, None, None);
        search.arm();
        assert!((0..1000).all(|_| !search.count()));
        stop.set();
        assert!((0..INTERVAL).any(|_| search.count()));
        stop.clear();
        assert!(search.count(), "what has ended stays so");
        let mut search = Interruption::new(&stop, None, Some(Duration::ZERO));
        search.arm();
        assert!(search.is_due());
    }
}
