//! Account of the chunks and results of a campaign: every result counts once, whatever messages arrive.
//!
//! The ledger has no server and no clock, so that everything that can happen to messages can be tried in tests. A
//! message may be lost, repeated, late, wrong or forged; the ledger decides what is to be submitted again.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

/// Number of workers that must fail at a chunk before it is set aside; with fewer workers, this many failures are enough.
const MAX_FAILURES: usize = 3;

/// Number of failures after which a chunk is set aside, even if one worker failed every time.
const MAX_ATTEMPTS: usize = 4 * MAX_FAILURES;

/// Items with consecutive numbers that one worker does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Chunk {
    /// The number of the first item.
    pub(crate) first: u64,
    pub(crate) count: u64,
    /// Number of times that it has been submitted, from 1.
    pub(crate) attempt: u32,
}

impl Chunk {
    fn numbers(&self) -> Range<u64> {
        self.first..self.first + self.count
    }
}

/// A chunk that was set aside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Aside {
    /// The number of its first item.
    pub(crate) first: u64,
    pub(crate) count: u64,
    /// Reason of its last failure.
    pub(crate) reason: String,
}

/// Numbers of messages that were refused, by reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Refused {
    /// They cannot be read.
    pub(crate) malformed: u64,
    /// They belong to another job or name items that were not requested.
    pub(crate) foreign: u64,
    /// Their results are known already.
    pub(crate) repeated: u64,
    /// Their results are wrong.
    pub(crate) wrong: u64,
    /// They come from a worker that was set aside.
    pub(crate) distrusted: u64,
}

impl Refused {
    /// All of them, repetitions not counted: those are normal after a failure.
    pub(crate) fn suspicious(&self) -> u64 {
        self.malformed + self.foreign + self.wrong + self.distrusted
    }
}

/// A result that waits for those before it.
#[derive(Debug)]
struct Received<T> {
    worker: String,
    /// `None` while the result is being computed again here.
    output: Option<T>,
}

#[derive(Debug)]
pub(crate) struct Ledger<T> {
    pub(crate) numbers: Range<u64>,
    /// Nothing from here on has been submitted yet.
    next: u64,
    /// The number of the next result to be passed on.
    due: u64,
    received: BTreeMap<u64, Received<T>>,
    /// The chunks that workers have, by their first numbers.
    open: BTreeMap<u64, Chunk>,
    again: VecDeque<Chunk>,
    /// Workers that failed at each chunk, in order.
    failures: BTreeMap<u64, Vec<String>>,
    aside: Vec<Aside>,
    distrusted: BTreeSet<String>,
    pub(crate) refused: Refused,
}

impl<T> Ledger<T> {
    pub(crate) fn new(numbers: Range<u64>) -> Self {
        Self {
            next: numbers.start,
            due: numbers.start,
            numbers,
            received: BTreeMap::new(),
            open: BTreeMap::new(),
            again: VecDeque::new(),
            failures: BTreeMap::new(),
            aside: Vec::new(),
            distrusted: BTreeSet::new(),
            refused: Refused::default(),
        }
    }

    fn is_known(&self, number: u64) -> bool {
        number < self.due || self.received.contains_key(&number)
    }

    pub(crate) fn done(&self) -> u64 {
        self.due - self.numbers.start + self.received.len() as u64
    }

    pub(crate) fn open_chunks(&self) -> usize {
        self.open.len()
    }

    /// The number of items that have not been submitted yet.
    pub(crate) fn left(&self) -> u64 {
        self.numbers.end.saturating_sub(self.next)
    }

    pub(crate) fn aside(&self) -> &[Aside] {
        &self.aside
    }

    /// Whether all results have arrived, apart from chunks that were set aside.
    pub(crate) fn is_over(&self) -> bool {
        let is_checking = || self.received.values().any(|received| received.output.is_none());
        self.next >= self.numbers.end && self.open.is_empty() && self.again.is_empty() && !is_checking()
    }

    /// The next chunk to submit, with at most `max` items; one that is to be submitted again comes first.
    pub(crate) fn next_chunk(&mut self, max: u64) -> Option<Chunk> {
        let mut again = std::iter::from_fn(|| self.again.pop_front());
        // A late result of an earlier attempt may have made another one unnecessary.
        let is_known = |number: &u64| *number < self.due || self.received.contains_key(number);
        let chunk = again.find(|chunk| !chunk.numbers().all(|number| is_known(&number)));
        let chunk = match chunk {
            Some(chunk) => chunk,
            None => self.new_chunk(max.max(1))?,
        };
        self.open.insert(chunk.first, chunk);
        Some(chunk)
    }

