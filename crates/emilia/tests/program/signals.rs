//! Ctrl-C and SIGTERM end every command, with a short line and the exit code that shells use.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::run::{Folder, Started, well};

/// Starts a command that runs for minutes; its input stays open.
fn start(folder: &Folder, line: &str) -> Started {
    Started::new(folder.command(line).stdin(Stdio::piped()).stderr(Stdio::piped()))
}

/// Waits until the program handles signals, and a little longer for the command to begin.
fn wait_for_handler(started: &Started) {
    let status = format!("/proc/{}/status", started.child.id());
    let handles = || {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).map(str::trim).unwrap_or_default();
        u64::from_str_radix(caught, 16).unwrap_or_default() >> (15 - 1) & 1 == 1
    };
    while !handles() {
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(200));
}

#[test]
fn every_long_command_answers_ctrl_c_and_sigterm_with_a_line_and_its_code() {
    let folder = Folder::new("signals");
    folder.write("many.txt", "f5d6c3d3c4f4c5b3c2e6c6b4b5d2e3a6c1b6\n".repeat(400_000));
    // Each with whether it prints a line early.
    for (line, prints) in [
        ("perft 40", true),
        ("bench", true),
        ("learn merge --output merged.store many.txt", false),
        ("games many.txt --player nobody", false),
        ("convert many.txt converted.ggf", false),
        ("convert - - --from ggf --to sgf", false),
        ("learn handmade --games 1000000", false),
        ("learn ordering --games 10000000 --output made.weights", false),
        ("openings --count 1000000 --judge-depth 14", false),
        ("solve f5d6c3 --threads 1", false),
        ("hint start --depth 60 --threads 1", false),
        ("play --lines", true),
        ("gtp", false),
        ("nboard", false),
    ] {
        for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
            let mut started = start(&folder, line);
            if prints {
                assert!(started.line().is_some(), "{line}: no output");
            } else {
                wait_for_handler(&started);
            }
            started.signal(signal);
            // The output is read meanwhile: a program with a full pipe would wait.
            let mut errors = started.child.stderr.take().expect("a pipe");
            let reader = thread::spawn(move || {
                let mut messages = String::new();
                errors.read_to_string(&mut messages).map(|_| messages)
            });
            started.rest();
            let messages = reader.join().expect("messages").expect("text");
            assert_eq!(started.code(), Some(code), "{line} after {signal}: {messages}");
            // A warning may have come before.
            assert_eq!(messages.lines().last(), Some("emilia: interrupted"), "{line} after {signal}");
        }
    }
    // No unfinished file has the name of an output.
    for name in ["merged.store", "converted.ggf", "made.weights"] {
        assert!(!folder.has(name), "{name}");
    }
}

#[test]
fn a_command_that_is_still_stopping_says_so_and_ends_at_the_second_signal() {
    // At the first signal the opponent has to stop, but it does not react.
    let folder = Folder::new("signals_second");
    folder.write("deaf.sh", "while read line; do sleep 1000; done");
    let line = "match 'nboard:sh deaf.sh' random --games 2 --judge-depth 1 --plies 4 --file match.jsonl";
    let mut started = start(&folder, line);
    wait_for_handler(&started);
    let errors = BufReader::new(started.child.stderr.take().expect("a pipe"));
    started.signal("-INT");
    for line in errors.lines() {
        let line = line.expect("text");
        if line.contains("stopping") {
            assert_eq!(line, "emilia: stopping; press Ctrl-C again to end the program at once");
            started.signal("-INT");
        }
    }
    assert_eq!(started.code(), Some(130));
    // A command that ends by itself has no message about signals.
    assert_eq!(well("perft 1").lines().count(), 3);
}
