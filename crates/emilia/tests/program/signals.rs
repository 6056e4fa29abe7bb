//! Ctrl-C and SIGTERM end every command, with a short line and the exit code that shells use.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::run::{Folder, command, emilia};

/// A command that does not end by itself for minutes.
struct Long {
    child: Child,
    name: String,
}

impl Drop for Long {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Long {
    /// Starts the command; its input stays open.
    fn start(arguments: &[&str]) -> Self {
        let mut command = command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self { child: command.spawn().expect("the program starts"), name: arguments.join(" ") }
    }

    /// Waits for the first line of output.
    fn after_a_line(mut self) -> Self {
        let mut line = String::new();
        let mut output = BufReader::new(self.child.stdout.take().expect("a pipe"));
        output.read_line(&mut line).expect("a line");
        assert!(!line.is_empty(), "{}: no output", self.name);
        // The pipe stays open: without a reader, the program would end for another reason.
        thread::spawn(move || output.read_to_end(&mut Vec::new()));
        self
    }

    /// Waits until the program handles signals, and a little longer for the command to begin.
    fn after_its_start(self) -> Self {
        let status = format!("/proc/{}/status", self.child.id());
        let handles = || {
            let text = std::fs::read_to_string(&status).unwrap_or_default();
            let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).map(str::trim).unwrap_or_default();
            u64::from_str_radix(caught, 16).unwrap_or_default() >> (15 - 1) & 1 == 1
        };
        while !handles() {
            thread::sleep(Duration::from_millis(5));
        }
        thread::sleep(Duration::from_millis(200));
        self
    }

    /// Sends a signal, and returns the exit code with what was said on standard error.
    fn end(mut self, signal: &str) -> (Option<i32>, String) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(sent.expect("a signal is sent").success(), "{}: ended before the signal", self.name);
        let mut errors = String::new();
        self.child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("text");
        (self.child.wait().expect("the program ends").code(), errors)
    }
}

/// Commands that take long, each with whether it prints a line before that.
fn long_commands(folder: &Folder) -> Vec<(Vec<String>, bool)> {
    let games = "f5d6c3d3c4f4c5b3c2e6c6b4b5d2e3a6c1b6\n".repeat(400_000);
    let games = folder.write("many.txt", games);
    let weights = folder.path("made.weights");
    [
        ("perft 40".to_owned(), true),
        ("bench".to_owned(), true),
        (format!("learn merge --output {} {games}", folder.path("merged.store")), false),
        (format!("games {games} --player nobody"), false),
        (format!("convert {games} {}", folder.path("converted.ggf")), false),
        ("convert - - --from ggf --to sgf".to_owned(), false),
        ("learn handmade --games 1000000".to_owned(), false),
        (format!("learn ordering --games 10000000 --output {weights}"), false),
        ("openings --count 1000000 --judge-depth 14".to_owned(), false),
        ("solve f5d6c3 --threads 1".to_owned(), false),
        ("hint start --depth 60 --threads 1".to_owned(), false),
        ("play --lines".to_owned(), true),
        ("gtp".to_owned(), false),
        ("nboard".to_owned(), false),
    ]
    .map(|(arguments, prints)| (arguments.split_whitespace().map(str::to_owned).collect(), prints))
    .to_vec()
}

#[cfg(target_os = "linux")]
#[test]
fn every_long_command_answers_ctrl_c_and_sigterm_with_a_line_and_its_code() {
    let folder = Folder::new("signals");
    for (arguments, prints) in long_commands(&folder) {
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
            let long = Long::start(&arguments);
            let long = if prints { long.after_a_line() } else { long.after_its_start() };
            let (found, errors) = long.end(signal);
            assert_eq!(found, Some(code), "{arguments:?} after {signal} said: {errors}");
            // A warning may have come before.
            assert_eq!(errors.lines().last(), Some("emilia: interrupted"), "{arguments:?} after {signal}");
        }
    }
    // Nothing unfinished has the name of an output.
    for name in ["merged.store", "converted.ggf", "made.weights"] {
        assert!(!std::path::Path::new(&folder.path(name)).exists(), "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_command_that_is_still_stopping_says_so_and_ends_at_the_second_signal() {
    // At the first signal the opponent has to stop, but it does not react.
    let folder = Folder::new("signals_second");
    let script = folder.write("deaf.sh", "while read line; do sleep 1000; done");
    let engine = format!("nboard:sh {script}");
    let games = folder.path("match.jsonl");
    let arguments =
        ["match", &engine, "random", "--games", "2", "--judge-depth", "1", "--plies", "4", "--file", &games];
    let mut long = Long::start(&arguments).after_its_start();
    let errors = BufReader::new(long.child.stderr.take().expect("a pipe"));
    let send = |id: u32| Command::new("kill").args(["-INT", &id.to_string()]).status().expect("a signal is sent");
    send(long.child.id());
    for line in errors.lines() {
        let line = line.expect("text");
        if line.contains("stopping") {
            assert_eq!(line, "emilia: stopping; press Ctrl-C again to end the program at once");
            send(long.child.id());
        }
    }
    assert_eq!(long.child.wait().expect("the program ends").code(), Some(130));
}

#[test]
fn a_command_that_ends_by_itself_says_nothing_of_signals() {
    assert_eq!(emilia(&["perft", "1"]).well().lines().count(), 3);
}
