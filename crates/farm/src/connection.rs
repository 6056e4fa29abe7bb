//! The connection to a NATS server, and what a farm needs on it.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::GetStreamErrorKind;
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy};
use async_nats::jetstream::{self, kv, object_store};
use async_nats::{Client, ConnectOptions, Event, ServerAddr};
use control::Stop;
use othello::random::Random;
use tokio::runtime::{self, Runtime};

use crate::names;

/// Address of a server, with the credentials for it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FarmAddress {
    /// The address, such as `nats://host:4222` or `tls://host`; a name and a password may be part of it.
    pub url: String,
    /// A token, if the server requires one.
    pub token: Option<String>,
    /// A credentials file, if the server requires one.
    pub credentials: Option<PathBuf>,
    /// The certificates to trust, if not those of the system.
    pub tls_ca: Option<PathBuf>,
    /// Our own certificate and its key, if the server requires them.
    pub tls_certificate: Option<(PathBuf, PathBuf)>,
}

/// Reason why a farm cannot be used, in a sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct FarmError(pub String);

impl FarmError {
    /// An error as a sentence: the action that failed, and its causes.
    pub fn new(action: &str, error: &dyn Error) -> Self {
        // The cause is often only in the source.
        let mut sentence = format!("{action}: {error}");
        let mut source = error.source();
        while let Some(cause) = source {
            let cause_text = cause.to_string();
            if !sentence.contains(&cause_text) {
                sentence = format!("{sentence}: {cause_text}");
            }
            source = cause.source();
        }
        Self(sentence)
    }

    /// Whether a connection was refused for good: what the server does not accept now it will not accept later.
    pub(crate) fn is_final(&self) -> bool {
        ["authorization", "cannot use", "not the address"].iter().any(|sign| self.0.contains(sign))
    }
}

/// Turns the error of another library into a [`FarmError`].
pub(crate) trait Context<T> {
    /// The result, or an error that begins with the action that failed.
    fn context(self, action: &str) -> Result<T, FarmError>;
}

impl<T, E: Error> Context<T> for Result<T, E> {
    fn context(self, action: &str) -> Result<T, FarmError> {
        self.map_err(|error| FarmError::new(action, &error))
    }
}

/// Receives messages for the user, in sentences.
pub type Notify = dyn Fn(&str) + Send + Sync;

/// The thread that waits for a server.
pub(crate) fn runtime() -> Result<Runtime, FarmError> {
    let runtime = runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.context("cannot start the threads of the connection")
}

/// Interval at which a stop flag is checked.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Waits until a flag is set.
pub(crate) async fn is_set(stop: &Stop) {
    while !stop.is_set() {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Waits, unless the flag is set.
pub(crate) async fn pause(time: Duration, stop: &Stop) {
    let _ = tokio::time::timeout(time, is_set(stop)).await;
}

/// Role of a connection: it selects the prefix of answers, so that the permissions of one role do not let it read the
/// answers to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A command that submits jobs.
    Submitter,
    /// A worker that does them.
    Worker,
    /// An observer, which only reads.
    Observer,
}

impl Role {
    fn inbox(self) -> &'static str {
        match self {
            Self::Submitter => "_INBOX_submitter",
            Self::Worker => "_INBOX_worker",
            Self::Observer => "_INBOX_observer",
        }
    }
}

const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);

/// Wait before attempt number `attempt`: doubles up to fifteen seconds, with jitter, so that many workers do not come
/// back at the same moment.
pub(crate) fn back_off(attempt: usize) -> Duration {
    let longest = Duration::from_secs(15).min(Duration::from_millis(100) * 2u32.pow(attempt.min(10) as u32));
    longest.mul_f64(0.5 + jitter() / 2.0)
}

/// A number from 0 to 1 that differs from process to process and from moment to moment.
pub(crate) fn jitter() -> f64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Random::of_item(u64::from(std::process::id()), now.as_nanos() as u64).share()
}

impl FarmAddress {
    /// The address without a password.
    pub fn shown(&self) -> String {
        match (self.url.find("://"), self.url.rfind('@')) {
            (Some(scheme), Some(at)) if at > scheme => format!("{}{}", &self.url[..scheme + 3], &self.url[at + 1..]),
            _ => self.url.clone(),
        }
    }

