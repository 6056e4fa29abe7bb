//! The parameters that determine the content of a file, as data: two files with the same fingerprint have the same
//! content, and work on a file is resumed only with the same fingerprint.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::checksum::crc32;

/// The parameters that determine the content of a file, as JSON with sorted keys.
///
/// ```
/// use serde::Serialize;
/// use storage::Fingerprint;
///
/// #[derive(Serialize)]
/// struct Recipe {
///     seed: u64,
///     depth: u32,
/// }
///
/// let found = Fingerprint::of(&Recipe { seed: 1, depth: 5 });
/// assert_eq!(found.to_string(), r#"{"depth":5,"seed":1}"#);
/// let expected = Fingerprint::of(&Recipe { seed: 1, depth: 6 });
/// assert_eq!(found.difference(&expected).unwrap().to_string(), "depth is 5; expected 6");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Fingerprint(Value);

/// The first field in which two fingerprints differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The path of the field, such as `search.depth`.
    pub field: String,
    /// The value in the file, as JSON; `nothing` if the field is missing.
    pub found: String,
    /// The expected value, in the same form.
    pub expected: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}; expected {}", self.field, self.found, self.expected)
    }
}

impl Fingerprint {
    /// The fingerprint of plain data: structs, enums, numbers, text.
    pub fn of(data: &impl Serialize) -> Self {
        // Converted through text, as in files, so that numbers are written the same way. Plain data is always valid
        // JSON.
        Self(serde_json::to_string(data).and_then(|text| serde_json::from_str(&text)).unwrap_or_default())
    }

    /// Reads what [`Display`](fmt::Display) has written.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text).map(Self)
    }

    /// The data of the fingerprint.
    pub fn data<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_value(self.0.clone())
    }

    /// The CRC-32 of its text, which represents it in other fingerprints.
    pub fn checksum(&self) -> u32 {
        crc32(self.to_string().as_bytes())
    }

    /// The first field that differs from the expected fingerprint.
    pub fn difference(&self, expected: &Self) -> Option<Difference> {
        difference("", Some(&self.0), Some(&expected.0))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The field that determines which other fields an enum has.
const KIND: &str = "kind";

fn difference(field: &str, found: Option<&Value>, expected: Option<&Value>) -> Option<Difference> {
    if found == expected {
        return None;
    }
    let within = |name: &str| if field.is_empty() { name.to_owned() } else { format!("{field}.{name}") };
    match (found, expected) {
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            // If the kinds differ, the other fields differ, too.
            let mut names = std::iter::once(KIND).chain(one.keys().chain(other.keys()).map(String::as_str));
            names.find_map(|name| difference(&within(name), one.get(name), other.get(name)))
        }
        (Some(Value::Array(one)), Some(Value::Array(other))) => (0..one.len().max(other.len()))
            .find_map(|index| difference(&within(&index.to_string()), one.get(index), other.get(index))),
        _ => {
            let text = |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
            Some(Difference { field: field.to_owned(), found: text(found), expected: text(expected) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Data {
        share: f32,
        bounds: (u32, u32),
        teacher: Option<Teacher>,
    }

    #[derive(Serialize)]
    #[serde(rename_all = "snake_case", tag = "kind")]
    enum Teacher {
        HandMade,
        Learned { checksum: String },
    }

    const DATA: Data = Data { share: 0.3, bounds: (1, 60), teacher: Some(Teacher::HandMade) };

    #[test]
    fn a_fingerprint_is_read_back_unchanged() {
        let one = Fingerprint::of(&DATA);
        assert_eq!(one.to_string(), r#"{"bounds":[1,60],"share":0.3,"teacher":{"kind":"hand_made"}}"#);
        let read = Fingerprint::parse(&one.to_string()).unwrap();
        assert_eq!(read, one);
        assert_eq!(read.difference(&one), None);
        // By `zlib.crc32` of Python.
        assert_eq!(one.checksum(), 0xa53a53f2);
    }

    #[test]
    fn the_field_that_differs_is_named_with_what_was_found_and_expected() {
        let expected = Fingerprint::of(&DATA);
        let differs = |data: &Data| Fingerprint::of(data).difference(&expected).unwrap().to_string();
        assert_eq!(differs(&Data { share: 0.25, ..DATA }), "share is 0.25; expected 0.3");
        assert_eq!(differs(&Data { bounds: (1, 50), ..DATA }), "bounds.1 is 50; expected 60");
        assert_eq!(differs(&Data { teacher: None, ..DATA }), r#"teacher is null; expected {"kind":"hand_made"}"#);
        let teacher = Some(Teacher::Learned { checksum: "00c0ffee".to_owned() });
        assert_eq!(differs(&Data { teacher, ..DATA }), r#"teacher.kind is "learned"; expected "hand_made""#);
    }
}
