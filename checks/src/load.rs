//! `cargo xtask load`: many clients play against a server at once, as browsers would, and their waiting is measured.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use futures_util::{SinkExt, StreamExt};
use othello::random::Random;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Let many clients play against `emilia serve` at once, and measure how long they wait
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Clients that play a whole game
    #[arg(long, value_name = "N", default_value_t = 200)]
    clients: u64,
    /// Level of their opponents
    #[arg(long, value_name = "LEVEL", default_value = "5")]
    level: String,
    /// Other clients that have hints searched all the time, at level 30
    #[arg(long, value_name = "N", default_value_t = 4)]
    students: u64,
    /// Longest pause before a move, in milliseconds; pauses are random, on average half of it
    #[arg(long, value_name = "MS", default_value_t = 2_000)]
    pause: u64,
    /// Size of the server's hash table in MB
    #[arg(long, value_name = "MB", default_value_t = 256)]
    hash: u32,
    /// The program
    #[arg(long, value_name = "FILE", default_value = "target/release/emilia")]
    program: PathBuf,
}

/// No answer may take so long.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(measure(arguments))
}

/// The server, which ends with this.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(arguments: &Arguments) -> Result<Self> {
        let mut command = Command::new(&arguments.program);
        command.args(["serve", "--address", "127.0.0.1:0", "--hash", &arguments.hash.to_string()]);
        let program = arguments.program.display();
        let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot start {program}"))?;
        let output = child.stdout.take().context("the server has no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.with_context(|| format!("the server did not say its address: {line:?}"))?.to_owned();
        Ok(Self { child, address })
    }

    /// The memory that it uses, in KB.
    fn memory(&self) -> Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).context("no /proc here")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
        Ok(line.trim().trim_end_matches("kB").trim().parse()?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn measure(arguments: &Arguments) -> Result<()> {
    let server = Server::start(arguments)?;
    // What every client shares is there before the first one is counted: weights, table, threads.
    warm_up(&server.address, arguments).await?;
    let before = server.memory()?;
    let mut students = Vec::new();
    for _ in 0..arguments.students {
        students.push(tokio::spawn(study(server.address.clone())));
    }
    let mut playing = Vec::new();
    for number in 0..arguments.clients {
        let (address, level, pause) = (server.address.clone(), arguments.level.clone(), arguments.pause);
        playing.push(tokio::spawn(async move { play(&address, &level, pause, number).await }));
    }
    let mut most = before;
    let mut waits = Vec::new();
    for player in playing {
        waits.push(player.await??);
        most = most.max(server.memory()?);
    }
    for student in students {
        student.abort();
    }
    report(arguments, waits, most.saturating_sub(before))
}

/// Prints what the clients have seen.
fn report(arguments: &Arguments, waits: Vec<Vec<Duration>>, kilobytes: u64) -> Result<()> {
    let mut medians: Vec<_> = waits.iter().filter(|waits| !waits.is_empty()).map(|waits| median(waits)).collect();
    medians.sort();
    let mut all: Vec<_> = waits.into_iter().flatten().collect();
    all.sort();
    ensure!(!all.is_empty(), "no client got an answer");
    let at = |share: f64| all[((all.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    println!("clients             {}, and {} with hints at level 30", arguments.clients, arguments.students);
    println!("answers             {}", all.len());
    println!("median              {:.0} ms", at(0.5));
    println!("95% within          {:.0} ms", at(0.95));
    println!("slowest             {:.0} ms", at(1.0));
    let slowest = medians.last().copied().unwrap_or_default().as_secs_f64() * 1000.0;
    println!("slowest client      {slowest:.0} ms (its median)");
    println!("memory per client   {:.2} MB", kilobytes as f64 / 1024.0 / arguments.clients as f64);
    Ok(())
}

fn median(waits: &[Duration]) -> Duration {
    let mut sorted = waits.to_vec();
    sorted.sort();
    sorted[sorted.len() / 2]
}

struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Client {
    async fn connect(address: &str) -> Result<Self> {
        let (socket, _) = connect_async(format!("ws://{address}/socket")).await?;
        let mut client = Self { socket };
        client.send(json!({ "type": "hello" })).await?;
        Ok(client)
    }

    async fn send(&mut self, request: Value) -> Result<()> {
        Ok(self.socket.send(Message::text(request.to_string())).await?)
    }

    async fn event(&mut self, event: Value) -> Result<()> {
        self.send(json!({ "type": "event", "event": event })).await
    }

    /// The next view for which a condition holds.
    async fn view(&mut self, holds: impl Fn(&Value) -> bool) -> Result<Value> {
        let wanted = async {
            while let Some(message) = self.socket.next().await {
                let Message::Text(text) = message? else { continue };
                let mut response: Value = serde_json::from_str(&text)?;
                match response["type"].as_str() {
                    Some("view") if holds(&response["view"]) => return Ok(response["view"].take()),
                    Some("error") => bail!("the server refuses: {}", response["sentence"]),
                    _ => {}
                }
            }
            bail!("the server has closed the connection")
        };
        timeout(PATIENCE, wanted).await.context("no answer within a minute")?
    }
}

fn is_persons_turn(view: &Value) -> bool {
    view["result"].is_object() || view["turn"] == "black" && view["is_thinking"] == false
}

/// Plays a few moves, so that everything that is made once is made.
async fn warm_up(address: &str, arguments: &Arguments) -> Result<()> {
    play(address, &arguments.level, 0, u64::MAX).await?;
    Ok(())
}

/// Plays a game of random moves, and returns how long each answer took.
async fn play(address: &str, level: &str, pause: u64, number: u64) -> Result<Vec<Duration>> {
    let mut random = Random::new(number);
    let mut client = Client::connect(address).await?;
    client.event(json!({ "event": "seat", "color": "white", "player": format!("emilia@level={level}") })).await?;
    let is_seated = |view: &Value| view["message"]["kind"] == "seated";
    let mut view = client.view(is_seated).await?;
    let mut waits = Vec::new();
    while let Some(moves) = view["legal_moves"].as_array().filter(|moves| !moves.is_empty()) {
        let square = moves[random.below(moves.len())]["square"].clone();
        sleep(Duration::from_millis(random.below(pause.max(1) as usize) as u64)).await;
        let count = view["move_count"].as_u64().unwrap_or_default();
        let start = Instant::now();
        client.event(json!({ "event": "play", "square": square })).await?;
        let has_moved = |view: &Value| view["move_count"].as_u64() > Some(count) && is_persons_turn(view);
        view = client.view(has_moved).await?;
        waits.push(start.elapsed());
    }
    Ok(waits)
}

/// Lets hints be searched, position after position, until it is aborted.
async fn study(address: String) -> Result<()> {
    let mut client = Client::connect(&address).await?;
    client.event(json!({ "event": "seat_person", "color": "white" })).await?;
    client.event(json!({ "event": "set_hints", "level": 30 })).await?;
    client.event(json!({ "event": "show_hints", "shown": true })).await?;
    loop {
        let view = client.view(|view| view["hints"].as_array().is_some_and(|hints| !hints.is_empty())).await?;
        sleep(Duration::from_secs(10)).await;
        let square = view["hints"][0]["move"].clone();
        client.event(json!({ "event": "play", "square": square })).await?;
        if view["result"].is_object() {
            return Ok(());
        }
    }
}
