//! The schedule of searches: a fair queue of jobs over a fixed number of search threads.
//!
//! Every job has a [`Ticket`], and a search calls [`Ticket::poll`] every few hundred nodes. A turn lasts for
//! [`QUANTUM`]; when it is over and others wait, the call blocks until the job has its next turn. A job that ends within its
//! first turn is not delayed. The queue itself ([`TurnQueue`]) is plain data: the next turn at a given time.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use control::{lock, wait};

use super::turn_queue::{JobKey, TurnQueue};
use crate::host::Lane;

/// Length of a turn while others wait.
pub(crate) const QUANTUM: Duration = Duration::from_millis(30);

pub(crate) type ClientNumber = u64;

#[derive(Debug)]
pub(crate) struct Scheduler {
    state: Mutex<State>,
    start: Instant,
}

#[derive(Debug)]
struct State {
    queue: TurnQueue,
    tickets: HashMap<JobKey, Arc<Ticket>>,
    next_key: JobKey,
}

/// The right of a job to search when it has a turn.
#[derive(Debug)]
pub(crate) struct Ticket {
    scheduler: Arc<Scheduler>,
    key: JobKey,
    time_limit: Duration,
    /// Notified when it has a turn or has to stop. Each ticket has its own, so that one turn does not wake all threads.
    changed: Condvar,
    is_stopped: AtomicBool,
    /// When its turn ends, in nanoseconds of the scheduler; 0 if it has none.
    turn_end: AtomicU64,
    /// Number of its turns, by which a thread recognizes whether it has been counted in this one.
    turn: AtomicU64,
    threads: AtomicUsize,
}

thread_local! {
    /// The job and the turn in which this thread was counted last.
    static COUNTED: Cell<(JobKey, u64)> = const { Cell::new((0, 0)) };
}

impl Scheduler {
    pub(crate) fn new(threads: usize) -> Arc<Self> {
        let queue = TurnQueue::new(threads.max(1), QUANTUM);
        // The key 0 stands for no job.
        let state = State { queue, tickets: HashMap::new(), next_key: 1 };
        Arc::new(Self { state: Mutex::new(state), start: Instant::now() })
    }

    pub(crate) fn enqueue(self: &Arc<Self>, client: ClientNumber, lane: Lane, time_limit: Duration) -> Arc<Ticket> {
        let mut state = lock(&self.state);
        let key = state.next_key;
        state.next_key += 1;
        let ticket = Arc::new(Ticket {
            scheduler: Arc::clone(self),
            key,
            time_limit,
            changed: Condvar::new(),
            is_stopped: AtomicBool::new(false),
            turn_end: AtomicU64::new(0),
            turn: AtomicU64::new(0),
            threads: AtomicUsize::new(0),
        });
        state.tickets.insert(key, Arc::clone(&ticket));
        state.queue.enqueue(key, client, lane == Lane::Game);
        self.give_turns(&mut state);
        ticket
    }

    /// Forgets a client that has gone and has stopped its jobs.
    pub(crate) fn forget(&self, client: ClientNumber) {
        lock(&self.state).queue.forget(client);
    }

    pub(crate) fn job_count(&self) -> usize {
        lock(&self.state).tickets.len()
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn give_turns(&self, state: &mut State) {
        let now = self.now();
        while let Some(key) = state.queue.give_turn(now) {
            if let Some(ticket) = state.tickets.get(&key) {
                ticket.begin_turn(now);
            }
        }
    }
}

impl Ticket {
    pub(crate) fn wait(&self) {
        let state = lock(&self.scheduler.state);
        self.wait_for_turn(state);
    }

    /// Called by the threads of a search: waits while the job has no turn, and returns whether it has to stop.
    pub(crate) fn poll(&self) -> bool {
        if self.is_stopped.load(Relaxed) {
            return true;
        }
        self.count_thread();
        let now = self.scheduler.now();
        if now < Duration::from_nanos(self.turn_end.load(Relaxed)) {
            return false;
        }
        let mut state = lock(&self.scheduler.state);
        // Another thread of this job may have ended the turn, and it may have got another one meanwhile.
        let is_over = now >= Duration::from_nanos(self.turn_end.load(Relaxed));
        if is_over && let Some(spent) = state.queue.spent(self.key, now) {
            if spent >= self.time_limit {
                self.is_stopped.store(true, Relaxed);
                return true;
            }
            self.turn_end.store(0, Relaxed);
            state.queue.end_turn(self.key, now, self.threads.load(Relaxed));
            self.scheduler.give_turns(&mut state);
        }
        self.wait_for_turn(state);
        self.is_stopped.load(Relaxed)
    }

