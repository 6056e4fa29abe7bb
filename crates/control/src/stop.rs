//! The flag that stops a computation.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that stops a computation; a player whose flag is set answers immediately.
///
/// Clones share one flag: keep one and pass another to the thread that computes.
///
/// ```
/// # use control::Stop;
/// let stop = Stop::new();
/// let other = stop.clone();
/// std::thread::spawn(move || other.set()).join().unwrap();
/// assert!(stop.is_set());
/// ```
///
/// If no other thread can set the flag, as in a Web Worker that runs the search itself, a flag with a poll hook
/// ([`Stop::with_poll`]) reads from the host whether to stop.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Flag>);

#[derive(Default)]
struct Flag {
    is_set: AtomicBool,
    poll: Option<Box<dyn Fn() -> bool + Send + Sync>>,
}

impl fmt::Debug for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { is_set, poll } = self;
        f.debug_struct("Flag").field("is_set", is_set).field("has_poll", &poll.is_some()).finish()
    }
}

impl Stop {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// A flag that is set as soon as the hook returns true.
    ///
    /// A search calls the hook in its own thread whenever it checks the clock: every few hundred nodes, which takes
    /// some tens of microseconds.
    ///
    /// ```
    /// # use control::Stop;
    /// let stop = Stop::with_poll(|| true);
    /// assert!(!stop.is_set());
    /// assert!(stop.poll());
    /// assert!(stop.is_set());
    /// ```
    pub fn with_poll(hook: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(Flag { is_set: AtomicBool::new(false), poll: Some(Box::new(hook)) }))
    }

    /// Sets the flag.
    pub fn set(&self) {
        self.0.is_set.store(true, Ordering::Relaxed);
    }

    /// Clears the flag, so that it can be used for the next computation.
    pub fn clear(&self) {
        self.0.is_set.store(false, Ordering::Relaxed);
    }

    /// Whether the flag is set.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.is_set.load(Ordering::Relaxed)
    }

    /// Calls the poll hook, if there is one, and returns whether the flag is set.
    #[inline]
    pub fn poll(&self) -> bool {
        if let Some(hook) = &self.0.poll
            && hook()
        {
            self.set();
        }
        self.is_set()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    #[test]
    fn a_hook_sets_the_flag_of_all_clones_and_a_cleared_flag_calls_the_hook_again() {
        let calls = Arc::new(AtomicU32::new(0));
        let counter = Arc::clone(&calls);
        let stop = Stop::with_poll(move || counter.fetch_add(1, Ordering::Relaxed) % 3 == 2);
        let other = stop.clone();
        assert_eq!([stop.poll(), stop.poll()], [false, false]);
        assert!(stop.poll() && other.is_set());
        other.clear();
        assert!(!stop.is_set());
        assert_eq!([stop.poll(), stop.poll(), stop.poll()], [false, false, true]);
        assert_eq!(calls.load(Ordering::Relaxed), 6);
    }

    #[test]
    fn without_a_hook_a_poll_only_reads_the_flag() {
        let stop = Stop::new();
        assert!(!stop.poll());
        stop.set();
        assert!(stop.poll());
    }
}
