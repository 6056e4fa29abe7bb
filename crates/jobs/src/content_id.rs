//! Content by its hash: its receiver can check that it is the requested content.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The SHA-256 of some bytes, in hexadecimal.
///
/// ```
/// let id = jobs::ContentId::of(b"abc");
/// assert!(id.to_string().starts_with("ba7816bf8f01cfea"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ContentId([u8; 32]);

impl ContentId {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The hash of a file.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(Self(hash.finalize().into())),
                count => hash.update(&buffer[..count]),
            }
        }
    }

    /// The first digits, for messages.
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }
}

impl fmt::Display for ContentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentId({self})")
    }
}

/// A text that is not a hash.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a content hash: {0:?}; expected 64 hexadecimal digits")]
pub struct ContentIdError(String);

impl FromStr for ContentId {
    type Err = ContentIdError;

    fn from_str(text: &str) -> Result<Self, ContentIdError> {
        let refused = || ContentIdError(text.chars().take(80).collect());
        // Only lower case, so that a hash has one spelling.
        let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != 64 || !text.as_bytes().iter().all(is_digit) {
            return Err(refused());
        }
        let mut bytes = [0; 32];
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| refused())?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| refused())?;
        }
        Ok(Self(bytes))
    }
}

impl From<ContentId> for String {
    fn from(id: ContentId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for ContentId {
    type Error = ContentIdError;

    fn try_from(text: String) -> Result<Self, ContentIdError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_standard_and_are_read_back() {
        // FIPS 180-2, appendix B.1.
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let id = ContentId::of(b"abc");
        assert_eq!(id.to_string(), text);
        assert_eq!(text.parse(), Ok(id));
        assert_eq!(serde_json::to_string(&id).expect("JSON"), format!("{text:?}"));
        for wrong in ["", "abc", &text.to_uppercase(), &format!("{text}0"), &format!("é{}", &text[2..])] {
            assert!(wrong.parse::<ContentId>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_hash_of_a_file_is_that_of_its_content() {
        let path = std::env::temp_dir().join(format!("emilia-content-{}", std::process::id()));
        let bytes: Vec<u8> = (0..200_000u32).map(|number| number as u8).collect();
        std::fs::write(&path, &bytes).expect("a file");
        assert_eq!(ContentId::of_file(&path).expect("a file"), ContentId::of(&bytes));
        std::fs::remove_file(&path).expect("a file");
    }
}
