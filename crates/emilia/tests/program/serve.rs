//! `emilia serve`: what it says when it starts, and when it cannot; and the book that Emilia plays from.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use book::{Book, Effort, Finding, Leaf};
use evaluation::Value;
use othello::{Board, Rules, squares};
use search::Selectivity;
use serde_json::json;
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Message, WebSocket, connect};

use crate::run::{Folder, fails, start};

/// No answer takes so long.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server, and returns it with its first lines up to the one that has these words.
fn started(address: &str, last_words: &str) -> (Server, String) {
    started_with(address, &[], last_words)
}

/// The same with more arguments.
fn started_with(address: &str, more: &[&str], last_words: &str) -> (Server, String) {
    let arguments = ["serve", "--address", address, "--hash", "1", "--threads", "1"];
    let mut server = Server(start(&[&arguments[..], more].concat(), Stdio::piped()));
    let mut output = BufReader::new(server.0.stdout.take().expect("its output"));
    let mut said = String::new();
    while !said.contains(last_words) {
        assert_ne!(output.read_line(&mut said).expect("text"), 0, "it has ended: {said}");
    }
    (server, said)
}

#[test]
fn only_this_machine_is_served_unless_another_address_is_given_which_is_explained() {
    let (_server, said) = started("127.0.0.1:0", "Ctrl-C");
    assert!(said.starts_with("Emilia is at http://127.0.0.1:") && said.lines().count() == 1, "{said}");
    let (_server, said) = started("0.0.0.0:0", "encrypted");
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Everybody who can reach 0.0.0.0:"), "{said}");
    assert!(words.contains("no passwords, and nothing is encrypted"), "{said}");
}

#[test]
fn a_port_that_is_taken_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("its address").to_string();
    fails(&["serve", "--address", &address], &address);
}

/// A page that talks to a server.
struct Page(WebSocket<MaybeTlsStream<TcpStream>>);

impl Page {
    /// A page that has got its first view from the server that said this.
    fn of(said: &str) -> Self {
        let address = said.split_whitespace().find_map(|word| word.strip_prefix("http://")).expect("an address");
        let (socket, _) = connect(format!("ws://{address}socket")).expect("a connection");
        let MaybeTlsStream::Plain(stream) = socket.get_ref() else { panic!("nothing is encrypted") };
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let mut page = Self(socket);
        page.send(&json!({ "type": "hello" }));
        page.view(|_| true);
        page
    }

    fn send(&mut self, request: &serde_json::Value) {
        self.0.send(Message::text(request.to_string())).expect("an open connection");
    }

    fn event(&mut self, event: &serde_json::Value) {
        self.send(&json!({ "type": "event", "event": event }));
    }

    /// The next view for which the condition holds.
    fn view(&mut self, holds: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
        let start = Instant::now();
        loop {
            let message = self.0.read().expect("a message");
            assert!(start.elapsed() < PATIENCE, "no such view; the last message: {message}");
            let Message::Text(text) = message else { continue };
            let response: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            if response["type"] == "view" && holds(&response) {
                return response;
            }
        }
    }
}

/// The moves of a game of a person with f5 and Emilia's reply, on a server with these arguments.
fn reply(arguments: &[&str]) -> String {
    let (_server, said) = started_with("127.0.0.1:0", arguments, "Ctrl-C");
    let mut page = Page::of(&said);
    page.event(&json!({ "event": "new_game", "sides": "both", "board": "8x8" }));
    page.event(&json!({ "event": "seat", "color": "white", "player": "emilia", "level": 5 }));
    page.event(&json!({ "event": "play", "square": "f5" }));
    let shown = page.view(|shown| shown["view"]["move_count"] == 2);
    shown["link"].as_str().expect("moves").to_owned()
}

#[test]
fn emilia_plays_from_the_book_of_the_option_and_not_from_another() {
    let folder = Folder::new("serve_book");
    let path = folder.path("parallel.book");
    // The parallel opening loses, so neither a search nor the shipped book chooses it.
    let effort = Effort::new(20, Selectivity::LOWEST);
    let after = Board::start().play("f5".parse().expect("a square")).expect("a legal move");
    let parallel = after.play("f4".parse().expect("a square")).expect("a legal move");
    let best = squares(parallel.moves()).next().expect("a move");
    let mut book = Book::create(Path::new(&path)).expect("a new book");
    book.insert(&parallel, &Finding::best(best, Value::from_discs(-5.0), effort)).expect("a position");
    let others = Finding { leaf: Leaf::AtMost(Value::EVEN), effort, solved: None, games: 0 };
    book.insert(&after, &others).expect("a position");
    drop(book);
    assert_eq!(reply(&["--book", &path]), "f5f4");
    for arguments in [&[][..], &["--book", "shipped"], &["--book", "off"]] {
        assert_ne!(reply(arguments), "f5f4", "{arguments:?}");
    }
}

#[test]
fn a_book_that_cannot_be_read_is_named() {
    let folder = Folder::new("serve_bad_book");
    fails(&["serve", "--address", "127.0.0.1:0", "--book", &folder.path("none.book")], "there is no book");
    let foreign = folder.write("foreign.book", "moves");
    fails(&["serve", "--address", "127.0.0.1:0", "--book", &foreign], "foreign.book is not a book of Emilia");
}
