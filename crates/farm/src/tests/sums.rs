//! A small kind of job for tests: sums that are easy to check, and workers that fail or return wrong sums.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::status::{NamedCampaign, Overseer};
use crate::worker::{self, WorkerSettings};
use crate::{Farm, FarmAddress, FarmError, FarmSettings, Role};
use control::Stop;
use jobs::{
    Definition, Executor, InvalidJob, Job, JobError, JobKind, JobKinds, KnownWork, LocalFiles, Work, Worker, parameters,
};
use serde::{Deserialize, Serialize};

use super::nats::Nats;

pub const VERSION: &str = "1.0 (test)";

/// Peculiarity of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Sums {
    /// This item cannot be done.
    pub fails_at: Option<u64>,
    /// Whether results are only checked by finding some of them again.
    pub is_spot_checked: bool,
    /// The time that an item takes.
    pub milliseconds: u64,
    /// Makes jobs different.
    pub salt: u64,
}

/// Behaviour of a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Honesty {
    Honest,
    /// Every result is too large by one.
    AddsOne,
}

/// The number of items that were done, by the salt of their job.
static DONE: Mutex<BTreeMap<u64, u64>> = Mutex::new(BTreeMap::new());

/// The number of items of the job with this salt that workers have done, each as often as it was done.
pub fn done(salt: u64) -> u64 {
    DONE.lock().expect("a map").get(&salt).copied().unwrap_or(0)
}

pub struct SumWork {
    sums: Sums,
    honesty: Honesty,
}

impl Work for SumWork {
    type Item = u64;
    type Output = u64;

    fn worker<'w>(&'w self, stop: &'w Stop) -> Worker<'w, u64, u64> {
        Box::new(move |number, item| {
            std::thread::sleep(Duration::from_millis(self.sums.milliseconds));
            assert_ne!(Some(number), self.sums.fails_at, "it cannot be done");
            *DONE.lock().expect("a map").entry(self.sums.salt).or_default() += 1;
            (!stop.is_set()).then_some(number + item + u64::from(self.honesty == Honesty::AddsOne))
        })
    }

    fn check(&self, number: u64, item: &u64, output: &u64) -> Result<(), InvalidJob> {
        if self.sums.is_spot_checked || number + item == *output { Ok(()) } else { Err("a wrong sum".into()) }
    }

    fn is_spot_checked(&self) -> bool {
        self.sums.is_spot_checked
    }
}

fn prepare(definition: &Definition, honesty: Honesty) -> Result<KnownWork, InvalidJob> {
    Ok(Box::new(SumWork { sums: parameters(definition)?, honesty }))
}

fn job_kinds(version: &str, honesty: Honesty) -> JobKinds {
    let prepare = match honesty {
        Honesty::Honest => |definition: &Definition, _: &LocalFiles| prepare(definition, Honesty::Honest),
        Honesty::AddsOne => |definition: &Definition, _: &LocalFiles| prepare(definition, Honesty::AddsOne),
    };
    JobKinds::new(version, [JobKind::new("sums", prepare)])
}

pub fn item(number: u64) -> u64 {
    1000 * number
}

pub fn honest_work(sums: Sums) -> SumWork {
    SumWork { sums, honesty: Honesty::Honest }
}

/// Runs a job; returns the results that came and how it ended.
pub fn run(executor: &dyn Executor, sums: Sums, numbers: Range<u64>, stop: &Stop) -> (Vec<u64>, Result<(), JobError>) {
    let work = honest_work(sums);
    let mut results = Vec::new();
    let first = numbers.start;
    let definition = || Definition::new("sums", &sums);
    let job = Job { work: &work, items: &item, definition: &definition };
    let ended = job.run(executor, numbers, stop, |number, output| {
        assert_eq!(number, first + results.len() as u64);
        results.push(output);
        ControlFlow::Continue(())
    });
    (results, ended)
}

pub fn expected(numbers: Range<u64>) -> Vec<u64> {
    numbers.map(|number| number + item(number)).collect()
}

pub fn address(url: &str) -> FarmAddress {
    FarmAddress { url: url.to_owned(), ..FarmAddress::default() }
}

/// A farm with chunks of this size.
pub fn farm(url: &str, chunk: u64) -> Farm {
    let settings = FarmSettings { silence: Duration::from_secs(1), chunk: Some(chunk), ..FarmSettings::new(VERSION) };
    Farm::connect(&address(url), settings, &Stop::new(), |_| ()).expect("a farm")
}

/// Tries again until there is a value, for at most 20 seconds.
#[track_caller]
pub fn wait_for<T>(missing: &str, mut attempt: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = attempt() {
            return value;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "{missing}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub fn overseer(url: &str, role: Role) -> Overseer {
    Overseer::connect(&address(url), role).expect("an overseer")
}

/// The first campaign, as soon as there is one.
#[track_caller]
pub fn campaign(overseer: &Overseer) -> NamedCampaign {
    wait_for("no campaign", || overseer.status().ok()?.campaigns.pop())
}

/// Runs a job to its end.
#[track_caller]
pub fn assert_done(executor: &dyn Executor, sums: Sums, numbers: Range<u64>) {
    let (results, ended) = run(executor, sums, numbers.clone(), &Stop::new());
    assert!(ended.is_ok(), "{ended:?}");
    assert_eq!(results, expected(numbers));
}

/// A worker in a thread.
pub struct TestWorker {
    stop: Stop,
    thread: Option<JoinHandle<Result<(), FarmError>>>,
    messages: Arc<Mutex<Vec<String>>>,
}

impl TestWorker {
    pub fn start(nats: &Nats, url: &str, name: &str, honesty: Honesty) -> Self {
        Self::start_version(nats, url, name, honesty, VERSION)
    }

    pub fn start_version(nats: &Nats, url: &str, name: &str, honesty: Honesty, version: &str) -> Self {
        let settings = WorkerSettings {
            address: address(url),
            name: Some(name.to_owned()),
            threads: 1,
            folder: nats.path("files"),
        };
        let messages = Arc::new(Mutex::new(Vec::new()));
        let (stop, log, kinds) = (Stop::new(), Arc::clone(&messages), job_kinds(version, honesty));
        let flag = stop.clone();
        let notify = Arc::new(move |sentence: &str| log.lock().expect("a list").push(sentence.to_owned()));
        let thread = std::thread::spawn(move || worker::run(&settings, kinds, &flag, notify));
        Self { stop, thread: Some(thread), messages }
    }

    pub fn messages(&self) -> String {
        self.messages.lock().expect("a list").join("\n")
    }

    /// Waits for a worker that ends by itself.
    pub fn wait(&mut self) -> Result<(), FarmError> {
        self.thread.take().expect("it runs").join().expect("no panic")
    }

    pub fn end(mut self) -> Result<(), FarmError> {
        self.stop.set();
        self.wait()
    }
}

impl Drop for TestWorker {
    fn drop(&mut self) {
        self.stop.set();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
