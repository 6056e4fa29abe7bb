//! The tags before a game, as in PGN: `[Black "Rose"]`.

use std::time::Duration;

use crate::{Date, GameRecord, TimeControl, transcript};
use othello::{Rules, Score};

#[derive(Clone, Debug)]
pub(super) struct Tags {
    pub(super) line: u64,
    /// Names in lower case, and values.
    pairs: Vec<(String, String)>,
}

/// Maximum number of tags, more than any game has; others are skipped.
const MAX_TAGS: usize = 64;

impl Tags {
    pub(super) fn new(line: u64) -> Self {
        Self { line, pairs: Vec::new() }
    }

    pub(super) fn add(&mut self, name: &str, value: String) {
        if self.pairs.len() < MAX_TAGS {
            self.pairs.push((name.to_ascii_lowercase(), value));
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.pairs.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// The first value of these tags that is not empty.
    fn value(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| {
            let (_, value) = self.pairs.iter().find(|(known, _)| known == name)?;
            Some(value.trim()).filter(|value| !["", "?", "-"].contains(value))
        })
    }

    /// The position that the game begins with, if a tag states one.
    pub(super) fn start(&self) -> Option<&str> {
        self.value(&["fen", "startposition"])
    }

    pub(super) fn apply<B: Rules>(&self, record: &mut GameRecord<B>) {
        let text = |names: &[&str]| self.value(names).unwrap_or_default().to_owned();
        record.black = text(&["black"]);
        record.white = text(&["white"]);
        record.event = text(&["event"]);
        record.place = text(&["site"]);
        record.date = self.value(&["date", "utcdate"]).and_then(date);
        record.black_rating = self.value(&["blackelo", "blackrating"]).and_then(rating);
        record.white_rating = self.value(&["whiteelo", "whiterating"]).and_then(rating);
        record.time_control = self.value(&["timecontrol"]).and_then(time_control);
        if let Some(discs) = self.value(&["result"]).and_then(transcript::result) {
            record.result = discs.and_then(score::<B>);
        }
    }
}

/// Reads `[Name "value"]` at the beginning of a text; the rest follows it.
pub(super) fn leading_tag(text: &str) -> Option<(&str, String, &str)> {
    let text = text.strip_prefix('[')?.trim_start();
    let length = text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let (name, rest) = text.split_at(length);
    if !name.starts_with(|symbol: char| symbol.is_ascii_alphabetic()) {
        return None;
    }
    let mut symbols = rest.trim_start().strip_prefix('"')?.chars();
    let mut value = String::new();
    loop {
        match symbols.next()? {
            '"' => break,
            '\\' => value.push(symbols.next()?),
            symbol => value.push(symbol),
        }
    }
    Some((name, value, symbols.as_str().trim_start().strip_prefix(']')?))
}

/// Black's score for the discs of Black and White at the end: the empty squares belong to the winner.
pub(super) fn score<B: Rules>([black, white]: [u32; 2]) -> Option<Score> {
    let empty = B::GEOMETRY.area().checked_sub(black.checked_add(white)?)?;
    Some(Score::of_counts(black, white, empty))
}

/// Reads `2020.05.05`; of an unknown month or day, `2020.??.??`, the year remains.
fn date(text: &str) -> Option<Date> {
    let known = text.split('?').next().unwrap_or_default();
    known.trim_end_matches(['.', '-', '/']).parse().ok()
}

/// Reads a rating; a provisional one has a `?`.
fn rating(text: &str) -> Option<f64> {
    text.trim_matches('?').parse().ok().filter(|rating: &f64| rating.is_finite())
}

/// Reads seconds for the game and, after `+`, for each move.
fn time_control(text: &str) -> Option<TimeControl> {
    let seconds = |text: &str| text.trim().parse::<u32>().ok().map(|seconds| Duration::from_secs(seconds.into()));
    let (initial, increment) = text.split_once('+').unwrap_or((text, "0"));
    Some(TimeControl { initial: seconds(initial)?, increment: seconds(increment)?, ..TimeControl::default() })
}
