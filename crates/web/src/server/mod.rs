//! The server of the page: files, and a WebSocket for each client.
//!
//! The requests of a client are handled by a [host](crate::host::Host) of its own (`connection`); its searches run in
//! threads (`executor`) that take turns (`scheduler`). One look at a farm serves all of them (`farm_watch`). Every
//! connection has a place (`admission`), and only those of clients keep it.

mod admission;
mod answer_headers;
mod asked_host;
mod assets;
mod connection;
mod executor;
mod farm_watch;
mod limits;
mod memory;
mod outbox;
mod pace;
mod scheduler;
mod timed_stream;
mod turn_queue;

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use records::files::today;
use search::{HashTable, HashTableError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

use self::admission::{Admission, AdmissionLimits, Visit};
use self::asked_host::KnownHosts;
use self::executor::SharedResources;
pub use self::farm_watch::FarmView;
use self::farm_watch::FarmWatch;
use self::scheduler::Scheduler;
use self::timed_stream::TimedStream;
use crate::host::HostOptions;
use players::Registry;
use players::opening_book::OpeningBook;

/// Settings of a server.
pub struct ServerOptions {
    /// The players that can be chosen.
    pub registry: Arc<Registry>,
    /// The address at which it listens; port 0 is any that is free.
    pub address: SocketAddr,
    /// Number of threads that search.
    pub threads: u16,
    /// The size of the hash table of all clients, in MB.
    pub hash: u32,
    /// Names under which it can be reached, besides `localhost` and addresses in numbers.
    pub host_names: Vec<String>,
    /// Maximum number of simultaneous clients.
    pub max_clients: u32,
    /// Maximum number of simultaneous connections from one address; [`CONNECTIONS_PER_ADDRESS`](Self::CONNECTIONS_PER_ADDRESS)
    /// if it is not given, and then no limit for addresses of this machine, where a proxy may serve all clients.
    pub connections_per_address: Option<u32>,
    /// Time limit for a browser to read an answer; it has three times as long to load the page.
    pub reading_time: Duration,
    /// For tests: a message at which the handler of its client panics.
    pub panics_at: Option<String>,
    /// Seed of the random choices of players.
    pub seed: u64,
    /// The opening book of all clients.
    pub book: Option<OpeningBook>,
    /// The farm whose state the page shows.
    pub farm: Option<FarmView>,
}

impl ServerOptions {
    /// The port of `emilia serve`.
    pub const DEFAULT_PORT: u16 = 8064;

    /// Default maximum number of simultaneous clients.
    pub const MAX_CLIENTS: u32 = limits::MAX_CLIENTS;

    /// Maximum number of simultaneous connections from one address of another machine.
    pub const CONNECTIONS_PER_ADDRESS: u32 = limits::CONNECTIONS_PER_ADDRESS;

    /// Default time limit for a browser to read an answer.
    pub const READING_TIME: Duration = limits::READING_TIME;

    /// A seed that differs each time.
    pub fn random_seed() -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
    }
}

/// Why a server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The address is in use or not one of this machine.
    #[error("cannot listen on {address}: {}", reason(error))]
    Address {
        /// The address.
        address: SocketAddr,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// The hash table is too large.
    #[error(transparent)]
    Table(#[from] HashTableError),
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => "another program uses this port".to_owned(),
        io::ErrorKind::AddrNotAvailable => "this machine does not have this address".to_owned(),
        io::ErrorKind::PermissionDenied => "the system does not allow it; ports below 1024 need permission".to_owned(),
        _ => error.to_string(),
    }
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    service: Arc<Service>,
    ending: watch::Sender<bool>,
}

#[derive(Debug)]
struct Service {
    known_hosts: KnownHosts,
    shared: SharedResources,
    places: Arc<Semaphore>,
    max_clients: u32,
    admission: Arc<Admission>,
    reading_time: Duration,
    panics_at: Option<Arc<str>>,
    next_client: AtomicU64,
    seed: u64,
    ending: watch::Receiver<bool>,
}

impl Server {
    /// Listens at the address of the options; needs a tokio runtime with several threads.
    pub async fn listen(options: ServerOptions) -> Result<Self, ServerError> {
        memory::prepare();
        let fail = |error| ServerError::Address { address: options.address, error };
        let listener = TcpListener::bind(options.address).await.map_err(fail)?;
        let address = listener.local_addr().map_err(fail)?;
        let (ending, receiver) = watch::channel(false);
        let shared = SharedResources {
            registry: options.registry,
            scheduler: Scheduler::new(usize::from(options.threads)),
            table: Arc::new(HashTable::new(options.hash as usize)?.shared()),
            threads: options.threads,
            book: options.book,
            farm: options.farm.map(|farm| FarmWatch::start(farm, receiver.clone())),
        };
        let service = Service {
            known_hosts: KnownHosts::new(address.port(), &options.host_names),
            shared,
            places: Arc::new(Semaphore::new(options.max_clients as usize)),
            max_clients: options.max_clients,
            admission: Admission::new(AdmissionLimits {
                visits: limits::MAX_VISITS,
                per_address: options.connections_per_address.unwrap_or(limits::CONNECTIONS_PER_ADDRESS) as usize,
                per_local_address: options.connections_per_address.map_or(usize::MAX, |count| count as usize),
            }),
            reading_time: options.reading_time,
            panics_at: options.panics_at.map(Arc::from),
            next_client: AtomicU64::new(1),
            seed: options.seed,
            ending: receiver,
        };
        Ok(Self { listener, address, service: Arc::new(service), ending })
    }

