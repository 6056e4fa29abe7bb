//! Reads the lines that a program prints, without letting it fill our memory.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use control::lock;
use engine::clock::Moment;

use crate::bounded_line::next_line;

#[derive(PartialEq, Eq, Debug)]
pub(super) enum Output {
    /// A line, cut at [`MAX_KEPT`].
    Line(String),
    EndlessLine,
}

/// No line of a protocol is longer; the rest of a line is dropped.
const MAX_KEPT: usize = 1 << 14;

/// A line of more bytes counts as endless.
const MAX_LENGTH: usize = 1 << 24;

/// Maximum number of lines that wait to be read. Then the program has to wait, because its pipe fills up.
const MAX_WAITING: usize = 256;

/// Reads a stream in a separate thread. The channel closes at the end of the stream.
pub(super) fn read_lines(stream: impl Read + Send + 'static) -> Receiver<Output> {
    let (sender, receiver) = sync_channel(MAX_WAITING);
    // The thread ends when the stream does, or soon after the receiver is gone.
    thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        while let Ok(Some(output)) = next_output(&mut stream) {
            let is_endless = output == Output::EndlessLine;
            if sender.send(output).is_err() || is_endless {
                break;
            }
        }
    });
    receiver
}

fn next_output(stream: &mut impl BufRead) -> io::Result<Option<Output>> {
    let line = next_line(stream, MAX_KEPT, MAX_LENGTH)?;
    Ok(line.map(|line| if line.length > MAX_LENGTH { Output::EndlessLine } else { Output::Line(line.text) }))
}

/// The last line of the error output of a program: often why it exited.
pub(super) struct LastErrorLine {
    line: Arc<Mutex<String>>,
    listener: JoinHandle<()>,
}

impl LastErrorLine {
    pub(super) fn of(stream: impl Read + Send + 'static) -> Self {
        let line = Arc::<Mutex<String>>::default();
        let last = line.clone();
        let listener = thread::spawn(move || {
            let mut stream = BufReader::new(stream);
            while let Ok(Some(Output::Line(line))) = next_output(&mut stream) {
                if !line.is_empty() {
                    *lock(&last) = line;
                }
            }
            // The program must not block when it prints more.
            let _ = io::copy(&mut stream, &mut io::sink());
        });
        Self { line, listener }
    }

    /// The last line, if there was one, when the stream has ended or this time is over.
    pub(super) fn within(&self, time: Duration) -> Option<String> {
        let end = Moment::now().after(time);
        while !self.listener.is_finished() && Moment::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
        let words = lock(&self.line).clone();
        (!words.is_empty()).then_some(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outputs(bytes: &[u8]) -> Vec<Output> {
        read_lines(io::Cursor::new(bytes.to_vec())).iter().collect()
    }

    fn line(text: &str) -> Output {
        Output::Line(text.to_owned())
    }

    #[test]
    fn lines_end_in_any_way_and_bytes_that_are_not_text_are_replaced() {
        assert_eq!(outputs(b"= f5\r\n\n=== d6"), [line("= f5"), line(""), line("=== d6")]);
        assert_eq!(outputs(b""), []);
        assert_eq!(outputs(b"a\xffb\n\xe2\x82"), [line("a\u{fffd}b"), line("\u{fffd}")]);
    }

    #[test]
    fn a_long_line_is_cut_and_an_endless_one_is_reported() {
        let long = [vec![b'x'; 100_000], b"\nnext\n".to_vec()].concat();
        assert_eq!(outputs(&long), [line(&"x".repeat(MAX_KEPT)), line("next")]);
        let endless = read_lines(io::repeat(b'x'));
        assert_eq!(endless.recv(), Ok(Output::EndlessLine));
        assert!(endless.recv().is_err());
    }

    #[test]
    fn a_flood_waits_until_someone_listens() {
        struct Flood(Arc<Mutex<usize>>);

        impl Read for Flood {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                buffer.fill(b'\n');
                *self.0.lock().unwrap() += buffer.len();
                Ok(buffer.len())
            }
        }

        let taken = Arc::<Mutex<usize>>::default();
        let flood = read_lines(Flood(taken.clone()));
        thread::sleep(Duration::from_millis(50));
        // No more than the lines that may wait, and the buffer of the stream.
        assert!(*taken.lock().unwrap() < 1 << 16);
        assert_eq!(flood.iter().take(1 << 17).count(), 1 << 17);
    }
}