    /// Checks the address; the error is a sentence.
    pub fn server(&self) -> Result<ServerAddr, FarmError> {
        let refused =
            || FarmError(format!("not the address of a farm: {:?}; expected nats://HOST[:PORT]", self.shown()));
        let is_known = ["nats://", "tls://"].iter().any(|scheme| self.url.starts_with(scheme));
        let server: ServerAddr = self.url.parse().map_err(|_| refused())?;
        if is_known && !server.host().is_empty() { Ok(server) } else { Err(refused()) }
    }

    /// Connects once; afterwards the connection is renewed whenever it is lost. `notify` receives what the server refuses,
    /// and a message when the connection is lost or renewed.
    pub(crate) async fn connect(&self, role: Role, notify: Option<Arc<Notify>>) -> Result<Client, FarmError> {
        let server = self.server()?;
        let mut options = ConnectOptions::new()
            .name("emilia")
            .custom_inbox_prefix(role.inbox())
            .request_timeout(Some(REQUEST_TIMEOUT))
            .connection_timeout(REQUEST_TIMEOUT)
            .ping_interval(Duration::from_secs(10))
            .reconnect_delay_callback(back_off);
        if let Some(notify) = notify {
            let (was_lost, shown) = (Arc::new(AtomicBool::new(false)), self.shown());
            options = options.event_callback(move |event| {
                match event {
                    Event::Disconnected if !was_lost.swap(true, Relaxed) => {
                        notify(&format!("lost the connection to {shown}; trying again"));
                    }
                    Event::Connected if was_lost.swap(false, Relaxed) => notify(&format!("connected to {shown} again")),
                    Event::ServerError(error) => notify(&format!("the server refuses something: {error}")),
                    _ => {}
                }
                std::future::ready(())
            });
        }
        if let (Some(user), Some(password)) = (server.username(), server.password()) {
            options = options.user_and_password(user.to_owned(), password.to_owned());
        }
        if let Some(token) = &self.token {
            options = options.token(token.clone());
        }
        if let Some(path) = &self.credentials {
            let action = format!("cannot use {}", path.display());
            let text = fs::read_to_string(path).context(&action)?;
            options = options.credentials(&text).context(&action)?;
        }
        // A file that cannot be read now cannot be read at the next attempt, either.
        let certificates = self.tls_certificate.iter().flat_map(|(certificate, key)| [certificate, key]);
        for path in self.tls_ca.iter().chain(certificates) {
            fs::File::open(path).context(&format!("cannot use {}", path.display()))?;
        }
        if let Some(path) = &self.tls_ca {
            options = options.require_tls(true).add_root_certificates(path.clone());
        }
        if let Some((certificate, key)) = &self.tls_certificate {
            options = options.require_tls(true).add_client_certificate(certificate.clone(), key.clone());
        }
        options.connect(server).await.context(&format!("cannot connect to {}", self.shown()))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(crate) client: Client,
    pub(crate) jetstream: jetstream::Context,
}

/// Time after which unused results are removed.
const RESULTS_AGE: Duration = Duration::from_secs(14 * 24 * 3600);
/// Time after which a silent worker is no longer listed.
pub(crate) const WORKER_AGE: Duration = Duration::from_secs(20);
/// Time after which entries of chunks and workers that were set aside are removed.
const ASIDE_AGE: Duration = Duration::from_secs(7 * 24 * 3600);
/// The time in which a copy of a message is recognized.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);

impl Server {
    pub(crate) fn new(client: Client) -> Self {
        let jetstream = jetstream::new(client.clone());
        Self { client, jetstream }
    }

    /// JetStream on this connection: that of the user's account, or, if the account has none, what it imports.
    pub(crate) async fn reach(client: Client) -> Result<Self, FarmError> {
        let own = Self::new(client);
        match own.jetstream.get_stream(names::JOBS_STREAM).await.map_err(|error| (error.kind(), error)) {
            Err((GetStreamErrorKind::JetStream(refusal), _))
                if refusal.error_code() == ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT =>
            {
                let jetstream = jetstream::with_prefix(own.client.clone(), names::IMPORTED_API);
                Ok(Self { jetstream, ..own })
            }
            Err((GetStreamErrorKind::Request, error)) => Err(FarmError::new("the farm does not answer", &error)),
            _ => Ok(own),
        }
    }