    /// The address at which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `end` is done, and then closes the connections of its clients.
    pub async fn run(self, end: impl Future<Output = ()>) {
        let Self { listener, service, ending, .. } = self;
        let tidying = tokio::spawn(tidy_up(Arc::clone(&service)));
        let router = router(Arc::clone(&service));
        let refusals = Arc::new(Semaphore::new(limits::MAX_REFUSALS));
        let mut end = pin!(end);
        loop {
            let accepted = tokio::select! {
                () = &mut end => break,
                accepted = listener.accept() => accepted,
            };
            let Ok((stream, address)) = accepted else {
                // Too many open files, for example.
                service.admission.make_room();
                sleep(Duration::from_millis(5)).await;
                continue;
            };
            match service.admission.admit(address.ip()) {
                Some(visit) => drop(tokio::spawn(answer(stream, router.clone(), visit, service.reading_time))),
                // A few get an answer; answers to all would take too many files.
                None => {
                    if let Ok(place) = Arc::clone(&refusals).try_acquire_owned() {
                        tokio::spawn(refuse(stream, place));
                    }
                }
            }
        }
        drop(listener);
        tidying.abort();
        let _ = ending.send(true);
        // When all places are free, all clients have gone.
        let _ = timeout(limits::CLOSE_LIMIT, service.places.acquire_many(service.max_clients)).await;
    }
}

/// Returns memory to the system a moment after clients have gone.
async fn tidy_up(service: Arc<Service>) {
    loop {
        service.admission.has_left.notified().await;
        sleep(limits::TIDYING_PAUSE).await;
        // It takes too long for a thread that answers requests.
        let _ = spawn_blocking(memory::return_to_system).await;
    }
}

const TOO_MANY_CONNECTIONS: &[u8] = b"HTTP/1.1 429 Too Many Requests\r\nContent-Type: text/plain; charset=utf-8\r\n\
    Content-Length: 61\r\nConnection: close\r\n\r\n\
    There are too many connections from your address; close some.";

async fn refuse(mut stream: TcpStream, _place: OwnedSemaphorePermit) {
    let told = async {
        stream.write_all(TOO_MANY_CONNECTIONS).await?;
        stream.shutdown().await?;
        // An answer is lost if the connection is closed before the request was read.
        tokio::io::copy(&mut stream.take(limits::HEAD_BYTES as u64), &mut tokio::io::sink()).await
    };
    // If the browser does not read the answer, the connection is closed.
    let _ = timeout(limits::CLOSE_LIMIT, told).await;
}

/// Answers the requests of a connection until it ends, is that of a client, or has to give way.
async fn answer(stream: TcpStream, router: Router, visit: Arc<Visit>, reading_time: Duration) {
    // Answers are small and awaited.
    let _ = stream.set_nodelay(true);
    let router = router.layer(Extension(Arc::clone(&visit)));
    let stream = TimedStream::new(stream, reading_time);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEAD_TIME)
        .max_buf_size(limits::HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    let mut connection = pin!(connection);
    // A connection that breaks affects no other one.
    tokio::select! {
        _ = &mut connection => return,
        () = visit.displaced.notified() => return,
        () = sleep(2 * reading_time) => {}
    }
    // Earlier requests are answered if the answers are read.
    connection.as_mut().graceful_shutdown();
    tokio::select! {
        _ = connection => {}
        () = visit.displaced.notified() => {}
        () = sleep(reading_time) => {}
    }
}

fn router(service: Arc<Service>) -> Router {
    Router::new()
        .route("/socket", get(socket))
        .route("/health", get(health))
        .fallback(async |request: Request| assets::answer(request.method(), request.uri().path(), request.headers()))
        .layer(middleware::from_fn_with_state(Arc::clone(&service), guard))
        .with_state(service)
}

async fn guard(State(service): State<Arc<Service>>, request: Request, next: Next) -> Response {
    let (mut response, asked) = match service.known_hosts.check(request.headers()) {
        Ok(asked) => (next.run(request).await, Some(asked)),
        Err(refusal) => (assets::plain(refusal.status, &format!("{}\n", refusal.sentence)), None),
    };
    answer_headers::add(response.headers_mut(), asked.as_ref());
    response
}

/// Answers with the state of the server: the number of clients, of their jobs, and of all connections.
async fn health(State(service): State<Arc<Service>>) -> Response {
    let clients = service.max_clients as usize - service.places.available_permits();
    let (jobs, connections) = (service.shared.scheduler.job_count(), service.admission.count());
    let text = format!("{{\"clients\":{clients},\"jobs\":{jobs},\"connections\":{connections}}}\n");
    assets::plain(StatusCode::OK, &text)
}

async fn socket(
    State(service): State<Arc<Service>>,
    Extension(visit): Extension<Arc<Visit>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let upgrade = upgrade
        .read_buffer_size(4 << 10)
        .write_buffer_size(0)
        .max_message_size(limits::MAX_BYTES_WITH_GAMES)
        .max_frame_size(limits::MAX_BYTES_WITH_GAMES);
    upgrade.on_upgrade(async move |socket| {
        let Ok(_place) = Arc::clone(&service.places).try_acquire_owned() else {
            let sentence = "the server has as many players as it can serve; try again later";
            tokio::select! {
                () = connection::refuse(socket, sentence) => {}
                () = visit.displaced.notified() => {}
            }
            return;
        };
        if !visit.becomes_client() {
            return;
        }
        let number = service.next_client.fetch_add(1, Relaxed);
        let options = HostOptions {
            seed: service.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            study_lanes: limits::STUDY_JOBS,
            splits_hints: false,
            max_hash: limits::GAME_HASH,
            date: today(),
            has_book: service.shared.book.is_some(),
            has_farm: service.shared.farm.is_some(),
        };
        let (shared, ending) = (service.shared.clone(), service.ending.clone());
        let panics_at = service.panics_at.clone();
        drop(service);
        connection::serve(socket, number, options, shared, ending, panics_at).await;
        drop(visit);
    })
}
