//! The server over real sockets: admission, refusals, and clients that vanish.
#![cfg(not(target_family = "wasm"))]

mod small_book;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use players::{Registry, test_support};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use web::message::FarmPage;
use web::server::{FarmView, Server, ServerOptions};

/// Time limit of every answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server that ends when it is dropped.
struct Running {
    address: SocketAddr,
    _end: oneshot::Sender<()>,
}

async fn start(change: impl FnOnce(&mut ServerOptions)) -> Running {
    let mut options = ServerOptions {
        registry: Arc::new(Registry::new(vec![test_support::program()]).expect("different names")),
        address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        threads: 2,
        hash: 4,
        host_names: Vec::new(),
        max_clients: 20,
        connections_per_address: None,
        reading_time: ServerOptions::READING_TIME,
        panics_at: None,
        seed: 1,
        book: None,
        farm: None,
    };
    change(&mut options);
    let server = Server::listen(options).await.unwrap();
    let address = server.address();
    let (sender, receiver) = oneshot::channel::<()>();
    tokio::spawn(server.run(async { drop(receiver.await) }));
    Running { address, _end: sender }
}

impl Running {
    /// The status, the head in small letters and the body of the answer to a request.
    async fn ask(&self, line: &str, headers: &[(&str, &str)]) -> (u16, String, String) {
        let mut request = format!("{line} HTTP/1.1\r\nConnection: close\r\n");
        let host = self.address.to_string();
        let default = [("Host", host.as_str())];
        let has_host = headers.iter().any(|(name, _)| *name == "Host");
        for (name, value) in headers.iter().chain(default.iter().filter(|_| !has_host)) {
            request += &format!("{name}: {value}\r\n");
        }
        request += "\r\n";
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap().unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), head.to_ascii_lowercase(), body.to_owned())
    }

    async fn health(&self, key: &str) -> u64 {
        let (.., body) = self.ask("GET /health", &[]).await;
        serde_json::from_str::<Value>(&body).unwrap()[key].as_u64().unwrap()
    }

    async fn wait_until(&self, key: &str, count: u64) {
        let start = Instant::now();
        while self.health(key).await != count {
            assert!(start.elapsed() < PATIENCE, "{key} is not {count}");
            sleep(Duration::from_millis(20)).await;
        }
    }

    async fn connect(&self) -> Client {
        let (socket, _) = connect_async(format!("ws://{}/socket", self.address)).await.unwrap();
        Client { socket }
    }

    /// A client that has sent `hello` and has received its first view.
    async fn client(&self) -> Client {
        let mut client = self.connect().await;
        client.send(json!({ "type": "hello" })).await;
        client.until("view", |_| true).await;
        client
    }

    /// A client for which a search goes on.
    async fn studying_client(&self) -> Client {
        let mut client = self.client().await;
        client.play_alone().await;
        client.event(json!({ "event": "set_hints", "level": 60 })).await;
        client.event(json!({ "event": "show_hints", "shown": true })).await;
        client.until("view", |shown| !shown["view"]["hints"].as_array().unwrap().is_empty()).await;
        client
    }
}

struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Client {
    async fn send(&mut self, request: Value) {
        self.send_text(request.to_string()).await;
    }

    async fn send_text(&mut self, text: String) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    async fn event(&mut self, event: Value) {
        self.send(json!({ "type": "event", "event": event })).await;
    }

    /// The next message that is not a ping.
    async fn next(&mut self) -> Option<Result<Message, Error>> {
        let answer = async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    other => return other,
                }
            }
        };
        timeout(PATIENCE, answer).await.expect("an answer in time")
    }

    /// The next response of this type for which the condition holds.
    async fn until(&mut self, kind: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let message = self.next().await.expect("an open connection").expect("a message");
            let response: Value = serde_json::from_str(message.to_text().unwrap()).unwrap();
            if response["type"] == kind && holds(&response) {
                return response;
            }
            assert!(start.elapsed() < PATIENCE, "no such {kind}; the last response: {response}");
        }
    }

    async fn look_at_farm(&mut self) -> Value {
        self.send(json!({ "type": "farm" })).await;
        self.until("farm", |_| true).await
    }

    async fn error(&mut self) -> String {
        self.until("error", |_| true).await["sentence"].as_str().unwrap().to_owned()
    }

    /// Lets the person play both sides of a new game.
    async fn play_alone(&mut self) {
        self.event(json!({ "event": "new_game", "sides": "both", "board": "8x8" })).await;
        self.until("view", |shown| shown["view"]["seats"].as_array().is_some()).await;
    }

    async fn play(&mut self, square: &str, count: usize) -> Value {
        self.event(json!({ "event": "play", "square": square })).await;
        self.until("view", |shown| shown["view"]["move_count"] == count).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_the_headers_that_protect_the_page() {
    let server = start(|_| ()).await;
    let socket: &[(&str, &str)] =
        &[("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")];
    for (status, line, headers) in [
        (200, "GET /", [].as_slice()),
        (200, "HEAD /", &[]),
        (200, "GET /host.js", &[]),
        (200, "GET /health", &[]),
        (404, "GET /nowhere", &[]),
        (405, "POST /", &[]),
        (405, "POST /health", &[]),
        (400, "GET /socket", &[]),
        (421, "GET /", &[("Host", "evil.example")]),
        (403, "GET /", &[("Origin", "http://evil.example")]),
        (
            403,
            "GET /socket",
            &[&socket[0], &socket[1], &socket[2], &("Origin", "http://evil.example")].map(|pair| *pair),
        ),
    ] {
        let (found, head, body) = server.ask(line, headers).await;
        assert_eq!(found, status, "{line}: {body}");
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; ",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-opener-policy: same-origin",
        ] {
            assert!(head.contains(header), "{line} has no {header}: {head}");
        }
        assert!(!head.contains("unsafe-inline") && !head.contains("access-control-allow"), "{head}");
    }
    let (_, head, _) = server.ask("GET /", &[]).await;
    assert!(head.contains(&format!("connect-src 'self' ws://{};", server.address)), "{head}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_is_only_for_pages_of_this_server_under_a_known_name() {
    let server = start(|options| options.host_names = vec!["othello.example".to_owned()]).await;
    let port = server.address.port();
    let local = format!("127.0.0.1:{port}");
    let own = format!("http://{local}");
    for (host, origin, status) in [
        (local.as_str(), None, 101),
        (&local, Some(own.as_str()), 101),
        ("othello.example", Some("https://othello.example"), 101),
        (&local, Some("http://evil.example"), 403),
        (&local, Some("null"), 403),
        (&local, Some("http://localhost"), 403),
        ("evil.example", Some("http://evil.example"), 421),
        (&format!("evil.example:{port}"), None, 421),
        (&format!("127.0.0.1:{}", port ^ 1), None, 421),
    ] {
        let mut request = format!("ws://{local}/socket").into_client_request().unwrap();
        request.headers_mut().insert("Host", host.parse().unwrap());
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().unwrap());
        }
        let found = match connect_async(request).await {
            Ok((_, response)) => response.status().as_u16(),
            Err(Error::Http(response)) => {
                assert!(response.body().as_ref().is_some_and(|body| body.ends_with(b".\n")), "a sentence");
                response.status().as_u16()
            }
            Err(error) => panic!("{host}, {origin:?}: {error}"),
        };
        assert_eq!(found, status, "{host}, {origin:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_path_leads_out_of_the_page() {
    let server = start(|_| ()).await;
    let paths = "/../Cargo.toml /../../Cargo.toml /..%2fCargo.toml /%2e%2e/Cargo.toml /%2e%2e%2fCargo.toml \
                 /..%5cCargo.toml /..\\Cargo.toml /strings/../../Cargo.toml //etc/passwd /etc/passwd /%00index.html \
                 /index.html%00 /index.html/ /./index.html /tsconfig.json /types.d.ts /socket/";
    for path in paths.split(' ') {
        assert_eq!(server.ask(&format!("GET {path}"), &[]).await.0, 404, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_malformed_message_gets_an_error_and_loses_nothing() {
    let server = start(|_| ()).await;
    let mut client = server.client().await;
    client.play_alone().await;
    client.play("f5", 1).await;
    for line in include_str!("refused_messages.txt").lines() {
        client.send_text(line.split('\t').nth(1).unwrap_or_default().to_owned()).await;
        assert!(!client.error().await.is_empty(), "{line}");
    }
    for text in ["[".repeat(60_000), "\u{0}\u{7f}\u{202e}".to_owned()] {
        client.send_text(text).await;
        client.error().await;
    }
    client.socket.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    client.error().await;
    let shown = client.play("d6", 2).await;
    assert_eq!(shown["view"]["moves"].as_array().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_messages_that_bring_games_may_be_large() {
    let server = start(|_| ()).await;
    let mut client = server.client().await;
    client.play_alone().await;
    client.event(json!({ "event": "play", "square": "f5".repeat(100_000) })).await;
    assert!(client.error().await.contains("longer than 64 KB"));
    let game = "f5\n".to_owned() + &"\n".repeat(3 << 20);
    client.send(json!({ "type": "open", "files": [{ "name": "game.txt", "text": game }] })).await;
    client.until("view", |shown| shown["view"]["moves"].as_array().unwrap().len() == 1).await;
    // Beyond every limit: the connection ends, and the server does not.
    let _ = client.socket.send(Message::text(" ".repeat(13 << 20))).await;
    while let Some(Ok(message)) = client.next().await {
        if message.is_close() {
            break;
        }
    }
    server.client().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_vanishes_stops_its_search() {
    let server = start(|_| ()).await;
    for is_polite in [true, false] {
        let mut client = server.studying_client().await;
        assert!(server.health("jobs").await > 0);
        if is_polite {
            client.socket.close(None).await.unwrap();
        }
        let start = Instant::now();
        drop(client);
        server.wait_until("jobs", 0).await;
        server.wait_until("clients", 0).await;
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_too_many_is_told_so() {
    let server = start(|options| options.max_clients = 2).await;
    let (first, _second) = (server.client().await, server.client().await);
    let mut third = server.connect().await;
    assert!(third.error().await.contains("as many players as it can serve"));
    let Some(Ok(Message::Close(Some(frame)))) = third.next().await else { panic!("not closed") };
    assert_eq!(u16::from(frame.code), 1013);
    drop(first);
    server.wait_until("clients", 1).await;
    server.client().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn players_that_would_use_this_machine_otherwise_are_refused() {
    let server = start(|_| ()).await;
    let mut client = server.client().await;
    for player in include_str!("refused_players.txt").lines() {
        let event = json!({ "event": "seat", "color": "white", "player": player });
        client.event(event).await;
        let is_refused = |shown: &Value| {
            let message = &shown["view"]["message"];
            message["kind"] == "refused" && message["text"] == player
        };
        client.until("view", is_refused).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_clients_read_the_same_book_and_none_can_name_another() {
    let server = start(|options| options.book = Some(small_book::small_book())).await;
    let mut clients = [server.client().await, server.client().await];
    for client in &mut clients {
        client.send(json!({ "type": "book", "file": "/etc/passwd", "book": "/etc/passwd" })).await;
        let answer = client.until("book", |_| true).await;
        assert_eq!((&answer["failure"], &answer["page"]["in_book"]), (&Value::Null, &json!(true)));
        assert_eq!(answer["page"]["value"], json!({ "kind": "discs", "discs": -1.0 }));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_state_of_a_lost_connection_continues_on_another_server() {
    let server = start(|_| ()).await;
    let mut client = server.client().await;
    client.play_alone().await;
    client.play("f5", 1).await;
    let shown = client.play("d6", 2).await;
    drop((client, server));
    let server = start(|_| ()).await;
    let mut client = server.connect().await;
    client.send(json!({ "type": "hello", "state": shown["state"] })).await;
    let again = client.until("view", |_| true).await;
    for key in ["board", "turn", "legal_moves", "move_count", "moves", "played"] {
        assert_eq!(again["view"][key], shown["view"][key], "{key}");
    }
    client.play("c3", 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_does_not_wait_for_the_searches_of_others() {
    let server = start(|options| options.threads = 1).await;
    let mut studying = Vec::new();
    for _ in 0..3 {
        studying.push(server.studying_client().await);
    }
    let mut client = server.client().await;
    client.play_alone().await;
    client.event(json!({ "event": "seat", "color": "white", "player": "emilia", "level": 5 })).await;
    let start = Instant::now();
    client.play("f5", 2).await;
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    // The others still get on.
    for client in &mut studying {
        client.until("view", |shown| shown["view"]["is_advising"] == true).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_ends_says_goodbye() {
    let Running { address, _end: end } = start(|_| ()).await;
    let running = Running { address, _end: oneshot::channel().0 };
    let mut client = running.client().await;
    drop(end);
    loop {
        match client.next().await {
            Some(Ok(Message::Close(Some(frame)))) => {
                assert_eq!(u16::from(frame.code), 1001);
                break;
            }
            Some(Ok(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// A farm that does not answer the first looks, with a counter of looks.
fn farm(away: usize) -> (FarmView, Arc<AtomicUsize>) {
    let looks = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&looks);
    let view: FarmView = Box::new(move || {
        if count.fetch_add(1, Relaxed) < away {
            return Err("cannot connect to nats://farm".to_owned());
        }
        let status = json!({ "workers": [{ "worker": "desk-1" }], "campaigns": [], "queued_chunks": 4, "aside": 1 });
        let failed = vec![json!({ "what": "worker", "worker": "desk-2", "reason": "<b>wrong</b>\u{1b}[2J" })];
        Ok(FarmPage { status, failed, left_out: 0 })
    });
    (view, looks)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_farm_is_looked_at_once_for_all_clients_and_only_while_one_asks() {
    let (view, looks) = farm(0);
    let server = start(|options| options.farm = Some(view)).await;
    let mut clients = Vec::new();
    for _ in 0..10 {
        clients.push(server.client().await);
    }
    sleep(Duration::from_millis(1200)).await;
    assert_eq!(looks.load(Relaxed), 0, "nobody has asked");
    let begin = Instant::now();
    for _ in 0..3 {
        for client in &mut clients {
            // Asking more often does not bring more answers.
            client.send(json!({ "type": "farm" })).await;
            client.send(json!({ "type": "farm" })).await;
        }
        for client in &mut clients {
            let told = client.until("farm", |_| true).await;
            assert_eq!((&told["page"]["status"]["queued_chunks"], &told["failure"]), (&json!(4), &Value::Null));
            assert_eq!(told["page"]["failed"][0]["reason"], "<b>wrong</b> [2J");
        }
    }
    let most = begin.elapsed().as_secs() as usize + 2;
    assert!((3..=most).contains(&looks.load(Relaxed)), "{looks:?} looks in {:?}", begin.elapsed());
    // A client that goes before its answer causes no look.
    for client in &mut clients {
        client.send(json!({ "type": "farm" })).await;
    }
    drop(clients);
    server.wait_until("clients", 0).await;
    let before = looks.load(Relaxed);
    sleep(Duration::from_millis(2500)).await;
    assert!(looks.load(Relaxed) <= before + 1, "{before} looks, and {looks:?} later");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_farm_that_is_away_is_a_sentence_and_comes_back() {
    let (view, _) = farm(1);
    let server = start(|options| options.farm = Some(view)).await;
    let mut client = server.client().await;
    let failure = client.look_at_farm().await;
    assert_eq!(failure, json!({ "type": "farm", "page": null, "failure": "Cannot connect to nats://farm." }));
    assert_eq!(client.look_at_farm().await["page"]["status"]["workers"][0]["worker"], "desk-1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_farm_that_does_not_answer_keeps_nobody_waiting() {
    let view: FarmView = Box::new(|| {
        std::thread::sleep(PATIENCE);
        Err("too late".to_owned())
    });
    let server = start(|options| options.farm = Some(view)).await;
    let mut client = server.client().await;
    client.send(json!({ "type": "farm" })).await;
    client.play_alone().await;
    let begin = Instant::now();
    client.play("f5", 1).await;
    server.client().await;
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    let told = client.until("farm", |_| true).await;
    assert_eq!(told["failure"], "The farm does not answer.");
}

/// A connection that has become a WebSocket, whose frames are made by hand.
async fn raw_socket(server: &Running) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let request = format!(
        "GET /socket HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        server.address
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(timeout(PATIENCE, stream.read_u8()).await.unwrap().unwrap());
    }
    assert!(head.starts_with(b"HTTP/1.1 101 "));
    stream
}

/// The code with which the server closes a WebSocket, read frame by frame.
async fn close_code(stream: &mut TcpStream) -> u16 {
    let read = async {
        loop {
            let (first, second) = (stream.read_u8().await.unwrap(), stream.read_u8().await.unwrap());
            let length = match second {
                126 => u64::from(stream.read_u16().await.unwrap()),
                127 => stream.read_u64().await.unwrap(),
                length => u64::from(length),
            };
            let mut content = vec![0; length as usize];
            stream.read_exact(&mut content).await.unwrap();
            if first == 0x88 {
                return u16::from_be_bytes([content[0], content[1]]);
            }
        }
    };
    timeout(PATIENCE, read).await.expect("the connection is closed")
}

/// A masked frame; the mask changes nothing.
fn frame(first: u8, content: &[u8]) -> Vec<u8> {
    let mut frame = vec![first, 0x80 | content.len() as u8, 0, 0, 0, 0];
    frame.extend_from_slice(content);
    frame
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_is_closed_with_the_code_of_what_is_wrong() {
    let server = start(|_| ()).await;
    let announced = [&[0x81, 0xff][..], &(64_u64 << 20).to_be_bytes(), &[0; 4]].concat();
    for (what, bytes, code) in [
        ("text that is not UTF-8", frame(0x81, b"{\"type\":\"\xff\"}"), 1007),
        ("a cut character", frame(0x81, b"\xe2\x82"), 1007),
        ("a frame without a mask", vec![0x81, 0x02, b'{', b'}'], 1002),
        ("a reserved bit", frame(0xc1, b"{}"), 1002),
        ("an unknown kind of frame", frame(0x83, b"{}"), 1002),
        ("the rest of no message", frame(0x80, b"{}"), 1002),
        ("half a ping", frame(0x09, b"?"), 1002),
        ("a message in the middle of another", [frame(0x01, b"{"), frame(0x81, b"}")].concat(), 1002),
        ("a message that is too large", announced, 1009),
    ] {
        let mut stream = raw_socket(&server).await;
        stream.write_all(&bytes).await.unwrap();
        assert_eq!(close_code(&mut stream).await, code, "{what}");
    }
    server.wait_until("clients", 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_none_is_refused_and_costs_nothing() {
    let server = start(|_| ()).await;
    let mut client = server.client().await;
    client.play_alone().await;
    let shown = client.play("f5", 1).await;
    let clock = |remaining: f64, increment: f64| json!({ "remaining": remaining, "increment": increment });
    for (control, seconds) in [
        (clock(60.0, 0.0), [1e19, 1e19]),
        (clock(60.0, 0.0), [0.0, 9.3e18]),
        (clock(9.25e18, 0.0), [60.0, 60.0]),
        (clock(60.0, 1.8e19), [60.0, 60.0]),
        (clock(1e300, 1e300), [1e300, 1e300]),
        (clock(-1.0, 0.0), [60.0, 60.0]),
        (Value::Null, [1.8e19, 0.0]),
    ] {
        let mut state = shown["state"].clone();
        state["control"] = control;
        state["seconds"] = json!(seconds);
        client.send(json!({ "type": "hello", "state": state })).await;
        let sentence = client.error().await;
        assert!(sentence.starts_with("Time out of range: ") && sentence.contains("expected 0 to"), "{sentence}");
        client.event(json!({ "event": "restart" })).await;
        client.until("view", |shown| shown["view"]["move_count"] == 0).await;
    }
    // The largest clock that can be typed is one.
    let mut state = shown["state"].clone();
    (state["control"], state["seconds"]) = (clock(86_400.0, 86_400.0), json!([86_400.0, 86_400.0]));
    client.send(json!({ "type": "hello", "state": state })).await;
    client.until("view", |shown| shown["view"]["seats"][0]["control"]["increment"] == 86_400.0).await;
    client.event(json!({ "event": "restart" })).await;
    client.play("f5", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_that_panics_takes_its_connection_with_it() {
    let server = start(|options| options.panics_at = Some("panic".to_owned())).await;
    let mut other = server.client().await;
    other.play_alone().await;
    for _ in 0..30 {
        let mut client = server.client().await;
        client.send_text("panic".to_owned()).await;
        // With or without a farewell.
        while let Some(Ok(_)) = client.next().await {}
    }
    server.wait_until("clients", 1).await;
    // The connection of the request, and the other client.
    server.wait_until("connections", 2).await;
    other.play("f5", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_does_not_read_is_left() {
    let server = start(|options| options.reading_time = Duration::from_millis(200)).await;
    let mut silent = Vec::new();
    for _ in 0..30 {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        let requests = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).repeat(2_000);
        // The server stops reading when its answers are not read.
        let _ = timeout(Duration::from_millis(100), stream.write_all(requests.as_bytes())).await;
        silent.push(stream);
    }
    server.wait_until("connections", 1).await;
    // One that reads, but never enough of it: a connection that is not that of a client ends.
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let start = Instant::now();
    loop {
        let request = format!("GET /health HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
        let answer = stream.write_all(request.as_bytes()).await;
        let mut bytes = [0; 4096];
        match timeout(PATIENCE, stream.read(&mut bytes)).await.unwrap() {
            Ok(count) if count > 0 && answer.is_ok() => sleep(Duration::from_millis(20)).await,
            _ => break,
        }
        assert!(start.elapsed() < PATIENCE, "the connection stays");
    }
    // Clients stay after any time.
    let mut client = server.client().await;
    client.play_alone().await;
    sleep(Duration::from_millis(800)).await;
    client.play("f5", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_a_limit_within_which_the_newest_come_first() {
    let server = start(|options| options.connections_per_address = Some(4)).await;
    let mut silent = Vec::new();
    for _ in 0..12 {
        silent.push(TcpStream::connect(server.address).await.unwrap());
        assert!(server.health("connections").await <= 4);
    }
    let mut gone = 0;
    for stream in &mut silent {
        gone += usize::from(timeout(Duration::from_millis(50), stream.read_u8()).await.is_ok());
    }
    assert!(gone >= 8, "{gone} had to give way");
    let mut clients = Vec::new();
    for _ in 0..4 {
        clients.push(server.client().await);
    }
    let (status, head, body) = server.ask("GET /health", &[]).await;
    assert_eq!(status, 429, "{head}");
    assert!(body.starts_with("There are too many connections from your address"), "{body}");
    assert!(head.contains(&format!("content-length: {}", body.len())), "{head}");
    drop(clients.pop());
    let start = Instant::now();
    while server.ask("GET /health", &[]).await.0 != 200 {
        assert!(start.elapsed() < PATIENCE, "a place that is free is not given");
        sleep(Duration::from_millis(20)).await;
    }
}
