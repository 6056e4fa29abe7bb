//! The jobs of one client: each in a thread, when it is its turn.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use control::Stop;
use search::HashTable;
use tokio::sync::mpsc::Sender;

use super::farm_watch::FarmWatch;
use super::limits::{GAME_HASH, STUDY_HASH, STUDY_JOBS, WAITING_JOBS};
use super::scheduler::{ClientNumber, Scheduler, Ticket};
use crate::host::Lane;
use players::opening_book::OpeningBook;
use players::{PlayerOptions, Registry, SearchOptions};
use session::{Resources, Workbench};

#[derive(Debug)]
pub(crate) enum JobEvent {
    /// A workbench replies to a job.
    Reply(u64, String),
    /// A job is over, and its workbench is free again.
    Ended(u64, Lane, Workbench),
    /// A job has failed, and its workbench with it.
    Failed(u64, Lane),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NotStarted {
    /// Too many jobs wait already; this one is dropped.
    TooMany(u64),
    /// The system provides no more threads.
    NoThread,
}

#[derive(Clone, Debug)]
pub(crate) struct SharedResources {
    pub(crate) registry: Arc<Registry>,
    pub(crate) scheduler: Arc<Scheduler>,
    pub(crate) table: Arc<HashTable>,
    pub(crate) threads: u16,
    pub(crate) book: Option<OpeningBook>,
    pub(crate) farm: Option<FarmWatch>,
}

/// The jobs of a client. When it is dropped, all of them stop.
#[derive(Debug)]
pub(crate) struct Executor {
    client: ClientNumber,
    shared: SharedResources,
    events: Sender<JobEvent>,
    /// The workbench of the game, unless a job has it.
    game: Option<Workbench>,
    games: VecDeque<WaitingJob>,
    studies: VecDeque<WaitingJob>,
    running: HashMap<u64, RunningJob>,
}

#[derive(Debug)]
struct WaitingJob {
    job: u64,
    order: String,
    time_limit: Duration,
    is_stopped: bool,
}

#[derive(Debug)]
struct RunningJob {
    lane: Lane,
    ticket: Arc<Ticket>,
    stop: Stop,
}

impl RunningJob {
    fn stop(&self) {
        self.stop.set();
        self.ticket.stop();
    }
}

impl Executor {
    pub(crate) fn new(client: ClientNumber, shared: SharedResources, events: Sender<JobEvent>) -> Self {
        let (games, studies, running) = Default::default();
        let game = Some(Workbench::new(resources(&shared, GAME_HASH)));
        Self { client, shared, events, game, games, studies, running }
    }

    pub(crate) fn start(
        &mut self,
        job: u64,
        lane: Lane,
        order: String,
        time_limit: Duration,
    ) -> Result<(), NotStarted> {
        if self.games.len() + self.studies.len() >= WAITING_JOBS {
            return Err(NotStarted::TooMany(job));
        }
        let waiting = WaitingJob { job, order, time_limit, is_stopped: false };
        match lane {
            Lane::Game => self.games.push_back(waiting),
            Lane::Study => self.studies.push_back(waiting),
        }
        self.start_next()
    }

    /// Ends a job soon. One that has not begun still replies.
    pub(crate) fn stop(&mut self, job: u64) {
        if let Some(running) = self.running.get(&job) {
            running.stop();
        }
        for waiting in self.games.iter_mut().chain(&mut self.studies).filter(|waiting| waiting.job == job) {
            waiting.is_stopped = true;
        }
    }

    pub(crate) fn ended(&mut self, job: u64, lane: Lane, workbench: Workbench) -> Result<(), NotStarted> {
        self.running.remove(&job);
        if lane == Lane::Game {
            self.game = Some(workbench);
        }
        self.start_next()
    }

    pub(crate) fn failed(&mut self, job: u64) {
        self.running.remove(&job);
    }

    fn start_next(&mut self) -> Result<(), NotStarted> {
        if !self.games.is_empty()
            && let Some(workbench) = self.game.take()
            && let Some(waiting) = self.games.pop_front()
        {
            self.run(waiting, Lane::Game, workbench)?;
        }
        while self.running.values().filter(|running| running.lane == Lane::Study).count() < STUDY_JOBS
            && let Some(waiting) = self.studies.pop_front()
        {
            let workbench = Workbench::new(resources(&self.shared, STUDY_HASH));
            self.run(waiting, Lane::Study, workbench)?;
        }
        Ok(())
    }

    fn run(&mut self, waiting: WaitingJob, lane: Lane, mut workbench: Workbench) -> Result<(), NotStarted> {
        let WaitingJob { job, order, time_limit, is_stopped } = waiting;
        let ticket = self.shared.scheduler.enqueue(self.client, lane, time_limit);
        let stop = Stop::with_poll({
            let ticket = Arc::clone(&ticket);
            move || ticket.poll()
        });
        let running = RunningJob { lane, ticket: Arc::clone(&ticket), stop: stop.clone() };
        if is_stopped {
            running.stop();
        }
        self.running.insert(job, running);
        let events = self.events.clone();
        let thread = thread::Builder::new().name("job".to_owned()).spawn(move || {
            ticket.wait();
            // A reply is lost if the client has gone.
            let mut tell = |reply| drop(events.blocking_send(JobEvent::Reply(job, reply)));
            let outcome = catch_unwind(AssertUnwindSafe(|| workbench.run(&order, &stop, &mut tell)));
            ticket.end();
            drop(events.blocking_send(match outcome {
                Ok(()) => JobEvent::Ended(job, lane, workbench),
                Err(_) => JobEvent::Failed(job, lane),
            }));
        });
        if thread.is_err()
            && let Some(running) = self.running.remove(&job)
        {
            running.ticket.end();
            return Err(NotStarted::NoThread);
        }
        Ok(())
    }
}

impl Drop for Executor {
    fn drop(&mut self) {
        self.running.values().for_each(RunningJob::stop);
        self.shared.scheduler.forget(self.client);
    }
}

fn resources(shared: &SharedResources, hash: u32) -> Resources {
    let search = SearchOptions { threads: shared.threads, hash };
    let options = PlayerOptions { search, default_book: shared.book.is_some(), ..PlayerOptions::default() };
    let SharedResources { registry, table, book, .. } = shared.clone();
    Resources { registry, options, table: Some(table), book }
}
