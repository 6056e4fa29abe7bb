//! The JSON of Othello Quest: `{"players":[…],"position":{"moves":[{"m":"f5","t":1234},…]}}`.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::replay::Replay;
use crate::transcript::words;
use crate::{Annotation, Ending, GameRecord, RecordProblem, TimeControl};
use othello::{Position, Rules, Score};

/// The games in a JSON text: every object that has a `position` with `moves`, at any depth.
pub(super) fn games<B: Rules>(text: &str) -> Result<Vec<Result<GameRecord<B>, RecordProblem>>, RecordProblem> {
    let value = serde_json::from_str::<Value>(text)
        .map_err(|error| RecordProblem::malformed(format!("JSON with an error: {error}"), "a game of Othello Quest"))?;
    let mut games = Vec::new();
    find(&value, &mut games);
    if games.is_empty() {
        let expected = "a game of Othello Quest, with \"moves\" in its \"position\"";
        return Err(RecordProblem::malformed("JSON without a game", expected));
    }
    Ok(games.into_iter().map(|(game, moves)| record(game, moves)).collect())
}

/// Adds every game with its list of moves.
fn find<'a>(value: &'a Value, games: &mut Vec<(&'a Map<String, Value>, &'a [Value])>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| find(value, games)),
        Value::Object(map) => match map.get("position").and_then(|position| position.get("moves")) {
            Some(Value::Array(moves)) => games.push((map, moves)),
            _ => map.values().for_each(|value| find(value, games)),
        },
        _ => {}
    }
}

fn record<B: Rules>(game: &Map<String, Value>, moves: &[Value]) -> Result<GameRecord<B>, RecordProblem> {
    let mut replay = Replay::<B>::new(Position::start());
    // Of games that begin with drawn moves, these come first.
    let drawn = game["position"].get("startPos").and_then(Value::as_str).unwrap_or_default();
    words::<B>(drawn).iter().try_for_each(|word| word.play(&mut replay))?;
    let mut count = replay.mark.plies;
    let mut record = GameRecord::default();
    let mut status = "";
    for entry in moves {
        if let Some(text) = entry.get("s").and_then(Value::as_str) {
            status = text;
        }
        let Some(name) = entry.get("m").and_then(Value::as_str) else { continue };
        count += 1;
        if let Some(ply) = replay.play_name(None, name, "-")? {
            let time = entry.get("t").and_then(Value::as_u64).map(Duration::from_millis);
            record.annotate(ply, Annotation { time, ..Annotation::default() });
        }
    }
    record.game = replay.finish();
    let player = |index: usize, key: &str| game.get("players")?.get(index)?.get(key);
    let name = |index| player(index, "name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let rating = |index| player(index, "oldR").and_then(Value::as_f64);
    (record.black, record.white) = (name(0), name(1));
    (record.black_rating, record.white_rating) = (rating(0), rating(1));
    record.place = "Othello Quest".to_owned();
    record.date = game.get("created").and_then(|date| date.as_str()?.parse().ok());
    let initial = game.get("tcb").and_then(Value::as_u64).map(Duration::from_millis);
    record.time_control = initial.map(|initial| TimeControl { initial, ..TimeControl::default() });
    // Black makes the first move, and sides alternate, passes included: the status is about the next side.
    (record.result, record.ending) = result::<B>(status, count.is_multiple_of(2));
    record.result = record.result.or_else(|| record.game.score());
    Ok(record)
}

/// Reads `LOSE:RESIGN`, which is stated of the side to move: the loser of a game that was not played out loses all squares.
fn result<B: Rules>(status: &str, is_black: bool) -> (Option<Score>, Option<Ending>) {
    let Some((outcome, reason)) = status.split_once(':') else { return (None, None) };
    let is_black_winner = match outcome {
        "WIN" => is_black,
        "LOSE" => !is_black,
        _ => return (None, None),
    };
    let ending = match reason {
        "RESIGN" => Some(Ending::Resignation),
        "TIMEUP" | "TIMEOUT" => Some(Ending::Timeout),
        "DISCONNECT" => None,
        _ => return (None, None),
    };
    let area = B::GEOMETRY.area() as i8;
    (Some(Score::new(if is_black_winner { area } else { -area })), ending)
}

/// A JSON object in several lines, until it is complete.
#[derive(Clone, Debug)]
pub(super) struct ObjectText {
    pub(super) line: u64,
    /// The part of the object that was read.
    pub(super) text: String,
    depth: usize,
    in_string: bool,
    is_escaped: bool,
}

impl ObjectText {
    pub(super) fn new(line: u64) -> Self {
        Self { line, text: String::new(), depth: 0, in_string: false, is_escaped: false }
    }

    /// Adds a line; when the object is complete, returns what follows it in the line.
    pub(super) fn add<'a>(&mut self, line: &'a str) -> Option<&'a str> {
        for (index, byte) in line.bytes().enumerate() {
            if self.in_string {
                match byte {
                    _ if self.is_escaped => self.is_escaped = false,
                    b'\\' => self.is_escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' => self.depth += 1,
                b'}' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        self.text.push_str(&line[..=index]);
                        return Some(&line[index + 1..]);
                    }
                }
                _ => {}
            }
        }
        self.text.push_str(line);
        self.text.push('\n');
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::Board;

    #[test]
    fn objects_end_at_their_brace() {
        let mut object = ObjectText::new(1);
        assert_eq!(object.add(r#"{"a":"\"}","#), None);
        assert_eq!(object.add(r#""b":{}} rest"#), Some(" rest"));
        assert_eq!(object.text, "{\"a\":\"\\\"}\",\n\"b\":{}}");
    }

    #[test]
    fn json_without_a_game_is_an_error() {
        for (text, words) in [
            ("{", "JSON with an error"),
            (r#"{"games":[{"id":"x"}]}"#, "JSON without a game"),
            (&"[".repeat(10_000), "JSON with an error"),
        ] {
            let problem = games::<Board>(text).map(|games| games.len()).expect_err(text).to_string();
            assert!(problem.contains(words), "{problem}");
        }
    }
}
