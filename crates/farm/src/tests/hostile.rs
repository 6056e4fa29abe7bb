//! Messages that are malformed, too long, forged or repeated: refused and counted, and nothing is lost.

use std::time::{Duration, Instant};

use crate::message::{ChunkOutcome, JobMessage, MAX_BYTES, ResultMessage, inputs_id};
use crate::receiving::{Receipt, Receiving};
use crate::state::{AsideEntry, MAX_COUNT, MAX_RATE, MAX_THREADS};
use crate::status::{NamedCampaign, NamedWorker};
use crate::{Role, names};
use control::Stop;
use jobs::{AnyJob, ContentId, Definition, Job};
use othello::random::Random;
use serde_json::Value;

use super::nats::Nats;
use super::sums::{
    Honesty, SumWork, Sums, TestWorker, VERSION, assert_done, campaign, expected, farm, honest_work, item, overseer,
    run, wait_for,
};

fn mutated(message: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = message.to_vec();
    for _ in 0..=random.below_u32(3) {
        let place = random.below_u32(bytes.len().max(1) as u32) as usize;
        match random.below_u32(6) {
            0 if !bytes.is_empty() => bytes[place] = random.below_u32(256) as u8,
            1 if !bytes.is_empty() => drop(bytes.remove(place)),
            2 => bytes.insert(place.min(bytes.len()), b"0123456789-e\"{}[],:"[random.below_u32(19) as usize]),
            3 => bytes.truncate(place),
            4 => bytes.extend_from_slice(&bytes.clone()[..place]),
            _ => {
                // Another number in the place of one.
                if let Some(digit) = bytes.iter_mut().filter(|byte| byte.is_ascii_digit()).nth(place % 7) {
                    *digit = b'0' + random.below_u32(10) as u8;
                }
            }
        }
    }
    bytes
}

fn inputs_of(first: u64, count: u64) -> u64 {
    let inputs: Vec<Value> = (first..first + count).map(|number| Value::from(item(number))).collect();
    inputs_id(&inputs)
}

fn result(task: ContentId, worker: &str, first: u64, count: u64) -> ResultMessage {
    let outputs = (first..first + count).map(|number| Value::from(number + item(number))).collect();
    let outcome = ChunkOutcome::Done { outputs, inputs: inputs_of(first, count), seconds: 0.25 };
    ResultMessage { task, worker: worker.into(), first, attempt: 1, outcome }
}

fn job(work: &SumWork) -> Job<'_, SumWork> {
    Job { work, items: &item, definition: &|| Definition::new("sums", &Sums::default()) }
}

fn bytes(message: &ResultMessage) -> Vec<u8> {
    serde_json::to_vec(message).expect("JSON")
}

/// All results that can be passed on.
fn taken(receiving: &mut Receiving<'_>, job: &dyn AnyJob) -> Vec<u64> {
    std::iter::from_fn(|| receiving.ledger.take())
        .map(|(number, output)| {
            let right = job.output(number, Value::from(number + item(number))).expect("a right sum");
            assert!(job.agrees(&output, &right), "item {number}");
            number
        })
        .collect()
}

#[test]
fn a_hundred_thousand_changed_messages_neither_lose_nor_forge_a_result() {
    let mut random = Random::of_item(23, 5);
    let task = ContentId::of(b"task");
    let work = honest_work(Sums::default());
    let job = job(&work);
    let mut receiving = Receiving::new(&job, task, 0..2_000, None);
    receiving.workers = 100;
    let mut refused = 0;
    let mut chunks = std::iter::from_fn(|| receiving.ledger.next_chunk(4)).collect::<Vec<_>>();
    for round in 0..100_000u64 {
        let first = u64::from(random.below_u32(2_000));
        // Every forger has a name of its own, so that its first messages are accepted.
        let forger = format!("forger{round}");
        let mut forged = mutated(&bytes(&result(task, &forger, first, 1 + first % 4)), &mut random);
        if round % 1000 == 0 {
            forged.resize(MAX_BYTES + 1, b' ');
        }
        refused += u64::from(receiving.receive(&forger, &forged) == Receipt::Refused);
        let _ = JobMessage::read(&forged);
        if round % 200 == 0
            && let Some(chunk) = chunks.pop()
        {
            receiving.receive("honest", &bytes(&result(task, "honest", chunk.first, chunk.count)));
        }
    }
    let counted = receiving.ledger.refused;
    assert!(counted.malformed > 30_000 && counted.foreign > 1_000 && counted.wrong > 100, "{counted:?}");
    assert!(refused >= counted.malformed + counted.foreign, "{refused} refused, {counted:?}");
    // Whatever was made of it, honest workers can still finish the job.
    while let Some(chunk) = receiving.ledger.next_chunk(4) {
        chunks.push(chunk);
    }
    for chunk in chunks {
        receiving.receive("honest", &bytes(&result(task, "honest", chunk.first, chunk.count)));
    }
    assert!(taken(&mut receiving, &job).into_iter().eq(0..2_000));
    // Everything again: repeated, and counted as such.
    let before = receiving.ledger.refused.repeated;
    receiving.receive("honest", &bytes(&result(task, "honest", 0, 1000)));
    assert_eq!(receiving.ledger.refused.repeated, before + 1000);
}

