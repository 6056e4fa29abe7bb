//! The order of turns, as plain data: fair between clients with any number of jobs.
//!
//! The client that has used the least search time has the next turn. A client that comes back after a pause begins
//! level with those that are being served, so that it neither saves up time nor has to make up for it. As there are
//! finitely many clients, each gets its turn: it is overtaken only by clients that have had less.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

use super::scheduler::ClientNumber;

pub(crate) type JobKey = u64;

#[derive(Debug)]
pub(crate) struct TurnQueue {
    quantum: Duration,
    /// Number of threads that may search simultaneously.
    threads: usize,
    /// Number of threads that search.
    busy: usize,
    jobs: HashMap<JobKey, QueuedJob>,
    clients: BTreeMap<ClientNumber, Account>,
    /// The time used by the client that was served last, before it was served.
    level: Duration,
}

#[derive(Debug)]
struct QueuedJob {
    client: ClientNumber,
    /// Whether it is a move of the game, which comes before everything else of its client.
    is_move: bool,
    /// Number of threads with which it has searched.
    threads: usize,
    /// Its search time in turns that are over.
    spent: Duration,
    /// Since when it has a turn.
    turn: Option<Duration>,
}

#[derive(Default, Debug)]
struct Account {
    /// The search time used, summed over threads. A turn is paid in advance.
    used: Duration,
    moves: VecDeque<JobKey>,
    studies: VecDeque<JobKey>,
}

impl Account {
    fn next(&self) -> Option<JobKey> {
        self.moves.front().or_else(|| self.studies.front()).copied()
    }

    fn jobs(&mut self, is_move: bool) -> &mut VecDeque<JobKey> {
        if is_move { &mut self.moves } else { &mut self.studies }
    }
}

impl TurnQueue {
    pub(crate) fn new(threads: usize, quantum: Duration) -> Self {
        let (jobs, clients) = Default::default();
        Self { quantum, threads, busy: 0, jobs, clients, level: Duration::ZERO }
    }

    /// Adds a job. What it takes is not known yet; it begins with one thread.
    pub(crate) fn enqueue(&mut self, key: JobKey, client: ClientNumber, is_move: bool) {
        let job = QueuedJob { client, is_move, threads: 1, spent: Duration::ZERO, turn: None };
        let is_active = self.jobs.values().any(|job| job.client == client);
        let account = self.clients.entry(client).or_default();
        if !is_active {
            account.used = account.used.max(self.level);
        }
        account.jobs(is_move).push_back(key);
        self.jobs.insert(key, job);
    }

    /// Gives the next job a turn, if there are threads for it. A job that needs more threads than are free is not
    /// overtaken, because within a turn there are enough.
    pub(crate) fn give_turn(&mut self, now: Duration) -> Option<JobKey> {
        let waiting = self.clients.values_mut().filter_map(|account| Some((account.next()?, account)));
        // Of those that have used the same time, the job that was queued first.
        let (key, account) = waiting.min_by_key(|(key, account)| (account.used, *key))?;
        let job = self.jobs.get_mut(&key)?;
        if job.threads > self.threads - self.busy {
            return None;
        }
        account.jobs(job.is_move).pop_front();
        self.level = self.level.max(account.used);
        account.used += self.quantum * job.threads as u32;
        self.busy += job.threads;
        job.turn = Some(now);
        Some(key)
    }

    /// Ends the turn of a job, which searched with this number of threads, and queues it again.
    pub(crate) fn end_turn(&mut self, key: JobKey, now: Duration, threads: usize) {
        self.settle(key, now, threads);
        if let Some(job) = self.jobs.get(&key)
            && let Some(account) = self.clients.get_mut(&job.client)
        {
            // Before the others of its client: it has begun.
            account.jobs(job.is_move).push_front(key);
        }
    }

