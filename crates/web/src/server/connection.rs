//! One client: its socket, its host, and the jobs that the host orders.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, block_in_place, yield_now};
use tokio::time::{Instant as Deadline, sleep_until, timeout};
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::error::ProtocolError;

use super::executor::{Executor, JobEvent, NotStarted, SharedResources};
use super::farm_watch::{FarmMessages, FarmWatch};
use super::limits::{
    BURST, CLOSE_LIMIT, MAX_BYTES, MAX_BYTES_WITH_GAMES, MESSAGES_PER_SECOND, PING_INTERVAL, PING_LIMIT, READING_TIME,
};
use super::outbox::{Outbox, Outgoing, Overflow};
use super::pace::Pace;
use super::scheduler::ClientNumber;
use crate::host::{Host, HostOptions, Lane, Output};
use crate::message::Response;

/// Maximum number of events that wait for the host. It handles them without ever waiting for the client.
const MAX_EVENTS: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    /// The client has closed it, or is no longer there.
    Gone,
    /// We close it, with this code and reason.
    Closed(u16, &'static str),
}

impl From<Overflow> for Ending {
    fn from(_: Overflow) -> Self {
        Ending::Closed(close_code::POLICY, "the messages are not read")
    }
}

impl Ending {
    /// The end of a connection that received something other than a message.
    fn of_error(error: axum::Error) -> Self {
        match error.into_inner().downcast_ref() {
            Some(Error::Capacity(_)) => Ending::Closed(close_code::SIZE, "the message is too large"),
            Some(Error::Utf8(_)) => Ending::Closed(close_code::INVALID, "the message is not valid UTF-8"),
            Some(Error::Protocol(ProtocolError::ResetWithoutClosingHandshake)) => Ending::Gone,
            Some(Error::Protocol(_)) => Ending::Closed(close_code::PROTOCOL, "the frames are not those of a WebSocket"),
            _ => Ending::Gone,
        }
    }
}

/// The task that sends to a client. It ends with its connection.
struct Writer(JoinHandle<()>);

impl Drop for Writer {
    fn drop(&mut self) {
        self.0.abort();
    }
}

pub(crate) async fn serve(
    socket: WebSocket,
    client: ClientNumber,
    options: HostOptions,
    shared: SharedResources,
    mut shutdown: watch::Receiver<bool>,
    panics_at: Option<Arc<str>>,
) {
    let (sink, mut stream) = socket.split();
    let outbox = Arc::new(Outbox::default());
    let mut writer = Writer(tokio::spawn(write(sink, Arc::clone(&outbox))));
    let (event_sender, mut events) = mpsc::channel(MAX_EVENTS);
    let mut connection = Connection {
        host: Host::new(Arc::clone(&shared.registry), options),
        farm: shared.farm.clone(),
        farm_messages: None,
        executor: Executor::new(client, shared, event_sender),
        outbox: Arc::clone(&outbox),
        start: Instant::now(),
        pace: Pace::new(BURST, MESSAGES_PER_SECOND),
        last_heard: Duration::ZERO,
        last_ping: Duration::ZERO,
        panics_at,
    };
    let ending = loop {
        let step = connection.step(&mut stream, &mut events, &mut writer.0, &mut shutdown).await;
        if let Err(ending) = step {
            break ending;
        }
        // A client that has sent much waits for all others after each message.
        yield_now().await;
    };
    // Its jobs stop here.
    drop(connection);
    if let Ending::Closed(code, reason) = ending
        && !writer.0.is_finished()
    {
        outbox.close(code, reason);
        // A client that does not read it is disconnected.
        let _ = timeout(CLOSE_LIMIT, &mut writer.0).await;
    }
}

/// Tells a client that there is no place for it.
pub(crate) async fn refuse(mut socket: WebSocket, sentence: &str) {
    let farewell = async {
        let _ = socket.send(Message::Text(error(sentence).into())).await;
        let frame = CloseFrame { code: close_code::AGAIN, reason: Utf8Bytes::from_static("too many clients") };
        let _ = socket.send(Message::Close(Some(frame))).await;
    };
    // A client that does not read that is disconnected.
    let _ = timeout(READING_TIME, farewell).await;
}

fn error(sentence: &str) -> String {
    serde_json::to_string(&Response::Error { sentence: sentence.to_owned() }).unwrap_or_default()
}

struct Connection {
    host: Host,
    farm: Option<FarmWatch>,
    farm_messages: Option<FarmMessages>,
    executor: Executor,
    outbox: Arc<Outbox>,
    start: Instant,
    pace: Pace,
    last_heard: Duration,
    last_ping: Duration,
    /// For tests: a message at which this panics.
    panics_at: Option<Arc<str>>,
}

