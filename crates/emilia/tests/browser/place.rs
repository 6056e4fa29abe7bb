//! Sources of the page: `emilia serve`, or a folder of static files behind a minimal server.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// A variable with which a test that finds no static page fails instead of being skipped.
const NEEDED: &str = "EMILIA_NEEDS_STATIC_PAGE";

/// A page that can be opened. It is gone when this is dropped.
pub enum Place {
    /// The program serves it.
    Served(Served),
    /// It is a folder.
    Static(Folder),
}

impl Place {
    /// Its address, with a slash at the end.
    pub fn address(&self) -> &str {
        match self {
            Self::Served(served) => &served.address,
            Self::Static(folder) => &folder.address,
        }
    }
}

/// `emilia serve`.
pub struct Served {
    child: Child,
    address: String,
    /// The book and the farm.
    more: Vec<String>,
}

impl Served {
    /// Starts the program at any free port.
    pub fn start() -> Self {
        Self::start_at("127.0.0.1:0", &["--book", "off"])
    }

    /// Starts the program with an opening book.
    pub fn with_book(book: &Path) -> Self {
        Self::start_at("127.0.0.1:0", &["--book", book.to_str().expect("a path of this test")])
    }

    /// Starts the program with a farm to look at.
    #[cfg(all(unix, feature = "farm"))]
    pub fn with_farm(url: &str) -> Self {
        Self::start_at("127.0.0.1:0", &["--book", "off", "--farm", url])
    }

    fn start_at(address: &str, more: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_emilia"))
            .args(["serve", "--address", address, "--threads", "1", "--hash", "16"])
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output is a pipe")).read_line(&mut line).expect("a line");
        let address = line.split_whitespace().find(|word| word.starts_with("http://"));
        let address = address.unwrap_or_else(|| panic!("{line:?} has no address")).to_owned();
        Self { child, address, more: more.iter().map(|&word| word.to_owned()).collect() }
    }

    /// Kills the program without a warning.
    pub fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Starts it again at the same address.
    pub fn start_again(&mut self) {
        let address = self.address.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let more = std::mem::take(&mut self.more);
        *self = Self::start_at(&address, &more.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The folder that `cargo xtask web` makes, on a server that sends files and nothing else.
pub struct Folder {
    address: String,
    port: u16,
    is_over: Arc<AtomicBool>,
}

impl Folder {
    /// Serves the folder; `None`, with a message, if there is none and it is not required.
    pub fn start() -> Option<Self> {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("web");
        if !root.join("index.html").exists() {
            assert!(
                env::var_os(NEEDED).is_none(),
                "{} is missing, and {NEEDED} says that it is needed",
                root.display()
            );
            eprintln!("skipped: {} is missing (cargo xtask web)", root.display());
            return None;
        }
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let is_over = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&is_over);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if ended.load(Ordering::Relaxed) {
                    return;
                }
                let root = root.clone();
                thread::spawn(move || stream.map(|stream| answer(&stream, &root)));
            }
        });
        // At a path, because most static hosts have the page at one.
        Some(Self { address: format!("http://127.0.0.1:{port}/othello/"), port, is_over })
    }

    /// Ends the server: the browser is offline.
    pub fn stop(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        // The listener wakes up and is closed.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        while TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
            thread::yield_now();
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.stop();
    }
}

fn answer(mut stream: &TcpStream, root: &Path) -> Option<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next()?.ok()?;
    // The headers do not matter here.
    lines.by_ref().find(|line| line.as_ref().is_ok_and(String::is_empty));
    let path = request.split_whitespace().nth(1)?.split('?').next()?;
    let name = path.strip_prefix("/othello/").filter(|name| !name.contains(".."));
    let file: Option<PathBuf> = name.map(|name| root.join(if name.is_empty() { "index.html" } else { name }));
    let content = file.as_ref().and_then(|file| fs::read(file).ok());
    let kind = match file.as_ref().and_then(|file| file.extension()?.to_str()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    };
    let status = if content.is_some() { "200 OK" } else { "404 Not Found" };
    let content = content.unwrap_or_default();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        content.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&content).ok()
}
