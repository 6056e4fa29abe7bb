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
use session::{Resources, Workbench};

/// What the threads of a client say.
#[derive(Debug)]
pub(crate) enum News {
    /// A workbench says something about a job.
    Report(u64, String),
    /// A job is over; here is the workbench that did it.
    Ended(u64, Lane, Workbench),
    /// A job has failed, and its workbench with it.
    Failed(u64, Lane),
}

/// Why a job is not started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NotStarted {
    /// Too many jobs wait already; this one is dropped.
    TooMany(u64),
    /// The system provides no more threads.
    NoThread,
}

/// The means that all clients share.
#[derive(Clone, Debug)]
pub(crate) struct Means {
    /// Who may search when.
    pub(crate) scheduler: Arc<Scheduler>,
    /// The hash table.
    pub(crate) table: Arc<HashTable>,
    /// How many threads one search may have.
    pub(crate) threads: u16,
    /// The opening book.
    pub(crate) book: Option<OpeningBook>,
    /// Who looks at the farm.
    pub(crate) farm: Option<FarmWatch>,
}

/// The jobs of a client. When it is dropped, all of them stop.
#[derive(Debug)]
pub(crate) struct Executor {
    client: ClientNumber,
    means: Means,
    news: Sender<News>,
    /// The workbench of the game, unless a job has it.
    game: Option<Workbench>,
    games: VecDeque<Order>,
    studies: VecDeque<Order>,
    running: HashMap<u64, RunningJob>,
}

#[derive(Debug)]
struct Order {
    job: u64,
    work: String,
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
    /// No jobs yet; what they say goes to `news`.
    pub(crate) fn new(client: ClientNumber, means: Means, news: Sender<News>) -> Self {
        let (games, studies, running) = Default::default();
        let game = Some(Workbench::new(resources(&means, GAME_HASH)));
        Self { client, means, news, game, games, studies, running }
    }

    /// Starts a job as soon as those before it are done.
    pub(crate) fn start(&mut self, job: u64, lane: Lane, work: String, time_limit: Duration) -> Result<(), NotStarted> {
        if self.games.len() + self.studies.len() >= WAITING_JOBS {
            return Err(NotStarted::TooMany(job));
        }
        let order = Order { job, work, time_limit, is_stopped: false };
        match lane {
            Lane::Game => self.games.push_back(order),
            Lane::Study => self.studies.push_back(order),
        }
        self.start_next()
    }

    /// Ends a job soon. One that has not begun still says something.
    pub(crate) fn stop(&mut self, job: u64) {
        if let Some(running) = self.running.get(&job) {
            running.stop();
        }
        for order in self.games.iter_mut().chain(&mut self.studies).filter(|order| order.job == job) {
            order.is_stopped = true;
        }
    }

    /// A job is over, and its workbench can do the next one.
    pub(crate) fn ended(&mut self, job: u64, lane: Lane, workbench: Workbench) -> Result<(), NotStarted> {
        self.running.remove(&job);
        if lane == Lane::Game {
            self.game = Some(workbench);
        }
        self.start_next()
    }

    /// A job of a study has failed.
    pub(crate) fn failed(&mut self, job: u64) {
        self.running.remove(&job);
    }

    fn start_next(&mut self) -> Result<(), NotStarted> {
        if !self.games.is_empty()
            && let Some(workbench) = self.game.take()
            && let Some(order) = self.games.pop_front()
        {
            self.run(order, Lane::Game, workbench)?;
        }
        while self.running.values().filter(|running| running.lane == Lane::Study).count() < STUDY_JOBS
            && let Some(order) = self.studies.pop_front()
        {
            let workbench = Workbench::new(resources(&self.means, STUDY_HASH));
            self.run(order, Lane::Study, workbench)?;
        }
        Ok(())
    }

    fn run(&mut self, order: Order, lane: Lane, mut workbench: Workbench) -> Result<(), NotStarted> {
        let Order { job, work, time_limit, is_stopped } = order;
        let ticket = self.means.scheduler.enqueue(self.client, lane, time_limit);
        let stop = Stop::with_poll({
            let ticket = Arc::clone(&ticket);
            move || ticket.poll()
        });
        let running = RunningJob { lane, ticket: Arc::clone(&ticket), stop: stop.clone() };
        if is_stopped {
            running.stop();
        }
        self.running.insert(job, running);
        let news = self.news.clone();
        let thread = thread::Builder::new().name("job".to_owned()).spawn(move || {
            ticket.wait();
            // Nobody hears a report if the client has gone.
            let mut tell = |report| drop(news.blocking_send(News::Report(job, report)));
            let outcome = catch_unwind(AssertUnwindSafe(|| workbench.run(&work, &stop, &mut tell)));
            ticket.end();
            drop(news.blocking_send(match outcome {
                Ok(()) => News::Ended(job, lane, workbench),
                Err(_) => News::Failed(job, lane),
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
        self.means.scheduler.forget(self.client);
    }
}

fn resources(means: &Means, hash: u32) -> Resources {
    Resources { threads: means.threads, hash, shared: Some(Arc::clone(&means.table)), book: means.book.clone() }
}