impl Connection {
    async fn step(
        &mut self,
        stream: &mut SplitStream<WebSocket>,
        events: &mut mpsc::Receiver<JobEvent>,
        writer: &mut JoinHandle<()>,
        shutdown: &mut watch::Receiver<bool>,
    ) -> Result<(), Ending> {
        let pause = Some(self.pace.next()).filter(|next| *next > self.now());
        let is_crowded = self.outbox.is_crowded();
        let next_tick = self.host.next_tick();
        let resumption = self.at(pause.unwrap_or_default());
        let tick = self.at(next_tick.unwrap_or_default());
        let ping = self.at(self.last_ping + PING_INTERVAL);
        tokio::select! {
            _ = shutdown.wait_for(|ends| *ends) => Err(Ending::Closed(close_code::AWAY, "the server ends")),
            _ = writer => Err(Ending::Gone),
            Some(event) = events.recv() => self.handle(event),
            message = stream.next(), if pause.is_none() && !is_crowded => match message {
                Some(Ok(message)) => self.receive(message),
                Some(Err(error)) => Err(Ending::of_error(error)),
                None => Err(Ending::Gone),
            },
            Some(text) = next_farm_message(&mut self.farm_messages) => {
                self.farm_messages = None;
                Ok(self.outbox.send(text)?)
            }
            () = sleep_until(resumption), if pause.is_some() => Ok(()),
            () = self.outbox.drained.notified(), if is_crowded => Ok(()),
            () = sleep_until(tick), if next_tick.is_some() => {
                let outputs = self.host.tick(self.now());
                self.carry_out(outputs)
            }
            () = sleep_until(ping) => self.look_for_client(),
        }
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn at(&self, time: Duration) -> Deadline {
        let time = self.start.checked_add(time).unwrap_or_else(|| Instant::now() + PING_INTERVAL);
        Deadline::from_std(time)
    }

    fn look_for_client(&mut self) -> Result<(), Ending> {
        self.last_ping = self.now();
        if self.last_ping.saturating_sub(self.last_heard) > PING_LIMIT {
            return Err(Ending::Gone);
        }
        self.outbox.ping();
        Ok(())
    }

    fn receive(&mut self, message: Message) -> Result<(), Ending> {
        let now = self.now();
        self.last_heard = now;
        match message {
            Message::Text(text) => {
                assert!(self.panics_at.as_deref() != Some(text.as_str()), "a test wants this panic");
                // A large message takes as much time as many small ones.
                self.pace.take(1 + (text.len() / MAX_BYTES) as u32, now);
                if text.len() <= MAX_BYTES {
                    let outputs = self.host.receive(&text, now);
                    return self.carry_out(outputs);
                }
                let outputs = block_in_place(|| brings_games(&text).then(|| self.host.receive(&text, now)));
                match outputs {
                    Some(outputs) => self.carry_out(outputs),
                    None => self.refuse(&format!("the message is longer than {} KB", MAX_BYTES >> 10)),
                }
            }
            Message::Binary(_) => {
                self.pace.take(1, now);
                self.refuse("expected a message as text")
            }
            Message::Ping(_) | Message::Pong(_) => {
                self.pace.take(1, now);
                Ok(())
            }
            Message::Close(_) => Err(Ending::Gone),
        }
    }

    fn refuse(&self, sentence: &str) -> Result<(), Ending> {
        Ok(self.outbox.send(error(sentence))?)
    }

    fn handle(&mut self, event: JobEvent) -> Result<(), Ending> {
        let now = self.now();
        let outputs = match event {
            JobEvent::Reply(job, reply) => self.host.reply(job, &reply, now),
            JobEvent::Ended(job, lane, workbench) => {
                let started = self.executor.ended(job, lane, workbench);
                return self.check(started);
            }
            JobEvent::Failed(job, Lane::Study) => {
                self.executor.failed(job);
                self.host.cut(job, now)
            }
            // The players of the game are lost. The page comes back with the game and gets new ones.
            JobEvent::Failed(_, Lane::Game) => return Err(Ending::Closed(close_code::ERROR, "a player has failed")),
        };
        self.carry_out(outputs)
    }

    fn carry_out(&mut self, outputs: Vec<Output>) -> Result<(), Ending> {
        for output in outputs {
            match output {
                Output::Send(text) => self.outbox.send(text)?,
                Output::Stop { job } => self.executor.stop(job),
                Output::LookAtFarm => {
                    if self.farm_messages.is_none() {
                        self.farm_messages = self.farm.as_ref().map(FarmWatch::request);
                    }
                }
                Output::Start { job, lane, order, time_limit } => {
                    let started = self.executor.start(job, lane, order, time_limit);
                    self.check(started)?;
                }
            }
        }
        Ok(())
    }

    fn check(&mut self, started: Result<(), NotStarted>) -> Result<(), Ending> {
        match started {
            Ok(()) => Ok(()),
            Err(NotStarted::TooMany(job)) => {
                let outputs = self.host.cut(job, self.now());
                self.carry_out(outputs)
            }
            Err(NotStarted::NoThread) => Err(Ending::Closed(close_code::AGAIN, "the server has no more threads")),
        }
    }
}

/// The next message about the farm, as soon as it is there; none if the client has not requested it.
async fn next_farm_message(messages: &mut Option<FarmMessages>) -> Option<String> {
    messages.as_mut()?.next().await
}

fn brings_games(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Tagged {
        #[serde(rename = "type")]
        kind: String,
    }
    text.len() <= MAX_BYTES_WITH_GAMES
        && serde_json::from_str::<Tagged>(text).is_ok_and(|Tagged { kind }| matches!(kind.as_str(), "open" | "hello"))
}

async fn write(mut sink: SplitSink<WebSocket, Message>, outbox: Arc<Outbox>) {
    loop {
        let (message, is_last) = match outbox.next().await {
            Outgoing::Text(text) => (Message::Text(text.into()), false),
            Outgoing::Ping => (Message::Ping(Default::default()), false),
            Outgoing::Close(code, reason) => {
                let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
                (Message::Close(Some(frame)), true)
            }
        };
        let sent = timeout(READING_TIME, sink.send(message)).await;
        if is_last || !matches!(sent, Ok(Ok(()))) {
            return;
        }
    }
}