    /// Removes a job, which searched with this number of threads in its turn, if it had one.
    pub(crate) fn remove(&mut self, key: JobKey, now: Duration, threads: usize) {
        self.settle(key, now, threads);
        if let Some(job) = self.jobs.remove(&key)
            && let Some(account) = self.clients.get_mut(&job.client)
        {
            account.jobs(job.is_move).retain(|other| *other != key);
        }
    }

    /// Forgets a client. Jobs that it still has get no more turns.
    pub(crate) fn forget(&mut self, client: ClientNumber) {
        self.clients.remove(&client);
    }

    pub(crate) fn is_waiting(&self, key: JobKey) -> bool {
        self.jobs.get(&key).is_some_and(|job| job.turn.is_none())
    }

    /// Search time of a job that has a turn.
    pub(crate) fn spent(&self, key: JobKey, now: Duration) -> Option<Duration> {
        let job = self.jobs.get(&key)?;
        Some(job.spent + now.saturating_sub(job.turn?))
    }

    /// Ends the turn of a job, if it has one: frees its threads and charges the time taken instead of the time paid.
    fn settle(&mut self, key: JobKey, now: Duration, threads: usize) {
        let Some(job) = self.jobs.get_mut(&key) else { return };
        let Some(since) = job.turn.take() else { return };
        let taken = now.saturating_sub(since);
        job.spent += taken;
        self.busy -= job.threads;
        let paid = self.quantum * job.threads as u32;
        job.threads = threads.clamp(1, self.threads);
        if let Some(account) = self.clients.get_mut(&job.client) {
            account.used = (account.used + taken * job.threads as u32).saturating_sub(paid);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const QUANTUM: Duration = Duration::from_millis(30);

    fn milliseconds(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    /// Runs jobs with one thread each, given as key, client and length in milliseconds, all there from the start,
    /// and returns when each of them ended.
    fn run(threads: usize, jobs: &[(JobKey, ClientNumber, u64)]) -> BTreeMap<JobKey, u64> {
        let mut queue = TurnQueue::new(threads, QUANTUM);
        let mut left: BTreeMap<JobKey, u64> = jobs.iter().map(|&(key, _, length)| (key, length)).collect();
        for &(key, client, _) in jobs {
            queue.enqueue(key, client, false);
        }
        let mut running: Vec<(JobKey, u64)> = Vec::new();
        let mut ended = BTreeMap::new();
        for now in 0.. {
            let mut still = Vec::new();
            for (key, since) in running {
                let left = left.get_mut(&key).unwrap();
                *left -= 1;
                if *left == 0 {
                    queue.remove(key, milliseconds(now), 1);
                    ended.insert(key, now);
                } else if now - since >= QUANTUM.as_millis() as u64 {
                    queue.end_turn(key, milliseconds(now), 1);
                } else {
                    still.push((key, since));
                }
            }
            running = still;
            while let Some(key) = queue.give_turn(milliseconds(now)) {
                running.push((key, now));
            }
            assert!(running.len() <= threads);
            if ended.len() == jobs.len() {
                break;
            }
        }
        ended
    }

    #[test]
    fn a_client_with_many_jobs_does_not_delay_another() {
        let mut jobs: Vec<_> = (1..=20).map(|key| (key, 1, 300)).collect();
        jobs.push((21, 2, 300));
        // Two clients share one thread: 300 ms take 600 ms, however many jobs the other has.
        let ended = run(1, &jobs);
        assert!((570..=630).contains(&ended[&21]), "{ended:?}");
        assert_eq!(*ended.values().max().unwrap(), 21 * 300);
    }

    #[test]
    fn short_jobs_do_not_wait_for_long_ones_and_long_ones_are_not_starved() {
        let mut jobs = vec![(1, 1, 10_000), (2, 2, 10_000)];
        jobs.extend((0..200).map(|number| (10 + number, 10 + number, 2)));
        let ended = run(1, &jobs);
        let worst = ended.range(10..).map(|(_, &at)| at).max().unwrap();
        assert!(worst <= 2 * 30 + 200 * 2, "{worst}");
        assert_eq!(ended.values().max(), Some(&20_400));
    }

    #[test]
    fn the_move_of_a_client_comes_before_what_it_studies() {
        let mut queue = TurnQueue::new(1, QUANTUM);
        queue.enqueue(1, 1, false);
        queue.enqueue(2, 1, false);
        assert_eq!(queue.give_turn(milliseconds(0)), Some(1));
        queue.enqueue(3, 1, true);
        assert_eq!(queue.give_turn(milliseconds(1)), None);
        queue.end_turn(1, milliseconds(30), 1);
        assert_eq!(queue.give_turn(milliseconds(30)), Some(3));
        queue.remove(3, milliseconds(31), 1);
        assert_eq!(queue.give_turn(milliseconds(31)), Some(1));
        assert_eq!(queue.spent(1, milliseconds(40)), Some(milliseconds(39)));
    }

    #[test]
    fn nobody_overtakes_a_job_that_needs_more_threads_than_are_free() {
        let mut queue = TurnQueue::new(2, QUANTUM);
        queue.enqueue(1, 1, false);
        assert_eq!(queue.give_turn(milliseconds(0)), Some(1));
        queue.end_turn(1, milliseconds(30), 2);
        queue.enqueue(2, 2, false);
        queue.enqueue(3, 3, false);
        assert_eq!([(); 3].map(|()| queue.give_turn(milliseconds(30))), [Some(2), Some(3), None]);
        queue.end_turn(2, milliseconds(60), 1);
        // The wide job is next: it has waited, and they have used as much.
        queue.enqueue(4, 4, false);
        queue.remove(4, milliseconds(60), 1);
        queue.end_turn(3, milliseconds(60), 1);
        let next = queue.give_turn(milliseconds(60)).unwrap();
        assert!([2, 3].contains(&next), "the wide job has used twice as much");
        queue.remove(2, milliseconds(61), 1);
        queue.remove(3, milliseconds(61), 1);
        assert_eq!(queue.give_turn(milliseconds(61)), Some(1));
        queue.enqueue(5, 5, false);
        assert_eq!(queue.give_turn(milliseconds(61)), None);
    }

    #[test]
    fn time_not_used_is_not_saved_up() {
        let mut queue = TurnQueue::new(1, QUANTUM);
        queue.enqueue(1, 1, false);
        let mut now = Duration::ZERO;
        for _ in 0..1000 {
            assert_eq!(queue.give_turn(now), Some(1));
            now += QUANTUM;
            queue.end_turn(1, now, 1);
        }
        queue.enqueue(2, 2, false);
        let mut turns = [0u32; 3];
        for _ in 0..20 {
            let key = queue.give_turn(now).unwrap();
            turns[key as usize] += 1;
            now += QUANTUM;
            queue.end_turn(key, now, 1);
        }
        assert!(turns[1].abs_diff(turns[2]) <= 2, "{turns:?}");
    }

    proptest! {
        #[test]
        fn every_job_ends_in_time(
            threads in 1usize..4,
            jobs in prop::collection::vec((1u64..6, 1u64..200), 1..20),
        ) {
            let jobs: Vec<_> =
                jobs.into_iter().enumerate().map(|(index, (client, length))| (index as u64 + 1, client, length)).collect();
            let ended = run(threads, &jobs);
            let total: u64 = jobs.iter().map(|(.., length)| length).sum();
            let longest = jobs.iter().map(|(.., length)| *length).max().unwrap_or(0);
            prop_assert_eq!(ended.len(), jobs.len());
            // Threads are never idle while a job waits.
            let last = ended.values().copied().max().unwrap_or(0);
            prop_assert!(last <= total.div_ceil(threads as u64) + longest * threads as u64, "{} of {}", last, total);
        }
    }
}
