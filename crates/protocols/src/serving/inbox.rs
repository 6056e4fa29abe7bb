//! The lines that a host sends, and how they interrupt a search.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use control::{lock, wait};
use engine::Stop;

use crate::bounded_line::next_line;

/// No command is longer; the rest of a line is dropped.
const MAX_LINE: usize = 1 << 16;

/// A host that sends more lines than this before they are read has to wait.
const MAX_WAITING: usize = 1024;

/// Time limit of a search after the input has ended: enough for the answer to a command that was piped in, and not so
/// long that the process outlives its host.
const TIME_AFTER_END: Duration = Duration::from_secs(2);

/// A line from the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct HostLine {
    pub text: String,
    /// Whether it was too long for any command and was cut.
    pub is_cut: bool,
}

/// Condition that ends a search early.
///
/// Every search also ends soon after the input has ended ([`Inbox::search`]).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Interrupt {
    /// Only that the answers are no longer read.
    HostGone,
    /// Also the next line.
    NextLine,
    /// Also the end of the input, without delay.
    NextLineOrEnd,
}

/// The lines of the host, read in a separate thread so that they arrive during a search.
#[derive(Clone, Debug)]
pub struct Inbox(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<HostLine>,
    has_ended: bool,
    /// The answers are no longer read.
    is_gone: bool,
    /// The current search, and the condition that ends it.
    current: Option<Current>,
    /// Number of searches so far.
    count: u64,
}

#[derive(Clone, Debug)]
struct Current {
    number: u64,
    interrupt: Interrupt,
    stop: Stop,
}

impl State {
    fn interrupts(&self, interrupt: Interrupt) -> bool {
        self.is_gone
            || interrupt >= Interrupt::NextLine && !self.lines.is_empty()
            || interrupt >= Interrupt::NextLineOrEnd && self.has_ended
    }

    /// Ends the search if there is a reason for it now.
    fn interrupt(&self) {
        if let Some(Current { interrupt, stop, .. }) = &self.current
            && self.interrupts(*interrupt)
        {
            stop.set();
        }
    }
}

impl Inbox {
    /// The lines of standard input.
    pub fn of_standard_input() -> Self {
        let inbox = Self::of(io::stdin());
        let watched = inbox.clone();
        thread::spawn(move || {
            let mut state = watched.state();
            while !state.has_ended {
                state = wait(&watched.0.changed, state);
            }
            drop(state);
            // A host that has sent everything may still wait for the answers, one that has gone does not.
            wait_until_output_is_closed();
            watched.change(|state| state.is_gone = true);
        });
        inbox
    }

    /// The lines of a stream.
    pub fn of(stream: impl Read + Send + 'static) -> Self {
        let inbox = Self(Arc::default());
        let reader = inbox.clone();
        thread::spawn(move || {
            let mut stream = BufReader::new(stream);
            // A stream that cannot be read has ended.
            while let Ok(Some(line)) = next_line(&mut stream, MAX_LINE, usize::MAX) {
                reader.put(HostLine { is_cut: line.length > MAX_LINE, text: line.text });
            }
            reader.change(|state| state.has_ended = true);
            let current = reader.state().current.clone();
            if let Some(current) = current {
                reader.end_soon(current);
            }
        });
        inbox
    }

    /// Waits for the next line; nothing at the end of the input.
    pub(crate) fn next(&self) -> Option<HostLine> {
        let mut state = self.state();
        loop {
            if let Some(line) = state.lines.pop_front() {
                self.0.changed.notify_all();
                return Some(line);
            }
            if state.has_ended {
                return None;
            }
            state = wait(&self.0.changed, state);
        }
    }

    /// Begins a search, which the condition ends early.
    ///
    /// Two seconds after the input has ended, every search ends: the host may be gone, and nothing could stop the
    /// search.
    pub(crate) fn search(&self, interrupt: Interrupt) -> HostSearch {
        let stop = Stop::new();
        let mut ended = None;
        self.change(|state| {
            state.count += 1;
            let current = Current { number: state.count, interrupt, stop: stop.clone() };
            ended = state.has_ended.then(|| current.clone());
            state.current = Some(current);
        });
        if let Some(current) = ended.filter(|_| !stop.is_set()) {
            let inbox = self.clone();
            thread::spawn(move || inbox.end_soon(current));
        }
        HostSearch { inbox: self.clone(), stop }
    }

    /// Ends a search if it still goes on after a while.
    fn end_soon(&self, search: Current) {
        let goes_on = |state: &mut State| state.current.as_ref().is_some_and(|current| current.number == search.number);
        let waited = self.0.changed.wait_timeout_while(self.state(), TIME_AFTER_END, goes_on);
        if waited.unwrap_or_else(PoisonError::into_inner).1.timed_out() {
            search.stop.set();
        }
    }

