//! A real server, and processes of the program around it.

use std::fs;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::nats::Nats;

/// Time limit for the end of a process.
const PATIENCE: Duration = Duration::from_secs(300);

/// A process that is killed when it is dropped.
pub struct Running(pub Child);

impl Running {
    /// Kills it without warning.
    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Asks it to end; returns whether it ended well.
    pub fn terminate(&mut self) -> bool {
        let pid = self.0.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
        self.wait()
    }

    /// Waits for its end; returns whether it ended well.
    pub fn wait(&mut self) -> bool {
        let start = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().expect("a process") {
                return status.success();
            }
            assert!(start.elapsed() < PATIENCE, "a process does not end");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether it has ended, and if so, whether it ended well.
    pub fn ended(&mut self) -> Option<bool> {
        self.0.try_wait().expect("a process").map(|status| status.success())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A server with the files of a test.
pub struct Server(Nats);

impl Deref for Server {
    type Target = Nats;

    fn deref(&self) -> &Nats {
        &self.0
    }
}

impl DerefMut for Server {
    fn deref_mut(&mut self) -> &mut Nats {
        &mut self.0
    }
}

impl Server {
    /// A server without users, if there is a `nats-server`.
    #[track_caller]
    pub fn start(name: &str) -> Option<Self> {
        Nats::start(name).map(Self)
    }

    /// The program with the arguments of a command line, not started yet.
    pub fn emilia(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_emilia"));
        command.args(line.split_whitespace()).current_dir(self.path("")).stdin(Stdio::null());
        command
    }

    /// Starts the program; its output goes to files.
    pub fn spawn(&self, line: &str, log: &str) -> Running {
        let file = |name: String| fs::File::options().create(true).append(true).open(self.path(&name)).expect("a file");
        let mut command = self.emilia(line);
        command.stdout(file(format!("{log}.out"))).stderr(file(format!("{log}.err")));
        Running(command.spawn().expect("the program starts"))
    }

    /// Starts a worker with one thread.
    pub fn worker(&self, log: &str) -> Running {
        self.spawn(&format!("worker {} --threads 1 --files files", self.url()), log)
    }

    /// Runs the program to its end; returns what it printed.
    #[track_caller]
    pub fn run(&self, line: &str) -> String {
        let output = self.emilia(line).output().expect("the program starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{line}: {}{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    }

    /// The content of a file of the test.
    #[track_caller]
    pub fn read(&self, name: &str) -> Vec<u8> {
        let path: &Path = &self.path(name);
        fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
}
