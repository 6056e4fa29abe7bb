//! A real `nats-server` with a folder of its own.

use std::env;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// When this is set, a test that finds no server fails instead of being skipped.
const NEEDED: &str = "EMILIA_NEEDS_NATS";

/// A server with its data in a folder, which also has the files of a test.
pub struct Nats {
    folder: PathBuf,
    port: u16,
    configuration: String,
    process: Option<Child>,
}

impl Nats {
    /// A server without users; `None`, with a message, if `nats-server` is not installed and not required.
    #[track_caller]
    pub fn start(name: &str) -> Option<Self> {
        Self::start_with(name, "")
    }

    /// A server with more configuration.
    #[track_caller]
    pub fn start_with(name: &str, configuration: &str) -> Option<Self> {
        if Command::new("nats-server").arg("--version").output().is_err() {
            assert!(env::var_os(NEEDED).is_none(), "nats-server is not installed, and {NEEDED} says that it is needed");
            eprintln!("skipped: nats-server is not installed (apt-get install nats-server)");
            return None;
        }
        let folder = env::temp_dir().join(format!("emilia-farm-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a free port").port();
        let mut server = Self { folder, port, configuration: configuration.to_owned(), process: None };
        server.restart();
        Some(server)
    }

    fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Kills the server, if it runs, and starts it again with the same data.
    pub fn restart(&mut self) {
        self.kill();
        let port = self.port;
        let data = self.path("jetstream");
        let text = format!(
            "listen: \"127.0.0.1:{port}\"\njetstream {{ store_dir: \"{}\" }}\n{}\n",
            data.display(),
            self.configuration
        );
        let configuration = self.path("server.conf");
        fs::write(&configuration, text).expect("a file");
        let log = fs::File::options().create(true).append(true).open(self.path("server.log")).expect("a file");
        let child = Command::new("nats-server")
            .arg("-c")
            .arg(&configuration)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("the server starts");
        self.process = Some(child);
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let log = || fs::read_to_string(self.path("server.log")).unwrap_or_default();
            assert!(start.elapsed() < Duration::from_secs(30), "the server does not answer: {}", log());
            thread::sleep(Duration::from_millis(10));
        }
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Its address for a user.
    #[allow(dead_code)]
    pub fn url_of(&self, user: &str, password: &str) -> String {
        format!("nats://{user}:{password}@127.0.0.1:{}", self.port)
    }

    /// A file of the test.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
        if !thread::panicking() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}
