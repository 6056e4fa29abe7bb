//! The headers of the binary formats: magic, version, lengths and checksum, written and checked in one place.
//!
//! There are two layouts. A *sealed* file is read as a whole: magic, version (32 bits), some 32-bit words, the checksum
//! of the rest ([`checksum::of_words`]), the rest. A *growing* file is extended block by block
//! ([`block`](crate::block)): magic, version and form (16 bits each), the CRC-32 of those. All numbers are
//! little-endian.

use crate::checksum;

/// A binary format, identified by its first bytes.
///
/// ```
/// use storage::{Format, FormatError};
///
/// const NOTES: Format = Format { magic: b"MY NOTES", version: 1 };
/// let bytes = NOTES.seal([7], b"a body");
/// let sealed = NOTES.open::<1>(&bytes)?;
/// assert_eq!(sealed.words, [7]);
/// assert_eq!(sealed.body(6)?, b"a body");
/// assert!(matches!(NOTES.open::<1>(b"something else"), Err(FormatError::Foreign { .. })));
/// # Ok::<(), FormatError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// The first bytes of every file.
    pub magic: &'static [u8; 8],
    /// The version that is read and written.
    pub version: u16,
}

/// Reason why bytes are not a valid file of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormatError {
    /// Another kind of file.
    #[error("wrong file header; expected {}", String::from_utf8_lossy(magic))]
    Foreign {
        /// The expected first bytes.
        magic: &'static [u8],
    },
    /// A version that this program cannot read.
    #[error("it has version {found}; this program reads version {expected}")]
    Version {
        /// The version found.
        found: u32,
        /// The version that can be read.
        expected: u16,
    },
    /// The length differs from the header.
    #[error(
        "it has {found} byte{}; expected {expected}: it was truncated or changed", if *found == 1 { "" } else { "s" }
    )]
    Length {
        /// The bytes found.
        found: usize,
        /// The bytes expected.
        expected: usize,
    },
    /// The checksum is wrong.
    #[error("it is damaged: its checksum does not match")]
    Checksum,
}

/// A sealed file whose header has been read; its body is not checked yet.
#[derive(Clone, Copy, Debug)]
pub struct Sealed<'a, const WORDS: usize> {
    /// The words of the header.
    pub words: [u32; WORDS],
    checksum: u64,
    body: &'a [u8],
}

/// The length of the header of a growing file.
pub const GROWING_HEADER: usize = 16;

impl Format {
    /// The length of the header of a sealed file with this number of words, in bytes.
    pub const fn sealed_header(words: usize) -> usize {
        8 + 4 + 4 * words + 8
    }

    /// The bytes of a sealed file.
    pub fn seal<const WORDS: usize>(&self, words: [u32; WORDS], body: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::sealed_header(WORDS) + body.len());
        bytes.extend(self.magic);
        bytes.extend(u32::from(self.version).to_le_bytes());
        words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.extend(checksum::of_words(body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Reads the header of a sealed file.
    pub fn open<'a, const WORDS: usize>(&self, bytes: &'a [u8]) -> Result<Sealed<'a, WORDS>, FormatError> {
        // A file that ends within its magic is truncated, not another kind of file.
        if !bytes.starts_with(&self.magic[..self.magic.len().min(bytes.len())]) {
            return Err(FormatError::Foreign { magic: self.magic });
        }
        let expected = Self::sealed_header(WORDS);
        let (header, body) =
            bytes.split_at_checked(expected).ok_or(FormatError::Length { found: bytes.len(), expected })?;
        let mut fields = Fields(&header[self.magic.len()..]);
        self.check_version(fields.u32().unwrap_or_default())?;
        let words = std::array::from_fn(|_| fields.u32().unwrap_or_default());
        Ok(Sealed { words, checksum: fields.u64().unwrap_or_default(), body })
    }

