//! Chunks that fail, workers with wrong results or another version, jobs that are interrupted and cancelled.

use std::time::Duration;

use crate::Role;
use crate::state::AsideEntry;
use control::Stop;
use jobs::JobError;

use super::nats::Nats;
use super::sums::{Honesty, Sums, TestWorker, assert_done, campaign, expected, farm, overseer, run, wait_for};

#[test]
fn a_chunk_that_fails_is_set_aside_with_its_reason_and_blocks_nothing() {
    let Some(nats) = Nats::start("aside") else { return };
    let _worker = TestWorker::start(&nats, &nats.url(), "one", Honesty::Honest);
    let farm = farm(&nats.url(), 5);
    let sums = Sums { fails_at: Some(42), ..Sums::default() };
    let (results, ended) = run(&farm, sums, 0..100, &Stop::new());
    assert_eq!(results, expected(0..40));
    let Err(JobError::SetAside { items, reason }) = ended else { panic!("{ended:?}") };
    assert_eq!(items, "5 items");
    assert!(reason.contains("it cannot be done"), "{reason}");
    let overseer = overseer(&nats.url(), Role::Observer);
    let aside = overseer.aside().expect("a list");
    assert!(matches!(&aside[..], [AsideEntry::Chunk { first: 40, count: 5, .. }]), "{aside:?}");
    assert_eq!(overseer.status().expect("a state").campaigns[0].state.done, 95);
    // The rest was not lost: with the same job under other conditions, only the chunk is done again.
    assert_done(&farm, sums, 45..100);
}

#[test]
fn a_worker_with_wrong_results_is_set_aside_and_none_of_them_counts() {
    for is_spot_checked in [false, true] {
        let Some(nats) = Nats::start(&format!("liar-{is_spot_checked}")) else { return };
        let url = nats.url();
        let mut liar = TestWorker::start(&nats, &url, "liar", Honesty::AddsOne);
        let farm = farm(&url, 25);
        let sums = Sums { is_spot_checked, milliseconds: 1, ..Sums::default() };
        let honest = std::thread::scope(|scope| {
            let job = scope.spawn(|| run(&farm, sums, 0..2000, &Stop::new()));
            std::thread::sleep(Duration::from_millis(200));
            let honest = TestWorker::start(&nats, &url, "honest", Honesty::Honest);
            let (results, ended) = job.join().expect("no panic");
            assert!(ended.is_ok(), "{ended:?}");
            let wrong = results.iter().zip(expected(0..2000)).filter(|(one, other)| **one != *other).count();
            // By chance, some of the first results may pass before one of them is found again.
            assert!(wrong == 0 || is_spot_checked && wrong < 1000, "{wrong} wrong results");
            honest
        });
        let error = liar.wait().expect_err("it was set aside").to_string();
        assert!(error.contains("was set aside") && error.contains("wrong"), "{error}");
        assert_eq!(honest.end(), Ok(()));
    }
}

#[test]
fn a_worker_of_another_version_takes_nothing_and_reports_why() {
    let Some(nats) = Nats::start("version") else { return };
    let url = nats.url();
    let farm = farm(&url, 5);
    let stop = Stop::new();
    std::thread::scope(|scope| {
        let job = scope.spawn(|| run(&farm, Sums::default(), 0..20, &stop));
        std::thread::sleep(Duration::from_millis(500));
        let old = TestWorker::start_version(&nats, &url, "old", Honesty::Honest, "0.9");
        let sentence = "is for version 1.0 (test) of Emilia; this worker is version 0.9";
        wait_for("no refusal", || old.messages().contains(sentence).then_some(()));
        assert!(!job.is_finished());
        let _new = TestWorker::start(&nats, &url, "new", Honesty::Honest);
        let (results, ended) = job.join().expect("no panic");
        assert_eq!((results, ended.is_ok()), (expected(0..20), true));
    });
}