    pub(crate) fn stop(&self) {
        let _state = lock(&self.scheduler.state);
        self.is_stopped.store(true, Relaxed);
        self.changed.notify_all();
    }

    pub(crate) fn end(&self) {
        let mut state = lock(&self.scheduler.state);
        let now = self.scheduler.now();
        state.queue.remove(self.key, now, self.threads.load(Relaxed));
        state.tickets.remove(&self.key);
        self.scheduler.give_turns(&mut state);
    }

    fn begin_turn(&self, now: Duration) {
        self.threads.store(0, Relaxed);
        self.turn.fetch_add(1, Relaxed);
        self.turn_end.store((now + QUANTUM).as_nanos() as u64, Relaxed);
        self.changed.notify_all();
    }

    fn wait_for_turn(&self, mut state: MutexGuard<'_, State>) {
        while !self.is_stopped.load(Relaxed) && state.queue.is_waiting(self.key) {
            state = wait(&self.changed, state);
        }
    }

    fn count_thread(&self) {
        let current = (self.key, self.turn.load(Relaxed));
        if COUNTED.replace(current) != current {
            self.threads.fetch_add(1, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;
    use std::thread;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    /// Polls until the job has to stop or up to this number of polls, and returns the number of polls.
    fn busy(ticket: &Ticket, polls: &AtomicU32, most: u32) -> u32 {
        ticket.wait();
        let mut count = 0;
        while count < most && !ticket.poll() {
            count += 1;
            polls.fetch_add(1, Relaxed);
            thread::sleep(Duration::from_millis(1));
        }
        ticket.end();
        count
    }

    #[test]
    fn two_clients_on_one_thread_take_turns_and_never_search_at_once() {
        let scheduler = Scheduler::new(1);
        let inside = AtomicU32::new(0);
        let tickets = [1, 2].map(|client| scheduler.enqueue(client, Lane::Study, LONG));
        thread::scope(|scope| {
            for ticket in &tickets {
                let inside = &inside;
                scope.spawn(move || {
                    ticket.wait();
                    for _ in 0..100 {
                        assert_eq!(inside.fetch_add(1, Relaxed), 0);
                        thread::sleep(Duration::from_millis(1));
                        inside.fetch_sub(1, Relaxed);
                        assert!(!ticket.poll());
                    }
                    ticket.end();
                });
            }
        });
        assert!(tickets.iter().all(|ticket| ticket.turn.load(Relaxed) > 1), "{tickets:?}");
        assert_eq!(scheduler.job_count(), 0);
    }

    #[test]
    fn a_job_without_a_turn_stops_at_once() {
        let scheduler = Scheduler::new(1);
        let polls = AtomicU32::new(0);
        let first = scheduler.enqueue(1, Lane::Study, LONG);
        first.wait();
        let second = scheduler.enqueue(2, Lane::Study, LONG);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| busy(&second, &polls, u32::MAX));
            second.stop();
            assert_eq!(waiting.join().unwrap(), 0);
        });
        first.end();
        assert_eq!(scheduler.job_count(), 0);
    }

    #[test]
    fn a_job_stops_when_it_has_searched_for_its_time() {
        let scheduler = Scheduler::new(1);
        let ticket = scheduler.enqueue(1, Lane::Study, 2 * QUANTUM);
        let polls = AtomicU32::new(0);
        let start = Instant::now();
        assert!(busy(&ticket, &polls, u32::MAX) > 0);
        assert!(start.elapsed() >= 2 * QUANTUM);
    }

    #[test]
    fn all_threads_of_a_job_pause_while_another_job_has_its_turn() {
        let scheduler = Scheduler::new(2);
        let wide = scheduler.enqueue(1, Lane::Study, LONG);
        let polls = AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| busy(&wide, &polls, u32::MAX));
            }
            // After a turn it is known that this job has two threads.
            while wide.turn.load(Relaxed) < 3 {
                thread::sleep(Duration::from_millis(1));
            }
            let narrow = scheduler.enqueue(2, Lane::Game, LONG);
            narrow.wait();
            // A thread that had looked just before the turn ended finishes what it does.
            thread::sleep(Duration::from_millis(20));
            let before = polls.load(Relaxed);
            thread::sleep(Duration::from_millis(50));
            assert_eq!(polls.load(Relaxed), before);
            narrow.end();
            while polls.load(Relaxed) == before {
                thread::sleep(Duration::from_millis(1));
            }
            wide.stop();
        });
    }
}
