//! The JSON of Othello Quest: `{"players":[…],"position":{"moves":[{"m":"f5","t":1234},…]}}`.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::replay::{Replay, is_pass};
use crate::transcript::words;
use crate::{Annotation, Ending, GameRecord, RecordProblem, TimeControl};
use othello::{Position, Rules, Score};

/// The place of all these games.
const PLACE: &str = "Othello Quest";

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

/// A game and its list of moves.
type Found<'a> = (&'a Map<String, Value>, &'a [Value]);

fn find<'a>(value: &'a Value, games: &mut Vec<Found<'a>>) {
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
    let mut count = replay.plies();
    let mut notes = Vec::new();
    let mut status = "";
    for entry in moves {
        if let Some(text) = entry.get("s").and_then(Value::as_str) {
            status = text;
        }
        let Some(name) = entry.get("m").and_then(Value::as_str) else { continue };
        let ply = if name == "-" || is_pass(name) {
            replay.pass(None)?
        } else {
            let number = replay.moves() + 1;
            let square =
                B::GEOMETRY.parse_square(name).map_err(|error| RecordProblem::UnknownSquare { number, error })?;
            Some(replay.play(None, square)?)
        };
        count += 1;
        let time = entry.get("t").and_then(Value::as_u64).map(Duration::from_millis);
        notes.extend(ply.map(|ply| (ply, Annotation { time, ..Annotation::default() })));
    }
    let mut record = GameRecord::new(replay.finish());
    for (ply, note) in notes {
        record.annotate(ply, note);
    }
    let [black, white] = [0, 1].map(|index| game.get("players").and_then(|players| players.get(index)));
    let name = |player: Option<&Value>| player.and_then(|player| player.get("name")?.as_str()).map(str::to_owned);
    let rating = |player: Option<&Value>| player.and_then(|player| player.get("oldR")?.as_f64());
    (record.black, record.white) = (name(black).unwrap_or_default(), name(white).unwrap_or_default());
    (record.black_rating, record.white_rating) = (rating(black), rating(white));
    record.place = PLACE.to_owned();
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
    /// The number of the first line.
    pub(super) line: u64,
    text: String,
    depth: usize,
    in_string: bool,
    is_escaped: bool,
}

impl ObjectText {
    /// An object that begins in this line.
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

    /// The part of the object that was read.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript;
    use othello::Board;

    fn of_moves(moves: &str) -> GameRecord {
        let text = format!(r#"{{"position":{{"moves":[{moves}]}}}}"#);
        games::<Board>(&text).expect("JSON").remove(0).expect("a game")
    }

    #[test]
    fn who_ends_a_game_early_loses_all_squares() {
        for (moves, score, ending) in [
            (r#"{"m":"f5"},{"m":"d6"},{"s":"LOSE:RESIGN","t":12}"#, Some(-64), Some(Ending::Resignation)),
            (r#"{"m":"f5"},{"s":"LOSE:TIMEUP"}"#, Some(64), Some(Ending::Timeout)),
            (r#"{"m":"f5"},{"s":"WIN:TIMEOUT"}"#, Some(-64), Some(Ending::Timeout)),
            (r#"{"m":"f5"},{"s":"LOSE:DISCONNECT"}"#, Some(64), None),
            (r#"{"m":"f5"},{"s":"DRAW"}"#, None, None),
            (r#"{"m":"f5"}"#, None, None),
        ] {
            let record = of_moves(moves);
            assert_eq!((record.result.map(Score::discs), record.ending), (score, ending), "{moves}");
        }
    }

    #[test]
    fn drawn_moves_come_first_and_objects_end_at_their_brace() {
        let text = r#"[{"id":"a}b","position":{"startPos":"f5d6c3","moves":[{"m":"d3","t":7}]},"tcb":60000}]"#;
        let record = games::<Board>(text).expect("JSON").remove(0).expect("a game");
        assert_eq!(transcript::format(&record.game), "f5d6c3d3");
        assert_eq!(record.annotations[3].time, Some(Duration::from_millis(7)));
        assert_eq!(record.time_control.map(|control| control.initial), Some(Duration::from_secs(60)));
        let mut object = ObjectText::new(1);
        assert_eq!(object.add(r#"{"a":"\"}","#), None);
        assert_eq!(object.add(r#""b":{}} rest"#), Some(" rest"));
        assert_eq!(object.text(), "{\"a\":\"\\\"}\",\n\"b\":{}}");
    }

    #[test]
    fn what_is_no_game_is_said() {
        for (text, words) in [
            ("{", "JSON with an error"),
            (r#"{"games":[{"id":"x"}]}"#, "JSON without a game"),
            (&"[".repeat(10_000), "JSON with an error"),
        ] {
            let problem = games::<Board>(text).map(|games| games.len()).expect_err(text).to_string();
            assert!(problem.contains(words), "{problem}");
        }
        let text = r#"{"position":{"moves":[{"m":"f5"},{"m":"f5"}]}}"#;
        let problem = games::<Board>(text).expect("JSON").remove(0).expect_err("f5 twice").to_string();
        assert!(problem.starts_with("move 2 is illegal"), "{problem}");
    }
}
