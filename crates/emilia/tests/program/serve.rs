//! `emilia serve`: its messages at the start, the book that Emilia plays from, and the farm that it shows.

use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Message, WebSocket, connect};

use crate::books::book_of_replies;
use crate::run::{Folder, Started, text};

#[cfg(all(unix, feature = "farm"))]
#[path = "../../../farm/src/tests/nats.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod nats;

/// Time limit for an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Starts a server on this machine, and returns it with the line that has its address.
fn started(folder: &Folder, options: &str) -> (Started, String) {
    started_at(folder, "127.0.0.1:0", options, "Ctrl-C")
}

/// Starts a server at an address, and returns it with its first lines up to the one that has these words.
fn started_at(folder: &Folder, address: &str, options: &str, last_words: &str) -> (Started, String) {
    let mut server = folder.start(&format!("serve --address {address} --hash 1 --threads 1 {options}"));
    let mut said = String::new();
    while !said.contains(last_words) {
        said += &server.line().unwrap_or_else(|| panic!("it has ended: {said}"));
        said.push('\n');
    }
    (server, said)
}

#[test]
fn only_this_machine_is_served_unless_another_address_is_given_with_a_warning() {
    let folder = Folder::new("serve_address");
    let (_server, said) = started(&folder, "");
    assert!(said.starts_with("Emilia is at http://127.0.0.1:") && said.lines().count() == 1, "{said}");
    let (_server, said) = started_at(&folder, "0.0.0.0:0", "", "encrypted");
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Everybody who can reach 0.0.0.0:"), "{said}");
    assert!(words.contains("no passwords, and nothing is encrypted"), "{said}");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("its address").to_string();
    folder.fails(&format!("serve --address {address}"), &address);
}

/// A page with a connection to a server.
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

/// The moves of a game of a person with f5 and Emilia's reply, on a server with these options.
fn reply(folder: &Folder, options: &str) -> String {
    let (_server, said) = started(folder, options);
    let mut page = Page::of(&said);
    page.event(&json!({ "event": "new_game", "sides": "both", "board": "8x8" }));
    page.event(&json!({ "event": "seat", "color": "white", "player": "emilia", "level": 5 }));
    page.event(&json!({ "event": "play", "square": "f5" }));
    text(&page.view(|shown| shown["view"]["move_count"] == 2)["link"]).to_owned()
}

#[test]
fn emilia_plays_from_the_book_of_the_option_and_not_from_another() {
    let folder = Folder::new("serve_book");
    // The shipped book prefers d6, and a short search f6.
    for (square, others) in [("f6", &["", "--book shipped"][..]), ("d6", &["--book off"])] {
        book_of_replies(&folder.path(&format!("{square}.book")), "f5", &[(square, 5.0)]);
        let expected = format!("f5{square}");
        assert_eq!(reply(&folder, &format!("--book {square}.book")), expected);
        for options in others {
            assert_ne!(reply(&folder, options), expected, "{options}");
        }
    }
}

/// Farms with a real `nats-server`.
#[cfg(all(unix, feature = "farm"))]
mod farm {
    use std::fs;
    use std::process::Command;

    use serde_json::Value;

    use super::nats::Nats;
    use super::*;

    /// The configuration of the documentation, without its address.
    fn documented() -> String {
        let page = include_str!("../../../../docs/farm.md");
        let text = page.split("```conf\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a configuration");
        let is_ours = |line: &&str| !line.starts_with("listen") && !line.starts_with("jetstream");
        text.lines().filter(is_ours).collect::<Vec<_>>().join("\n")
    }

