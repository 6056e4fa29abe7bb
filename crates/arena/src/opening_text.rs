//! Openings as text: transcripts, or GGF for those with a custom start position.

use othello::{Game, Position, Rules};
use records::{GameRecord, ggf, transcript};

pub(crate) fn format<B: Rules>(opening: &Game<B>) -> String {
    if opening.start() == Position::start() {
        transcript::format(opening)
    } else {
        ggf::format(&GameRecord::new(opening.clone()))
    }
}

pub(crate) fn parse<B: Rules>(text: &str) -> Result<Game<B>, String> {
    let parsed =
        if text.starts_with('(') { ggf::parse(text).map(|record| record.game) } else { transcript::parse(text) };
    parsed.map_err(|error| error.to_string())
}

pub(crate) fn parse_all<B: Rules>(texts: &[String]) -> Result<Vec<Game<B>>, String> {
    texts.iter().map(|text| parse(text)).collect()
}

/// A list of openings for `#[serde(with)]`.
pub(crate) mod list {
    use othello::{Game, Rules};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<B: Rules, S: Serializer>(openings: &[Game<B>], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(openings.iter().map(super::format))
    }

    pub(crate) fn deserialize<'de, B: Rules, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Game<B>>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        super::parse_all(&texts).map_err(D::Error::custom)
    }
}
