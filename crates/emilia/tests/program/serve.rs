//! `emilia serve`: what it says when it starts, and when it cannot; the book that Emilia plays from; the farm that it shows.

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

#[cfg(all(unix, feature = "farm"))]
#[path = "../../../farm/src/tests/nats.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod nats;

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
        self.response("view", holds)
    }

    /// The next response of a type for which the condition holds.
    fn response(&mut self, kind: &str, holds: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
        let start = Instant::now();
        loop {
            let message = self.0.read().expect("a message");
            assert!(start.elapsed() < PATIENCE, "no such {kind}; the last message: {message}");
            let Message::Text(text) = message else { continue };
            let response: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            if response["type"] == kind && holds(&response) {
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
    let effort = Effort::new(20, Selectivity::LOWEST);
    let after = Board::start().play("f5".parse().expect("a square")).expect("a legal move");
    // The shipped book prefers d6, and a short search f6.
    for (square, others) in [("f6", &[&[][..], &["--book", "shipped"]][..]), ("d6", &[&["--book", "off"]])] {
        let path = folder.path(&format!("{square}.book"));
        let reached = after.play(square.parse().expect("a square")).expect("a legal move");
        let best = squares(reached.moves()).next().expect("a move");
        let mut book = Book::create(Path::new(&path)).expect("a new book");
        book.insert(&reached, &Finding::best(best, Value::from_discs(-5.0), effort)).expect("a position");
        let leaf = Finding { leaf: Leaf::AtMost(Value::EVEN), effort, solved: None, games: 0 };
        book.insert(&after, &leaf).expect("a position");
        drop(book);
        let expected = format!("f5{square}");
        assert_eq!(reply(&["--book", &path]), expected);
        for arguments in others {
            assert_ne!(reply(arguments), expected, "{arguments:?}");
        }
    }
}

#[test]
fn a_book_that_cannot_be_read_is_named() {
    let folder = Folder::new("serve_bad_book");
    fails(&["serve", "--address", "127.0.0.1:0", "--book", &folder.path("none.book")], "No such file or directory");
    let foreign = folder.write("foreign.book", "moves");
    fails(&["serve", "--address", "127.0.0.1:0", "--book", &foreign], "foreign.book is not a book of Emilia");
}

/// Farms with a real `nats-server`.
#[cfg(all(unix, feature = "farm"))]
mod farm {
    use std::fs;
    use std::process::{Command, Stdio};

    use serde_json::Value;

    use super::nats::Nats;
    use super::*;
    use crate::run::{command, emilia, is_misused};

    /// The configuration of the documentation, without its address.
    fn documented() -> String {
        let page = include_str!("../../../../docs/farm.md");
        let text = page.split("```conf\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a configuration");
        let is_ours = |line: &&str| !line.starts_with("listen") && !line.starts_with("jetstream");
        text.lines().filter(is_ours).collect::<Vec<_>>().join("\n")
    }

    /// The program in the background, without a word.
    fn background(arguments: &[&str]) -> Server {
        let mut command = command(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Server(command.spawn().expect("the program starts"))
    }

    impl Page {
        /// What is going on on the farm, as soon as the condition holds.
        fn farm(&mut self, holds: impl Fn(&Value) -> bool) -> Value {
            let start = Instant::now();
            loop {
                self.send(&json!({ "type": "farm" }));
                let told = self.response("farm", |_| true);
                if holds(&told) {
                    return told;
                }
                assert!(start.elapsed() < PATIENCE, "the farm is not like that: {told}");
            }
        }
    }

    /// The names of the keys of an object.
    fn keys(object: &Value) -> Vec<&String> {
        object.as_object().expect("an object").keys().collect()
    }

    #[test]
    fn the_page_shows_what_the_command_prints_with_the_rights_of_an_observer_and_survives_a_lost_server() {
        let folder = Folder::new("serve_farm");
        let pid = folder.path("nats.pid");
        let configuration = format!("pid_file: {pid:?}\n{}", documented());
        let Some(mut nats) = Nats::start_with("serve", &configuration) else { return };
        let of = |user: &str| nats.url_of(user, &format!("{user}-password"));
        let (submitter, worker, observer) = (of("submitter"), of("worker"), of("observer"));
        let (_server, said) = started_with("127.0.0.1:0", &["--farm", &observer], "Ctrl-C");
        let mut page = Page::of(&said);
        // Nobody has used this farm yet.
        let told = page.farm(|told| !told["page"].is_null());
        assert_eq!(told["page"]["status"], json!({ "workers": [], "campaigns": [], "queued_chunks": 0, "aside": 0 }));

        let (store, files) = (nats.path("games.store"), nats.path("files"));
        let (store, files) = (store.to_str().expect("a path"), files.to_str().expect("a path"));
        let recipe = ["--games", "1000000", "--weights", "hand-made", "--depth", "4", "--exact-from", "10"];
        let play = [&["learn", "play", "--output", store][..], &recipe, &["--farm", &submitter]].concat();
        let _submitter = background(&play);
        page.farm(|told| told["page"]["status"]["campaigns"][0]["kind"].is_string());
        let _worker = background(&["worker", &worker, "--threads", "1", "--name", "desk-1", "--files", files]);
        let is_done = |told: &Value| told["page"]["status"]["campaigns"][0]["done"].as_u64().unwrap_or(0) > 0;
        let told = page.farm(|told| is_done(told) && told["page"]["status"]["workers"][0]["busy"] == 1);
        let status = &told["page"]["status"];
        assert_eq!((&status["workers"][0]["worker"], &told["failure"]), (&json!("desk-1"), &Value::Null));
        assert_eq!((&told["page"]["failed"], &told["page"]["left_out"]), (&json!([]), &json!(0)));
        let printed: Value =
            serde_json::from_str(&emilia(&["farm", "status", &observer, "--json"]).well()).expect("JSON");
        assert_eq!(keys(status), keys(&printed));
        for list in ["workers", "campaigns"] {
            assert_eq!(keys(&status[list][0]), keys(&printed[list][0]));
        }

        // Whatever a page says, nothing changes there.
        let task = &status["campaigns"][0]["task"];
        page.send(&json!({ "type": "farm", "task": task, "decision": "cancel" }));
        for kind in ["pause", "cancel", "farm_cancel"] {
            page.send(&json!({ "type": kind, "task": task }));
            page.response("error", |_| true);
        }
        let done = status["campaigns"][0]["done"].as_u64();
        let told = page.farm(|told| told["page"]["status"]["campaigns"][0]["done"].as_u64() > done);
        assert_eq!(told["page"]["status"]["campaigns"][0]["phase"], "running");

        // The server is lost, which concerns nothing but the panel, and comes back.
        let pid = fs::read_to_string(&pid).expect("the server has written its number");
        assert!(Command::new("kill").args(["-KILL", pid.trim()]).status().expect("kill runs").success());
        let told = page.farm(|told| told["page"].is_null());
        let failure = told["failure"].as_str().expect("a sentence");
        assert!(failure.starts_with("Cannot ") && failure.ends_with('.'), "{failure}");
        assert!(!failure.contains("password"), "{failure}");
        page.event(&json!({ "event": "new_game", "sides": "both", "board": "8x8" }));
        page.event(&json!({ "event": "play", "square": "f5" }));
        page.view(|shown| shown["view"]["move_count"] == 1);
        nats.restart();
        page.farm(|told| told["page"]["status"]["campaigns"][0]["kind"] == "self-play");
    }

    #[test]
    fn the_server_starts_without_the_farm_and_without_the_option_there_is_none() {
        let unused = TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("its address");
        let url = format!("nats://me:secret@{unused}");
        let (_server, said) = started_with("127.0.0.1:0", &["--farm", &url], "Ctrl-C");
        let mut page = Page::of(&said);
        let told = page.farm(|_| true);
        let failure = told["failure"].as_str().expect("a sentence");
        assert!(failure.starts_with(&format!("Cannot connect to nats://{unused}: ")), "{failure}");
        assert!(!failure.contains("secret"), "{failure}");
        let (_server, said) = started("127.0.0.1:0", "Ctrl-C");
        let mut page = Page::of(&said);
        page.send(&json!({ "type": "farm" }));
        let refusal = page.response("error", |_| true);
        assert_eq!(refusal["sentence"], "There is no farm here.");
    }

    #[test]
    fn an_address_that_is_none_and_credentials_that_are_missing_are_named_at_the_start() {
        is_misused(&["serve", "--farm", "http://farm.example.org"], "expected nats://HOST");
        let folder = Folder::new("serve_farm_credentials");
        let missing = folder.path("none.creds");
        let farm = ["serve", "--address", "127.0.0.1:0", "--farm", "nats://127.0.0.1"];
        fails(&[&farm[..], &["--credentials", &missing]].concat(), "none.creds");
        fails(&[&farm[..], &["--tls-ca", &missing]].concat(), "none.creds");
    }

    #[test]
    fn who_serves_a_network_is_told_that_everybody_sees_the_farm() {
        let (_server, said) = started_with("0.0.0.0:0", &["--farm", "nats://127.0.0.1:1"], "encrypted");
        let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("and see the machines and jobs of the farm"), "{said}");
    }
}