    fn new_chunk(&mut self, max: u64) -> Option<Chunk> {
        while self.next < self.numbers.end && self.is_known(self.next) {
            self.next += 1;
        }
        let first = self.next;
        let end = self.numbers.end.min(first.saturating_add(max));
        while self.next < end && !self.is_known(self.next) {
            self.next += 1;
        }
        (self.next > first).then_some(Chunk { first, count: self.next - first, attempt: 1 })
    }

    pub(crate) fn give_back(&mut self, chunk: Chunk) {
        if self.open.remove(&chunk.first).is_some() {
            self.again.push_front(chunk);
        }
    }

    /// Gives back a chunk that does not fit into a message, as two.
    pub(crate) fn split(&mut self, chunk: Chunk) {
        if self.open.remove(&chunk.first).is_some() {
            let half = chunk.count / 2;
            self.again.push_front(Chunk { first: chunk.first + half, count: chunk.count - half, ..chunk });
            self.again.push_front(Chunk { count: half, ..chunk });
        }
    }

    pub(crate) fn is_distrusted(&self, worker: &str) -> bool {
        self.distrusted.contains(worker)
    }

    pub(crate) fn is_missing(&self, number: u64) -> bool {
        self.numbers.contains(&number) && !self.is_known(number)
    }

    /// Whether some of these items belong to the campaign; the others may come from a run of the same job that wanted more.
    pub(crate) fn overlaps(&self, first: u64, count: u64) -> bool {
        first < self.numbers.end && first.saturating_add(count) > self.numbers.start
    }

    /// Accepts a result that is missing; one that is known counts as repeated. Without an output, it is passed on only after
    /// [`Ledger::confirm`].
    pub(crate) fn accept(&mut self, number: u64, worker: &str, output: Option<T>) {
        if self.is_missing(number) {
            self.received.insert(number, Received { worker: worker.to_owned(), output });
        } else {
            self.refused.repeated += 1;
        }
    }

    /// A result that was being checked is right.
    pub(crate) fn confirm(&mut self, number: u64, output: T) {
        if let Some(received) = self.received.get_mut(&number) {
            received.output.get_or_insert(output);
        }
    }

    /// The chunks that workers have and that may contain some of these items.
    fn touched(&self, first: u64, count: u64) -> Vec<Chunk> {
        let from = self.open.range(..=first).next_back().map_or(first, |(&first, _)| first);
        self.open.range(from..first.saturating_add(count)).map(|(_, chunk)| *chunk).collect()
    }

    /// Submits again a chunk that a worker has.
    fn resubmit(&mut self, chunk: Chunk) {
        self.open.remove(&chunk.first);
        self.again.push_back(Chunk { attempt: chunk.attempt + 1, ..chunk });
    }

    /// The results of these items have arrived: closes the chunks that are complete.
    pub(crate) fn close(&mut self, first: u64, count: u64) {
        for chunk in self.touched(first, count) {
            if chunk.numbers().all(|number| self.is_known(number)) {
                self.open.remove(&chunk.first);
                self.failures.remove(&chunk.first);
            }
        }
    }

    /// A worker could not do a chunk in this attempt: it is submitted again, or set aside. One machine on which something is
    /// wrong does not decide about a chunk if there are others, so `workers` is their number. Returns what was set aside.
    pub(crate) fn fail(
        &mut self,
        first: u64,
        attempt: u32,
        worker: &str,
        workers: usize,
        reason: &str,
    ) -> Option<Aside> {
        let Some(&chunk) = self.open.get(&first).filter(|chunk| chunk.attempt == attempt) else {
            self.refused.repeated += 1;
            return None;
        };
        let failures = self.failures.entry(chunk.first).or_default();
        failures.push(worker.to_owned());
        let different = failures.iter().collect::<BTreeSet<_>>().len();
        let is_hopeless = failures.len() >= MAX_FAILURES && different >= workers.clamp(1, MAX_FAILURES);
        if !is_hopeless && failures.len() < MAX_ATTEMPTS {
            self.resubmit(chunk);
            return None;
        }
        self.open.remove(&first);
        let aside = Aside { first: chunk.first, count: chunk.count, reason: reason.to_owned() };
        self.aside.push(aside.clone());
        Some(aside)
    }

    /// Accepts nothing more from this worker, which was set aside before.
    pub(crate) fn distrust_from_now_on(&mut self, worker: &str) {
        self.distrusted.insert(worker.to_owned());
    }

    /// Submits again the chunks of these items that workers have.
    pub(crate) fn reopen_some(&mut self, first: u64, count: u64) {
        for chunk in self.touched(first, count).into_iter().filter(|chunk| chunk.numbers().end > first) {
            self.resubmit(chunk);
        }
    }

