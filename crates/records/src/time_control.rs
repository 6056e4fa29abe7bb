//! The clock of a game, in the notation of GGS.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The time of a player: initial time, increment per move, and an extension when the time has run out.
///
/// The notation is that of GGS: `15:00/00:05/02:00` means fifteen minutes, five seconds more for each move, and an
/// extension of two minutes after the flag has fallen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TimeControl {
    /// The time for the whole game.
    pub initial: Duration,
    /// The time added after each move.
    pub increment: Duration,
    /// The time given once when the initial time has run out.
    pub extension: Duration,
}

/// The text is not a clock.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a clock; expected times such as 15:00 or 15:00/00:05/02:00")]
pub struct ParseTimeControlError(String);

/// `15:00`, `15:00/00:05` or `15:00//02:00`; fractions of a second follow a dot.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [increment, extension] =
            [self.increment, self.extension].map(|time| if time.is_zero() { String::new() } else { clock_text(time) });
        let text = format!("{}/{increment}/{extension}", clock_text(self.initial));
        f.write_str(text.trim_end_matches('/'))
    }
}

fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    let hours = if seconds >= 3600 { format!("{:02}:", seconds / 3600) } else { String::new() };
    format!("{hours}{:02}:{:02}{}", seconds / 60 % 60, seconds % 60, fraction_text(time))
}

/// A time in seconds, with as many decimals as needed.
pub(super) fn seconds_text(time: Duration) -> String {
    format!("{}{}", time.as_secs(), fraction_text(time))
}

fn fraction_text(time: Duration) -> String {
    format!(".{:09}", time.subsec_nanos()).trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Reads a time in seconds with any number of decimals; fractions of a nanosecond are dropped.
pub(super) fn parse_seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || whole.len() + fraction.len() == 0 {
        return None;
    }
    let seconds = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let nanos = fraction
        .bytes()
        .chain(std::iter::repeat(b'0'))
        .take(9)
        .fold(0, |nanos, digit| nanos * 10 + u32::from(digit - b'0'));
    Some(Duration::new(seconds, nanos))
}

/// Reads `seconds`, `minutes:seconds`, `hours:minutes:seconds`; what GGS adds after a comma (numbers of moves and
/// options) is ignored.
fn parse_clock(text: &str) -> Option<Duration> {
    let text = text.split(',').next().unwrap_or_default().trim();
    if text.is_empty() {
        return Some(Duration::ZERO);
    }
    let mut parts = text.rsplit(':');
    let seconds = parse_seconds(parts.next()?)?;
    let mut total = seconds;
    for scale in [60, 3600] {
        let Some(part) = parts.next() else { return Some(total) };
        if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        total = total.checked_add(Duration::from_secs(part.parse::<u64>().ok()?.checked_mul(scale)?))?;
    }
    parts.next().is_none().then_some(total)
}

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let mut parts = text.split('/');
            let initial = parse_clock(parts.next()?)?;
            let increment = parse_clock(parts.next().unwrap_or_default())?;
            let extension = parse_clock(parts.next().unwrap_or_default())?;
            if text.trim().is_empty() || parts.next().is_some() {
                return None;
            }
            Some(Self { initial, increment, extension })
        };
        parse().ok_or_else(|| ParseTimeControlError(text.chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_keep_their_decimals() {
        for text in ["0", "0.01", "17.38", "12345", "0.000000001"] {
            assert_eq!(parse_seconds(text).map(seconds_text).as_deref(), Some(text));
        }
    }
}
