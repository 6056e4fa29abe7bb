//! `cargo xtask load`: many clients play on a server simultaneously, and wait for its answers.

mod hostile;

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use futures_util::{SinkExt, StreamExt};
use othello::random::Random;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use self::hostile::{Attack, open_files, until_alone};
use crate::built_program;

/// Let many clients play whole games on `emilia serve` simultaneously: how long they wait, and what memory they take. Or attack it
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Number of clients that play
    #[arg(long, value_name = "N", default_value_t = 200)]
    clients: usize,
    /// The level of their opponent
    #[arg(long, value_name = "N", default_value_t = 5)]
    level: u32,
    /// Number of clients that have hints at level 30 meanwhile
    #[arg(long, value_name = "N", default_value_t = 4)]
    studies: usize,
    /// Mean time that a client thinks about a move, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    pause: f64,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// A server that runs already, as IP:PORT; its memory is not measured
    #[arg(long, value_name = "ADDRESS")]
    address: Option<String>,
    /// Attack a server instead: 100,000 fuzzed messages, 2,000 connections that never read and 1,000 panics of handlers; how long
    /// it takes to answer meanwhile, and what is left afterwards
    #[arg(long, conflicts_with_all = ["clients", "level", "studies", "pause", "address"])]
    hostile: bool,
    /// The program to start as a server [default: target/release/emilia, built first]
    #[arg(long, value_name = "FILE", conflicts_with = "address")]
    program: Option<PathBuf>,
}

/// Upper limit of the median answer. The median of one client may be at most three times that of all.
const MAX_WAITING: Duration = Duration::from_millis(300);

/// The memory of a client beyond the shared hash table, in KB.
const MAX_MEMORY: u64 = 2 << 10;

/// The hash table of the server, in MB: small, so that it is full before the clients come and is not counted as theirs.
const HASH: &str = "16";

/// A message at which a server that is attacked panics.
const PANICS_AT: &str = "panic for a test";

/// Time limit for a server to return memory and close files after an attack.
const REST: Duration = Duration::from_secs(15);

/// No answer takes so long.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let server = match &arguments.address {
        Some(_) => None,
        None => Some(Server::start(arguments)?),
    };
    let address = server.as_ref().map(|server| server.address.clone()).or_else(|| arguments.address.clone());
    let address = address.context("a server has an address")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    if let Some(server) = server.as_ref().filter(|_| arguments.hostile) {
        return runtime.block_on(resist(arguments, server));
    }
    runtime.block_on(measure(arguments, &address, server.as_ref()))
}