    /// The first bytes of a growing file; the meaning of the form is specific to the format.
    pub fn growing_header(&self, form: u16) -> [u8; GROWING_HEADER] {
        let mut bytes = [0; GROWING_HEADER];
        bytes[..8].copy_from_slice(self.magic);
        bytes[8..10].copy_from_slice(&self.version.to_le_bytes());
        bytes[10..12].copy_from_slice(&form.to_le_bytes());
        let sum = checksum::crc32(&bytes[..12]);
        bytes[12..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Returns the form from the first bytes of a growing file.
    pub fn open_growing(&self, bytes: &[u8; GROWING_HEADER]) -> Result<u16, FormatError> {
        if !bytes.starts_with(self.magic) {
            return Err(FormatError::Foreign { magic: self.magic });
        }
        let (version, form) = (u16::from_le_bytes([bytes[8], bytes[9]]), u16::from_le_bytes([bytes[10], bytes[11]]));
        if *bytes != (Self { version, ..*self }).growing_header(form) {
            return Err(FormatError::Checksum);
        }
        self.check_version(version.into())?;
        Ok(form)
    }

    fn check_version(&self, found: u32) -> Result<(), FormatError> {
        let expected = self.version;
        if found == u32::from(expected) { Ok(()) } else { Err(FormatError::Version { found, expected }) }
    }
}

impl<'a, const WORDS: usize> Sealed<'a, WORDS> {
    /// The body, which must have this length in bytes and the right checksum.
    pub fn body(self, length: usize) -> Result<&'a [u8], FormatError> {
        if self.body.len() != length {
            let header = Format::sealed_header(WORDS);
            return Err(FormatError::Length { found: header + self.body.len(), expected: header + length });
        }
        self.any_body()
    }

    /// The body, of any length, which must have the right checksum.
    pub fn any_body(self) -> Result<&'a [u8], FormatError> {
        if checksum::of_words(self.body) == self.checksum { Ok(self.body) } else { Err(FormatError::Checksum) }
    }
}

/// Bytes from which numbers are read one after the other; `None` at the end.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    /// The next `count` bytes.
    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        self.0.split_off(..count)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    /// A byte.
    pub fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    /// A 16-bit number.
    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    /// A 32-bit number.
    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// A 64-bit number.
    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// The rest, as text.
    pub fn text(self) -> Option<&'a str> {
        std::str::from_utf8(self.0).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: Format = Format { magic: b"SAMPLES!", version: 3 };

    #[test]
    fn a_sealed_file_truncated_or_changed_anywhere_is_refused() {
        let bytes = SAMPLE.seal([5, 6], b"the body of the file");
        let read = |bytes: &[u8]| -> Result<Vec<u8>, FormatError> {
            let sealed = SAMPLE.open::<2>(bytes)?;
            assert_eq!(sealed.words.len(), 2);
            Ok(sealed.body(20)?.to_vec())
        };
        assert_eq!(read(&bytes).as_deref(), Ok(&b"the body of the file"[..]));
        for length in 0..bytes.len() {
            assert!(matches!(read(&bytes[..length]), Err(FormatError::Length { found, .. }) if found == length));
        }
        // The words of the header are checked by the format; everything else is checked here.
        for at in (0..12).chain(20..bytes.len()) {
            let mut changed = bytes.clone();
            changed[at] ^= 64;
            assert!(read(&changed).is_err(), "byte {at}");
        }
        let sentence = SAMPLE.open::<2>(b"something else").unwrap_err().to_string();
        assert_eq!(sentence, "wrong file header; expected SAMPLES!");
        let sentence = SAMPLE.open::<2>(&bytes[..1]).unwrap_err().to_string();
        assert_eq!(sentence, "it has 1 byte; expected 28: it was truncated or changed");
    }

    #[test]
    fn other_versions_are_reported() {
        let header = |version| Format { version, ..SAMPLE }.growing_header(1);
        assert_eq!(SAMPLE.open_growing(&header(3)), Ok(1));
        for version in [2, 4] {
            let sentence = SAMPLE.open_growing(&header(version)).unwrap_err().to_string();
            assert_eq!(sentence, format!("it has version {version}; this program reads version 3"));
        }
        for at in 0..GROWING_HEADER {
            let mut changed = header(3);
            changed[at] ^= 1;
            assert!(SAMPLE.open_growing(&changed).is_err(), "byte {at}");
        }
    }

    #[test]
    fn fields_end_with_their_bytes() {
        let mut fields = Fields(&[1, 2, 0, 3, 0, 0, 0, b'a', b'b']);
        assert_eq!((fields.u8(), fields.u16(), fields.u32()), (Some(1), Some(2), Some(3)));
        assert_eq!(fields.text(), Some("ab"));
        assert_eq!((fields.u32(), fields.bytes(2), fields.u8()), (None, Some(&b"ab"[..]), None));
    }
}