#[test]
fn a_result_under_the_name_of_another_worker_is_refused() {
    let task = ContentId::of(b"task");
    let work = honest_work(Sums::default());
    let job = job(&work);
    let mut receiving = Receiving::new(&job, task, 0..10, None);
    receiving.workers = 2;
    receiving.ledger.next_chunk(10).expect("a chunk");
    let outcome = ChunkOutcome::Done { outputs: vec![Value::from(0)], inputs: inputs_of(9, 1), seconds: 0.1 };
    let wrong = ResultMessage { outcome, ..result(task, "honest", 9, 1) };
    assert_eq!(receiving.receive("forger", &bytes(&wrong)), Receipt::Refused);
    assert!(!receiving.ledger.is_distrusted("honest"));
    // Under its own name it counts against the sender.
    let own = ResultMessage { worker: "forger".into(), ..wrong };
    assert!(matches!(receiving.receive("forger", &bytes(&own)), Receipt::InvalidResult(_)));
    assert!(receiving.ledger.is_distrusted("forger") && !receiving.ledger.is_distrusted("honest"));
    // Afterwards nothing of it counts, and a chunk that it has taken from the queue is submitted again.
    let chunk = receiving.ledger.next_chunk(10).expect("the chunk again");
    let right = result(task, "forger", chunk.first, chunk.count);
    assert_eq!(receiving.receive("forger", &bytes(&right)), Receipt::Refused);
    let chunk = receiving.ledger.next_chunk(10).expect("the chunk once more");
    let receipt = receiving.receive("honest", &bytes(&result(task, "honest", chunk.first, chunk.count)));
    assert_eq!(receipt, Receipt::Results { items: 10, seconds: 0.25 });
    assert_eq!(taken(&mut receiving, &job).len(), 10);
}

/// The forged results that are sent through the server.
const FORGED: u64 = 100_000;

