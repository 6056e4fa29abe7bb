//! `cargo xtask load --hostile`: clients that send fuzzed messages, that never read, or that make the server panic.
//! Meanwhile `/health` has to answer, and afterwards nothing of the clients may be left.

use std::io::{Read, Write};
use std::net::TcpStream as BlockingStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use control::lock;
use futures_util::stream::SplitStream;
use futures_util::{SinkExt, StreamExt};
use othello::random::Random;
use serde::Deserialize;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use web::message::{Response, Shown};

use super::{PATIENCE, milliseconds};
use crate::dialogue::requests::Requests;

/// No answer of `/health` should take longer.
const GOAL: Duration = Duration::from_secs(1);

/// The pause between two requests for `/health`.
const PROBE_PAUSE: Duration = Duration::from_millis(50);

/// Number of clients that send or panic at the same time.
const AT_ONCE: usize = 16;

/// The messages of one connection: fewer than a server reads without a pause.
const MESSAGES_OF_A_CONNECTION: usize = 250;

/// The requests of a client that does not read the answers.
const UNREAD_REQUESTS: usize = 400;

/// Attack on a server.
#[derive(Clone, Debug)]
pub(super) struct Attack {
    /// Number of messages, valid ones and broken ones, with extreme numbers.
    pub(super) messages: usize,
    /// Number of connections that send requests and never read.
    pub(super) silent: usize,
    /// Time for which these stay.
    pub(super) silence: Duration,
    /// Number of messages at which the server panics.
    pub(super) panics: usize,
    /// A message at which it does.
    pub(super) panics_at: String,
    pub(super) seed: u64,
}

impl Attack {
    /// The attack of `cargo xtask load --hostile`.
    pub(super) fn whole(panics_at: &str, seed: u64) -> Self {
        let silence = Duration::from_secs(20);
        Self { messages: 100_000, silent: 2_000, silence, panics: 1_000, panics_at: panics_at.to_owned(), seed }
    }
}

/// The three parts of an attack.
const PARTS: [&str; 3] = ["fuzzed messages", "silent connections", "panicking handlers"];

/// Effects of an attack.
#[derive(Debug)]
pub(super) struct Damage {
    /// Number of actions in each part, and its duration.
    parts: Vec<(usize, Duration)>,
    /// The longest wait for `/health` in each part.
    worst: [Duration; 3],
    /// Number of requests for `/health`.
    questions: usize,
}

impl Damage {
    /// Prints a line for each part.
    pub(super) fn print(&self) {
        for ((name, (count, time)), worst) in PARTS.iter().zip(&self.parts).zip(&self.worst) {
            let (seconds, worst) = (time.as_secs_f64(), milliseconds(*worst));
            println!("{name:20} {count:6} in {seconds:5.1} s, /health after {worst:.1} ms at worst");
        }
        let worst = self.worst.iter().max().copied().unwrap_or_default();
        let judgement = if worst <= GOAL { "within" } else { "beyond" };
        println!("{:20} {:6} answers, {judgement} the goal of {:.0} ms", "/health", self.questions, milliseconds(GOAL));
    }
}

/// Answer of `/health`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct Health {
    clients: usize,
    jobs: usize,
    connections: usize,
}

/// Attacks a server, and waits until nothing is left of the attack.
pub(super) async fn attack(attack: &Attack, address: &str) -> Result<Damage> {
    let probe = Probe::start(address);
    let mut parts = Vec::new();
    for (part, name) in PARTS.iter().enumerate() {
        probe.part.store(part, Relaxed);
        let start = Instant::now();
        let count = match part {
            0 => send_anything(attack, address).await,
            1 => never_read(attack, address).await,
            _ => panic_often(attack, address).await,
        };
        parts.push((count.with_context(|| format!("the attack by {name} failed"))?, start.elapsed()));
    }
    let (worst, questions) = probe.end()?;
    until_alone(address).await?;
    Ok(Damage { parts, worst, questions })
}

/// Waits until there is no connection but that of the request itself.
pub(super) async fn until_alone(address: &str) -> Result<()> {
    let alone = Health { clients: 0, jobs: 0, connections: 1 };
    let start = Instant::now();
    loop {
        let asked = address.to_owned();
        let health = tokio::task::spawn_blocking(move || health(&asked)).await??;
        if health == alone {
            return Ok(());
        }
        ensure!(start.elapsed() < PATIENCE, "the attack has left {health:?}");
        sleep(PROBE_PAUSE).await;
    }
}

