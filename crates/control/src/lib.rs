//! The stop flag of a computation, the clock that measures it, its limits, and locks.
//!
//! This crate must depend on no other crate of the project.

pub mod clock;
mod control;
mod stop;

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

pub use control::Control;
pub use stop::Stop;

/// Locks a mutex, even if a thread panicked while it held the lock.
///
/// ```
/// let count = std::sync::Mutex::new(1);
/// *control::lock(&count) += 1;
/// assert_eq!(*control::lock(&count), 2);
/// ```
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Releases a lock until the condition may have changed, even if another thread panicked meanwhile.
pub fn wait<'a, T>(changed: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    changed.wait(guard).unwrap_or_else(PoisonError::into_inner)
}
