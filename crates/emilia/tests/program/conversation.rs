//! A conversation with the program: lines to it, lines from it as they come.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::run::command;

/// Time limit for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running program that answers lines.
pub struct Conversation {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Conversation {
    /// Starts the program.
    pub fn start(line: &str) -> Self {
        let mut command = command(line);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let stdout = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        let (sender, output) = channel();
        thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { input: child.stdin.take(), child, output }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush()).expect("the program reads");
    }

    /// Sends a line, and returns the lines up to the first one that begins like this.
    #[track_caller]
    pub fn ask(&mut self, line: &str, beginning: &str) -> Vec<String> {
        self.send(line);
        self.until(beginning)
    }

    /// The next line that the program prints.
    #[track_caller]
    pub fn line(&mut self) -> String {
        self.output.recv_timeout(PATIENCE).expect("the program answers")
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
        while lines.last().is_none_or(|line: &String| !is_last(line)) {
            lines.push(self.line());
        }
        lines
    }

    /// Ends the input; the exit code, and the rest of the output.
    pub fn end(mut self) -> (Option<i32>, Vec<String>) {
        self.input = None;
        let rest = self.output.iter().collect();
        (self.exit_code(), rest)
    }

    /// Waits for the program to end; its exit code.
    pub fn exit_code(mut self) -> Option<i32> {
        self.child.wait().expect("the program ends").code()
    }
}
