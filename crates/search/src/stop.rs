//! The flag that stops a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that tells a thinking player to answer now.
///
/// Clones share one flag: keep one and give another to the thread in which the player thinks.
///
/// ```
/// # use search::Stop;
/// let stop = Stop::new();
/// let other = stop.clone();
/// std::thread::spawn(move || other.set()).join().unwrap();
/// assert!(stop.is_set());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells the player to stop.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Takes the order back, so that the flag serves for the next move.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the player has to stop.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
