//! The panel of a farm, with a real `nats-server`, a worker and a job.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::accessibility::is_accessible;
use crate::driver::ESCAPE;
use crate::looks::{PHONE, fits, open_dialog, speak, speaks};
use crate::nats::Nats;
use crate::page::{Page, emilia};

/// Time limit for everything that a test waits for.
const PATIENCE: Duration = Duration::from_secs(60);

/// A name that is a script where names are taken for markup.
const NAME: &str = "<img src=x onerror='window.hacked=1'><b>Ann</b>";

/// The name of a job that was never there.
const TASK: &str = "77bb77bb77bb77bb77bb77bb77bb77bb77bb77bb77bb77bb77bb77bb77bb77bb";

/// The program in the background. It ends when it is dropped.
struct Helper(Child);

impl Helper {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_emilia"));
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Self(command.spawn().expect("the program starts"))
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A farm on which `desk-1` plays more games than it will finish.
pub struct Farm {
    _submitter: Helper,
    _worker: Helper,
    nats: Nats,
}

impl Farm {
    /// Starts it; `None`, with a message, if there is no `nats-server`.
    pub fn start(name: &str) -> Option<Self> {
        let nats = Nats::start_with(name, &format!("pid_file: {:?}", pid_file(name)))?;
        let (store, files, url) = (nats.path("games.store"), nats.path("files"), nats.url());
        let (store, files) = (store.to_str().expect("a path"), files.to_str().expect("a path"));
        let recipe = ["--weights", "hand-made", "--depth", "4", "--exact-from", "10", "--games", "1000000"];
        let submitter = Helper::start(&[&["learn", "play", "--output", store, "--farm", &url][..], &recipe].concat());
        let start = Instant::now();
        while emilia(&["farm", "jobs", &url, "--json"]).is_empty() {
            assert!(start.elapsed() < PATIENCE, "the job is not submitted");
            thread::sleep(Duration::from_millis(100));
        }
        let worker = Helper::start(&["worker", &url, "--threads", "1", "--name", "desk-1", "--files", files]);
        Some(Self { _submitter: submitter, _worker: worker, nats })
    }

    /// Its address.
    pub fn url(&self) -> String {
        self.nats.url()
    }

    /// Output of `emilia farm status --json`.
    fn status(&self) -> Value {
        emilia(&["farm", "status", &self.url(), "--json"]).remove(0)
    }

    /// Puts an entry into a bucket, as any machine of the farm can.
    fn put(&self, bucket: &str, key: &str, value: &Value) {
        let address = self.url();
        let stream = TcpStream::connect(address.trim_start_matches("nats://")).expect("the server");
        let mut reader = BufReader::new(&stream);
        let value = value.to_string();
        let length = value.len();
        let text = format!("CONNECT {{\"verbose\":false}}\r\nPUB $KV.{bucket}.{key} {length}\r\n{value}\r\nPING\r\n");
        (&stream).write_all(text.as_bytes()).expect("an open connection");
        let mut line = String::new();
        while line.trim_end() != "PONG" {
            line.clear();
            assert_ne!(reader.read_line(&mut line).expect("an answer"), 0, "the server has hung up");
            assert!(!line.starts_with("-ERR"), "{line}");
        }
    }

