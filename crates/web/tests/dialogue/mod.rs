//! Dialogues between a host and an arbitrary page: valid requests, broken ones, reports at odd moments. What the host shows is
//! compared with the rules.
//!
//! `messages.rs` plays a few in every test run; the fuzz target `page` plays any number.

mod quotation;
mod replay;
pub(crate) mod requests;

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use engine::Stop;
use othello::random::Random;
use players::{PlayerOptions, Registry, SearchOptions};
use serde_json::json;
use session::{Resources, Workbench};
use web::host::{Host, HostOptions, Lane, Output};
use web::message::{Request, Response, Shown};

use quotation::mutated;
use requests::Requests;

/// Number of messages of a dialogue.
pub(crate) const MESSAGES: usize = 200;

/// Maximum number of polls of a search, after which it is stopped.
const MAX_POLLS: usize = 12;

/// Maximum number of jobs at a time that were not stopped.
const MAX_JOBS: usize = 40;

const OPTIONS: HostOptions = HostOptions {
    seed: 1,
    study_lanes: 2,
    splits_hints: true,
    max_hash: 1,
    date: None,
    has_book: true,
    has_farm: true,
};

/// Counts of messages in dialogues.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts {
    /// Requests, reports, ends of jobs and ticks.
    pub(crate) messages: u64,
    pub(crate) requests: u64,
    /// Requests that are no requests.
    pub(crate) malformed: u64,
    pub(crate) errors: u64,
    /// Views, each compared with the rules.
    pub(crate) views: u64,
    pub(crate) jobs: u64,
}

#[derive(Debug)]
struct RunningJob {
    lane: Lane,
    order: String,
    is_stopped: bool,
    /// Replies that the host has not received yet; none before the job has begun.
    replies: Option<VecDeque<String>>,
}

/// The workbenches of a thread, which serve one dialogue after the other.
#[derive(Debug)]
pub(crate) struct Benches {
    registry: Arc<Registry>,
    game: Workbench,
    study: Workbench,
}

impl Benches {
    /// Workbenches with the smallest tables. The host expects a book, which they do not have.
    pub(crate) fn new(registry: Arc<Registry>) -> Self {
        let search = SearchOptions { threads: 1, hash: 1 };
        let options = PlayerOptions { search, ..PlayerOptions::default() };
        let resources = Resources { options, ..Resources::new(Arc::clone(&registry)) };
        Self { registry, game: Workbench::new(resources.clone()), study: Workbench::new(resources) }
    }
}

/// A host, an arbitrary page and an executor that does everything allowed to it.
#[derive(Debug)]
pub(crate) struct Dialogue<'a> {
    random: Random,
    host: Host,
    benches: &'a mut Benches,
    requests: Requests,
    now: Duration,
    jobs: BTreeMap<u64, RunningJob>,
    last_job: u64,
    shown: Option<Box<Shown>>,
    counts: Counts,
    /// The calls of the host, a line each.
    log: String,
}

/// Plays a dialogue that depends on a number only, up to a quiet end.
///
/// # Panics
///
/// If the host panics, or sends something wrong. The log is printed then.
pub(crate) fn play(seed: u64, benches: &mut Benches) -> Counts {
    let mut dialogue = Dialogue {
        random: Random::new(seed),
        host: Host::new(Arc::clone(&benches.registry), OPTIONS),
        benches,
        requests: Requests::new(),
        now: Duration::ZERO,
        jobs: BTreeMap::new(),
        last_job: 0,
        shown: None,
        counts: Counts::default(),
        log: String::new(),
    };
    dialogue.ask(&json!({ "type": "hello" }).to_string());
    while dialogue.counts.messages < MESSAGES as u64 {
        dialogue.step();
    }
    dialogue.end();
    dialogue.counts
}

