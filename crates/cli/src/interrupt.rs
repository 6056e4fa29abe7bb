//! Signals that end the program: Ctrl-C and those of the system.
//!
//! A command that takes the [`flag`] ends by itself when the first signal sets it, and shows what it has; the next signal
//! ends the program immediately. Every other command ends at the first signal.

use std::io::{self, IsTerminal, Write};
use std::process;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow};
use control::lock;
use engine::Stop;
use tokio::runtime::{self, Runtime};
use tokio::time;

use crate::output;

/// A task that a signal interrupted: the exit code of the signal instead of 1.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub(crate) struct Interrupted;

/// Returns [`Interrupted`] if the flag is set.
pub(crate) fn check(stop: &Stop) -> Result<()> {
    if stop.is_set() { Err(Interrupted.into()) } else { Ok(()) }
}

const INTERRUPT: u8 = 2;

/// Number of the last signal, or 0.
static RECEIVED: AtomicU8 = AtomicU8::new(0);

/// The exit code that shells use for a program that the last signal ended: 130 for Ctrl-C, 143 for SIGTERM.
pub(crate) fn exit_code() -> u8 {
    match RECEIVED.load(Ordering::SeqCst) {
        0 => 128 + INTERRUPT,
        signal => 128 + signal,
    }
}

/// Effect of the next signal.
enum Response {
    End,
    /// The flag is set if it is not set yet; otherwise the program ends.
    Set(Stop),
    Call(Box<dyn Fn() + Send>),
}

static RESPONSE: Mutex<Response> = Mutex::new(Response::End);

fn response() -> MutexGuard<'static, Response> {
    lock(&RESPONSE)
}

/// Why signals cannot be received, if so.
static PROBLEM: OnceLock<String> = OnceLock::new();

/// A flag that the first signal sets, unless signals [call] a function; the same one at every time.
pub(crate) fn flag() -> Result<Stop> {
    static FLAG: OnceLock<Stop> = OnceLock::new();
    if let Some(problem) = PROBLEM.get() {
        return Err(anyhow!("cannot install a handler for Ctrl-C: {problem}"));
    }
    let stop = FLAG.get_or_init(Stop::new).clone();
    let mut response = response();
    if matches!(*response, Response::End) {
        *response = Response::Set(stop.clone());
    }
    Ok(stop)
}

/// Lets every signal call this function instead of ending the program.
pub(crate) fn call(function: impl Fn() + Send + 'static) {
    *response() = Response::Call(Box::new(function));
}

/// Starts to receive signals; if that is not possible, they have the effect that the system gives them.
pub(crate) fn listen() {
    if let Err(error) = start() {
        let _ = PROBLEM.set(error.to_string());
    }
}

fn start() -> io::Result<()> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let mut signals = {
        let _context = runtime.enter();
        Signals::new()?
    };
    thread::Builder::new().name("signals".to_owned()).spawn(move || respond_to_all(&runtime, &mut signals))?;
    Ok(())
}

/// Time after which a command that has not stopped yet prints a notice.
const STOP_NOTICE_DELAY: Duration = Duration::from_secs(2);

fn respond_to_all(runtime: &Runtime, signals: &mut Signals) {
    loop {
        let mut signal = runtime.block_on(signals.next());
        while respond_to(signal) {
            match runtime.block_on(async { time::timeout(STOP_NOTICE_DELAY, signals.next()).await }) {
                Ok(next) => signal = next,
                Err(_) => {
                    output::warn(&"stopping; press Ctrl-C again to end the program at once");
                    break;
                }
            }
        }
    }
}

/// Does what the next signal is to do. Returns whether a command has to stop.
fn respond_to(signal: u8) -> bool {
    RECEIVED.store(signal, Ordering::SeqCst);
    match &*response() {
        Response::Set(stop) if !stop.is_set() => {
            stop.set();
            true
        }
        Response::End | Response::Set(_) => end(),
        Response::Call(function) => {
            function();
            false
        }
    }
}

fn end() -> ! {
    if io::stderr().is_terminal() {
        // Erases a line of progress.
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
    output::warn(&Interrupted);
    process::exit(exit_code().into())
}

#[cfg(unix)]
struct Signals([(u8, tokio::signal::unix::Signal); 3]);

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let named = |kind: SignalKind| Ok::<_, io::Error>((kind.as_raw_value() as u8, signal(kind)?));
        Ok(Self([named(SignalKind::interrupt())?, named(SignalKind::terminate())?, named(SignalKind::hangup())?]))
    }

    async fn next(&mut self) -> u8 {
        let [interrupt, terminate, hangup] = &mut self.0;
        tokio::select! {
            _ = interrupt.1.recv() => interrupt.0,
            _ = terminate.1.recv() => terminate.0,
            _ = hangup.1.recv() => hangup.0,
        }
    }
}

#[cfg(not(unix))]
struct Signals(tokio::signal::windows::CtrlC, tokio::signal::windows::CtrlBreak);

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::windows::{ctrl_break, ctrl_c};
        Ok(Self(ctrl_c()?, ctrl_break()?))
    }

    async fn next(&mut self) -> u8 {
        tokio::select! {
            _ = self.0.recv() => {}
            _ = self.1.recv() => {}
        }
        INTERRUPT
    }
}
