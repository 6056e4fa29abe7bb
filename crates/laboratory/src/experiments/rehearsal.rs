//! How tests run experiments.

use engine::{Limits, Stop};

use super::Setup;

/// A quick experiment in one thread, without progress reports.
pub(super) fn setup(stop: &Stop) -> Setup<'_> {
    // A closure without captures has no size: nothing is leaked.
    let progress = Box::leak(Box::new(|_: &str| {}));
    Setup { is_quick: true, settings: &[], seed: 1, threads: 1, rehearsal: None, checkpoint: None, stop, progress }
}

/// Runs a part of an experiment as it is, or stopped before it begins.
pub(super) fn run<T>(part: impl FnOnce(&mut Setup<'_>) -> T, is_stopped: bool) -> T {
    let stop = Stop::new();
    if is_stopped {
        stop.set();
    }
    part(&mut setup(&stop))
}

/// Runs a part of an experiment with all players of its matches at one ply instead of their own limits.
pub(super) fn rehearse<T>(part: impl FnOnce(&mut Setup<'_>) -> T) -> T {
    let stop = Stop::new();
    part(&mut Setup { rehearsal: Some(Limits::of_depth(1)), ..setup(&stop) })
}
