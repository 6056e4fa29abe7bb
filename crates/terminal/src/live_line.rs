//! A line on standard error that shows the progress of a long task, on a terminal only.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use control::{Control, lock};
use engine::clock::Moment;
use engine::{Origin, Progress};
use othello::Rules;

use report::{columns, words};

use crate::wrapping;

/// A line that is overwritten by each new text and erased when it is dropped.
#[derive(Debug)]
pub struct LiveLine {
    on_terminal: bool,
    is_shown: bool,
}

impl LiveLine {
    /// A line on standard error; if that is not a terminal, nothing is shown.
    pub fn on_stderr() -> Self {
        Self { on_terminal: io::stderr().is_terminal(), is_shown: false }
    }

    /// Shows this text instead of the last one.
    pub fn show(&mut self, text: &str) {
        if self.on_terminal {
            // Shorter than the width of the terminal: a line that has wrapped cannot be erased.
            let max = wrapping::columns(&io::stderr()).unwrap_or(80).saturating_sub(1);
            let text = words::printable(text);
            // If standard error is closed, nothing is lost.
            let _ = write!(io::stderr(), "\r\x1b[K{}", columns::beginning(&text, max));
            let _ = io::stderr().flush();
            self.is_shown = true;
        }
    }

    /// Erases the line.
    pub fn clear(&mut self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
            let _ = io::stderr().flush();
            self.is_shown = false;
        }
    }
}

impl Drop for LiveLine {
    fn drop(&mut self) {
        self.clear();
    }
}

/// An iteration in a few words: `21@73% +1.25 f5d6c3`, or a value of the opening book: `book +0.00 f5d6c3`.
pub fn thought<B: Rules>(progress: &Progress) -> String {
    let Progress { depth, selectivity, value, line, .. } = progress;
    let value = value.map_or(String::new(), |value| value.to_string());
    let line: String = line.iter().map(|&square| B::GEOMETRY.square_name(square)).collect();
    let basis = match progress.origin() {
        Some(Origin::Book) => "book".to_owned(),
        _ => format!("{depth}@{selectivity}%"),
    };
    format!("{basis} {value} {line}")
}

/// A live line about a search. A separate thread updates nodes and seconds during long iterations.
#[derive(Debug)]
pub struct SearchLine {
    /// The subject of the search and the results so far.
    subject: Arc<Mutex<String>>,
    /// The thread that shows the line, which ends when the sender is dropped.
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl SearchLine {
    /// The interval between updates; a search that ends sooner shows no line.
    const PERIOD: Duration = Duration::from_millis(300);

    /// Starts showing the search of this control.
    pub fn start(control: Arc<Control>, subject: String) -> Self {
        let subject = Arc::new(Mutex::new(subject));
        let mut line = LiveLine::on_stderr();
        let thread = line.on_terminal.then(|| {
            let (sender, ended) = channel();
            let (shown, start) = (Arc::clone(&subject), Moment::now());
            let show = move || {
                while ended.recv_timeout(Self::PERIOD) == Err(RecvTimeoutError::Timeout) {
                    let (nodes, seconds) = (control.nodes(), start.elapsed().as_secs_f64());
                    let speed = nodes as f64 / seconds.max(1e-3) / 1e6;
                    let nodes = words::counted(nodes, "node");
                    line.show(&format!("{}  {nodes}  {seconds:.0} s  {speed:.1} M/s", lock(&shown)));
                }
            };
            (sender, thread::spawn(show))
        });
        Self { subject, thread }
    }

    /// Changes the text before nodes and seconds.
    pub fn update(&self, subject: String) {
        *lock(&self.subject) = subject;
    }
}

impl Drop for SearchLine {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.thread.take() {
            drop(sender);
            let _ = thread.join();
        }
    }
}