    impl Page {
        /// The state of the farm, as soon as the condition holds.
        fn farm(&mut self, holds: impl Fn(&Value) -> bool) -> Value {
            let start = Instant::now();
            loop {
                self.send(&json!({ "type": "farm" }));
                let farm = self.response("farm", |_| true);
                if holds(&farm) {
                    return farm;
                }
                assert!(start.elapsed() < PATIENCE, "the farm is not in that state: {farm}");
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
        let (_server, said) = started(&folder, &format!("--farm {observer}"));
        let mut page = Page::of(&said);
        // This farm is not used yet.
        let farm = page.farm(|farm| !farm["page"].is_null());
        assert_eq!(farm["page"]["status"], json!({ "workers": [], "campaigns": [], "queued_chunks": 0, "aside": 0 }));

        let (store, files) = (nats.path("games.store"), nats.path("files"));
        let (store, files) = (store.to_str().expect("a path"), files.to_str().expect("a path"));
        let recipe = "--games 1000000 --weights hand-made --depth 4 --exact-from 10";
        let _submitter = folder.start(&format!("learn play --output '{store}' {recipe} --farm {submitter}"));
        page.farm(|farm| farm["page"]["status"]["campaigns"][0]["kind"].is_string());
        let _worker = folder.start(&format!("worker {worker} --threads 1 --name desk-1 --files '{files}'"));
        let is_done = |farm: &Value| farm["page"]["status"]["campaigns"][0]["done"].as_u64().unwrap_or(0) > 0;
        let farm = page.farm(|farm| is_done(farm) && farm["page"]["status"]["workers"][0]["busy"] == 1);
        let status = &farm["page"]["status"];
        assert_eq!((&status["workers"][0]["worker"], &farm["failure"]), (&json!("desk-1"), &Value::Null));
        assert_eq!((&farm["page"]["failed"], &farm["page"]["left_out"]), (&json!([]), &json!(0)));
        let printed = folder.row(&format!("farm status {observer}"));
        assert_eq!(keys(status), keys(&printed));
        for list in ["workers", "campaigns"] {
            assert_eq!(keys(&status[list][0]), keys(&printed[list][0]));
        }

        // No request of a page changes anything there.
        let task = &status["campaigns"][0]["task"];
        page.send(&json!({ "type": "farm", "task": task, "decision": "cancel" }));
        for kind in ["pause", "cancel", "farm_cancel"] {
            page.send(&json!({ "type": kind, "task": task }));
            page.response("error", |_| true);
        }
        let done = status["campaigns"][0]["done"].as_u64();
        let farm = page.farm(|farm| farm["page"]["status"]["campaigns"][0]["done"].as_u64() > done);
        assert_eq!(farm["page"]["status"]["campaigns"][0]["phase"], "running");

        // The server is lost, which concerns nothing but the panel, and comes back.
        let pid = fs::read_to_string(&pid).expect("the server has written its number");
        assert!(Command::new("kill").args(["-KILL", pid.trim()]).status().expect("kill runs").success());
        let farm = page.farm(|farm| farm["page"].is_null());
        let failure = farm["failure"].as_str().expect("a sentence");
        assert!(failure.starts_with("Cannot ") && failure.ends_with('.'), "{failure}");
        assert!(!failure.contains("password"), "{failure}");
        page.event(&json!({ "event": "new_game", "sides": "both", "board": "8x8" }));
        page.event(&json!({ "event": "play", "square": "f5" }));
        page.view(|shown| shown["view"]["move_count"] == 1);
        nats.restart();
        page.farm(|farm| farm["page"]["status"]["campaigns"][0]["kind"] == "self-play");
    }

    #[test]
    fn the_server_starts_without_the_farm_and_without_the_option_there_is_none() {
        let unused = TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("its address");
        let folder = Folder::new("serve_no_farm");
        let (_server, said) = started(&folder, &format!("--farm nats://me:secret@{unused}"));
        let mut page = Page::of(&said);
        let farm = page.farm(|_| true);
        let failure = farm["failure"].as_str().expect("a sentence");
        assert!(failure.starts_with(&format!("Cannot connect to nats://{unused}: ")), "{failure}");
        assert!(!failure.contains("secret"), "{failure}");
        let (_server, said) = started(&folder, "");
        let mut page = Page::of(&said);
        page.send(&json!({ "type": "farm" }));
        let refusal = page.response("error", |_| true);
        assert_eq!(refusal["sentence"], "There is no farm here.");
    }

    #[test]
    fn a_server_of_a_network_warns_that_everybody_sees_the_farm() {
        let folder = Folder::new("serve_farm_warning");
        let (_server, said) = started_at(&folder, "0.0.0.0:0", "--farm nats://127.0.0.1:1", "encrypted");
        let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("and see the machines and jobs of the farm"), "{said}");
    }
}
