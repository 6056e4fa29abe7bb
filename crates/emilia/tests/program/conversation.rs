//! A conversation with the program: lines to it, lines from it as they come.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::run::spawn;

/// A program that has not answered by then does not answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running program that is spoken with.
pub struct Conversation {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Conversation {
    /// Starts the program.
    pub fn start(arguments: &[&str]) -> Self {
        let mut child = spawn(arguments, Stdio::piped(), Stdio::piped(), Stdio::inherit());
        let stdout = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        let (sender, output) = channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { input: child.stdin.take(), child, output }
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the program reads");
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// The next line that the program prints.
    #[track_caller]
    pub fn line(&mut self) -> String {
        self.output.recv_timeout(PATIENCE).expect("the program says something")
    }

    /// The lines up to the first one that begins like this, which is the last of them.
    #[track_caller]
    pub fn until(&mut self, beginning: &str) -> Vec<String> {
        self.until_line(|line| line.starts_with(beginning))
    }

    /// The lines up to an empty one, which is the last of them.
    #[track_caller]
    pub fn until_empty(&mut self) -> Vec<String> {
        self.until_line(str::is_empty)
    }

    #[track_caller]
    fn until_line(&mut self, is_last: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines.last().is_some_and(|line| is_last(line)) {
                return lines;
            }
        }
    }

    /// Ends the input; the exit code, and what was still said.
    pub fn end(mut self) -> (Option<i32>, Vec<String>) {
        self.input = None;
        let rest = self.output.iter().collect();
        (self.child.wait().expect("the program ends").code(), rest)
    }

    /// Waits for the program to leave by itself.
    pub fn exit_code(mut self) -> Option<i32> {
        self.child.wait().expect("the program ends").code()
    }
}
