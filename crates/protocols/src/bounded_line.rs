//! Lines of other programs, read without letting them fill our memory.

use std::io::{self, BufRead};

/// A line as it was read.
pub(crate) struct BoundedLine {
    /// The beginning of the line without its line break; bytes that are not UTF-8 are replaced.
    pub(crate) text: String,
    /// Bytes of the line, including those that were dropped.
    pub(crate) length: usize,
}

/// Reads a line and keeps at most `max_kept` bytes of it. A line of more than `max_length` bytes is not read to its end.
pub(crate) fn next_line(
    stream: &mut impl BufRead,
    max_kept: usize,
    max_length: usize,
) -> io::Result<Option<BoundedLine>> {
    let (mut line, mut length) = (Vec::new(), 0);
    loop {
        let bytes = match stream.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        let is_last = bytes.is_empty();
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        line.extend_from_slice(&part[..part.len().min(max_kept - line.len())]);
        length += part.len();
        let used = part.len() + usize::from(end.is_some());
        stream.consume(used);
        if is_last && length == 0 {
            return Ok(None);
        }
        if is_last || end.is_some() || length > max_length {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            return Ok(Some(BoundedLine { text, length }));
        }
    }
}
