//! The JSON form of a date and of the head of a game.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{Date, GameRecord};
use othello::Rules;

/// A text such as `"1980-11-08"`.
impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// The players, place and date of a game; a text is empty if the record does not state it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameHead {
    /// The player of the black discs.
    pub black: String,
    /// The player of the white discs.
    pub white: String,
    /// The tournament or match.
    pub event: String,
    /// A town, a server or a program.
    pub place: String,
    /// The date of the game.
    pub date: Option<Date>,
}

impl<B: Rules> From<&GameRecord<B>> for GameHead {
    fn from(record: &GameRecord<B>) -> Self {
        let GameRecord { black, white, event, place, date, .. } = record;
        let [black, white, event, place] = [black, white, event, place].map(String::clone);
        Self { black, white, event, place, date: *date }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_the_program_prints_them() {
        for text in ["1980", "1997-08-04"] {
            let date: Date = text.parse().expect("a date");
            let json = serde_json::to_string(&date).expect("JSON");
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<Date>(&json).expect("a date"), date);
        }
    }
}
