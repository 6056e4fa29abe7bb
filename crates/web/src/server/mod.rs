//! The server of the page: files, and a WebSocket for each client.
//!
//! Everything that a client asks for is handled by a [host](crate::host::Host) of its own (`connection`); what thinks for
//! it runs in threads (`executor`) that take turns (`scheduler`). A farm is looked at once for all of them (`farm_watch`).

mod answer_headers;
mod asked_host;
mod assets;
mod connection;
mod executor;
mod farm_watch;
mod limits;
mod outbox;
mod pace;
mod scheduler;
mod turn_queue;

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use othello::records::files::today;
use search::{Table, TableError};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use self::asked_host::KnownHosts;
use self::executor::Means;
pub use self::farm_watch::FarmView;
use self::farm_watch::FarmWatch;
use self::scheduler::Scheduler;
use crate::host::HostOptions;
use crate::opening_book::OpeningBook;

/// How a server is set up.
#[derive(Debug)]
pub struct ServerOptions {
    /// Where it listens; port 0 is any that is free.
    pub address: SocketAddr,
    /// How many threads search.
    pub threads: u16,
    /// The size of the hash table of all clients, in MB.
    pub hash: u32,
    /// Names under which it can be asked, besides `localhost` and addresses in numbers.
    pub host_names: Vec<String>,
    /// How many clients it serves simultaneously.
    pub most_clients: u32,
    /// Decides what players leave to chance.
    pub seed: u64,
    /// The opening book of all clients.
    pub book: Option<OpeningBook>,
    /// The farm whose state the page shows.
    pub farm: Option<FarmView>,
}

impl ServerOptions {
    /// The port of `emilia serve`.
    pub const USUAL_PORT: u16 = 8064;

    /// How many clients are served simultaneously.
    pub const MOST_CLIENTS: u32 = limits::MOST_CLIENTS;

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
    Table(#[from] TableError),
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

/// What all requests share.
#[derive(Debug)]
struct Service {
    known_hosts: KnownHosts,
    means: Means,
    /// A place for each client.
    places: Arc<Semaphore>,
    most_clients: u32,
    /// A place for each connection.
    connections: Arc<Semaphore>,
    next_client: AtomicU64,
    seed: u64,
    ending: watch::Receiver<bool>,
}

impl Server {
    /// Listens at the address of the options; needs a tokio runtime with several threads.
    pub async fn listen(options: ServerOptions) -> Result<Self, ServerError> {
        let fail = |error| ServerError::Address { address: options.address, error };
        let listener = TcpListener::bind(options.address).await.map_err(fail)?;
        let address = listener.local_addr().map_err(fail)?;
        let (ending, receiver) = watch::channel(false);
        let means = Means {
            scheduler: Scheduler::new(usize::from(options.threads)),
            table: Arc::new(Table::new(options.hash as usize)?.shared()),
            threads: options.threads,
            book: options.book,
            farm: options.farm.map(|farm| FarmWatch::start(farm, receiver.clone())),
        };
        let service = Service {
            known_hosts: KnownHosts::new(address.port(), &options.host_names),
            means,
            places: Arc::new(Semaphore::new(options.most_clients as usize)),
            most_clients: options.most_clients,
            connections: Arc::new(Semaphore::new(options.most_clients as usize + limits::MOST_OTHER_CONNECTIONS)),
            next_client: AtomicU64::new(1),
            seed: options.seed,
            ending: receiver,
        };
        Ok(Self { listener, address, service: Arc::new(service), ending })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `end` is done, and then says goodbye to its clients.
    pub async fn run(self, end: impl Future<Output = ()>) {
        let Self { listener, service, ending, .. } = self;
        let router = router(Arc::clone(&service));
        let mut end = pin!(end);
        loop {
            // Who finds no place waits in the queue of the system.
            let place = Arc::clone(&service.connections).acquire_owned();
            let accepted = tokio::select! {
                () = &mut end => break,
                accepted = async { (place.await, listener.accept().await) } => accepted,
            };
            let (Ok(place), Ok((stream, _))) = accepted else {
                // Too many open files, for example: that passes.
                sleep(Duration::from_millis(50)).await;
                continue;
            };
            let router = router.clone();
            tokio::spawn(async move {
                answer(stream, router).await;
                drop(place);
            });
        }
        drop(listener);
        let _ = ending.send(true);
        // When all places are free, everybody has gone.
        let _ = timeout(limits::FAREWELL, service.places.acquire_many(service.most_clients)).await;
    }
}

/// Answers the requests of a connection.
async fn answer(stream: TcpStream, router: Router) {
    // Answers are small and awaited.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEAD_TIME)
        .max_buf_size(limits::HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    // A connection that breaks concerns nobody else.
    let _ = connection.await;
}

fn router(service: Arc<Service>) -> Router {
    Router::new()
        .route("/socket", get(socket))
        .route("/health", get(health))
        .fallback(async |request: Request| assets::answer(request.method(), request.uri().path(), request.headers()))
        .layer(middleware::from_fn_with_state(Arc::clone(&service), guard))
        .with_state(service)
}

/// Checks every request and adds headers to every answer.
async fn guard(State(service): State<Arc<Service>>, request: Request, next: Next) -> Response {
    let (mut response, asked) = match service.known_hosts.check(request.headers()) {
        Ok(asked) => (next.run(request).await, Some(asked)),
        Err(refusal) => (assets::plain(refusal.status, &format!("{}\n", refusal.sentence)), None),
    };
    answer_headers::add(response.headers_mut(), asked.as_ref());
    response
}

/// How the server is: the number of clients and of their jobs.
async fn health(State(service): State<Arc<Service>>) -> Response {
    let clients = service.most_clients as usize - service.places.available_permits();
    let jobs = service.means.scheduler.job_count();
    assets::plain(StatusCode::OK, &format!("{{\"clients\":{clients},\"jobs\":{jobs}}}\n"))
}

/// Makes a connection a client, if there is a place for it.
async fn socket(State(service): State<Arc<Service>>, upgrade: WebSocketUpgrade) -> Response {
    let upgrade = upgrade
        .read_buffer_size(4 << 10)
        .write_buffer_size(0)
        .max_message_size(limits::MOST_BYTES_WITH_GAMES)
        .max_frame_size(limits::MOST_BYTES_WITH_GAMES);
    upgrade.on_upgrade(async move |socket| {
        let Ok(_place) = Arc::clone(&service.places).try_acquire_owned() else {
            let sentence = "the server has as many players as it can serve; try again later";
            return connection::refuse(socket, sentence).await;
        };
        let number = service.next_client.fetch_add(1, Relaxed);
        let options = HostOptions {
            seed: service.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            study_lanes: limits::STUDY_JOBS,
            splits_hints: false,
            most_hash: limits::GAME_HASH,
            date: today(),
            has_book: service.means.book.is_some(),
            has_farm: service.means.farm.is_some(),
        };
        let (means, ending) = (service.means.clone(), service.ending.clone());
        drop(service);
        connection::serve(socket, number, options, means, ending).await;
    })
}
