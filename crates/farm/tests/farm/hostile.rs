//! Messages that are malformed, too long, forged or repeated: refused and counted, and nothing is lost.

use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use farm::ledger::Ledger;
use farm::message::{JobMessage, Outcome, ResultMessage, inputs_id};
use farm::{Role, names};
use jobs::ContentId;
use othello::random::Random;
use search::Stop;
use serde_json::Value;

use crate::nats::Nats;
use crate::sums::{Honesty, Sums, TestWorker, VERSION, address, expected, farm, item, run};

/// A message with some bytes changed, removed, repeated or added.
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

/// What a submitter would have asked.
fn asked(first: u64, count: u64) -> u64 {
    let inputs: Vec<Value> = (first..first + count).map(|number| Value::from(item(number))).collect();
    inputs_id(&inputs)
}

fn result(task: ContentId, first: u64, count: u64) -> ResultMessage {
    let outputs = (first..first + count).map(|number| Value::from(number * 3)).collect();
    let outcome = Outcome::Done { outputs, inputs: asked(first, count), seconds: 0.25 };
    ResultMessage { task, worker: "w".into(), first, attempt: 1, outcome }
}

#[test]
fn a_hundred_thousand_changed_messages_neither_lose_nor_forge_a_result() {
    let mut random = Random::of_item(23, 5);
    let task = ContentId::of(b"task");
    let numbers = 0..2_000u64;
    let mut ledger = Ledger::new(numbers.clone());
    let mut taken = Vec::new();
    let mut refused = 0;
    let hear = |ledger: &mut Ledger<u64>, bytes: &[u8]| -> bool {
        let Ok(ResultMessage { task: of, worker, first, attempt, outcome }) = ResultMessage::read(bytes) else {
            return false;
        };
        match outcome {
            _ if of != task || ledger.is_distrusted(&worker) => return false,
            // A forged failure costs an attempt; here we only ask that it is not a result.
            Outcome::Failed { .. } => return attempt == 0,
            Outcome::Done { outputs, .. } if !ledger.overlaps(first, outputs.len() as u64) => return false,
            Outcome::Done { outputs, .. } => {
                let count = outputs.len() as u64;
                for (number, output) in (first..).zip(outputs) {
                    if ledger.is_missing(number) {
                        match output.as_u64() {
                            Some(output) if output == number * 3 => ledger.accept(number, &worker, output),
                            // As a submitter does; the name of an honest worker is not taken from it here.
                            _ => return false,
                        }
                    }
                }
                ledger.close(first, count);
            }
        }
        true
    };
    let mut chunks = std::iter::from_fn(|| ledger.next_chunk(4)).collect::<Vec<_>>();
    for round in 0..100_000 {
        let first = u64::from(random.below_u32(2_000));
        let bytes = serde_json::to_vec(&result(task, first, 1 + first % 4)).expect("JSON");
        refused += u32::from(!hear(&mut ledger, &mutated(&bytes, &mut random)));
        let _ = JobMessage::read(&mutated(&bytes, &mut random));
        if round % 200 == 0
            && let Some(chunk) = chunks.pop()
        {
            let honest = serde_json::to_vec(&result(task, chunk.first, chunk.count)).expect("JSON");
            hear(&mut ledger, &honest);
        }
    }
    assert!(refused > 50_000, "{refused} refused");
    for chunk in chunks {
        hear(&mut ledger, &serde_json::to_vec(&result(task, chunk.first, chunk.count)).expect("JSON"));
    }
    taken.extend(std::iter::from_fn(|| ledger.take()));
    assert!(ledger.is_over());
    assert!(taken.into_iter().eq(numbers.map(|number| (number, number * 3))));
}

#[test]
fn a_campaign_survives_forged_messages_on_the_server() {
    let Some(nats) = Nats::start("hostile") else { return };
    let url = nats.url();
    let farm = farm(&url, 20);
    let sums = Sums { milliseconds: 2, salt: 5, ..Sums::default() };
    let overseer = farm::status::Overseer::connect(&address(&url), Role::Observer).expect("an overseer");
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let stop = Stop::new();
    std::thread::scope(|scope| {
        let job = scope.spawn(|| run(&farm, sums, 0..1000, &stop));
        let start = Instant::now();
        let task: ContentId = loop {
            if let Ok(status) = overseer.status()
                && let Some(campaign) = status.campaigns.first()
            {
                break campaign.task.parse().expect("a name");
            }
            assert!(start.elapsed() < Duration::from_secs(10), "no campaign");
            std::thread::sleep(Duration::from_millis(20));
        };
        runtime.block_on(async {
            let client = async_nats::connect(&url).await.expect("a connection");
            let jetstream = async_nats::jetstream::new(client.clone());
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
            for number in 0..2000u64 {
                let forged =
                    ResultMessage { worker: format!("forger-{}", number % 5), ..result(task, number % 1000, 3) };
                let forged = serde_json::to_vec(&forged).expect("JSON");
                let bytes = if number % 2 == 0 { mutated(&forged, &mut random) } else { forged };
                let subject = names::result_subject(&task, "forger");
                client.publish(subject, bytes.into()).await.expect("published");
                if number % 4 == 0 {
                    let bytes = mutated(&serde_json::to_vec(&job).expect("JSON"), &mut random);
                    client.publish(names::job_subject(VERSION, &task), bytes.into()).await.expect("published");
                }
            }
            // The same message twice is stored once.
            let mut headers = HeaderMap::new();
            headers.insert("Nats-Msg-Id", "twice");
            let subject = names::result_subject(&task, "repeater");
            let publish = || jetstream.publish_with_headers(subject.clone(), headers.clone(), "{}".into());
            assert!(!publish().await.expect("published").await.expect("stored").duplicate);
            assert!(publish().await.expect("published").await.expect("stored").duplicate);
            client.flush().await.expect("sent");
        });
        let worker = TestWorker::start(&nats, &url, "honest", Honesty::Honest);
        let start = Instant::now();
        let mut refused = 0;
        while !job.is_finished() {
            let campaigns = overseer.status().map(|status| status.campaigns).unwrap_or_default();
            refused = campaigns.first().map_or(refused, |campaign| campaign.state.refused.max(refused));
            if start.elapsed() > Duration::from_secs(60) {
                stop.set();
                panic!("the campaign does not end: {campaigns:?}\n{}", worker.said());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let (results, ended) = job.join().expect("no panic");
        assert!(ended.is_ok(), "{ended:?}");
        assert_eq!(results, expected(0..1000));
        assert!(refused > 1000, "{refused} messages refused");
        assert!(worker.said().contains("refused a message"), "{}", worker.said());
    });
}