#[test]
fn a_campaign_survives_forged_messages_on_the_server() {
    let Some(nats) = Nats::start("hostile") else { return };
    let url = nats.url();
    let farm = farm(&url, 20);
    let sums = Sums { milliseconds: 2, salt: 5, ..Sums::default() };
    let overseer = overseer(&url, Role::Observer);
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let stop = Stop::new();
    std::thread::scope(|scope| {
        let job = scope.spawn(|| run(&farm, sums, 0..1000, &stop));
        let task: ContentId = campaign(&overseer).task.parse().expect("a name");
        runtime.block_on(async {
            let client = async_nats::connect(&url).await.expect("a connection");
            let mut random = Random::of_item(7, 7);
            let job = JobMessage {
                version: VERSION.into(),
                task,
                run: "forged".into(),
                first: 3,
                count: 2,
                attempt: 1,
                inputs: vec![Value::from(1), Value::from(2)],
            };
            for number in 0..FORGED {
                let forger = format!("forger-{}", number % 5);
                let first = number % 1000;
                let wrong =
                    ChunkOutcome::Done { outputs: vec![Value::from(7)], inputs: inputs_of(first, 1), seconds: 0.1 };
                let forged = ResultMessage { outcome: wrong, ..result(task, &forger, first, 1) };
                let bytes = if number % 2 == 0 { mutated(&bytes(&forged), &mut random) } else { bytes(&forged) };
                // Half of them under a name that is not that of the sender.
                let name = if number % 4 < 2 { forger.as_str() } else { "honest" };
                client.publish(names::result_subject(&task, name), bytes.into()).await.expect("published");
                if number % 5000 == 0 {
                    let bytes = mutated(&serde_json::to_vec(&job).expect("JSON"), &mut random);
                    client.publish(names::job_subject(VERSION, &task), bytes.into()).await.expect("published");
                }
            }
            client.flush().await.expect("sent");
        });
        let worker = TestWorker::start(&nats, &url, "honest", Honesty::Honest);
        let start = Instant::now();
        let mut refused = 0;
        while !job.is_finished() {
            let campaigns = overseer.status().map(|status| status.campaigns).unwrap_or_default();
            refused = campaigns.first().map_or(refused, |campaign| campaign.state.refused.max(refused));
            if start.elapsed() > Duration::from_secs(180) {
                stop.set();
                panic!("the campaign does not end: {campaigns:?}\n{}", worker.messages());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let (results, ended) = job.join().expect("no panic");
        assert!(ended.is_ok(), "{ended:?}");
        assert_eq!(results, expected(0..1000));
        assert!(refused >= FORGED * 9 / 10, "{refused} messages refused");
        assert!(worker.messages().contains("refused a message"), "{}", worker.messages());
    });
}

/// Entries of a hostile worker: numbers at the ends of their types, texts that are long or move the cursor, keys that are
/// not names of workers.
#[test]
fn states_are_read_within_bounds() {
    let Some(nats) = Nats::start("states") else { return };
    let url = nats.url();
    let farm = farm(&url, 5);
    let overseer = overseer(&url, Role::Observer);
    let state = |threads: u64, rate: &str, text: &str| {
        format!(
            r#"{{"host":"{text}","process":1,"version":"{text}","threads":{threads},"busy":{threads},"chunks":{max},"items":{max},
            "failures":{max},"refused":{max},"items_per_second":{rate},"began":{max}}}"#,
            max = u64::MAX
        )
    };
    let campaign = |first: u64, rate: &str| {
        format!(
            r#"{{"kind":"{long}","version":"1","host":"\u001b[2J","process":1,"run":"r","first":{first},"end":{max},"done":{max},
            "open_chunks":{max},"aside":{max},"refused":{max},"items_per_second":{rate},"began":{max},"written":{max},"phase":"running"}}"#,
            long = "x".repeat(5000),
            max = u64::MAX
        )
    };
    let task = ContentId::of(b"forged");
    let mut entries: Vec<(String, String)> = Vec::new();
    for number in 0..30 {
        entries.push((format!("workers.w{number}"), state(u32::MAX.into(), "1e308", &"\\u001b[31m".repeat(500))));
    }
    entries.push(("workers.none".to_owned(), state(0, "-1e308", "")));
    entries.push(("workers.tiny".to_owned(), state(1, "1e-320", "desk")));
    for odd in ["not valid!", "a*b", "-", "more.parts", &"long".repeat(100), "a\u{e9}"] {
        entries.push((format!("workers.{}", odd.replace(' ', "_")), state(1, "1", "odd")));
    }
    entries.push((format!("campaigns.{task}"), campaign(5, "1e-300")));
    entries.push(("campaigns.mine".to_owned(), campaign(0, "1e308")));
    let reason = "\\u001b[2J".repeat(5000);
    let aside = format!(r#"{{"what":"worker","worker":"evil","reason":"{reason}"}}"#);
    entries.push(("aside.worker.evil".to_owned(), aside.clone()));
    entries.push(("aside.worker.honest".to_owned(), aside));
    entries.push(("aside.worker.other".to_owned(), r#"{"stream":"EMILIA_RESULTS","seq":1}"#.to_owned()));
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        let client = async_nats::connect(&url).await.expect("a connection");
        for (key, text) in entries {
            client.publish(format!("$KV.EMILIA_{key}"), text.into()).await.expect("published");
        }
        client.flush().await.expect("sent");
    });
    let status = wait_for("the entries are missing", || {
        let status = overseer.status().expect("a state");
        (status.workers.len() >= 32 && !status.campaigns.is_empty() && status.aside > 0).then_some(status)
    });
    let names: Vec<_> = status.workers.iter().map(|worker| &worker.worker).collect();
    assert_eq!(names.len(), 32, "keys that no worker writes are left out: {names:?}");
    let is_plain = |text: &str| text.chars().count() <= 64 && !text.chars().any(char::is_control);
    for NamedWorker { worker, state } in &status.workers {
        assert!(state.threads <= MAX_THREADS && state.busy <= state.threads, "{worker}: {state:?}");
        assert_eq!((state.chunks, state.items, state.failures), (MAX_COUNT, MAX_COUNT, MAX_COUNT));
        assert!((0.0..=MAX_RATE).contains(&state.items_per_second), "{worker}: {state:?}");
        assert!(is_plain(worker) && is_plain(&state.host) && is_plain(&state.version), "{state:?}");
    }
    assert_eq!(status.workers.iter().map(|worker| worker.state.threads).sum::<u32>(), 30 * MAX_THREADS + 1);
    let [NamedCampaign { state, seconds_left, .. }] = &status.campaigns[..] else { panic!("{:?}", status.campaigns) };
    assert!(is_plain(&state.kind) && is_plain(&state.host));
    assert_eq!((state.end, state.done, state.aside), (MAX_COUNT, MAX_COUNT - 5, MAX_COUNT - 5));
    assert_eq!(*seconds_left, Some(0.0));
    let aside = overseer.aside().expect("a list");
    let [AsideEntry::Worker { worker, reason }] = &aside[..] else { panic!("{aside:?}") };
    assert!(worker == "evil" && reason.len() <= 1000 && !reason.contains('\u{1b}'), "{reason}");
    // All the same, a job is done.
    let _worker = TestWorker::start(&nats, &url, "honest", Honesty::Honest);
    assert_done(&farm, Sums { salt: 6, ..Sums::default() }, 0..100);
}
