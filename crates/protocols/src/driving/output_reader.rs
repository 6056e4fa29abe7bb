//! Reads the lines that a program prints, without letting it fill our memory.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use control::lock;
use engine::clock::Moment;

/// A line that a program has printed.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Output {
    /// A line, cut at [`LONGEST_LINE`].
    Line(String),
    /// A line without an end.
    EndlessLine,
}

/// No line of a protocol is longer; what is beyond is dropped.
const LONGEST_LINE: usize = 1 << 14;

/// A line of this many bytes counts as endless.
const ENDLESS_LINE: usize = 1 << 24;

/// Maximum number of lines that wait to be read. Then the program has to wait, because its pipe fills up.
const WAITING_LINES: usize = 256;

/// Reads a stream in a separate thread. The channel closes at the end of the stream.
pub(super) fn read_lines(stream: impl Read + Send + 'static) -> Receiver<Output> {
    let (sender, receiver) = sync_channel(WAITING_LINES);
    // The thread ends when the stream does, or soon after the receiver is gone.
    thread::spawn(move || {
        let _ = pass_on(&mut BufReader::new(stream), &sender);
    });
    receiver
}

fn pass_on(stream: &mut impl BufRead, sender: &SyncSender<Output>) -> io::Result<()> {
    while let Some(heard) = next_line(stream)? {
        let ends = heard == Output::EndlessLine;
        if sender.send(heard).is_err() || ends {
            break;
        }
    }
    Ok(())
}

/// The next line without its line break; bytes that are not UTF-8 are replaced.
fn next_line(stream: &mut impl BufRead) -> io::Result<Option<Output>> {
    let mut line = Vec::new();
    let mut length = 0;
    loop {
        let bytes = match stream.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        if bytes.is_empty() {
            return Ok((length > 0).then(|| text(&line)));
        }
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        line.extend_from_slice(&part[..part.len().min(LONGEST_LINE - line.len())]);
        length += part.len();
        let used = part.len() + usize::from(end.is_some());
        stream.consume(used);
        if end.is_some() {
            return Ok(Some(text(&line)));
        }
        if length > ENDLESS_LINE {
            return Ok(Some(Output::EndlessLine));
        }
    }
}

fn text(line: &[u8]) -> Output {
    Output::Line(String::from_utf8_lossy(line).trim_end().to_owned())
}

/// The last line of the error output of a program: often why it exited.
pub(super) struct LastErrorLine {
    line: Arc<Mutex<String>>,
    listener: JoinHandle<()>,
}

impl LastErrorLine {
    /// Reads a stream until it ends.
    pub(super) fn of(stream: impl Read + Send + 'static) -> Self {
        let line = Arc::<Mutex<String>>::default();
        let heard = line.clone();
        let listener = thread::spawn(move || {
            let mut stream = BufReader::new(stream);
            while let Ok(Some(Output::Line(line))) = next_line(&mut stream) {
                if !line.is_empty() {
                    *lock(&heard) = line;
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

    fn heard(bytes: &[u8]) -> Vec<Output> {
        read_lines(io::Cursor::new(bytes.to_vec())).iter().collect()
    }

    fn line(text: &str) -> Output {
        Output::Line(text.to_owned())
    }

    #[test]
    fn lines_end_in_any_way_and_the_last_one_needs_no_end() {
        assert_eq!(heard(b"= f5\r\n\n=== d6"), [line("= f5"), line(""), line("=== d6")]);
        assert_eq!(heard(b""), []);
    }

    #[test]
    fn what_is_no_text_is_replaced() {
        assert_eq!(heard(b"a\xffb\n\xe2\x82"), [line("a\u{fffd}b"), line("\u{fffd}")]);
    }

    #[test]
    fn a_long_line_is_cut_and_an_endless_one_is_told() {
        let long = [vec![b'x'; 100_000], b"\nnext\n".to_vec()].concat();
        assert_eq!(heard(&long), [line(&"x".repeat(LONGEST_LINE)), line("next")]);
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
        // No more than what may wait, and the buffer of the stream.
        assert!(*taken.lock().unwrap() < 1 << 16);
        assert_eq!(flood.iter().take(1 << 17).count(), 1 << 17);
    }
}