    /// Creates the streams and buckets that do not exist yet.
    pub(crate) async fn set_up(&self) -> Result<(), FarmError> {
        let queue = stream::Config {
            name: names::JOBS_STREAM.to_owned(),
            subjects: vec![names::ALL_JOBS.to_owned()],
            retention: RetentionPolicy::WorkQueue,
            duplicate_window: DUPLICATE_WINDOW,
            ..Default::default()
        };
        let results = stream::Config {
            name: names::RESULTS_STREAM.to_owned(),
            subjects: vec![names::ALL_RESULTS.to_owned()],
            max_age: RESULTS_AGE,
            duplicate_window: DUPLICATE_WINDOW,
            ..Default::default()
        };
        let files = stream::Config {
            name: format!("OBJ_{}", names::FILES),
            subjects: vec![format!("$O.{}.C.>", names::FILES), format!("$O.{}.M.>", names::FILES)],
            discard: DiscardPolicy::New,
            allow_rollup: true,
            allow_direct: true,
            ..Default::default()
        };
        let buckets = [
            bucket(names::CAMPAIGNS, Duration::ZERO),
            bucket(names::WORKERS, WORKER_AGE),
            bucket(names::ASIDE, ASIDE_AGE),
        ];
        for config in [queue, results, files].into_iter().chain(buckets) {
            let action = format!(
                "cannot create the stream {} (is JetStream enabled on the server, and may this user create streams?)",
                config.name
            );
            self.jetstream.get_or_create_stream(config).await.context(&action)?;
        }
        Ok(())
    }

    /// Creates the consumer that the workers of this version share, if it does not exist yet. A chunk whose worker is
    /// silent for this time is given to another one.
    pub(crate) async fn set_up_consumer(&self, version: &str, silence: Duration) -> Result<(), FarmError> {
        let name = names::consumer(version);
        let config = pull::Config {
            durable_name: Some(name.clone()),
            filter_subject: names::jobs_of_version(version),
            ack_policy: AckPolicy::Explicit,
            ack_wait: silence,
            max_ack_pending: -1,
            max_waiting: 1 << 16,
            // Consumers of versions that are no longer used are removed.
            inactive_threshold: RESULTS_AGE,
            ..Default::default()
        };
        let created = self.stream(names::JOBS_STREAM).await?.get_or_create_consumer(&name, config).await;
        created.map(|_: PullConsumer| ()).context("cannot create the consumer of the workers")
    }

    pub(crate) async fn stream(&self, name: &str) -> Result<stream::Stream<()>, FarmError> {
        self.jetstream.get_stream_no_info(name).await.context(&format!("cannot use the stream {name}"))
    }

    pub(crate) async fn bucket(&self, name: &str) -> Result<kv::Store, FarmError> {
        self.jetstream.get_key_value(name).await.context(&format!("cannot use the bucket {name}"))
    }

    pub(crate) async fn files(&self) -> Result<object_store::ObjectStore, FarmError> {
        self.jetstream.get_object_store(names::FILES).await.context("cannot use the files of the farm")
    }
}

/// A key-value bucket, which is a stream with these properties (NATS ADR-8). The client's own function for it requests
/// the limits of the account in a form that servers before 2.10 do not know.
fn bucket(name: &str, max_age: Duration) -> stream::Config {
    stream::Config {
        name: format!("KV_{name}"),
        subjects: vec![format!("$KV.{name}.>")],
        max_messages_per_subject: 1,
        max_age,
        discard: DiscardPolicy::New,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(url: &str) -> FarmAddress {
        FarmAddress { url: url.to_owned(), ..FarmAddress::default() }
    }

    #[test]
    fn addresses_are_checked_and_shown_without_passwords() {
        for url in ["nats://localhost", "nats://10.0.0.1:4333", "tls://farm.example.org", "nats://me:secret@host:1"] {
            assert!(address(url).server().is_ok(), "{url}");
        }
        for url in ["", "host", "http://host", "nats://", "nats://ho st", "nats://host:99999"] {
            let refusal = address(url).server().expect_err(url).to_string();
            assert!(refusal.contains("expected nats://HOST"), "{refusal}");
        }
        assert_eq!(address("nats://me:secret@host:1").shown(), "nats://host:1");
    }

    #[test]
    fn waits_grow_and_differ() {
        for attempt in 0..100 {
            let wait = back_off(attempt);
            let longest = Duration::from_secs(15).min(Duration::from_millis(100 << attempt.min(10)));
            assert!(wait >= longest / 2 && wait <= longest, "{attempt}: {wait:?}");
        }
        assert_ne!(back_off(9), back_off(9));
    }
}
