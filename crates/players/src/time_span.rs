//! Spans of time as a person writes them: `5m`, `1m30s`, `2.5s`, `500ms`, and clocks: `5m+3s`.

use std::time::Duration;

use engine::GameClock;

/// The units, longest first, in milliseconds.
const UNITS: [(&str, f64); 4] = [("ms", 1.0), ("h", 3_600_000.0), ("m", 60_000.0), ("s", 1_000.0)];

/// The longest span that is read: a day is more than any game takes, and far from where arithmetic overflows.
pub const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Reads a span of time.
pub fn parse_span(text: &str) -> Result<Duration, String> {
    let error = || format!("{text:?} is not a time; expected one such as 5m, 1m30s, 2.5s or 500ms, up to a day");
    let mut rest = text.trim();
    let mut milliseconds = 0.0;
    if rest.is_empty() {
        return Err(error());
    }
    while !rest.is_empty() {
        let digits = rest.find(|symbol: char| !symbol.is_ascii_digit() && symbol != '.').ok_or_else(error)?;
        let (number, unit_and_rest) = rest.split_at(digits);
        let number: f64 = number.parse().map_err(|_| error())?;
        let (unit, length) = UNITS.into_iter().find(|(unit, _)| unit_and_rest.starts_with(unit)).ok_or_else(error)?;
        milliseconds += number * length;
        rest = &unit_and_rest[unit.len()..];
    }
    let span = Duration::try_from_secs_f64(milliseconds / 1_000.0).map_err(|_| error())?;
    if span > LONGEST { Err(error()) } else { Ok(span) }
}

/// Reads a clock: a time for the whole game, and after a `+` what is added at each move.
pub fn parse_clock(text: &str) -> Result<GameClock, String> {
    let (remaining, increment) = match text.split_once('+') {
        Some((remaining, increment)) => (parse_span(remaining)?, parse_span(increment)?),
        None => (parse_span(text)?, Duration::ZERO),
    };
    if remaining.is_zero() {
        return Err("a game needs some time; expected one such as 5m or 5m+3s".to_owned());
    }
    Ok(GameClock { remaining, increment })
}

/// A clock as it is shown during a game: minutes and seconds, with tenths in the last minute.
pub fn clock_face(time: Duration) -> String {
    if time < Duration::from_secs(60) {
        return format!("{:.1} s", time.as_secs_f64());
    }
    let seconds = time.as_secs();
    match seconds / 3_600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

/// A clock as it is written: what [`parse_clock`] reads.
pub fn clock_text(clock: &GameClock) -> String {
    let span = |time: Duration| {
        let milliseconds = time.as_millis();
        match (milliseconds / 60_000, milliseconds % 60_000) {
            (0, rest) if rest % 1_000 == 0 => format!("{}s", rest / 1_000),
            (0, rest) => format!("{rest}ms"),
            (minutes, 0) => format!("{minutes}m"),
            (minutes, rest) if rest % 1_000 == 0 => format!("{minutes}m{}s", rest / 1_000),
            (minutes, rest) => format!("{minutes}m{rest}ms"),
        }
    };
    if clock.increment.is_zero() {
        return span(clock.remaining);
    }
    format!("{}+{}", span(clock.remaining), span(clock.increment))
}

/// A rough time in the unit that suits it: `instant`, `0.3 s`, `20 s`, `3 min`, `5 h`, `40 days`.
pub fn roughly(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let days = seconds / 86_400.0;
    match seconds {
        ..0.1 => "instant".to_owned(),
        ..2.0 => format!("{seconds:.1} s"),
        ..90.0 => format!("{seconds:.0} s"),
        ..5_400.0 => format!("{:.0} min", seconds / 60.0),
        ..172_800.0 => format!("{:.0} h", seconds / 3_600.0),
        _ if days < 730.0 => format!("{days:.0} days"),
        _ if days < 365_000.0 => format!("{:.0} years", days / 365.25),
        _ => "millennia".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_in_every_unit_and_mixed() {
        for (text, milliseconds) in
            [("5m", 300_000), ("1m30s", 90_000), ("2.5s", 2_500), ("500ms", 500), ("1h", 3_600_000), ("0s", 0)]
        {
            assert_eq!(parse_span(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "5", "m", "5x", "-5s", "1e9s", "99999h", ".s", "1..2s", "5 m", "∞"] {
            assert!(parse_span(text).is_err(), "{text:?}");
        }
        for text in ["0s", "5m+", "+5s", "5m+3s+1s"] {
            assert!(parse_clock(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_clock_shows_minutes_and_in_the_last_one_tenths() {
        assert_eq!(clock_face(Duration::from_secs(299)), "4:59");
        assert_eq!(clock_face(Duration::from_secs(3_661)), "1:01:01");
        assert_eq!(clock_face(Duration::from_millis(9_940)), "9.9 s");
    }

    #[test]
    fn a_clock_reads_back_from_its_text() {
        let clock = parse_clock("5m+3s").unwrap();
        assert_eq!((clock.remaining, clock.increment), (Duration::from_secs(300), Duration::from_secs(3)));
        for text in ["5m+3s", "1m30s", "500ms", "2s+100ms", "61m500ms"] {
            let clock = parse_clock(text).unwrap();
            assert_eq!(clock_text(&clock), text);
            assert_eq!(parse_clock(&clock_text(&clock)), Ok(clock));
        }
    }

    #[test]
    fn rough_times_are_in_the_unit_that_suits_them() {
        let shown = [0.01, 0.25, 1.96, 45.0, 600.0, 7_200.0, 864_000.0, 1e9, 1e14]
            .map(|seconds| roughly(Duration::from_secs_f64(seconds)));
        assert_eq!(shown, ["instant", "0.2 s", "2.0 s", "45 s", "10 min", "2 h", "10 days", "32 years", "millennia"]);
    }
}