/// A server that ends when this is dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(arguments: &Arguments) -> Result<Self> {
        let program = arguments.program.clone().map_or_else(built_program, Ok)?;
        let mut command = Command::new(&program);
        command.args(["serve", "--address", "127.0.0.1:0", "--hash", HASH]).stdout(Stdio::piped());
        if arguments.hostile {
            // Panics that are wanted are not shown.
            command.env("EMILIA_TEST_PANIC_AT", PANICS_AT).stderr(Stdio::null());
        }
        let mut child = command.spawn().with_context(|| format!("cannot start {}", program.display()))?;
        let mut line = String::new();
        if let Some(output) = child.stdout.take() {
            BufReader::new(output).read_line(&mut line)?;
        }
        let address = line.split_once("http://").and_then(|(_, rest)| rest.split_once('/'));
        let address = address.map(|(address, _)| address.to_owned());
        let mut server = Self { child, address: String::new() };
        server.address = address.ok_or_else(|| anyhow!("the server does not say its address: {line:?}"))?;
        Ok(server)
    }

    /// The memory that it occupies, in KB.
    fn memory(&self) -> Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let count = line.and_then(|line| line.trim().strip_suffix("kB")).context("no VmRSS")?;
        Ok(count.trim().parse()?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // If it has ended already, there is nothing to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Attacks a server and prints the effects.
async fn resist(arguments: &Arguments, server: &Server) -> Result<()> {
    let process = server.child.id();
    warm_up(&server.address).await?;
    until_alone(&server.address).await?;
    let (files, memory) = (open_files(process, false)?, server.memory()?);
    let damage = hostile::attack(&Attack::whole(PANICS_AT, arguments.seed), &server.address).await?;
    let at_once = server.memory()?;
    sleep(REST).await;
    let (files_after, memory_after) = (open_files(process, false)?, server.memory()?);
    damage.print();
    println!("{:20} {files:6} before, {files_after} afterwards", "open files");
    let rest = REST.as_secs();
    let [before, at_once, after] = [memory, at_once, memory_after].map(|kilobytes| kilobytes >> 10);
    println!("{:20} {before:6} MB before, {at_once} MB at the end, {after} MB {rest} s later", "memory");
    ensure!(files_after <= files, "the server has more open files than before");
    Ok(())
}

async fn measure(arguments: &Arguments, address: &str, server: Option<&Server>) -> Result<()> {
    let &Arguments { clients, level, studies, pause, seed, .. } = arguments;
    warm_up(address).await?;
    let before = server.map(Server::memory).transpose()?;
    let (end, is_over) = watch::channel(false);
    let mut students = JoinSet::new();
    for number in 0..studies {
        let random = Random::of_item(seed, (clients + number) as u64);
        students.spawn(study(address.to_owned(), random, is_over.clone()));
    }
    let start = Instant::now();
    let mut players = JoinSet::new();
    for number in 0..clients {
        let random = Random::of_item(seed, number as u64);
        players.spawn(play_game(address.to_owned(), level, pause, random));
    }
    let mut waits = Vec::new();
    let mut most = before.unwrap_or_default();
    while waits.len() < clients {
        tokio::select! {
            Some(played) = players.join_next() => waits.push(played??),
            () = sleep(Duration::from_millis(250)) => {
                if let Some(server) = server {
                    most = most.max(server.memory()?);
                }
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    end.send(true)?;
    let mut views = Vec::new();
    while let Some(studied) = students.join_next().await {
        views.push(studied??);
    }
    let figures = Figures::of(&waits)?;
    let memory = before.map(|before| most.saturating_sub(before) / (clients + studies).max(1) as u64);
    println!(
        "{clients} clients played a game at level {level} in {seconds:.0} s, pausing {pause} s; {studies} had hints"
    );
    println!("answers            {}", figures.count);
    println!("median             {:.1} ms", milliseconds(figures.median));
    println!("95%                {:.1} ms", milliseconds(figures.percentile_95));
    println!("worst              {:.1} ms", milliseconds(figures.worst));
    println!("slowest client     {:.1} ms (its median)", milliseconds(figures.slowest_client));
    if let (Some(before), Some(memory)) = (before, memory) {
        println!("memory             {} MB without clients, {} MB at most", before >> 10, most >> 10);
        println!("memory per client  {memory} KB");
    }
    if !views.is_empty() {
        println!("views with hints   {views:?}");
    }
    ensure!(figures.median < MAX_WAITING, "the median answer takes too long");
    ensure!(figures.slowest_client < MAX_WAITING.max(3 * figures.median), "a client waits longer than the others");
    ensure!(memory.is_none_or(|memory| memory <= MAX_MEMORY), "a client takes too much memory");
    ensure!(views.iter().all(|count| *count > 0), "a client got no hints");
    Ok(())
}

fn milliseconds(time: Duration) -> f64 {
    1e3 * time.as_secs_f64()
}

/// Waiting times of clients.
#[derive(PartialEq, Eq, Debug)]
struct Figures {
    count: usize,
    median: Duration,
    /// 95% of the answers took no longer.
    percentile_95: Duration,
    worst: Duration,
    /// The largest median of one client.
    slowest_client: Duration,
}

impl Figures {
    /// The figures of the waits of each client.
    fn of(waits: &[Vec<Duration>]) -> Result<Self> {
        let all = sorted(waits.iter().flatten());
        let medians = waits.iter().filter_map(|waits| share(&sorted(waits), 50)).max();
        let (Some(median), Some(percentile_95), Some(&worst)) = (share(&all, 50), share(&all, 95), all.last()) else {
            bail!("nobody got an answer");
        };
        Ok(Self { count: all.len(), median, percentile_95, worst, slowest_client: medians.unwrap_or_default() })
    }
}

fn sorted<'a>(times: impl IntoIterator<Item = &'a Duration>) -> Vec<Duration> {
    let mut times: Vec<_> = times.into_iter().copied().collect();
    times.sort();
    times
}

/// The time that so many percent of the sorted ones do not exceed.
fn share(sorted: &[Duration], percent: usize) -> Option<Duration> {
    let index = (sorted.len() * percent).div_ceil(100).max(1) - 1;
    sorted.get(index).copied()
}

/// Fills the hash table and loads the weights.
async fn warm_up(address: &str) -> Result<()> {
    let mut client = Client::connect(address).await?;
    let mut view = client.show_hints(16).await?;
    while view.is_advising {
        view = client.until(|_| true).await?;
    }
    Ok(())
}

/// Plays a game and returns how long each answer took.
async fn play_game(address: String, level: u32, pause: f64, mut random: Random) -> Result<Vec<Duration>> {
    // Not all at the same moment.
    sleep(Duration::from_secs_f64(pause * random.share())).await;
    let mut client = Client::connect(&address).await?;
    client.event(json!({ "event": "seat", "color": "white", "player": "emilia", "level": level })).await?;
    let mut view = client.until(|view| view.seats[1].player.is_some()).await?;
    let mut waits = Vec::new();
    while let Some(square) = view.random_move(&mut random) {
        let thought = pause * (0.5 + random.share());
        client.rest(Duration::from_secs_f64(thought)).await?;
        let (played, start) = (view.move_count, Instant::now());
        client.event(json!({ "event": "play", "square": square })).await?;
        let is_answer = |view: &View| view.move_count > played && (view.turn == "black" || view.result.is_some());
        view = client.until(is_answer).await?;
        // After a pass there is nothing to wait for.
        if view.move_count > played + 1 {
            waits.push(start.elapsed());
        }
    }
    Ok(waits)
}

/// Steps through a game with hints until the others have played, and returns how many views had some.
async fn study(address: String, mut random: Random, mut is_over: watch::Receiver<bool>) -> Result<usize> {
    let mut client = Client::connect(&address).await?;
    let mut view = client.show_hints(30).await?;
    let mut count = 0;
    loop {
        let step = async {
            let end = Instant::now() + Duration::from_secs(3);
            while let Ok(next) = timeout(end.saturating_duration_since(Instant::now()), client.view()).await {
                view = next?;
                count += usize::from(!view.hints.is_empty());
            }
            match view.random_move(&mut random) {
                Some(square) => client.event(json!({ "event": "play", "square": square })).await,
                None => client.event(json!({ "event": "restart" })).await,
            }
        };
        tokio::select! {
            _ = is_over.wait_for(|is_over| *is_over) => return Ok(count),
            stepped = step => stepped?,
        }
    }
}

/// Part of a view that a client needs.
#[derive(Deserialize)]
struct View {
    turn: String,
    move_count: usize,
    legal_moves: Vec<LegalMove>,
    result: Option<Value>,
    seats: [Seat; 2],
    hints: Vec<Value>,
    is_advising: bool,
}

#[derive(Deserialize)]
struct LegalMove {
    square: String,
}

#[derive(Deserialize)]
struct Seat {
    player: Option<String>,
}

impl View {
    fn random_move(&self, random: &mut Random) -> Option<String> {
        if self.legal_moves.is_empty() {
            return None;
        }
        let index = random.below(self.legal_moves.len());
        Some(self.legal_moves[index].square.clone())
    }
}

/// A page without a screen.
struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Client {
    /// Connects and begins a game in which the person plays both sides.
    async fn connect(address: &str) -> Result<Self> {
        let (socket, _) = connect_async(format!("ws://{address}/socket")).await?;
        let mut client = Self { socket };
        client.send(&json!({ "type": "hello" })).await?;
        client.until(|_| true).await?;
        client.event(json!({ "event": "new_game", "sides": "both", "board": "8x8" })).await?;
        client.until(|view| view.seats.iter().all(|seat| seat.player.is_none())).await?;
        Ok(client)
    }

    async fn show_hints(&mut self, level: u32) -> Result<View> {
        self.event(json!({ "event": "set_hints", "level": level })).await?;
        self.event(json!({ "event": "show_hints", "shown": true })).await?;
        self.until(|view| !view.hints.is_empty()).await
    }

    async fn event(&mut self, event: Value) -> Result<()> {
        self.send(&json!({ "type": "event", "event": event })).await
    }

    async fn send(&mut self, request: &Value) -> Result<()> {
        Ok(self.socket.send(Message::text(request.to_string())).await?)
    }

    /// The next view.
    async fn view(&mut self) -> Result<View> {
        #[derive(Deserialize)]
        #[serde(tag = "type", rename_all = "snake_case")]
        enum Response {
            View {
                view: Box<View>,
            },
            Error {
                sentence: String,
            },
            #[serde(other)]
            Other,
        }
        loop {
            let message = self.socket.next().await.context("the server has closed the connection")??;
            let Message::Text(text) = message else { continue };
            match serde_json::from_str(&text)? {
                Response::View { view } => return Ok(*view),
                Response::Error { sentence } => bail!("the server refuses: {sentence}"),
                Response::Other => {}
            }
        }
    }

    /// The next view for which this holds.
    async fn until(&mut self, holds: impl Fn(&View) -> bool) -> Result<View> {
        let found = async {
            loop {
                let view = self.view().await?;
                if holds(&view) {
                    return Ok(view);
                }
            }
        };
        timeout(PATIENCE, found).await.context("the server does not answer")?
    }

    /// Does nothing for a while but read what comes.
    async fn rest(&mut self, time: Duration) -> Result<()> {
        match timeout(time, async {
            loop {
                self.view().await?;
            }
        })
        .await
        {
            Ok(outcome) => outcome,
            Err(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_client_is_found_however_few_answers_it_got() {
        let client = |times: &[u64]| times.iter().map(|&time| Duration::from_millis(time)).collect::<Vec<_>>();
        let waits = [client(&(1..=97).collect::<Vec<_>>()), client(&[500, 600, 700]), client(&[])];
        let expected = [50, 95, 700, 600].map(Duration::from_millis);
        let Figures { count, median, percentile_95, worst, slowest_client } = Figures::of(&waits).unwrap();
        assert_eq!((count, [median, percentile_95, worst, slowest_client]), (100, expected));
        assert!(Figures::of(&[]).is_err());
    }
}