/// Requests `/health` over a connection of its own, in the calling thread.
fn health(address: &str) -> Result<Health> {
    let mut stream = BlockingStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(stream, "GET /health HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (_, body) = answer.split_once("\r\n\r\n").with_context(|| format!("/health answers {answer:?}"))?;
    serde_json::from_str(body).with_context(|| format!("/health answers {answer:?}"))
}

/// A thread that requests `/health` again and again.
struct Probe {
    part: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<Result<([Duration; 3], usize)>>,
}

impl Probe {
    fn start(address: &str) -> Self {
        let (part, is_over) = <(Arc<AtomicUsize>, Arc<AtomicBool>)>::default();
        let thread = thread::spawn({
            let (address, part, is_over) = (address.to_owned(), Arc::clone(&part), Arc::clone(&is_over));
            move || {
                let (mut worst, mut count) = ([Duration::ZERO; 3], 0);
                while !is_over.load(Relaxed) {
                    let (asked_in, start) = (part.load(Relaxed), Instant::now());
                    // A connection may have to give way to a newer one; then the request is repeated.
                    while let Err(error) = health(&address) {
                        ensure!(start.elapsed() < PATIENCE, "no answer of /health: {error:#}");
                    }
                    worst[asked_in] = worst[asked_in].max(start.elapsed());
                    count += 1;
                    thread::sleep(PROBE_PAUSE);
                }
                Ok((worst, count))
            }
        });
        Self { part, is_over, thread }
    }

    fn end(self) -> Result<([Duration; 3], usize)> {
        self.is_over.store(true, Relaxed);
        self.thread.join().map_err(|_| anyhow!("the thread that asks for the health has failed"))?
    }
}

/// Runs a piece of work `count` times, a few of them in parallel.
async fn repeat<F: Future<Output = Result<usize>> + Send + 'static>(
    count: usize,
    work: impl Fn(usize) -> F,
) -> Result<usize> {
    let (mut running, mut done) = (JoinSet::new(), 0);
    for number in 0..count {
        if running.len() >= AT_ONCE
            && let Some(outcome) = running.join_next().await
        {
            done += outcome??;
        }
        running.spawn(work(number));
    }
    while let Some(outcome) = running.join_next().await {
        done += outcome??;
    }
    Ok(done)
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

async fn connect(address: &str) -> Result<Socket> {
    let connected = timeout(PATIENCE, connect_async(format!("ws://{address}/socket"))).await;
    Ok(connected.context("the server lets nobody in")??.0)
}

/// Sends fuzzed messages; returns the number that the server has read.
async fn send_anything(attack: &Attack, address: &str) -> Result<usize> {
    let (messages, seed) = (attack.messages, attack.seed);
    repeat(messages.div_ceil(MESSAGES_OF_A_CONNECTION), |number| {
        let address = address.to_owned();
        let count = MESSAGES_OF_A_CONNECTION.min(messages - number * MESSAGES_OF_A_CONNECTION);
        let mut random = Random::of_item(seed, number as u64);
        async move {
            let mut sent = 0;
            // A message can end the connection: one that is too large, or that makes a player fail.
            while sent < count {
                sent += converse(&address, count - sent, &mut random).await?;
            }
            Ok(sent)
        }
    })
    .await
}

/// Messages that a client has received.
#[derive(Default)]
struct Heard {
    view: Mutex<Option<Utf8Bytes>>,
    /// The answer to a ping, or the end of the connection.
    is_done: Notify,
}

/// Sends messages over one connection; returns their number, at least 1.
async fn converse(address: &str, count: usize, random: &mut Random) -> Result<usize> {
    let (mut sink, stream) = connect(address).await?.split();
    let heard = Arc::new(Heard::default());
    let listener = tokio::spawn(listen(stream, Arc::clone(&heard)));
    let requests = Requests::new();
    let mut sent = 0;
    let mut outcome = sink.send(Message::text(json!({ "type": "hello" }).to_string())).await;
    while sent < count && outcome.is_ok() && !listener.is_finished() {
        // A new view is worth its time now and then.
        let view = lock(&heard.view).take();
        let shown = view.as_deref().and_then(shown);
        let few = 1 + random.below(4);
        for _ in 0..few.min(count - sent) {
            outcome = sink.send(Message::text(requests.next(random, shown.as_deref()))).await;
            sent += 1;
        }
        tokio::task::yield_now().await;
    }
    // What was sent before a ping has been read when it is answered.
    if sink.send(Message::Ping(Default::default())).await.is_ok() {
        timeout(PATIENCE, heard.is_done.notified()).await.context("the server does not read")?;
    }
    listener.abort();
    Ok(sent.max(1))
}

fn shown(text: &str) -> Option<Box<Shown>> {
    match serde_json::from_str(text) {
        Ok(Response::View(shown)) => Some(shown),
        _ => None,
    }
}

/// Keeps the last view that comes, until the answer to a ping or the end.
async fn listen(mut stream: SplitStream<Socket>, heard: Arc<Heard>) {
    while let Some(Ok(message)) = stream.next().await {
        match message {
            Message::Text(text) if text.starts_with(r#"{"type":"view""#) => {
                *lock(&heard.view) = Some(text);
            }
            Message::Pong(_) | Message::Close(_) => break,
            _ => {}
        }
    }
    heard.is_done.notify_one();
}

/// Makes connections that send many requests and read nothing; returns the number of connections.
async fn never_read(attack: &Attack, address: &str) -> Result<usize> {
    let mut attempts = JoinSet::new();
    let mut silent: Vec<Box<dyn Send>> = Vec::new();
    for number in 0..attack.silent {
        if attempts.len() >= 4 * AT_ONCE
            && let Some(outcome) = attempts.join_next().await
        {
            silent.extend(outcome?);
        }
        let address = address.to_owned();
        attempts.spawn(async move {
            // The server may close any of them, and does so when there are too many.
            let attempt = async {
                let connected: Option<Box<dyn Send>> = match number % 4 {
                    0 => silent_client(&address).await.ok().map(|socket| Box::new(socket) as _),
                    _ => silent_visit(&address).await.ok().map(|stream| Box::new(stream) as _),
                };
                connected
            };
            timeout(Duration::from_secs(2), attempt).await.ok().flatten()
        });
    }
    while let Some(outcome) = attempts.join_next().await {
        silent.extend(outcome?);
    }
    sleep(attack.silence).await;
    Ok(silent.len())
}

/// A browser that requests pages and reads none.
async fn silent_visit(address: &str) -> Result<TcpStream> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n");
    // The server stops reading when its answers are not read.
    let _ = timeout(Duration::from_millis(500), stream.write_all(request.repeat(UNREAD_REQUESTS).as_bytes())).await;
    Ok(stream)
}

