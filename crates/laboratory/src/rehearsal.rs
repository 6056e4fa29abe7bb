//! Experiments as tests run them.

use std::sync::Arc;

use engine::{Limits, Stop};
use players::Registry;

use super::Setup;

/// The registry of Emilia and the random player.
pub fn core() -> Arc<Registry> {
    Arc::new(Registry::core())
}

/// A quick experiment in one thread, without progress reports.
pub fn setup<'a>(registry: &Arc<Registry>, stop: &'a Stop) -> Setup<'a> {
    Setup {
        registry: Arc::clone(registry),
        is_quick: true,
        settings: &[],
        seed: 1,
        threads: 1,
        rehearsal: None,
        checkpoint: None,
        stop,
        progress: Box::new(|_| {}),
    }
}

/// Runs a part of an experiment as it is, or stopped before it begins.
pub fn run<T>(registry: &Arc<Registry>, part: impl FnOnce(&mut Setup<'_>) -> T, is_stopped: bool) -> T {
    let stop = Stop::new();
    if is_stopped {
        stop.set();
    }
    part(&mut setup(registry, &stop))
}

/// Runs a part of an experiment with all players of its matches at one ply instead of their own limits.
pub fn rehearse<T>(registry: &Arc<Registry>, part: impl FnOnce(&mut Setup<'_>) -> T) -> T {
    let stop = Stop::new();
    part(&mut Setup { rehearsal: Some(Limits::of_depth(1)), ..setup(registry, &stop) })
}
