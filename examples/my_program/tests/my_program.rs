//! The program that the example describes has everything that the program of this project has.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

/// The output of a command that must succeed.
fn output(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_my_program")).args(arguments).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    assert!(output.status.success(), "{arguments:?}: {}", text(output.stderr));
    text(output.stdout)
}

#[test]
fn it_has_its_own_name_and_version_and_its_player_is_listed() {
    assert_eq!(output(&["--version"]), concat!("my_program ", env!("CARGO_PKG_VERSION"), "\n"));
    assert!(output(&["help"]).contains("Usage: my_program"), "{}", output(&["help"]));
    let list = output(&["engines", "--settings"]);
    let names: Vec<_> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(["emilia", "corners", "@value", "random"].iter().all(|name| names.contains(name)), "{list}");
    for name in ["iago", "bill", "keyano", "logistello", "desdemona"] {
        assert!(!list.contains(name), "{list}");
    }
}

#[test]
fn its_player_beats_random_moves_in_the_arena() {
    let result = output(&["match", "corners@value=30", "random", "--games", "20", "--json", "--plies", "4"]);
    let last = result.lines().last().expect("a result");
    assert!(last.contains("corners") && last.contains("random"), "{last}");
}

#[test]
fn its_evaluation_is_explained() {
    let parts = output(&["eval", "f5", "--engine", "corners"]);
    assert!(parts.contains("moves of the opponent"), "{parts}");
}

#[test]
fn its_experiment_is_in_the_laboratory_with_its_setting() {
    assert!(output(&["lab", "list"]).starts_with("corner-value "));
    assert!(
        output(&["lab", "show", "corner-value"]).contains("pairs of games in a match: 20 (a number from 1 to 1000)")
    );
    let report = output(&["lab", "run", "corner-value", "--set", "pairs=1"]);
    assert!(report.contains("Results against the default") && report.contains('%'), "{report}");
}

#[test]
fn its_page_is_served_with_its_player() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_my_program"));
    let mut server =
        server.args(["serve", "--address", "127.0.0.1:0"]).stdout(Stdio::piped()).spawn().expect("the program runs");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("an address");
    let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address").to_owned();
    let mut stream = TcpStream::connect(&address).expect("a connection");
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").expect("a request");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("a page");
    let _ = server.kill();
    let _ = server.wait();
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
}