/// A client that requests lists of players and reads none.
async fn silent_client(address: &str) -> Result<Socket> {
    let mut socket = connect(address).await?;
    let requests = async {
        socket.send(Message::text(json!({ "type": "hello" }).to_string())).await?;
        for _ in 0..UNREAD_REQUESTS {
            socket.send(Message::text(json!({ "type": "players", "board": "8x8" }).to_string())).await?;
        }
        anyhow::Ok(())
    };
    let _ = timeout(Duration::from_millis(500), requests).await;
    Ok(socket)
}

/// Makes handlers panic; returns the number of connections that ended.
async fn panic_often(attack: &Attack, address: &str) -> Result<usize> {
    repeat(attack.panics, |_| {
        let (address, panics_at) = (address.to_owned(), attack.panics_at.clone());
        async move {
            let mut socket = connect(&address).await?;
            socket.send(Message::text(json!({ "type": "hello" }).to_string())).await?;
            let greeted = timeout(PATIENCE, socket.next()).await.context("no view")?;
            greeted.context("the server has closed the connection")??;
            socket.send(Message::text(panics_at)).await?;
            let end = async { while let Some(Ok(_)) = socket.next().await {} };
            timeout(PATIENCE, end).await.context("a connection stays after its handler has panicked")?;
            Ok(1)
        }
    })
    .await
}

/// The number of open sockets of a process, or of all open files.
#[cfg(target_os = "linux")]
pub(super) fn open_files(process: u32, only_sockets: bool) -> Result<usize> {
    let files = std::fs::read_dir(format!("/proc/{process}/fd"))?;
    let is_socket = |file: &std::fs::DirEntry| {
        std::fs::read_link(file.path()).is_ok_and(|target| target.to_string_lossy().starts_with("socket:"))
    };
    Ok(files.filter_map(|file| file.ok()).filter(|file| !only_sockets || is_socket(file)).count())
}

/// Zero: only Linux has the list.
#[cfg(not(target_os = "linux"))]
pub(super) fn open_files(_process: u32, _only_sockets: bool) -> Result<usize> {
    Ok(0)
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, SocketAddr};

    use tokio::sync::oneshot;
    use web::server::{Server, ServerOptions};

    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn a_server_survives_a_small_attack_and_keeps_nothing_of_it() {
        let attack_plan = Attack {
            messages: 1_500,
            silent: 60,
            silence: Duration::from_millis(300),
            panics: 20,
            panics_at: "panic".to_owned(),
            seed: 1,
        };
        let options = ServerOptions {
            registry: std::sync::Arc::clone(classics::registry()),
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            threads: 2,
            hash: 4,
            host_names: Vec::new(),
            max_clients: 40,
            connections_per_address: None,
            reading_time: Duration::from_secs(2),
            panics_at: Some(attack_plan.panics_at.clone()),
            seed: 1,
            book: None,
            farm: None,
        };
        let server = Server::listen(options).await.expect("a server");
        let address = server.address().to_string();
        let (end, receiver) = oneshot::channel::<()>();
        let running = tokio::spawn(server.run(async { drop(receiver.await) }));
        let before = open_files(std::process::id(), true).expect("a number of sockets");
        let damage = attack(&attack_plan, &address).await.expect("an attack that leaves nothing");
        assert_eq!((damage.parts[0].0, damage.parts[2].0), (attack_plan.messages, attack_plan.panics));
        assert!(damage.parts[1].0 > 0 && damage.questions > 0, "{damage:?}");
        // The connection of the last request is about to be closed.
        let start = Instant::now();
        while open_files(std::process::id(), true).expect("a number of sockets") > before {
            assert!(start.elapsed() < PATIENCE, "sockets are left");
            sleep(PROBE_PAUSE).await;
        }
        drop(end);
        running.await.expect("the server ends");
    }
}
