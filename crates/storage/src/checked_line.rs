//! Lines of JSON that end with a checksum, for files to which lines are appended.

use crate::checksum::crc32;
use crate::hexadecimal;

const BEFORE_CHECKSUM: &str = ",\"checksum\":\"";
const AFTER_CHECKSUM: &str = "\"}";
const DIGITS: usize = 8;

/// A JSON object as a line of the file: its last value is the CRC-32 of the text before it.
pub fn with_checksum(json: &[u8]) -> Vec<u8> {
    let open = json.strip_suffix(b"}").unwrap_or(json);
    let mut line = open.to_vec();
    line.extend(format!("{BEFORE_CHECKSUM}{:08x}{AFTER_CHECKSUM}\n", crc32(open)).bytes());
    line
}

/// A fault in the checksum of a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    /// There is no checksum.
    #[error("the line has no checksum")]
    Missing,
    /// The line states the first checksum, but its content has the second.
    #[error("its checksum is {0}, but that of its content is {1:08x}")]
    Wrong(String, u32),
}

/// The JSON object of a line, whose checksum must be right.
pub fn without_checksum(line: &[u8]) -> Result<Vec<u8>, LineError> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let stated = || {
        let (open, stated) = line.strip_suffix(AFTER_CHECKSUM.as_bytes())?.split_last_chunk::<DIGITS>()?;
        Some((open.strip_suffix(BEFORE_CHECKSUM.as_bytes())?, std::str::from_utf8(stated).ok()?))
    };
    let (open, stated) = stated().ok_or(LineError::Missing)?;
    let computed = crc32(open);
    if hexadecimal::parse::<u32>(stated) != Some(computed) {
        return Err(LineError::Wrong(stated.to_owned(), computed));
    }
    Ok([open, b"}"].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_of_a_line_is_the_crc_of_the_text_before_it() {
        // By zlib: crc32(b'{"game":1') is 0x80f17a19.
        let line = with_checksum(b"{\"game\":1}");
        assert_eq!(String::from_utf8(line.clone()).unwrap(), "{\"game\":1,\"checksum\":\"80f17a19\"}\n");
        assert_eq!(without_checksum(&line).unwrap(), b"{\"game\":1}");
        assert_eq!(without_checksum(b"{\"game\":1}\n"), Err(LineError::Missing));
        for bit in 0..8 * (line.len() - 1) {
            let mut changed = line.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(without_checksum(&changed).is_err(), "bit {bit}");
        }
    }
}
