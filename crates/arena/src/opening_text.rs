//! Openings as text: transcripts, or GGF for those with a custom start position.

use othello::records::{GameRecord, ggf, transcript};
use othello::{Game, Position};

/// Writes an opening as text.
pub(crate) fn format(opening: &Game) -> String {
    if opening.start() == Position::start() {
        transcript::format(opening)
    } else {
        ggf::format(&GameRecord::new(opening.clone()))
    }
}

/// Parses the text of an opening.
pub(crate) fn parse(text: &str) -> Result<Game, String> {
    let parsed =
        if text.starts_with('(') { ggf::parse(text).map(|record| record.game) } else { transcript::parse(text) };
    parsed.map_err(|error| error.to_string())
}

/// A list of openings for `#[serde(with)]`.
pub(crate) mod list {
    use othello::Game;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(openings: &[Game], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(openings.iter().map(super::format))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Game>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        texts.iter().map(|text| super::parse(text).map_err(D::Error::custom)).collect()
    }
}