impl Dialogue<'_> {
    fn step(&mut self) {
        self.pass_time();
        match self.random.below(10) {
            0 => self.tick(),
            1..=4 if !self.jobs.is_empty() => self.work(),
            _ => {
                let text = self.requests.next(&mut self.random, self.shown.as_deref());
                self.ask(&text);
            }
        }
    }

    fn pass_time(&mut self) {
        self.now = match self.random.below(200) {
            // A clock that goes back, and one that jumps.
            0 => self.now / 2,
            1 => self.now + Duration::from_secs(1 << self.random.below(24)),
            2..80 => self.now,
            _ => self.now + Duration::from_micros(1 << self.random.below(21)),
        };
    }

    fn say(&mut self, what: &str) {
        self.counts.messages += 1;
        let _ = writeln!(self.log, "{:?} {what}", self.now);
    }

    fn ask(&mut self, text: &str) {
        self.say(text);
        self.counts.requests += 1;
        let outputs = self.host.receive(text, self.now);
        if let Ok(request) = serde_json::from_str::<Request>(text) {
            let again = serde_json::to_string(&request).and_then(|text| serde_json::from_str(&text));
            let is_same = again.is_ok_and(|again: Request| again == request);
            self.expect(is_same, &format!("{request:?} is not read as it is written"));
        } else {
            self.counts.malformed += 1;
            let [Output::Send(answer)] = &outputs[..] else {
                self.fail(&format!("a malformed message is answered by {outputs:?}"))
            };
            let is_error = matches!(serde_json::from_str(answer), Ok(Response::Error { .. }));
            self.expect(is_error, &format!("a malformed message is answered by {answer}"));
        }
        self.carry_out(outputs);
    }

    fn tick(&mut self) {
        if let Some(next) = self.host.next_tick().filter(|_| self.random.below(2) == 0) {
            self.now = self.now.max(next);
        }
        self.say("tick");
        let outputs = self.host.tick(self.now);
        self.carry_out(outputs);
        let next = self.host.next_tick();
        self.expect(next.is_none_or(|next| next > self.now), &format!("the next tick is already due at {next:?}"));
    }

    /// Lets a workbench do something, or ends it.
    fn work(&mut self) {
        let index = self.random.below(self.jobs.len());
        let Some(&job) = self.jobs.keys().nth(index) else { return };
        if self.random.below(if self.jobs[&job].is_stopped { 3 } else { 12 }) == 0 {
            self.jobs.remove(&job);
            return self.cut(job);
        }
        // The lane of the game does one job after the other.
        let is_first = |(number, other): (&u64, &RunningJob)| *number == job || other.lane == Lane::Study;
        let may_run = self.jobs[&job].lane == Lane::Study || self.jobs.iter().take(index + 1).all(is_first);
        if !may_run {
            return;
        }
        if self.jobs[&job].replies.is_none() {
            self.run(job);
        }
        let Some(running) = self.jobs.get_mut(&job) else { return };
        let Some(reply) = running.replies.as_mut().and_then(VecDeque::pop_front) else { return };
        let is_last = running.replies.as_ref().is_some_and(VecDeque::is_empty);
        if is_last {
            self.jobs.remove(&job);
        }
        if self.random.below(40) == 0 {
            // A reply that is broken, or to an unknown job.
            let broken = mutated(&mut self.random, &reply);
            let about = if self.random.below(4) == 0 { self.random.bits() >> 20 } else { job };
            // The host may have taken it for the last report.
            if let Some(running) = self.jobs.get_mut(&about) {
                running.is_stopped = true;
            }
            self.reply(about, &broken);
        }
        self.reply(job, &reply);
    }

    fn run(&mut self, job: u64) {
        // The table of an analyst is large, so most judgements are not begun.
        let is_costly = ["\"judge\"", "\"analyze\""].iter().any(|kind| self.jobs[&job].order.contains(kind));
        if is_costly && self.random.below(12) != 0 {
            self.jobs.remove(&job);
            return self.cut(job);
        }
        let Some(running) = self.jobs.get_mut(&job) else { return };
        let most = if running.is_stopped { 0 } else { self.random.below(MAX_POLLS) as u32 };
        let polls = AtomicU32::new(0);
        let stop = Stop::with_poll(move || polls.fetch_add(1, Ordering::Relaxed) >= most);
        if running.is_stopped {
            stop.set();
        }
        let bench = if running.lane == Lane::Game { &mut self.benches.game } else { &mut self.benches.study };
        let mut replies = VecDeque::new();
        bench.run(&running.order, &stop, &mut |reply| replies.push_back(reply));
        let is_empty = replies.is_empty();
        running.replies = Some(replies);
        self.expect(!is_empty, "a workbench says nothing about its job");
    }

    fn reply(&mut self, job: u64, reply: &str) {
        self.say(&format!("reply to {job}: {reply}"));
        let outputs = self.host.reply(job, reply, self.now);
        self.carry_out(outputs);
    }

    fn cut(&mut self, job: u64) {
        self.say(&format!("cut {job}"));
        let outputs = self.host.cut(job, self.now);
        self.carry_out(outputs);
    }

    fn carry_out(&mut self, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Send(text) => self.take_message(&text),
                Output::Start { job, lane, order, time_limit } => {
                    self.counts.jobs += 1;
                    self.expect(job > self.last_job, "the number of a job comes again");
                    self.expect(!time_limit.is_zero(), "a job has no time");
                    self.last_job = job;
                    self.jobs.insert(job, RunningJob { lane, order, is_stopped: false, replies: None });
                }
                Output::Stop { job } => {
                    if let Some(running) = self.jobs.get_mut(&job) {
                        running.is_stopped = true;
                    }
                }
                // The host gets no answer.
                Output::LookAtFarm => {}
            }
        }
        let going = self.jobs.values().filter(|job| !job.is_stopped && job.lane == Lane::Study).count();
        self.expect(going <= MAX_JOBS, &format!("{going} jobs go on at once"));
        // An executor computes this moment.
        let next = self.host.next_tick();
        let can_wait = next.is_none_or(|next| Instant::now().checked_add(next).is_some());
        self.expect(can_wait, &format!("the next tick is at an impossible moment: {next:?}"));
    }

    fn take_message(&mut self, text: &str) {
        match serde_json::from_str(text) {
            Ok(Response::View(shown)) => {
                self.counts.views += 1;
                let again = serde_json::to_string(&shown).and_then(|text| serde_json::from_str(&text));
                self.expect(again.is_ok_and(|again: Box<Shown>| again == shown), "a view is not read as it is written");
                let outcome = replay::check(&shown);
                self.shown = Some(shown);
                if let Err(reason) = outcome {
                    self.fail(&format!("{reason}, shown as {text}"));
                }
            }
            Ok(Response::Error { sentence }) => {
                self.counts.errors += 1;
                self.expect(sentence.ends_with('.'), &format!("{sentence:?} is not a sentence"));
            }
            Ok(Response::Files { files }) => self.requests.keep(files),
            Ok(_) => {}
            Err(error) => self.fail(&format!("{error}: {text}")),
        }
    }

    /// Stops everything; then no job may go on.
    fn end(&mut self) {
        let link = self.shown.as_ref().map(|shown| shown.link.clone());
        let state = self.shown.as_ref().and_then(|shown| serde_json::to_value(&shown.state).ok());
        for event in [
            json!({ "event": "stop_analysis" }),
            json!({ "event": "show_hints", "shown": false }),
            json!({ "event": "set_up", "edit": "cancel" }),
            json!({ "event": "seat_person", "color": "black" }),
            json!({ "event": "seat_person", "color": "white" }),
        ] {
            self.ask(&json!({ "type": "event", "event": event }).to_string());
        }
        self.ask(&json!({ "type": "stop_solving" }).to_string());
        let left = self.jobs.values().find(|job| {
            let is_short =
                ["\"seat\"", "\"unseat\"", "\"swap\"", "\"new_game\"", "\"explain\"", "\"book\"", "\"judge\""];
            !job.is_stopped && !is_short.iter().any(|kind| job.order.contains(kind))
        });
        if let Some(left) = left {
            self.fail(&format!("{} goes on", left.order));
        }
        let mut rounds = 0;
        while !self.jobs.is_empty() {
            self.now += Duration::from_millis(10);
            self.work();
            rounds += 1;
            self.expect(rounds < 10_000, "jobs come without end");
        }
        self.now += Duration::from_secs(1);
        self.tick();
        self.expect(self.jobs.is_empty(), "a tick starts a job");
        let Some(shown) = self.shown.take() else { self.fail("nothing is shown") };
        let view = &shown.view;
        let analysis = view.analysis.as_ref().is_some_and(|analysis| analysis.is_running);
        let solving = shown.solving.as_ref().is_some_and(|solving| solving.is_running);
        let going = (view.is_thinking, view.is_advising, analysis, solving);
        self.expect(going == (false, false, false, false), &format!("thinking, hints, analysis, solving: {going:?}"));

        // What was kept before is the same game again.
        if let (Some(link), Some(state)) = (link, state) {
            self.ask(&json!({ "type": "hello", "state": state }).to_string());
            let again = self.shown.as_ref().map(|shown| shown.link.clone());
            self.expect(again.as_ref() == Some(&link), &format!("the kept state of {link} becomes {again:?}"));
            self.ask(&json!({ "type": "hello", "link": link }).to_string());
            let again = self.shown.as_ref().map(|shown| shown.link.clone());
            self.expect(again.as_ref() == Some(&link), &format!("the link {link} becomes {again:?}"));
        }
    }

    #[track_caller]
    fn expect(&self, is_well: bool, otherwise: &str) {
        if !is_well {
            self.fail(otherwise);
        }
    }

    #[track_caller]
    fn fail(&self, reason: &str) -> ! {
        panic!("{reason}\nafter\n{}", last_lines(&self.log));
    }
}

impl Drop for Dialogue<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() && !self.log.is_empty() {
            eprintln!("the dialogue was\n{}", last_lines(&self.log));
        }
    }
}

fn last_lines(log: &str) -> String {
    let lines: Vec<_> = log.lines().collect();
    lines[lines.len().saturating_sub(MESSAGES)..].join("\n")
}
