//! Parallel loops: the same work on every item of a list, with the results in the order of the items.

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

/// Does the work on every item with this number of threads. The results are in the order of the items, so that sums over them
/// do not depend on the threads.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    match ThreadPoolBuilder::new().num_threads(threads.clamp(1, items.len().max(1))).build() {
        Ok(pool) => pool.install(|| items.par_iter().map(&work).collect()),
        // Without threads the work is done here.
        Err(_) => items.iter().map(work).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        for threads in [0, 1, 3, 200] {
            let slow_first = |&item: &u64| {
                std::thread::sleep(std::time::Duration::from_micros(500 - 5 * item));
                item * item
            };
            assert!(map(&items, threads, slow_first).into_iter().eq((0..100).map(|item| item * item)));
        }
        assert!(map(&[] as &[u64], 2, |item| *item).is_empty());
    }
}