    /// A worker sent something wrong for this item: nothing that it sent and that was not passed on yet counts, and
    /// nothing else is accepted from it. The chunk has not failed for that: others do it again.
    pub(crate) fn distrust(&mut self, worker: &str, number: u64) {
        self.refused.wrong += 1;
        self.distrusted.insert(worker.to_owned());
        let doubtful = self.received.extract_if(.., |_, received| received.worker == worker);
        let doubtful: Vec<u64> = doubtful.map(|(number, _)| number).collect();
        // The chunk with the wrong result has left the queue, unless the worker only pretends to have it.
        self.reopen_some(number, 1);
        let is_expected = |number: &u64| {
            let waits = self.again.iter().chain(self.open.values());
            waits.into_iter().any(|chunk| chunk.numbers().contains(number))
                || self.aside.iter().any(|aside| (aside.first..aside.first + aside.count).contains(number))
        };
        let missing = doubtful.into_iter().chain([number]).filter(|number| self.is_missing(*number));
        let missing: BTreeSet<u64> = missing.filter(|number| *number < self.next && !is_expected(number)).collect();
        for (first, count) in runs(&missing) {
            self.again.push_back(Chunk { first, count, attempt: 1 + self.refused.wrong as u32 });
        }
    }

    /// All chunks that workers have are submitted again: the queue has lost them, or was emptied.
    pub(crate) fn reopen(&mut self) {
        self.reopen_some(0, u64::MAX);
    }

    /// The next result in the order of the numbers, if it is known.
    pub(crate) fn take(&mut self) -> Option<(u64, T)> {
        let number = self.due;
        let output = self.received.get_mut(&number)?.output.take()?;
        self.received.remove(&number);
        self.due += 1;
        Some((number, output))
    }
}