#[test]
fn a_stopped_job_continues_where_it_was() {
    let Some(nats) = Nats::start("resumed") else { return };
    let url = nats.url();
    let farm = farm(&url, 10);
    let worker = TestWorker::start(&nats, &url, "one", Honesty::Honest);
    let stop = Stop::new();
    let sums = Sums { milliseconds: 5, ..Sums::default() };
    let taken = std::thread::scope(|scope| {
        let job = scope.spawn(|| run(&farm, sums, 0..200, &stop));
        std::thread::sleep(Duration::from_millis(600));
        stop.set();
        let (results, ended) = job.join().expect("no panic");
        assert!(ended.is_ok());
        results.len() as u64
    });
    assert!(taken > 0 && taken < 200, "{taken}");
    assert_done(&farm, sums, taken..200);
    assert_eq!(worker.end(), Ok(()));
    let overseer = overseer(&url, Role::Observer);
    let status = overseer.status().expect("a state");
    assert_eq!((status.campaigns.len(), status.queued_chunks, status.workers.len()), (0, 0, 0));
}

#[test]
fn the_same_job_is_not_run_by_two_commands_at_once() {
    let Some(nats) = Nats::start("twice") else { return };
    let url = nats.url();
    let (one, other) = (farm(&url, 5), farm(&url, 5));
    let stop = Stop::new();
    std::thread::scope(|scope| {
        let job = scope.spawn(|| run(&one, Sums::default(), 0..20, &stop));
        std::thread::sleep(Duration::from_millis(500));
        let (_, ended) = run(&other, Sums::default(), 0..20, &stop);
        let sentence = ended.expect_err("it runs already").to_string();
        assert!(sentence.contains("already running"), "{sentence}");
        stop.set();
        job.join().expect("no panic").1.expect("it was stopped");
    });
}

/// Stops a job when a test ends, also by a panic.
struct Ended<'s>(&'s Stop);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.set();
    }
}

#[test]
fn a_job_is_cancelled_whether_its_command_receives_the_decision_or_not() {
    let Some(nats) = Nats::start("cancelled") else { return };
    let url = nats.url();
    let farm = farm(&url, 5);
    let overseer = overseer(&url, Role::Submitter);
    let stop = Stop::new();
    std::thread::scope(|scope| {
        let _ended = Ended(&stop);
        let job = scope.spawn(|| run(&farm, Sums::default(), 0..20, &stop));
        let campaign = campaign(&overseer);
        overseer.cancel(&campaign).expect("cancelled");
        // The command has ended the campaign itself: nothing is left.
        assert!(overseer.status().expect("a state").campaigns.is_empty());
        let (_, ended) = job.join().expect("no panic");
        assert!(matches!(ended, Err(JobError::Cancelled)), "{ended:?}");
        // A state that has vanished while the command was silent.
        let job = scope.spawn(|| run(&farm, Sums::default(), 0..20, &stop));
        let runtime = tokio::runtime::Runtime::new().expect("threads");
        runtime.block_on(async {
            let context = async_nats::jetstream::new(async_nats::connect(&url).await.expect("a connection"));
            let bucket = context.get_key_value(crate::names::CAMPAIGNS).await.expect("a bucket");
            while bucket.get(campaign.task.as_str()).await.expect("a bucket").is_none() {
                assert!(!job.is_finished(), "the job ends");
            }
            bucket.purge(campaign.task.as_str()).await.expect("purged");
        });
        let (_, ended) = job.join().expect("no panic");
        assert!(matches!(ended, Err(JobError::Cancelled)), "{ended:?}");
    });
}

#[test]
fn a_worker_that_was_set_aside_by_another_command_is_refused() {
    let Some(nats) = Nats::start("distrusted") else { return };
    let url = nats.url();
    let sums = |salt| Sums { is_spot_checked: true, milliseconds: 1, salt, ..Sums::default() };
    let mut liar = TestWorker::start(&nats, &url, "liar", Honesty::AddsOne);
    let farm = farm(&url, 25);
    std::thread::scope(|scope| {
        let job = scope.spawn(|| run(&farm, sums(1), 0..1000, &Stop::new()));
        liar.wait().expect_err("it was set aside");
        let honest = TestWorker::start(&nats, &url, "honest", Honesty::Honest);
        assert!(job.join().expect("no panic").1.is_ok());
        assert_eq!(honest.end(), Ok(()));
    });
    // It comes back and is refused; what it might have sent would not count.
    let mut liar = TestWorker::start(&nats, &url, "liar", Honesty::AddsOne);
    let error = liar.wait().expect_err("it is still set aside").to_string();
    assert!(error.contains("was set aside"), "{error}");
    let _honest = TestWorker::start(&nats, &url, "honest", Honesty::Honest);
    assert_done(&farm, sums(2), 0..100);
}