    /// Adds entries that a hostile machine could write, and some that were set aside.
    fn add_hostile(&self) {
        let worker = json!({
            "host": format!("{NAME}\u{202e}\n\u{1b}[2J"), "process": 1, "version": NAME, "threads": 64, "busy": 64, "chunks": 12345,
            "items": 1, "failures": 2, "refused": 0, "items_per_second": 2310.7, "began": 0
        });
        self.put("EMILIA_workers", "hall-of-machines-rack-07-node-0031-4711-8qdtnrS49HcFamz6kZnitX", &worker);
        let campaign = json!({
            "kind": NAME, "version": "0", "host": NAME, "process": 1, "run": "r", "first": 0, "end": 5000, "done": 4992,
            "open_chunks": 0, "aside": 8, "refused": 3, "items_per_second": 0.0, "began": 0, "written": 0, "phase": "incomplete"
        });
        self.put("EMILIA_campaigns", TASK, &campaign);
        let chunk =
            json!({ "what": "chunk", "task": TASK, "kind": NAME, "first": 64, "count": 8, "reason": NAME.repeat(50) });
        self.put("EMILIA_aside", &format!("chunk.{TASK}.64"), &chunk);
        let worker = json!({ "what": "worker", "worker": "evil", "reason": format!("a game is not legal {NAME}") });
        self.put("EMILIA_aside", "worker.evil", &worker);
    }
}

fn pid_file(name: &str) -> String {
    format!("{}/nats-{name}-{}.pid", env!("CARGO_TARGET_TMPDIR"), std::process::id())
}

/// Opens the panel, and waits until it shows the worker and the job.
fn open_panel(page: &Page) {
    page.visit("");
    page.click("#tab-farm");
    page.wait("document.querySelector('#farm-workers [data-worker=desk-1]') !== null");
    page.wait("document.querySelector('#farm-jobs [data-job]') !== null");
    assert_eq!(page.value("document.querySelector('#farm-jobs progress:indeterminate') === null"), true);
}

pub fn shown(page: &Page, farm: &Farm) {
    open_panel(page);
    page.wait("document.querySelector('#farm-jobs [data-phase=running] progress').value > 0");
    assert!(page.text("#farm-state").starts_with("1 worker with 1 thread, "), "{}", page.text("#farm-state"));
    let job = page.text("#farm-jobs [data-job]");
    assert!(job.starts_with("self-play") && job.contains(" of 1,000,000 items"), "{job}");
    // It is live.
    let done = page.value("document.querySelector('#farm-jobs progress').value");
    page.wait(&format!("document.querySelector('#farm-jobs progress').value > {done}"));

    // The same figures as those of the program.
    let task = farm.status()["campaigns"][0]["task"].as_str().expect("a name").to_owned();
    emilia(&["farm", "pause", &farm.url(), &task, "--json"]);
    page.wait("document.querySelector('#farm-jobs [data-phase=paused]') !== null");
    page.wait("app.farm.page.status.workers[0].busy === 0");
    let start = Instant::now();
    let is_same = || {
        let (printed, shown) = (farm.status(), page.value("app.farm.page.status"));
        let same = |path| printed.pointer(path) == shown.pointer(path);
        ["/campaigns/0/task", "/campaigns/0/done", "/campaigns/0/phase", "/workers/0/worker", "/workers/0/chunks"]
            .into_iter()
            .all(same)
    };
    while !is_same() {
        assert!(start.elapsed() < PATIENCE, "{} is shown instead of {}", page.value("app.farm"), farm.status());
    }
    assert_eq!(page.value(&format!("document.querySelector('[data-job=\"{task}\"] .phase').textContent")), "paused");

    // While the panel is closed, no requests are sent; the key of the panel opens it again.
    page.press("1");
    assert_eq!(page.value("app.tab"), "values");
    thread::sleep(Duration::from_secs(3));
    page.value("void (window.last = app.farm)");
    thread::sleep(Duration::from_secs(3));
    assert_eq!(page.value("window.last === app.farm"), true);
    page.press("6");
    page.wait("app.tab === 'farm' && window.last !== app.farm");
    open_dialog(page, ("#help", "help"));
    assert!(page.text("#shortcuts").contains("Farm"));
    page.press(ESCAPE);
    assert_eq!(page.errors(), Vec::<String>::new());
}

pub fn away_and_hostile(page: &Page, mut farm: Farm) {
    farm.add_hostile();
    open_panel(page);
    page.wait("document.querySelectorAll('#farm-aside [data-aside]').length === 2");
    page.wait("document.querySelectorAll('#farm-workers [data-worker]').length === 2");
    for (place, words) in [
        ("#farm-workers", NAME),
        ("#farm-jobs", NAME),
        ("#farm-jobs", "8 set aside"),
        ("#farm-jobs", "3 refused"),
        ("#farm-aside [data-aside=chunk]", "items 64 to 71"),
        ("#farm-aside [data-aside=chunk]", "…"),
        ("#farm-aside [data-aside=worker]", "a game is not legal"),
    ] {
        assert!(page.text(place).contains(words), "{words}: {}", page.text(place));
    }
    let is_control = |symbol: char| symbol.is_control() || symbol == '\u{202e}';
    assert!(!page.text("#farm-workers").contains(is_control), "{:?}", page.text("#farm-workers"));
    assert_eq!(
        page.value("window.hacked === undefined && document.querySelector('[src=x], [onerror]') === null"),
        true
    );

    let name = pid_file("away");
    let pid = fs::read_to_string(&name).expect("the server has written its number");
    assert!(Command::new("kill").args(["-KILL", pid.trim()]).status().expect("kill runs").success());
    page.wait("/Trying again/.test(document.querySelector('#farm-state').textContent)");
    page.wait("/^Cannot .*\\.$/.test(document.querySelector('#farm-failure').textContent)");
    assert_eq!(page.value("document.querySelectorAll('#panel-farm :is([data-worker], [data-job])').length"), 0);
    // The game is not concerned.
    let square = page.turn().expect("a move");
    page.play(&square);
    farm.nats.restart();
    page.wait("document.querySelector('#farm-jobs [data-job]') !== null");
    assert_eq!(page.text("#farm-failure"), "");
    page.wait("/The farm is available again/.test(document.querySelector('#live').textContent)");
    let _ = fs::remove_file(name);
}

pub fn looks(page: &Page, farm: &Farm) {
    farm.add_hostile();
    open_panel(page);
    is_accessible(page, "the farm");
    page.prefer(&[("prefers-color-scheme", "dark"), ("prefers-reduced-motion", "reduce")]);
    page.resize(PHONE.0, PHONE.1);
    open_panel(page);
    fits(page, "the farm");
    speak(page, "ja");
    fits(page, "the farm in Japanese");
    speaks(page, "the farm");
    is_accessible(page, "the farm in the dark on a phone and in Japanese");
}