/// The runs of consecutive numbers of a set.
fn runs(numbers: &BTreeSet<u64>) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((first, count)) if *first + *count == number => *count += 1,
            _ => runs.push((number, 1)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use othello::random::Random;

    use super::*;

    fn taken(ledger: &mut Ledger<u64>) -> Vec<(u64, u64)> {
        std::iter::from_fn(|| ledger.take()).collect()
    }

    /// All chunks that are left, as first number and count.
    fn chunks(ledger: &mut Ledger<u64>, max: u64) -> Vec<(u64, u64)> {
        std::iter::from_fn(|| ledger.next_chunk(max)).map(|chunk| (chunk.first, chunk.count)).collect()
    }

    #[test]
    fn results_are_passed_on_in_order_and_once() {
        let mut ledger = Ledger::new(10..20);
        let one = ledger.next_chunk(4).expect("a chunk");
        let two = ledger.next_chunk(100).expect("a chunk");
        assert_eq!((one, two.first, two.count), (Chunk { first: 10, count: 4, attempt: 1 }, 14, 6));
        assert_eq!(ledger.next_chunk(4), None);
        for number in two.numbers().chain(two.numbers()) {
            ledger.accept(number, "w", Some(number * 2));
        }
        ledger.close(two.first, two.count);
        assert_eq!((ledger.open_chunks(), ledger.refused.repeated), (1, 6));
        assert!(taken(&mut ledger).is_empty());
        one.numbers().for_each(|number| ledger.accept(number, "w", Some(number * 2)));
        ledger.close(12, 1);
        assert!(ledger.is_over());
        assert!(taken(&mut ledger).into_iter().eq((10..20).map(|number| (number, number * 2))));
        ledger.accept(11, "w", Some(0));
        ledger.accept(99, "w", Some(0));
        assert!(taken(&mut ledger).is_empty());
    }

    #[test]
    fn results_of_an_earlier_run_are_not_submitted_again() {
        let mut ledger = Ledger::new(0..10);
        [2, 3, 7].into_iter().for_each(|number| ledger.accept(number, "w", Some(number)));
        assert_eq!(chunks(&mut ledger, 8), [(0, 2), (4, 3), (8, 2)]);
    }

    #[test]
    fn a_chunk_that_fails_three_times_is_set_aside_and_blocks_nothing() {
        let mut ledger = Ledger::new(0..4);
        let bad = ledger.next_chunk(2).expect("a chunk");
        let good = ledger.next_chunk(2).expect("a chunk");
        assert_eq!(ledger.fail(bad.first, 1, "w", 1, "no memory"), None);
        // The same report again changes nothing.
        assert_eq!(ledger.fail(bad.first, 1, "w", 1, "no memory"), None);
        for attempt in 2..=3 {
            assert_eq!(ledger.next_chunk(9), Some(Chunk { attempt, ..bad }));
            let aside = ledger.fail(bad.first, attempt, "w", 1, "no memory");
            assert_eq!(aside.is_some(), attempt == 3);
        }
        good.numbers().for_each(|number| ledger.accept(number, "w", Some(number)));
        ledger.close(good.first, good.count);
        assert!(ledger.is_over());
        assert_eq!(ledger.aside(), [Aside { first: 0, count: 2, reason: "no memory".to_owned() }]);
        assert_eq!((taken(&mut ledger).len(), ledger.done()), (0, 2));
    }

    #[test]
    fn one_machine_does_not_decide_about_a_chunk_if_there_are_others() {
        let mut ledger = Ledger::<u64>::new(0..4);
        let fail = |ledger: &mut Ledger<u64>, worker: &str, workers| {
            let chunk = ledger.next_chunk(4).expect("a chunk");
            ledger.fail(chunk.first, chunk.attempt, worker, workers, "no disk").is_some()
        };
        assert!((0..8).all(|_| !fail(&mut ledger, "broken", 5)));
        assert!(!fail(&mut ledger, "second", 5));
        assert!(fail(&mut ledger, "third", 5), "three workers have failed");
        // The number of attempts is limited.
        let mut ledger = Ledger::<u64>::new(0..4);
        let attempts = (1..).find(|_| fail(&mut ledger, "broken", 5));
        assert_eq!(attempts, Some(MAX_ATTEMPTS));
        // Where there are two, both have tried.
        let mut ledger = Ledger::<u64>::new(0..4);
        assert!((0..5).all(|_| !fail(&mut ledger, "broken", 2)));
        assert!(fail(&mut ledger, "second", 2));
    }

    #[test]
    fn no_result_counts_of_a_worker_that_sent_a_wrong_one() {
        let mut ledger = Ledger::new(0..6);
        assert_eq!(chunks(&mut ledger, 2).len(), 3);
        [0, 1].into_iter().for_each(|number| ledger.accept(number, "honest", Some(number)));
        [2, 3].into_iter().for_each(|number| ledger.accept(number, "forger", Some(0)));
        ledger.accept(4, "forger", None);
        ledger.close(0, 6);
        assert_eq!(ledger.open_chunks(), 1);
        ledger.distrust("forger", 4);
        assert!(ledger.is_distrusted("forger") && !ledger.is_distrusted("honest"));
        assert_eq!(chunks(&mut ledger, 9), [(4, 2), (2, 2)]);
        (2..6).for_each(|number| ledger.accept(number, "honest", Some(number)));
        ledger.close(2, 4);
        assert!(ledger.is_over());
        assert!(taken(&mut ledger).into_iter().eq((0..6).map(|number| (number, number))));
    }

    /// Messages that are lost, repeated, late, wrong or reported as failures, in any order: whatever happens, every
    /// number is passed on once, in order, with the right result.
    #[test]
    fn every_result_counts_once_whatever_happens_to_the_messages() {
        for seed in 0..300 {
            let mut random = Random::of_item(23, seed);
            let end = 1 + u64::from(random.below_u32(200));
            let mut ledger = Ledger::new(0..end);
            let mut flying: Vec<Chunk> = Vec::new();
            let mut all = Vec::new();
            let mut wrong = 0;
            for _ in 0..100_000 {
                if ledger.is_over() {
                    break;
                }
                if let Some(chunk) = ledger.next_chunk(1 + u64::from(random.below_u32(9))) {
                    flying.push(chunk);
                }
                if flying.is_empty() {
                    // The queue has nothing, and results are missing.
                    ledger.reopen();
                    continue;
                }
                let chunk = flying.swap_remove(random.below_u32(flying.len() as u32) as usize);
                match random.below_u32(12) {
                    0 => {}
                    1 => flying.extend([chunk, chunk]),
                    2 => {
                        // Half of it: another worker does the rest.
                        (chunk.first..chunk.first + chunk.count / 2).for_each(|n| ledger.accept(n, "w", Some(n)));
                        ledger.close(chunk.first, chunk.count);
                        flying.push(chunk);
                    }
                    3 if wrong < 5 => {
                        wrong += 1;
                        let forger = format!("forger {wrong}");
                        let missing = chunk.numbers().skip(1).filter(|number| ledger.is_missing(*number));
                        let missing: Vec<u64> = missing.collect();
                        missing.into_iter().for_each(|number| ledger.accept(number, &forger, None));
                        ledger.distrust(&forger, chunk.first);
                    }
                    _ => {
                        chunk.numbers().for_each(|number| ledger.accept(number, "w", Some(number)));
                        ledger.close(chunk.first, chunk.count);
                    }
                }
                all.extend(taken(&mut ledger));
            }
            assert!(ledger.is_over(), "seed {seed}");
            assert_eq!(ledger.aside(), [], "seed {seed}");
            all.extend(taken(&mut ledger));
            assert!(all.into_iter().eq((0..end).map(|number| (number, number))), "seed {seed}");
        }
    }
}
