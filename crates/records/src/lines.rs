//! The lines of a text, one at a time and of bounded length.

use std::borrow::Cow;
use std::io::{self, BufRead};

use crate::RecordProblem;

/// The maximum length of a line. A transcript has a few hundred bytes, a problem with every legal move and a comment a
/// thousand; a longer line belongs to some other kind of file and must not fill the memory.
pub(super) const LINE_LIMIT: usize = 1 << 20;

/// The lines of a reader, without line endings, numbered from 1.
#[derive(Debug)]
pub(super) struct Lines<R> {
    reader: R,
    /// The number of the line that was read last.
    pub(super) number: u64,
    line: Vec<u8>,
    failed: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, number: 0, line: Vec::new(), failed: false }
    }

    /// The next line; after one that is too long, reading continues with the next line.
    pub(super) fn next(&mut self) -> Option<Result<Cow<'_, str>, RecordProblem>> {
        if self.failed {
            return None;
        }
        self.line.clear();
        self.number += 1;
        let mut too_long = false;
        loop {
            let bytes = match fill(&mut self.reader) {
                Ok(bytes) => bytes,
                Err(error) => {
                    self.failed = true;
                    return Some(Err(error.into()));
                }
            };
            if bytes.is_empty() {
                if self.line.is_empty() && !too_long {
                    return None;
                }
                break;
            }
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            if self.line.len() + part.len() > LINE_LIMIT {
                too_long = true;
                self.line.clear();
            } else if !too_long {
                self.line.extend_from_slice(part);
            }
            let used = end.map_or(bytes.len(), |end| end + 1);
            self.reader.consume(used);
            if end.is_some() {
                break;
            }
        }
        if too_long {
            return Some(Err(RecordProblem::TooLong(LINE_LIMIT)));
        }
        let mut line = self.line.as_slice();
        if self.number == 1 {
            line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        }
        Some(Ok(decode(line.strip_suffix(b"\r").unwrap_or(line))))
    }
}

/// The byte order mark that some editors put at the start of a UTF-8 file.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

pub(super) fn fill<R: BufRead>(reader: &mut R) -> io::Result<&[u8]> {
    // The loop ends with a filled buffer, so that filling it again returns immediately; the borrow checker does not
    // accept returning it from within the loop.
    loop {
        match reader.fill_buf() {
            Ok(_) => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    reader.fill_buf()
}

/// Text in UTF-8, otherwise in Latin-1: old collections use it, and it accepts every byte.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(latin1(bytes)),
    }
}

pub(super) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    fn lines_of(reader: impl Read) -> Vec<String> {
        // A small buffer, so that lines cross its boundaries.
        let mut lines = Lines::new(BufReader::with_capacity(7, reader));
        let mut texts = Vec::new();
        while let Some(line) = lines.next() {
            texts.push(line.map_or_else(|problem| format!("! {problem}"), Cow::into_owned));
        }
        texts
    }

    #[test]
    fn lines_end_as_on_every_system() {
        assert_eq!(lines_of(&b"one\ntwo\r\n\nlast, unended"[..]), ["one", "two", "", "last, unended"]);
        assert_eq!(lines_of(&b"\xEF\xBB\xBFone\n"[..]), ["one"]);
        assert!(lines_of(&b""[..]).is_empty());
    }

    #[test]
    fn text_that_is_not_utf8_is_latin1() {
        assert_eq!(lines_of(&b"Pr\xE9qualif\n\xC3\xA9t\xC3\xA9"[..]), ["Préqualif", "été"]);
    }

    #[test]
    fn a_line_far_beyond_the_limit_is_refused_without_keeping_it() {
        let long = io::repeat(b'x').take(64 << 20);
        let reader = BufReader::with_capacity(1 << 16, (&b"one\n"[..]).chain(long).chain(&b"\nthree"[..]));
        let mut lines = Lines::new(reader);
        assert_eq!(lines.next().and_then(Result::ok).as_deref(), Some("one"));
        assert!(matches!(lines.next(), Some(Err(RecordProblem::TooLong(LINE_LIMIT)))));
        assert!(lines.line.capacity() <= 2 * LINE_LIMIT);
        assert_eq!(lines.next().and_then(Result::ok).as_deref(), Some("three"));
        assert_eq!(lines.number, 3);
        assert!(lines.next().is_none());
    }
}