    fn put(&self, line: HostLine) {
        let mut state = self.state();
        while state.lines.len() >= MAX_WAITING {
            state = wait(&self.0.changed, state);
        }
        state.lines.push_back(line);
        state.interrupt();
        self.0.changed.notify_all();
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        change(&mut state);
        state.interrupt();
        self.0.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.0.state)
    }
}

/// A search that can be interrupted; it is over when this is dropped.
pub(crate) struct HostSearch {
    inbox: Inbox,
    pub(crate) stop: Stop,
}

impl Drop for HostSearch {
    fn drop(&mut self) {
        self.inbox.change(|state| state.current = None);
    }
}

/// Waits until the reader of standard output has gone: a pipe reports it, a file never does.
#[cfg(unix)]
fn wait_until_output_is_closed() {
    use rustix::event::{PollFd, PollFlags, poll};

    let output = io::stdout();
    loop {
        // Errors are reported even without requested events.
        let mut watched = [PollFd::new(&output, PollFlags::empty())];
        match poll(&mut watched, None) {
            Ok(_) if watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL) => return,
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

/// Other systems do not report it: there a host that has closed our input counts as gone.
#[cfg(not(unix))]
fn wait_until_output_is_closed() {}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;

    use super::*;

    /// A stream whose bytes come when they are sent.
    struct Pipe(Receiver<Vec<u8>>, VecDeque<u8>);

    impl Read for Pipe {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.1.is_empty()
                && let Ok(bytes) = self.0.recv()
            {
                self.1.extend(bytes);
            }
            self.1.read(buffer)
        }
    }

    fn pipe() -> (Sender<Vec<u8>>, Inbox) {
        let (sender, receiver) = channel();
        (sender, Inbox::of(Pipe(receiver, VecDeque::new())))
    }

    fn is_interrupted(search: &HostSearch) -> bool {
        (0..500).any(|_| {
            thread::sleep(Duration::from_millis(2));
            search.stop.is_set()
        })
    }

    #[test]
    fn lines_come_in_order_without_their_ends_and_as_text() {
        let inbox = Inbox::of(io::Cursor::new(b"go\r\nping 1  \n\nh\xffi\n\0\nlast".to_vec()));
        let lines: Vec<_> = std::iter::from_fn(|| inbox.next()).map(|line| line.text).collect();
        assert_eq!(lines, ["go", "ping 1", "", "h\u{fffd}i", "\0", "last"]);
        assert_eq!(inbox.next(), None);
    }

    #[test]
    fn a_long_line_is_cut_and_the_next_one_is_whole() {
        let text = format!("{}\nnext\n", "x".repeat(1 << 20));
        let inbox = Inbox::of(io::Cursor::new(text.into_bytes()));
        let line = inbox.next().unwrap();
        assert!(line.is_cut && line.text.len() == MAX_LINE);
        assert_eq!(inbox.next(), Some(HostLine { text: "next".to_owned(), is_cut: false }));
    }

    #[test]
    fn more_lines_than_may_wait_all_arrive() {
        let inbox = Inbox::of(io::Cursor::new("a\n".repeat(5 * MAX_WAITING).into_bytes()));
        assert_eq!(std::iter::from_fn(|| inbox.next()).count(), 5 * MAX_WAITING);
    }

    #[test]
    fn the_next_line_interrupts_what_it_may_interrupt() {
        let (sender, inbox) = pipe();
        let search = inbox.search(Interrupt::NextLine);
        assert!(!search.stop.is_set());
        sender.send(b"ping 1\n".to_vec()).unwrap();
        assert!(is_interrupted(&search));
        drop(search);
        // It is still unread, so that the next search ends before it begins, unless lines do not matter.
        assert!(inbox.search(Interrupt::NextLine).stop.is_set());
        assert!(!inbox.search(Interrupt::HostGone).stop.is_set());
        inbox.next();
        assert!(!inbox.search(Interrupt::NextLine).stop.is_set());
    }

    #[test]
    fn the_end_of_the_input_interrupts_at_once_only_what_waits_for_a_line() {
        let (sender, inbox) = pipe();
        let search = inbox.search(Interrupt::NextLineOrEnd);
        assert!(!search.stop.is_set());
        drop(sender);
        assert!(is_interrupted(&search));
        assert!(!inbox.search(Interrupt::NextLine).stop.is_set());
    }

    #[test]
    fn every_search_ends_after_the_end_of_the_input() {
        fn ends(search: &HostSearch) -> bool {
            // Much longer than it takes.
            (0..60).any(|_| {
                thread::sleep(TIME_AFTER_END / 4);
                search.stop.is_set()
            })
        }
        let (sender, inbox) = pipe();
        let search = inbox.search(Interrupt::HostGone);
        drop(sender);
        assert!(ends(&search), "a search that is under way");
        drop(search);
        assert!(ends(&inbox.search(Interrupt::NextLine)), "a search that begins then");
    }
}
