//! Work on many positions: on all processors, with progress on standard error, and with a count of the differences.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use control::lock;

/// Further differences are counted, not printed.
const PRINTED: u64 = 10;

/// Positions that are processed in batches.
pub(crate) struct Batches<'a> {
    /// Participle that follows the number of positions in messages, such as "compared".
    pub(crate) what: &'a str,
    /// Number of positions.
    pub(crate) total: u64,
    /// Number of positions to skip: whole batches only.
    pub(crate) skip: u64,
    /// Number of positions of a batch.
    pub(crate) size: u64,
}

impl Batches<'_> {
    /// Processes all batches, prints the first differences, and returns their number.
    ///
    /// `work` gets the number of a batch and the number of its positions. Its result must depend on nothing else, so
    /// that a difference is found again, whichever thread takes the batch.
    pub(crate) fn process(&self, work: impl Fn(u64, u64) -> Vec<String> + Sync) -> u64 {
        let Self { what, total, skip, size } = *self;
        let start = Instant::now();
        let first = skip.min(total) / size;
        let next = AtomicU64::new(first);
        let done = AtomicU64::new(first * size);
        let differences = Mutex::new(0);
        let processors = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            let process = || {
                loop {
                    let batch = next.fetch_add(1, Relaxed);
                    let Some(left) = total.checked_sub(batch * size).filter(|&left| left > 0) else { return };
                    for difference in work(batch, size.min(left)) {
                        let mut count = lock(&differences);
                        *count += 1;
                        if *count <= PRINTED {
                            eprintln!("difference: {difference}");
                        }
                    }
                    done.fetch_add(size.min(left), Relaxed);
                }
            };
            let workers: Vec<_> = (0..processors).map(|_| scope.spawn(process)).collect();
            show_progress(&workers, || format!("{} of {total} positions {what}", done.load(Relaxed)));
        });
        let differences = differences.into_inner().unwrap_or_else(PoisonError::into_inner);
        let count = total - first * size;
        println!("{count} positions {what}: {differences} differences in {:.1} s", start.elapsed().as_secs_f64());
        differences
    }
}

/// Until all workers are finished, shows how far they are: each second on a terminal, otherwise every half minute.
pub(crate) fn show_progress(workers: &[ScopedJoinHandle<'_, ()>], progress: impl Fn() -> String) {
    let is_terminal = std::io::stderr().is_terminal();
    let interval = Duration::from_secs(if is_terminal { 1 } else { 30 });
    let mut shown = Instant::now();
    while !workers.iter().all(|worker| worker.is_finished()) {
        thread::sleep(Duration::from_millis(20));
        if shown.elapsed() > interval {
            shown = Instant::now();
            let (before, after) = if is_terminal { ("\r", "") } else { ("", "\n") };
            eprint!("{before}{}{after}", progress());
        }
    }
    if is_terminal {
        eprint!("\r\x1b[K");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_that_is_not_skipped_is_processed_once() {
        let processed = Mutex::new(Vec::new());
        let batches = Batches { what: "processed", total: 25, skip: 12, size: 10 };
        let differences = batches.process(|batch, size| {
            processed.lock().unwrap().extend(batch * 10..batch * 10 + size);
            vec!["a difference".to_owned(); size as usize]
        });
        let mut processed = processed.into_inner().unwrap();
        processed.sort_unstable();
        assert_eq!(processed, (10..25).collect::<Vec<_>>());
        assert_eq!(differences, 15);
    }
}
