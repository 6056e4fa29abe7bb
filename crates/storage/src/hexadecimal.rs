//! Checksums in JSON as hexadecimal text, for `#[serde(with = "storage::hexadecimal")]`.

use std::fmt::LowerHex;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

fn digits<N>() -> usize {
    2 * size_of::<N>()
}

/// Reads a checksum as written in a file: with all digits, in lower case.
pub fn parse<N: TryFrom<u64> + LowerHex>(text: &str) -> Option<N> {
    let number: N = u64::from_str_radix(text, 16).ok()?.try_into().ok()?;
    (format!("{number:0width$x}", width = digits::<N>()) == text).then_some(number)
}

/// Writes a checksum with leading zeros.
pub fn serialize<N: LowerHex, S: Serializer>(number: &N, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{number:0width$x}", width = digits::<N>()))
}

/// Reads a checksum.
pub fn deserialize<'de, N: TryFrom<u64> + LowerHex, D: Deserializer<'de>>(deserializer: D) -> Result<N, D::Error> {
    let text = String::deserialize(deserializer)?;
    let wrong = || format!("{text:?} is not a checksum of {} hexadecimal digits", digits::<N>());
    parse(&text).ok_or_else(|| D::Error::custom(wrong()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, serde::Serialize, Deserialize)]
    struct Sums {
        #[serde(with = "super")]
        short: u32,
        #[serde(with = "super")]
        long: u64,
    }

    #[test]
    fn all_digits_are_written_and_nothing_else_is_read() {
        let sums = Sums { short: 0xc0ffee, long: 1 };
        let text = serde_json::to_string(&sums).unwrap();
        assert_eq!(text, r#"{"short":"00c0ffee","long":"0000000000000001"}"#);
        assert_eq!(serde_json::from_str::<Sums>(&text).unwrap(), sums);
        for wrong in ["c0ffee", "+0c0ffee", "00C0FFEE", "00c0ffeé", "100c0ffee", ""] {
            assert_eq!(parse::<u32>(wrong), None, "{wrong:?}");
        }
    }
}
