//! The date of a game, as precisely as it is known.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A date in the Gregorian calendar: a year, a month or a day.
///
/// ```
/// # use records::Date;
/// let date: Date = "1997-08-04".parse().expect("a date");
/// assert_eq!((date.year(), date.month(), date.day()), (1997, Some(8), Some(4)));
/// assert_eq!(Date::of_year(1980).expect("a year").to_string(), "1980");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date {
    year: u16,
    /// 1 to 12, or 0 if unknown.
    month: u8,
    /// 1 to 31, or 0 if unknown.
    day: u8,
}

impl Date {
    /// A year from 1 to 9999.
    pub fn of_year(year: u16) -> Option<Self> {
        (1..=9999).contains(&year).then_some(Self { year, month: 0, day: 0 })
    }

    /// A month of a year.
    pub fn of_month(year: u16, month: u8) -> Option<Self> {
        let date = Self::of_year(year)?;
        (1..=12).contains(&month).then_some(Self { month, ..date })
    }

    /// A day, or `None` if the calendar does not have it.
    pub fn of_day(year: u16, month: u8, day: u8) -> Option<Self> {
        let date = Self::of_month(year, month)?;
        (1..=days_of(year, month)).contains(&day).then_some(Self { day, ..date })
    }

    /// The date of a Unix time: seconds since the start of 1970, UTC.
    pub fn of_unix_time(seconds: u64) -> Option<Self> {
        let mut days = seconds / 86_400;
        let mut ends_within = |length: u64| {
            let is_within = days < length;
            days -= if is_within { 0 } else { length };
            is_within
        };
        let year = (1970..=9999).find(|&year| ends_within(days_of_year(year)))?;
        let month = (1..=12).find(|&month| ends_within(days_of(year, month).into()))?;
        Self::of_day(year, month, days as u8 + 1)
    }

    /// The number of days since the start of 1970, if it is a day from then on.
    pub fn unix_day(self) -> Option<u64> {
        let (month, day) = (self.month()?, self.day()?);
        let years: u64 = (1970..self.year).map(days_of_year).sum();
        let months: u64 = (1..month).map(|month| u64::from(days_of(self.year, month))).sum();
        (self.year >= 1970).then_some(years + months + u64::from(day) - 1)
    }

    /// The year.
    pub const fn year(self) -> u16 {
        self.year
    }

    /// The month, 1 to 12, if known.
    pub fn month(self) -> Option<u8> {
        (self.month > 0).then_some(self.month)
    }

    /// The day of the month, if known.
    pub fn day(self) -> Option<u8> {
        (self.day > 0).then_some(self.day)
    }
}

fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_of_year(year: u16) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

fn days_of(year: u16, month: u8) -> u8 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

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

/// `1997`, `1997-08` or `1997-08-04`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.month(), self.day()) {
            (Some(month), Some(day)) => write!(f, "{:04}-{month:02}-{day:02}", self.year),
            (Some(month), None) => write!(f, "{:04}-{month:02}", self.year),
            _ => write!(f, "{:04}", self.year),
        }
    }
}

/// The text is not a date.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a date; expected a year, a month or a day such as 1997, 1997-08 or 1997-08-04")]
pub struct ParseDateError(String);

/// Reads what `Display` writes, also with `.` or `/` instead of `-`, and ignores a time of day that follows.
impl FromStr for Date {
    type Err = ParseDateError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let date = text.trim().split(['_', ' ', 'T']).next().unwrap_or_default();
        let number = |part: &str, max_digits: usize| {
            let is_number = part.len() <= max_digits && part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse::<u16>().ok().filter(|_| is_number)
        };
        let parts: Vec<&str> = date.splitn(4, ['-', '.', '/']).collect();
        let parse = || match parts[..] {
            [year] => Self::of_year(number(year, 4)?),
            [year, month] => Self::of_month(number(year, 4)?, number(month, 2)? as u8),
            [year, month, day] => Self::of_day(number(year, 4)?, number(month, 2)? as u8, number(day, 2)? as u8),
            _ => None,
        };
        parse().ok_or_else(|| ParseDateError(text.chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_known_moments_are_right() {
        // Checked with `date -u -d @SECONDS`.
        for (seconds, expected) in
            [(0, "1970-01-01"), (951_782_400, "2000-02-29"), (945_277_754, "1999-12-15"), (4_102_444_800, "2100-01-01")]
        {
            assert_eq!(Date::of_unix_time(seconds).map(|date| date.to_string()).as_deref(), Some(expected));
        }
        assert_eq!(Date::of_unix_time(u64::MAX), None);
    }

    #[test]
    fn days_since_1970_lead_back_to_the_date() {
        for day in (0..60_000).chain([2_932_896]) {
            let date = Date::of_unix_time(86_400 * day + 86_399).expect("a date");
            assert_eq!(date.unix_day(), Some(day), "{date}");
        }
        for text in ["1969-12-31", "2026", "2026-11"] {
            assert_eq!(text.parse::<Date>().expect("a date").unix_day(), None, "{text}");
        }
    }

    #[test]
    fn dates_are_written_to_json_as_the_program_prints_them() {
        for text in ["1980", "1997-08-04"] {
            let date: Date = text.parse().expect("a date");
            let json = serde_json::to_string(&date).expect("JSON");
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<Date>(&json).expect("a date"), date);
        }
    }
}
