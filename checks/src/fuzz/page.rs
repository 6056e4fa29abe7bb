//! `cargo xtask fuzz page`: any number of messages to the host of a page, valid and broken ones, with jobs that are done, stopped
//! and cut at odd moments.

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use othello::random::Random;

use super::{message_of, silence_panics};
use crate::target_directory;

#[path = "../../../crates/web/tests/dialogue/mod.rs"]
pub(crate) mod dialogue;

use dialogue::{Benches, Counts, MESSAGES};

/// The run ends after this many failures.
const FAILURES: usize = 5;

/// A dialogue that takes longer has a search that does not end.
const SLOW: Duration = Duration::from_secs(60);

/// Plays dialogues until so many messages were sent, or until the time is over.
pub(super) fn run(messages: u64, deadline: Option<Instant>, seed: u64) -> Result<()> {
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let found = Mutex::new((Counts::default(), Vec::<String>::new(), Duration::ZERO));
    let is_over = || match deadline {
        Some(deadline) => Instant::now() >= deadline,
        None => found.lock().unwrap_or_else(PoisonError::into_inner).0.messages >= messages,
    };
    let work = || {
        let mut benches = Benches::new();
        while !stop.load(Ordering::Relaxed) && !is_over() {
            let number = Random::of_item(seed, next.fetch_add(1, Ordering::Relaxed)).bits();
            let begun = Instant::now();
            let outcome = panic::catch_unwind(AssertUnwindSafe(|| dialogue::play(number, &mut benches)));
            let time = begun.elapsed();
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.2 = found.2.max(time);
            match outcome {
                Ok(counts) => found.0.add(&counts),
                Err(payload) => {
                    benches = Benches::new();
                    found.0.messages += MESSAGES as u64;
                    found.1.push(save(number, &message_of(&*payload)));
                }
            }
            if time > SLOW {
                found.1.push(save(number, &format!("took {:.1} s", time.as_secs_f64())));
            }
            if found.1.len() >= FAILURES {
                stop.store(true, Ordering::Relaxed);
            }
        }
    };
    let silenced = silence_panics();
    let threads = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    drop(silenced);
    let (counts, failures, slowest) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let Counts { messages, requests, malformed, errors, views, jobs } = counts;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{messages} messages in {seconds:.1} s: {requests} requests ({malformed} malformed, {errors} errors), {views} views, \
         {jobs} jobs; the slowest dialogue took {:.1} s: {} failures",
        slowest.as_secs_f64(),
        failures.len()
    );
    for failure in &failures {
        eprintln!("{failure}");
    }
    ensure!(failures.is_empty(), "{} dialogues failed", failures.len());
    Ok(())
}

/// Saves a dialogue that failed, and says how to play it again.
fn save(number: u64, reason: &str) -> String {
    let folder = target_directory().join("fuzz");
    let path = folder.join(format!("page-{number:016x}"));
    let first: String = reason.lines().next().unwrap_or_default().chars().take(300).collect();
    match fs::create_dir_all(&folder).and_then(|()| fs::write(&path, format!("{number}\n{reason}\n"))) {
        Ok(()) => format!("page: {first}\n  again: cargo xtask fuzz page --replay {}", path.display()),
        Err(error) => format!("page: {first}\n  the dialogue {number} could not be saved: {error}"),
    }
}

/// Plays a saved dialogue again.
pub(super) fn replay(path: &Path) -> Result<()> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let number = text.lines().next().unwrap_or_default();
    let number = number.parse().with_context(|| format!("{} does not begin with a number", path.display()))?;
    if panic::catch_unwind(|| dialogue::play(number, &mut Benches::new())).is_err() {
        bail!("the dialogue fails");
    }
    println!("the dialogue ends without a failure");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_dialogues_end_well() {
        run(2 * MESSAGES as u64, None, 1).expect("no failure");
    }
}
