//! Throughput of a server: how many empty jobs a second a server hands out to many simulated workers, and how long one takes from submission to
//! result: `cargo run --release -p farm --example simulated_workers -- nats://127.0.0.1 500 20000`.
//!
//! Every worker is a connection of its own that does what `emilia worker` does with a chunk: takes it, publishes a
//! result, acknowledges it. There is no work in between.

use std::error::Error;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::stream;
use async_nats::{Client, HeaderMap, jetstream};
use futures_util::StreamExt;

type Failure = Box<dyn Error + Send + Sync>;

const STREAM: &str = "SIMULATED_JOBS";
const RESULTS: &str = "SIMULATED_RESULTS";

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().unwrap_or_else(|| "nats://127.0.0.1".to_owned());
    let workers: usize = arguments.next().map_or(Ok(500), |text| text.parse())?;
    let jobs: usize = arguments.next().map_or(Ok(20_000), |text| text.parse())?;
    let client = async_nats::connect(&url).await?;
    let context = jetstream::new(client.clone());
    for name in [STREAM, RESULTS] {
        let _ = context.delete_stream(name).await;
    }
    let config = |name: &str, subject: &str, retention| stream::Config {
        name: name.to_owned(),
        subjects: vec![subject.to_owned()],
        retention,
        ..Default::default()
    };
    let queue = config(STREAM, "simulated.jobs", stream::RetentionPolicy::WorkQueue);
    let queue = context.create_stream(queue).await?;
    context.create_stream(config(RESULTS, "simulated.results", stream::RetentionPolicy::Limits)).await?;
    let consumer = pull::Config {
        durable_name: Some("workers".to_owned()),
        max_ack_pending: -1,
        max_waiting: 1 << 16,
        ..Default::default()
    };
    queue.create_consumer(consumer).await?;
    let mut connections = Vec::new();
    for _ in 0..workers {
        connections.push(async_nats::connect(&url).await?);
    }
    println!("{workers} workers connected");

    // Latency: one job after the other while all others wait.
    let tasks: Vec<_> = connections.into_iter().map(|client| tokio::spawn(work(client))).collect();
    let mut results = client.subscribe("simulated.results").await?;
    client.flush().await?;
    let mut latencies = Vec::new();
    for number in 0..500 {
        let start = Instant::now();
        publish(&context, "simulated.jobs", number).await?;
        results.next().await;
        latencies.push(start.elapsed());
    }
    latencies.sort();
    let percentile = |share: usize| latencies[latencies.len() * share / 100];
    println!("from submission to result: median {:?}, 99% {:?}", percentile(50), percentile(99));

    // Throughput: all jobs are there from the beginning on.
    let start = Instant::now();
    let submitter = tokio::spawn(async move {
        for batch in (0..jobs).collect::<Vec<_>>().chunks(200) {
            futures_util::future::try_join_all(
                batch.iter().map(|number| publish(&context, "simulated.jobs", 1000 + number)),
            )
            .await?;
        }
        Ok::<_, Failure>(())
    });
    for _ in 0..jobs {
        results.next().await;
    }
    let seconds = start.elapsed().as_secs_f64();
    submitter.await??;
    println!("{jobs} jobs in {seconds:.1} s: {:.0} jobs a second", jobs as f64 / seconds);
    tasks.iter().for_each(tokio::task::JoinHandle::abort);
    for name in [STREAM, RESULTS] {
        jetstream::new(client.clone()).delete_stream(name).await?;
    }
    Ok(())
}

async fn publish(context: &jetstream::Context, subject: &'static str, number: usize) -> Result<(), Failure> {
    let mut headers = HeaderMap::new();
    headers.insert("Nats-Msg-Id", format!("{subject}.{number}"));
    context.publish_with_headers(subject, headers, number.to_string().into()).await?.await?;
    Ok(())
}

/// Takes jobs and answers them.
async fn work(client: Client) -> Result<(), Failure> {
    let context = jetstream::new(client);
    let consumer: PullConsumer = context.get_consumer_from_stream("workers", STREAM).await?;
    loop {
        let mut messages = consumer.batch().max_messages(1).expires(Duration::from_secs(30)).messages().await?;
        while let Some(message) = messages.next().await {
            let message = message?;
            let number: usize = std::str::from_utf8(&message.payload)?.parse()?;
            context.publish("simulated.results", number.to_string().into()).await?.await?;
            message.ack().await?;
        }
    }
}
