//! Numbered work done by several threads, with the results returned in order.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

use control::Stop;

/// The maximum number of results waiting for the consumer.
const LEAD: usize = 256;

/// The order in which results are passed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultOrder {
    /// In the order of their numbers. Results after a missing one are discarded.
    ByNumber,
    /// As they come, so that none of them is lost when the work is interrupted. An executor on other machines may pass
    /// them on in the order of their numbers nevertheless.
    AsTheyEnd,
}

/// Does the work with these numbers and passes each result to `take` in order, until it breaks or a worker ends.
///
/// Every thread has its own worker, created by `worker` in that thread; a worker that returns `None` ends. Results
/// after a missing one are discarded.
pub fn in_order<T: Send, W: FnMut(u64) -> Option<T>>(
    numbers: Range<u64>,
    threads: usize,
    worker: impl Fn() -> W + Sync,
    take: impl FnMut(u64, T) -> ControlFlow<()>,
) {
    in_given_order(ResultOrder::ByNumber, numbers, threads, worker, take);
}

/// The same with the results in this order.
pub fn in_given_order<T: Send, W: FnMut(u64) -> Option<T>>(
    order: ResultOrder,
    numbers: Range<u64>,
    threads: usize,
    worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(u64, T) -> ControlFlow<()>,
) {
    let next = AtomicU64::new(numbers.start);
    let ended = Stop::new();
    // Results in the order of their ends need no lead: the consumer may end the work at any of them.
    let lead = if order == ResultOrder::AsTheyEnd { 0 } else { LEAD };
    let (sender, receiver) = mpsc::sync_channel(lead);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, next, ended, worker) = (sender.clone(), &next, &ended, &worker);
            scope.spawn(move || {
                let mut work = worker();
                while !ended.is_set() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let result = (number < numbers.end).then(|| work(number)).flatten();
                    if result.is_none_or(|result| sender.send((number, result)).is_err()) {
                        ended.set();
                    }
                }
            });
        }
        drop(sender);
        // Results that arrived before an earlier one.
        let mut waiting = BTreeMap::new();
        let mut due = numbers.start;
        let mut is_broken = false;
        let mut pass_on = |number, result| {
            if !is_broken && take(number, result).is_break() {
                is_broken = true;
                ended.set();
            }
        };
        for (number, result) in receiver {
            if order == ResultOrder::AsTheyEnd {
                pass_on(number, result);
                continue;
            }
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&due) {
                pass_on(due, result);
                due += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results of work in which small numbers take longest.
    fn results(threads: usize, gives_up: u64, breaks: u64) -> Vec<u64> {
        let mut results = Vec::new();
        let worker = || {
            move |number: u64| {
                std::thread::sleep(std::time::Duration::from_millis(5 * (3 - number % 4)));
                (number != gives_up).then_some(number * number)
            }
        };
        in_order(3..20, threads, worker, |number, result| {
            assert_eq!(result, number * number);
            results.push(number);
            if number == breaks { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        results
    }

    #[test]
    fn results_are_in_order_whichever_thread_finishes_first() {
        for threads in [1, 2, 5, 40] {
            assert!(results(threads, 99, 99).into_iter().eq(3..20), "{threads} threads");
        }
    }

    #[test]
    fn results_can_be_taken_as_they_end() {
        let mut results = Vec::new();
        // The first one waits until all others are taken.
        let (sender, receiver) = mpsc::channel();
        let receiver = std::sync::Mutex::new(receiver);
        let worker = || {
            |number: u64| {
                if number == 0 {
                    receiver.lock().expect("one thread waits").recv().expect("a word");
                }
                Some(number)
            }
        };
        in_given_order(ResultOrder::AsTheyEnd, 0..5, 2, worker, |number, _| {
            results.push(number);
            if results.len() == 4 {
                sender.send(()).expect("the first one waits");
            }
            ControlFlow::Continue(())
        });
        assert_eq!(results, [1, 2, 3, 4, 0]);
    }

    #[test]
    fn nothing_is_returned_after_a_break_or_a_missing_result() {
        for threads in [1, 4] {
            assert!(results(threads, 99, 9).into_iter().eq(3..=9), "{threads} threads");
            assert!(results(threads, 9, 99).into_iter().eq(3..9), "{threads} threads");
        }
    }
}
